"""Running a problem set: every conversation of a plan, asked and kept in run.jsonl as it is answered."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack
from dataclasses import dataclass, field
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
from grader.protocol.canary import canary_faults
from grader.protocol.exchange import Asked, Exchange, exchange
from grader.protocol.messages import message, opening
from grader.protocol.pictures import Pictures
from grader.protocol.plan import Condition, Conversation, Plan
from grader.protocol.profile import Profile
from grader.protocol.reader import Reader
from grader.protocol.solver import Solver
from grader.protocol.turns import Turn
from grader.record import Response, RunHeader, RunReader
from grader.record.flags import FLAGS, flags
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
        modes = {mode for _, mode in self.plan.conditions}
        if "text_reader" in modes and self.reader is None:
            raise UsageError("text_reader needs a reader", do="Name a vision model by --reader.")
        if "multimodal" in modes and not self.solver.sees():
            raise UsageError(
                f"{self.solver.endpoint.model} sees no images, so it can't be run in multimodal",
                expected="text_only or text_reader",
                do="Say --vision if it does see them.",
            )
        oracle = any(protocol == "oracle_scaffolded" for protocol, _ in self.plan.conditions)
        granted = oracle and self.plan.oracle.scope != "none"
        if faults := list(canary_faults(self.problems, self.plan.problems, granted=granted)):
            raise ProblemError(faults)

    @property
    def journal_path(self) -> Path:
        """Where the calls of a run that is made alone are kept."""
        return self.out.with_suffix(".calls.jsonl")

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


@dataclass
class Cell:
    """What a condition has come to."""

    expected: int
    done: int = 0
    failed: int = 0
    unasked: int = 0
    flags: Counter[str] = field(default_factory=Counter)
    reader_calls: int = 0
    cost: float = 0.0
    """US dollars, as far as known."""
    unpriced: int = 0
    """Responses whose cost isn't known."""


@dataclass
class RunState:
    """A run while it is made, and when it has ended."""

    cells: dict[Condition, Cell]
    failures: Counter[str] = field(default_factory=Counter)
    """Why calls failed."""
    unasked: Counter[str] = field(default_factory=Counter)
    """Why turns were not asked: budget, batch, person."""

    @classmethod
    def of(cls, plan: Plan) -> RunState:
        """Of a run before its first response."""
        return cls({condition: Cell(count) for condition, count in plan.expected().items()})

    def count(self, response: Response) -> None:
        """Count a response; one of another condition is left out."""
        condition = (response.protocol, response.mode)
        cell = next((cell for one, cell in self.cells.items() if one == condition), None)
        if cell is None:
            return  # of a condition that was run earlier and isn't asked for now
        if response.error is not None:
            cell.failed += 1
            self.failures[response.error] += 1
        else:
            cell.done += 1
        cell.flags.update(flags(response))
        cell.reader_calls += len(response.meta.get("reader_calls") or ())
        cost = response.meta.get("cost")
        cell.cost += cost or 0.0
        cell.unpriced += cost is None

    @property
    def complete(self) -> bool:
        """Whether every response is there."""
        return all(cell.done == cell.expected for cell in self.cells.values())

    def notes(self) -> Iterator[str]:
        """What a user should know, a line each."""
        for why, count in self.failures.most_common(3):
            yield f"{count} calls failed; the same command asks again: {why}"
        if count := self.unasked["budget"]:
            yield f"{count} questions were not asked: the rest of --max-cost would not do for the next one"
        if count := self.unasked["batch"]:
            yield f"{count} questions wait for a batch"
        if count := self.unasked["person"]:
            yield f"{count} questions wait for their answers; the same command goes on"

    def as_json(self, request: RunRequest) -> dict[str, Any]:
        """Documented in docs/output.md."""
        return {
            "schema_version": SCHEMA_VERSION,
            "run": str(request.out),
            "model": request.solver.name,
            "complete": self.complete,
            "cells": [
                {
                    "protocol": protocol,
                    "mode": mode,
                    "expected": cell.expected,
                    "done": cell.done,
                    "failed": cell.failed,
                    "unasked": cell.unasked,
                    "flags": {flag: cell.flags[flag] for flag in FLAGS},
                    "reader_calls": cell.reader_calls,
                    "cost": round(cell.cost, 9),
                    "unpriced": cell.unpriced,
                }
                for (protocol, mode), cell in self.cells.items()
            ],
            "unasked": dict(self.unasked),
            "failures": dict(self.failures),
        }


def run(
    request: RunRequest, open_asker: OpenAsker, progress: Callable[[RunState], None] | None = None
) -> RunState:
    """Make a run, or go on with one. Raises ArgusError; what was answered is kept."""
    told = progress or (lambda state: None)
    (state,) = run_all([(request, open_asker)], request.journal_path, lambda states: told(states[0]))
    return state


def run_all(
    asked: Sequence[tuple[RunRequest, OpenAsker]],
    journal: Path,
    progress: Callable[[Sequence[RunState]], None] = lambda states: None,
) -> list[RunState]:
    """Make several runs at once, with one journal. Raises ArgusError; what was answered is kept."""
    with ExitStack() as stack:
        kept = stack.enter_context(FileJournal(journal))
        running: list[_Running] = []
        states = [
            RunState({one: Cell(n) for one, n in request.plan.expected().items()}) for request, _ in asked
        ]
        for (request, _), state in zip(asked, states, strict=True):
            log = stack.enter_context(RunLog(request.out, request.header()))
            running.append(_Running(request, log, state, lambda: progress(states)))
        progress(states)

        async def work() -> None:
            async with asyncio.TaskGroup() as group:
                for one, (_, open_asker) in zip(running, asked, strict=True):
                    group.create_task(one.all(open_asker, kept))

        try:
            asyncio.run(work())
        except BaseExceptionGroup as several:
            raise _first(several) from None
        return states


def state_of(request: RunRequest) -> RunState:
    """What a run has come to, without asking anybody. Raises RunError for a file that is no run."""
    state = RunState.of(request.plan)
    if request.out.exists():
        for _, response in RunReader(request.out):
            state.count(response)
    return state


def _first(several: BaseExceptionGroup[BaseException]) -> BaseException:
    """The exception that ended it."""
    first = several.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first


class _Running:
    """The run's conversations under way."""

    def __init__(
        self, request: RunRequest, log: RunLog, state: RunState, progress: Callable[[], None]
    ) -> None:
        self._request = request
        self._log = log
        self._state = state
        self._progress = progress
        self._pictures = Pictures(request.problems, request.most_side)
        for response in log.known.values():
            self._state.count(response)

    async def all(self, open_asker: OpenAsker, journal: FileJournal) -> None:
        """Ask all that is missing."""
        conversations = self._missing()
        async with open_asker(journal, self._pictures) as asker:

            async def worker() -> None:
                for conversation in conversations:  # shared by all workers: each takes the next
                    await self._converse(conversation, asker)

            async with asyncio.TaskGroup() as group:
                for _ in range(self._request.width):
                    group.create_task(worker())

    def _missing(self) -> Iterator[Conversation]:
        for conversation in self._request.plan:
            if any(self._key(conversation, turn) not in self._log.known for turn in conversation.turns):
                yield conversation

    def _key(self, conversation: Conversation, turn: Turn) -> Key:
        protocol, mode = conversation.condition
        name = self._request.solver.name
        return (name, conversation.problem_id, turn.sub_id, protocol, mode, conversation.sample)

    async def _converse(self, conversation: Conversation, asker: Asker) -> None:
        asked = self._asked(conversation, asker)
        messages: list[Message] = [*opening(self._request.profile)]
        for index, turn in enumerate(conversation.turns):
            messages.append(self._message(conversation, turn))
            known = self._log.known.get(self._key(conversation, turn))
            if known is not None:
                messages += _carried(known)
                continue
            try:
                done = await exchange(messages, conversation.figures(index), asked)
            except NotAsked as refused:
                self._unasked(conversation, index, refused.why)
                return
            self._keep(conversation, turn, messages[-1], done)
            if done.error is not None:
                return  # the turns after it would have to be asked without it
            messages += done.carried

    def _asked(self, conversation: Conversation, asker: Asker) -> Asked:
        solver, sample = self._request.solver, conversation.sample
        reader = self._request.reader if conversation.condition[1] == "text_reader" else None
        return Asked(
            asker,
            solver.endpoint,
            solver.at(sample),
            sample,
            lambda figure: self._pictures.of(conversation.problem_id, figure).digest,
            reader,
        )

    def _message(self, conversation: Conversation, turn: Turn) -> Message:
        problem_id = conversation.problem_id
        return message(
            turn,
            conversation.condition[0],
            self._request.profile,
            lambda figure: self._pictures.of(problem_id, figure).digest,
            lambda attachment: _content(self._request.problems, problem_id, attachment.file),
        )

    def _keep(self, conversation: Conversation, turn: Turn, shown: Message, done: Exchange) -> None:
        protocol, mode = conversation.condition
        response = Response(
            model=self._request.solver.name,
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
        self._log.append(response)
        self._state.count(response)
        self._progress()

    def _meta(
        self, conversation: Conversation, turn: Turn, shown: Message, done: Exchange
    ) -> Mapping[str, Any]:
        """All that is recorded of a turn besides its answer."""
        reader = self._request.reader
        images = [
            self._pictures.of(conversation.problem_id, figure).record(figure.name)
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

    def _unasked(self, conversation: Conversation, index: int, why: str) -> None:
        left = len(conversation.turns) - index
        self._state.cells[conversation.condition].unasked += left
        self._state.unasked[why] += left
        self._progress()


def _carried(response: Response) -> list[Message]:
    """What the turns after a recorded response see of it."""
    if (kept := response.meta.get("carried")) is not None:
        return list(kept)
    return [{"role": "assistant", "content": response.text}] if response.text.strip() else []


def _content(problems: ProblemSet, problem_id: str, name: str) -> str:
    """The text of an input file. Raises UsageError for one that is no text."""
    data = problems.files[problem_id, "files", name].read()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError(
            "an input file is no text, so it can't be put into a message",
            file=name,
            do="Leave the problem out: name the others by --problem.",
        ) from None
