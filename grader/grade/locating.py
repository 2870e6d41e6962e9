"""Asking where answers state what code could not find. The judge quotes; code decides on the passage."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from grader.answer.answer import Answer
from grader.archive.entry import FindingEntry, Grading, Run
from grader.archive.read import GradedPoint
from grader.archive.store import Archive
from grader.formal.located import LocatedTask, nowhere
from grader.formal.task import checkers, findings
from grader.grade.asked import Asked, AskerOf, Left, asked_answers
from grader.grade.entries import located_engine
from grader.grade.judge_tasks import JudgeTasks
from grader.grade.plan import PlannedPoint
from grader.grade.spread import spread
from grader.judge.cards import LoadedCard
from grader.judge.locator import Located, Nowhere, search
from grader.judge.task import LocatorTask
from grader.model.reply import CallFailed, NotAsked
from grader.record import Finding
from grader.workers import Workers


@dataclass(slots=True)
class Locating:
    """One locator's work on one run."""

    archive: Archive
    run: Run
    grading: Grading
    card: LoadedCard
    """The card that locates."""
    tasks: JudgeTasks
    asker_of: AskerOf
    left: Left
    again: bool = False
    """Ask (the archive) anew even where a passage was located before."""
    failures: list[str] = field(default_factory=list)
    """Checks that raised: bugs, of which nothing is kept."""

    async def work(self, width: int, workers: int | None) -> None:
        """Locate, ``width`` points at a time, and decide in child processes."""
        alone = asyncio.Lock()
        with checkers(workers) as team:

            async def decide(passages: Sequence[_Passage | None]) -> None:
                async with alone:  # a team works for one at a time
                    await asyncio.to_thread(self._decide, team, [one for one in passages if one])

            await spread(self._sought(), self._search, decide, width)

    def _sought(self) -> Iterator[_Sought]:
        assert self.card.card.locator is not None
        reasons = self.card.card.locator.reasons
        for asked in asked_answers(self.archive, self.run, self.grading):
            points = {point.point_id: point for point in asked.graded.points}
            for planned, task in self.tasks.locator_tasks(asked.graded, asked.response, reasons):
                if self.again or not _was_located(points[planned.node.id]):
                    yield _Sought(asked, planned, task)

    async def _search(self, sought: _Sought) -> _Passage | None:
        try:
            found = await search(self.card, sought.task, self.asker_of(sought.asked.graded, "locator"))
            return _Passage(sought, found)
        except CallFailed as failed:
            self.left.call_failed(sought.asked, str(failed))
        except NotAsked as unsent:
            self.left.not_asked(sought.asked, unsent, [sought.point.node.id])
        return None

    def _decide(self, team: Workers, passages: Sequence[_Passage]) -> None:
        entries = [self._entry(one, one.nowhere) for one in passages if not isinstance(one.found, Located)]
        tasks = [one.task(one.found) for one in passages if isinstance(one.found, Located)]
        for ended in findings(team, tasks):
            for task, finding in ended:
                if "internal_error" in finding.flags:
                    self.failures.append(f"{task.by}: {finding.detail}")
                    continue
                assert isinstance(task.key, _Passage)
                entries.append(self._entry(task.key, finding))
        self.archive.put_findings(entries, again=self.again)

    def _entry(self, passage: _Passage, finding: Finding) -> FindingEntry:
        engine = located_engine(passage.kind, self.card.label)
        answer = passage.sought.asked.graded.answer
        return FindingEntry(passage.sought.point.point_hash, answer.answer_hash, engine.key, finding)


@dataclass(frozen=True, slots=True)
class _Sought:
    """A formal point whose value is looked for in an answer."""

    asked: Asked
    point: PlannedPoint
    task: LocatorTask


@dataclass(frozen=True, slots=True)
class _Passage:
    """What the locator quoted, or why it quoted nothing."""

    sought: _Sought
    found: Located | Nowhere

    @property
    def kind(self) -> str:
        """Of the check."""
        assert self.sought.point.check is not None
        return self.sought.point.check.kind

    @property
    def nowhere(self) -> Finding:
        """The finding where there is no passage to decide on."""
        assert isinstance(self.found, Nowhere)
        return replace(nowhere(self.kind), detail=self.found.said)

    def task(self, located: Located) -> LocatedTask:
        """The check on the passage."""
        assert self.sought.point.check is not None
        cut = self.sought.asked.graded.answer.cut
        answer = Answer(self.sought.task.answer, self.sought.point.others, cut)
        return LocatedTask.of(self.sought.point.check, answer, located.start, located.end, self)


def _was_located(point: GradedPoint) -> bool:
    return any(one.engine.located for one in point.findings)
