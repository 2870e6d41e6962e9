"""A scoring node of an answer as a row of the frame of points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grader.archive.entry import Grading, StoredFinding, StoredVerdict
from grader.archive.read import GradedAnswer, GradedPoint
from grader.archive.standing import Standing, of_code
from grader.grade.plan import PlannedPoint, PlannedSubquestion
from grader.problem.model import Veto

NOBODY = float("nan")


def point_rows(answer: GradedAnswer, sub: PlannedSubquestion, grading: Grading) -> Iterator[dict[str, Any]]:
    """What stands for each of today's nodes of an answer, and what each track said."""
    planned = {point.node.id: (place, point) for place, point in enumerate(sub.points)}
    for point in answer.points:
        if point.standing is not None and point.point_id in planned:
            place, node = planned[point.point_id]
            stands = point.standing
            yield {
                "point_id": point.point_id,
                "place": place,
                "shape": point.shape,
                "kind": node.check.kind if node.check is not None else None,
                "points": NOBODY if isinstance(node.node, Veto) else node.node.points,
                **_standing(stands),
                **_said(point, node, answer.answer.answer_hash, grading),
            }


def _standing(stands: Standing) -> dict[str, Any]:
    source = stands.source
    said = source.finding if isinstance(source, StoredFinding) else source.verdict if source else None
    counts = stands.counts and stands.award is not None
    award = stands.award if counts else None
    follow = stands.award_follow if counts and stands.award_follow is not None else award
    return {
        "status": stands.status.value if stands.counts else "undetermined",
        "reason": stands.reason.value if stands.reason else None,
        "award": _number(award),
        "award_follow": _number(follow),
        "track": ("located" if stands.located else stands.track) if stands.counts else None,
        "by": stands.by,
        "confidence": _number(said.confidence if said else None),
        "provisional": stands.provisional,
        "flags": ",".join(said.flags) if said else "",
        "inherited": award is not None and follow is not None and award < follow,
    }


def _said(point: GradedPoint, node: PlannedPoint, answer_hash: str, grading: Grading) -> dict[str, Any]:
    """What code, the selected judge and people said of it, whichever stands."""
    code = of_code(point.findings, node.point_hash, answer_hash, grading.engines) if point.findings else None
    current = [
        one for one in point.verdicts if one.point_hash == node.point_hash and one.answer_hash == answer_hash
    ]
    judge = f"judge:{grading.card}" if grading.card else None
    return {
        "award_code": _number(code.finding.award if code else None),
        "award_judge": _last(one for one in current if judge and one.verdict.by == judge),
        "award_human": _last(one for one in current if one.verdict.by.startswith("human:")),
    }


def _last(verdicts: Iterator[StoredVerdict]) -> float:
    awards = [one.verdict.award for one in verdicts]
    return _number(awards[-1]) if awards else NOBODY


def _number(value: float | None) -> float:
    return NOBODY if value is None else value
