"""Drafting over a whole set, and accepting what was drafted."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from grader.errors import UsageError, shown
from grader.formal.draft import Drafted, accepted, draft_rubric, drafts, rejected
from grader.problem.model import Point, ScoringNode, Subquestion
from grader.problem.nodes import nodes
from grader.problem.rewrite import copy_set, rewrite_set
from grader.problem.set import ProblemSet, load_set

SCHEMA_VERSION = 1
"""Of what ``argus problems compile -o --json`` and ``accept --json`` print."""


@dataclass(frozen=True, slots=True)
class DraftReport:
    """What became of the native points of a set."""

    path: Path
    points: tuple[Drafted, ...]
    typed: float
    """Marks of rubric nodes that were typed already."""

    @property
    def marks(self) -> float:
        """Marks of all native points that were looked at, alternatives of one group counted each."""
        return math.fsum(point.marks for point in self.points)

    def share(self, *, alone: bool) -> float:
        """Marks of the points that got a check: that code alone decides, or all with ``alone=False``."""
        kept = (one for one in self.points if one.kinds and (one.alone or not alone))
        return math.fsum(one.marks for one in kept)

    @property
    def kinds(self) -> Mapping[str, int]:
        """How many checks of each kind were drafted."""
        return Counter(kind for point in self.points for kind in point.kinds)

    def as_json(self) -> dict[str, Any]:
        """The report as JSON."""
        return {
            "schema_version": SCHEMA_VERSION,
            "path": str(self.path),
            "marks": self.marks,
            "marks_by_code": self.share(alone=True),
            "marks_with_checks": self.share(alone=False),
            "kinds": dict(self.kinds),
            "points": [asdict(point) for point in self.points],
        }


def draft_set(path: Path, target: Path) -> DraftReport:
    """Write the set at ``path`` to ``target`` with its native lines as typed nodes, checks drafted.

    Raises ProblemError for a set with faults, UsageError where ``target`` is
    there already or no subquestion has a native line.
    """
    problems = load_set(path, decode=False)
    subs = [sub for sub in _subquestions(problems) if any(isinstance(item, str) for item in sub.rubric or ())]
    if not subs:
        do = "Its rubrics are typed already, or it was published without them."
        raise UsageError("the set has no native rubric line to draft from", got=str(path), do=do)
    drafted = {sub.sub_id: draft_rubric(sub) for sub in subs}
    copy_set(path, target, {sub_id: one.nodes for sub_id, one in drafted.items()})
    load_set(target, decode=False)
    typed = math.fsum(node.points for sub in subs for node in sub.rubric or () if isinstance(node, Point))
    return DraftReport(target, tuple(point for one in drafted.values() for point in one.points), typed)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A drafted check that nobody has accepted."""

    sub_id: str
    point_id: str
    marks: float
    text: str
    check: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AcceptReport:
    """What was accepted and dropped, and what still waits."""

    path: Path
    accepted: tuple[str, ...]
    rejected: tuple[str, ...]
    waiting: tuple[Waiting, ...]

    def as_json(self) -> dict[str, Any]:
        """The report as JSON."""
        return {
            "schema_version": SCHEMA_VERSION,
            "path": str(self.path),
            "accepted": list(self.accepted),
            "rejected": list(self.rejected),
            "waiting": [asdict(one) for one in self.waiting],
        }


def accept_drafts(
    path: Path, points: Sequence[str] = (), reject: Sequence[str] = (), *, every: bool = False
) -> AcceptReport:
    """Accept and drop drafts of the set at ``path``, in place; ids name points or groups that hold drafts.

    ``every``: accept all that is left. Raises UsageError for an id without a draft.
    """
    problems = load_set(path, decode=False)
    before = {sub.sub_id: nodes(sub) for sub in _subquestions(problems)}
    _known(before.values(), [*points, *reject])
    changed: dict[str, Sequence[ScoringNode]] = {}
    taken: list[str] = []
    dropped: list[str] = []
    for sub_id, rubric in before.items():
        kept, off = rejected(rubric, frozenset(reject))
        new, on = accepted(kept, None if every else frozenset(points))
        taken += on
        dropped += off
        if on or off:
            changed[sub_id] = new
    if changed:
        rewrite_set(path, changed)
    after = {**before, **changed}
    return AcceptReport(path, tuple(taken), tuple(dropped), tuple(_waiting(after)))


def _subquestions(problems: ProblemSet) -> Iterator[Subquestion]:
    for problem in problems.problems.values():
        yield from problem.subquestions


def _known(rubrics: Iterable[Sequence[ScoringNode]], named: Sequence[str]) -> None:
    rubrics = list(rubrics)
    for name in named:
        if not any(accepted(rubric, frozenset({name}))[1] for rubric in rubrics):
            waiting = [point.id for rubric in rubrics for point in drafts(rubric)]
            expected = (
                f"one of {', '.join(waiting[:8])}{' …' if len(waiting) > 8 else ''}" if waiting else "none"
            )
            raise UsageError("no draft waits under this id", got=shown(name), expected=expected)


def _waiting(rubrics: Mapping[str, Sequence[ScoringNode]]) -> Iterator[Waiting]:
    for sub_id, rubric in rubrics.items():
        for point in drafts(rubric):
            assert point.check is not None
            check = point.check.model_dump(mode="json", exclude_defaults=True)
            yield Waiting(sub_id, point.id, point.points, point.text, check)
