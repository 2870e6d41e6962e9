"""What a sweep has come to: its cells, its scores, what was paid, and what a user should know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.grade.gaps import Axis, Ladder, ladders
from grader.grade.pipeline import GradeResult
from grader.model.journal_file import Paid
from grader.protocol.state import RunState
from grader.sweep.cells import CellRow
from grader.sweep.file import Sweep

SCHEMA_VERSION = 1


@dataclass
class SweepState:
    """A sweep while it is run and graded, and when it has ended."""

    sweep: Sweep
    runs: Sequence[RunState]
    """In the order of the solvers."""
    graded: dict[str, GradeResult] = field(default_factory=dict)
    """By the name of the solver; those with responses."""
    judged: Paid = field(default_factory=Paid)
    """By all calls to judges in the sweep's archive."""
    doing: str = ""
    """What is under way besides asking solvers."""

    @property
    def complete(self) -> bool:
        """Whether every response is there and every point is decided."""
        return all(row.progress == "complete" for row in self.rows())

    @property
    def failures(self) -> list[str]:
        """Checks that raised: bugs."""
        return [failure for result in self.graded.values() for failure in result.failures]

    def rows(self) -> Iterator[CellRow]:
        """A row for each solver and condition."""
        for name, run in self._named():
            summary = self._summary(name, run)
            scores = {(one["protocol"], one["mode"]): one for one in summary["scores"]}
            for condition, cell in run.cells.items():
                yield CellRow(name, condition, cell, scores.get(condition))

    def ladders(self) -> list[Ladder]:
        """What protocols and modes differ by, solver by solver."""
        summaries = [self._summary(name, run) for name, run in self._named() if name in self.graded]
        axes: tuple[Axis, ...] = ("protocol", "mode")
        return [one for axis in axes for summary in summaries for one in ladders(summary, axis)]

    @property
    def paid(self) -> Paid | None:
        """By all calls to solvers and reader; None where nobody was asked now."""
        return self.runs[0].paid  # the same for all: they have one journal

    @property
    def provisional(self) -> str | None:
        """The judge card whose verdicts count nowhere, if the judge is such a one."""
        judges = (result.summary["judge"] for result in self.graded.values())
        return next((judge["card"] for judge in judges if judge and judge["provisional"]), None)

    def notes(self) -> Iterator[str]:
        """What a user should know, a line each."""
        for name, run in self._named():
            yield from (f"{name}: {note}" for note in run.notes())
        for name in dict.fromkeys(row.model for row in self.rows() if _holds_more(row)):
            yield f"{name}: its run holds answers to more than the sweep asks now, and its scores count them"
        for name, result in self.graded.items():
            yield from (f"{name}: {note}" for note in _notes(result))
        open_points = [
            one["points"] for result in self.graded.values() for one in result.summary["undetermined"]
        ]
        if open_points:
            do = f"see argus triage --jsonl --archive {self.sweep.archive}"
            if self.sweep.card is None:
                do = "name a judge card (judge) or files of human marks (marks) in the sweep"
            yield f"{sum(open_points)} points are undetermined: {do}"

    def as_json(self) -> dict[str, Any]:
        """Documented in docs/output.md."""
        runs = [
            run.as_json(request.out, request.solver.name)
            for request, run in zip(self.sweep.requests, self.runs, strict=True)
        ]
        cells = [cell for run in runs for cell in run["cells"]]
        for cell, row in zip(cells, self.rows(), strict=True):
            cell["state"] = row.progress
        for run in runs:
            del run["paid"]  # the same for all: they have one journal
        return {
            "schema_version": SCHEMA_VERSION,
            "sweep": str(self.sweep.path),
            "description": self.sweep.file.description,
            "complete": self.complete,
            "max_cost": self.sweep.file.max_cost,
            "paid": self.paid.as_json() if self.paid else None,
            "judged": self.judged.as_json(),
            "provisional_judge": self.provisional,
            "runs": runs,
            "scores": [row.score for row in self.rows() if row.score],
            "gaps": [line for ladder in self.ladders() for line in ladder.as_json()],
        }

    def _named(self) -> Iterator[tuple[str, RunState]]:
        for request, run in zip(self.sweep.requests, self.runs, strict=True):
            yield request.solver.name, run

    def _summary(self, name: str, run: RunState) -> Mapping[str, Any]:
        """What is known of a solver's scores under the conditions of the sweep; its run may hold others."""
        summary = self.graded[name].summary if name in self.graded else {}
        return {
            part: [one for one in summary.get(part, ()) if (one["protocol"], one["mode"]) in run.cells]
            for part in ("scores", "subquestions")
        }


def _holds_more(row: CellRow) -> bool:
    """Whether a score counts more responses than its cell."""
    return (
        row.score is not None
        and row.score["responses"] > row.cell.done + row.cell.failed + row.cell.overflowed
    )


def _notes(result: GradeResult) -> Iterator[str]:
    judge, stale = result.summary["judge"], result.summary["stale_marks"]
    if stale:
        yield f"{stale} human marks no longer count: they were given to an earlier rubric or answer"
    if judge is None:
        return
    if judge["provisional"]:
        yield f"judge {judge['card']} is provisional: its verdicts are kept and count nowhere"
    for model, family in judge["kin"].items():
        yield f"{model} and the judge are of the same family ({family}): it may favour its kin"
    if count := judge["unasked"].get("budget"):
        yield f"{count} answers were not judged: the rest of max_cost would not do"
    if judge["failed"]:
        yield f"{judge['failed']} answers were not judged: calls failed; the same command asks again"
