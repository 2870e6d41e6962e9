"""Reading a graded run back: answer by answer, in order, in memory bounded by a portion of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, or_, select

from grader.archive import outcomes, runs
from grader.archive.entry import (
    AnswerSpan,
    Engine,
    FollowSource,
    Grading,
    ResponseHead,
    Run,
    StoredFinding,
    StoredVerdict,
)
from grader.archive.following import Following, Within, following
from grader.archive.outcomes import Pair
from grader.archive.sheet import Sheet
from grader.archive.standing import Standing, standing
from grader.archive.tables import TABLES
from grader.errors import UsageError
from grader.record import MODES, PROTOCOLS, Status

RESPONSES = TABLES["responses"]
LINES = TABLES["run_responses"]

TRACKS = ("formal", "judge", "human")

PORTION = 200
"""Responses read at once."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Which part of the archive is wanted; None: all of it."""

    run: str | None = None
    """The name of a run, or the beginning of its digest."""
    model: str | None = None
    protocol: str | None = None
    mode: str | None = None
    sample: int | None = None
    problem_id: str | None = None
    sub_id: str | None = None
    point_id: str | None = None
    status: str | None = None
    by: str | None = None
    """A track, or a track and a name: ``formal``, ``formal:quantity``, ``human:Ada``."""

    def __post_init__(self) -> None:
        track = None if self.by is None else self.by.partition(":")[0]
        for name, got, known in (
            ("protocol", self.protocol, PROTOCOLS),
            ("mode", self.mode, MODES),
            ("status", self.status, tuple(Status)),
            ("track", track, TRACKS),
        ):
            if got is not None and got not in known:
                raise UsageError(f"unknown {name}", got=repr(got), expected=", ".join(known))


@dataclass(frozen=True, slots=True)
class GradedPoint:
    """What was found and given for a node of the rubric in one answer, and what stands."""

    point_id: str
    point_hash: str | None
    """None where today's rubric has no such node any more."""
    shape: str | None
    findings: tuple[StoredFinding, ...]
    verdicts: tuple[StoredVerdict, ...]
    standing: Standing | None
    """None where today's rubric has no such node any more."""
    sources: tuple[FollowSource, ...] = ()
    """The values that its ``follow`` needs; empty where one is missing."""


@dataclass(frozen=True, slots=True)
class GradedAnswer:
    """An answer with all its points, in the order of the rubric."""

    run: Run
    response: ResponseHead
    answer: AnswerSpan
    earlier: tuple[AnswerSpan, ...]
    """How the answer was cut before, where history is wanted."""
    problem_hash: str | None
    points: tuple[GradedPoint, ...]


@dataclass(frozen=True, slots=True)
class View:
    """What is read: a run under a grading."""

    run: Run
    grading: Grading
    filters: Filters
    sheet: Sheet
    engines: Mapping[str, Engine]
    history: bool
    elsewhere: Sequence[int]
    """Runs whose responses are left to them."""
    texts: bool
    """Whether what findings and verdicts say in words is read too."""


def portion(connection: Connection, view: View, after: int) -> tuple[int | None, list[GradedAnswer]]:
    """The next responses after a line, and the last line read; None when the run is at its end."""
    heads = [ResponseHead(*row) for row in connection.execute(_heads(view, after))]
    return (heads[-1].line, _answers(connection, view, heads)) if heads else (None, [])


def some(connection: Connection, view: View, digests: Sequence[str]) -> list[GradedAnswer]:
    """The answers of some responses of the run, in its order."""
    query = _heads(view, -1).where(LINES.c.response_digest.in_(digests)).limit(None)
    return _answers(connection, view, [ResponseHead(*row) for row in connection.execute(query)])


def _answers(connection: Connection, view: View, heads: Sequence[ResponseHead]) -> list[GradedAnswer]:
    answers = runs.answers(connection, [head.digest for head in heads], view.filters.sub_id)
    found = outcomes.findings(
        connection,
        _pairs(view, heads, answers),
        view.engines,
        None if view.history else view.grading.engines,
        texts=view.texts,
    )
    given = outcomes.verdicts(connection, [head.digest for head in heads], texts=view.texts)
    within = Within(view.run.id, view.grading, view.sheet, view.engines)
    outcome = _Outcomes(found, given, following(connection, within, heads, answers))
    return [one for head in heads for one in _graded(view, head, answers.get(head.digest, {}), outcome)]


def _heads(view: View, after: int) -> Select[Any]:
    filters = view.filters
    columns = [LINES.c.line, *(RESPONSES.c[name] for name in ResponseHead.__slots__[1:])]
    query = (
        select(*columns)
        .join(RESPONSES, RESPONSES.c.digest == LINES.c.response_digest)
        .where(LINES.c.run_id == view.run.id, LINES.c.line > after)
        .order_by(LINES.c.line)
        .limit(PORTION)
    )
    for name in ("model", "protocol", "mode", "sample"):
        wanted = getattr(filters, name)
        if wanted is not None:
            query = query.where(RESPONSES.c[name] == wanted)
    problems: Sequence[str] | None = None if filters.problem_id is None else [filters.problem_id]
    if filters.sub_id is not None:
        query = query.where(or_(RESPONSES.c.sub_id == filters.sub_id, RESPONSES.c.sub_id.is_(None)))
        problems = problems or view.sheet.problems_of(filters.sub_id)
    if problems is not None:
        # as a subquery, or SQLite would look at every response of the run
        chosen = RESPONSES.alias()
        of_problems = select(chosen.c.digest).where(chosen.c.problem_id.in_(problems))
        query = query.where(LINES.c.response_digest.in_(of_problems))
    return query.where(runs.not_of(view.elsewhere))


_Spans = Mapping[str, Sequence[AnswerSpan]]
"""The answers of a response by subquestion, the last cut last."""


@dataclass(frozen=True, slots=True)
class _Outcomes:
    """What was found, given and found to follow for a portion of the run."""

    found: Mapping[Pair, list[StoredFinding]]
    given: Mapping[Pair, list[StoredVerdict]]
    following: Following


def _pairs(view: View, heads: Sequence[ResponseHead], answers: Mapping[str, _Spans]) -> Iterator[Pair]:
    """Every pair of point and answer there may be a finding for."""
    for head in heads:
        for sub_id, spans in answers.get(head.digest, {}).items():
            hashes = view.sheet.hashes(head.problem_id, sub_id)
            for span in spans if view.history else spans[-1:]:
                yield from ((point_hash, span.answer_hash) for point_hash in hashes)


def _graded(view: View, head: ResponseHead, answers: _Spans, outcomes: _Outcomes) -> Iterator[GradedAnswer]:
    for sub_id in sorted(answers, key=lambda sub: view.sheet.order(head.problem_id, sub)):
        *earlier, answer = answers[sub_id]
        spans = [*earlier, answer] if view.history else [answer]
        yield GradedAnswer(
            run=view.run,
            response=head,
            answer=answer,
            earlier=tuple(spans[:-1]),
            problem_hash=view.sheet.problem_hash(head.problem_id),
            points=tuple(_points(view, head, spans, outcomes)),
        )


def _points(
    view: View, head: ResponseHead, spans: Sequence[AnswerSpan], outcomes: _Outcomes
) -> Iterator[GradedPoint]:
    answer = spans[-1]
    given = outcomes.given.get((head.digest, answer.sub_id), [])
    for node in view.sheet.nodes(head.problem_id, answer.sub_id):
        if view.filters.point_id not in (None, node.point_id):
            continue
        sources = outcomes.following.sources.get((head.digest, answer.sub_id, node.point_id), ())
        findings = [
            outcomes.following.joined(one, sources)
            for span in spans
            for key in node.hashes
            for one in outcomes.found.get((key, span.answer_hash), ())
        ]
        verdicts = [one for one in given if one.verdict.point_id == node.point_id] if given else []
        stands = None
        if node.point_hash is not None:
            stands = standing(
                findings,
                verdicts,
                point_hash=node.point_hash,
                answer_hash=answer.answer_hash,
                engines=view.grading.engines,
                card=view.grading.card,
                failed=head.error is not None,
            )
        yield GradedPoint(
            *(node.point_id, node.point_hash, node.shape, tuple(findings), tuple(verdicts), stands, sources)
        )
