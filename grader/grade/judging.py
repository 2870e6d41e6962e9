"""Asking a judge about a run: first where answers state what code could not find, then the flexible points.

The archive is the list of what is left to do: whatever was asked and answered
is read again from there, so a judging that was killed goes on where it stopped
and pays for nothing twice but what was in flight.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from grader.answer.answer import Answer
from grader.archive.call_entry import Purpose
from grader.archive.entry import Engine, FindingEntry, Run, VerdictEntry
from grader.archive.read import GradedAnswer, GradedPoint
from grader.archive.store import Archive
from grader.formal.located import LocatedTask, nowhere
from grader.formal.task import checkers, findings
from grader.grade.entries import located_engine
from grader.grade.judge_tasks import JudgeTasks, is_blank
from grader.grade.plan import PlannedPoint
from grader.grade.spread import spread
from grader.judge.cards import LoadedCard
from grader.judge.locator import Located, locate
from grader.judge.session import judge
from grader.judge.task import LocatorTask
from grader.model.reply import Asker, CallFailed, NotAsked
from grader.record import Finding, Reason, Response, Verdict

AT_ONCE = 100
"""Answers that are read together."""

AskerOf = Callable[[GradedAnswer, Purpose], Asker]
"""Who is asked about an answer, for a purpose."""


@dataclass(frozen=True, slots=True)
class Asked:
    """An answer with the response it stands in."""

    graded: GradedAnswer
    response: Response


@dataclass(slots=True)
class Judging:
    """One card's work on one run."""

    archive: Archive
    run: Run
    card: LoadedCard
    tasks: JudgeTasks
    asker_of: AskerOf
    width: int
    """Answers worked on at a time."""
    again: bool = False
    """Read archived replies anew even where there is a verdict already."""
    workers: int | None = None
    progress: Callable[[int], None] | None = None
    """Told how many answers are done with."""
    unasked: Counter[str] = field(default_factory=Counter)
    """Answers left open because a request was not sent, by why."""
    failed: int = 0
    """Answers with a request that nobody replied to."""
    verdicts: int = 0
    """Verdicts that are new."""
    done: int = 0
    """Answers the judge is done with, for now."""

    async def work(self) -> None:
        """Locate, decide, judge."""
        if self.locator is not None:
            await spread(self._unlocated(), self._locate, self._decide, self.width)
        await spread(self._unjudged(), self._judge, self._keep, self.width)

    @property
    def locator(self) -> LoadedCard | None:
        """The card that locates."""
        return self.card.locating

    def _asked(self) -> Iterator[Asked]:
        """The answers of the run that somebody gave."""
        answers = self.archive.graded(self.run)
        given = (one for one in answers if one.response.error is None and not is_blank(one))
        while some := list(islice(given, AT_ONCE)):
            responses = self.archive.responses(one.response.digest for one in some)
            yield from (Asked(one, responses[one.response.digest]) for one in some)

    def _unlocated(self) -> Iterator[_Sought]:
        assert self.locator is not None
        assert self.locator.card.locator is not None
        reasons = self.locator.card.locator.reasons
        for asked in self._asked():
            points = {point.point_id: point for point in asked.graded.points}
            for planned, task in self.tasks.locator_tasks(asked.graded, asked.response, reasons):
                if self.again or not _was_located(points[planned.node.id]):
                    yield _Sought(asked, planned, task)

    async def _locate(self, sought: _Sought) -> _Passage | None:
        assert self.locator is not None
        asker = self.asker_of(sought.asked.graded, "locator")
        try:
            return _Passage(sought, await locate(self.locator, sought.task, asker))
        except CallFailed:
            self.failed += 1
        except NotAsked as unsent:
            self.unasked[unsent.why] += 1
        return None

    async def _decide(self, passages: Sequence[_Passage | None]) -> None:
        """Let code decide on the quoted passages."""
        await asyncio.to_thread(self._decide_all, [one for one in passages if one is not None])

    def _decide_all(self, passages: Sequence[_Passage]) -> None:
        entries = [self._finding(one, nowhere(one.kind)) for one in passages if one.located is None]
        tasks = [one.task() for one in passages if one.located is not None]
        if tasks:
            with checkers(self.workers) as team:
                for ended in findings(team, tasks):
                    entries.extend(self._finding(task.key, finding) for task, finding in ended)  # type: ignore[arg-type]
        self.archive.put_findings(entries, again=self.again)

    def _finding(self, passage: _Passage, finding: Finding) -> FindingEntry:
        assert self.locator is not None
        engine: Engine = located_engine(passage.kind, self.locator.label)
        answer = passage.sought.asked.graded.answer
        return FindingEntry(passage.sought.point.point_hash, answer.answer_hash, engine.key, finding)

    def _unjudged(self) -> Iterator[Asked]:
        for asked in self._asked():
            points = {point.point_id: point for point in asked.graded.points}
            criteria = self.tasks.sheet(asked.graded.answer.sub_id).criteria
            if criteria and (self.again or any(self._open(asked, points[one.node.id]) for one in criteria)):
                yield asked

    def _open(self, asked: Asked, point: GradedPoint) -> bool:
        """Whether the card still owes a verdict on today's point and answer; a failed call doesn't count."""
        given = [
            stored.verdict
            for stored in point.verdicts
            if stored.verdict.by == self.card.by
            and stored.point_hash == point.point_hash
            and stored.answer_hash == asked.graded.answer.answer_hash
        ]
        return not given or given[-1].reason is Reason.CALL_FAILED

    async def _judge(self, asked: Asked) -> list[VerdictEntry]:
        task = self.tasks.judge_task(asked.graded, asked.response)
        try:
            judgement = await judge(self.card, task, self.asker_of(asked.graded, "judge"))
        finally:
            self.done += 1
            if self.progress is not None:
                self.progress(self.done)
        verdicts = judgement.verdicts.values()
        if judgement.unasked is not None:
            self.unasked[judgement.unasked.why] += 1
        else:
            self.failed += any(verdict.reason is Reason.CALL_FAILED for verdict in verdicts)
        return [self._entry(asked, verdict) for verdict in verdicts]

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


@dataclass(frozen=True, slots=True)
class _Sought:
    """A formal point whose value is looked for in an answer."""

    asked: Asked
    point: PlannedPoint
    task: LocatorTask


@dataclass(frozen=True, slots=True)
class _Passage:
    """What the locator quoted, if it quoted anything."""

    sought: _Sought
    located: Located | None

    @property
    def kind(self) -> str:
        """Of the check."""
        assert self.sought.point.check is not None
        return self.sought.point.check.kind

    def task(self) -> LocatedTask:
        """The check on the passage."""
        assert self.located is not None
        assert self.sought.point.check is not None
        answer = Answer(
            self.sought.task.answer, self.sought.point.others, self.sought.asked.graded.answer.cut
        )
        return LocatedTask.of(self.sought.point.check, answer, self.located.start, self.located.end, self)


def _was_located(point: GradedPoint) -> bool:
    return any(one.engine.located for one in point.findings)
