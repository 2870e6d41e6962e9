"""What each run came to: what its grading left, or added up again where that no longer holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from grader.archive.read import GradedAnswer
from grader.grade.summary import Flagged, added_up
from grader.stats.reading import GradedRun, Source

Totals = Mapping[str, Any]
"""As ``grader.grade.summary`` gives them: ``scores``, ``subquestions``, ``judge``."""


def held(source: Source, graded: GradedRun) -> Totals | None:
    """What its grading left of a run; None where that no longer holds, or it shares responses with others."""
    found = None if graded.elsewhere else source.archive.summary(graded.grading)
    # a summary of an older Argus has its ends as rounded shares only, and doesn't know located decisions
    return found if found and all("low_marks" in row for row in found["subquestions"]) else None


def anew(source: Source, graded: GradedRun, answers: Iterable[GradedAnswer]) -> Totals:
    """The totals of a run by its answers, but those that are counted under another one. Writes nothing."""
    earlier = source.archive.summary(graded.grading, earlier=True) or {"judge": None}
    flagged = Flagged()
    for _ in flagged.counting(source.responses(graded)):
        pass
    return {**added_up(answers, source.plan, flagged).as_json(source.plan), "judge": earlier["judge"]}


def sets_of(source: Source, found: Sequence[Totals]) -> Mapping[tuple[str, str, str], frozenset[str]]:
    """The sets that each cell was graded on."""
    sets: dict[tuple[str, str, str], frozenset[str]] = {}
    for graded, one in zip(source.runs, found, strict=True):
        for score in one["scores"]:
            cell = (score["model"], score["protocol"], score["mode"])
            sets[cell] = sets.get(cell, frozenset()) | {graded.grading.set_digest}
    return sets
