"""A scoring node of an answer as a row of the frame of points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.archive.entry import Grading, StoredFinding, StoredVerdict
from grader.archive.read import GradedAnswer, GradedPoint
from grader.archive.standing import Standing, of_code
from grader.grade.plan import PlannedPoint, PlannedSubquestion
from grader.problem.model import Veto

NOBODY = float("nan")

Row = tuple[object, ...]


def point_rows(answer: GradedAnswer, sub: PlannedSubquestion, grading: Grading) -> Iterator[Row]:
    """What stands for each node of an answer and what each track said: the columns after ``ANSWER``."""
    graded = {point.point_id: point for point in answer.points}
    for place, node in enumerate(sub.points):
        point = graded.get(node.node.id)
        if point is not None and point.standing is not None:
            said = _said(point, node, answer.answer.answer_hash, grading)
            yield (*node_row(node, place), *_standing(point.standing), *said)


def node_row(point: PlannedPoint, place: int) -> Row:
    """The columns ``NODE``. A veto has no points; those of a deduction are less than 0."""
    node = point.node
    points = NOBODY if isinstance(node, Veto) else node.points
    return (node.id, place, point.shape, point.check.kind if point.check else None, points)


def _standing(stands: Standing) -> Row:
    """The columns ``STANDS``, ``provisional`` and ``flags``."""
    source = stands.source
    said = source.finding if isinstance(source, StoredFinding) else source.verdict if source else None
    confidence, flags = (said.confidence, ",".join(said.flags)) if said else (None, "")
    reason = stands.reason.value if stands.reason else None
    if stands.provisional:
        nothing = ("undetermined", reason, NOBODY, NOBODY, False, None)
        return (*nothing, stands.by, _number(confidence), True, flags)
    award = stands.award
    follow = award if award is None or stands.award_follow is None else stands.award_follow
    inherited = award is not None and follow is not None and award < follow
    track = "located" if stands.located else stands.track
    awards = (_number(award), _number(follow), inherited)
    return (stands.status.value, reason, *awards, track, stands.by, _number(confidence), False, flags)


def _said(point: GradedPoint, node: PlannedPoint, answer_hash: str, grading: Grading) -> Row:
    """The columns ``SAID``: the awards of code, of the selected judge and of people, whoever stands."""
    code = of_code(point.findings, node.point_hash, answer_hash, grading.engines) if point.findings else None
    found = NOBODY if code is None else _number(code.finding.award)
    if not point.verdicts:
        return (found, NOBODY, NOBODY)
    current = [
        one for one in point.verdicts if one.point_hash == node.point_hash and one.answer_hash == answer_hash
    ]
    judge = f"judge:{grading.card}"
    judged = [one for one in current if one.verdict.by == judge]
    marked = [one for one in current if one.verdict.by.startswith("human:")]
    return (found, _last(judged), _last(marked))


def _last(verdicts: Sequence[StoredVerdict]) -> float:
    return _number(verdicts[-1].verdict.award) if verdicts else NOBODY


def _number(value: float | None) -> float:
    return NOBODY if value is None else value
