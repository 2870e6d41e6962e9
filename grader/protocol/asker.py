"""Whoever answers a run: a provider, a program, a person, a batch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from typing import Literal, Protocol

from grader.model.batching import BatchReport
from grader.model.journal_file import FileJournal
from grader.model.reply import Asker
from grader.protocol.pictures import Pictures

Kind = Literal["model", "program", "person"]
"""Of whoever answers: a model behind an API, a program that speaks JSON lines, a person."""


class OpenAsker(Protocol):
    """Whoever answers, for the length of a run; who inherits from it has nothing to check and to say."""

    report: BatchReport | None = None
    """What became of batch files, once the run has ended; None where there are none."""

    def check(self) -> None:
        """Raises ArgusError for whatever keeps it from answering; nothing is sent, written or started."""
        return

    def __call__(self, journal: FileJournal, images: Pictures) -> AbstractAsyncContextManager[Asker]:
        """Who is asked; replies are kept in the journal."""
        ...

    def notes(self) -> Iterator[str]:
        """What a user should know, a line each, once the run has ended."""
        return iter(())
