"""What review writes and reads: items, marks, reviewers. Plain frozen values."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from grader.record import Evidence, Status

Kind = Literal["triage", "spot_check", "gold", "second", "adjudication", "dispute"]
"""Why an item is there: doubt, chance, a known award, a blind second mark, marks that differ, a dispute."""
State = Literal["open", "done", "withdrawn"]
Says = Literal["rubric_wrong", "question_wrong"]

FINAL: Collection[Kind] = ("adjudication", "dispute")
"""Kinds whose mark settles what earlier ones said."""


@dataclass(frozen=True, slots=True)
class Member:
    """An answer that an item stands for."""

    response_digest: str
    answer_hash: str


@dataclass(frozen=True, slots=True)
class ItemEntry:
    """An item on its way into the queue."""

    key: str
    """The address of what it is about: an item with a key that is there isn't made again."""
    alike: str
    """Shared by items of a kind about one point in equal answers."""
    kind: Kind
    problem_id: str
    sub_id: str
    point_id: str
    point_hash: str
    members: tuple[Member, ...]
    priority: float = 0.0
    """Greater comes first."""
    reasons: tuple[str, ...] = ()
    check_kind: str | None = None
    """None: no code decides the point."""
    about: str | None = None
    """Of a dispute: which verdict, and why it was disputed."""
    parent: int | None = None
    """Of a second marking or an adjudication: the item whose answers are marked again."""
    gold: float | None = None
    """Of a seeded item: the award that is known to be right. Marks on it are nobody's verdicts."""
    barred: tuple[str, ...] = ()
    """People who may not mark it."""


@dataclass(frozen=True, slots=True)
class Item:
    """An item of the queue."""

    id: int
    entry: ItemEntry
    state: State
    holder: str | None
    """Who holds it, or who marked it."""
    lease: datetime | None
    created: datetime


@dataclass(frozen=True, slots=True)
class MarkEntry:
    """A mark as a person gave it."""

    item_id: int
    reviewer: str
    form: str
    """Of the form that was sent: sent twice, it is one mark."""
    status: Status
    award: float | None
    award_follow: float | None = None
    evidence: tuple[Evidence, ...] = ()
    """Offsets in the raw text of the item's first response."""
    reason: str = ""
    says: Says | None = None
    seconds: float = 0.0
    after_seen: bool = False
    """Given after the standing verdict had been shown."""
    undoes: int | None = None


@dataclass(frozen=True, slots=True)
class StoredMark:
    """A mark with its place in the archive; a later one has a greater id."""

    id: int
    entry: MarkEntry
    created: datetime


@dataclass(frozen=True, slots=True)
class Reviewer:
    """A person who was invited to mark."""

    name: str
    adjudicates: bool
    created: datetime
    revoked: datetime | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which part of the queue a person works on; None: all of it."""

    run_id: int | None = None
    subs: Collection[tuple[str, str]] | None = None
    """Pairs of problem and subquestion, for instance those with a tag."""
    reason: str | None = None
    """What was drawn at random stays mixed in, or a filter would tell it from the rest."""
    check_kind: str | None = None
    """A check kind, or ``flexible``."""
    adjudications: bool | None = None
    """Only what settles differences, or only the rest."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the queue is."""

    items: Mapping[State, int]
    by_reviewer: Mapping[str, tuple[int, float]] = field(default_factory=dict)
    """Marks that hold and the seconds they took, by person."""
