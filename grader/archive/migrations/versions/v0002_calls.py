"""What judging needs: requests, calls, reservations, votes, triage, spot checks.

A migration is frozen once released: it spells its tables out and imports
nothing of today's.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

CLUSTERED: dict[str, Any] = {"sqlite_with_rowid": False}


def upgrade() -> None:
    """Create the tables, parents before children; nothing that is there changes."""
    op.add_column("verdicts", _json("votes", optional=True))
    _requests()
    _calls()
    _reservations()
    _routes()


def _text(name: str, *, optional: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.Text(), nullable=optional)


def _whole(name: str, *, optional: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.Integer(), nullable=optional)


def _real(name: str, *, optional: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.Float(), nullable=optional)


def _json(name: str, *, optional: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.JSON(), nullable=optional)


def _moment(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=False)


def _key(table: str, *columns: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint(*columns, name=f"pk_{table}")


def _refers(table: str, column: str, to: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [to], name=f"fk_{table}_{column}")


def _requests() -> None:
    op.create_table(
        "request_parts",
        *(_text("digest"), _json("content")),
        _key("request_parts", "digest"),
    )
    op.create_table(
        "requests",
        *(_text("key"), _text("model"), _text("api_base", optional=True), _whole("vote")),
        *(_moment("created"), _json("body")),
        _key("requests", "key"),
    )


def _calls() -> None:
    op.create_table(
        "calls",
        *(_whole("id"), _text("request_key"), _whole("attempt"), _whole("run_id", optional=True)),
        *(_text("card", optional=True), _text("purpose"), _moment("started"), _real("latency")),
        *(_text("failure", optional=True), _text("error", optional=True), _whole("status", optional=True)),
        *(_text("served_model", optional=True), _text("finish_reason", optional=True)),
        *(_whole("prompt_tokens", optional=True), _whole("completion_tokens", optional=True)),
        *(_whole("reasoning_tokens", optional=True), _real("cost", optional=True)),
        *(_text("cost_source", optional=True), sa.Column("batch", sa.Boolean(), nullable=False)),
        _json("raw", optional=True),
        _key("calls", "id"),
        sa.UniqueConstraint("request_key", "attempt", name="uq_calls"),
        _refers("calls", "request_key", "requests.key"),
        _refers("calls", "run_id", "runs.id"),
    )
    op.create_index("ix_calls_run_id", "calls", ["run_id"])


def _reservations() -> None:
    key = ("run_id", "request_key", "started")
    op.create_table(
        "reservations",
        *(_whole("run_id"), _text("request_key"), _moment("started"), _real("most")),
        _key("reservations", *key),
        _refers("reservations", "run_id", "runs.id"),
        **CLUSTERED,
    )


def _routes() -> None:
    place = ("grading_id", "response_digest", "sub_id", "point_id", "revision")
    for table, columns in (
        ("triage", (_json("reasons"), _text("status", optional=True), _real("award", optional=True))),
        ("spot_checks", _drawn()),
    ):
        op.create_table(
            table,
            *(_whole(place[0]), *(_text(name) for name in place[1:4]), _whole(place[4])),
            *columns,
            _moment("created"),
            _key(table, *place),
            _refers(table, "grading_id", "gradings.id"),
            _refers(table, "response_digest", "responses.digest"),
            *([_refers(table, "point_hash", "points.point_hash")] if table == "spot_checks" else []),
            **CLUSTERED,
        )


def _drawn() -> tuple[sa.Column[Any], ...]:
    return (
        *(_text("stratum", optional=True), _real("probability", optional=True)),
        *(sa.Column("seed", sa.BigInteger()), _text("point_hash"), _text("answer_hash")),
        _text("by", optional=True),
    )
