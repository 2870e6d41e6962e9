"""What counts against a run's limit: what calls cost, and what was set aside where nobody knows that."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, exists, func, select

from grader.archive.append import insert_new
from grader.archive.call_entry import Reservation, StoredCall
from grader.archive.calls import CALLS, PORTION, stored
from grader.archive.tables import TABLES
from grader.model.failure import UNKNOWN

RESERVATIONS = TABLES["reservations"]

_SETTLED: ColumnElement[bool] = CALLS.c.cost.is_not(None) | CALLS.c.failure.not_in(sorted(UNKNOWN))
"""What a call cost is known: it says so, or it failed in a way that costs nothing."""
_UNSETTLED = CALLS.c.cost.is_(None) & (CALLS.c.failure.is_(None) | CALLS.c.failure.in_(sorted(UNKNOWN)))
_SAME_TRY = (RESERVATIONS.c.request_key == CALLS.c.request_key) & (RESERVATIONS.c.started == CALLS.c.started)


def put_reservations(connection: Connection, entries: Sequence[Reservation]) -> None:
    """Keep what is set aside. See ``Archive.put_reservations``."""
    insert_new(
        connection,
        RESERVATIONS,
        [
            {"run_id": one.run_id, "request_key": one.key, "started": one.started, "most": one.most}
            for one in entries
        ],
    )


def cost(connection: Connection, run_id: int) -> float:
    """US dollars, of the calls of a run whose cost is known."""
    query = select(func.sum(CALLS.c.cost)).where(CALLS.c.run_id == run_id)
    return connection.scalar(query) or 0.0


def reserved(connection: Connection, run_id: int) -> float:
    """US dollars set aside for the tries of a run of which nobody knows what they cost."""
    settled = exists().where(_SAME_TRY, _SETTLED)
    query = select(func.sum(RESERVATIONS.c.most)).where(RESERVATIONS.c.run_id == run_id, ~settled)
    return connection.scalar(query) or 0.0


def unpriced(connection: Connection, run_id: int, after: int) -> list[StoredCall]:
    """The next calls of a run after an id whose cost nobody knows and for which nothing was set aside."""
    there = exists().where(_SAME_TRY, RESERVATIONS.c.run_id == CALLS.c.run_id)
    query = select(CALLS).where(CALLS.c.run_id == run_id, CALLS.c.id > after, _UNSETTLED, ~there)
    return [stored(row) for row in connection.execute(query.order_by(CALLS.c.id).limit(PORTION)).mappings()]
