"""The runs that a signoff names, as an archive has them: who answered, what it came to, how long it took."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from grader.archive.entry import Run
from grader.archive.read import Filters
from grader.archive.store import Archive
from grader.errors import UsageError
from grader.grade.pipeline import fingerprint_of
from grader.problem.signoff import Pilot, Probe, Signoff
from grader.record import RunReader

_HUMAN = "human:"


@dataclass(frozen=True)
class RunScores:
    """What a graded run came to."""

    run: Run
    rows: Sequence[Mapping[str, Any]]
    """By problem, model, protocol and mode, as the summary of its grading has them."""
    contents: Mapping[str, str]
    """The content hash under which each problem was graded."""

    def of(self, problem_id: str) -> dict[str, list[Mapping[str, Any]]]:
        """The rows of a problem by model; those without marks are left out."""
        found: dict[str, list[Mapping[str, Any]]] = {}
        for row in self.rows:
            if row["problem_id"] == problem_id and row["low"] is not None:
                found.setdefault(row["model"], []).append(row)
        return found

    def minutes(self, archive: Archive, problem_id: str, model: str) -> float | None:
        """How long the answers to a problem took in all; None where any of them doesn't say."""
        answers = archive.graded(self.run, Filters(problem_id=problem_id, model=model))
        responses = archive.responses(dict.fromkeys(one.response.digest for one in answers))
        timings = [(one.meta.get("timing") or {}).get("seconds") for one in responses.values()]
        known = [one for one in timings if isinstance(one, int | float)]
        return sum(known) / 60 if known and len(known) == len(timings) else None


@dataclass(frozen=True)
class SignedRun:
    """A run that a signoff names."""

    gate: Literal["probe", "pilot"]
    named: str
    scores: RunScores | None
    why: str | None = None
    """Why it counts nowhere."""

    def as_json(self) -> dict[str, Any]:
        """Documented in docs/output.md."""
        digest = self.scores.run.digest if self.scores else None
        return {"gate": self.gate, "run": self.named, "digest": digest, "why": self.why}


def signed_runs(signoff: Signoff, archive: Archive) -> Iterator[SignedRun]:
    """The runs of a signoff, probes first."""
    lines: tuple[Probe | Pilot, ...] = (*signoff.probes, *signoff.pilots)
    for line in lines:
        try:
            run = _run(signoff, archive, line.run)
            yield SignedRun(line.gate, line.run, _scores(archive, run, line))
        except _Unusable as unusable:
            yield SignedRun(line.gate, line.run, None, str(unusable))


class _Unusable(Exception):
    """Why a run counts nowhere."""


def _run(signoff: Signoff, archive: Archive, named: str) -> Run:
    file = signoff.root / named
    if file.is_file():
        digest, _ = fingerprint_of(file, RunReader(file))
        found = [one for one in archive.runs() if one.digest == digest]
    else:
        try:
            found = archive.runs(named)
        except UsageError:
            found = []
    if not found:
        raise _Unusable("it is not in the archive")
    if len(found) > 1:
        raise _Unusable("several runs are called so: name it by its digest")
    return found[0]


def _scores(archive: Archive, run: Run, line: Probe | Pilot) -> RunScores:
    grading = archive.grading(run)
    summary = grading and (archive.summary(grading) or archive.summary(grading, earlier=True))
    if grading is None or not summary:
        raise _Unusable("its grading was not finished")
    human = _by_human(run)
    if line.gate == "probe" and human:
        raise _Unusable("a person answered it")
    if line.gate == "pilot" and human is False:
        raise _Unusable("a model answered it")
    rows = [row for row in summary["problems"] if line.model in (None, row["model"])]
    if not rows:
        raise _Unusable(f"it holds no answers of {line.model}")
    contents = {entry.problem_id: entry.hash for entry in archive.set_problems(grading.set_digest)}
    return RunScores(run, rows, contents)


def _by_human(run: Run) -> bool | None:
    """Whether a person answered; None where the run doesn't say, as it wasn't made by ``argus run``."""
    if not run.header.get("prompt_profile"):
        return None
    return str((run.header.get("parameters") or {}).get("asked", "")).startswith(_HUMAN)
