"""Who may work on what: one grader for a run, one process that creates or migrates the tables.

PostgreSQL holds an advisory lock for the session, SQLite an OS lock on a file
beside the database. Both end with the process that holds them, however it dies.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

from grader.archive.trouble import shown_url, told
from grader.errors import ArchiveBusy, SetupError
from grader.record import digest


@contextmanager
def only_grader(engine: Engine, run_digest: str) -> Iterator[None]:
    """Hold the run for the length of the block; ArchiveBusy if another grader has it."""
    with _held(engine, f"run {run_digest}", wait=False) as mine:
        if not mine:
            raise ArchiveBusy(
                "another grader is at work on this run",
                file=shown_url(engine.url),
                do="Wait for it to end, or name another archive with --archive.",
            )
        yield


@contextmanager
def only_auditor(engine: Engine, card: str) -> Iterator[None]:
    """Hold a judge card's audits for the length of the block; ArchiveBusy if somebody else has them."""
    with _held(engine, f"audits of {card}", wait=False) as mine:
        if not mine:
            raise ArchiveBusy(
                "this judge is being audited by another process",
                file=shown_url(engine.url),
                got=card,
                do="Wait for it to end, or name another archive with --archive.",
            )
        yield


@contextmanager
def only_migration(engine: Engine) -> Iterator[None]:
    """Wait until nobody else creates or migrates the tables, and hold that right."""
    with _held(engine, "schema", wait=True):
        yield


@contextmanager
def _held(engine: Engine, what: str, *, wait: bool) -> Iterator[bool]:
    held = _file_lock if engine.dialect.name == "sqlite" else _advisory_lock
    with held(engine, what, wait=wait) as mine:
        yield mine


@contextmanager
def _advisory_lock(engine: Engine, what: str, *, wait: bool) -> Iterator[bool]:
    key = int.from_bytes(bytes.fromhex(digest(["argus", what])[:16]), "big", signed=True)
    call = "pg_advisory_lock" if wait else "pg_try_advisory_lock"
    with told(engine.url):
        connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        connection.detach()  # closed, it ends its session; back in the pool it would keep the lock
    with connection:
        with told(engine.url):
            answer = connection.execute(text(f"SELECT {call}(:key)"), {"key": key}).scalar()
        mine = wait or bool(answer)
        try:
            yield mine
        finally:
            # a server may take a moment to end a session: the next grader shouldn't meet this one's lock
            with suppress(DBAPIError):
                if mine:
                    connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": key})


@contextmanager
def _file_lock(engine: Engine, what: str, *, wait: bool) -> Iterator[bool]:
    from filelock import FileLock, Timeout

    database = Path(str(engine.url.database)).resolve()
    folder = database.with_name(f"{database.name}.locks")
    try:
        folder.mkdir(exist_ok=True)
        lock = FileLock(folder / digest(what)[:16], timeout=-1 if wait else 0)
        lock.acquire()
    except Timeout:
        yield False
        return
    except OSError as error:
        raise SetupError(
            f"the archive can't be locked: {error.strerror}",
            file=shown_url(engine.url),
            do="Check the rights of its folder and the room on its disk.",
        ) from None
    try:
        yield True
    finally:
        lock.release()
