"""Whoever asks by SQL what stands is told what Argus counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count, zip_longest
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from grader.archive.entry import (
    AnswerSpan,
    Engine,
    FindingEntry,
    Received,
    Run,
    SetEntry,
    StoredFinding,
    StoredVerdict,
    VerdictEntry,
    response_digest,
)
from grader.archive.schema import VERSIONS
from grader.archive.standing import Standing
from grader.archive.store import Archive, open_archive
from grader.record import Finding, Reason, Response, Status, Verdict, digest
from tests.archive.sample import DOT, grade, node, problem
from tests.archive.test_schema import thaw

TODAY = Engine("formal:integer@2", {"python": "3.11"})
BEFORE = Engine("formal:integer@1", {"python": "3.11"})
LOCATED = Engine("formal:integer@2", {"python": "3.11", "locator": "gauss@1f"})
FACT = Engine("formal:integer@2", {"python": "3.11", "locator": "gauss@1f", "fact": "1"})
ENGINES = (TODAY, LOCATED, FACT)
CARDS = (None, "gauss", "gauss@1f")
MARKERS = ("human:Ada", "human:Bo", "judge:gauss@1f", "judge:gauss@2e", "judge:gaussian@1f")

NODES = [
    node("s", {"id": "n", "points": 2, "text": "2", "check": {"kind": "integer"}}),
    node("s", {"id": "why", "points": 1, "text": "because"}),
]
OLD = [node("s", {**one.node, "text": f"{one.node['text']}, once"}) for one in NODES]
SET = SetEntry("today", digest("seen"), digest("rubrics"), [problem("p", NODES)])
OLDER = SetEntry("before", digest("seen"), digest("earlier rubrics"), [problem("p", OLD)])

statuses = st.sampled_from([Status.MET, Status.NOT_MET, Status.UNDETERMINED])
seldom = st.integers(0, 7).map(lambda n: n == 7)
places = {"node": st.sampled_from(range(len(NODES))), "old": seldom}
found = st.fixed_dictionaries({**places, "engine": st.sampled_from([*ENGINES, BEFORE]), "status": statuses})
said = st.fixed_dictionaries(
    {
        **places,
        "recut": seldom,
        "by": st.sampled_from(MARKERS),
        "award": st.sampled_from([1.0, None, 0.0, None, 0.5]),
        "award_follow": st.sampled_from([None, None, 1.0]),
        "adjudicated": seldom,
        "taken_back": st.booleans(),
        "provisional": st.booleans(),
    }
)
answers = st.fixed_dictionaries(
    {
        "findings": st.lists(found, max_size=4),
        "verdicts": st.lists(said, max_size=8),
        "failed": seldom,
        "recut": st.booleans(),
    }
)
_numbers = count()

Entry = TypeVar("Entry")


@settings(max_examples=8, suppress_health_check=[*HealthCheck])
@given(st.lists(answers, min_size=25, max_size=40))
def test_the_view_says_what_stands_whatever_was_found_and_given(archive, made):
    run = graded(archive, made)
    for card in CARDS:
        archive.begin_grading(run, SET.digest, ENGINES, card)
        assert view(archive, run.digest) == standing(archive, run)


def test_the_view_says_what_stands_in_the_sample(archive):
    run = grade(archive)
    assert view(archive, run.digest) == standing(archive, run)
    assert len(view(archive, run.digest)) == 10


@pytest.mark.parametrize("version", VERSIONS)
def test_an_older_archive_gets_the_view(archive_url, version):
    thaw(archive_url, version)
    with open_archive(archive_url) as archive:
        for run in archive.runs():
            assert view(archive, run.digest) == standing(archive, run)


def test_only_the_last_grading_of_a_run_is_seen(archive):
    met = {"node": 0, "old": False, "engine": TODAY, "status": Status.MET}
    one = {"findings": [met], "verdicts": [], "failed": False, "recut": False}
    run = graded(archive, [one])
    archive.begin_grading(run, SET.digest, [BEFORE])
    assert [row["reason"] for row in view(archive, run.digest)] == ["unjudged", "unjudged"]


def graded(archive: Archive, made: list[dict[str, Any]]) -> Run:
    """Write a run of answers that no other run has; of each, what was found and given comes in order."""
    number = next(_numbers)
    archive.put_images([DOT])
    for entry in (OLDER, SET):
        archive.put_set(entry)
    run = archive.put_run(digest(["run", number]), "generated", {})
    archive.begin_grading(run, SET.digest, [*ENGINES, BEFORE])
    replies = [(reply(one, f"{number} {sample}", sample), one) for sample, one in enumerate(made)]
    archive.put_responses(run, [received(one, "whole") for one, wanted in replies if wanted["recut"]])
    archive.put_responses(run, [received(one, "cut") for one, _ in replies])
    for findings in rounds([[finding(one, of) for of in wanted["findings"]] for one, wanted in replies]):
        archive.put_findings(findings, again=True)
    for verdicts in rounds([[verdict(one, of) for of in wanted["verdicts"]] for one, wanted in replies]):
        archive.put_verdicts(verdicts)
    archive.begin_grading(run, SET.digest, ENGINES)
    return run


def rounds(lists: list[list[Entry]]) -> Iterator[list[Entry]]:
    """The first entries of all lists, then the second ones, and so on."""
    for several in zip_longest(*lists):
        yield [one for one in several if one is not None]


def reply(made: dict[str, Any], words: str, sample: int) -> Response:
    error = "gave up" if made["failed"] else None
    return Response("m", "p", "s", "sequential_carry", "text_only", sample, words, error=error)


def received(response: Response, how: str) -> Received:
    return Received(response.sample, response, [AnswerSpan("s", 0, 1, answer_hash(response, how), True)])


def answer_hash(response: Response, how: str) -> str:
    return digest([response.text, how])


def finding(response: Response, made: dict[str, Any]) -> FindingEntry:
    point_hash = (OLD if made["old"] else NODES)[made["node"]].point_hash
    reason = Reason.NO_CANDIDATE if made["status"] is Status.UNDETERMINED else None
    engine = made["engine"]
    found_ = Finding(made["status"], engine.by, "compared", reason, confidence=0.9)
    return FindingEntry(point_hash, answer_hash(response, "cut"), engine.key, found_)


def verdict(response: Response, one: dict[str, Any]) -> VerdictEntry:
    award = one["award"]
    status = {None: Status.UNDETERMINED, 0.0: Status.NOT_MET, 1.0: Status.MET}.get(award, Status.PARTIAL)
    place = (OLD if one["old"] else NODES)[one["node"]]
    given_ = Verdict(
        place.point_id,
        status,
        one["by"],
        award,
        one["award_follow"] if award is not None else None,
        None if award is not None else Reason.UNJUDGED if one["taken_back"] else Reason.CANNOT_ASSESS,
        confidence=0.8,
        provisional=one["provisional"] and one["by"].startswith("judge:"),
        adjudicated=one["adjudicated"] and one["by"].startswith("human:"),
    )
    answered = answer_hash(response, "whole" if one["recut"] else "cut")
    return VerdictEntry(response_digest(response), "p", "s", place.point_hash, answered, given_)


def view(archive: Archive, run_digest: str) -> list[dict[str, Any]]:
    """The rows of the view, as SQL has them."""
    query = text("SELECT * FROM standing_verdicts WHERE run_digest = :run").bindparams(run=run_digest)
    with archive.database.connect() as connection:
        rows = [dict(row) for row in connection.execute(query).mappings()]
    return in_order({**row, "provisional": bool(row["provisional"])} for row in rows)


def standing(archive: Archive, run: Run) -> list[dict[str, Any]]:
    """The same as ``grader.archive.standing`` says it."""
    return in_order(
        {
            "run": run.name,
            "run_digest": run.digest,
            **{name: getattr(one.response, name) for name in ("model", "protocol", "mode", "problem_id")},
            "sub_id": one.answer.sub_id,
            "sample": one.response.sample,
            "response_digest": one.response.digest,
            "point_id": point.point_id,
            "shape": point.shape,
            "status": point.standing.status,
            "award": point.standing.award,
            "track": "located" if point.standing.located else point.standing.track,
            "by": point.standing.by,
            "reason": point.standing.reason,
            "confidence": confidence(point.standing),
            "provisional": point.standing.provisional,
        }
        for one in archive.graded(run)
        for point in one.points
        if point.standing is not None
    )


def confidence(stands: Standing) -> float | None:
    """How sure whoever stands is."""
    match stands.source:
        case StoredFinding(finding=said) | StoredVerdict(verdict=said):
            return said.confidence
    return None


def in_order(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows by their places, whichever order the database has."""
    return sorted(rows, key=lambda row: (row["problem_id"], row["sub_id"], row["sample"], row["point_id"]))
