"""All tables of the first release.

A migration is frozen once released: it spells its tables out and imports
nothing of today's.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision: str | None = None

CLUSTERED: dict[str, Any] = {"sqlite_with_rowid": False}


def upgrade() -> None:
    """Create the tables, parents before children."""
    _problems()
    _runs()
    _gradings()
    _findings()
    _verdicts()


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


def _created() -> sa.Column[Any]:
    return sa.Column("created", sa.DateTime(timezone=True), nullable=False)


def _key(table: str, *columns: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint(*columns, name=f"pk_{table}")


def _unique(table: str, *columns: str) -> sa.UniqueConstraint:
    return sa.UniqueConstraint(*columns, name=f"uq_{table}")


def _refers(table: str, column: str, to: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [to], name=f"fk_{table}_{column}")


def _problems() -> None:
    op.create_table(
        "problems",
        *(_text("hash"), _text("problem_id"), _text("visible_hash"), _text("rubric_hash", optional=True)),
        _json("content"),
        _key("problems", "hash"),
    )
    op.create_index("ix_problems_problem_id", "problems", ["problem_id"])
    op.create_table(
        "points",
        *(_text("point_hash"), _text("shape"), _json("node")),
        _key("points", "point_hash"),
    )
    op.create_table(
        "problem_points",
        *(_text("problem_hash"), _whole("position"), _text("sub_id"), _text("point_id"), _text("point_hash")),
        _key("problem_points", "problem_hash", "position"),
        _refers("problem_points", "problem_hash", "problems.hash"),
        _refers("problem_points", "point_hash", "points.point_hash"),
        **CLUSTERED,
    )
    _images()
    _sets()


def _images() -> None:
    op.create_table(
        "images",
        *(_text("digest"), _text("media_type"), _whole("width"), _whole("height")),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        _key("images", "digest"),
    )
    op.create_table(
        "problem_images",
        *(_text("problem_hash"), _text("file"), _text("digest")),
        _key("problem_images", "problem_hash", "file"),
        _refers("problem_images", "problem_hash", "problems.hash"),
        _refers("problem_images", "digest", "images.digest"),
        **CLUSTERED,
    )


def _sets() -> None:
    op.create_table(
        "sets",
        *(_text("digest"), _text("name"), _text("visible_hash"), _text("rubric_hash", optional=True)),
        _created(),
        _key("sets", "digest"),
    )
    op.create_table(
        "set_problems",
        *(_text("set_digest"), _text("problem_hash")),
        _key("set_problems", "set_digest", "problem_hash"),
        _refers("set_problems", "set_digest", "sets.digest"),
        _refers("set_problems", "problem_hash", "problems.hash"),
        **CLUSTERED,
    )


def _runs() -> None:
    op.create_table(
        "runs",
        *(_whole("id"), _text("digest"), _text("name"), _json("header"), _created()),
        _key("runs", "id"),
        _unique("runs", "digest"),
    )
    op.create_table(
        "responses",
        *(_text("digest"), _text("model"), _text("problem_id"), _text("sub_id", optional=True)),
        *(_text("protocol"), _text("mode"), _whole("sample"), _text("text")),
        *(_text("finish_reason", optional=True), _text("error", optional=True), _json("meta", optional=True)),
        _key("responses", "digest"),
    )
    op.create_index("ix_responses_problem_id", "responses", ["problem_id"])
    op.create_table(
        "run_responses",
        *(_whole("run_id"), _whole("line"), _text("response_digest")),
        _key("run_responses", "run_id", "line"),
        _refers("run_responses", "run_id", "runs.id"),
        _refers("run_responses", "response_digest", "responses.digest"),
        **CLUSTERED,
    )
    op.create_index("ix_run_responses_response_digest", "run_responses", ["response_digest"])
    op.create_table(
        "answers",
        *(_text("response_digest"), _text("sub_id"), _whole("revision")),
        *(_whole("span_start"), _whole("span_end"), _text("answer_hash"), _flag("cut")),
        _key("answers", "response_digest", "sub_id", "revision"),
        _refers("answers", "response_digest", "responses.digest"),
        **CLUSTERED,
    )


def _gradings() -> None:
    op.create_table(
        "engines",
        *(_text("key"), _text("by"), _json("versions")),
        _key("engines", "key"),
    )
    op.create_table(
        "gradings",
        *(_whole("id"), _whole("run_id"), _text("set_digest"), _json("engines")),
        *(_text("card", optional=True), _created()),
        _key("gradings", "id"),
        _refers("gradings", "run_id", "runs.id"),
        _refers("gradings", "set_digest", "sets.digest"),
    )
    op.create_index("ix_gradings_run_id", "gradings", ["run_id"])
    op.create_table(
        "summaries",
        *(_whole("id"), _whole("grading_id"), _whole("last_refound"), _whole("last_verdict")),
        *(_json("summary"), _created()),
        _key("summaries", "id"),
        _refers("summaries", "grading_id", "gradings.id"),
    )
    op.create_index("ix_summaries_grading_id", "summaries", ["grading_id"])


def _findings() -> None:
    op.create_table(
        "findings",
        *(_whole("id"), _text("point_hash"), _text("answer_hash"), _text("engine"), _whole("revision")),
        *(_text("status"), _real("award", optional=True), _text("reason", optional=True)),
        *(_text("found", optional=True), _text("quote", optional=True)),
        *(_whole("span_start", optional=True), _whole("span_end", optional=True), _real("confidence")),
        *(_json("flags", optional=True), _json("rejected", optional=True), _text("detail"), _created()),
        _key("findings", "id"),
        _unique("findings", "point_hash", "answer_hash", "engine", "revision"),
        _refers("findings", "point_hash", "points.point_hash"),
        _refers("findings", "engine", "engines.key"),
    )
    refound = sa.text("revision > 0")
    op.create_index("ix_findings_refound", "findings", ["id"], sqlite_where=refound, postgresql_where=refound)


def _verdicts() -> None:
    slot = ("response_digest", "sub_id", "point_id", "point_hash", "answer_hash", "by", "revision")
    op.create_table(
        "verdicts",
        *(_whole("id"), _text("response_digest"), _text("problem_id"), _text("sub_id"), _text("point_id")),
        *(_text("point_hash"), _text("answer_hash"), _text("track"), _text("by"), _whole("revision")),
        *(_text("status"), _real("award", optional=True), _real("award_follow", optional=True)),
        *(_text("reason", optional=True), _text("rationale"), _text("found", optional=True)),
        *(_text("quote", optional=True), _whole("span_start", optional=True)),
        *(_whole("span_end", optional=True), _real("confidence", optional=True)),
        *(_json("flags", optional=True), _flag("provisional"), _flag("adjudicated")),
        *(_text("source", optional=True), _created()),
        _key("verdicts", "id"),
        _unique("verdicts", *slot),
        _refers("verdicts", "response_digest", "responses.digest"),
        _refers("verdicts", "point_hash", "points.point_hash"),
    )
