"""A journal in a file: every try at a request on a line of its own, so that a run needs no database.

One process writes it. A line is on disk before anybody is told that it is
kept, and lines that wait at the same time share one write. Half a last line,
left by a kill, is cut off.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from grader.errors import DataError, UsageError, shown
from grader.model.failure import UNKNOWN
from grader.model.reply import Attempt, Reply, Usage
from grader.model.request import Endpoint, ModelRequest

MostCost = Callable[[ModelRequest, Usage], float]
"""US dollars that a try of unknown price can have cost."""

Place = tuple[int, int]
"""Where a line begins, and its length, in bytes."""


@dataclass(slots=True)
class _Line:
    """A line on its way to the disk."""

    data: bytes
    written: asyncio.Future[Place]
    begun: bool = False
    """A thread has it."""


class FileJournal:
    """Fulfils ``grader.model.reply.Journal`` over an append-only JSONL file. Use it as a context.

    Each line has the key of a ``request`` and one of ``asked`` (the request
    itself, before its first try is kept), ``reserved`` (US dollars, before a try
    under a limit) and ``attempt``.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._replies: dict[str, Place] = {}
        """Where in the file the last reply to a request stands."""
        self._asked: dict[str, Place] = {}
        self._reserved: dict[tuple[str, str], float] = {}
        self._unpriced: list[tuple[str, Usage]] = []
        self._spent = 0.0
        self._end = 0
        self._stream: IO[bytes] | None = None
        self._waiting: list[_Line] = []
        self._writer: asyncio.Task[None] | None = None

    def __enter__(self) -> Self:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            # unbuffered: what is refused for want of room must not come later
            self._stream = self.path.open("a+b", buffering=0)
        except OSError as error:
            raise self._refused(error) from None
        self._load(self._stream)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stream is not None:
            self._stream.close()

    def committed(self, most: MostCost) -> float:
        """US dollars that earlier tries count as: their cost, or the most they can have cost."""
        unpriced = sum(most(self._request(key), usage) for key, usage in self._unpriced)
        return self._spent + sum(self._reserved.values()) + unpriced

    def replied(self, keys: Iterable[str]) -> set[str]:
        """The requests among these that have a reply."""
        return {key for key in keys if key in self._replies}

    async def known(self, request: ModelRequest) -> Reply | None:
        """The last reply to the same request; None if there is none."""
        place = self._replies.get(request.key)
        if place is None:
            return None
        return Reply(request.key, _attempt(self._read(place)["attempt"]), archived=True)

    async def reserve(self, request: ModelRequest, started: datetime, most: float) -> None:
        """Set aside US dollars for a try before it is sent; on disk when this returns."""
        await self._write({"request": request.key, "reserved": most, "started": started.isoformat()})

    async def keep(self, request: ModelRequest, attempt: Attempt) -> None:
        """Keep a try; it is on disk when this returns."""
        if request.key not in self._asked:
            asked = {
                "model": request.endpoint.model,
                "api_base": request.endpoint.api_base,
                "messages": request.messages,
                "parameters": request.parameters,
                "output": request.output,
                "vote": request.vote,
            }
            self._asked[request.key] = await self._write({"request": request.key, "asked": asked})
        place = await self._write({"request": request.key, "attempt": _record(attempt)})
        if attempt.failure is None:
            self._replies[request.key] = place

    # Reading

    def _load(self, stream: IO[bytes]) -> None:
        stream.seek(0)
        for number, line in enumerate(stream, start=1):
            if not line.endswith(b"\n"):
                break  # half a line
            self._learn(number, line)
            self._end += len(line)
        stream.truncate(self._end)

    def _learn(self, number: int, line: bytes) -> None:
        place = (self._end, len(line))
        try:
            entry = json.loads(line)
            key = entry["request"]
            if "asked" in entry:
                self._asked[key] = place
            elif "reserved" in entry:
                self._reserved[key, entry["started"]] = float(entry["reserved"])
            else:
                self._count(key, _attempt(entry["attempt"]), place)
        except (ValueError, KeyError, TypeError, RecursionError):
            raise DataError(
                "no line of a journal",
                file=str(self.path),
                line=number,
                got=shown(line[:60].decode("utf-8", "replace")),
                do="Move the file away to begin anew: what it paid for is then asked and paid again.",
            ) from None

    def _count(self, key: str, attempt: Attempt, place: Place) -> None:
        if attempt.failure is None:
            self._replies[key] = place
        if attempt.cost is None and (attempt.failure is None or attempt.failure in UNKNOWN):
            if (key, attempt.started.isoformat()) not in self._reserved:
                self._unpriced.append((key, attempt.usage))
            return
        self._reserved.pop((key, attempt.started.isoformat()), None)
        self._spent += attempt.cost or 0.0

    def _request(self, key: str) -> ModelRequest:
        asked = self._read(self._asked[key])["asked"]
        endpoint = Endpoint(asked["model"], asked["api_base"])
        return ModelRequest(
            endpoint, tuple(asked["messages"]), asked["parameters"], asked["output"], asked["vote"]
        )

    def _read(self, place: Place) -> Any:
        assert self._stream is not None
        start, length = place
        return json.loads(os.pread(self._stream.fileno(), length, start))

    # Writing

    def _write(self, entry: Mapping[str, Any]) -> asyncio.Future[Place]:
        """Done when the line is on disk, with its place."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Place] = loop.create_future()
        line = json.dumps(entry, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"
        self._waiting.append(_Line(line, future))
        if self._writer is None or self._writer.done():
            self._writer = loop.create_task(self._write_all())
        return future

    async def _write_all(self) -> None:
        batch: list[_Line] = []
        try:
            while self._waiting:
                await asyncio.sleep(0)  # whoever is ready now comes along
                batch, self._waiting = self._waiting, []
                self._settle(batch, await asyncio.to_thread(self._append, batch))
        except asyncio.CancelledError:
            # the loop is closing; what was paid for is kept all the same
            for left in (batch, self._waiting):
                if not any(line.begun for line in left):
                    self._settle(left, self._append(left))
            raise

    def _settle(self, batch: list[_Line], refused: UsageError | None) -> None:
        """Tell everyone who still waits where their lines are, or why they are nowhere."""
        for line in batch:
            place = (self._end, len(line.data))
            self._end += 0 if refused else len(line.data)
            if line.written.done():
                continue
            if refused:
                line.written.set_exception(refused)
            else:
                line.written.set_result(place)

    def _append(self, batch: list[_Line]) -> UsageError | None:
        """Write and sync; what can't be written whole is taken back."""
        assert self._stream is not None
        for line in batch:
            line.begun = True
        try:
            view = memoryview(b"".join(line.data for line in batch))
            while view:
                view = view[os.write(self._stream.fileno(), view) :]
            os.fsync(self._stream.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._stream.fileno(), self._end)
            return self._refused(error)
        return None

    def _refused(self, error: OSError) -> UsageError:
        return UsageError(
            f"can't write the journal of the run: {error.strerror}",
            file=str(self.path),
            do="Check the path and the room on its disk; the same command goes on where this one ended.",
        )


def _record(attempt: Attempt) -> dict[str, Any]:
    kept = {
        name: value for name, value in asdict(attempt).items() if value is not None and value is not False
    }
    return {**kept, "started": attempt.started.isoformat()}


def _attempt(record: Mapping[str, Any]) -> Attempt:
    return Attempt(
        **{
            **record,
            "started": datetime.fromisoformat(record["started"]),
            "usage": Usage(**record.get("usage", {})),
        }
    )
