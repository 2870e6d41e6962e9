"""A program that answers requests: JSON lines on its standard input, JSON lines on its standard output."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
from collections.abc import Sequence
from typing import Any, Self

from pydantic import Field, ValidationError, model_validator

from grader.errors import UsageError, shown
from grader.model.options import Closed, Money
from grader.model.reply import FailureKind

MOST_LINE = 2 * 1024 * 1024
"""Bytes of a reply: it has to fit into a line of the run, beside what was asked."""
GRACE = 5.0
"""Seconds that a program has to end by itself, and again once it is told to."""


class ProgramReply(Closed):
    """One line of a program's standard output."""

    request: str
    """Of the line that is answered."""
    text: str | None = None
    """The answer; null beside ``tool_calls`` or an ``error``."""
    reasoning: str | None = None
    tool_calls: list[dict[str, Any]] = Field(default_factory=list)
    """In OpenAI's shape."""
    finish_reason: str | None = None
    usage: dict[str, Any] | None = None
    """``prompt_tokens``, ``completion_tokens``, as OpenAI's API counts them."""
    cost: Money | None = None
    """US dollars."""
    files: list[str] = Field(default_factory=list)
    """Paths of files that belong to the answer."""
    error: str | None = Field(default=None, min_length=1)
    """Why there is no answer."""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.text is None and not self.tool_calls and self.error is None:
            raise ValueError("there is neither a text nor a tool call nor an error")
        return self


class ProgramFailed(Exception):
    """A program that has been of use owes a reply that will not come."""

    def __init__(self, kind: FailureKind, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail


class Program:
    """A program that is started by the first request to it and ended with the context. Not started twice."""

    def __init__(self, words: Sequence[str], patience: float) -> None:
        """``patience``: seconds for which it may say nothing at all while it owes a reply."""
        self.over: str | None = None
        """Why it is asked nothing more."""
        self._words = words
        self._patience = patience
        self._owed: dict[str, asyncio.Future[ProgramReply]] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._starting = asyncio.Lock()
        self._writing = asyncio.Lock()
        self._listener: asyncio.Task[None] | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._replied = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *raised: object) -> None:
        if self._process is not None:
            await self._end(self._process, gently=kind is None and self.over is None)

    def check(self) -> None:
        """Raises what a request would, now that the program is asked nothing more; else nothing."""
        if self.over is not None:
            raise self._failed("breaker", f"the program is asked nothing more: it {self.over}")

    async def ask(self, request: str, line: bytes) -> ProgramReply:
        """What it replies to a line that bears the key of its request.

        Raises ProgramFailed, and UsageError for a program that can't be started or that fails before
        its first reply.
        """
        process = await self._started()
        future: asyncio.Future[ProgramReply] = asyncio.get_running_loop().create_future()
        self._owed[request] = future
        if len(self._owed) == 1:
            self._listen_from_now()
        try:
            # one that has closed its input may have ended, and then the listener says how
            with contextlib.suppress(ConnectionError):
                await self._write(process, line)
            return await future
        finally:
            del self._owed[request]

    async def _started(self) -> asyncio.subprocess.Process:
        async with self._starting:
            if self._process is None:
                self._process = await self._start()
                self._listener = asyncio.create_task(self._listen(self._process))
            return self._process

    async def _start(self) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        try:
            return await asyncio.create_subprocess_exec(
                *self._words,
                stdin=pipe,
                stdout=pipe,
                limit=MOST_LINE,
                start_new_session=True,  # so that what it starts can be ended with it
            )
        except (OSError, ValueError) as error:
            raise UsageError(
                f"can't start the program: {getattr(error, 'strerror', None) or error}",
                got=shown(self._words[0]),
                do="Check --model-cmd: a program and its arguments; no shell reads them.",
            ) from None

    async def _write(self, process: asyncio.subprocess.Process, line: bytes) -> None:
        assert process.stdin is not None
        async with self._writing:
            process.stdin.write(line)
            await process.stdin.drain()

    # Listening

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        while True:
            try:
                line = await process.stdout.readline()
            except ValueError:
                self._give_up("unreadable_body", f"wrote a line of more than {MOST_LINE // 2**20} MiB")
                continue
            if not line:
                break
            if line.strip() and self.over is None:  # what else it writes is read, so that it can end
                self._hear(line)
        self._give_up("connection", await _how_it_ended(process))

    def _hear(self, line: bytes) -> None:
        reply = _read(line)
        if isinstance(reply, str):
            self._give_up("unreadable_body", f"wrote no reply: {_quoted(line)} ({reply})")
            return
        future = self._owed.get(reply.request)
        if future is None or future.done():
            self._give_up("unreadable_body", f"replied to no open request: {_quoted(line)}")
            return
        self._replied = True
        future.set_result(reply)
        self._listen_from_now()

    def _listen_from_now(self) -> None:
        """It has all of its patience again."""
        if self._alarm is not None:
            self._alarm.cancel()
        loop = asyncio.get_running_loop()
        self._alarm = loop.call_later(self._patience, self._hangs)

    def _hangs(self) -> None:
        if self._owed:
            self._give_up("timeout", f"said nothing for {self._patience:g} s")

    def _give_up(self, kind: FailureKind, why: str) -> None:
        """Expect nothing more of it."""
        if self.over is not None:
            return
        self.over = why
        for future in self._owed.values():
            if not future.done():
                future.set_exception(self._failed(kind, f"the program {why}"))
        if self._process is not None and self._process.stdin is not None:
            if not self._process.stdin.is_closing():
                self._process.stdin.transport.abort()  # whoever still writes to it needn't wait
            _tell(self._process, signal.SIGTERM)

    def _failed(self, kind: FailureKind, detail: str) -> Exception:
        if self._replied:
            return ProgramFailed(kind, detail)
        return UsageError(
            f"before its first reply, the program {self.over}",
            do="What it says on its standard error stands above; docs/solvers.md says how it is to reply.",
        )

    # Ending

    async def _end(self, process: asyncio.subprocess.Process, gently: bool) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        if gently and process.stdin is not None:
            process.stdin.close()
            await _ends(process)
        for told in (signal.SIGTERM, signal.SIGKILL):
            if process.returncode is None:
                _tell(process, told)
                await _ends(process)
        if self._listener is not None:
            self._listener.cancel()
            await asyncio.wait([self._listener])


async def _ends(process: asyncio.subprocess.Process) -> bool:
    """Whether it ends within its grace."""
    try:
        await asyncio.wait_for(process.wait(), GRACE)
    except TimeoutError:
        return False
    return True


async def _how_it_ended(process: asyncio.subprocess.Process) -> str:
    if not await _ends(process):
        return "closed its standard output"
    code = process.returncode or 0
    return f"ended with exit code {code}" if code >= 0 else f"was ended by signal {-code}"


def _tell(process: asyncio.subprocess.Process, told: signal.Signals) -> None:
    """Send a signal to it and to what it started."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, told)


def _read(line: bytes) -> ProgramReply | str:
    """A reply, or what is wrong with it."""
    try:
        return ProgramReply.model_validate(json.loads(line.decode("utf-8"), parse_constant=_constant))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = "/".join(map(str, first["loc"]))
        return f"{where}: {first['msg']}" if where else first["msg"]
    except (ValueError, RecursionError) as error:
        return f"no JSON: {error}"


def _constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _quoted(line: bytes) -> str:
    return shown(line.decode("utf-8", "replace").strip(), 100)
