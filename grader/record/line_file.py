"""A file of lines while it is made: one process appends to it, and a line is on disk before anybody is told.

Lines that wait at the same time share one write and one sync, in a thread: a
sync for each would hold up everything else. Half a last line, left by a kill,
is cut off.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import fcntl
import json
import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from grader.errors import UsageError

Place = tuple[int, int]
"""Where a line begins, and its length, in bytes."""

BLOCK = 64 * 1024


@dataclass(slots=True)
class _Entry:
    """Lines on their way to the disk."""

    lines: list[bytes]
    written: asyncio.Future[list[Place]]
    """For whoever waits; they may have gone."""
    outcome: list[Place] | Exception | None = None
    """Where the lines are on disk, or why they won't be."""

    def tell(self) -> None:
        """Say so to whoever still waits."""
        assert self.outcome is not None
        if self.written.done():
            return
        if isinstance(self.outcome, Exception):
            self.written.set_exception(self.outcome)
        else:
            self.written.set_result(self.outcome)


class LineFile:
    """Use it as a context: the file is there then, and no other process writes it."""

    def __init__(self, path: Path, what: str) -> None:
        """``what``: the file as messages name it, such as ``the run``."""
        self.path = path
        self._what = what
        self._stream: IO[bytes] | None = None
        self._end = 0
        self._waiting: list[_Entry] = []
        self._writer: asyncio.Task[None] | None = None
        self._writing = threading.Lock()

    def __enter__(self) -> Self:
        """Raises UsageError where the file can't be written, or another process does."""
        try:
            self._check_kind()
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._take(_locked(self.path))
        except BlockingIOError:
            raise UsageError(
                f"another process writes {self._what}",
                file=str(self.path),
                do="Wait for it, or end it.",
            ) from None
        except OSError as error:
            raise self._unwritable(error) from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def check(self) -> None:
        """Raises UsageError where the file can't be written, as far as can be told without writing."""
        try:
            self._check_kind()
            there = next(one for one in (self.path, *self.path.absolute().parents) if one.exists())
            if not (there == self.path or there.is_dir()):
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
            if not os.access(there, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        except OSError as error:
            raise self._unwritable(error) from None

    def _check_kind(self) -> None:
        if self.path.exists() and not self.path.is_file():
            what = f"{self._what} can only be kept in a file"
            raise UsageError(what, file=str(self.path), do="Name another path.")

    @property
    def _open(self) -> IO[bytes]:
        assert self._stream is not None
        return self._stream

    def _take(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._end = os.fstat(stream.fileno()).st_size

    # Reading

    def begin(self, count: int) -> bytes:
        """The first bytes."""
        return os.pread(self._open.fileno(), count, 0)

    def __iter__(self) -> Iterator[tuple[Place, bytes]]:
        """The whole lines, with their places."""
        start = 0
        with self.path.open("rb") as stream:
            for line in stream:
                if not line.endswith(b"\n"):
                    return
                yield (start, len(line)), line
                start += len(line)

    def read(self, place: Place) -> bytes:
        """The line at a place."""
        start, length = place
        return os.pread(self._open.fileno(), length, start)

    # Mending

    def mend(self) -> None:
        """Cut off half a last line, or end a whole one: a process that is killed may leave either."""
        start = self._last_end()
        rest = os.pread(self._open.fileno(), self._end - start, start)
        if not rest:
            return
        try:
            try:
                json.loads(rest)
            except ValueError:
                self._open.truncate(start)
            else:
                self._open.write(b"\n")
        except OSError as error:
            raise self._unwritable(error) from None
        self._take(self._open)

    def _last_end(self) -> int:
        """Where the last whole line ends."""
        end = self._end
        while end:
            start = max(0, end - BLOCK)
            found = os.pread(self._open.fileno(), end - start, start).rfind(b"\n")
            if found >= 0:
                return start + found + 1
            end = start
        return 0

    def replace(self, lines: Iterable[bytes]) -> None:
        """Other lines in place of all, whole or not at all. Raises UsageError where there is no room."""
        path = self.path.resolve()  # a link stays one
        part = path.with_name(f".{path.name}.part")
        try:
            stream = _locked(part)
            try:
                with part.open("wb") as out:
                    out.writelines(lines)
                    out.flush()
                    os.fsync(out.fileno())
                part.replace(path)
            except BaseException:
                stream.close()
                part.unlink(missing_ok=True)
                raise
        except OSError as error:
            raise self._unwritable(error) from None
        self._open.close()
        self._take(stream)

    # Appending

    def append(self, lines: Sequence[str]) -> asyncio.Future[list[Place]]:
        """Done when the lines are on disk, with their places; UsageError where there is no room for them.

        They are written even where nobody waits for it any more.
        """
        loop = asyncio.get_running_loop()
        # within JSON, what isn't Unicode (half a surrogate pair) comes out as its escape
        data = [line.encode("utf-8", "backslashreplace") + b"\n" for line in lines]
        entry = _Entry(data, loop.create_future())
        self._waiting.append(entry)
        if self._writer is None or self._writer.done():
            self._writer = loop.create_task(self._write_all())
        return entry.written

    async def _write_all(self) -> None:
        batch: list[_Entry] = []
        try:
            while self._waiting:
                await asyncio.sleep(0)  # whoever is ready now comes along
                batch, self._waiting = self._waiting, []
                await asyncio.to_thread(self._put, batch)
                for entry in batch:
                    entry.tell()
        except asyncio.CancelledError:
            # the loop is closing; what somebody wanted kept is kept all the same
            left, self._waiting = [*batch, *self._waiting], []
            self._put(left)
            for entry in left:
                entry.tell()
            raise

    def _put(self, batch: list[_Entry]) -> None:
        """Write and sync what isn't yet, one thread at a time; what can't be written whole is taken back."""
        with self._writing:
            batch = [entry for entry in batch if entry.outcome is None]
            try:
                self._write_whole(b"".join(line for entry in batch for line in entry.lines))
            except Exception as error:
                with contextlib.suppress(OSError):
                    self._open.truncate(self._end)
                refused = self._unwritable(error) if isinstance(error, OSError) else error
                for entry in batch:
                    entry.outcome = refused
                return
            for entry in batch:
                entry.outcome = [self._placed(line) for line in entry.lines]

    def _placed(self, line: bytes) -> Place:
        """Where a line stands that was written after those placed so far."""
        start, self._end = self._end, self._end + len(line)
        return start, len(line)

    def _write_whole(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._open.fileno(), view) :]
        os.fsync(self._open.fileno())

    def _unwritable(self, error: OSError) -> UsageError:
        return UsageError(
            f"can't write {self._what}: {error.strerror}",
            file=str(self.path),
            do="Check the path and the room on its disk; the same command goes on where this one ended.",
        )


def _locked(path: Path) -> IO[bytes]:
    """A file to read and append to, locked against other processes; BlockingIOError where one has it."""
    while True:
        # unbuffered: what is refused for want of room must not come later
        stream = path.open("a+b", buffering=0)
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # between opening and locking, its holder may have put another file in its place
            if os.path.samestat(os.fstat(stream.fileno()), path.stat()):
                return stream
        except BaseException:
            stream.close()
            raise
        stream.close()
