"""What providers said they served to a judge: a few rows, however many calls there were."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, select

from grader.archive.calls import CALLS, REQUESTS

JUDGING = ("judge", "locator")
"""The purposes of calls that verdicts come from."""


@dataclass(frozen=True, slots=True)
class Served:
    """The replies that a judge had from one model under one name."""

    model: str
    """As it was asked for."""
    served: str | None
    """As the provider called it; None where it said nothing."""
    replies: int
    first: datetime
    last: datetime
    key: str
    """Of one of the requests."""


def served(connection: Connection, card: str) -> list[Served]:
    """The replies to the judging calls of a card ``<name>@<hash>``, by model and served model."""
    names = (REQUESTS.c.model, CALLS.c.served_model)
    found = (
        func.count(),
        func.min(CALLS.c.started),
        func.max(CALLS.c.started),
        func.max(CALLS.c.request_key),
    )
    query = (
        select(*names, *found)
        .join_from(CALLS, REQUESTS, CALLS.c.request_key == REQUESTS.c.key)
        .where(CALLS.c.card == card, CALLS.c.failure.is_(None), CALLS.c.purpose.in_(JUDGING))
        .group_by(*names)
        .order_by(*names)
    )
    return [Served(*row) for row in connection.execute(query)]
