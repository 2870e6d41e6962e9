"""Reading the archive: verdicts and the trace of one answer."""

from __future__ import annotations

import json

import pytest

from grader.formal.registry import by
from tests.grade.small import MARKS, both_models, write_lines, write_set


@pytest.fixture
def graded(argus, tmp_path):
    folder = write_set(tmp_path / "set")
    run = write_lines(folder / "run.jsonl", both_models())
    marks = write_lines(folder / "marks.jsonl", MARKS)
    assert argus("grade", run, "--marks", marks).code == 0
    return argus


def test_verdicts_are_lines_of_json_with_the_documented_keys(graded):
    lines = [json.loads(one) for one in graded("verdicts", "--jsonl").out.splitlines()]
    assert len(lines) == 6 + 4
    keys = (
        "model protocol mode sample problem_id sub_id point_id by status reason award award_follow found "
        "quote start end confidence flags standing"
    )
    assert all(set(keys.split()) <= one.keys() for one in lines)
    assert all(one["standing"] for one in lines)


def test_verdicts_can_be_filtered(graded):
    out = graded("verdicts", "--model", "wrong", "--by", "formal", "--status", "not_met").out
    assert {json.loads(one)["point_id"] for one in out.splitlines()} == {"n", "linear", "ice"}


def test_a_trace_of_several_answers_lists_them(graded):
    out = graded("trace", "water-1").out
    assert "--model right" in out
    assert "--model wrong" in out


def test_a_trace_goes_from_the_problem_to_the_score(graded):
    out = graded("trace", "water-2", "--model", "right").out
    for said in (
        "problem    water",
        "**Answer: B**, for its open lattice.",
        f"finding  {by('choice')}: met",
        "verdict  human:Ada: met",
        "stands   met",
        "score      3 of 3",
    ):
        assert said in out


def test_a_trace_of_one_point_shows_only_that(graded):
    out = graded("trace", "water-2", "--model", "right", "--point", "why").out
    assert "human:Ada" in out
    assert "formal:choice" not in out


@pytest.mark.parametrize(
    "words", [["trace", "water-9"], ["trace", "water-1", "--model", "right", "--point", "no"]]
)
def test_a_trace_of_nothing_is_a_mistake(graded, words):
    done = graded(*words)
    assert done.code == 2
    assert len(done.err.splitlines()) == 1
