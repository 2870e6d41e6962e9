"""Reading back loses nothing, invents nothing, and says what stands."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from grader.archive import read
from grader.archive.entry import Engine
from grader.archive.lines import stored_evidence
from grader.archive.read import Filters
from grader.record import Reason, Status
from tests.archive.judged import CARD, REQUESTS, judge
from tests.archive.sample import (
    ENGINES,
    MARKS,
    RATE,
    REASON,
    REASON_NODE,
    REPLIES,
    SET,
    SMILES,
    SYNTHESIS,
    UNSURE,
    findings,
    grade,
    mark,
    with_point,
)

KEYS = {
    *("schema_version", "id", "run", "run_digest"),
    *("model", "protocol", "mode", "sample", "problem_id", "sub_id", "point_id", "by", "status"),
    *(
        "reason",
        "award",
        "award_follow",
        "follow",
        "found",
        "quote",
        "start",
        "end",
        "confidence",
        "flags",
        "standing",
    ),
    *("rationale", "provisional", "votes", "requests", "located", "fact"),
}


def tally(archive, run):
    """What stands, as (line, subquestion, point) -> (status or reason, by what track)."""
    return {
        (one.response.line, one.answer.sub_id, point.point_id): (
            str(point.standing.reason or point.standing.status),
            point.standing.track,
        )
        for one in archive.graded(run)
        for point in one.points
    }


EXPECTED = {
    (2, "kin-1", "rate"): ("met", "formal"),
    (2, "kin-1", "reason"): ("met", "human"),
    (3, "kin-1", "rate"): ("met", "formal"),
    (3, "kin-1", "reason"): ("partial", "human"),
    (4, "kin-1", "rate"): ("not_met", "formal"),
    (4, "kin-1", "reason"): ("not_met", "human"),
    (5, "syn-1", "alcohol"): ("met", "formal"),
    (5, "syn-2", "alcohol"): ("not_met", "human"),
    (6, "syn-1", "alcohol"): ("call_failed", None),
    (6, "syn-2", "alcohol"): ("call_failed", None),
}


@pytest.mark.parametrize("portion", [1, 2, 5, 200])
def test_every_point_of_every_answer_comes_once_in_order(archive, portion, monkeypatch):
    monkeypatch.setattr(read, "PORTION", portion)
    run = grade(archive)
    assert tally(archive, run) == EXPECTED
    assert list(tally(archive, run)) == list(EXPECTED)


def test_reading_holds_no_more_than_a_portion(archive, monkeypatch):
    monkeypatch.setattr(read, "PORTION", 1)
    afters = []

    def counted(connection, view, after):
        afters.append(after)
        return read.portion(connection, view, after)

    monkeypatch.setattr("grader.archive.store.portion", counted)
    next(archive.graded(grade(archive)))
    assert afters == [-1]


def test_an_award_with_follow_is_kept_apart(archive):
    run = grade(archive)
    point = next(one for one in archive.graded(run) if one.response.line == 3).points[1]
    assert (point.standing.award, point.standing.award_follow) == (0.5, 1.0)


def test_a_changed_rubric_makes_its_findings_and_marks_stale(archive):
    run = grade(archive)
    changed = with_point(SET, REASON_NODE, {**REASON, "text": "first order: ln[A] falls linearly with t"})
    archive.begin_grading(run, archive.put_set(changed), ENGINES)
    first, *_ = archive.graded(run)
    rate, reason = first.points
    assert rate.standing.status is Status.MET
    assert (reason.standing.reason, len(reason.standing.stale)) == (Reason.UNJUDGED, 1)
    archive.begin_grading(run, SET.digest, ENGINES)
    assert tally(archive, run) == EXPECTED


def test_an_engine_the_grading_does_not_name_decides_nothing(archive):
    run = grade(archive)
    archive.begin_grading(run, SET.digest, ENGINES[1:])
    assert tally(archive, run)[(2, "kin-1", "rate")] == ("unjudged", None)


def test_the_lines_are_every_finding_and_verdict_with_the_documented_keys(archive):
    grade(archive)
    lines = list(archive.lines())
    assert {frozenset(line) for line in lines} == {frozenset(KEYS)}
    shared_by_two = 1
    assert len(lines) == len(findings()) + shared_by_two + len(MARKS)
    assert sum(line["standing"] for line in lines) == 8


def test_the_lines_quote_the_response_where_they_say(archive):
    grade(archive)
    texts = {(one.response.problem_id, one.response.sample): one.response.text for one in REPLIES}
    quoted = [line for line in archive.lines() if line["quote"] is not None]
    assert len(quoted) == 5
    for line in quoted:
        text = texts[line["problem_id"], line["sample"]]
        assert text[line["start"] : line["end"]] == line["quote"]


def test_evidence_in_a_later_answer_of_a_response_counts_from_its_start(archive):
    run = grade(archive)
    met = replace(findings()[2], point_hash=SET.problems[0].nodes[1].point_hash)
    moved = replace(met, answer_hash=REPLIES[3].answers[1].answer_hash)
    archive.put_findings([moved], again=True)
    second = next(one for one in archive.graded(run) if one.answer.sub_id == "syn-2")
    stored = second.points[0].findings[-1]
    evidence = stored_evidence(second, stored)
    assert stored.finding.evidence is not None
    assert evidence is not None
    assert evidence.start == stored.finding.evidence.start + second.answer.start


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"sub_id": "kin-1"}, 6),
        ({"sub_id": "syn-2"}, 2),
        ({"sub_id": "kin-1", "sample": 1}, 2),
        ({"problem_id": "synthesis"}, 3),
        ({"protocol": "full_problem"}, 3),
        ({"mode": "multimodal"}, 0),
        ({"model": "m"}, 9),
        ({"model": "n"}, 0),
        ({"point_id": "rate"}, 3),
        ({"status": "met"}, 4),
        ({"by": "human"}, 4),
        ({"by": "human:Bo"}, 1),
        ({"by": "formal:quantity"}, 3),
        ({"by": "formal:quant"}, 0),
        ({"run": "run"}, 9),
    ],
)
def test_filters_let_through_what_they_name(archive, filters, expected, monkeypatch):
    monkeypatch.setattr(read, "PORTION", 2)
    grade(archive)
    assert len(list(archive.lines(Filters(**filters)))) == expected


def test_earlier_rubrics_and_engines_stay_in_the_lines_but_do_not_stand(archive):
    run = grade(archive)
    before = len(list(archive.lines()))
    changed = with_point(SET, SET.problems[1].nodes[0], {**RATE, "points": 3})
    archive.begin_grading(run, archive.put_set(changed), ENGINES)
    lines = list(archive.lines())
    assert len(lines) == before
    assert not any(line["standing"] for line in lines if line["point_id"] == "rate")


def test_a_point_struck_from_the_rubric_keeps_its_lines(archive):
    run = grade(archive)
    kinetics = SET.problems[1]
    shorter = replace(kinetics, hash="shorter", nodes=kinetics.nodes[:1])
    archive.begin_grading(run, archive.put_set(replace(SET, problems=[SET.problems[0], shorter])), ENGINES)
    assert not any(point.point_id == "reason" for one in archive.graded(run) for point in one.points)
    struck = [line for line in archive.lines() if line["point_id"] == "reason"]
    assert [line["standing"] for line in struck] == [False, False, False]


def test_a_response_of_two_runs_has_its_lines_once(archive):
    run = grade(archive)
    before = len(list(archive.lines()))
    longer = archive.put_run("longer", "longer", {})
    archive.begin_grading(longer, SET.digest, ENGINES)
    archive.put_responses(longer, REPLIES[:3])
    lines = list(archive.lines())
    assert len(lines) == before
    assert {line["run"] for line in lines if line["problem_id"] == "kinetics"} == {"longer"}
    assert len(list(archive.lines(Filters(run=run.name)))) == before


def test_two_people_who_differ_leave_no_standing_line(archive):
    grade(archive)
    archive.put_verdicts([mark(2, "kin-1", REASON_NODE, 0.0, by="human:Bo")])
    lines = [line for line in archive.lines(Filters(point_id="reason")) if line["sample"] == 0]
    assert [(line["by"], line["standing"]) for line in lines] == [("human:Ada", False), ("human:Bo", False)]


def test_a_run_that_was_never_graded_has_nothing_to_read(archive):
    run = archive.put_run("d", "run", {})
    archive.put_responses(run, REPLIES[:1])
    assert list(archive.graded(run)) == []


def test_the_lines_tell_a_judges_words_votes_and_requests(archive):
    judge(archive, grade(archive))
    (line,) = archive.lines(Filters(by="judge"))
    assert line["by"] == f"judge:{CARD}"
    assert (line["rationale"], line["provisional"], line["located"]) == ("The answer says so.", False, False)
    assert line["requests"] == [one.key for one in REQUESTS]
    assert line["votes"][2] == {
        "by": CARD,
        "vote": 2,
        "request": REQUESTS[2].key,
        "status": "undetermined",
        "award": None,
        "confidence": None,
        "reason": "cannot_assess",
    }
    assert json.loads(json.dumps(line)) == line
    others = [one for one in archive.lines() if one["by"] != line["by"]]
    assert {(len(one["votes"]), len(one["requests"]), one["located"]) for one in others} == {(0, 0, False)}


def test_a_located_finding_is_told_apart_and_stands_where_code_saw_nothing(archive):
    run = grade(archive)
    engine = Engine(SMILES.by, {**SMILES.versions, "locator": CARD})
    archive.begin_grading(run, SET.digest, [*ENGINES, engine])
    unsure = findings()[3]
    met = replace(unsure, engine=engine.key, finding=findings()[2].finding)
    archive.put_findings([met])
    archive.put_verdicts([mark(5, "syn-2", SYNTHESIS.nodes[1], None, by="human:Bo", reason=UNSURE.reason)])
    lines = [one for one in archive.lines(Filters(sub_id="syn-2", by="formal")) if one["sample"] == 0]
    assert [(one["status"], one["located"], one["standing"]) for one in lines] == [
        ("undetermined", False, False),
        ("met", True, True),
    ]
