"""From what a user names as archive to a database engine that keeps our promises."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from grader.errors import SetupError, UsageError

DEFAULT = "sqlite:///argus.db"
VARIABLE = "ARGUS_ARCHIVE"
BUSY_SECONDS = 60
WRITES = "argus_writes"
"""Execution option of a connection whose transaction will write."""

_CACHE_KIB = 16_000
_CHECKPOINT_PAGES = 4_000


def archive_url(given: str | None) -> URL:
    """The database that ``given``, or else ARGUS_ARCHIVE, or else ``argus.db`` names.

    A path, ``sqlite:///PATH`` or ``postgresql://...``; UsageError for anything else.
    """
    named = given or os.environ.get(VARIABLE) or DEFAULT
    if named == ":memory:":
        raise _unnamed("an archive in memory would be lost with the command", got=named)
    if "://" not in named:
        return URL.create("sqlite", database=named)
    try:
        url = make_url(named)
    except (ArgumentError, ValueError):
        raise _unnamed("the archive's URL can't be read") from None
    backend = url.drivername.partition("+")[0]
    if backend in {"postgresql", "postgres"}:
        return url.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise _unnamed("no such kind of archive", got=url.drivername)
    if not url.database or url.database == ":memory:":
        raise _unnamed("an archive in memory would be lost with the command", got=named)
    return URL.create("sqlite", database=url.database)


def _unnamed(what: str, got: str | None = None) -> UsageError:
    return UsageError(
        what,
        got=got,
        expected="a path, sqlite:///PATH or postgresql://USER@HOST/DATABASE",
        do=f"Name the archive with --archive or in {VARIABLE}.",
    )


_COMPACT = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
_ESCAPED = json.JSONEncoder(separators=(",", ":")).encode


def _json(value: Any) -> str:
    """JSON as its columns hold it: short and readable; lone surrogates escaped, NaN and Infinity as text."""
    try:
        text = _COMPACT(value)
    except ValueError:
        return _json(_spelt(value))
    try:
        text.encode()
    except UnicodeEncodeError:
        return _ESCAPED(value)
    return text


def _spelt(value: Any) -> Any:
    """The value, its numbers that JSON has no word for as text."""
    if isinstance(value, dict):
        return {name: _spelt(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_spelt(one) for one in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def connect(url: URL) -> Engine:
    """An engine for the archive; nothing is opened yet."""
    return _sqlite(url) if url.get_backend_name() == "sqlite" else _postgres(url)


def _sqlite(url: URL) -> Engine:
    path = Path(str(url.database))
    if path.is_dir():
        raise SetupError("the archive is a folder", file=str(path), do="Name a file in it.")
    if not path.parent.is_dir():
        raise SetupError(
            "the archive's folder does not exist", file=str(path), do=f"Make {path.parent}, or name another."
        )
    # the time-out is set while connecting, before any pragma can meet a lock
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS}, json_serializer=_json)
    event.listen(engine, "connect", _pragmas)
    event.listen(engine, "begin", _begin)
    return engine


def _pragmas(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # we begin transactions ourselves, see _begin
    for pragma in (
        "foreign_keys=ON",
        "synchronous=NORMAL",
        f"cache_size=-{_CACHE_KIB}",
        f"wal_autocheckpoint={_CHECKPOINT_PAGES}",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    """A transaction that writes takes the lock at once: one that reads first could only fail to get it."""
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _postgres(url: URL) -> Engine:
    try:
        return create_engine(url, connect_args={"application_name": "argus"}, json_serializer=_json)
    except ModuleNotFoundError:
        raise SetupError(
            "an archive on PostgreSQL needs the driver psycopg",
            do="Install it: pip install 'argus-rubric[postgres]'.",
        ) from None
