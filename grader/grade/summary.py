"""What a graded run came to, added up from the archive."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from grader.archive.entry import Grading, Run
from grader.archive.read import GradedAnswer
from grader.archive.standing import Standing
from grader.archive.store import Archive
from grader.grade.plan import Plan
from grader.grade.routes import Router
from grader.record import Reason, Response
from grader.record.flags import FLAGS, flags
from grader.score import Award, SubquestionScore, Total, Track, macro_share, score_subquestion

SCHEMA_VERSION = 1

Condition = tuple[str, str, str]
"""Model, protocol, mode."""


@dataclass(slots=True)
class Flagged:
    """What the responses of a run are besides answers, by condition."""

    responses: Counter[Condition] = field(default_factory=Counter)
    failed: Counter[Condition] = field(default_factory=Counter)
    """Calls that failed: their points are undetermined."""
    flags: Counter[tuple[Condition, str]] = field(default_factory=Counter)

    def counting(self, responses: Iterable[tuple[int, Response]]) -> Iterator[tuple[int, Response]]:
        """The same responses, counted as they pass."""
        for line, response in responses:
            condition = (response.model, response.protocol, response.mode)
            self.responses[condition] += 1
            self.failed[condition] += response.error is not None
            self.flags.update((condition, flag) for flag in flags(response))
            yield line, response

    def of(self, condition: Condition) -> dict[str, Any]:
        """The keys that a score has of it."""
        return {
            "responses": self.responses[condition],
            "failed": self.failed[condition],
            "flags": {flag: self.flags[condition, flag] for flag in FLAGS},
        }


@dataclass(slots=True)
class Summary:
    """Totals of a run: by condition, by problem and subquestion in it, and what is still open."""

    flagged: Flagged = field(default_factory=Flagged)
    conditions: dict[Condition, Total] = field(default_factory=dict)
    problems: dict[tuple[Condition, str], Total] = field(default_factory=dict)
    subquestions: dict[tuple[Condition, str, str], Total] = field(default_factory=dict)
    undetermined: Counter[str] = field(default_factory=Counter)
    """Points that can still change a score, by reason."""
    stale_marks: int = 0
    """Human marks given to an earlier rubric or answer: to be marked again."""

    def add(self, answer: GradedAnswer, score: SubquestionScore) -> None:
        """Count one answer."""
        response = answer.response
        condition = (response.model, response.protocol, response.mode)
        problem_id, sub_id = response.problem_id, answer.answer.sub_id
        self.conditions.setdefault(condition, Total()).add(score)
        self.problems.setdefault((condition, problem_id), Total()).add(score)
        self.subquestions.setdefault((condition, problem_id, sub_id), Total()).add(score)
        reasons = {point.point_id: point.standing for point in answer.points}
        for point_id in score.open_points:
            standing = reasons.get(point_id)
            self.undetermined[(standing and standing.reason) or Reason.UNJUDGED] += 1

    def as_json(self, plan: Plan) -> dict[str, Any]:
        """Documented in docs/output.md; ``plan`` is that of the whole set."""
        subquestions = plan.size
        return {
            "schema_version": SCHEMA_VERSION,
            "scores": [
                self._score(condition, total, subquestions)
                for condition, total in sorted(self.conditions.items())
            ],
            "problems": [
                {**_names(condition), "problem_id": problem_id, **_total(total)}
                for (condition, problem_id), total in sorted(self.problems.items())
            ],
            "subquestions": [
                {**_names(condition), "problem_id": problem_id, "sub_id": sub_id, **_total(total)}
                for (condition, problem_id, sub_id), total in sorted(self.subquestions.items())
            ],
            "undetermined": [
                {"reason": reason, "points": points} for reason, points in sorted(self.undetermined.items())
            ],
            "by_track": _tracks(self.conditions.values()),
            "follow": bool(plan.follow_kinds) or any(map(_follows, self.conditions.values())),
            "stale_marks": self.stale_marks,
        }

    def _score(self, condition: Condition, total: Total, subquestions: int) -> dict[str, Any]:
        own = [totals for (other, _), totals in self.problems.items() if other == condition]
        answered = sum(other == condition for other, _, _ in self.subquestions)
        return {
            **_names(condition),
            **_total(total),
            "macro": _rounded(macro_share(own)),
            "problems": len(own),
            "subquestions": answered,
            "missing": subquestions - answered,
            **self.flagged.of(condition),
        }


def _names(condition: Condition) -> dict[str, str]:
    model, protocol, mode = condition
    return {"model": model, "protocol": protocol, "mode": mode}


def _total(total: Total) -> dict[str, Any]:
    full = total.full_mark
    return {
        "earned": _rounded(total.earned),
        "full_mark": _rounded(full),
        "share": _rounded(total.share),
        "low": _rounded(total.low / full if full else None),
        "high": _rounded(total.high / full if full else None),
        "low_marks": _rounded(total.low),
        "high_marks": _rounded(total.high),
        "coverage": _rounded(total.coverage),
        "earned_follow": _rounded(total.earned_follow),
        "answers": total.subquestions,
        "by_track": {track: _rounded(marks) for track, marks in sorted(total.by_track.items())},
    }


def _follows(total: Total) -> bool:
    return _rounded(total.earned) != _rounded(total.earned_follow)


def _tracks(totals: Iterable[Total]) -> dict[str, float | None]:
    """Full marks by who decided their points; what nobody decided is ``undetermined``."""
    marks: Counter[str] = Counter()
    for total in totals:
        marks.update(total.by_track)
        marks["undetermined"] += total.full_mark - sum(total.by_track.values())  # type: ignore[assignment]
    return {track: _rounded(value) for track, value in sorted(marks.items())}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 9)


def summarise(
    archive: Archive,
    run: Run,
    plan: Plan,
    flagged: Flagged,
    router: Router | None = None,
    *,
    under: Grading | None = None,
    elsewhere: Sequence[int] = (),
) -> Summary:
    """Add up a run's standing verdicts, answer by answer, in flat memory, and route them on the way."""
    answers = archive.graded(run, under=under, elsewhere=elsewhere)
    return added_up(answers, plan, flagged, router)


def added_up(
    answers: Iterable[GradedAnswer], plan: Plan, flagged: Flagged, router: Router | None = None
) -> Summary:
    """The same of answers that are read already."""
    subs = {sub.sub_id: sub for subs in plan.subquestions.values() for sub in subs}
    summary = Summary(flagged)
    for answer in answers:
        sub = subs[answer.answer.sub_id]
        score = score_subquestion(sub.nodes, sub.full_mark, awards_of(answer))
        summary.add(answer, score)
        if router is not None:
            router.add(answer, score.open_points)
        summary.stale_marks += sum(len(point.standing.stale) for point in answer.points if point.standing)
    return summary


def awards_of(answer: GradedAnswer) -> Mapping[str, Award]:
    """What stands for each node of an answer; provisional verdicts stay outside totals."""
    return {
        point.point_id: _award(point.standing)
        for point in answer.points
        if point.standing is not None and _counts(point.shape, point.standing)
    }


def _counts(shape: str | None, standing: Standing) -> bool:
    # a group without a mark of its own is worth what its members are
    return shape != "group" or standing.award is not None


def _award(standing: Standing) -> Award:
    if standing.provisional:
        return Award(None)
    track = "located" if standing.located else standing.track
    return Award(standing.award, cast("Track | None", track), standing.award_follow)
