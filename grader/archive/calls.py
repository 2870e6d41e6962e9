"""Requests and calls in the archive: each request once, each try at it in its order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, case, distinct, func, select

from grader.archive.append import insert_new, portions
from grader.archive.call_entry import CallEntry, CardSpent, Spending, Spent, StoredCall
from grader.archive.rows import Row
from grader.archive.tables import TABLES
from grader.model.reply import Attempt, Usage
from grader.model.request import Endpoint, ModelRequest
from grader.record import digest

PARTS = TABLES["request_parts"]
REQUESTS = TABLES["requests"]
CALLS = TABLES["calls"]

PORTION = 200
"""Calls read at once."""

_MOST = 2**31
"""No reply takes that many tokens: a count that says so is left to the body it stands in."""

_Made = tuple[datetime, float]
"""When a try started and how long it took: one at the same request that says the same is the same try."""


def put_calls(connection: Connection, entries: Sequence[CallEntry], created: datetime) -> None:
    """Keep tries, and the requests that aren't there yet. See ``Archive.put_calls``."""
    requests = {entry.request.key: entry.request for entry in entries}
    made = _put_requests(connection, requests, created)
    new = []
    for entry in entries:
        attempts = made.setdefault(entry.request.key, [])
        this = (entry.attempt.started, entry.attempt.latency)
        if this not in attempts:
            new.append(_call_row(entry, len(attempts)))
            attempts.append(this)
    if new:
        connection.execute(CALLS.insert(), new)


def _put_requests(
    connection: Connection, requests: Mapping[str, ModelRequest], created: datetime
) -> dict[str, list[_Made]]:
    """Keep requests; the tries that were made before at those that were there."""
    there = {
        key
        for some in portions(requests)
        for key in connection.scalars(select(REQUESTS.c.key).where(REQUESTS.c.key.in_(some)))
    }
    parts: dict[str, Mapping[str, Any]] = {}
    missing = [_request_row(one, parts, created) for key, one in requests.items() if key not in there]
    insert_new(connection, PARTS, [{"digest": name, "content": part} for name, part in parts.items()])
    if insert_new(connection, REQUESTS, missing) < len(missing):
        there = set(requests)  # somebody else was faster
    return _made(connection, sorted(there))


def _made(connection: Connection, keys: Sequence[str]) -> dict[str, list[_Made]]:
    """The tries at requests in their order. PostgreSQL lets nobody else add to them until we have."""
    made: dict[str, list[_Made]] = {}
    columns = (CALLS.c.request_key, CALLS.c.started, CALLS.c.latency)
    for some in portions(keys):
        ours = select(REQUESTS.c.key).where(REQUESTS.c.key.in_(some)).order_by(REQUESTS.c.key)
        connection.execute(ours.with_for_update(key_share=True))
        query = select(*columns).where(CALLS.c.request_key.in_(some)).order_by(CALLS.c.attempt)
        for key, started, latency in connection.execute(query):
            made.setdefault(key, []).append((started, latency))
    return made


def _request_row(request: ModelRequest, parts: dict[str, Mapping[str, Any]], created: datetime) -> Row:
    def part(content: Mapping[str, Any]) -> str:
        address = digest(content)
        parts[address] = content
        return address

    body = {
        "messages": [part(message) for message in request.messages],
        "parameters": dict(request.parameters),
        "output": part(request.output) if request.output else None,
    }
    endpoint = request.endpoint
    return {
        "key": request.key,
        "model": endpoint.model,
        "api_base": endpoint.api_base,
        "vote": request.vote,
        "created": created,
        "body": body,
    }


def request(connection: Connection, key: str) -> ModelRequest:
    """A request; KeyError if it isn't there."""
    row = connection.execute(select(REQUESTS).where(REQUESTS.c.key == key)).first()
    if row is None:
        raise KeyError(key)
    wanted = [*row.body["messages"], *([row.body["output"]] if row.body["output"] else [])]
    parts = {
        part.digest: part.content
        for some in portions(wanted)
        for part in connection.execute(select(PARTS).where(PARTS.c.digest.in_(some)))
    }
    return ModelRequest(
        endpoint=Endpoint(row.model, row.api_base),
        messages=tuple(parts[name] for name in row.body["messages"]),
        parameters=row.body["parameters"],
        output=parts[row.body["output"]] if row.body["output"] else {},
        vote=row.vote,
    )


def parameters(connection: Connection, keys: Iterable[str]) -> dict[str, Mapping[str, Any]]:
    """What requests set: temperature, seed and so on; a key that isn't there is left out."""
    found: dict[str, Mapping[str, Any]] = {}
    for some in portions(keys):
        query = select(REQUESTS.c.key, REQUESTS.c.body).where(REQUESTS.c.key.in_(some))
        found |= {row.key: row.body["parameters"] for row in connection.execute(query)}
    return found


def replies(connection: Connection, keys: Iterable[str]) -> dict[str, Attempt]:
    """The last reply to each of the requests that were replied to."""
    found: dict[str, Attempt] = {}
    for some in portions(keys):
        query = select(CALLS).where(CALLS.c.request_key.in_(some), CALLS.c.failure.is_(None))
        for row in connection.execute(query.order_by(CALLS.c.attempt)).mappings():
            found[row["request_key"]] = _attempt_of(row)
    return found


def calls_at(connection: Connection, keys: Iterable[str]) -> dict[str, list[StoredCall]]:
    """The tries at requests, each one's in their order."""
    found: dict[str, list[StoredCall]] = {}
    for some in portions(keys):
        query = select(CALLS).where(CALLS.c.request_key.in_(some)).order_by(CALLS.c.attempt)
        for row in connection.execute(query).mappings():
            found.setdefault(row["request_key"], []).append(stored(row))
    return found


def portion(connection: Connection, run_id: int | None, after: int) -> list[StoredCall]:
    """The next calls after an id, of a run or (None) of all."""
    query = select(CALLS).where(CALLS.c.id > after).order_by(CALLS.c.id).limit(PORTION)
    if run_id is not None:
        query = query.where(CALLS.c.run_id == run_id)
    return [stored(row) for row in connection.execute(query).mappings()]


def spent(connection: Connection, run_id: int) -> Spending:
    """What the calls of a run took."""
    replied = CALLS.c.failure.is_(None)
    calls = func.count(distinct(CALLS.c.request_key))
    names = ("prompt_tokens", "completion_tokens", "reasoning_tokens")
    query = (
        select(
            *(CALLS.c.card, CALLS.c.purpose),
            *(calls, func.count(), func.count(case((replied, 1)))),
            calls - func.count(distinct(case((replied, CALLS.c.request_key)))),
            *(func.coalesce(func.sum(CALLS.c[name]), 0) for name in names),
            func.coalesce(func.sum(CALLS.c.cost), 0.0),
            func.count(case((replied & CALLS.c.cost.is_(None), 1))),
        )
        .where(CALLS.c.run_id == run_id)
        .group_by(CALLS.c.card, CALLS.c.purpose)
        .order_by(CALLS.c.card, CALLS.c.purpose)
    )
    found: Iterator[Any] = iter(connection.execute(query))
    return Spending(tuple(CardSpent(card, purpose, Spent(*sums)) for card, purpose, *sums in found))


def _call_row(entry: CallEntry, ordinal: int) -> Row:
    attempt = entry.attempt
    names = ("started", "latency", "failure", "error", "status", "served_model", "finish_reason")
    return {
        "request_key": entry.request.key,
        "attempt": ordinal,
        "run_id": entry.run_id,
        "card": entry.card,
        "purpose": entry.purpose,
        **{name: getattr(attempt, name) for name in (*names, "cost", "cost_source", "batch")},
        "prompt_tokens": _count(attempt.usage.prompt),
        "completion_tokens": _count(attempt.usage.completion),
        "reasoning_tokens": _count(attempt.usage.reasoning),
        "raw": None if attempt.raw is None else dict(attempt.raw),
    }


def _count(tokens: int | None) -> int | None:
    return tokens if tokens is not None and 0 <= tokens < _MOST else None


def stored(row: RowMapping) -> StoredCall:
    """A call, from its row."""
    place = (row["id"], row["request_key"], row["attempt"], row["run_id"], row["card"], row["purpose"])
    return StoredCall(*place, _attempt_of(row))


def _attempt_of(row: RowMapping) -> Attempt:
    names = ("started", "latency", "failure", "error", "status", "raw", "served_model", "finish_reason")
    return Attempt(
        **{name: row[name] for name in (*names, "cost", "cost_source", "batch")},
        usage=Usage(row["prompt_tokens"], row["completion_tokens"], row["reasoning_tokens"]),
    )
