"""Which version of the tables an archive has, and bringing an older one up to date."""

from __future__ import annotations

import logging
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from grader.archive.connect import WRITES
from grader.archive.lock import only_migration
from grader.archive.trouble import shown_url, told
from grader.errors import ArchiveError, ArchiveTooNew

VERSIONS = ("0001", "0002", "0003", "0004", "0005", "0006")
"""Every released version of the tables, oldest first; known here so that opening imports no Alembic."""

VERSION_TABLE = "argus_version"
MIGRATIONS = Path(__file__).parent / "migrations"

_log = logging.getLogger(__name__)


def prepare(engine: Engine, *, create: bool) -> None:
    """See to it that the archive has today's tables: create them, migrate them or refuse.

    ArchiveTooNew for one written by a later Argus; ArchiveError for a database
    that is something else, or where ``create`` is False and there is none.
    """
    if _checked(engine, create=create) == VERSIONS[-1]:
        return
    with only_migration(engine), told(engine.url):
        if engine.dialect.name == "sqlite":
            with engine.connect() as connection:
                connection.connection.driver_connection.execute("PRAGMA journal_mode=WAL")  # type: ignore[union-attr]
        version = _checked(engine, create=create)  # whoever held the lock before may have done it
        if version != VERSIONS[-1]:
            if version is None:
                _check_encoding(engine)
            _migrate(engine, version)


def _checked(engine: Engine, *, create: bool) -> str | None:
    """The version of an archive that this Argus can use; None for an empty database."""
    place = shown_url(engine.url)
    if not create and engine.dialect.name == "sqlite" and not Path(str(engine.url.database)).exists():
        raise _none(place)  # SQLite would make an empty file
    with told(engine.url), engine.connect() as connection:
        version = _version(connection, place)
    if version is None and not create:
        raise _none(place)
    if version is not None and version not in VERSIONS:
        raise ArchiveTooNew(
            "the archive was written by a later Argus",
            file=place,
            got=f"version {version}",
            expected=f"at most {VERSIONS[-1]}",
            do="Update Argus, or name another archive.",
        )
    return version


def _none(place: str) -> ArchiveError:
    return ArchiveError("there is no archive", file=place, do="Grade a run first, or name its archive.")


def _version(connection: Connection, place: str) -> str | None:
    tables = inspect(connection).get_table_names()
    if VERSION_TABLE in tables:
        return connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()
    if tables:
        raise ArchiveError(
            "the database holds something else",
            file=place,
            got=f"a table {tables[0]!r}",
            do="Give the archive a database of its own.",
        )
    return None


def _check_encoding(engine: Engine) -> None:
    """Refuse a PostgreSQL database that can't hold all of Unicode, before the first answer that needs it."""
    if engine.dialect.name != "postgresql":
        return
    with engine.connect() as connection:
        encoding = connection.execute(text("SHOW server_encoding")).scalar()
    if encoding != "UTF8":
        raise ArchiveError(
            "the database can't hold every character",
            file=shown_url(engine.url),
            got=f"encoding {encoding}",
            expected="UTF8",
            do="Create it with createdb --encoding UTF8 --template template0.",
        )


def _migrate(engine: Engine, version: str | None) -> None:
    from alembic import command
    from alembic.config import Config

    if version is not None:
        _log.warning("updating the archive %s from version %s", shown_url(engine.url), version)
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    with engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
