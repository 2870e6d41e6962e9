"""Grading one run: read, find, mark, archive, add up.

Every finding is committed as it arrives, and is addressed by what it rests on
(point, answer, engine): a grading that was killed goes on where it stopped,
and grading again computes only what is missing or changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from grader.answer.answer import Answer
from grader.answer.segment import segment
from grader.archive.entry import AnswerSpan, FindingEntry, Received, Run, VerdictEntry
from grader.archive.store import Archive
from grader.errors import RunError
from grader.formal.task import CheckTask, checkers, findings
from grader.grade.entries import BLANK, engine_of, engines, images, set_entry
from grader.grade.plan import Plan, PlannedPoint, PlannedSubquestion, plan
from grader.grade.summary import summarise
from grader.marks import Marks, read_marks
from grader.problem.model import Group
from grader.problem.set import ProblemSet
from grader.record import Finding, Reason, Response, RunReader, Status, digest

CHUNK = 200
"""Responses that are received in one transaction."""

Progress = Callable[[int, int], None]
"""Told how many of how many lines are done."""


@dataclass(frozen=True)
class GradeRequest:
    """What to grade, and how."""

    run: Path
    problems: ProblemSet
    marks: Sequence[Path] = ()
    regrade: bool = False
    """Decide everything again; findings that come out differently are added beside the old ones."""
    keep_going: bool = False
    """Skip broken lines instead of stopping at the first."""
    workers: int | None = None


@dataclass
class GradeResult:
    """What a grading came to and what it took."""

    run: Run
    summary: dict[str, Any]
    computed: int = 0
    """Findings computed now."""
    marks: int = 0
    """Human marks that were new."""
    failures: list[str] = field(default_factory=list)
    """Checks that raised: bugs, reported with the answers they failed on."""


def grade(request: GradeRequest, archive: Archive, progress: Progress | None = None) -> GradeResult:
    """Grade a run into the archive and add it up.

    Raises ArgusError for bad input; whatever was committed before stays.
    """
    catalogue = {
        problem_id: [sub.sub_id for sub in problem.subquestions]
        for problem_id, problem in request.problems.problems.items()
    }
    reader = RunReader(request.run, catalogue, keep_going=request.keep_going)
    _check_bound(reader, request.problems)
    planned = plan(request.problems.problems, str(request.problems.path))
    marks = read_marks(request.marks, request.problems.problems)
    fingerprint, lines = _fingerprint(request.run, reader)
    if not request.keep_going and next(iter(reader), None) is None:
        raise RunError("the run holds no responses", file=str(request.run), do="Check the path.")
    with archive.only_grader(fingerprint):
        archive.put_images(images(request.problems))
        set_digest = archive.put_set(set_entry(request.problems, planned))
        run = archive.put_run(fingerprint, request.run.stem, reader.header.model_dump(exclude_none=True))
        grading = archive.begin_grading(run, set_digest, engines(planned))
        done = None if request.regrade else archive.summary(grading)
        # lines that were skipped on request stop a grading that doesn't ask to skip them
        if done and marks.digest in done["marks"] and (request.keep_going or not done["skipped"]):
            return GradeResult(run, done)
        if len(marks):
            marks.match(reader)
        job = _Job(request, archive, run, planned, marks, progress, lines)
        job.work(reader)
        state = archive.state()
        summary = {
            **summarise(archive, run, planned).as_json(planned.size),
            "run": {"name": run.name, "digest": run.digest},
            "skipped": [fault.as_json() for fault in reader.skipped],
            "notes": reader.notes,
            "marks": sorted({marks.digest, *(done["marks"] if done else ())}),
        }
        if not job.failures:  # what a bug left open is not finished
            archive.put_summary(grading, state, summary)
    return GradeResult(run, summary, job.computed, job.marked, job.failures)


def _check_bound(reader: RunReader, problems: ProblemSet) -> None:
    bound = reader.header.visible_hash
    if bound is not None and bound != problems.visible_hash:
        raise RunError(
            "the run was made on other problems than these",
            file=str(reader.path),
            line=1,
            pointer="/visible_hash",
            got=bound,
            expected=f"{problems.visible_hash} ({problems.path})",
            do="Name the set that the models saw by --problems.",
        )


def _fingerprint(path: Path, reader: RunReader) -> tuple[str, int]:
    """SHA-256 of the run file and its number of lines; its name counts where it names the model."""
    sha, lines = hashlib.sha256(), 0
    if reader.header.model is None:
        sha.update(path.stem.encode() + b"\n")
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            sha.update(block)
            lines += block.count(b"\n")
    return sha.hexdigest(), lines


class _Job:
    """One grading under way."""

    def __init__(
        self,
        request: GradeRequest,
        archive: Archive,
        run: Run,
        planned: Plan,
        marks: Marks,
        progress: Progress | None,
        lines: int,
    ) -> None:
        self._request = request
        self._archive = archive
        self._run = run
        self._plan = planned
        self._marks = marks
        self._progress = progress
        self._lines = lines
        self._engines = {kind: engine_of(kind).key for kind in planned.kinds}
        self.computed = 0
        self.marked = 0
        self.failures: list[str] = []

    def work(self, reader: RunReader) -> None:
        with checkers(self._request.workers) as team:
            for ended in findings(team, self._tasks(iter(reader))):
                self._keep(list(self._entries(ended)))

    def _entries(self, ended: Iterable[tuple[CheckTask, Finding]]) -> Iterator[FindingEntry]:
        for task, finding in ended:
            if "internal_error" in finding.flags:  # a bug isn't a finding: nothing is kept of it
                self.failures.append(f"{task.kind}: {finding.detail}")
                continue
            slot = task.key
            assert isinstance(slot, _Slot)
            yield FindingEntry(slot.point_hash, slot.answer_hash, slot.engine, finding)

    def _keep(self, entries: list[FindingEntry]) -> None:
        self._archive.put_findings(entries, again=self._request.regrade)
        self.computed += len(entries)

    def _tasks(self, responses: Iterator[tuple[int, Response]]) -> Iterator[CheckTask]:
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
                self._progress(chunk[-1][0], self._lines)

    def _answers(self, response: Response) -> list[AnswerSpan]:
        """Where the response answers each subquestion: all of it, or what segmenting cut out."""
        subs = self._plan.answered(response.problem_id, response.sub_id)
        whole = (0, 0 if response.error else len(response.text))
        cuts = None
        if response.sub_id is None and whole[1]:
            cuts = segment(response.text, [sub.sub_id for sub in subs])
        cut = response.sub_id is not None or cuts is not None or len(subs) == 1
        spans = cuts or {sub.sub_id: whole for sub in subs}
        return [
            AnswerSpan(sub_id, start, end, digest([response.text[start:end], cut]), cut)
            for sub_id, (start, end) in spans.items()
        ]

    def _undecided(self, received: Sequence[Received]) -> tuple[list[CheckTask], list[FindingEntry]]:
        wanted = {slot: asked for one in received for slot, asked in self._slots(one)}
        if not self._request.regrade:
            pairs = {(slot.point_hash, slot.answer_hash) for slot in wanted}
            known = self._archive.known_findings(pairs, [BLANK.key, *self._engines.values()])
            wanted = {
                slot: asked
                for slot, asked in wanted.items()
                if slot.engine not in known.get((slot.point_hash, slot.answer_hash), ())
            }
        blank = [
            FindingEntry(slot.point_hash, slot.answer_hash, slot.engine, _no_answer())
            for slot, asked in wanted.items()
            if asked is None
        ]
        tasks = [CheckTask.of(*asked, slot) for slot, asked in wanted.items() if asked is not None]
        return tasks, blank

    def _slots(self, received: Received) -> Iterator[tuple[_Slot, _Asked | None]]:
        """A slot for each finding the response should have, with the check that fills it."""
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
                yield slot, (point.check, Answer(text, point.others, span.cut))

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


_Asked = tuple[Any, Answer]
"""A check and the answer it is put to."""


def _no_answer() -> Finding:
    return Finding(
        status=Status.NOT_MET, by=BLANK.by, reason=Reason.NO_ANSWER, detail="the completed answer is blank"
    )
