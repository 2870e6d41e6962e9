"""What a database says when it fails, as what happened and what the user can do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError

from grader.errors import ArchiveError, ArgusError, SetupError

SAFE = "Nothing already written is lost: the same command goes on where it stopped."

_Told = tuple[type[ArgusError], str, str]

# https://www.sqlite.org/rescode.html, primary codes
_SQLITE: dict[int, _Told] = {
    3: (SetupError, "the archive can't be read or written", "Check the rights of the file and its folder."),
    5: (ArchiveError, "another process keeps the archive busy", f"Wait for it to end. {SAFE}"),
    6: (ArchiveError, "another process keeps the archive busy", f"Wait for it to end. {SAFE}"),
    8: (
        SetupError,
        "the archive is read-only",
        "Check the rights of the file and its folder, or name another.",
    ),
    10: (SetupError, "the disk failed while the archive was used", f"See that it works and has room. {SAFE}"),
    11: (ArchiveError, "the archive is damaged", "Restore a copy, or name another archive."),
    13: (SetupError, "the disk is full", f"Make room. {SAFE}"),
    14: (SetupError, "the archive can't be opened", "Check that its folder exists and can be written."),
    26: (ArchiveError, "the file is no SQLite database", "Name another archive."),
}

# https://www.postgresql.org/docs/current/errcodes-appendix.html
_POSTGRES: dict[str, _Told] = {
    "25006": (SetupError, "the archive is read-only", "Name a server that accepts writes."),
    "3D000": (ArchiveError, "the server has no such database", "Create it with createdb, or name another."),
    "42501": (SetupError, "the user lacks a right on the archive", "Grant it, or name another user."),
    "53100": (SetupError, "the server's disk is full", f"Make room. {SAFE}"),
}
_LOST: _Told = (ArchiveError, "the connection to the server broke", f"Check the server. {SAFE}")
_UNREACHED: _Told = (ArchiveError, "the server can't be used", "Check address, user and password of the URL.")


@contextmanager
def told(url: URL) -> Iterator[None]:
    """Turn an error of the database that a user can mend into an ArgusError; others are bugs and pass."""
    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:
        known = _known(error)
        if known is None:
            raise
        kind, what, do = known
        said = next(iter(str(_cause(error)).strip().splitlines()), type(_cause(error)).__name__)
        raise kind(what, file=shown_url(url), got=without_password(said, url), do=do) from error


def shown_url(url: URL) -> str:
    """The archive as messages name it: the path of a file, or the URL without its password."""
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    return url.set(drivername="postgresql").render_as_string(hide_password=True)


def without_password(said: str, url: URL) -> str:
    """What a server said, without the password, should it repeat it."""
    return said.replace(str(url.password), "***") if url.password else said


def _cause(error: DBAPIError | sqlite3.Error) -> BaseException:
    """The driver's own error."""
    return cast(BaseException, error.orig) if isinstance(error, DBAPIError) else error


def _known(error: DBAPIError | sqlite3.Error) -> _Told | None:
    code = getattr(_cause(error), "sqlite_errorcode", None)
    if code is not None:
        return _SQLITE.get(code & 0xFF)
    if not isinstance(error, DBAPIError):
        return None
    state = getattr(error.orig, "sqlstate", None)
    if state in _POSTGRES:
        return _POSTGRES[state]
    if error.connection_invalidated or (state or "").startswith(("08", "57P")):
        return _LOST
    # psycopg gives no state where the connection was never made
    return _UNREACHED if state is None and type(error.orig).__name__ == "OperationalError" else None
