"""Follow-through: points that are not met are decided again with the answer's own earlier values as right.

Runs after everything that finds values, over the run as it stands in the
archive, a portion at a time. What was found to follow is addressed by what it
rests on, so a grading that was killed goes on here too, and a source that
comes out differently makes its points be looked at anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from grader.answer.answer import Answer
from grader.archive.entry import FollowedEntry, FollowSource, Grading, Run, StoredFinding, basis_of
from grader.archive.read import GradedAnswer, GradedPoint
from grader.archive.standing import of_code
from grader.archive.store import Archive
from grader.formal.follow.task import FollowTask, Taken
from grader.formal.task import findings
from grader.grade.entries import follow_engine
from grader.grade.plan import Plan, PlannedPoint
from grader.record import Finding, Followed
from grader.workers import Workers

CHUNK = 200
"""Answers whose texts are held at once."""


@dataclass
class Following:
    """One run's follow-through."""

    archive: Archive
    run: Run
    grading: Grading
    plan: Plan
    again: bool = False
    """Decide anew even what was decided."""
    progress: Callable[[int], None] | None = None
    computed: int = 0
    failures: list[str] = field(default_factory=list)
    """Checks that raised: bugs, of which nothing is kept."""

    def work(self, team: Workers) -> None:
        """Decide what is missing, committing as it comes; in a set without ``follow`` nothing is read."""
        if self.plan.follow_kinds:
            for ended in findings(team, self._tasks()):
                self._keep(ended)

    def _keep(self, ended: Iterable[tuple[FollowTask, Finding]]) -> None:
        entries = []
        for task, finding in ended:
            if "internal_error" in finding.flags:
                self.failures.append(f"{task.by}: {finding.detail}")
                continue
            assert isinstance(task.key, _Slot)
            entries.append(task.key.entry(dict(task.values), finding))
        self.archive.put_followed(entries, again=self.again)
        self.computed += len(entries)

    def _tasks(self) -> Iterator[FollowTask]:
        answers = self.archive.graded(self.run, under=self.grading)
        while chunk := list(islice(answers, CHUNK)):
            wanted = {slot: one for answer in chunk for slot, one in self._wanted(answer)}
            texts = self.archive.responses({one.answer.response.digest for one in wanted.values()})
            for slot, one in wanted.items():
                yield one.task(slot, texts[one.answer.response.digest].text)
            if self.progress:
                self.progress(chunk[-1].response.line)

    def _wanted(self, answer: GradedAnswer) -> Iterator[tuple[_Slot, _Refused]]:
        """The points of an answer that are to be looked at again."""
        following = {point.point_id: point for point in answer.points if point.sources}
        sub = (answer.response.problem_id, answer.answer.sub_id)
        for planned in self.plan.formal(*sub) if following else ():
            point = following.get(planned.node.id)
            strict = None if point is None else self._strict(point, planned, answer)
            if point is None or strict is None or (strict.followed is not None and not self.again):
                continue
            taken = Taken.by(strict.finding, located=strict.engine.located)
            if taken is not None and planned.check is not None:
                engine = follow_engine(planned.check.kind).key
                slot = _Slot(planned.point_hash, strict.answer_hash, engine, basis_of(point.sources, strict))
                yield slot, _Refused(answer, planned, point.sources, taken)

    def _strict(
        self, point: GradedPoint, planned: PlannedPoint, answer: GradedAnswer
    ) -> StoredFinding | None:
        """What code found for today's point and answer."""
        address = (planned.point_hash, answer.answer.answer_hash)
        return of_code(point.findings, *address, self.grading.engines)


@dataclass(frozen=True, slots=True)
class _Slot:
    """What it is addressed by."""

    point_hash: str
    answer_hash: str
    engine: str
    basis: str

    def entry(self, sources: Mapping[str, str], finding: Finding) -> FollowedEntry:
        """What was found, on its way into the archive."""
        followed = finding if isinstance(finding, Followed) else Followed.of(finding)
        return FollowedEntry(self.point_hash, self.answer_hash, self.engine, self.basis, sources, followed)


@dataclass(frozen=True, slots=True)
class _Refused:
    """A point that code found not met, with the values that it may follow from."""

    answer: GradedAnswer
    planned: PlannedPoint
    sources: Sequence[FollowSource]
    taken: Taken

    def task(self, slot: _Slot, text: str) -> FollowTask:
        """The point with what follows in place of what is expected."""
        assert self.planned.check is not None
        assert self.planned.follow is not None
        span = self.answer.answer
        answer = Answer(text[span.start : span.end], self.planned.others, span.cut)
        values = {source.name: source.value for source in self.sources}
        return FollowTask.of(self.planned.check, self.planned.follow, values, self.taken, answer, slot)
