"""What follow-through needs: the value of a finding in full, and what was found to follow.

A migration is frozen once released: it spells its tables out and imports
nothing of today's.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add a column, an index and a table; nothing that is there changes."""
    op.add_column("findings", _text("value", optional=True))
    conversation = ["problem_id", "model", "mode", "sample"]
    op.create_index("ix_responses_conversation", "responses", conversation)
    op.create_table(
        "followed",
        *(_whole("id"), _text("point_hash"), _text("answer_hash"), _text("engine"), _text("basis")),
        *(_whole("revision"), _json("sources"), _json("expected")),
        *(_text("status"), _real("award", optional=True), _text("reason", optional=True)),
        *(_text("found", optional=True), _text("quote", optional=True)),
        *(_whole("span_start", optional=True), _whole("span_end", optional=True), _real("confidence")),
        *(_json("flags", optional=True), _json("rejected", optional=True), _text("detail")),
        *(_text("value", optional=True), sa.Column("created", sa.DateTime(timezone=True), nullable=False)),
        sa.PrimaryKeyConstraint("id", name="pk_followed"),
        sa.UniqueConstraint("point_hash", "answer_hash", "engine", "basis", "revision", name="uq_followed"),
        _refers("point_hash", "points.point_hash"),
        _refers("engine", "engines.key"),
    )
    refound = sa.text("revision > 0")
    op.create_index("ix_followed_refound", "followed", ["id"], sqlite_where=refound, postgresql_where=refound)


def _text(name: str, *, optional: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.Text(), nullable=optional)


def _whole(name: str, *, optional: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.Integer(), nullable=optional)


def _real(name: str, *, optional: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.Float(), nullable=optional)


def _json(name: str, *, optional: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.JSON(), nullable=optional)


def _refers(column: str, to: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [to], name=f"fk_followed_{column}")
