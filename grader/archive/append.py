"""The two ways rows enter the archive: content that is new, and outcomes that came out differently."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Insert, Table, Text, select, text, tuple_
from sqlalchemy.dialects import postgresql, sqlite

from grader.archive.rows import Row

AT_ONCE = 500
"""Keys that go into one query."""

Key = tuple[Any, ...]

# A list of pairs is handed over as one JSON parameter: SQLite looks a list of
# row values up by scanning the table, the pairs of a subquery through the index.
_PAIRS = {
    "sqlite": text(
        "SELECT json_extract(value, '$[0]') AS one, json_extract(value, '$[1]') AS other"
        " FROM json_each(:keys)"
    ),
    "postgresql": text(
        "SELECT value ->> 0 AS one, value ->> 1 AS other FROM json_array_elements(CAST(:keys AS json))"
    ),
}


def portions(values: Iterable[Any]) -> Iterator[list[Any]]:
    """Cut into lists of at most ``AT_ONCE``, each value once."""
    unique = list(dict.fromkeys(values))
    for start in range(0, len(unique), AT_ONCE):
        yield unique[start : start + AT_ONCE]


def among(
    connection: Connection, table: Table, names: Sequence[str], keys: Sequence[Key]
) -> ColumnElement[bool]:
    """The rows whose columns (one, or two of hashes) are among ``keys``; at most ``AT_ONCE`` of them."""
    if len(names) == 1:
        return table.c[names[0]].in_([key[0] for key in keys])
    pairs = _PAIRS[connection.dialect.name].bindparams(keys=json.dumps(keys))
    wanted = pairs.columns(one=Text, other=Text).subquery()
    return tuple_(*(table.c[name] for name in names)).in_(select(wanted.c.one, wanted.c.other))


def insert_new(connection: Connection, table: Table, rows: Sequence[Row]) -> int:
    """Insert rows whose unique key isn't there yet, and leave the others as they are; how many were new.

    Content-addressed rows are sorted by key, or two PostgreSQL sessions that
    write the same rows could wait for each other for ever.
    """
    if not rows:
        return 0
    key = [column.name for column in table.primary_key]
    if all(name in rows[0] for name in key):
        rows = sorted(rows, key=lambda row: tuple(row[name] for name in key))
    statement = _insert(connection, table).execution_options(preserve_rowcount=True)
    return connection.execute(statement, rows).rowcount


def _insert(connection: Connection, table: Table) -> Insert:
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table).on_conflict_do_nothing()
    return postgresql.insert(table).on_conflict_do_nothing()


def append_changed(
    connection: Connection,
    table: Table,
    rows: Sequence[Row],
    *,
    slot: Sequence[str],
    leading: int,
    value: Sequence[str],
    within: ColumnElement[bool] | None = None,
    nothing: Callable[[Row], bool] = lambda row: False,
) -> int:
    """Append each row whose ``value`` differs from the last revision in its ``slot``; how many there were.

    The ``leading`` names of ``slot`` begin an index of the table, through which
    earlier revisions are found; ``within`` narrows them down to the part of the
    table that all rows belong to. Of several rows of one call in the same slot
    the last counts. Rows that say ``nothing`` are only news where something was
    said before.
    """
    last = {tuple(row[name] for name in slot): row for row in rows}
    known: dict[Key, tuple[int, Key]] = {}
    columns = [table.c[name] for name in (*slot, "revision", *value)]
    for keys in portions(key[:leading] for key in last):
        query = select(*columns).where(among(connection, table, slot[:leading], keys))
        if within is not None:
            query = query.where(within)
        for found in connection.execute(query.order_by(table.c.revision)):
            known[tuple(found[: len(slot)])] = (found[len(slot)], tuple(found[len(slot) + 1 :]))
    fresh = []
    for key, row in last.items():
        revision, earlier = known.get(key, (-1, None))
        if earlier is None and nothing(row):
            continue
        if earlier != tuple(row[name] for name in value):
            fresh.append({**row, "revision": revision + 1})
    return insert_new(connection, table, fresh)
