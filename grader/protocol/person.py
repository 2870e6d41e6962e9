"""A run whose questions a person answers: in a terminal, or in a file to be filled in."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

from grader.errors import UsageError
from grader.model.journal_file import FileJournal
from grader.model.reply import Asker, Attempt, NotAsked, Reply
from grader.model.request import Message, ModelRequest
from grader.protocol.asker import OpenAsker
from grader.protocol.figure_files import FigureFiles, written
from grader.protocol.pictures import Pictures
from grader.protocol.request import RunRequest
from grader.protocol.run import state_of
from grader.protocol.sheet import place_of, read_sheet, write_sheet

END = "."
"""A line that holds nothing else ends an answer."""


class Terminal(OpenAsker):
    """Puts one question after another to whoever sits at the terminal.

    The end of the input ends the run early: what was answered is kept, and the rest waits.
    """

    def __init__(self, request: RunRequest, show: Callable[[str], None]) -> None:
        """``show`` puts a text on the screen. Raises UsageError for text_reader."""
        _refuse_reader(request)
        self._request = request
        self._show = show

    @asynccontextmanager
    async def __call__(self, journal: FileJournal, images: Pictures) -> AsyncIterator[Asker]:
        """The person, for the length of a run."""
        done = sum(cell.done for cell in state_of(self._request).cells.values())
        figures = FigureFiles(self._request, images, _beside(self._request.out))
        yield _Person(journal, _Session(self._request, figures, self._show, done).answer)


class AnswerFile(OpenAsker):
    """Writes the questions into a Markdown file, and takes the answers from there once it is filled in."""

    def __init__(self, request: RunRequest, path: Path) -> None:
        """Raises UsageError for conditions that a file can't give."""
        _refuse_reader(request)
        others = sorted({protocol for protocol, _ in request.plan.conditions} - {"full_problem"})
        if others:
            raise UsageError(
                "a file shows all of its questions at once, and with them what later ones tell",
                got=", ".join(others),
                expected="full_problem",
                do="Leave out --answers: in the terminal a question comes after the answer before it.",
            )
        self._request = request
        self._path = path
        self._unplaced = 0
        self._written = 0

    def check(self) -> None:
        """Raises DataError for answers that can't be read, UsageError where no questions can be written."""
        folder = self._path.resolve().parent
        if self._answers is None and not (folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)):
            what = "can't write the questions: their folder isn't there, or may not be written to"
            raise UsageError(what, file=str(folder))

    @cached_property
    def _answers(self) -> dict[str, str] | None:
        """What stands in the file; None where there is none yet."""
        return read_sheet(self._path) if self._path.exists() else None

    @asynccontextmanager
    async def __call__(self, journal: FileJournal, images: Pictures) -> AsyncIterator[Asker]:
        """The person, as far as the file speaks for them; where it is missing it is written in the end."""
        answers = self._answers
        asked: list[ModelRequest] = []

        def answer(request: ModelRequest) -> str | None:
            place = place_of(request.key)
            if answers is None:
                asked.append(request)
            elif place not in answers:
                self._unplaced += 1
            return (answers or {}).get(place) or None

        yield _Person(journal, answer)
        if asked:
            self._write(asked, images)

    def notes(self) -> Iterator[str]:
        """What the person should know, a line each, once the run has ended."""
        if self._written:
            yield f"{self._written} questions written to {self._path}: fill it in and give the same command"
        if self._unplaced:
            yield f"{self._unplaced} questions have no place in {self._path}: give them a file of their own"

    def _write(self, requests: Sequence[ModelRequest], images: Pictures) -> None:
        folder = _beside(self._path)
        figures = FigureFiles(self._request, images, folder)

        def linked(path: Path) -> str:
            return f"![{path.stem}]({quote(path.relative_to(folder.parent).as_posix())})"

        questions = {
            place_of(request.key): "\n\n".join(
                written(message, figures.written(request), linked) for message in request.messages
            )
            for request in requests
        }
        write_sheet(self._path, self._request.solver.name, questions)
        self._written = len(questions)


def _beside(path: Path) -> Path:
    """The folder of figures beside a file."""
    return path.with_name(f"{path.stem}.figures")


def _refuse_reader(request: RunRequest) -> None:
    if any(mode == "text_reader" for _, mode in request.plan.conditions):
        raise UsageError(
            "a person needs nobody to read figures for them",
            got="text_reader",
            expected="multimodal or text_only",
        )


class _Person:
    """Asks a person one thing at a time."""

    def __init__(self, journal: FileJournal, answer: Callable[[ModelRequest], str | None]) -> None:
        """``answer``: what the person says to a request, None while they say nothing."""
        self._journal = journal
        self._answer = answer
        self._one = asyncio.Lock()

    async def ask(self, request: ModelRequest) -> Reply:
        """The reply, from the journal or the person; raises NotAsked where there is none yet."""
        async with self._one:
            if (known := await self._journal.known(request)) is not None:
                return replace(known, archived=True)
            started, began = datetime.now(UTC), time.perf_counter()
            text = self._answer(request)
            if text is None:
                raise NotAsked(request, "person")
            raw = {"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]}
            took = time.perf_counter() - began
            # whatever a person gets, no call is billed
            attempt = Attempt(started, took, raw=raw, finish_reason="stop", cost=0.0, cost_source="person")
            await self._journal.keep(request, attempt)
        return Reply(request.key, attempt)


class _Session:
    """One sitting at the terminal."""

    def __init__(
        self, request: RunRequest, figures: FigureFiles, show: Callable[[str], None], done: int
    ) -> None:
        """``done``: how many questions were answered earlier."""
        self._total = sum(request.plan.expected().values())
        self._done = done
        self._figures = figures
        self._show = show
        self._seen: tuple[Message, ...] = ()
        """The conversation that stands on the screen, answers included."""
        self._left = False

    def answer(self, request: ModelRequest) -> str | None:
        """What is typed in answer to a request; None once the person has left."""
        if self._left:
            return None
        self._done += 1
        self._show(f"\n---- Question {self._done} of {self._total} ----\n")
        self._show(self._question(request))
        self._show(
            f'\nYour answer, ended by a line that holds only "{END}" (Ctrl-D leaves the rest for later):'
        )
        text = self._answer()
        if text is None:
            self._left = True
            return None
        own: tuple[Message, ...] = ({"role": "assistant", "content": text},) if text else ()
        self._seen = (*request.messages, *own)
        return text

    def _question(self, request: ModelRequest) -> str:
        """What is new of the conversation; all of it where it was begun in an earlier sitting."""
        seen = len(self._seen)
        new = request.messages[seen:] if request.messages[:seen] == self._seen else request.messages
        figures = self._figures.written(request)

        def at(path: Path) -> str:
            return f"[{path.stem}: {os.path.relpath(path)}]"

        texts = [
            f"Your earlier answer:\n{message['content']}"
            if message["role"] == "assistant"
            else written(message, figures, at)
            for message in new
        ]
        return "\n\n".join(texts)

    def _answer(self) -> str | None:
        lines: list[str] = []
        while (line := _line()) is not None:
            if line.strip() == END:
                return "\n".join(lines).strip()
            lines.append(line)
        if any(line.strip() for line in lines):
            self._show(f'\nThis answer was not ended by "{END}", so it is not kept.')
        return None


def _line() -> str | None:
    """The next line that is typed; None at the end of the input."""
    try:
        with _interruptible():
            return input()
    except EOFError:
        return None
    except KeyboardInterrupt:
        signal.raise_signal(signal.SIGINT)  # now it is the event loop's, which ends the run in order
        return None
    except UnicodeDecodeError:
        raise UsageError("what was typed is not UTF-8", do="Set the terminal to UTF-8.") from None


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C end the waiting for a line: the event loop would see it only when the line has come."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  # a line can be edited, and be longer than a terminal holds
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
