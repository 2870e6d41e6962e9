"""The tables of review: who may mark, what is to be marked, and every mark that was given."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index, Text, UniqueConstraint
from sqlmodel import Field

from grader.archive.columns import CLUSTERED, PLAIN, AnyText, Archived, Moment


class Reviewers(Archived, table=True):
    """A person who was invited to mark; the token itself is kept nowhere."""

    __tablename__ = "reviewers"

    name: str = Field(primary_key=True, sa_type=AnyText)
    token_hash: str = Field(sa_type=Text)
    """SHA-256 of the token of their link."""
    adjudicates: bool
    """May settle what other people's marks differ in."""
    created: datetime = Field(sa_type=Moment)
    revoked: datetime | None = Field(default=None, sa_type=Moment, nullable=True)


class ReviewItems(Archived, table=True):
    """A point of one or several answers that people are to mark; the queue is what is open."""

    __tablename__ = "review_items"
    __table_args__ = (
        UniqueConstraint("key"),
        Index("ix_review_items_queue", "state", "rank", "id"),
        Index("ix_review_items_holder", "holder", "state"),
        Index("ix_review_items_parent", "parent"),
        Index("ix_review_items_alike", "alike"),
    )

    id: int | None = Field(default=None, primary_key=True)
    key: str = Field(sa_type=Text)
    """What it is about; a second item about the same isn't made."""
    alike: str = Field(sa_type=Text)
    """Shared by items about one point in equal answers: split ones, and those that came later."""
    kind: str = Field(sa_type=Text)
    problem_id: str = Field(sa_type=AnyText)
    sub_id: str = Field(sa_type=AnyText)
    point_id: str = Field(sa_type=AnyText)
    point_hash: str = Field(sa_type=Text, foreign_key="points.point_hash")
    check_kind: str | None = Field(sa_type=Text)
    rank: float
    """Minus the priority: what comes first is least."""
    reasons: list[str] = Field(sa_type=JSON)
    about: str | None = Field(sa_type=AnyText)
    """Of a dispute: which verdict, by whom it was disputed and why."""
    parent: int | None = Field(default=None, foreign_key="review_items.id", nullable=True)
    """Of a second marking or an adjudication: the item whose answers are marked again."""
    gold: float | None
    """Of a seeded item: the award that is known to be right."""
    state: str = Field(sa_type=Text)
    holder: str | None = Field(sa_type=AnyText)
    """Who holds it, or who marked it."""
    lease: datetime | None = Field(default=None, sa_type=Moment, nullable=True)
    """Until when it is held."""
    created: datetime = Field(sa_type=Moment)


class ReviewMembers(Archived, table=True):
    """An answer that an item stands for; identical ones are marked once."""

    __tablename__ = "review_members"
    __table_args__ = (Index("ix_review_members_response_digest", "response_digest"), CLUSTERED)

    item_id: int = Field(primary_key=True, foreign_key="review_items.id")
    position: int = Field(primary_key=True)
    response_digest: str = Field(sa_type=Text, foreign_key="responses.digest")
    answer_hash: str = Field(sa_type=Text)


class ReviewBars(Archived, table=True):
    """A person who isn't shown an item: they skipped it, or marked the same answers before."""

    __tablename__ = "review_bars"
    __table_args__ = CLUSTERED

    reviewer: str = Field(primary_key=True, sa_type=AnyText)
    item_id: int = Field(primary_key=True, foreign_key="review_items.id")
    why: str = Field(sa_type=Text)
    created: datetime = Field(sa_type=Moment)


class ReviewMarks(Archived, table=True):
    """A mark as it was given; undoing it is another row."""

    __tablename__ = "review_marks"
    __table_args__ = (
        UniqueConstraint("form"),
        Index("ix_review_marks_item", "item_id"),
        Index("ix_review_marks_undoes", "undoes", unique=True),
    )

    id: int | None = Field(default=None, primary_key=True)
    item_id: int = Field(foreign_key="review_items.id")
    reviewer: str = Field(sa_type=AnyText)
    form: str = Field(sa_type=Text)
    """Of the form that was sent: sent twice, it is one mark."""
    status: str = Field(sa_type=Text)
    award: float | None
    award_follow: float | None
    evidence: list[list[Any]] | None = Field(sa_type=PLAIN)
    """``[quote, start, end]`` in the raw text of the item's first response."""
    reason: str = Field(sa_type=AnyText)
    says: str | None = Field(sa_type=Text)
    """That the rubric, or the question, is wrong."""
    seconds: float
    """Taken by the item, without idle time."""
    after_seen: bool
    """Given after the standing verdict had been shown."""
    undoes: int | None = Field(default=None, foreign_key="review_marks.id", nullable=True)
    created: datetime = Field(sa_type=Moment)
