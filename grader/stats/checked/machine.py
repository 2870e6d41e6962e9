"""What code and the selected judge decided, people left out, and what that puts into scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from grader.archive.entry import Grading, StoredFinding
from grader.archive.read import GradedAnswer, GradedPoint
from grader.archive.standing import Standing, standing
from grader.grade.plan import PlannedPoint, PlannedSubquestion
from grader.problem.model import Deduction, Group, ScoringNode, Veto, walk
from grader.score import (
    DIGITS,
    Award,
    SubquestionScore,
    earned_marks,
    largest_loss,
    scope_worth,
    score_subquestion,
)

NAN = float("nan")

Decided = tuple[str | None, str | None, str, float, float, str]
"""Track, by, status, award, confidence, flags."""


def by_machine(point: GradedPoint, answer: GradedAnswer, grading: Grading) -> Standing:
    """What would stand for a point if no person had said anything."""
    assert point.standing is not None
    assert point.point_hash is not None
    machine = [one for one in point.verdicts if not one.verdict.by.startswith("human:")]
    if len(machine) == len(point.verdicts):
        return point.standing
    return standing(
        point.findings,
        machine,
        point_hash=point.point_hash,
        answer_hash=answer.answer.answer_hash,
        engines=grading.engines,
        card=grading.card,
        failed=answer.response.error is not None,
    )


def decided_row(stands: Standing) -> Decided:
    """The columns from ``track`` to ``flags``."""
    source = stands.source
    if source is None:
        return (None, None, stands.status.value, NAN, NAN, "")
    said = source.finding if isinstance(source, StoredFinding) else source.verdict
    track = "located" if stands.located else stands.track
    numbers = (_number(stands.award), _number(said.confidence))
    return (track, stands.by, stands.status.value, *numbers, ",".join(said.flags))


def _number(value: float | None) -> float:
    return NAN if value is None else float(value)


@dataclass(frozen=True, slots=True)
class Score:
    """An answer's marks by code and judge, and with people's marks where neither decided."""

    earned: float
    open: float
    settled: float
    still_open: float


@dataclass(slots=True)
class Scorer:
    """The marks of answers; most answers to a question are alike in what was decided."""

    _scores: dict[tuple[object, ...], SubquestionScore] = field(default_factory=dict)
    _interacting: dict[int, bool] = field(default_factory=dict)

    def interacting(self, sub: PlannedSubquestion) -> bool:
        """Whether points act on each other, or are worth more than the mark."""
        known = self._interacting.get(id(sub))
        if known is None:
            plain = all(point.shape == "point" for point in sub.points)
            worth = sum(point.node.points for point in sub.points if not isinstance(point.node, Veto))
            known = self._interacting[id(sub)] = not plain or round(worth - sub.full_mark, DIGITS) > 0
        return known

    def score(
        self, sub: PlannedSubquestion, machine: Mapping[str, Standing], stands: Mapping[str, Standing]
    ) -> Score:
        """The marks of an answer: ``machine`` without people, ``stands`` with them."""
        awards = {name: _counted(one) for name, one in machine.items() if one.award is not None}
        found = self._scored(sub, awards)
        if stands is machine:
            return Score(found.earned, found.high - found.low, 0.0, found.high - found.low)
        both = self._scored(sub, {**awards, **_of_people(sub.nodes, awards, stands)})
        return Score(found.earned, found.high - found.low, both.earned - found.earned, both.high - both.low)

    def _scored(self, sub: PlannedSubquestion, awards: Mapping[str, float | None]) -> SubquestionScore:
        key = (sub.problem_id, sub.sub_id, *sorted(awards.items(), key=lambda one: one[0]))
        if key not in self._scores:
            self._scores[key] = score_subquestion(sub.nodes, sub.full_mark, as_awards(awards))
        return self._scores[key]


def as_awards(awards: Mapping[str, float | None]) -> dict[str, Award]:
    """Shares by node as the score takes them."""
    return {name: Award(award) for name, award in awards.items()}


def _counted(stands: Standing) -> float | None:
    return stands.award if stands.counts else None


def _of_people(
    nodes: Sequence[ScoringNode], machine: Mapping[str, float | None], stands: Mapping[str, Standing]
) -> dict[str, float]:
    """What people said of nodes that neither code nor judge decided, nor any member of them."""
    found = {}
    for node in walk(tuple(nodes)):
        name = getattr(node, "id", "")
        one = stands.get(name)
        if one is None or one.track != "human" or one.award is None:
            continue
        held = [getattr(member, "id", "") for member in walk((node,))] if isinstance(node, Group) else [name]
        if all(machine.get(inside) is None for inside in held):
            found[name] = one.award
    return found


def marks_of(point: PlannedPoint, sub: PlannedSubquestion, award: float) -> float:
    """What a node's award puts into the score by itself: of a deduction below 0, of a veto nothing."""
    if isinstance(point.node, Veto):
        return 0.0 * award
    if isinstance(point.node, Deduction):
        return -award * largest_loss(point.node, scope_worth(point.node, sub.nodes, sub.full_mark)) + 0.0
    return award * point.node.points


def changed_marks(
    sub: PlannedSubquestion, awards: Mapping[str, float | None], point_id: str, human: float
) -> float:
    """What the score of an answer changes by when a person's award replaces the machine's on one node."""
    before = earned_marks(sub.nodes, sub.full_mark, as_awards(awards))
    return earned_marks(sub.nodes, sub.full_mark, as_awards({**awards, point_id: human})) - before
