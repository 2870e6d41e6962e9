"""The pass of code over a run: responses are received, marks taken, checks decided.

Every finding is committed as it arrives, and is addressed by what it rests on
(point, answer, engine): a grading that was killed goes on where it stopped,
and grading again computes only what is missing or changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from grader.answer.answer import Answer
from grader.answer.segment import segment
from grader.archive.entry import AnswerSpan, FindingEntry, Received, Run, VerdictEntry
from grader.archive.store import Archive
from grader.formal.task import CheckTask, findings
from grader.grade.entries import BLANK, engine_of
from grader.grade.facts import FactTask, fact_engine, fact_tasks
from grader.grade.plan import Plan, PlannedPoint, PlannedSubquestion
from grader.marks import Marks
from grader.problem.model import Group
from grader.record import Finding, Reason, Response, Status, digest
from grader.workers import Workers

CHUNK = 200
"""Responses that are received in one transaction."""


class Deciding:
    """What code does with a run: receive it, take the marks, decide what nobody has decided."""

    def __init__(
        self,
        archive: Archive,
        run: Run,
        planned: Plan,
        marks: Marks,
        *,
        again: bool,
        facts: bool,
        progress: Callable[[int], None] | None,
    ) -> None:
        """``again``: decide everything anew. ``facts``: find what a judge is to be told, too."""
        self._archive = archive
        self._run = run
        self._plan = planned
        self._marks = marks
        self._again = again
        self._facts = facts
        self._progress = progress
        self._engines = {kind: engine_of(kind).key for kind in planned.kinds}
        self.computed = 0
        self.marked = 0
        self.failures: list[str] = []

    def work(self, responses: Iterable[tuple[int, Response]], team: Workers) -> None:
        """Decide the run, line by line; every finding is committed as it arrives."""
        for ended in findings(team, self._tasks(iter(responses))):
            self._keep(list(self._entries(ended)))

    def _entries(self, ended: Iterable[tuple[_Task, Finding]]) -> Iterator[FindingEntry]:
        for task, finding in ended:
            if "internal_error" in finding.flags:  # a bug isn't a finding: nothing is kept of it
                self.failures.append(f"{task.by}: {finding.detail}")
                continue
            slot = task.key
            assert isinstance(slot, _Slot)
            yield FindingEntry(slot.point_hash, slot.answer_hash, slot.engine, finding)

    def _keep(self, entries: list[FindingEntry]) -> None:
        self._archive.put_findings(entries, again=self._again)
        self.computed += len(entries)

    def _tasks(self, responses: Iterator[tuple[int, Response]]) -> Iterator[_Task]:
        """Receive the run chunk by chunk, and yield the checks that nobody has decided yet."""
        while chunk := list(islice(responses, CHUNK)):
            received = [Received(line, response, self._answers(response)) for line, response in chunk]
            digests = self._archive.put_responses(self._run, received)
            for one, response_digest in zip(received, digests, strict=True):
                self._mark(one, response_digest)
            tasks, blank = self._undecided(received)
            if blank:
                self._keep(blank)
            yield from tasks
            if self._progress:
                self._progress(chunk[-1][0])

    def _answers(self, response: Response) -> list[AnswerSpan]:
        """Where the response answers each subquestion: all of it, or what segmenting cut out."""
        subs = self._plan.answered(response.problem_id, response.sub_id)
        text = "" if response.error else response.text
        cuts = segment(text, [sub.sub_id for sub in subs], [sub.question for sub in subs])
        spans = {sub.sub_id: cuts.place(sub.sub_id, len(text)) for sub in subs}
        return [
            AnswerSpan(sub_id, start, end, digest([text[start:end], cut]), cut)
            for sub_id, (start, end, cut) in spans.items()
        ]

    def _undecided(self, received: Sequence[Received]) -> tuple[list[_Task], list[FindingEntry]]:
        wanted = {slot: make for one in received for slot, make in self._slots(one)}
        if not self._again:
            pairs = {(slot.point_hash, slot.answer_hash) for slot in wanted}
            known = self._archive.known_findings(pairs, self._known_engines)
            wanted = {
                slot: make
                for slot, make in wanted.items()
                if slot.engine not in known.get((slot.point_hash, slot.answer_hash), ())
            }
        blank = [
            FindingEntry(slot.point_hash, slot.answer_hash, slot.engine, _no_answer())
            for slot, make in wanted.items()
            if make is None
        ]
        return [make(slot) for slot, make in wanted.items() if make is not None], blank

    @property
    def _known_engines(self) -> list[str]:
        facts = [fact_engine().key] if self._facts else []
        return [BLANK.key, *self._engines.values(), *facts]

    def _slots(self, received: Received) -> Iterator[tuple[_Slot, _Make | None]]:
        """A slot for each finding the response should have, with what makes the task that fills it."""
        response = received.response
        if response.error is not None:
            return
        subs = {sub.sub_id: sub for sub in self._plan.answered(response.problem_id, response.sub_id)}
        for span in received.answers:
            text = response.text[span.start : span.end]
            sub = subs[span.sub_id]
            if not text.strip():
                yield from self._blank(sub, span)
                continue
            for point in sub.formal:
                assert point.check is not None
                slot = _Slot(point.point_hash, span.answer_hash, self._engines[point.check.kind])
                yield slot, partial(CheckTask.of, point.check, Answer(text, point.others, span.cut))
            quoting = fact_tasks(sub) if self._facts else ()
            for point in (one for one in sub.points if one.node.id in quoting):
                slot = _Slot(point.point_hash, span.answer_hash, fact_engine().key)
                yield slot, partial(FactTask, point.node.text, Answer(text, point.others, span.cut))

    def _blank(self, sub: PlannedSubquestion, span: AnswerSpan) -> Iterator[tuple[_Slot, None]]:
        for point in sub.points:
            if not isinstance(point.node, Group) or not point.node.of:
                yield _Slot(point.point_hash, span.answer_hash, BLANK.key), None

    def _mark(self, received: Received, response_digest: str) -> None:
        response = received.response
        spans = {span.sub_id: span for span in received.answers}
        entries = []
        for mark in self._marks.of(response):
            span = spans[mark.sub_id]
            entries.append(
                VerdictEntry(
                    response_digest,
                    response.problem_id,
                    mark.sub_id,
                    self._point(response, mark.sub_id, mark.line.point_id).point_hash,
                    span.answer_hash,
                    mark.verdict(response.text, span.start, span.end),
                    mark.where,
                )
            )
        if entries:
            self.marked += self._archive.put_verdicts(entries)

    def _point(self, response: Response, sub_id: str, point_id: str) -> PlannedPoint:
        (sub,) = self._plan.answered(response.problem_id, sub_id)
        return next(point for point in sub.points if point.node.id == point_id)


@dataclass(frozen=True, slots=True)
class _Slot:
    """What one finding is addressed by."""

    point_hash: str
    answer_hash: str
    engine: str


_Task = CheckTask | FactTask

_Make = Callable[[_Slot], _Task]
"""Makes a task, once it is known to be needed."""


def _no_answer() -> Finding:
    return Finding(
        status=Status.NOT_MET, by=BLANK.by, reason=Reason.NO_ANSWER, detail="the completed answer is blank"
    )
