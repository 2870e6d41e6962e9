"""Points that both code and a judge decided, in the same answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grader.archive.standing import of_code
from grader.audit.from_archive.judged import graded_answers, judged, where
from grader.grade.facts import expectations
from grader.judge.flags import Flag

if TYPE_CHECKING:
    from grader.archive.audit_entry import AskedEntry
    from grader.archive.entry import Grading
    from grader.archive.read import GradedAnswer, GradedPoint
    from grader.grade.plan import PlannedPoint
    from grader.record import Finding, Verdict
    from grader.stats.checked import Checked

FORMAL, FACTS = "formal points", "values told as facts"


@dataclass(frozen=True, slots=True)
class Compared:
    """A point that both code and the judge decided."""

    basis: str
    """``formal points``: the same point. ``values told as facts``: a flexible point that quotes values."""
    kind: str
    model: str
    problem_id: str
    where: str
    code: float
    """1 or 0: what code found, or what its facts lead to."""
    judge: float | None
    """None: asked, and it could not say. Never so of values told as facts."""
    told: str
    """What code found, in words."""
    human: float | None
    calls: tuple[str, ...] = ()

    @property
    def conflicts(self) -> bool:
        """Code says all or nothing; a partial award contradicts neither."""
        return {self.code, self.judge} == {0.0, 1.0}


_Said = tuple[float | None, tuple[str, ...]]
"""An award, and the requests it rests on."""
_Outcomes = Mapping[tuple[str, str, str, str], _Said]
"""By response, answer hash, point and point hash."""
_PLAIN = "base"
"""How the names of variants begin that are answers as they are."""


def compared(checked: Checked, judge: str, asked: Sequence[AskedEntry] = ()) -> Iterator[Compared]:
    """Every such point of the judge ``<card>@<hash>``; ``asked``: what audits asked it besides."""
    yield from _compared(checked, judge, _outcomes(asked, judge))


def _outcomes(asked: Sequence[AskedEntry], judge: str) -> _Outcomes:
    """What it said of formal points of answers as they are, when an audit asked it; the last counts."""
    plain = (one for one in asked if one.card == judge and one.variant.split()[0] == _PLAIN)
    return {
        (one.place.response_digest, one.place.answer_hash, name, one.about["points"][name]): (
            said.award,
            one.keys,
        )
        for one in plain
        for name, said in one.outcome.items()
        if name in one.about.get("points", {})
    }


def _compared(checked: Checked, judge: str, outcomes: _Outcomes) -> Iterator[Compared]:
    source, people = checked.source, _people(checked)
    for answer, grading in graded_answers(source):
        head, span = answer.response, answer.answer
        if head.error is not None:
            continue
        _, sub = source.subquestions[head.problem_id, span.sub_id]
        planned = {point.node.id: point for point in sub.points}
        facts = _facts(answer)
        expects = expectations(facts, sub)
        for point in answer.points:
            name = point.point_id
            place = (head.digest, span.sub_id, name)
            if point.standing is None or name not in planned:
                continue
            human = people.get(place)
            if planned[name].check is None:
                verdict = judged(point, answer, grading, judge)
                yield from _by_fact(answer, point, verdict, expects.get(name), facts.get(name), human)
            else:
                today = (head.digest, span.answer_hash, name, planned[name].point_hash)
                said = outcomes.get(today) or _behind(answer, point, judge)
                yield from _same_point(answer, point, planned[name], grading, said, human)


def _people(checked: Checked) -> dict[tuple[str, str, str], float]:
    marked = checked.points[checked.points["human"].notna()]
    places = zip(marked["response"], marked["sub_id"], marked["point_id"], strict=True)
    return dict(zip(places, marked["human"].astype(float), strict=True))


def _facts(answer: GradedAnswer) -> dict[str, Finding]:
    """What code found, by point, as a judge is told: the facts, or the last decided finding."""
    said = {
        point.point_id: [
            one.finding for one in point.findings if one.engine.fact or one.finding.award is not None
        ]
        for point in answer.points
    }
    return {name: several[-1] for name, several in said.items() if several}


def _by_fact(
    answer: GradedAnswer,
    point: GradedPoint,
    verdict: Verdict | None,
    expects: float | None,
    fact: Finding | None,
    human: float | None,
) -> Iterator[Compared]:
    if verdict is None or verdict.award is None:
        return
    # a flag says what the judge was told then, though facts may be found otherwise today
    if Flag.FINDING_CONFLICT in verdict.flags and verdict.award in (0.0, 1.0):
        expects = 1.0 - verdict.award
    if expects is None:
        return
    head, keys = answer.response, tuple(dict.fromkeys(vote.request for vote in verdict.votes))
    place = (head.model, head.problem_id, where(answer, point.point_id))
    told = fact.detail if fact is not None else ""
    yield Compared(FACTS, "flexible", *place, float(expects), verdict.award, told, human, keys)


def _behind(answer: GradedAnswer, point: GradedPoint, judge: str) -> _Said | None:
    """The judge's verdict on a point that code decides, if there is one on today's point and answer."""
    given = [
        one.verdict
        for one in point.verdicts
        if one.verdict.by == f"judge:{judge}"
        and (one.point_hash, one.answer_hash) == (point.point_hash, answer.answer.answer_hash)
    ]
    if not given:
        return None
    return given[-1].award, tuple(dict.fromkeys(vote.request for vote in given[-1].votes))


def _same_point(
    answer: GradedAnswer,
    point: GradedPoint,
    planned: PlannedPoint,
    grading: Grading,
    said: _Said | None,
    human: float | None,
) -> Iterator[Compared]:
    stored = of_code(point.findings, planned.point_hash, answer.answer.answer_hash, engines=grading.engines)
    if said is None or stored is None or stored.finding.award is None:
        return
    head = answer.response
    kind = planned.check.kind if planned.check is not None else ""
    place = (head.model, head.problem_id, where(answer, point.point_id))
    yield Compared(FORMAL, kind, *place, stored.finding.award, said[0], stored.finding.detail, human, said[1])
