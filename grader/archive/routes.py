"""What people are to look at: points routed to them as doubtful, and points drawn at random."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection, RowMapping, Table, exists, select

from grader.archive.append import append_changed
from grader.archive.entry import Grading, RouteEntry, SpotCheckEntry
from grader.archive.rows import Row
from grader.archive.tables import TABLES
from grader.record import Status

TRIAGE = TABLES["triage"]
SPOT_CHECKS = TABLES["spot_checks"]
LINES = TABLES["run_responses"]

PORTION = 200
"""Responses whose points are read at once."""

_SLOT = ("response_digest", "sub_id", "point_id")
_DRAW = SpotCheckEntry.__slots__


def put_routes(
    connection: Connection, grading: Grading, entries: Iterable[RouteEntry], created: datetime
) -> int:
    """Keep why points are doubtful; how many were new. See ``Archive.put_routes``."""
    rows = [_route_row(entry, grading, created) for entry in entries]
    return append_changed(
        connection,
        TRIAGE,
        rows,
        slot=_SLOT,
        leading=1,
        value=("reasons", "status", "award"),
        within=TRIAGE.c.grading_id == grading.id,
        nothing=lambda row: not row["reasons"],
    )


def put_spot_checks(
    connection: Connection, grading: Grading, entries: Iterable[SpotCheckEntry], created: datetime
) -> int:
    """Keep which points were drawn; how many were new. See ``Archive.put_spot_checks``."""
    rows = [_draw_row(entry, grading, created) for entry in entries]
    return append_changed(
        connection,
        SPOT_CHECKS,
        rows,
        slot=_SLOT,
        leading=1,
        value=("stratum", "probability", "seed", "point_hash", "answer_hash", "by"),
        within=SPOT_CHECKS.c.grading_id == grading.id,
        nothing=lambda row: row["stratum"] is None,
    )


def routed(connection: Connection, grading: Grading, after: int) -> tuple[int | None, list[RouteEntry]]:
    """What is doubtful about the next responses after a line, and the last line; None at the run's end."""
    last, rows = _portion(connection, TRIAGE, grading, after)
    return last, [_route_of(row) for row in rows if row["reasons"]]


def ever_routed(connection: Connection, grading: Grading) -> set[tuple[str, str, str]]:
    """Which points were doubtful at any time under a grading: response, subquestion, point."""
    columns = [*(TRIAGE.c[name] for name in _SLOT), TRIAGE.c.reasons]
    rows = connection.execute(select(*columns).where(TRIAGE.c.grading_id == grading.id))
    return {(response, sub_id, point_id) for response, sub_id, point_id, reasons in rows if reasons}


def drawn(connection: Connection, grading: Grading, after: int) -> tuple[int | None, list[SpotCheckEntry]]:
    """What is drawn of the next responses after a line, and the last line; None at the run's end."""
    last, rows = _portion(connection, SPOT_CHECKS, grading, after)
    return last, [_draw_of(row) for row in rows if row["stratum"] is not None]


def _portion(
    connection: Connection, table: Table, grading: Grading, after: int
) -> tuple[int | None, list[RowMapping]]:
    """The last revisions of the next responses of a run that have any, in the run's order."""
    any_row = exists().where(
        table.c.grading_id == grading.id, table.c.response_digest == LINES.c.response_digest
    )
    heads = (
        select(LINES.c.line, LINES.c.response_digest)
        .where(LINES.c.run_id == grading.run_id, LINES.c.line > after, any_row)
        .order_by(LINES.c.line)
        .limit(PORTION)
    )
    lines = {response: line for line, response in connection.execute(heads)}
    if not lines:
        return None, []
    query = (
        select(table)
        .where(table.c.grading_id == grading.id, table.c.response_digest.in_(list(lines)))
        .order_by(table.c.sub_id, table.c.point_id, table.c.revision)
    )
    holds = {tuple(row[name] for name in _SLOT): row for row in connection.execute(query).mappings()}
    return max(lines.values()), sorted(holds.values(), key=lambda row: lines[row["response_digest"]])


def _route_row(entry: RouteEntry, grading: Grading, created: datetime) -> Row:
    doubtful = bool(entry.reasons)
    return {
        "grading_id": grading.id,
        "response_digest": entry.response_digest,
        "sub_id": entry.sub_id,
        "point_id": entry.point_id,
        "reasons": list(entry.reasons),
        "status": entry.status.value if doubtful and entry.status else None,
        "award": entry.award if doubtful else None,
        "created": created,
    }


def _route_of(row: RowMapping) -> RouteEntry:
    status = Status(row["status"]) if row["status"] else None
    place = (row["response_digest"], row["sub_id"], row["point_id"])
    return RouteEntry(*place, tuple(row["reasons"]), status, row["award"])


def _draw_row(entry: SpotCheckEntry, grading: Grading, created: datetime) -> Row:
    row = {"grading_id": grading.id, **{name: getattr(entry, name) for name in _DRAW}, "created": created}
    return row if entry.stratum is not None else {**row, "probability": None, "seed": None, "by": None}


def _draw_of(row: RowMapping) -> SpotCheckEntry:
    return SpotCheckEntry(**{name: row[name] for name in _DRAW})
