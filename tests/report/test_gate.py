"""What a problem lacks at its gates: nothing passes by luck, by an old content or by the wrong people."""

from __future__ import annotations

import json
import shutil

import pytest

from grader.archive.store import open_archive
from grader.errors import ArchiveError
from grader.grade import GradeRequest, grade
from grader.problem.set import load_set
from grader.problem.signoff import GateRules, Review, read_signoff
from grader.render.gate import gate_table
from grader.report.gate import Reviewed, Tried, gate_report, pilot_lacks, probe_lacks, review_lacks
from tests.grade.small import MARKS, PROBLEM, RIGHT, WRONG, line, write_lines, write_set


def review(name, decision="accept", stale=False):
    said = {"gate": "review", "problem_id": "p", "content": "0" * 12, "date": "2026-12-01"}
    return Reviewed(Review.model_validate({**said, "reviewer": name, "decision": decision}), stale)


def tried(model, low, high=None, *, stale=False, minutes=None):
    return Tried("run", model, low, low if high is None else high, stale, minutes)


def what(lacks):
    return [lack.what for lack in lacks]


# Experts


def test_reviews_of_another_content_dont_count_and_one_objection_keeps_a_problem_back():
    rules = GateRules(reviews=2)
    assert what(review_lacks([review("Ada"), review("Ben")], rules)) == []
    assert what(review_lacks([review("Ada"), review("Ben", stale=True)], rules)) == [
        "accepting reviewers: 1 of 2, 1 of another content"
    ]
    found = review_lacks([review("Ada"), review("Ben"), review("Cy", "reject")], rules)
    assert what(found) == ["Cy says reject"]
    assert what(review_lacks([review("Cy", "reject", stale=True)], GateRules(reviews=0))) == []


# Models


def test_a_model_above_the_threshold_or_maybe_above_it_keeps_a_problem_back():
    rules = GateRules(probes=2, probe_score=0.5)
    assert what(probe_lacks([tried("a", 0.1), tried("b", 0.5)], rules)) == []
    assert what(probe_lacks([tried("a", 0.1), tried("b", 0.6)], rules)) == ["b earns 60.0 %, above 50.0 %"]
    open_one = probe_lacks([tried("a", 0.1), tried("b", 0.4, 0.7)], rules)
    assert what(open_one) == ["b may earn 70.0 % once all points are decided"]
    assert what(probe_lacks([tried("a", 0.1), tried("b", 0.9, stale=True)], rules)) == [
        "models: 1 of 2, 1 graded on another content"
    ]


def test_a_model_that_was_tried_twice_counts_once_and_by_its_better_run():
    rules = GateRules(probes=2, probe_score=0.5)
    found = what(probe_lacks([tried("a", 0.9), tried("a", 0.1)], rules))
    assert found == ["models: 1 of 2", "a earns 90.0 %, above 50.0 %"]


# Students


def test_students_must_be_enough_and_neither_fail_nor_do_it_all():
    rules = GateRules(pilots=2, pilot_low=0.2, pilot_high=0.9)
    assert what(pilot_lacks([tried("Ana", 0.3), tried("Bo", 0.5)], rules)) == []
    assert what(pilot_lacks([tried("Ana", 0.3)], rules)) == ["students: 1 of 2"]
    assert what(pilot_lacks([tried("Ana", 0.0), tried("Bo", 0.3)], rules)) == [
        "students earn 15.0 %, below 20.0 %"
    ]
    assert what(pilot_lacks([tried("Ana", 0.9), tried("Bo", 0.8, 1.0)], rules)) == [
        "students earn 85.0 % to 95.0 %, above 90.0 %"
    ]


def test_time_is_looked_at_only_where_a_threshold_asks():
    slow = [tried("Ana", 0.5, minutes=30.0), tried("Bo", 0.5, minutes=90.0)]
    assert what(pilot_lacks(slow, GateRules(pilots=2))) == []
    assert what(pilot_lacks(slow, GateRules(pilots=2, pilot_minutes=45.0))) == [
        "students need 60 minutes, more than 45"
    ]
    unknown = [tried("Ana", 0.5), tried("Bo", 0.5, minutes=10.0)]
    assert what(pilot_lacks(unknown, GateRules(pilots=2, pilot_minutes=45.0))) == ["time unknown of Ana"]


# A set with runs


def human(name, texts, *, asked="human:Ana", seconds=600):
    head = {
        "schema_version": 1,
        "model": name,
        "prompt_profile": "plain@1",
        "parameters": {"asked": asked},
    }
    return [head, *(line(sub, text, name, timing={"seconds": seconds}) for sub, text in texts.items())]


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A set with the runs of a probed model and a student, graded and marked in argus.db beside it."""
    place = tmp_path_factory.mktemp("graded")
    folder = write_set(place / "set")
    marks = write_lines(place / "marks.jsonl", [{**one, "model": "m"} for one in MARKS[2:]])
    runs = {
        "model": [line(sub, text) for sub, text in WRONG.items()],
        "ana": human("Ana", RIGHT),
    }
    with open_archive(f"sqlite:///{place / 'argus.db'}") as archive:
        for name, lines in runs.items():
            run = write_lines(folder / f"{name}.jsonl", lines)
            taken = [marks] if name == "model" else []
            grade(GradeRequest(run, load_set(folder), marks=taken, workers=1), archive)
    return place


@pytest.fixture
def folder(graded, tmp_path):
    """A copy of the set, its archive beside it."""
    shutil.copytree(graded, tmp_path, dirs_exist_ok=True)
    return tmp_path / "set"


def signed(folder, *lines, **rules):
    write_lines(folder / "signoff.jsonl", lines)
    problems = load_set(folder)
    archive = f"sqlite:///{folder.parent / 'argus.db'}"
    return gate_report(problems, read_signoff(problems, rules), archive)


PROBE, PILOT = {"gate": "probe", "run": "model.jsonl"}, {"gate": "pilot", "run": "ana"}


def test_runs_are_found_by_file_or_name_and_their_summaries_decide(folder):
    content = load_set(folder).hashes["water"].content
    accepted = {
        "gate": "review",
        "problem_id": "water",
        "content": content[:12],
        "reviewer": "Ada",
        "date": "2026-12-01",
        "decision": "accept",
    }
    report = signed(folder, accepted, PROBE, PILOT, reviews=1, pilots=1, pilot_minutes=30.0)
    (water,) = report.problems
    assert [(one.model, one.low, one.high) for one in water.probes] == [("m", 0.0, 0.0)]
    # right: 4 marks of 6 by code; two points and a deduction of one are open
    assert [(one.model, one.low, one.high) for one in water.pilots] == [("Ana", 0.5, 1.0)]
    assert water.pilots[0].minutes == pytest.approx(20.0)
    assert what(water.lacks) == ["students earn 50.0 % to 100.0 %, above 95.0 %"]
    passed = signed(folder, accepted, PROBE, PILOT, reviews=1, pilots=1, pilot_high=1.0)
    assert (passed.passed, passed.problems[0].lacks) == (1, ())
    assert json.loads(json.dumps(passed.as_json()))["problems"][0]["passed"] is True
    (row,) = gate_table(passed.as_json()).rows
    assert [cell.text for cell in row] == ["water", content[:12], "1", "1", "1", "nothing"]


def test_another_content_makes_reviews_and_scores_stale(folder):
    before = load_set(folder).hashes["water"].content
    changed = json.loads(json.dumps(PROBLEM))
    changed["subquestions"][0]["rubric"][0]["check"]["expected"] = 4
    write_set(folder, changed)
    review = {"gate": "review", "problem_id": "water", "content": before, "reviewer": "Ada"}
    (water,) = signed(folder, {**review, "date": "2026-12-01", "decision": "accept"}, PROBE, PILOT).problems
    assert what(water.lacks) == [
        "accepting reviewers: 0 of 2, 1 of another content",
        "models: 0 of 1, 1 graded on another content",
        "students: 0 of 3, 1 graded on another content",
    ]


def test_runs_that_cant_count_say_why(folder):
    report = signed(
        folder,
        {"gate": "probe", "run": "nowhere"},
        {"gate": "probe", "run": "ana"},
        {"gate": "probe", "run": "model", "model": "other"},
        PILOT,
    )
    assert [one.why for one in report.runs] == [
        "it is not in the archive",
        "a person answered it",
        "it holds no answers of other",
        None,
    ]
    with open_archive(f"sqlite:///{folder.parent / 'argus.db'}") as archive:
        lines = human("bot", WRONG, asked="openai/gpt")
        run = write_lines(folder / "bot.jsonl", lines)
        grade(GradeRequest(run, load_set(folder), workers=1), archive)
    (bot,) = signed(folder, {"gate": "pilot", "run": "bot"}).runs
    assert bot.why == "a model answered it"


def test_the_archive_is_opened_only_for_runs(tmp_path):
    problems = load_set(write_set(tmp_path / "set"))
    nowhere = f"sqlite:///{tmp_path / 'none.db'}"
    assert gate_report(problems, read_signoff(problems), nowhere).passed == 0
    write_lines(tmp_path / "set" / "signoff.jsonl", [PROBE])
    with pytest.raises(ArchiveError, match="there is no archive"):
        gate_report(problems, read_signoff(problems), nowhere)
