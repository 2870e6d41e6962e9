"""A run whose questions a program answers: an agent, a harness, a script."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import shutil
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from grader.errors import UsageError, shown
from grader.model.body import Images, sendable
from grader.model.failure import one_line
from grader.model.flights import Flights
from grader.model.journal_file import FileJournal
from grader.model.keys import Redactor
from grader.model.line import Terms
from grader.model.received import usage_of
from grader.model.reply import Asker, Attempt, CallFailed, Reply, Usage
from grader.model.request import Endpoint, ModelRequest
from grader.protocol.asker import OpenAsker
from grader.protocol.pictures import Pictures
from grader.protocol.program import Program, ProgramFailed, ProgramReply
from grader.protocol.reader import Reader
from grader.protocol.request import RunRequest
from grader.protocol.solver import Solver
from grader.record import digest


class Command(OpenAsker):
    """Asks one program for the length of a run: as the solver, or as the reader of text_reader."""

    def __init__(
        self, request: RunRequest, others: OpenAsker | None = None, asked: Solver | Reader | None = None
    ) -> None:
        """``asked``: the program, None: the solver; ``others`` answer what is asked elsewhere in the run.

        Raises UsageError for a command that names no program, or holds a key: the run records it.
        """
        self._asked = asked or request.solver
        self._redactor = Redactor(os.environ)
        self._words = _words(str(self._asked.cmd), self._redactor)
        self._request = request
        self._others = others

    def check(self) -> None:
        """Raises UsageError where there is no such program, and whatever keeps the others from answering."""
        check_program(str(self._asked.cmd))
        if self._others is not None:
            self._others.check()

    @asynccontextmanager
    async def __call__(self, journal: FileJournal, images: Pictures) -> AsyncIterator[Asker]:
        """Whoever answers, until the run ends."""
        terms, folder = self._asked.terms, self._request.out.resolve().parent
        async with AsyncExitStack() as stack:
            others = None
            if self._others is not None:
                others = await stack.enter_async_context(self._others(journal, images))
            program = await stack.enter_async_context(Program(self._words, terms.limits.timeout))
            own = _Asker(terms, folder, program, journal, images, self._redactor)
            yield _ByEndpoint(self._asked.endpoint, own, others)


def commanded(request: RunRequest, others: OpenAsker) -> OpenAsker:
    """Whoever answers a run: its programs, and ``others`` for the rest. Raises UsageError as Command does."""
    for asked in (request.reader, request.solver):
        if asked is not None and asked.kind == "program":
            others = Command(request, others, asked)
    return others


def check_program(cmd: str) -> None:
    """Raises UsageError as Command does, and where there is no such program."""
    program = _words(cmd, Redactor(os.environ))[0]
    if shutil.which(program) is None:
        raise UsageError("there is no such program", got=shown(program), do="Check the command.")


def _words(cmd: str, redactor: Redactor) -> list[str]:
    if redactor.text(cmd) != cmd:
        raise UsageError(
            "the command holds a key, and the run would record it",
            do="Let the program read it from the environment, which it is given.",
        )
    try:
        words = shlex.split(cmd)
    except ValueError as error:
        raise UsageError(
            "the command can't be read", got=shown(cmd), expected=f"words as in a shell ({error})"
        ) from None
    if not words:
        raise UsageError("the command names no program", got=shown(cmd))
    return words


@dataclass(frozen=True, slots=True)
class _ByEndpoint:
    endpoint: Endpoint
    own: Asker
    others: Asker | None

    async def ask(self, request: ModelRequest) -> Reply:
        """The reply of whoever is asked at the request's endpoint."""
        asker = self.own if request.endpoint == self.endpoint else self.others
        assert asker is not None
        return await asker.ask(request)


class _Asker:
    """Asks the program, once for each request."""

    def __init__(
        self,
        terms: Terms,
        folder: Path,
        program: Program,
        journal: FileJournal,
        images: Images,
        redactor: Redactor,
    ) -> None:
        """``folder`` of the run, from which its files are named."""
        self._prices = terms.prices
        self._folder = folder
        self._slots = asyncio.Semaphore(terms.limits.concurrency)
        self._program = program
        self._journal = journal
        self._images = images
        self._redactor = redactor
        self._flights = Flights()

    async def ask(self, request: ModelRequest) -> Reply:
        """The reply, from the journal or the program. Raises CallFailed, and UsageError as Program does."""
        return await self._flights.ask(request, self._ask)

    async def _ask(self, request: ModelRequest) -> Reply:
        if (known := await self._journal.known(request)) is not None:
            return replace(known, archived=True)
        async with self._slots:
            try:
                self._program.check()
            except ProgramFailed as failed:
                raise CallFailed(failed.kind, failed.detail) from None
            attempt = await self._attempt(request)
            await self._journal.keep(request, attempt)
        if attempt.failure is not None:
            raise CallFailed(attempt.failure, str(attempt.error))
        return Reply(request.key, attempt)

    async def _attempt(self, request: ModelRequest) -> Attempt:
        started, began = datetime.now(UTC), time.perf_counter()
        try:
            reply = await self._program.ask(request.key, request_line(request, self._images))
        except ProgramFailed as failed:
            latency = time.perf_counter() - began
            return Attempt(started, latency, failed.kind, one_line(self._redactor.text(failed.detail)))
        except asyncio.CancelledError:
            with suppress(Exception):
                cut = Attempt(started, time.perf_counter() - began, "cancelled", "interrupted before its end")
                await self._journal.keep(request, cut)
            raise
        return self._replied(reply, request, started, time.perf_counter() - began)

    def _replied(
        self, reply: ProgramReply, request: ModelRequest, started: datetime, latency: float
    ) -> Attempt:
        raw = self._redactor.json(self._raw(reply))
        usage = usage_of(raw)
        cost, source = self._cost(reply, usage, request.endpoint)
        attempt = Attempt(started, latency, usage=usage, cost=cost, cost_source=source)
        if reply.error is not None:
            error = one_line(self._redactor.text(reply.error))
            return replace(attempt, failure="server_error", error=error)
        return replace(attempt, raw=raw, finish_reason=reply.finish_reason)

    def _raw(self, reply: ProgramReply) -> dict[str, Any]:
        """A reply as a body in OpenAI's shape."""
        message: dict[str, Any] = {"role": "assistant", "content": reply.text}
        if reply.reasoning is not None:
            message["reasoning"] = reply.reasoning
        if reply.tool_calls:
            message["tool_calls"] = reply.tool_calls
        if reply.files:
            message["files"] = [os.path.relpath(Path(name).resolve(), self._folder) for name in reply.files]
        raw = {"choices": [{"message": message, "finish_reason": reply.finish_reason}]}
        return raw if reply.usage is None else {**raw, "usage": reply.usage}

    def _cost(self, reply: ProgramReply, usage: Usage, endpoint: Endpoint) -> tuple[float | None, str | None]:
        if reply.cost is not None:
            return reply.cost, "command"
        # no price list knows a program
        return self._prices.cost(usage, endpoint) if self._prices.given else (None, None)


def request_line(request: ModelRequest, images: Images) -> bytes:
    """A request as a program reads it; nothing in it names a problem, a protocol or a file."""
    line = {
        "request": request.key,
        "conversation": conversation(request),
        "messages": sendable(request, images)["messages"],
        "parameters": request.parameters,
        **request.output,
    }
    # ASCII: a program that reads in another encoding reads the same
    return json.dumps(line).encode("ascii") + b"\n"


def conversation(request: ModelRequest) -> str:
    """The same for all turns of a conversation, and for no other; a digest, which names nothing."""
    first = [message["role"] for message in request.messages].index("user")
    begins = request.messages[: first + 1]
    apart = (request.parameters, request.vote, request.conversation)
    return digest([*request.endpoint.identity, begins, *apart])
