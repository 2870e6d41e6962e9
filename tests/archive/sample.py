"""A small set of two problems and a run over it, and the writing of all of it to an archive."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from grader.archive.entry import (
    AnswerSpan,
    Engine,
    FindingEntry,
    ImageEntry,
    NodeEntry,
    ProblemEntry,
    Received,
    Run,
    SetEntry,
    VerdictEntry,
    response_digest,
)
from grader.archive.store import Archive
from grader.record import Evidence, Finding, Protocol, Reason, Rejected, Response, Status, Verdict, digest

QUANTITY = Engine("formal:quantity@1", {"python": "3.11", "pint": "0.25.3"})
SMILES = Engine("formal:smiles@1", {"python": "3.11", "rdkit": "2026.09.1"})
ENGINES = (QUANTITY, SMILES)

RATE = {"id": "rate", "points": 2, "text": "k = 0.0462 s^-1", "check": {"kind": "quantity"}}
REASON = {"id": "reason", "points": 1, "text": "first order, because ln[A] is linear in t"}
ALCOHOL = {"id": "alcohol", "points": 1, "text": "propan-2-ol", "check": {"kind": "smiles"}}

DOT = ImageEntry(digest("dot"), "image/png", 1, 1, b"\x89PNG\x00\xff")
RUN_DIGEST = digest("run file")


def node(sub_id: str, value: dict[str, Any]) -> NodeEntry:
    return NodeEntry(sub_id, value["id"], digest([sub_id, value]), "point", value)


def problem(problem_id: str, nodes: list[NodeEntry]) -> ProblemEntry:
    content = {"problem_id": problem_id, "header": "A → B at 298 K"}
    address = digest([content, [one.point_hash for one in nodes]])
    return ProblemEntry(address, problem_id, digest(content), address, content, nodes, {"1.png": DOT.digest})


KINETICS = problem("kinetics", [node("kin-1", RATE), node("kin-1", REASON)])
SYNTHESIS = problem("synthesis", [node("syn-1", ALCOHOL), node("syn-2", ALCOHOL)])
SET = SetEntry("demo", digest("visible"), digest("rubrics"), [SYNTHESIS, KINETICS])

RATE_HASH, REASON_HASH = (one.point_hash for one in KINETICS.nodes)


def reply(line: int, problem_id: str, sub_id: str | None, text: str, **more: Any) -> Received:
    """A response at a line; under full_problem both halves of the text are the answers of syn-1 and syn-2."""
    protocol: Protocol = "full_problem" if sub_id is None else "sequential_carry"
    response = Response("m", problem_id, sub_id, protocol, "text_only", more.pop("sample", 0), text, **more)
    spans = {sub_id: (0, len(text))} if sub_id else {}
    if sub_id is None:
        middle = len(text) // 2
        spans = {"syn-1": (0, middle), "syn-2": (middle, len(text))}
    answers = [AnswerSpan(sub, a, b, digest(text[a:b]), True) for sub, (a, b) in spans.items()]
    return Received(line, response, answers)


REPLIES = [
    reply(2, "kinetics", "kin-1", "k = 0.0462 s⁻¹, first order", meta={"usage": {"in": 31, "out": 9}}),
    reply(3, "kinetics", "kin-1", "k = 0.0462 s⁻¹, first order", sample=1),
    reply(4, "kinetics", "kin-1", "k = 0.46 s⁻¹", sample=2),
    reply(5, "synthesis", None, "1: CC(C)O 2: CCCO"),
    reply(6, "synthesis", None, "", sample=1, error="the server gave up"),
]


def answer_hash(line: int, sub_id: str) -> str:
    return next(
        a.answer_hash for one in REPLIES if one.line == line for a in one.answers if a.sub_id == sub_id
    )


def finding(engine: Engine, status: Status, found: str, start: int, **more: Any) -> Finding:
    evidence = Evidence(found, start, start + len(found))
    return Finding(status, engine.by, f"compared {found}", found=found, evidence=evidence, **more)


RIGHT = finding(QUANTITY, Status.MET, "0.0462 s⁻¹", 4)
WRONG = finding(
    QUANTITY,
    Status.NOT_MET,
    "0.46 s⁻¹",
    4,
    confidence=0.9,
    flags=("ten times too large",),
    rejected=(Rejected("s⁻¹", 9, 12, "no number"),),
)
UNSURE = Finding(Status.UNDETERMINED, SMILES.by, "nothing to compare", reason=Reason.NO_CANDIDATE)


def findings() -> list[FindingEntry]:
    alcohols = [one.point_hash for one in SYNTHESIS.nodes]
    met = finding(SMILES, Status.MET, "CC(C)O", 3)
    return [
        FindingEntry(RATE_HASH, answer_hash(2, "kin-1"), QUANTITY.key, RIGHT),
        FindingEntry(RATE_HASH, answer_hash(4, "kin-1"), QUANTITY.key, WRONG),
        FindingEntry(alcohols[0], answer_hash(5, "syn-1"), SMILES.key, met),
        FindingEntry(alcohols[1], answer_hash(5, "syn-2"), SMILES.key, UNSURE),
    ]


def mark(
    line: int, sub_id: str, point: NodeEntry, award: float | None, by: str = "human:Ada", **more: Any
) -> VerdictEntry:
    """A verdict on today's point and answer of a reply."""
    received = next(one for one in REPLIES if one.line == line)
    status = {None: Status.UNDETERMINED, 0.0: Status.NOT_MET, 1.0: Status.MET}.get(award, Status.PARTIAL)
    verdict = Verdict(point.point_id, status, by, award, **more)
    return VerdictEntry(
        response_digest(received.response),
        received.response.problem_id,
        sub_id,
        point.point_hash,
        answer_hash(line, sub_id),
        verdict,
        f"marks.jsonl:{line}",
    )


REASON_NODE = KINETICS.nodes[1]
MARKS = [
    mark(2, "kin-1", REASON_NODE, 1.0, rationale="says so", evidence=Evidence("first order", 16, 27)),
    mark(3, "kin-1", REASON_NODE, 0.5, award_follow=1.0),
    mark(4, "kin-1", REASON_NODE, 0.0),
    mark(5, "syn-2", SYNTHESIS.nodes[1], 0.0, by="human:Bo"),
]


def grade(archive: Archive) -> Run:
    """Write everything, a transaction for each small batch, as a grading does."""
    for _ in steps(archive):
        pass
    return archive.runs()[0]


def steps(archive: Archive) -> Iterator[None]:
    """The same, pausing after each transaction."""
    archive.put_images([DOT])
    yield
    archive.put_set(SET)
    yield
    run = archive.put_run(RUN_DIGEST, "run", {"schema_version": 1})
    yield
    grading = archive.begin_grading(run, SET.digest, ENGINES)
    yield
    for received in REPLIES:
        archive.put_responses(run, [received])
        yield
    for entry in findings():
        known = archive.known_findings([(entry.point_hash, entry.answer_hash)], [entry.engine])
        if not known:
            archive.put_findings([entry])
            yield
    for verdict in MARKS:
        archive.put_verdicts([verdict])
        yield
    state = archive.state()
    if archive.summary(grading) is None:
        archive.put_summary(grading, state, {"earned": 3.5})
        yield


def with_point(entry: SetEntry, old: NodeEntry, new: dict[str, Any]) -> SetEntry:
    """The set with one point of its rubrics replaced."""
    problems = [
        problem(one.problem_id, [node(n.sub_id, new) if n == old else n for n in one.nodes])
        for one in entry.problems
    ]
    return replace(entry, problems=problems)


GIVEN = {"id", "created", "run_id", "grading_id", "last_refound", "last_verdict"}


def dump(archive: Archive) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables in a fixed order, without times and the ids that the database gives."""
    from sqlalchemy import select

    from grader.archive.tables import METADATA

    rows = {}
    with archive.database.connect() as connection:
        for table in METADATA.sorted_tables:
            columns = [c for c in table.c if c.name not in GIVEN]
            rows[table.name] = sorted((tuple(row) for row in connection.execute(select(*columns))), key=repr)
    return rows
