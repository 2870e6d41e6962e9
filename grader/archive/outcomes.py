"""Findings and verdicts in the archive: append-only, each marker's last word last."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, null, select

from grader.archive import rows
from grader.archive.append import among, append_changed, insert_new, portions
from grader.archive.entry import (
    Engine,
    FindingEntry,
    FollowedEntry,
    StoredFinding,
    StoredFollowed,
    StoredVerdict,
    VerdictEntry,
)
from grader.archive.tables import TABLES

FINDINGS = TABLES["findings"]
FOLLOWED = TABLES["followed"]
VERDICTS = TABLES["verdicts"]

Pair = tuple[str, str]
"""A point_hash and an answer_hash."""

_FINDING_SLOT = ("point_hash", "answer_hash", "engine")
_FOLLOWED_SLOT = (*_FINDING_SLOT, "basis")
_VERDICT_SLOT = ("response_digest", "sub_id", "point_id", "point_hash", "answer_hash", "by")
_PAIR = ("point_hash", "answer_hash")
_FINDING_TEXTS = ("found", "rejected", "detail")
"""What nothing is decided by. The quote and its span are: what follows rests on where a value stood."""
_VERDICT_TEXTS = ("rationale", "found", "quote", "span_start", "span_end", "votes", "source")


def known(connection: Connection, pairs: Iterable[Pair], engines: Iterable[str]) -> dict[Pair, set[str]]:
    """Of pairs of point and answer, those that one of ``engines`` has decided, and which did."""
    found: dict[Pair, set[str]] = {}
    wanted = sorted(engines)
    for some in portions(pairs):
        columns = select(FINDINGS.c.point_hash, FINDINGS.c.answer_hash, FINDINGS.c.engine)
        query = columns.where(among(connection, FINDINGS, _PAIR, some), FINDINGS.c.engine.in_(wanted))
        for point, answer, engine in connection.execute(query):
            found.setdefault((point, answer), set()).add(engine)
    return found


def put_findings(
    connection: Connection, entries: Iterable[FindingEntry], created: datetime, *, again: bool
) -> int:
    """Keep findings; how many were new. See ``Archive.put_findings``."""
    new = [rows.finding_row(entry, created) for entry in entries]
    new.sort(key=lambda row: tuple(row[name] for name in _FINDING_SLOT))
    if again:
        return append_changed(
            connection, FINDINGS, new, slot=_FINDING_SLOT, leading=2, value=rows.FINDING_VALUE
        )
    return insert_new(connection, FINDINGS, [{**row, "revision": 0} for row in new])


def put_followed(
    connection: Connection, entries: Iterable[FollowedEntry], created: datetime, *, again: bool
) -> int:
    """Keep what was found to follow; how many were new. See ``Archive.put_followed``."""
    new = [rows.followed_row(entry, created) for entry in entries]
    new.sort(key=lambda row: tuple(row[name] for name in _FOLLOWED_SLOT))
    if again:
        return append_changed(
            connection, FOLLOWED, new, slot=_FOLLOWED_SLOT, leading=2, value=rows.FOLLOWED_VALUE
        )
    return insert_new(connection, FOLLOWED, [{**row, "revision": 0} for row in new])


def put_verdicts(connection: Connection, entries: Iterable[VerdictEntry], created: datetime) -> int:
    """Keep verdicts; how many were new. See ``Archive.put_verdicts``."""
    new = [rows.verdict_row(entry, created) for entry in entries]
    return append_changed(connection, VERDICTS, new, slot=_VERDICT_SLOT, leading=1, value=rows.VERDICT_VALUE)


def findings(
    connection: Connection,
    pairs: Iterable[Pair],
    engines: Mapping[str, Engine],
    only: Iterable[str] | None,
    *,
    texts: bool = True,
) -> dict[Pair, list[StoredFinding]]:
    """The findings of pairs of point and answer, by any engine or ``only`` some, the first found first.

    Without ``texts``, what a finding says in words stays in the database.
    """
    found: dict[Pair, list[StoredFinding]] = {}
    columns = _columns(FINDINGS, ["created"] if texts else ["created", *_FINDING_TEXTS])
    for some in portions(pairs):
        query = select(*columns).where(among(connection, FINDINGS, _PAIR, some))
        if only is not None:
            query = query.where(FINDINGS.c.engine.in_(sorted(only)))
        for row in connection.execute(query).mappings().all():
            one = rows.stored_finding(row, engines[row["engine"]])
            found.setdefault((one.point_hash, one.answer_hash), []).append(one)
    for several in found.values():
        several.sort(key=lambda one: one.id)  # in SQL, SQLite would rather walk the table in this order
    return found


def followed(
    connection: Connection, pairs: Iterable[Pair], engines: Mapping[str, Engine], only: Iterable[str]
) -> dict[tuple[Pair, str], StoredFollowed]:
    """What ``only`` these engines last found to follow for pairs of point and answer, by pair and basis."""
    found: dict[tuple[Pair, str], StoredFollowed] = {}
    for some in portions(pairs):
        query = select(FOLLOWED).where(
            among(connection, FOLLOWED, _PAIR, some), FOLLOWED.c.engine.in_(sorted(only))
        )
        for row in sorted(connection.execute(query).mappings(), key=lambda row: int(row["id"])):
            pair = (row["point_hash"], row["answer_hash"])
            found[pair, row["basis"]] = rows.stored_followed(row, engines[row["engine"]])
    return found


def verdicts(
    connection: Connection, responses: Iterable[str], *, texts: bool = True
) -> dict[Pair, list[StoredVerdict]]:
    """The verdicts on responses by response digest and subquestion, the first given first.

    Without ``texts``, rationales, quotes and votes stay in the database.
    """
    found: dict[Pair, list[StoredVerdict]] = {}
    columns = _columns(VERDICTS, [] if texts else _VERDICT_TEXTS)
    for some in portions(responses):
        query = select(*columns).where(VERDICTS.c.response_digest.in_(some)).order_by(VERDICTS.c.id)
        for row in connection.execute(query).mappings().all():
            one = rows.stored_verdict(row)
            found.setdefault((one.response_digest, one.sub_id), []).append(one)
    return found


def of_people(connection: Connection, after: int, limit: int) -> list[StoredVerdict]:
    """The next verdicts that people gave, in the order they were given."""
    query = select(VERDICTS).where(VERDICTS.c.id > after, _by_people()).order_by(VERDICTS.c.id).limit(limit)
    return [rows.stored_verdict(row) for row in connection.execute(query).mappings()]


def any_of_people(connection: Connection) -> bool:
    """Whether people gave any verdict."""
    return connection.execute(select(VERDICTS.c.by).where(_by_people()).limit(1)).first() is not None


def _by_people() -> ColumnElement[bool]:
    # not by track, which no index holds
    return VERDICTS.c.by.startswith("human:")


def _columns(table: Table, spared: Sequence[str]) -> list[ColumnElement[Any]]:
    """The columns of a table; null in place of those that are spared."""
    return [null().label(one.name) if one.name in spared else one for one in table.c]
