"""What grading a run on another set, or by another judge, would change: nothing is sent, nothing is kept.

The run is graded into an archive that is thrown away and knows what the kept
one knows, by the same code as ever; a judge is asked by a dry run. What comes
of it is compared with what stands, answer by answer.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from grader.archive.entry import Grading, Run
from grader.archive.read import GradedAnswer
from grader.archive.scratch import Scratch, scratch
from grader.archive.store import Archive
from grader.errors import UsageError
from grader.grade.asking import Judged, JudgeRequest
from grader.grade.entries import engines, set_entry
from grader.grade.pipeline import GradeRequest, GradeResult, Progress, fingerprint_of, grade
from grader.grade.plan import Plan, PlannedSubquestion, plan
from grader.grade.preview_answers import Answers
from grader.grade.preview_points import Side
from grader.grade.preview_scores import Scores
from grader.problem.model import Problem
from grader.problem.set import ProblemSet
from grader.record import RunReader

SCHEMA_VERSION = 1


@dataclass(frozen=True)
class PreviewRequest:
    """Under what the run would be graded."""

    run: Path
    problems: ProblemSet
    judge: JudgeRequest | None = None
    """A dry run of the judge whose verdicts would count."""
    keep_going: bool = False
    workers: int | None = None

    def __post_init__(self) -> None:
        if self.judge is not None and not self.judge.dry_run:
            raise ValueError("a preview asks nobody")


@dataclass(frozen=True)
class Preview:
    """What would change."""

    run: Run
    before: Grading
    after: Grading
    answers: Answers
    scores: Scores
    result: GradeResult
    """Of the grading that was thrown away."""
    reused: int
    """Findings that the archive has already."""

    @property
    def judged(self) -> Judged | None:
        """What the judge would be asked."""
        return self.result.judged

    def as_json(self) -> dict[str, Any]:
        """Documented in docs/output.md."""
        return {
            "schema_version": SCHEMA_VERSION,
            "run": {"name": self.run.name, "digest": self.run.digest},
            "before": {"set": self.before.set_digest, "judge": self.before.card},
            "after": {"set": self.after.set_digest, "judge": self.after.card},
            **self.answers.as_json(),
            "judge": self._judge(),
            **self.scores.as_json(),
            "computed": self.result.computed,
            "reused": self.reused,
            "skipped": self.result.summary["skipped"],
        }

    def _judge(self) -> dict[str, Any] | None:
        if self.judged is None or self.judged.estimate is None:
            return None
        return {
            "card": self.judged.card.label,
            "provisional": self.judged.card.card.provisional,
            **self.answers.judge_counts(),
            "estimate": self.judged.estimate.as_json(),
        }


def last_grading(run: Path, archive: Archive) -> tuple[Run, Grading]:
    """The run as the archive knows it, and under what it was graded last; UsageError if it never was."""
    digest, _ = fingerprint_of(run, RunReader(run))
    known = next((one for one in archive.runs() if one.digest == digest), None)
    last = archive.grading(known) if known else None
    if known is None or last is None:
        raise UsageError(
            "the run was never graded in this archive, so there is nothing to compare with",
            file=str(run),
            expected=f"a run of {archive.name}",
            do="Grade it first, or name its archive by --archive.",
        )
    return known, last


def preview(request: PreviewRequest, archive: Archive, progress: Progress | None = None) -> Preview:
    """Compare what stands of a run with what grading it as requested would come to.

    Raises UsageError for a run that was never graded, and what a grading raises.
    """
    run, before = last_grading(request.run, archive)
    with scratch(archive) as thrown_away:
        graded = GradeRequest(
            request.run,
            request.problems,
            judge=request.judge,
            keep_going=request.keep_going,
            workers=request.workers,
        )
        result = grade(graded, thrown_away, progress)
        planned = plan(request.problems.problems, str(request.problems.path))
        after = _grading(graded, planned, thrown_away, result)
        today = _by_id(planned)
        waiting = result.judged.left.waiting if result.judged else {}
        answers, scores = Answers(waiting), Scores(waiting)
        rubrics = _Rubrics(archive)
        found = _paired(archive.graded(run, under=before), thrown_away.graded(result.run, under=after))
        for earlier, later in found:
            sides = rubrics.side(earlier), Side(later, today[later.answer.sub_id])
            answers.add(*sides)
            scores.add(*sides)
        return Preview(run, before, after, answers, scores, result, thrown_away.reused)


def _grading(request: GradeRequest, planned: Plan, archive: Scratch, result: GradeResult) -> Grading:
    """Under what the run was graded just now; a dry run states no grading."""
    label = request.card.label if request.card else None
    digest = set_entry(request.problems, planned).digest
    return archive.plan_grading(result.run, digest, engines(planned, request.card), label)


def _paired(
    before: Iterable[GradedAnswer], after: Iterable[GradedAnswer]
) -> Iterator[tuple[GradedAnswer | None, GradedAnswer]]:
    """Today's answers, each with what it was before; None where it wasn't graded."""
    merged = heapq.merge(((one, 0) for one in before), ((one, 1) for one in after), key=_line)
    for _, found in groupby(merged, key=_line):
        sides: tuple[dict[str, GradedAnswer], dict[str, GradedAnswer]] = ({}, {})
        for answer, side in found:
            sides[side][answer.answer.sub_id] = answer
        yield from ((sides[0].get(sub_id), answer) for sub_id, answer in sides[1].items())


def _line(one: tuple[GradedAnswer, int]) -> int:
    return one[0].response.line


class _Rubrics:
    """The rubrics that a run was graded by, as the archive has them: the files may be others by now."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._planned: dict[str, dict[str, PlannedSubquestion]] = {}

    def side(self, answer: GradedAnswer | None) -> Side | None:
        """The answer with its rubric."""
        if answer is None or answer.problem_hash is None:
            return None
        if answer.problem_hash not in self._planned:
            problem = Problem.model_validate(self._archive.problem(answer.problem_hash).content)
            self._planned[answer.problem_hash] = _by_id(plan({problem.problem_id: problem}, "archive"))
        return Side(answer, self._planned[answer.problem_hash][answer.answer.sub_id])


def _by_id(planned: Plan) -> dict[str, PlannedSubquestion]:
    return {sub.sub_id: sub for subs in planned.subquestions.values() for sub in subs}
