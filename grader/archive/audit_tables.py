"""The tables of audits with calls of their own: what a judge was asked about which variant of an answer."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index, Text, UniqueConstraint
from sqlmodel import Field

from grader.archive.columns import CLUSTERED, PLAIN, AnyText, Archived, Moment


class AuditDesigns(Archived, table=True):
    """One audit as a suite lays it out, with the texts it adds to answers; once for each of its contents."""

    __tablename__ = "audit_designs"

    hash: str = Field(primary_key=True, sa_type=Text)
    audit: str = Field(sa_type=Text)
    """A6, A7, ..."""
    content: dict[str, Any] = Field(sa_type=JSON)
    created: datetime = Field(sa_type=Moment)


class AuditTasks(Archived, table=True):
    """What a judge was asked about: question, answer, criteria; once for each of its contents."""

    __tablename__ = "audit_tasks"

    digest: str = Field(primary_key=True, sa_type=Text)
    content: dict[str, Any] = Field(sa_type=JSON)


class AuditAsked(Archived, table=True):
    """One variant of an answer before a judge, and what it said. None of it is a verdict of a run."""

    __tablename__ = "audit_asked"
    __table_args__ = (
        UniqueConstraint("design", "card", "response_digest", "sub_id", "variant"),
        Index("ix_audit_asked_response_digest", "response_digest"),
    )

    id: int | None = Field(default=None, primary_key=True)
    design: str = Field(sa_type=Text, foreign_key="audit_designs.hash")
    card: str = Field(sa_type=AnyText)
    """``<name>@<hash>``."""
    run_id: int = Field(foreign_key="runs.id")
    """The run the answer was taken from."""
    response_digest: str = Field(sa_type=Text, foreign_key="responses.digest")
    problem_id: str = Field(sa_type=AnyText)
    sub_id: str = Field(sa_type=AnyText)
    answer_hash: str = Field(sa_type=Text)
    variant: str = Field(sa_type=AnyText)
    """``base``, ``repeat 1``, ``attack order``, ..."""
    task: str = Field(sa_type=Text, foreign_key="audit_tasks.digest")
    repeat: int
    """0: the request as a grading sends it; of later repeats only the number of the vote differs."""
    calls: str | None = Field(sa_type=Text)
    """What one request asked about, where that wasn't what the card says: ``point`` or ``subquestion``."""
    about: dict[str, Any] | None = Field(sa_type=PLAIN)
    """What is to be known of the variant: which points it tests, what was changed."""
    outcome: dict[str, Any] = Field(sa_type=JSON)
    """By point: status, award, reason, confidence; it follows from the calls."""
    created: datetime = Field(sa_type=Moment)


class AuditCalls(Archived, table=True):
    """The requests that a variant's outcome rests on, in the order they were asked."""

    __tablename__ = "audit_calls"
    __table_args__ = (Index("ix_audit_calls_request_key", "request_key"), CLUSTERED)

    asked_id: int = Field(primary_key=True, foreign_key="audit_asked.id")
    position: int = Field(primary_key=True)
    request_key: str = Field(sa_type=Text, foreign_key="requests.key")


class AuditAnchors(Archived, table=True):
    """An answer of a frozen set that every version of a judge is asked about."""

    __tablename__ = "audit_anchors"
    __table_args__ = CLUSTERED

    design: str = Field(primary_key=True, sa_type=Text, foreign_key="audit_designs.hash")
    position: int = Field(primary_key=True)
    run_id: int = Field(foreign_key="runs.id")
    response_digest: str = Field(sa_type=Text, foreign_key="responses.digest")
    problem_id: str = Field(sa_type=AnyText)
    sub_id: str = Field(sa_type=AnyText)
    answer_hash: str = Field(sa_type=Text)
    task: str = Field(sa_type=Text, foreign_key="audit_tasks.digest")


class AuditReservations(Archived, table=True):
    """The most a try for an audit can cost, set aside under a limit before it was sent."""

    __tablename__ = "audit_reservations"
    __table_args__ = CLUSTERED

    card: str = Field(primary_key=True, sa_type=AnyText)
    request_key: str = Field(primary_key=True, sa_type=Text)
    """Of a request that is there only once a try at it has ended."""
    started: datetime = Field(primary_key=True, sa_type=Moment)
    most: float
    """US dollars."""
