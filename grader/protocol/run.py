"""Running a problem set: every conversation of a plan, asked and kept in run.jsonl as it is answered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path

from grader.model.journal_file import FileJournal
from grader.problem.visible import visible
from grader.protocol.asker import OpenAsker
from grader.protocol.attachments import contents
from grader.protocol.overflow import overflowed
from grader.protocol.pictures import Pictures
from grader.protocol.request import RunRequest
from grader.protocol.running import Running
from grader.protocol.state import RunState
from grader.record import RunReader
from grader.record.run_log import RunLog

Asked = tuple[RunRequest, OpenAsker]
"""A run, and whoever answers it."""


def run(
    request: RunRequest, open_asker: OpenAsker, progress: Callable[[RunState], None] = lambda state: None
) -> RunState:
    """Make a run, or go on with one. Raises ArgusError; what was answered is kept."""
    (state,) = run_all([(request, open_asker)], request.journal_path, lambda states: progress(states[0]))
    return state


def run_all(
    asked: Sequence[Asked],
    journal: Path,
    progress: Callable[[Sequence[RunState]], None] = lambda states: None,
) -> list[RunState]:
    """Make several runs at once, with one journal. Raises ArgusError; what was answered is kept.

    What can be found wrong without asking is found before a file is written.
    """
    states = [RunState.of(request.plan) for request, _ in asked]
    pictures = _pictures(request for request, _ in asked)
    logs = [
        RunLog(request.out, request.header(), state.count, overflowed)
        for (request, _), state in zip(asked, states, strict=True)
    ]
    for one, shown, log in zip(asked, pictures, logs, strict=True):
        _check(*one, shown, log)
    with ExitStack() as stack:
        # the journal first: where it is refused, no run without an answer is left behind
        kept = stack.enter_context(FileJournal(journal))
        running = [
            (Running(request, shown, stack.enter_context(log), state, lambda: progress(states)), open_asker)
            for (request, open_asker), shown, log, state in zip(asked, pictures, logs, states, strict=True)
        ]
        for state in states:
            state.paid = kept.paid
        progress(states)
        try:
            asyncio.run(_ask(running, kept))
        except BaseExceptionGroup as several:
            raise _first(several) from None
    return states


def state_of(request: RunRequest) -> RunState:
    """What a run has come to, without asking anybody. Raises RunError for a file that is no run."""
    state = RunState.of(request.plan)
    if request.out.is_file():
        # one that is made just now, or was killed, may end in half a line
        for _, response in RunReader(request.out, keep_going=True):
            state.count(response)
    return state


def _pictures(requests: Iterable[RunRequest]) -> list[Pictures]:
    """The images of each run; runs over one set encode them once."""
    made: dict[tuple[int, int], Pictures] = {}
    return [
        made.setdefault((id(one.problems), one.most_side), Pictures(one.problems, one.most_side))
        for one in requests
    ]


def _check(request: RunRequest, open_asker: OpenAsker, pictures: Pictures, log: RunLog) -> None:
    """Raises ArgusError for whatever keeps a run from being made; one that is complete needs nobody."""
    log.check()
    if not state_of(request).complete:
        _check_shown(request, pictures)
        open_asker.check()


def _check_shown(request: RunRequest, pictures: Pictures) -> None:
    """Raises UsageError where a file can't be put into a message, or an image is too large to be sent."""
    images = any(mode != "text_only" for _, mode in request.plan.conditions)
    for problem in request.plan.problems:
        content_of, shown = contents(request.problems, problem.problem_id), visible(problem)
        for sub in shown.subquestions:
            for attachment in sub.files:
                content_of(attachment)
        for figure in shown.every_figure if images else ():
            pictures.check(problem.problem_id, figure)


async def _ask(running: Sequence[tuple[Running, OpenAsker]], journal: FileJournal) -> None:
    """Ask all that is missing; who answers leaves when all runs have ended, as they share connections."""
    async with AsyncExitStack() as stack:
        askers = [
            (one, await stack.enter_async_context(open_asker(journal, one.pictures)))
            for one, open_asker in running
        ]
        async with asyncio.TaskGroup() as group:
            for one, asker in askers:
                for _ in range(one.request.width):
                    group.create_task(one.work(asker))


def _first(several: BaseExceptionGroup[BaseException]) -> BaseException:
    """The exception that ended it."""
    first = several.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first
