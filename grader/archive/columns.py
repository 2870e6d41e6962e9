"""What the columns of the archive are made of, and what its tables share."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from sqlalchemy import JSON, DateTime, Dialect, MetaData, Text
from sqlalchemy.orm import registry
from sqlalchemy.types import TypeDecorator
from sqlmodel import SQLModel

ESCAPE = "\x10"
"""DLE, the control character made for this; four hex digits follow."""

_UNSTORABLE = re.compile(f"[\x00{ESCAPE}\ud800-\udfff]")
_ESCAPED = re.compile(f"{ESCAPE}([0-9a-f]{{4}})")


class AnyText(TypeDecorator[str]):
    """Text that may hold whatever a model can return.

    PostgreSQL refuses NUL, both databases refuse lone surrogates. These are
    escaped on the way in and restored on the way out, so offsets stay true and
    ordinary text stays readable in SQL.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Escape what the databases can't hold."""
        if value is None or not _UNSTORABLE.search(value):
            return value
        return _UNSTORABLE.sub(lambda found: f"{ESCAPE}{ord(found[0]):04x}", value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        """Restore it."""
        if value is None or ESCAPE not in value:
            return value
        return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), value)


class Moment(TypeDecorator[datetime]):
    """A time in UTC; SQLite forgets the zone, so it is put back."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """The same moment, as UTC tells it."""
        return value and value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """The time, aware of its zone."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
PLAIN = JSON(none_as_null=True)
"""JSON that may be absent."""
CLUSTERED = {"sqlite_with_rowid": False}
"""The rows lie in the index of their key: half the pages."""


class Archived(SQLModel, registry=registry(metadata=MetaData(naming_convention=NAMES))):
    """What all tables share: their metadata and its naming of constraints."""
