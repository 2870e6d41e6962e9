"""Asking a judge about the flexible points of a run.

The archive is the list of what is left to do: whatever was asked and answered
is read again from there, so a judging that was killed goes on where it stopped
and pays for nothing twice but what was in flight.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from grader.archive.entry import Grading, Run, VerdictEntry
from grader.archive.read import GradedPoint
from grader.archive.store import Archive
from grader.grade.asked import Asked, AskerOf, Left, asked_answers
from grader.grade.judge_tasks import JudgeTasks
from grader.grade.spread import spread
from grader.judge.cards import LoadedCard
from grader.judge.session import judge
from grader.record import Reason, Verdict


@dataclass(slots=True)
class Judging:
    """One card's work on one run."""

    archive: Archive
    run: Run
    grading: Grading
    card: LoadedCard
    tasks: JudgeTasks
    asker_of: AskerOf
    left: Left
    again: bool = False
    """Read archived replies anew even where there is a verdict already."""
    progress: Callable[[int], None] | None = None
    """Told how many answers are done with."""
    verdicts: int = 0
    """Verdicts that are new."""
    done: int = 0
    """Answers the judge is done with, for now."""

    async def work(self, width: int) -> None:
        """Judge, ``width`` answers at a time."""
        await spread(self._unjudged(), self._judge, self._keep, width)

    def _unjudged(self) -> Iterator[Asked]:
        for asked in asked_answers(self.archive, self.run, self.grading):
            points = {point.point_id: point for point in asked.graded.points}
            criteria = self.tasks.sheet(asked.graded.answer.sub_id).criteria
            if not criteria or self.left.waits(asked):
                continue
            if self.again or any(self._open(asked, points[one.node.id]) for one in criteria):
                yield asked

    def _open(self, asked: Asked, point: GradedPoint) -> bool:
        """Whether the card owes a verdict on today's point and answer."""
        given = [
            stored.verdict
            for stored in point.verdicts
            if stored.verdict.by == self.card.by
            and stored.point_hash == point.point_hash
            and stored.answer_hash == asked.graded.answer.answer_hash
        ]
        if not given or given[-1].reason is Reason.CALL_FAILED:
            return True
        return given[-1].provisional != self.card.card.provisional

    async def _judge(self, asked: Asked) -> list[VerdictEntry]:
        task = self.tasks.judge_task(asked.graded, asked.response)
        judgement = await judge(self.card, task, self.asker_of(asked.graded, "judge"))
        self.done += 1
        if self.progress is not None:
            self.progress(self.done)
        if judgement.unasked is not None:
            points = (one.id for one in task.criteria if one.id not in judgement.verdicts)
            self.left.not_asked(asked, judgement.unasked, points)
        for verdict in judgement.verdicts.values():
            if verdict.reason is Reason.CALL_FAILED:
                self.left.call_failed(asked, verdict.rationale)
        return [self._entry(asked, verdict) for verdict in judgement.verdicts.values()]

    def _entry(self, asked: Asked, verdict: Verdict) -> VerdictEntry:
        graded = asked.graded
        hashes = {point.point_id: point.point_hash for point in graded.points}
        point_hash = hashes[verdict.point_id]
        assert point_hash is not None
        return VerdictEntry(
            graded.response.digest,
            graded.response.problem_id,
            graded.answer.sub_id,
            point_hash,
            graded.answer.answer_hash,
            verdict,
        )

    async def _keep(self, given: Sequence[list[VerdictEntry]]) -> None:
        entries = [entry for several in given for entry in several]
        if entries:
            self.verdicts += await asyncio.to_thread(self.archive.put_verdicts, entries)
