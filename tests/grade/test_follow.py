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
from tests.grade.small import said, write_lines, write_set


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


EARLY, LATE = {"alk-1": CARRIED["alk-1"]}, {"alk-2": CARRIED["alk-2"]}
WHOLE = "\n\n".join(f"## {sub_id}\n{text}" for sub_id, text in CARRIED.items())
MISTAKEN = {**CARRIED, "alk-2": "It has 13 hydrogen atoms and 17 single bonds."}
SILENT = {**CARRIED, "alk-1": "That can't be seen.", "alk-3": ""}
LINES = [
    *turns(),
    *turns(sample=1),
    *turns(model="given", protocol="oracle_scaffolded"),
    *turns(model="unsaid", protocol="unstated"),
    {
        "model": "whole",
        "problem_id": "alkane",
        "protocol": "full_problem",
        "mode": "text_only",
        "text": WHOLE,
    },
    *(one for other in ({"sample": 1}, {"mode": "multimodal"}) for one in turns(LATE, "elsewhere", **other)),
    *turns(EARLY, "elsewhere"),
    *turns(MISTAKEN, "mistaken"),
    *turns(SILENT, "silent"),
    *turns(LATE, "failed"),
    *({**one, "error": "down"} for one in turns(EARLY, "failed")),
]
"""Of some conversations not all turns, in one run."""


def test_each_protocol_says_whose_values_are_followed(folder, archive):
    lines = list(LINES)
    random.Random(7).shuffle(lines)
    result = graded(folder, archive, lines)
    assert awards(archive, result, award="award") == STRICT
    alone = {**FOLLOWING, "h": 0.0}  # b follows from h of the same response
    assert {model: awards(archive, result, model) for model in archive.models(result.run)} == {
        "m": FOLLOWING,
        "whole": FOLLOWING,
        "given": alone,
        "unsaid": alone,
        "elsewhere": {"c": 0, "h": 0, "b": 1},
        "mistaken": {**FOLLOWING, "h": 0, "b": 0},
        "silent": {"h": 0, "b": 1, "e": 0},
        "failed": {"h": 0, "b": 1},
    }
    assert result.summary["follow"] is True
    rows = {row["model"]: (row["earned"], row["earned_follow"]) for row in result.summary["scores"]}
    assert rows["m"] == (2, 8)
    assert rows["given"] == (1, 2)


def test_what_changes_is_followed_anew_and_what_was_found_is_kept(folder, archive):
    text = {**CARRIED, "alk-1": "It has 6 carbon atoms, and 7 in the longest chain."}
    assert awards(archive, graded(folder, archive, turns(text))) == FOLLOWING
    problem = deepcopy(PROBLEM)
    source, follower = problem["subquestions"][0]["rubric"][0], problem["subquestions"][1]["rubric"][1]
    source["check"]["asked"] = ["longest chain"]
    follower["follow"]["expression"] = "1.5 * h"
    write_set(folder, problem)
    assert awards(archive, graded(folder, archive, turns(text))) == {**FOLLOWING, "h": 0, "b": 0}
    assert archive.counts()["followed"] == 4


def test_grading_again_decides_nothing_and_a_forced_one_says_the_same(folder, here):
    first = graded(folder, here, turns())
    before = here.counts()
    again = graded(folder, here, turns())
    forced = graded(folder, here, turns(), regrade=True)
    assert (first.computed, again.computed, forced.computed) == (6, 0, 6)
    assert again.summary == first.summary
    assert forced.summary["scores"] == first.summary["scores"]
    assert here.counts() == {**before, "summaries": before["summaries"] + 1}


def test_the_same_answer_follows_each_time_from_what_went_before_it(folder, here):
    ours = graded(folder, here, turns())
    theirs = graded(folder, here, turns({**CARRIED, "alk-1": "It has 7 carbon atoms."}), "other.jsonl")
    assert (ours.computed, theirs.computed) == (6, 2)
    assert awards(here, theirs) == {**FOLLOWING, "h": 0}
    assert awards(here, ours) == FOLLOWING


def test_it_is_traced_from_which_values_what_follows_and_a_mark_keeps_its_word(folder, here):
    given = [{"point_id": "b", "points": 0}, {"point_id": "e", "points": 0, "points_follow": 1}]
    marks = write_lines(folder / "marks.jsonl", [{"model": "m", "by": "Ada", **one} for one in given])
    result = graded(folder, here, turns(), marks=[marks])
    lines = {(one["point_id"], one["by"]): one for one in here.lines()}
    code, ada = registry.by("integer"), "human:Ada"
    assert lines["h", code]["follow"] == {
        "from": [{"name": "c", "sub_id": "alk-1", "point_id": "c", "value": "6"}],
        "expected": ["14"],
        "status": "met",
        "reason": None,
        "by": code,
        "detail": "from c = 6 follows 14: 14 agrees with 14",
    }
    follow = {key: (one["award"], one["award_follow"], one["standing"]) for key, one in lines.items()}
    assert follow == {
        ("c", code): (0, 0, True),
        ("h", code): (0, 1, True),
        ("b", code): (0, 1, False),
        ("b", ada): (0, 0, True),
        ("e", code): (1, 1, False),
        ("e", ada): (0, 1, True),
    }
    shown = trace_answer(here, next(here.graded(result.run, Filters(sub_id="alk-2"))))
    assert "c: 6 at alk-1/c" in shown
    assert "0 of 2 marks, 2 with follow-through" in shown


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


def killed_and_finished(folder, url, tmp_path, count):
    """What a grading comes to that was killed before a commit, and an undisturbed one."""
    run, marks = write_lines(folder / "run.jsonl", turns()), write_lines(folder / "marks.jsonl", [])

    def finish(url):
        with open_archive(url) as archive:
            before = archive.counts()["followed"]
            result = grade(GradeRequest(run, load_set(folder), marks=[marks], workers=1), archive)
            outcome = awards(archive, result), said(archive), archive.counts()["followed"]
            return before, outcome

    command = [sys.executable, "-m", "tests.grade.interrupted", str(count), "SIGKILL"]
    killed = subprocess.run([*command, *map(str, (run, folder, url, marks))], check=False)
    assert killed.returncode == -signal.SIGKILL
    before, after = finish(url)
    _, undisturbed = finish(f"sqlite:///{tmp_path / 'undisturbed.db'}")
    assert after == undisturbed
    return before


def test_a_grading_killed_between_two_values_that_follow_finds_the_other(folder, tmp_path):
    assert killed_and_finished(folder, f"sqlite:///{tmp_path / 'argus.db'}", tmp_path, 11) == 1


@pytest.mark.slow
@pytest.mark.parametrize("count", range(5, 15))
def test_a_grading_killed_at_any_commit_ends_as_an_undisturbed_one(folder, archive_url, tmp_path, count):
    killed_and_finished(folder, archive_url, tmp_path, count)
