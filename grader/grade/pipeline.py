"""Grading one run: code decides, a judge is asked, people's marks count, and all of it is added up.

What was decided, asked or marked is archived as it comes and addressed by what
it rests on, so a grading that was killed goes on where it stopped.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.archive.entry import Grading, Run
from grader.archive.store import Archive
from grader.errors import RunError
from grader.grade.deciding import Deciding
from grader.grade.entries import engines, images, set_entry
from grader.grade.plan import Plan, plan
from grader.grade.routes import Router
from grader.grade.summary import summarise
from grader.marks import Marks, read_marks
from grader.problem.set import ProblemSet
from grader.record import RunReader

if TYPE_CHECKING:
    from grader.grade.asking import Judged, JudgeRequest
    from grader.judge.cards import LoadedCard

Progress = Callable[[str, int, int | None], None]
"""Told what is being done, and how many of how many (if that is known) are done."""


@dataclass(frozen=True)
class GradeRequest:
    """What to grade, and how."""

    run: Path
    problems: ProblemSet
    marks: Sequence[Path] = ()
    judge: JudgeRequest | None = None
    """Who is asked about what code doesn't decide; nobody by default."""
    regrade: bool = False
    """Decide everything again; what comes out differently is added beside the old. Archived replies
    of a judge are read again, not paid again."""
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
    judged: Judged | None = None
    """What asking the judge came to; None where nobody was asked."""


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
        card = _label(request, archive.grading(run))
        grading = archive.begin_grading(run, set_digest, engines(planned, _card(request)), card)
        again = request.regrade or (request.judge is not None and request.judge.dry_run)
        done = None if again else archive.summary(grading)
        if done is not None and _is_whole(done, marks, request):
            return GradeResult(run, done)
        if len(marks):
            marks.match(reader)
        job = _Job(request, archive, run, grading, planned, progress)
        return job.result(reader, marks, lines, done)


def _card(request: GradeRequest) -> LoadedCard | None:
    return request.judge.card if request.judge else None


def _label(request: GradeRequest, last: Grading | None) -> str | None:
    """The judge whose verdicts count from now on; a dry run changes nothing about that."""
    if request.judge is None:
        return None
    if request.judge.dry_run:
        return last.card if last else None
    return request.judge.card.label


def _is_whole(done: Mapping[str, Any], marks: Marks, request: GradeRequest) -> bool:
    """Whether an earlier summary says all that this request could find out."""
    if marks.digest not in done["marks"] or "judge" not in done:  # an earlier Argus left less
        return False
    if done["judge"] is not None and done["judge"]["open_answers"]:
        return False
    # lines that were skipped on request stop a grading that doesn't ask to skip them
    return request.keep_going or not done["skipped"]


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


@dataclass
class _Job:
    """One grading under way."""

    request: GradeRequest
    archive: Archive
    run: Run
    grading: Grading
    planned: Plan
    progress: Progress | None

    def result(
        self, reader: RunReader, marks: Marks, lines: int, done: Mapping[str, Any] | None
    ) -> GradeResult:
        """Decide, ask, add up; no summary is kept of what a bug or a dry run left open."""
        deciding = Deciding(
            self.archive,
            self.run,
            self.planned,
            marks,
            again=self.request.regrade,
            facts=self.request.judge is not None,
            workers=self.request.workers,
            progress=self._told("deciding", lines),
        )
        deciding.work(reader)
        judged = self._ask()
        state = self.archive.state()
        dry = judged is not None and judged.estimate is not None
        summary = {
            **self._added_up(judged, dry),
            "run": {"name": self.run.name, "digest": self.run.digest},
            "skipped": [fault.as_json() for fault in reader.skipped],
            "notes": reader.notes,
            "marks": sorted({marks.digest, *(done["marks"] if done else ())}),
        }
        if not (deciding.failures or dry):
            self.archive.put_summary(self.grading, state, summary)
        return GradeResult(self.run, summary, deciding.computed, deciding.marked, deciding.failures, judged)

    def _ask(self) -> Judged | None:
        if self.request.judge is None:
            return None
        from grader.grade.asking import ask

        return ask(
            self.request.judge,
            self.archive,
            self.run,
            self.request.problems,
            self.planned,
            again=self.request.regrade,
            workers=self.request.workers,
            progress=self._told("judging", None),
        )

    def _added_up(self, judged: Judged | None, dry: bool) -> dict[str, Any]:
        """The run's totals; what is doubted is routed on the way, but not in a dry run."""
        card = _card(self.request)
        kin = judged.kin if judged else {}
        router = Router.of(self.archive, self.grading, card.card if card else None, kin)
        summary = summarise(self.archive, self.run, self.planned, None if dry else router)
        router.flush()
        judge = judged.as_json() if judged else None
        return {**summary.as_json(self.planned.size), "judge": judge, **dict(router.as_json())}

    def _told(self, what: str, total: int | None) -> Callable[[int], None] | None:
        if self.progress is None:
            return None
        progress = self.progress
        return lambda done: progress(what, done, total)
