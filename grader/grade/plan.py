"""What a problem set asks of grading: for each subquestion its nodes, their hashes and their checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from grader.errors import ProblemError
from grader.problem.checks import CheckModel
from grader.problem.model import (
    Deduction,
    Follow,
    Group,
    Note,
    Point,
    Problem,
    ScoringNode,
    Subquestion,
    Veto,
    walk,
)
from grader.problem.nodes import nodes
from grader.record import digest

Scored = Point | Group | Deduction | Veto
"""The nodes that can carry an award."""


@dataclass(frozen=True)
class PlannedPoint:
    """A node in its place, and what decides it."""

    sub_id: str
    node: Scored
    others: tuple[str, ...]
    """The ``asked`` labels of the subquestion's other checks."""

    @property
    def check(self) -> CheckModel | None:
        """The check by which code decides the node; a draft never does."""
        if isinstance(self.node, Group) or (isinstance(self.node, Point) and self.node.draft):
            return None
        return self.node.check

    @property
    def follow(self) -> Follow | None:
        """What it follows from where the answer errs before; only where code decides the node."""
        return self.node.follow if isinstance(self.node, Point) and self.check is not None else None

    @cached_property
    def point_hash(self) -> str:
        """The address of everything that a finding or verdict on this node rests on."""
        return digest([self.sub_id, self.node.model_dump(mode="json", exclude_defaults=True), self.others])

    @property
    def shape(self) -> str:
        """Point, group, deduction or veto."""
        return type(self.node).__name__.lower()


@dataclass(frozen=True)
class PlannedSubquestion:
    """A subquestion ready to be graded."""

    problem_id: str
    sub_id: str
    question: str
    """Its text, by which a response may repeat it."""
    full_mark: float
    nodes: tuple[ScoringNode, ...]
    points: tuple[PlannedPoint, ...]

    @cached_property
    def hashes(self) -> dict[str, str]:
        """Today's point hash of every node that can carry an award."""
        return {point.node.id: point.point_hash for point in self.points}

    @property
    def formal(self) -> Iterator[PlannedPoint]:
        """The points that code decides."""
        return (point for point in self.points if point.check is not None)


@dataclass(frozen=True)
class Plan:
    """The subquestions of a set, by problem, in order."""

    subquestions: Mapping[str, tuple[PlannedSubquestion, ...]]

    def answered(self, problem_id: str, sub_id: str | None) -> Sequence[PlannedSubquestion]:
        """The subquestions that a response answers: one, or under full_problem all."""
        subs = self.subquestions[problem_id]
        return subs if sub_id is None else [sub for sub in subs if sub.sub_id == sub_id]

    def formal(self, problem_id: str, sub_id: str) -> Iterator[PlannedPoint]:
        """The points of a subquestion that code decides."""
        (sub,) = self.answered(problem_id, sub_id)
        return sub.formal

    @property
    def size(self) -> int:
        """How many subquestions there are."""
        return sum(len(subs) for subs in self.subquestions.values())

    @property
    def kinds(self) -> set[str]:
        """The check kinds that occur."""
        return {point.check.kind for point in self._formal if point.check is not None}

    @property
    def follow_kinds(self) -> set[str]:
        """The check kinds of the points that follow from others."""
        return {point.check.kind for point in self._formal if point.follow and point.check}

    @property
    def _formal(self) -> Iterator[PlannedPoint]:
        return (point for subs in self.subquestions.values() for sub in subs for point in sub.formal)


def plan(problems: Mapping[str, Problem], path: str) -> Plan:
    """Plan the grading of a set; ProblemError where it was published without rubrics."""
    bare = [problem_id for problem_id, problem in problems.items() if not problem.gradable]
    if bare:
        raise ProblemError(
            f"the set can be run but not graded: {len(bare)} of {len(problems)} problems have no rubric",
            file=path,
            got=f"no 'rubric' in {', '.join(bare[:3])}{' …' if len(bare) > 3 else ''}",
            do="Name a set with rubrics by --problems.",
        )
    return Plan({problem_id: tuple(_planned(problem)) for problem_id, problem in problems.items()})


def _planned(problem: Problem) -> Iterator[PlannedSubquestion]:
    for sub in problem.subquestions:
        rubric = nodes(sub)
        yield PlannedSubquestion(
            problem.problem_id, sub.sub_id, sub.text_open, sub.full_mark, rubric, tuple(_points(sub, rubric))
        )


def _points(sub: Subquestion, rubric: tuple[ScoringNode, ...]) -> Iterator[PlannedPoint]:
    scored = [node for node in walk(rubric) if not isinstance(node, Note)]
    for node in scored:
        # a label that several checks share stays among the others: it can't tell them apart
        others = tuple(dict.fromkeys(_asked(other for other in scored if other is not node)))
        yield PlannedPoint(sub.sub_id, node, others if _check(node) is not None else ())


def _check(node: Scored) -> CheckModel | None:
    return None if isinstance(node, Group) else node.check


def _asked(scored: Iterable[Scored]) -> Iterator[str]:
    for node in scored:
        check = _check(node)
        if check is not None:
            yield from check.asked
