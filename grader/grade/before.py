"""What a grading found before: read from the archive, deciding nothing and asking nobody."""

from __future__ import annotations

from collections import deque
from typing import Any

from grader.archive.entry import Grading, Run
from grader.archive.store import Archive
from grader.grade.entries import engines, set_entry
from grader.grade.pipeline import GradeRequest, GradeResult, fingerprint_of, is_current
from grader.grade.plan import Plan, plan
from grader.grade.summary import Flagged, summarise
from grader.marks import read_marks
from grader.record import RunReader


def graded_before(request: GradeRequest, archive: Archive) -> GradeResult | None:
    """What stands of a run that was graded to its end, as the request says; None where grading would do more.

    That is where the run, the set, the checks, the judge or the marks are others now.
    """
    digest, _ = fingerprint_of(request.run, RunReader(request.run))
    run = next((one for one in archive.runs() if one.digest == digest), None)
    last = archive.grading(run) if run else None
    if run is None or last is None:
        return None
    planned = plan(request.problems.problems, str(request.problems.path))
    if not _same(last, request, planned):
        return None
    done = archive.summary(last) or _added_up(request, archive, run, last, planned)
    marks = read_marks(request.marks, request.problems.problems)
    return GradeResult(run, done) if done is not None and is_current(done, marks, request) else None


def _same(last: Grading, request: GradeRequest, planned: Plan) -> bool:
    """Whether a grading was what the request asks for."""
    card = request.card
    keys = frozenset(engine.key for engine in engines(planned, card))
    under = (set_entry(request.problems, planned).digest, keys, card.label if card else None)
    return (last.set_digest, last.engines, last.card) == under


def _added_up(
    request: GradeRequest, archive: Archive, run: Run, last: Grading, planned: Plan
) -> dict[str, Any] | None:
    """What stands now of a grading that was finished before the archive got more."""
    finished = archive.summary(last, earlier=True)
    if finished is None:
        return None
    flagged = Flagged()
    deque(flagged.counting(RunReader(request.run)), maxlen=0)
    return {**finished, **summarise(archive, run, planned, flagged).as_json(planned)}
