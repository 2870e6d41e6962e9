"""An open database: how it is read, written and closed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from threading import Lock
from types import TracebackType
from typing import Any, Self

from sqlalchemy import Connection
from sqlalchemy import Engine as Database

from grader.archive.connect import WRITES
from grader.archive.trouble import shown_url, told


class Opened:
    """What every part of the archive stands on."""

    def __init__(self, database: Database) -> None:
        self.database = database
        # SQLite has one writer: threads that wait here are woken, at the database they would poll
        self._turn: AbstractContextManager[Any] = (
            Lock() if database.dialect.name == "sqlite" else nullcontext()
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self.database.dispose()

    @property
    def name(self) -> str:
        """The archive as messages name it, without password."""
        return shown_url(self.database.url)

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._turn, told(self.database.url), self.database.connect() as connection:
            connection = connection.execution_options(**{WRITES: True})
            with connection.begin():
                yield connection

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with told(self.database.url), self.database.connect() as connection:
            yield connection


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)
