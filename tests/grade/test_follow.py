"""Follow-through in the pipeline: from whose values; nothing lost, doubled or kept beyond its time."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from copy import deepcopy

import pytest

from grader.archive.read import Filters
from grader.archive.store import open_archive
from grader.formal import registry
from grader.grade import GradeRequest, grade
from grader.problem.set import load_set
from grader.render.trace import trace_answer
from tests.grade.chain import CARRIED, FOLLOWING, PROBLEM, STRICT, turns
from tests.grade.small import write_lines, write_set


@pytest.fixture
def archive(archive_url):
    with open_archive(archive_url) as opened:
        yield opened


@pytest.fixture
def here(tmp_path):
    """An archive in SQLite, where the database makes no difference."""
    with open_archive(f"sqlite:///{tmp_path / 'argus.db'}") as opened:
        yield opened


@pytest.fixture
def folder(tmp_path):
    return write_set(tmp_path / "set", PROBLEM)


def graded(folder, archive, lines, name="run.jsonl", **options):
    run = write_lines(folder / name, lines)
    return grade(GradeRequest(run, load_set(folder), workers=1, **options), archive)


def awards(archive, result, model="m", award="award_follow"):
    return {
        point.point_id: getattr(point.standing, award)
        for answer in archive.graded(result.run)
        if answer.response.model == model
        for point in answer.points
        if point.standing.award is not None
    }


def changed(folder, sub, node, **fields):
    problem = deepcopy(PROBLEM)
    for name, value in fields.items():
        old = problem["subquestions"][sub]["rubric"][node].get(name)
        problem["subquestions"][sub]["rubric"][node][name] = {**old, **value}
    write_set(folder, problem)


def test_each_protocol_says_whose_values_are_followed(folder, archive):
    early, late = {"alk-1": CARRIED["alk-1"]}, {"alk-2": CARRIED["alk-2"]}
    whole = "\n\n".join(f"## {sub_id}\n{text}" for sub_id, text in CARRIED.items())
    lines = [
        *turns(),
        *turns(sample=1),
        *turns(model="given", protocol="oracle_scaffolded"),
        *turns(model="unsaid", protocol="unstated"),
        *turns(early, "resampled"),
        *turns(late, "resampled", sample=1),
        *turns(early, "remoded"),
        *turns(late, "remoded", mode="multimodal"),
        {
            "model": "whole",
            "problem_id": "alkane",
            "protocol": "full_problem",
            "mode": "text_only",
            "text": whole,
        },
    ]
    random.Random(7).shuffle(lines)
    result = graded(folder, archive, lines)
    assert awards(archive, result, award="award") == STRICT
    assert awards(archive, result) == awards(archive, result, "whole") == FOLLOWING
    alone = {**FOLLOWING, "h": 0.0}  # b follows from h of the same response
    assert awards(archive, result, "given") == awards(archive, result, "unsaid") == alone
    assert (
        awards(archive, result, "resampled") == awards(archive, result, "remoded") == {"c": 0, "h": 0, "b": 1}
    )
    assert result.summary["follow"] is True
    rows = {row["model"]: (row["earned"], row["earned_follow"]) for row in result.summary["scores"]}
    assert rows["m"] == (2, 8)
    assert rows["given"] == (1, 2)


def test_a_changed_rubric_is_followed_anew_and_what_was_found_is_kept(folder, archive):
    first = graded(folder, archive, turns())
    assert awards(archive, first) == FOLLOWING
    changed(folder, 1, 0, follow={"expression": "2 * c"})
    assert awards(archive, graded(folder, archive, turns())) == {**FOLLOWING, "h": 0}
    changed(folder, 0, 0, check={"expected": 6})  # now right, and so is what follows
    right = awards(archive, graded(folder, archive, turns()))
    assert right == {**FOLLOWING, "c": 1}
    assert archive.counts()["followed"] == 3


def test_a_source_that_is_read_otherwise_is_followed_anew(folder, here):
    text = {**CARRIED, "alk-1": "It has 6 carbon atoms, and 7 in the longest chain."}
    graded(folder, here, turns(text))
    changed(folder, 0, 0, check={"asked": ["longest chain"]})
    result = graded(folder, here, turns(text))
    assert awards(here, result) == {**FOLLOWING, "h": 0}
    assert here.counts()["followed"] == 3


def test_the_same_answer_follows_each_time_from_what_went_before_it(folder, here):
    graded(folder, here, turns())
    other = {**CARRIED, "alk-1": "It has 7 carbon atoms."}
    assert awards(here, graded(folder, here, turns(other), "other.jsonl")) == {**FOLLOWING, "h": 0}
    assert awards(here, graded(folder, here, turns())) == FOLLOWING


def test_grading_again_decides_nothing_and_a_forced_one_says_the_same(folder, here):
    first = graded(folder, here, turns())
    before = here.counts()
    again = graded(folder, here, turns())
    forced = graded(folder, here, turns(), regrade=True)
    assert (first.computed, again.computed, forced.computed) == (6, 0, 6)
    assert again.summary == first.summary
    assert forced.summary["scores"] == first.summary["scores"]
    assert here.counts() == {**before, "summaries": before["summaries"] + 1}


def test_it_is_traced_from_which_values_what_follows(folder, here):
    result = graded(folder, here, turns())
    lines = {one["point_id"]: one for one in here.lines()}
    assert lines["h"]["follow"] == {
        "from": [{"name": "c", "sub_id": "alk-1", "point_id": "c", "value": "6"}],
        "expected": ["14"],
        "status": "met",
        "reason": None,
        "by": registry.by("integer"),
        "detail": "from c = 6 follows 14: 14 agrees with 14",
    }
    assert (lines["h"]["award"], lines["h"]["award_follow"]) == (0, 1)
    assert (lines["e"]["award"], lines["e"]["award_follow"], lines["e"]["follow"]) == (1, 1, None)
    answer = next(here.graded(result.run, Filters(sub_id="alk-2")))
    shown = trace_answer(here, answer)
    assert "c: 6 at alk-1/c" in shown
    assert "0 of 2 marks, 2 with follow-through" in shown


def test_a_wrong_step_of_its_own_or_a_missing_value_earns_nothing(folder, here):
    wrong = turns({**CARRIED, "alk-2": "It has 13 hydrogen atoms and 17 single bonds."}, "wrong")
    missing = turns({**CARRIED, "alk-1": "That can't be seen.", "alk-3": ""}, "missing")
    failed = [{**one, "text": None, "error": "down"} for one in turns({"alk-1": ""}, "failed")]
    result = graded(folder, here, [*wrong, *missing, *failed, *turns({"alk-2": CARRIED["alk-2"]}, "failed")])
    assert awards(here, result, "wrong") == {**FOLLOWING, "h": 0, "b": 0}
    assert awards(here, result, "missing") == {"h": 0, "b": 1, "e": 0}
    assert awards(here, result, "failed") == {"h": 0, "b": 1}


def test_a_mark_keeps_its_own_word_on_following(folder, here):
    given = [{"point_id": "h", "points": 0}, {"point_id": "b", "points": 0, "points_follow": 1}]
    marks = [{"model": "m", "by": "Ada", **one} for one in (*given, {"point_id": "c", "points": 1})]
    result = graded(folder, here, turns(), marks=[write_lines(folder / "marks.jsonl", marks)])
    assert awards(here, result) == {"c": 1, "h": 0, "b": 1, "e": 1}
    lines = [one for one in here.lines() if one["point_id"] == "h"]
    assert [(one["by"], one["award_follow"], one["standing"]) for one in lines] == [
        (registry.by("integer"), 1, False),
        ("human:Ada", 0, True),
    ]


def test_a_set_without_follow_is_read_once_and_says_nothing_of_it(tmp_path, here, monkeypatch):
    problem = json.loads(json.dumps(PROBLEM))
    for sub in problem["subquestions"]:
        for node in sub["rubric"]:
            node.pop("follow", None)
    folder = write_set(tmp_path / "plain", problem)
    reads = []
    read = type(here).graded

    def counted(*args, **more):
        reads.append(1)
        return read(*args, **more)

    monkeypatch.setattr(type(here), "graded", counted)
    result = graded(folder, here, turns())
    assert len(reads) == 1
    assert result.summary["follow"] is False
    assert here.counts()["followed"] == 0


FOLLOWS = 11
"""The commit that keeps the second of two values that follow."""
KILLED = [pytest.param(n, marks=() if n == FOLLOWS else pytest.mark.slow) for n in range(5, 15)]


@pytest.mark.parametrize("count", KILLED)
def test_a_grading_killed_while_following_ends_as_an_undisturbed_one(folder, archive_url, tmp_path, count):
    run, marks = write_lines(folder / "run.jsonl", turns()), write_lines(folder / "marks.jsonl", [])

    def finish(url):
        with open_archive(url) as archive:
            result = grade(GradeRequest(run, load_set(folder), marks=[marks], workers=1), archive)
            return awards(archive, result), sorted(map(str, archive.lines())), archive.counts()["followed"]

    command = [sys.executable, "-m", "tests.grade.interrupted", str(count), "SIGKILL"]
    killed = subprocess.run([*command, *map(str, (run, folder, archive_url, marks))], check=False)
    assert killed.returncode == -signal.SIGKILL
    if count == FOLLOWS:
        with open_archive(archive_url) as archive:
            assert archive.counts()["followed"] == 1
    assert finish(archive_url) == finish(f"sqlite:///{tmp_path / 'undisturbed.db'}")
