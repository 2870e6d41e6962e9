"""What audits with calls of their own need: designs, tasks, what was asked, frozen anchors, money set aside.

A migration is frozen once released: it spells its tables out and imports
nothing of today's.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add tables; nothing that is there changes."""
    op.create_table(
        "audit_designs",
        *(_text("hash"), _text("audit"), _json("content"), _moment("created")),
        sa.PrimaryKeyConstraint("hash", name="pk_audit_designs"),
    )
    op.create_table(
        "audit_tasks",
        *(_text("digest"), _json("content")),
        sa.PrimaryKeyConstraint("digest", name="pk_audit_tasks"),
    )
    op.create_table(
        "audit_asked",
        *(_whole("id"), _text("design"), _text("card"), _whole("run_id"), _text("response_digest")),
        *(_text("problem_id"), _text("sub_id"), _text("answer_hash"), _text("variant"), _text("task")),
        *(_whole("repeat"), _text("calls", optional=True), _json("about", optional=True)),
        *(_json("outcome"), _moment("created")),
        sa.PrimaryKeyConstraint("id", name="pk_audit_asked"),
        sa.UniqueConstraint(
            *("design", "card", "response_digest", "sub_id", "variant"), name="uq_audit_asked"
        ),
        _refers("audit_asked", "design", "audit_designs.hash"),
        _refers("audit_asked", "run_id", "runs.id"),
        _refers("audit_asked", "response_digest", "responses.digest"),
        _refers("audit_asked", "task", "audit_tasks.digest"),
    )
    op.create_index("ix_audit_asked_response_digest", "audit_asked", ["response_digest"])
    op.create_table(
        "audit_calls",
        *(_whole("asked_id"), _whole("position"), _text("request_key")),
        sa.PrimaryKeyConstraint("asked_id", "position", name="pk_audit_calls"),
        _refers("audit_calls", "asked_id", "audit_asked.id"),
        _refers("audit_calls", "request_key", "requests.key"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_audit_calls_request_key", "audit_calls", ["request_key"])
    op.create_table(
        "audit_anchors",
        *(_text("design"), _whole("position"), _whole("run_id"), _text("response_digest")),
        *(_text("problem_id"), _text("sub_id"), _text("answer_hash"), _text("task")),
        sa.PrimaryKeyConstraint("design", "position", name="pk_audit_anchors"),
        _refers("audit_anchors", "design", "audit_designs.hash"),
        _refers("audit_anchors", "run_id", "runs.id"),
        _refers("audit_anchors", "response_digest", "responses.digest"),
        _refers("audit_anchors", "task", "audit_tasks.digest"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "audit_reservations",
        *(_text("card"), _text("request_key"), _moment("started"), _real("most")),
        sa.PrimaryKeyConstraint("card", "request_key", "started", name="pk_audit_reservations"),
        sqlite_with_rowid=False,
    )


def _text(name: str, *, optional: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.Text(), nullable=optional)


def _whole(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Integer(), nullable=False)


def _real(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Float(), nullable=False)


def _json(name: str, *, optional: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.JSON(), nullable=optional)


def _moment(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=False)


def _refers(table: str, column: str, to: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [to], name=f"fk_{table}_{column}")
