"""Running a problem set: every conversation of a plan, asked and kept in run.jsonl as it is answered."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from grader import __version__
from grader.errors import ProblemError, UsageError
from grader.model.body import Images
from grader.model.journal_file import FileJournal
from grader.model.reply import Asker, NotAsked
from grader.model.request import Message
from grader.problem.set import ProblemSet
from grader.problem.visible import visible
from grader.protocol.attachments import contents
from grader.protocol.canary import canary_faults
from grader.protocol.exchange import Asked, Exchange, exchange
from grader.protocol.messages import message, opening
from grader.protocol.pictures import Pictures
from grader.protocol.plan import Conversation, Plan
from grader.protocol.profile import Profile
from grader.protocol.reader import Reader
from grader.protocol.solver import Solver
from grader.protocol.state import RunState, Unasked
from grader.protocol.turns import Turn
from grader.record import Response, RunHeader, RunReader
from grader.record.run_file import SCHEMA_VERSION
from grader.record.run_log import Key, RunLog

OpenAsker = Callable[[FileJournal, Images], AbstractAsyncContextManager[Asker]]
"""Whoever answers, for the length of a run."""


@dataclass(frozen=True)
class RunRequest:
    """What is run, by whom, and where it is kept."""

    problems: ProblemSet
    solver: Solver
    plan: Plan
    profile: Profile
    out: Path
    reader: Reader | None = None
    """Asked in text_reader."""
    most_side: int = 2048
    """Pixels of an image's longer side; a larger one is shrunk to it."""
    width: int = 16
    """Conversations under way at once."""

    def __post_init__(self) -> None:
        if not self.out.name:
            raise UsageError("the run needs a file", got=repr(str(self.out)), do="Name one by --out.")
        modes = {mode for _, mode in self.plan.conditions}
        if "text_reader" in modes and self.reader is None:
            raise UsageError("text_reader needs a reader", do="Name a vision model by --reader.")
        if "multimodal" in modes and not self.solver.sees():
            raise UsageError(
                f"{self.solver.endpoint.model} sees no images, so it can't be run in multimodal",
                expected="text_only or text_reader",
                do="Say --vision if it does see them (in a sweep: vision = true).",
            )
        oracle = any(protocol == "oracle_scaffolded" for protocol, _ in self.plan.conditions)
        granted = oracle and self.plan.oracle.scope != "none"
        if faults := list(canary_faults(self.problems, self.plan.problems, granted=granted)):
            raise ProblemError(faults)

    @property
    def journal_path(self) -> Path:
        """Where the calls of a run that is made alone are kept."""
        return self.out.with_name(self.out.name.removesuffix(".jsonl") + ".calls.jsonl")

    def header(self) -> RunHeader:
        """All that the responses depend on besides the problems."""
        oracle, reader = self.plan.oracle, self.reader
        parameters: dict[str, Any] = {
            **self.solver.parameters,
            "samples": self.plan.samples,
            "oracle": {"scope": oracle.scope, "session": oracle.session},
            "images": {"most_side": self.most_side},
        }
        if self.solver.endpoint.model != self.solver.name:
            parameters["asked"] = self.solver.endpoint.model
        if reader is not None:
            parameters["reader"] = {
                "model": reader.endpoint.model,
                "most_calls": reader.most_calls,
                "descriptions": reader.descriptions,
                **reader.parameters,
            }
        return RunHeader(
            schema_version=SCHEMA_VERSION,
            model=self.solver.name,
            problems=os.path.relpath(self.problems.path.resolve(), self.out.resolve().parent),
            visible_hash=self.problems.visible_hash,
            prompt_profile=self.profile.label,
            parameters=parameters,
            versions={"argus": __version__},
        )


def run(
    request: RunRequest, open_asker: OpenAsker, progress: Callable[[RunState], None] = lambda state: None
) -> RunState:
    """Make a run, or go on with one. Raises ArgusError; what was answered is kept."""
    (state,) = run_all([(request, open_asker)], request.journal_path, lambda states: progress(states[0]))
    return state


def run_all(
    asked: Sequence[tuple[RunRequest, OpenAsker]],
    journal: Path,
    progress: Callable[[Sequence[RunState]], None] = lambda states: None,
) -> list[RunState]:
    """Make several runs at once, with one journal. Raises ArgusError; what was answered is kept."""
    for request, _ in asked:
        _check_files(request)
    states = [RunState.of(request.plan) for request, _ in asked]
    pictures: dict[tuple[int, int], Pictures] = {}
    with ExitStack() as stack:
        running = []
        for (request, open_asker), state in zip(asked, states, strict=True):
            log = stack.enter_context(RunLog(request.out, request.header(), state.count))
            same = (id(request.problems), request.most_side)  # runs over one set encode its images once
            shown = pictures.setdefault(same, Pictures(request.problems, request.most_side))
            running.append((_Running(request, shown, log, state, lambda: progress(states)), open_asker))
        kept = stack.enter_context(FileJournal(journal))
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
    if request.out.exists():
        # one that is made just now, or was killed, may end in half a line
        for _, response in RunReader(request.out, keep_going=True):
            state.count(response)
    return state


async def _ask(running: Sequence[tuple[_Running, OpenAsker]], journal: FileJournal) -> None:
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


class _Running:
    """A run's conversations under way."""

    def __init__(
        self,
        request: RunRequest,
        pictures: Pictures,
        log: RunLog,
        state: RunState,
        progress: Callable[[], None],
    ) -> None:
        self.request = request
        self.pictures = pictures
        self._log = log
        self._state = state
        self._progress = progress
        self._conversations = self._missing()

    async def work(self, asker: Asker) -> None:
        """Carry one conversation after another; several may do so, as each takes the next."""
        for conversation in self._conversations:
            await self._converse(conversation, asker)

    def _missing(self) -> Iterator[Conversation]:
        for conversation in self.request.plan:
            if self._left(conversation):
                yield conversation

    def _left(self, conversation: Conversation) -> int:
        """How many of its turns have no response."""
        return sum(self._key(conversation, turn) not in self._log for turn in conversation.turns)

    def _key(self, conversation: Conversation, turn: Turn) -> Key:
        protocol, mode = conversation.condition
        name = self.request.solver.name
        return (name, conversation.problem_id, turn.sub_id, protocol, mode, conversation.sample)

    async def _converse(self, conversation: Conversation, asker: Asker) -> None:
        asked = self._asked(conversation, asker)
        messages: list[Message] = [*opening(self.request.profile)]
        for index, turn in enumerate(conversation.turns):
            messages.append(self._message(conversation, turn))
            key = self._key(conversation, turn)
            if key in self._log:
                messages += _carried(self._log.line(key))
                continue
            try:
                done = await exchange(messages, conversation.figures(index), asked)
            except NotAsked as refused:
                self._leave(conversation, refused.why)
                return
            kept = await self._keep(conversation, turn, messages[-1], done)
            if kept.error is not None:
                # those after it would have to be asked without it
                self._leave(conversation, "failed", but=1)
                return
            messages += done.carried

    def _asked(self, conversation: Conversation, asker: Asker) -> Asked:
        solver, sample = self.request.solver, conversation.sample
        reader = self.request.reader if conversation.condition[1] == "text_reader" else None
        return Asked(
            asker,
            solver.endpoint,
            solver.at(sample),
            sample,
            lambda figure: self.pictures.of(conversation.problem_id, figure).digest,
            reader,
        )

    def _message(self, conversation: Conversation, turn: Turn) -> Message:
        problem_id = conversation.problem_id
        return message(
            turn,
            conversation.condition[0],
            self.request.profile,
            lambda figure: self.pictures.of(problem_id, figure).digest,
            contents(self.request.problems, problem_id),
        )

    async def _keep(self, conversation: Conversation, turn: Turn, shown: Message, done: Exchange) -> Response:
        protocol, mode = conversation.condition
        response = Response(
            model=self.request.solver.name,
            problem_id=conversation.problem_id,
            sub_id=turn.sub_id,
            protocol=protocol,
            mode=mode,
            sample=conversation.sample,
            text=done.text,
            finish_reason=done.finish_reason,
            error=done.error,
            meta=self._meta(conversation, turn, shown, done),
        )
        kept = await self._log.append(response)
        self._state.count(kept)
        self._progress()
        return kept

    def _meta(
        self, conversation: Conversation, turn: Turn, shown: Message, done: Exchange
    ) -> Mapping[str, Any]:
        """All that is recorded of a turn besides its answer."""
        reader = self.request.reader
        images = [
            self.pictures.of(conversation.problem_id, figure).record(figure.name)
            for figure in turn.figures
            if conversation.condition[1] == "multimodal"
        ]
        granted = [{"of": one.sub_id, "derived": one.derived} for one in turn.granted]
        kept: dict[str, Any] = {
            "input": {"message": shown, "images": images, "granted": granted},
            "usage": done.usage,
            "cost": done.cost,
            "reasoning": done.reasoning,
            "files": list(done.files) or None,
            "timing": {"ended": datetime.now(UTC).isoformat(), "seconds": round(done.seconds, 3)},
        }
        if reader is not None and conversation.condition[1] == "text_reader":
            kept["reader_calls"] = [call.record(reader) for call in done.reader_calls]
            kept["carried"] = done.carried
        return {name: value for name, value in kept.items() if value is not None}

    def _leave(self, conversation: Conversation, why: Unasked, but: int = 0) -> None:
        """Ask no more of a conversation; ``but`` counts the turns without a response that were asked."""
        self._state.leave(conversation.condition, self._left(conversation) - but, why)
        self._progress()


def _carried(line: Mapping[str, Any]) -> list[Message]:
    """What the turns after a recorded response see of it."""
    if (kept := line.get("carried")) is not None:
        return list(kept)
    return [{"role": "assistant", "content": line["text"]}] if line["text"].strip() else []


def _check_files(request: RunRequest) -> None:
    """Raises UsageError where a file can't be shown, before anything is asked."""
    for problem in request.plan.problems:
        content_of = contents(request.problems, problem.problem_id)
        for sub in visible(problem).subquestions:
            for attachment in sub.files:
                content_of(attachment)
