"""A run.jsonl while it is made: a response is on disk before anybody is told, and a killed run goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from grader.errors import RunError
from grader.record.line_file import LineFile, Place
from grader.record.run_file import MAX_LINE, RunHeader, RunReader, response_line
from grader.record.run_terms import check_terms, joined
from grader.record.values import Response

Key = tuple[str, str, str | None, str, str, int]
"""What may occur once in a run: model, problem, subquestion, protocol, mode, sample."""


class RunLog:
    """The responses of a run, kept as they come. Use it as a context; one process writes one run.

    A file that is there already is gone on with: half a last line is cut off,
    and failed calls are dropped, so that they are asked again. Of the responses
    only the places are held in memory.
    """

    def __init__(
        self,
        path: Path,
        header: RunHeader,
        seen: Callable[[Response], None] = lambda response: None,
        final: Callable[[Response], bool] = lambda response: False,
    ) -> None:
        """``seen`` is told of each response that is there already; ``final``: a failed one that stays."""
        self.path = path
        self.header = header
        self._seen = seen
        self._final = final
        self._file = LineFile(path, "the run")
        self._places: dict[Key, Place] = {}
        self._left = ExitStack()

    def check(self) -> None:
        """Raises as entering does, as far as can be told without writing."""
        self._file.check()
        if self.path.is_file() and self.path.stat().st_size and self._binds():
            self._bound()

    def __enter__(self) -> Self:
        """Raises UsageError for a file that was made on other terms or can't be written, RunError for no run.

        Neither is changed.
        """
        with ExitStack() as stack:
            stack.enter_context(self._file)
            if self._file.begin(1) and self._binds():
                self._go_on()
            else:
                self._file.replace([_line(self.header)])
            self._left = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._left.close()

    def __contains__(self, key: Key) -> bool:
        return key in self._places

    def line(self, key: Key) -> Mapping[str, Any]:
        """A response that is there, as it stands in the file; KeyError for one that isn't."""
        line: Mapping[str, Any] = json.loads(self._file.read(self._places[key]))
        return line

    async def append(self, response: Response) -> Response:
        """Keep a response; it is on disk when this returns. Raises UsageError where the disk is full.

        Returned is what was kept: a failed call where no reader could read the line.
        """
        line = response_line(response)
        if len(line.encode("utf-8", "backslashreplace")) >= MAX_LINE:
            what = f"the answer and what was asked take more than {MAX_LINE // 2**20} MiB, a line of a run"
            response = replace(response, text="", error=what, meta={})
            line = response_line(response)
        (place,) = await self._file.append([line])
        if self._stays(response):
            self._places[response.key] = place
        return response

    def _stays(self, response: Response) -> bool:
        return response.error is None or self._final(response)

    def _binds(self) -> bool:
        """Whether what is there has to stay; a run whose calls all failed binds nobody to its terms."""
        reader = RunReader(self.path, keep_going=True)
        answered = any(self._stays(response) for _, response in reader)
        return answered or bool(reader.skipped) or reader.header.visible_hash is None

    def _bound(self) -> RunReader:
        """The run that is there, which is this one."""
        reader = RunReader(self.path)
        if reader.header.visible_hash is None:
            raise RunError(
                "the file is there, and is no run that argus run made",
                file=str(self.path),
                do="Name another file by --out.",
            )
        check_terms(reader.header, self.header, self.path)
        return reader

    def _go_on(self) -> None:
        reader = self._bound()
        self._file.mend()
        header = joined(reader.header, self.header)
        if self._learn(reader) or header != reader.header:
            self._rewrite(header)

    def _learn(self, reader: RunReader) -> bool:
        """Where each response stands; whether there are some to be asked again."""
        failed = False
        lines = enumerate(self._file, start=1)
        for number, response in reader:
            place = next(place for at, (place, _) in lines if at == number)
            if self._stays(response):
                self._places[response.key] = place
                self._seen(response)
            else:
                failed = True
        return failed

    def _rewrite(self, header: RunHeader) -> None:
        """Another header, and of the responses those that stay."""
        first = _line(header)
        start = len(first)
        moved = {}
        for key, (_, length) in self._places.items():
            moved[key] = (start, length)
            start += length
        self._file.replace(self._kept(first))
        self._places = moved

    def _kept(self, header: bytes) -> Iterator[bytes]:
        yield header
        yield from map(self._file.read, self._places.values())


def _line(header: RunHeader) -> bytes:
    return header.model_dump_json(exclude_none=True).encode() + b"\n"
