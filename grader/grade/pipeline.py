"""Grading one run: code decides, a judge is asked, people's marks count, and all of it is added up.

What was decided, asked or marked is archived as it comes and addressed by what
it rests on, so a grading that was killed goes on where it stopped.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.archive.entry import Grading, Run
from grader.archive.store import Archive
from grader.errors import RunError
from grader.formal.task import checkers
from grader.grade.deciding import Deciding
from grader.grade.entries import engines, images, set_entry
from grader.grade.following import Following
from grader.grade.plan import Plan, plan
from grader.grade.routes import Router, nothing_routed
from grader.grade.summary import Flagged, summarise
from grader.judge.card import SpotCheck, Thresholds
from grader.marks import Marks, read_marks
from grader.problem.set import ProblemSet
from grader.record import RunReader, digest

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
    marks_of_others: bool = False
    """The marks may be for responses of other runs too."""
    judge: JudgeRequest | None = None
    """Who is asked about what code doesn't decide; nobody by default."""
    regrade: bool = False
    """Decide everything again; what comes out differently is added beside the old. Archived replies
    of a judge are read again, not paid again."""
    keep_going: bool = False
    """Skip broken lines instead of stopping at the first."""
    workers: int | None = None

    @property
    def card(self) -> LoadedCard | None:
        """The judge whose verdicts count."""
        return self.judge.card if self.judge else None

    @property
    def dry(self) -> bool:
        """Nothing is sent, and nothing changes about what stands."""
        return self.judge is not None and self.judge.dry_run


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
    unselected: str | None = None
    """The judge whose verdicts counted before this grading and don't any more."""


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
    fingerprint, lines = fingerprint_of(request.run, reader)
    if not request.keep_going and next(iter(reader), None) is None:
        raise RunError("the run holds no responses", file=str(request.run), do="Check the path.")
    with archive.only_grader(fingerprint):
        archive.put_images(images(request.problems))
        set_digest = archive.put_set(set_entry(request.problems, planned))
        run = archive.put_run(fingerprint, request.run.stem, reader.header.model_dump(exclude_none=True))
        last = archive.grading(run)
        card = request.card.label if request.card else None
        under = (run, set_digest, engines(planned, request.card), card)
        grading = archive.plan_grading(*under) if request.dry else archive.begin_grading(*under)
        done = None if request.regrade or request.dry else archive.summary(grading)
        unselected = last.card if last and last.card != card and not request.dry else None
        if done is not None and _is_whole(done, marks, request):
            return GradeResult(run, done, unselected=unselected)
        if len(marks):
            named = ((f"line {number}", response) for number, response in reader)
            marks.match(named, others=request.marks_of_others)
        job = _Job(request, archive, run, grading, planned, progress)
        return replace(job.result(reader, marks, lines, done), unselected=unselected)


def is_current(done: Mapping[str, Any], marks: Marks, request: GradeRequest) -> bool:
    """Whether an earlier summary counts these marks, by today's rules, and flags as all do today."""
    counted = marks.digest in done["marks"] and done.get("rules") == _rules(request)
    return counted and all("flags" in score and "low_marks" in score for score in done["scores"])


def _is_whole(done: Mapping[str, Any], marks: Marks, request: GradeRequest) -> bool:
    """Whether an earlier summary says all that this request could find out."""
    if not is_current(done, marks, request):
        return False
    if done["judge"] is not None and done["judge"]["open_answers"]:
        return False
    if request.judge is not None and (request.judge.batch_in or request.judge.batch_out):
        return False
    # lines that were skipped on request stop a grading that doesn't ask to skip them
    return request.keep_going or not done["skipped"]


def _rules(request: GradeRequest) -> str:
    """The digest of what decides, besides the grading, whom people look at and which verdicts count."""
    card = request.card.card if request.card else None
    thresholds, rates = (card.thresholds, card.spot_check) if card else (Thresholds(), SpotCheck())
    return digest([thresholds.model_dump(), rates.model_dump(), card is not None and card.provisional])


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


def fingerprint_of(path: Path, reader: RunReader) -> tuple[str, int]:
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
            progress=self._told("deciding", lines),
        )
        following = Following(
            self.archive,
            self.run,
            self.grading,
            self.planned,
            again=self.request.regrade,
            progress=self._told("following", lines),
        )
        flagged = Flagged()
        with checkers(self.request.workers) as team:
            deciding.work(flagged.counting(reader), team)
            if self.request.judge is None:
                following.work(team)
        judged = self._ask()  # takes hours, maybe: no child is kept waiting
        if judged is not None:
            with checkers(self.request.workers) as team:
                following.work(team)
        failures = [*deciding.failures, *(judged.failures if judged else ()), *following.failures]
        state = self.archive.state()
        summary = {
            **self._added_up(judged, flagged),
            "run": {"name": self.run.name, "digest": self.run.digest},
            "rules": _rules(self.request),
            "skipped": [fault.as_json() for fault in reader.skipped],
            "notes": reader.notes,
            "marks": sorted({marks.digest, *(done["marks"] if done else ())}),
        }
        if not (failures or self.request.dry):
            self.archive.put_summary(self.grading, state, summary)
        computed = deciding.computed + following.computed
        return GradeResult(self.run, summary, computed, deciding.marked, failures, judged)

    def _ask(self) -> Judged | None:
        if self.request.judge is None:
            return None
        from grader.grade.asking import ask

        return ask(
            self.request.judge,
            self.archive,
            self.run,
            self.grading,
            self.request.problems,
            self.planned,
            again=self.request.regrade,
            workers=self.request.workers,
            progress=self._told("judging", None),
        )

    def _added_up(self, judged: Judged | None, flagged: Flagged) -> dict[str, Any]:
        """The run's totals; what is doubted is routed on the way, but not in a dry run."""
        judge = {"judge": judged.as_json() if judged else None}
        if self.request.dry:
            summary = summarise(self.archive, self.run, self.planned, flagged, under=self.grading)
            return {**summary.as_json(self.planned), **judge, **dict(nothing_routed())}
        card = self.request.card
        kin = judged.kin if judged else {}
        router = Router.of(self.archive, self.grading, card.card if card else None, kin)
        summary = summarise(self.archive, self.run, self.planned, flagged, router)
        router.flush()
        return {**summary.as_json(self.planned), **judge, **dict(router.as_json())}

    def _told(self, what: str, total: int | None) -> Callable[[int], None] | None:
        if self.progress is None:
            return None
        progress = self.progress
        return lambda done: progress(what, done, total)
