"""Running and grading what is missing of a sweep, or looking how far it is."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from grader.archive.store import Archive, open_archive
from grader.errors import ArgusError, Fault, SetupError, UsageError
from grader.grade.asking import JudgeRequest, committed
from grader.grade.before import graded_before
from grader.grade.pipeline import GradeRequest, grade
from grader.model.journal_file import Paid
from grader.model.keys import check_environment, key_for
from grader.model.limits import Sleep
from grader.model.provider import provider_of
from grader.model.request import Endpoint
from grader.model.settings import placed
from grader.problem.place import Place
from grader.protocol.asker import OpenAsker
from grader.protocol.asking import Provider, Purse, terms_of
from grader.protocol.command import commanded
from grader.protocol.request import RunRequest
from grader.protocol.run import run_all, state_of
from grader.protocol.state import RunState
from grader.sweep.file import Sweep
from grader.sweep.state import SweepState

Progress = Callable[[SweepState], None]


def run_sweep(
    sweep: Sweep, progress: Progress = lambda state: None, *, wait: Sleep = asyncio.sleep
) -> SweepState:
    """Run and grade what is missing of a sweep. Raises ArgusError; what was paid for is kept.

    ``wait``: how time passes between attempts.
    """
    state = SweepState(sweep, [state_of(request) for request in sweep.requests])
    _check_asked(state)
    _make_folder(sweep)

    def ran(runs: Sequence[RunState]) -> None:
        state.runs = runs
        progress(state)

    with open_archive(str(sweep.archive)) as archive:
        purse = _purse(sweep, archive)
        state.judged = _judged(archive)
        state.runs = run_all(list(_asked(sweep, purse, wait)), sweep.journal, ran)
        _grade(state, archive, _judge(sweep, purse, wait), progress)
        state.judged = _judged(archive)
    return state


def look(sweep: Sweep) -> SweepState:
    """What a sweep has come to, without asking anybody; scores only where nothing has changed since."""
    state = SweepState(sweep, [state_of(request) for request in sweep.requests])
    if sweep.archive.exists():
        judge = JudgeRequest(sweep.card) if sweep.card else None
        with open_archive(str(sweep.archive), create=False) as archive:
            for name, request in _answered(state):
                if (found := graded_before(_grading(sweep, request, judge), archive)) is not None:
                    state.graded[name] = found
            state.judged = _judged(archive)
    return state


def _grade(state: SweepState, archive: Archive, judge: JudgeRequest | None, progress: Progress) -> None:
    """Grade whatever is there."""
    for name, request in _answered(state):

        def told(what: str, done: int, total: int | None, name: str = name) -> None:
            state.doing = f"{name}: {what}, {done}" + (f" of {total}" if total else "")
            progress(state)

        state.graded[name] = grade(_grading(state.sweep, request, judge), archive, told)
    state.doing = ""


def _answered(state: SweepState) -> Iterator[tuple[str, RunRequest]]:
    """The runs that hold anything to grade, by the names of their solvers."""
    for request, run in zip(state.sweep.requests, state.runs, strict=True):
        if any(cell.done for cell in run.cells.values()):
            yield request.solver.name, request


def _grading(sweep: Sweep, request: RunRequest, judge: JudgeRequest | None) -> GradeRequest:
    return GradeRequest(request.out, sweep.problems, sweep.marks, marks_of_others=True, judge=judge)


# Money


def _purse(sweep: Sweep, archive: Archive) -> Purse | None:
    """One for all; what judges were paid earlier, this one or another, is gone from it."""
    if sweep.file.max_cost is None:
        return None
    terms = JudgeRequest(sweep.card).terms if sweep.card else {}
    judged = sum(committed(archive, run, terms) for run in archive.runs())
    return Purse(sweep.file.max_cost, terms_of(sweep.requests), judged)


def _judge(sweep: Sweep, purse: Purse | None, wait: Sleep) -> JudgeRequest | None:
    """Who judges, with what solvers and reader have left."""
    if sweep.card is None:
        return None
    if purse is None:
        return JudgeRequest(sweep.card, wait=wait)
    limit = sweep.file.max_cost
    return JudgeRequest(sweep.card, max_cost=limit, whole_archive=True, elsewhere=purse.spent, wait=wait)


def _judged(archive: Archive) -> Paid:
    spent = [archive.spent(run).total for run in archive.runs()]
    return Paid(sum(one.cost for one in spent), sum(one.unknown_cost for one in spent))


# Who is asked


def _asked(sweep: Sweep, purse: Purse | None, wait: Sleep) -> Iterator[tuple[RunRequest, OpenAsker]]:
    """Each run with whoever answers it; models behind an API are asked through one client."""
    first, *rest = sweep.requests
    provider = Provider(first, purse, beside=rest, wait=wait)
    for request in sweep.requests:
        yield request, commanded(request, provider)


def _check_asked(state: SweepState) -> None:
    """Raises SetupError for every model that can't be asked, as it has no key or no provider."""
    place = Place(str(state.sweep.path))
    faults = [fault for endpoint, where in _needed(state) for fault in _unaskable(endpoint, place.at(*where))]
    if faults:
        raise SetupError(placed(faults, state.sweep.path.read_text("utf-8")))


def _needed(state: SweepState) -> Iterator[tuple[Endpoint, tuple[str | int, ...]]]:
    """The endpoints that may be asked, and where the file names them; what is complete needs no key."""
    sweep = state.sweep
    missing = [not run.complete for run in state.runs]
    for index, spec in enumerate(sweep.file.models):
        if missing[index] and spec.kind == "model":
            yield spec.endpoint, ("models", index)
    reader = sweep.file.reader
    if any(missing) and "text_reader" in sweep.file.modes and reader is not None and reader.kind == "model":
        yield reader.endpoint, ("reader",)
    for voter in sweep.card.voters if sweep.card else ():
        yield voter.endpoint, ("judge",)


def _unaskable(endpoint: Endpoint, place: Place) -> Iterator[Fault]:
    try:
        provider_of(endpoint.model)
        check_environment(endpoint, os.environ, provider_of)
        key_for(endpoint, os.environ)
    except ArgusError as error:
        yield from (replace(fault, file=place.file, pointer=place.pointer) for fault in error.faults)


def _make_folder(sweep: Sweep) -> None:
    try:
        sweep.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = "the folder of the sweep can't be made"
        raise UsageError(
            what, file=str(sweep.folder), got=error.strerror, do="Name another by out."
        ) from None
