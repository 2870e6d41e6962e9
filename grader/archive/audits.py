"""What audits asked, in the archive: designs, tasks, variants with their outcomes, anchors, money."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, exists, func, select

from grader.archive.append import insert_new, portions
from grader.archive.audit_entry import (
    Anchor,
    AnswerPlace,
    AskedEntry,
    AuditReservation,
    DesignEntry,
    Said,
    StoredAsked,
)
from grader.archive.call_entry import StoredCall
from grader.archive.calls import CALLS, PORTION, stored
from grader.archive.tables import TABLES
from grader.model.failure import UNKNOWN

DESIGNS = TABLES["audit_designs"]
TASKS = TABLES["audit_tasks"]
ASKED = TABLES["audit_asked"]
KEYS = TABLES["audit_calls"]
ANCHORS = TABLES["audit_anchors"]
RESERVATIONS = TABLES["audit_reservations"]

_SLOT = ("design", "card", "response_digest", "sub_id", "variant")
"""What there is once."""
_PLACE = ("run_id", "response_digest", "problem_id", "sub_id", "answer_hash")
_OF_AUDITS = CALLS.c.run_id.is_(None) & (CALLS.c.purpose == "audit")
"""No run pays for audits: what grading a run costs stays what it was."""
_SETTLED: ColumnElement[bool] = CALLS.c.cost.is_not(None) | CALLS.c.failure.not_in(sorted(UNKNOWN))
_UNSETTLED = CALLS.c.cost.is_(None) & (CALLS.c.failure.is_(None) | CALLS.c.failure.in_(sorted(UNKNOWN)))
_SAME_TRY = (RESERVATIONS.c.request_key == CALLS.c.request_key) & (RESERVATIONS.c.started == CALLS.c.started)


def put_design(connection: Connection, entry: DesignEntry, created: datetime) -> None:
    """Keep a design that isn't there yet."""
    row = {"hash": entry.hash, "audit": entry.audit, "content": dict(entry.content), "created": created}
    insert_new(connection, DESIGNS, [row])


def designs(connection: Connection, card: str) -> list[DesignEntry]:
    """The designs that a card was asked under, the one asked under last first."""
    last = select(ASKED.c.design, func.max(ASKED.c.id).label("last")).where(ASKED.c.card == card)
    asked = last.group_by(ASKED.c.design).subquery()
    query = select(DESIGNS).join(asked, asked.c.design == DESIGNS.c.hash).order_by(asked.c.last.desc())
    return [DesignEntry(row.hash, row.audit, row.content) for row in connection.execute(query)]


def put_tasks(connection: Connection, tasks: Mapping[str, Mapping[str, Any]]) -> None:
    """Keep tasks that aren't there yet, by their digests."""
    rows = [{"digest": name, "content": dict(content)} for name, content in tasks.items()]
    insert_new(connection, TASKS, rows)


def task(connection: Connection, digest: str) -> dict[str, Any]:
    """A task; KeyError if it isn't there."""
    found = connection.scalar(select(TASKS.c.content).where(TASKS.c.digest == digest))
    if found is None:
        raise KeyError(digest)
    return dict(found)


def put_asked(connection: Connection, entries: Sequence[AskedEntry], created: datetime) -> int:
    """Keep variants that aren't there yet, each with its requests; how many were new."""
    new = 0
    for entry in entries:
        row = _row(entry, created)
        if not insert_new(connection, ASKED, [row]):
            continue  # it is there already
        slot = (ASKED.c[name] == row[name] for name in _SLOT)
        asked_id = connection.scalar(select(ASKED.c.id).where(*slot))
        rows = [
            {"asked_id": asked_id, "position": position, "request_key": key}
            for position, key in enumerate(entry.keys)
        ]
        if rows:
            connection.execute(KEYS.insert(), rows)
        new += 1
    return new


def asked(connection: Connection, design: str, cards: Sequence[str]) -> list[StoredAsked]:
    """Every variant that some cards were asked about under a design, the first asked first."""
    query = select(ASKED).where(ASKED.c.design == design, ASKED.c.card.in_(cards)).order_by(ASKED.c.id)
    rows = list(connection.execute(query).mappings())
    keys: dict[int, list[str]] = {}
    for some in portions(row["id"] for row in rows):
        found = select(KEYS).where(KEYS.c.asked_id.in_(some)).order_by(KEYS.c.asked_id, KEYS.c.position)
        for row in connection.execute(found):
            keys.setdefault(row.asked_id, []).append(row.request_key)
    return [_stored(row, keys.get(row["id"], [])) for row in rows]


def cards(connection: Connection, design: str | None = None) -> list[str]:
    """The cards that were asked, under a design or any, in the order they were asked first."""
    query = select(ASKED.c.card).group_by(ASKED.c.card).order_by(func.min(ASKED.c.id))
    return list(connection.scalars(query if design is None else query.where(ASKED.c.design == design)))


def put_anchors(connection: Connection, design: str, anchors: Sequence[Anchor]) -> None:
    """Freeze anchors; those that are there stay as they are."""
    rows = [
        {
            "design": design,
            "position": position,
            "task": anchor.task,
            **{name: getattr(anchor.place, name) for name in _PLACE},
        }
        for position, anchor in enumerate(anchors)
    ]
    insert_new(connection, ANCHORS, rows)


def anchors(connection: Connection, design: str) -> list[Anchor]:
    """The frozen anchors, in their order; none before they are frozen."""
    query = select(ANCHORS).where(ANCHORS.c.design == design).order_by(ANCHORS.c.position)
    return [Anchor(_place(row), row["task"]) for row in connection.execute(query).mappings()]


def put_reservations(connection: Connection, entries: Iterable[AuditReservation]) -> None:
    """Keep what is set aside."""
    rows = [
        {"card": one.card, "request_key": one.key, "started": one.started, "most": one.most}
        for one in entries
    ]
    insert_new(connection, RESERVATIONS, rows)


def cost(connection: Connection, card: str) -> float:
    """US dollars, of the calls for audits of a card whose cost is known."""
    return connection.scalar(select(func.sum(CALLS.c.cost)).where(_OF_AUDITS, CALLS.c.card == card)) or 0.0


def reserved(connection: Connection, card: str) -> float:
    """US dollars set aside for tries for audits of which nobody knows what they cost."""
    settled = exists().where(_SAME_TRY, _SETTLED)
    query = select(func.sum(RESERVATIONS.c.most)).where(RESERVATIONS.c.card == card, ~settled)
    return connection.scalar(query) or 0.0


def unpriced(connection: Connection, card: str, after: int) -> list[StoredCall]:
    """The next calls after an id whose cost nobody knows and for which nothing was set aside."""
    there = exists().where(_SAME_TRY)
    query = select(CALLS).where(_OF_AUDITS, CALLS.c.card == card, CALLS.c.id > after, _UNSETTLED, ~there)
    return [stored(row) for row in connection.execute(query.order_by(CALLS.c.id).limit(PORTION)).mappings()]


def _row(entry: AskedEntry, created: datetime) -> dict[str, Any]:
    names = ("design", "card", "variant", "task", "repeat", "calls")
    return {
        **{name: getattr(entry, name) for name in names},
        **{name: getattr(entry.place, name) for name in _PLACE},
        "about": dict(entry.about) or None,
        "outcome": {point: said.as_json() for point, said in entry.outcome.items()},
        "created": created,
    }


def _stored(row: Mapping[Any, Any], keys: Sequence[str]) -> StoredAsked:
    return StoredAsked(
        **{name: row[name] for name in ("design", "card", "variant", "task", "repeat", "calls")},
        place=_place(row),
        outcome={point: Said.of(kept) for point, kept in row["outcome"].items()},
        keys=tuple(keys),
        about=row["about"] or {},
        id=row["id"],
        created=row["created"],
    )


def _place(row: Mapping[Any, Any]) -> AnswerPlace:
    return AnswerPlace(*(row[name] for name in _PLACE))
