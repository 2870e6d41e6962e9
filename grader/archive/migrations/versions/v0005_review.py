"""What review needs: people, items, who holds them, marks; and a view of what stands that heeds undone ones.

A migration is frozen once released: it spells its tables out and imports
nothing of today's. The view is the one of 0004, which is as frozen, but for the marks.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from grader.archive.migrations.versions import v0004_standing_verdicts as earlier

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add tables, and make the view anew; nothing that is there changes."""
    _add_tables()
    op.execute("DROP VIEW standing_verdicts")
    op.execute(_view().format(**earlier._SPELT[op.get_bind().dialect.name]))


def _view() -> str:
    """The view of 0004 without the marks of people who took theirs back."""
    said, people = _SAID
    assert earlier._VIEW.count(said[0]) == earlier._VIEW.count(people[0]) == 1
    return earlier._VIEW.replace(*said).replace(*people)


_SAID = (
    (
        """PARTITION BY response_digest, sub_id, point_id, point_hash, answer_hash, "by" ORDER BY id DESC
        ) AS age""",
        """PARTITION BY response_digest, sub_id, point_id, point_hash, answer_hash, "by" ORDER BY id DESC
        ) AS age,
        first_value(reason) OVER (
            PARTITION BY response_digest, sub_id, point_id, point_hash, answer_hash, "by" ORDER BY id DESC
        ) AS last_reason""",
    ),
    (
        """    FROM said
    GROUP BY""",
        """    FROM said
    -- whoever says it is unjudged has taken back what they said before
    WHERE last_reason IS NULL OR last_reason <> 'unjudged'
    GROUP BY""",
    ),
)
"""What is exchanged in the view: whose marks count."""


def _add_tables() -> None:
    op.create_table(
        "reviewers",
        *(_text("name"), _text("token_hash"), _flag("adjudicates")),
        *(_moment("created"), _moment("revoked", optional=True)),
        sa.PrimaryKeyConstraint("name", name="pk_reviewers"),
    )
    op.create_table(
        "review_items",
        *(_whole("id"), _text("key"), _text("alike"), _text("kind"), _text("problem_id"), _text("sub_id")),
        *(_text("point_id"), _text("point_hash"), _text("check_kind", optional=True), _real("rank")),
        *(_json("reasons"), _text("about", optional=True), _whole("parent", optional=True)),
        *(_real("gold", optional=True), _text("state"), _text("holder", optional=True)),
        *(_moment("lease", optional=True), _moment("created")),
        sa.PrimaryKeyConstraint("id", name="pk_review_items"),
        sa.UniqueConstraint("key", name="uq_review_items"),
        _refers("review_items", "point_hash", "points.point_hash"),
        _refers("review_items", "parent", "review_items.id"),
    )
    op.create_index("ix_review_items_queue", "review_items", ["state", "rank", "id"])
    op.create_index("ix_review_items_holder", "review_items", ["holder", "state"])
    op.create_index("ix_review_items_parent", "review_items", ["parent"])
    op.create_index("ix_review_items_alike", "review_items", ["alike"])
    op.create_table(
        "review_members",
        *(_whole("item_id"), _whole("position"), _text("response_digest"), _text("answer_hash")),
        sa.PrimaryKeyConstraint("item_id", "position", name="pk_review_members"),
        _refers("review_members", "item_id", "review_items.id"),
        _refers("review_members", "response_digest", "responses.digest"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_review_members_response_digest", "review_members", ["response_digest"])
    op.create_table(
        "review_bars",
        *(_text("reviewer"), _whole("item_id"), _text("why"), _moment("created")),
        sa.PrimaryKeyConstraint("reviewer", "item_id", name="pk_review_bars"),
        _refers("review_bars", "item_id", "review_items.id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "review_marks",
        *(_whole("id"), _whole("item_id"), _text("reviewer"), _text("form"), _text("status")),
        *(_real("award", optional=True), _real("award_follow", optional=True)),
        *(_json("evidence", optional=True), _text("reason"), _text("says", optional=True)),
        *(_real("seconds"), _flag("after_seen"), _whole("undoes", optional=True), _moment("created")),
        sa.PrimaryKeyConstraint("id", name="pk_review_marks"),
        sa.UniqueConstraint("form", name="uq_review_marks"),
        _refers("review_marks", "item_id", "review_items.id"),
        _refers("review_marks", "undoes", "review_marks.id"),
    )
    op.create_index("ix_review_marks_item", "review_marks", ["item_id"])
    op.create_index("ix_review_marks_undoes", "review_marks", ["undoes"], unique=True)


def _text(name: str, *, optional: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.Text(), nullable=optional)


def _whole(name: str, *, optional: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.Integer(), nullable=optional)


def _real(name: str, *, optional: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.Float(), nullable=optional)


def _json(name: str, *, optional: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.JSON(), nullable=optional)


def _flag(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Boolean(), nullable=False)


def _moment(name: str, *, optional: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=optional)


def _refers(table: str, column: str, to: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [to], name=f"fk_{table}_{column}")
