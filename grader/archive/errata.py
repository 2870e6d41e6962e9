"""Disputes: which finding or verdict somebody contests, and what came of it when it was marked again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from sqlalchemy import Connection, select

from grader.archive import review_items, review_marks, rows, runs
from grader.archive.entry import StoredFinding, StoredVerdict
from grader.archive.outcomes import FINDINGS, VERDICTS
from grader.archive.review_entry import Item, StoredMark
from grader.archive.review_items import ITEMS, MEMBERS
from grader.archive.tables import TABLES

ANSWERS = TABLES["answers"]

Outcome = Literal["open", "upheld", "overturned"]

SCHEMA_VERSION = 1
"""Of a line of ``argus review errata``."""


@dataclass(frozen=True, slots=True)
class Contest:
    """What is disputed, and why: what an item keeps as ``about``."""

    disputed: str
    """``finding-12`` or ``verdict-45``."""
    reason: str
    by: str | None = None
    """Who disputed it, if they said so."""

    def as_text(self) -> str:
        """As an item keeps it."""
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True)

    @classmethod
    def of(cls, item: Item) -> Contest:
        """What a disputed item is about."""
        text = item.entry.about or ""
        return cls(**json.loads(text)) if text.startswith("{") else cls("", text)


@dataclass(frozen=True, slots=True)
class Said:
    """An award, and who gave it."""

    by: str
    status: str
    award: float | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Erratum:
    """A dispute and what came of it."""

    item: Item
    contest: Contest
    before: Said | None
    """What was disputed; None where the archive doesn't know it."""
    mark: StoredMark | None
    """What settled it; None while nobody has."""

    @property
    def after(self) -> Said | None:
        """What the person said who settled it."""
        if self.mark is None:
            return None
        entry = self.mark.entry
        return Said(f"human:{entry.reviewer}", entry.status.value, entry.award, entry.reason)

    @property
    def outcome(self) -> Outcome:
        """Upheld where the award is the same, as little as it may be known to be wrong."""
        if self.mark is None:
            return "open"
        return "upheld" if self.before and self.before.award == self.mark.entry.award else "overturned"

    def as_json(self) -> dict[str, Any]:
        """Documented in docs/output.md."""
        entry = self.item.entry
        return {
            "schema_version": SCHEMA_VERSION,
            "item": self.item.id,
            **asdict(self.contest),
            "problem_id": entry.problem_id,
            "sub_id": entry.sub_id,
            "point_id": entry.point_id,
            "responses": [one.response_digest for one in entry.members],
            "outcome": self.outcome,
            "before": asdict(self.before) if self.before else None,
            "after": asdict(self.after) if self.after else None,
            "since": self.item.created.isoformat(),
            "settled": self.mark.created.isoformat() if self.mark else None,
        }


def outcome(connection: Connection, named: str) -> StoredFinding | StoredVerdict:
    """A finding or a verdict by its id; KeyError if there is none."""
    track, _, number = named.partition("-")
    known = track in ("finding", "verdict") and number.isascii() and number.isdigit()
    if not known or int(number[:11]) >= 2**31:  # more than PostgreSQL's integers hold
        raise KeyError(named)
    table = FINDINGS if track == "finding" else VERDICTS
    row = connection.execute(select(table).where(table.c.id == int(number))).mappings().first()
    if row is None:
        raise KeyError(named)
    if track == "verdict":
        return rows.stored_verdict(row)
    return rows.stored_finding(row, runs.engines(connection)[row["engine"]])


def responses_with(connection: Connection, answer_hash: str) -> list[str]:
    """The responses that hold an answer."""
    query = select(ANSWERS.c.response_digest).where(ANSWERS.c.answer_hash == answer_hash).distinct()
    return sorted(connection.scalars(query))


def errata(connection: Connection, response_digest: str | None = None) -> Iterator[Erratum]:
    """The disputes about a response, or all there are, the oldest first."""
    query = select(ITEMS.c.id).where(ITEMS.c.kind == "dispute", ITEMS.c.state != "withdrawn")
    if response_digest is not None:
        about = select(MEMBERS.c.item_id).where(MEMBERS.c.response_digest == response_digest)
        query = query.where(ITEMS.c.id.in_(about))
    ids = list(connection.scalars(query.order_by(ITEMS.c.id)))
    marks = review_marks.marks_of(connection, ids)
    for item in review_items.items(connection, ids):
        contest = Contest.of(item)
        yield Erratum(item, contest, _said(connection, contest.disputed), _last(marks.get(item.id, ())))


def _last(marks: Sequence[StoredMark]) -> StoredMark | None:
    return max(review_marks.standing(marks).values(), key=lambda one: one.id, default=None)


def _said(connection: Connection, named: str) -> Said | None:
    try:
        stored = outcome(connection, named)
    except KeyError:
        return None
    if isinstance(stored, StoredFinding):
        found = stored.finding
        return Said(found.by, found.status.value, found.award, found.detail)
    given = stored.verdict
    return Said(given.by, given.status.value, given.award, given.rationale)
