"""A report as it is asked for: frames read, sections made, thresholds held against them."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from grader.archive.store import Archive
from grader.errors import UsageError
from grader.report.cells import lines
from grader.report.compare import (
    Check,
    Compared,
    Side,
    compared,
    comparison_section,
    fail_if_worse,
    fail_under,
    models_side,
)
from grader.report.document import Options, Report, Row
from grader.report.report import build
from grader.report.sections import NAMES, chosen
from grader.stats.frames import Frames


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """What is asked for."""

    runs: Sequence[str] = ()
    """Names, or beginnings of digests; none: all of the archive."""
    sections: Sequence[str] = ()
    deep: bool = False
    """Sections that read every verdict are made without being named."""
    compare: tuple[str, str] | None = None
    fail_under: float | None = None
    fail_if_worse: bool = False
    options: Options = field(default_factory=Options)


@dataclass(frozen=True, slots=True)
class MadeReport:
    """A report, the frames it is of, and the thresholds that were asked for."""

    report: Report
    frames: Frames
    checks: tuple[Check, ...]

    @property
    def exit_code(self) -> int:
        """4 if a threshold fails, 3 if only open points can tell, else 0."""
        if not all(check.holds for check in self.checks):
            return 4
        return 3 if any(check.incomplete for check in self.checks) else 0


def make_report(archive: Archive, request: ReportRequest) -> MadeReport:
    """Make it. UsageError for unknown runs, models and sections, and where nothing was graded."""
    if request.fail_if_worse and request.compare is None:
        raise UsageError(
            "--fail-if-worse says nothing without two to compare", do="Name them: --compare A B."
        )
    kinds = chosen(request.sections, deep=request.deep)
    if request.compare is not None and not request.sections and not request.deep:
        kinds = ()
    with _uncollected():
        frames, found = _read(archive, request)
        deep = any(kind.deep for kind in kinds)
        frames.expect(whole=deep, corrects=any(kind.corrects for kind in kinds))
        further = [comparison_section(found, request.options)] if found else []
        checks = tuple(_checks(frames, found, request))
        report = build(frames, request.options, kinds, _runs(frames), further)
    return MadeReport(replace(report, checks=tuple(one.as_json() for one in checks)), frames, checks)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without looking for cycles: rows are made by the million, and a fifth of the time went into that."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _read(archive: Archive, request: ReportRequest) -> tuple[Frames, Compared | None]:
    """The frames of the report, and the comparison, of two models in them or of two runs."""
    if request.compare is None:
        return Frames.of(archive, request.runs), None
    first, second = request.compare
    names = {run.name for run in archive.runs()}
    if {first, second} <= names and first != second:
        frames = Frames.of(archive, request.runs or [second])
        sides = [Side(name, Frames.of(archive, [name]).subquestions) for name in request.compare]
    else:
        frames = Frames.of(archive, request.runs)
        sides = [_side(archive, frames, name) for name in request.compare]
    return frames, compared(sides[0], sides[1], request.options)


def _side(archive: Archive, frames: Frames, name: str) -> Side:
    known = list(dict.fromkeys(frames.cells["model"]))
    if name in known:
        return models_side(frames, name)
    runs = {run.name: run for run in archive.runs()}
    digests = [run.digest for run in runs.values() if len(name) >= 6 and run.digest.startswith(name)]
    if name not in runs and not digests:
        raise UsageError(
            "no such model and no such run",
            file=archive.name,
            got=name,
            expected=f"models {', '.join(known)}; runs {', '.join(runs)}",
        )
    return Side(name, Frames.of(archive, [name]).subquestions)


def _checks(frames: Frames, found: Compared | None, request: ReportRequest) -> Iterator[Check]:
    if request.fail_under is not None:
        yield fail_under(frames, request.fail_under, request.options)
    if request.fail_if_worse and found is not None:
        yield fail_if_worse(found)


def _runs(frames: Frames) -> list[Row]:
    headers = {graded.run.digest: graded.run.header for graded in frames.source.runs}
    return [
        {
            "name": one.run,
            "digest": one.digest,
            "set": one.set,
            "card": one.card if isinstance(one.card, str) else None,
            "provisional": bool(one.provisional),
            "note": _said(headers[one.digest], "note"),
            "asked": _said(headers[one.digest], "asked"),
        }
        for one in lines(frames.runs)
    ]


def _said(header: Mapping[str, Any], name: str) -> str | None:
    """What a run's header says among its parameters."""
    said = (header.get("parameters") or {}).get(name)
    return said if isinstance(said, str) else None


__all__ = ["NAMES", "MadeReport", "ReportRequest", "make_report"]
