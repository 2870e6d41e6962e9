"""The tables of the archive. A change here needs a migration and a frozen archive in tests/fixtures."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index, LargeBinary, Text, UniqueConstraint, text
from sqlmodel import Field

from grader.archive import audit_tables as audit_tables  # its tables join the others
from grader.archive import judging_tables as judging_tables  # and so do these
from grader.archive import review_tables as review_tables  # and so do these
from grader.archive.columns import CLUSTERED, PLAIN, AnyText, Archived, Moment

_REFOUND = text("revision > 0")


class Problems(Archived, table=True):
    """A problem, once for each of its contents."""

    __tablename__ = "problems"

    hash: str = Field(primary_key=True, sa_type=Text)
    problem_id: str = Field(sa_type=AnyText, index=True)
    visible_hash: str = Field(sa_type=Text)
    rubric_hash: str | None = Field(sa_type=Text)
    content: dict[str, Any] = Field(sa_type=JSON)


class Points(Archived, table=True):
    """A scoring node, once for each of its contents."""

    __tablename__ = "points"

    point_hash: str = Field(primary_key=True, sa_type=Text)
    shape: str = Field(sa_type=Text)
    node: dict[str, Any] = Field(sa_type=JSON)


class ProblemPoints(Archived, table=True):
    """Where a node stands in a problem."""

    __tablename__ = "problem_points"
    __table_args__ = CLUSTERED

    problem_hash: str = Field(primary_key=True, sa_type=Text, foreign_key="problems.hash")
    position: int = Field(primary_key=True)
    sub_id: str = Field(sa_type=AnyText)
    point_id: str = Field(sa_type=AnyText)
    point_hash: str = Field(sa_type=Text, foreign_key="points.point_hash")


class Images(Archived, table=True):
    """An image, once for each of its contents."""

    __tablename__ = "images"

    digest: str = Field(primary_key=True, sa_type=Text)
    media_type: str = Field(sa_type=Text)
    width: int
    height: int
    data: bytes = Field(sa_type=LargeBinary)


class ProblemImages(Archived, table=True):
    """Which image a file name of a problem stands for."""

    __tablename__ = "problem_images"
    __table_args__ = CLUSTERED

    problem_hash: str = Field(primary_key=True, sa_type=Text, foreign_key="problems.hash")
    file: str = Field(primary_key=True, sa_type=AnyText)
    digest: str = Field(sa_type=Text, foreign_key="images.digest")


class Sets(Archived, table=True):
    """A problem set."""

    __tablename__ = "sets"

    digest: str = Field(primary_key=True, sa_type=Text)
    name: str = Field(sa_type=AnyText)
    visible_hash: str = Field(sa_type=Text)
    rubric_hash: str | None = Field(sa_type=Text)
    created: datetime = Field(sa_type=Moment)


class SetProblems(Archived, table=True):
    """Which problems a set holds."""

    __tablename__ = "set_problems"
    __table_args__ = CLUSTERED

    set_digest: str = Field(primary_key=True, sa_type=Text, foreign_key="sets.digest")
    problem_hash: str = Field(primary_key=True, sa_type=Text, foreign_key="problems.hash")


class Runs(Archived, table=True):
    """A run file; a greater id was graded first later."""

    __tablename__ = "runs"
    __table_args__ = (UniqueConstraint("digest"),)

    id: int | None = Field(default=None, primary_key=True)
    digest: str = Field(sa_type=Text)
    name: str = Field(sa_type=AnyText)
    header: dict[str, Any] = Field(sa_type=JSON)
    created: datetime = Field(sa_type=Moment)


class Responses(Archived, table=True):
    """A response, once however many run files hold it."""

    __tablename__ = "responses"
    __table_args__ = (Index("ix_responses_conversation", "problem_id", "model", "mode", "sample"),)

    digest: str = Field(primary_key=True, sa_type=Text)
    model: str = Field(sa_type=AnyText)
    problem_id: str = Field(sa_type=AnyText, index=True)
    sub_id: str | None = Field(sa_type=AnyText)
    protocol: str = Field(sa_type=AnyText)
    mode: str = Field(sa_type=AnyText)
    sample: int
    text: str = Field(sa_type=AnyText)
    finish_reason: str | None = Field(sa_type=AnyText)
    error: str | None = Field(sa_type=AnyText)
    meta: dict[str, Any] | None = Field(sa_type=PLAIN)


class RunResponses(Archived, table=True):
    """Which response stands at which line of a run."""

    __tablename__ = "run_responses"
    __table_args__ = CLUSTERED

    run_id: int = Field(primary_key=True, foreign_key="runs.id")
    line: int = Field(primary_key=True)
    response_digest: str = Field(sa_type=Text, foreign_key="responses.digest", index=True)


class Answers(Archived, table=True):
    """The part of a response that answers a subquestion; the greatest revision is today's."""

    __tablename__ = "answers"
    __table_args__ = CLUSTERED

    response_digest: str = Field(primary_key=True, sa_type=Text, foreign_key="responses.digest")
    sub_id: str = Field(primary_key=True, sa_type=AnyText)
    revision: int = Field(primary_key=True)
    span_start: int
    span_end: int
    answer_hash: str = Field(sa_type=Text)
    cut: bool


class Engines(Archived, table=True):
    """A check's implementation and the libraries it stood on."""

    __tablename__ = "engines"

    key: str = Field(primary_key=True, sa_type=Text)
    by: str = Field(sa_type=Text)
    versions: dict[str, str] = Field(sa_type=JSON)


class Gradings(Archived, table=True):
    """Under what a run was graded; its greatest id is what holds today."""

    __tablename__ = "gradings"

    id: int | None = Field(default=None, primary_key=True)
    run_id: int = Field(foreign_key="runs.id", index=True)
    set_digest: str = Field(sa_type=Text, foreign_key="sets.digest")
    engines: list[str] = Field(sa_type=JSON)
    card: str | None = Field(sa_type=AnyText)
    created: datetime = Field(sa_type=Moment)


class Summaries(Archived, table=True):
    """What a finished grading came to, and the state of the archive it holds for."""

    __tablename__ = "summaries"

    id: int | None = Field(default=None, primary_key=True)
    grading_id: int = Field(foreign_key="gradings.id", index=True)
    last_refound: int
    last_verdict: int
    summary: dict[str, Any] = Field(sa_type=JSON)
    created: datetime = Field(sa_type=Moment)


class Findings(Archived, table=True):
    """What the formal track found for a point in an answer, once however many responses share the answer."""

    __tablename__ = "findings"
    __table_args__ = (
        UniqueConstraint("point_hash", "answer_hash", "engine", "revision"),
        Index("ix_findings_refound", "id", sqlite_where=_REFOUND, postgresql_where=_REFOUND),
    )

    id: int | None = Field(default=None, primary_key=True)
    point_hash: str = Field(sa_type=Text, foreign_key="points.point_hash")
    answer_hash: str = Field(sa_type=Text)
    engine: str = Field(sa_type=Text, foreign_key="engines.key")
    revision: int
    """0, or more where grading was forced and came out differently."""
    status: str = Field(sa_type=Text)
    award: float | None
    reason: str | None = Field(sa_type=Text)
    found: str | None = Field(sa_type=AnyText)
    quote: str | None = Field(sa_type=AnyText)
    span_start: int | None
    span_end: int | None
    confidence: float
    flags: list[str] | None = Field(sa_type=PLAIN)
    rejected: list[list[Any]] | None = Field(sa_type=PLAIN)
    detail: str = Field(sa_type=AnyText)
    created: datetime = Field(sa_type=Moment)
    value: str | None = Field(sa_type=AnyText)
    """The value taken, in full: what later points may follow from."""


class Followed(Archived, table=True):
    """What was found for a point with what follows from the answer's own earlier values as expected value."""

    __tablename__ = "followed"
    __table_args__ = (
        UniqueConstraint("point_hash", "answer_hash", "engine", "basis", "revision"),
        Index("ix_followed_refound", "id", sqlite_where=_REFOUND, postgresql_where=_REFOUND),
    )

    id: int | None = Field(default=None, primary_key=True)
    point_hash: str = Field(sa_type=Text, foreign_key="points.point_hash")
    answer_hash: str = Field(sa_type=Text)
    engine: str = Field(sa_type=Text, foreign_key="engines.key")
    basis: str = Field(sa_type=Text)
    """Digest of ``sources`` and of the strict finding that was looked at again."""
    revision: int
    """0, or more where grading was forced and came out differently."""
    sources: dict[str, str] = Field(sa_type=JSON)
    """The values it follows from, by their names in the point's ``follow``."""
    expected: list[str] = Field(sa_type=JSON)
    """What follows; empty where nothing does."""
    status: str = Field(sa_type=Text)
    award: float | None
    reason: str | None = Field(sa_type=Text)
    found: str | None = Field(sa_type=AnyText)
    quote: str | None = Field(sa_type=AnyText)
    span_start: int | None
    span_end: int | None
    confidence: float
    flags: list[str] | None = Field(sa_type=PLAIN)
    rejected: list[list[Any]] | None = Field(sa_type=PLAIN)
    detail: str = Field(sa_type=AnyText)
    value: str | None = Field(sa_type=AnyText)
    created: datetime = Field(sa_type=Moment)


class Verdicts(Archived, table=True):
    """What a judge or a human awarded for a point of a response."""

    __tablename__ = "verdicts"
    __table_args__ = (
        UniqueConstraint(
            "response_digest", "sub_id", "point_id", "point_hash", "answer_hash", "by", "revision"
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    response_digest: str = Field(sa_type=Text, foreign_key="responses.digest")
    problem_id: str = Field(sa_type=AnyText)
    sub_id: str = Field(sa_type=AnyText)
    point_id: str = Field(sa_type=AnyText)
    point_hash: str = Field(sa_type=Text, foreign_key="points.point_hash")
    answer_hash: str = Field(sa_type=Text)
    track: str = Field(sa_type=Text)
    by: str = Field(sa_type=AnyText)
    revision: int
    """How often the same marker had marked the same answer before."""
    status: str = Field(sa_type=Text)
    award: float | None
    award_follow: float | None
    reason: str | None = Field(sa_type=Text)
    rationale: str = Field(sa_type=AnyText)
    found: str | None = Field(sa_type=AnyText)
    quote: str | None = Field(sa_type=AnyText)
    span_start: int | None
    span_end: int | None
    confidence: float | None
    flags: list[str] | None = Field(sa_type=PLAIN)
    provisional: bool
    adjudicated: bool
    source: str | None = Field(sa_type=AnyText)
    created: datetime = Field(sa_type=Moment)
    votes: list[dict[str, Any]] | None = Field(sa_type=PLAIN)
    """The replies a judge's verdict was added up from."""


METADATA = Archived.metadata
TABLES = METADATA.tables
