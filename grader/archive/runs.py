"""Runs in the archive: run files, responses, answers, and under what a run was graded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from string import hexdigits
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, exists, false, func, or_, select, true

from grader.archive import rows
from grader.archive.append import AT_ONCE, append_changed, insert_new, portions
from grader.archive.entry import AnswerSpan, Engine, Grading, Received, Run
from grader.archive.tables import TABLES
from grader.record import Response

RUNS = TABLES["runs"]
GRADINGS = TABLES["gradings"]
SUMMARIES = TABLES["summaries"]


@dataclass(frozen=True, slots=True)
class State:
    """What can change a finished score without a new grading: greatest ids, 0 where there is none."""

    last_refound: int
    """Of findings, and added to it of what was found to follow: either makes it grow."""
    last_verdict: int


def put_run(
    connection: Connection, digest: str, name: str, header: Mapping[str, Any], created: datetime
) -> Run:
    """Keep a run file; the run as the archive knows it."""
    known = _runs(connection, RUNS.c.digest == digest)
    if not known:
        row = {"digest": digest, "name": name, "header": dict(header), "created": created}
        insert_new(connection, RUNS, [row])
        known = _runs(connection, RUNS.c.digest == digest)
    return known[0]


def runs(connection: Connection, named: str | None) -> list[Run]:
    """The runs in the order of their first grading; ``named``: of that name or beginning of a digest."""
    if named is None:
        return _runs(connection, true())
    digest = RUNS.c.digest.startswith(named) if set(named) <= set(hexdigits) else false()
    return _runs(connection, or_(RUNS.c.name == named, digest))


def _runs(connection: Connection, only: ColumnElement[bool]) -> list[Run]:
    found = connection.execute(select(RUNS).where(only).order_by(RUNS.c.id))
    return [Run(**row) for row in found.mappings()]


def put_responses(connection: Connection, run: Run, received: Sequence[Received]) -> list[str]:
    """Keep responses at their lines, with their answers; their digests."""
    responses = [rows.response_row(one.response) for one in received]
    digests: list[str] = [row["digest"] for row in responses]
    places, answers = [], []
    for one, digest in zip(received, digests, strict=True):
        places.append({"run_id": run.id, "line": one.line, "response_digest": digest})
        answers.extend(rows.answer_rows(one, digest))
    insert_new(connection, TABLES["responses"], responses)
    insert_new(connection, TABLES["run_responses"], places)
    append_changed(
        connection,
        TABLES["answers"],
        answers,
        slot=("response_digest", "sub_id"),
        leading=1,
        value=("span_start", "span_end", "answer_hash", "cut"),
    )
    return digests


def response(connection: Connection, digest: str) -> Response:
    """A response; KeyError if it isn't there."""
    responses = TABLES["responses"]
    row = connection.execute(select(responses).where(responses.c.digest == digest)).mappings().first()
    if row is None:
        raise KeyError(digest)
    return rows.response_of(row)


def responses(connection: Connection, digests: Iterable[str]) -> dict[str, Response]:
    """Responses by their digests."""
    table = TABLES["responses"]
    found: dict[str, Response] = {}
    for some in portions(digests):
        for row in connection.execute(select(table).where(table.c.digest.in_(some))).mappings():
            found[row["digest"]] = rows.response_of(row)
    return found


def responses_after(
    connection: Connection, run_id: int, line: int, elsewhere: Sequence[int]
) -> list[tuple[int, Response]]:
    """The next responses of a run after a line, with their lines; but none that other runs hold too."""
    table, lines = TABLES["responses"], TABLES["run_responses"]
    query = (
        select(lines.c.line, table)
        .join(table, table.c.digest == lines.c.response_digest)
        .where(lines.c.run_id == run_id, lines.c.line > line, not_of(elsewhere))
        .order_by(lines.c.line)
        .limit(AT_ONCE)
    )
    found = connection.execute(query).mappings().all()
    return [(row["line"], rows.response_of(row)) for row in found]


def not_of(elsewhere: Sequence[int]) -> ColumnElement[bool]:
    """That the response at a line isn't in some other runs, too."""
    lines = TABLES["run_responses"]
    later = lines.alias()
    same = later.c.response_digest == lines.c.response_digest
    return ~exists().where(same, later.c.run_id.in_(elsewhere)) if elsewhere else true()


def answers(
    connection: Connection, digests: Iterable[str], sub_id: str | None = None
) -> dict[str, dict[str, list[AnswerSpan]]]:
    """The answers of responses by subquestion (all, or one), the last cut last."""
    table = TABLES["answers"]
    found: dict[str, dict[str, list[AnswerSpan]]] = {}
    for some in portions(digests):
        query = select(table).where(table.c.response_digest.in_(some)).order_by(table.c.revision)
        if sub_id is not None:
            query = query.where(table.c.sub_id == sub_id)
        for row in connection.execute(query).mappings():
            spans = found.setdefault(row["response_digest"], {})
            spans.setdefault(row["sub_id"], []).append(rows.answer_of(row))
    return found


def models(connection: Connection, run_id: int) -> list[str]:
    """The models whose responses a run holds, by name."""
    lines, responses = TABLES["run_responses"], TABLES["responses"]
    query = (
        select(responses.c.model)
        .join(lines, lines.c.response_digest == responses.c.digest)
        .where(lines.c.run_id == run_id)
        .distinct()
    )
    return sorted(connection.scalars(query))


def shared(connection: Connection, run_ids: Sequence[int]) -> dict[int, set[int]]:
    """Of some runs, those that hold the same responses as others, and which."""
    lines = TABLES["run_responses"]
    several = (
        select(lines.c.response_digest)
        .where(lines.c.run_id.in_(run_ids))
        .group_by(lines.c.response_digest)
        .having(func.count(lines.c.run_id.distinct()) > 1)
    )
    query = select(lines.c.response_digest, lines.c.run_id).where(
        lines.c.response_digest.in_(several), lines.c.run_id.in_(run_ids)
    )
    holders: dict[str, set[int]] = {}
    for digest, run_id in connection.execute(query):
        holders.setdefault(digest, set()).add(run_id)
    found: dict[int, set[int]] = {}
    for together in holders.values():
        for run_id in together:
            found.setdefault(run_id, set()).update(together - {run_id})
    return found


def begin_grading(
    connection: Connection,
    run: Run,
    set_digest: str,
    engines: Iterable[Engine],
    card: str | None,
    created: datetime,
) -> Grading:
    """State under what the run is graded from now on; unchanged, it is the grading that was there."""
    planned = plan_grading(connection, run, set_digest, engines, card)
    last = last_grading(connection, run.id)
    under = (planned.set_digest, planned.engines, card)
    if last is not None and (last.set_digest, last.engines, last.card) == under:
        return last
    row = {"run_id": run.id, "set_digest": set_digest, "engines": sorted(planned.engines)}
    insert_new(connection, GRADINGS, [{**row, "card": card, "created": created}])
    begun = last_grading(connection, run.id)
    assert begun is not None
    return begun


def plan_grading(
    connection: Connection, run: Run, set_digest: str, engines: Iterable[Engine], card: str | None
) -> Grading:
    """A grading that isn't stated: its engines may sign findings, and what holds is as it was."""
    by_key = {engine.key: engine for engine in engines}
    rows = [{"key": key, "by": one.by, "versions": dict(one.versions)} for key, one in by_key.items()]
    insert_new(connection, TABLES["engines"], rows)
    return Grading(0, run.id, set_digest, frozenset(by_key), card)


def last_grading(connection: Connection, run_id: int, card: str | None = None) -> Grading | None:
    """Under what the run was graded last, by any or by this card. See ``Archive.grading``."""
    query = select(GRADINGS).where(GRADINGS.c.run_id == run_id)
    if card is not None:
        named = GRADINGS.c.card.startswith(f"{card}@", autoescape=True)
        query = query.where(or_(GRADINGS.c.card == card, named))
    row = connection.execute(query.order_by(GRADINGS.c.id.desc()).limit(1)).first()
    if row is None:
        return None
    return Grading(row.id, row.run_id, row.set_digest, frozenset(row.engines), row.card)


def graded_later(connection: Connection, grading: Grading) -> list[int]:
    """The ids of the runs whose last grading is later than this one."""
    last = select(GRADINGS.c.run_id).group_by(GRADINGS.c.run_id).having(func.max(GRADINGS.c.id) > grading.id)
    return list(connection.scalars(last))


def engines(connection: Connection) -> dict[str, Engine]:
    """All engines by their key; there are few."""
    table = TABLES["engines"]
    return {row.key: Engine(row.by, row.versions) for row in connection.execute(select(table))}


def state(connection: Connection) -> State:
    """What finished scores depend on besides their grading."""
    refound = sum(_last_refound(connection, TABLES[name]) for name in ("findings", "followed"))
    return State(refound, connection.scalar(select(func.max(TABLES["verdicts"].c.id))) or 0)


def _last_refound(connection: Connection, table: Table) -> int:
    return connection.scalar(select(func.max(table.c.id)).where(table.c.revision > 0)) or 0


def put_summary(
    connection: Connection, grading: Grading, at: State, summary: Mapping[str, Any], created: datetime
) -> None:
    """Keep what a finished grading came to in the state it was summed up in."""
    row = {"grading_id": grading.id, "last_refound": at.last_refound, "last_verdict": at.last_verdict}
    insert_new(connection, SUMMARIES, [{**row, "summary": dict(summary), "created": created}])


def summary(connection: Connection, grading: Grading, *, earlier: bool) -> dict[str, Any] | None:
    """What the grading came to. See ``Archive.summary``."""
    columns = [SUMMARIES.c[name] for name in ("id", "last_refound", "last_verdict")]
    query = select(*columns).where(SUMMARIES.c.grading_id == grading.id)
    last = connection.execute(query.order_by(SUMMARIES.c.id.desc()).limit(1)).first()
    if last is None:
        return None
    if not (earlier or _holds(connection, grading.run_id, State(last.last_refound, last.last_verdict))):
        return None
    found: dict[str, Any] | None = connection.scalar(
        select(SUMMARIES.c.summary).where(SUMMARIES.c.id == last.id)
    )
    return found


def _holds(connection: Connection, run_id: int, at: State) -> bool:
    """Whether a run still comes to what it came to then; new verdicts on others' responses don't matter."""
    now = state(connection)
    if now == at or now.last_refound != at.last_refound:
        return now == at
    lines, verdicts = TABLES["run_responses"], TABLES["verdicts"]
    # + 0 keeps the databases from walking through all new verdicts for each run
    newer = select(verdicts.c.id).where(
        verdicts.c.response_digest == lines.c.response_digest, verdicts.c.id + 0 > at.last_verdict
    )
    of_run = select(lines.c.line).where(lines.c.run_id == run_id, newer.exists()).limit(1)
    return connection.execute(of_run).first() is None
