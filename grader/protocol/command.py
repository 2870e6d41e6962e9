"""A run whose questions a program answers: an agent, a harness, a script."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import shutil
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from grader.errors import UsageError, shown
from grader.model.askable import check_askable
from grader.model.body import Images, sendable
from grader.model.client import Client
from grader.model.failure import one_line
from grader.model.flights import Flights
from grader.model.journal_file import FileJournal
from grader.model.keys import Redactor
from grader.model.received import usage_of
from grader.model.reply import Asker, Attempt, CallFailed, Reply, Usage
from grader.model.request import Endpoint, ModelRequest
from grader.protocol.asker import OpenAsker
from grader.protocol.asking import Purse
from grader.protocol.program import Program, ProgramFailed, ProgramReply
from grader.protocol.request import RunRequest
from grader.record import digest


class Command(OpenAsker):
    """Asks one program for the length of a run.

    The reader of text_reader stays a model behind an API.
    """

    def __init__(self, cmd: str, request: RunRequest, purse: Purse | None = None) -> None:
        """``purse`` pays the reader. Raises UsageError for what names no program, or holds a key: the run
        records it.
        """
        self._words = _words(cmd)
        self._request = request
        self._purse = purse
        reader = request.reader
        self._terms = {reader.endpoint: reader.terms} if reader is not None else {}
        self._redactor = Redactor(os.environ)
        if self._redactor.text(cmd) != cmd:
            raise UsageError(
                "the command holds a key, and the run would record it",
                do="Let the program read it from the environment, which it is given.",
            )

    def check(self) -> None:
        """Raises UsageError where there is no such program, and as Provider does for the reader."""
        self.check_program()
        check_askable(self._terms, limited=self._purse is not None)

    def check_program(self) -> None:
        """Raises UsageError where there is no such program."""
        if shutil.which(self._words[0]) is None:
            raise UsageError("there is no such program", got=shown(self._words[0]), do="Check the command.")

    @asynccontextmanager
    async def __call__(self, journal: FileJournal, images: Images) -> AsyncIterator[Asker]:
        """Whoever answers, until the run ends."""
        solver = self._request.solver
        budget = self._purse.budget(journal) if self._purse else None
        async with AsyncExitStack() as stack:
            client = Client(self._terms, journal, budget=budget, images=images)
            askers: dict[Endpoint, Asker] = dict.fromkeys(self._terms, client)
            if askers:
                await stack.enter_async_context(client)
            program = await stack.enter_async_context(Program(self._words, solver.terms.limits.timeout))
            askers[solver.endpoint] = _Asker(self._request, program, journal, images, self._redactor)
            yield _ByEndpoint(askers)


def _words(cmd: str) -> list[str]:
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
    askers: Mapping[Endpoint, Asker]

    async def ask(self, request: ModelRequest) -> Reply:
        """The reply of whoever is asked at the request's endpoint."""
        return await self.askers[request.endpoint].ask(request)


class _Asker:
    """Asks the program, once for each request."""

    def __init__(
        self, request: RunRequest, program: Program, journal: FileJournal, images: Images, redactor: Redactor
    ) -> None:
        self._prices = request.solver.terms.prices
        self._folder = request.out.resolve().parent
        self._slots = asyncio.Semaphore(request.solver.terms.limits.concurrency)
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
    """The same for all turns of a conversation: a digest of how it begins, and of the sample."""
    first = [message["role"] for message in request.messages].index("user")
    begins = request.messages[: first + 1]
    return digest([*request.endpoint.identity, begins, request.parameters, request.vote])
