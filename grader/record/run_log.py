"""A run.jsonl while it is made: a response is on disk when its line is written, and a killed run goes on."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from filelock import FileLock, Timeout

from grader.errors import UsageError
from grader.record.run_file import RunHeader, RunReader, response_line
from grader.record.values import Response

Key = tuple[str, str, str | None, str, str, int]
"""What may occur once in a run: model, problem, subquestion, protocol, mode, sample."""


class RunLog:
    """The responses of a run, kept as they come. Use it as a context; one process writes one run.

    A file that is there already is gone on with: half a last line is cut off,
    and failed calls are dropped, so that they are asked again. One without an
    answer holds nothing that binds: it is begun anew on the terms of now.
    """

    def __init__(self, path: Path, header: RunHeader) -> None:
        """Raises UsageError for a file that was made on other terms, RunError for one that is no run."""
        self.path = path
        self.header = header
        self.known: dict[Key, Response] = {}
        """The responses that are there already."""
        self._stream: IO[bytes] | None = None
        self._lock = FileLock(path.with_name(f".{path.name}.lock"))

    def __enter__(self) -> Self:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock.acquire(blocking=False)
            self._begin()
        except Timeout:
            raise UsageError(
                "another process is making this run", file=str(self.path), do="Wait for it, or end it."
            ) from None
        except OSError as error:
            self._lock.release()
            raise UsageError(
                f"can't write the run: {error.strerror}", file=str(self.path), do="Check the path."
            ) from None
        except BaseException:
            self._lock.release()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stream is not None:
            self._stream.close()
        self._lock.release()

    def _begin(self) -> None:
        if self.path.exists():
            _mend(self.path)
        if self.path.exists() and self.path.stat().st_size:
            self._go_on()
        else:
            self._replace([])
        self._stream = self.path.open("ab")

    def append(self, response: Response) -> None:
        """Keep a response; it is on disk when this returns. Raises UsageError where the disk is full."""
        assert self._stream is not None
        line = (response_line(response) + "\n").encode("utf-8", "surrogatepass")
        start = self._stream.tell()
        try:
            self._stream.write(line)
            self._stream.flush()
            os.fsync(self._stream.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):
                self._stream.truncate(start)
            raise UsageError(
                f"can't write the run: {error.strerror}",
                file=str(self.path),
                do="Make room; the same command goes on where this one ended.",
            ) from None

    def _go_on(self) -> None:
        reader = RunReader(self.path)
        responses = [response for _, response in reader]
        kept = [response for response in responses if response.error is None]
        if kept:
            self._same_terms(reader.header)
        if not kept or len(kept) < len(responses):
            self._replace(kept)
        self.known = {response.key: response for response in kept}

    def _same_terms(self, there: RunHeader) -> None:
        mine, theirs = _terms(self.header), _terms(there)
        different = sorted(name for name in {*mine, *theirs} if mine.get(name) != theirs.get(name))
        if different:
            name = different[0]
            raise UsageError(
                f"the run was made on other terms: {', '.join(different)}",
                file=str(self.path),
                got=f"{name}: {json.dumps(mine.get(name), ensure_ascii=False)}",
                expected=json.dumps(theirs.get(name), ensure_ascii=False),
                do="Give the same options to go on with it, or another file to begin anew.",
            )

    def _replace(self, responses: list[Response]) -> None:
        """Write the file anew, whole or not at all."""
        part = self.path.with_name(f".{self.path.name}.part")
        try:
            with part.open("wb") as stream:
                for line in self._lines(responses):
                    stream.write(line.encode("utf-8", "surrogatepass") + b"\n")
                stream.flush()
                os.fsync(stream.fileno())
            part.replace(self.path)
        finally:
            part.unlink(missing_ok=True)

    def _lines(self, responses: list[Response]) -> Iterator[str]:
        yield self.header.model_dump_json(exclude_none=True)
        yield from map(response_line, responses)


def _mend(path: Path) -> None:
    """Cut off half a last line, or end a whole one: a process that is killed may leave either."""
    with path.open("r+b") as stream:
        data = stream.read()
        start = data.rfind(b"\n") + 1
        if start == len(data):
            return
        try:
            json.loads(data[start:])
        except ValueError:
            stream.truncate(start)
        else:
            stream.write(b"\n")


def _terms(header: RunHeader) -> dict[str, Any]:
    """What has to be the same for a run to go on; versions may move, and so may the folders."""
    return header.model_dump(
        mode="json", exclude={"versions", "schema_version", "problems"}, exclude_none=True
    )
