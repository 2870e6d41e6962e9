"""The tables of judging: what was asked, what came back, what people are to look at."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Text, UniqueConstraint
from sqlmodel import Field

from grader.archive.columns import CLUSTERED, PLAIN, AnyText, Archived, Moment


class RequestParts(Archived, table=True):
    """A message or an output schema, once however many requests hold it: votes, panels, repairs."""

    __tablename__ = "request_parts"

    digest: str = Field(primary_key=True, sa_type=Text)
    content: dict[str, Any] = Field(sa_type=JSON)


class Requests(Archived, table=True):
    """What a model was asked, once however often it was tried."""

    __tablename__ = "requests"

    key: str = Field(primary_key=True, sa_type=Text)
    model: str = Field(sa_type=AnyText)
    api_base: str | None = Field(sa_type=AnyText)
    vote: int
    created: datetime = Field(sa_type=Moment)
    body: dict[str, Any] = Field(sa_type=JSON)
    """``messages`` and ``output`` by their digests in ``request_parts``, and the ``parameters``."""


class Calls(Archived, table=True):
    """A try at a request, replied to or failed."""

    __tablename__ = "calls"
    __table_args__ = (UniqueConstraint("request_key", "attempt"),)

    id: int | None = Field(default=None, primary_key=True)
    request_key: str = Field(sa_type=Text, foreign_key="requests.key")
    attempt: int
    """0, 1, ... of the same request, by whomever it was asked."""
    run_id: int | None = Field(foreign_key="runs.id", index=True)
    card: str | None = Field(sa_type=AnyText)
    """``<name>@<hash>`` of the card it was asked for."""
    purpose: str = Field(sa_type=Text)
    started: datetime = Field(sa_type=Moment)
    latency: float
    failure: str | None = Field(sa_type=Text)
    error: str | None = Field(sa_type=AnyText)
    status: int | None
    served_model: str | None = Field(sa_type=AnyText)
    finish_reason: str | None = Field(sa_type=AnyText)
    prompt_tokens: int | None
    completion_tokens: int | None
    reasoning_tokens: int | None
    cost: float | None
    cost_source: str | None = Field(sa_type=AnyText)
    batch: bool
    raw: dict[str, Any] | None = Field(sa_type=PLAIN)
    """Last, so that SQLite adds costs up without turning the pages of the replies."""


class Reservations(Archived, table=True):
    """The most a try can cost, set aside under a limit before it was sent."""

    __tablename__ = "reservations"
    __table_args__ = CLUSTERED

    run_id: int = Field(primary_key=True, foreign_key="runs.id")
    request_key: str = Field(primary_key=True, sa_type=Text)
    """Of a request that is there only once a try at it has ended."""
    started: datetime = Field(primary_key=True, sa_type=Moment)
    """As in ``calls``, where the try stands once it has ended."""
    most: float
    """US dollars."""


class Triage(Archived, table=True):
    """Why a point was routed to people under a grading; the greatest revision holds."""

    __tablename__ = "triage"
    __table_args__ = CLUSTERED

    grading_id: int = Field(primary_key=True, foreign_key="gradings.id")
    response_digest: str = Field(primary_key=True, sa_type=Text, foreign_key="responses.digest")
    sub_id: str = Field(primary_key=True, sa_type=AnyText)
    point_id: str = Field(primary_key=True, sa_type=AnyText)
    revision: int = Field(primary_key=True)
    reasons: list[str] = Field(sa_type=JSON)
    """An empty list: no longer doubtful."""
    status: str | None = Field(sa_type=Text)
    award: float | None
    created: datetime = Field(sa_type=Moment)


class SpotChecks(Archived, table=True):
    """A point drawn for people to check whatever anybody thinks of it; the greatest revision holds."""

    __tablename__ = "spot_checks"
    __table_args__ = CLUSTERED

    grading_id: int = Field(primary_key=True, foreign_key="gradings.id")
    response_digest: str = Field(primary_key=True, sa_type=Text, foreign_key="responses.digest")
    sub_id: str = Field(primary_key=True, sa_type=AnyText)
    point_id: str = Field(primary_key=True, sa_type=AnyText)
    revision: int = Field(primary_key=True)
    stratum: str | None = Field(sa_type=Text)
    """None: no longer drawn, because it went to another stratum."""
    probability: float | None
    """With which an item of the stratum is drawn."""
    seed: int | None = Field(sa_type=BigInteger)
    point_hash: str = Field(sa_type=Text, foreign_key="points.point_hash")
    answer_hash: str = Field(sa_type=Text)
    by: str | None = Field(sa_type=AnyText)
    """Whose finding or verdict stood when it was drawn."""
    created: datetime = Field(sa_type=Moment)
