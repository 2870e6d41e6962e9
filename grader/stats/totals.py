"""What each run came to: what its grading left, or added up again where that no longer holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grader.grade.summary import Flagged, summarise
from grader.stats.reading import GradedRun, Source

Totals = Mapping[str, Any]
"""As ``grader.grade.summary`` gives them: ``scores``, ``subquestions``, ``judge``."""


def totals(source: Source, graded: GradedRun) -> Totals:
    """The totals of a run, without the responses that are counted under another one. Writes nothing."""
    return _held(source, graded) or _anew(source, graded)


def _held(source: Source, graded: GradedRun) -> Totals | None:
    held = None if graded.elsewhere else source.archive.summary(graded.grading)
    # a summary of an older Argus has its ends as rounded shares only, and doesn't know located decisions
    return held if held and all("low_marks" in row for row in held["subquestions"]) else None


def _anew(source: Source, graded: GradedRun) -> Totals:
    earlier = source.archive.summary(graded.grading, earlier=True) or {"judge": None}
    flagged = Flagged()
    for _ in flagged.counting(source.responses(graded)):
        pass
    under, elsewhere = graded.grading, graded.elsewhere
    summary = summarise(source.archive, graded.run, source.plan, flagged, under=under, elsewhere=elsewhere)
    return {**summary.as_json(source.plan), "judge": earlier["judge"]}


def sets_of(source: Source, found: Sequence[Totals]) -> Mapping[tuple[str, str, str], frozenset[str]]:
    """The sets that each cell was graded on."""
    sets: dict[tuple[str, str, str], frozenset[str]] = {}
    for graded, one in zip(source.runs, found, strict=True):
        for score in one["scores"]:
            cell = (score["model"], score["protocol"], score["mode"])
            sets[cell] = sets.get(cell, frozenset()) | {graded.grading.set_digest}
    return sets
