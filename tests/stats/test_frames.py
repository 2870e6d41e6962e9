"""Frames hold what was graded: each mark once, in its cell, whatever was graded or marked after."""

from __future__ import annotations

import pandas as pd
import pytest

from grader.archive.store import open_archive
from grader.errors import UsageError
from grader.grade import GradeRequest, grade
from grader.problem.set import load_set
from grader.stats import columns
from grader.stats.frames import LEVELS, Frames
from tests.grade.small import PROBLEM, WRONG, both_models, line, write_lines, write_set


@pytest.fixture
def folder(tmp_path):
    return write_set(tmp_path)


@pytest.fixture
def archive(tmp_path):
    with open_archive(str(tmp_path / "argus.db")) as opened:
        yield opened


def graded(archive, folder, lines, name="run", marks=(), **how):
    path = write_lines(folder / f"{name}.jsonl", lines)
    files = [write_lines(folder / f"{name}-marks.jsonl", marks)] if marks else []
    return grade(GradeRequest(path, load_set(folder), files, workers=1, **how), archive)


def of(frame, **where):
    """The one row with these values."""
    for name, value in where.items():
        frame = frame[frame[name] == value]
    assert len(frame) == 1, frame
    return frame.iloc[0]


def test_each_level_adds_up_the_one_below(archive, folder):
    graded(archive, folder, both_models())
    frames = Frames.of(archive)
    right = of(frames.cells, model="right")
    assert (right.earned, right.full_mark, right.low, right.high) == (4.0, 6.0, 3.0, 6.0)
    assert (right.formal, right.located, right.judge, right.human) == (4.0, 0.0, 0.0, 0.0)
    assert (right.state, right.subquestions, right.missing, right.responses, right.failed) == (
        "complete",
        2,
        0,
        2,
        0,
    )
    wrong = of(frames.cells, model="wrong")
    assert (wrong.earned, wrong.low, wrong.high) == (0.0, 0.0, 2.0)
    second = of(frames.subquestions, model="right", sub_id="water-2")
    assert (second.position, second.earned, second.full_mark, second.low, second.high) == (
        1,
        1.0,
        3.0,
        0.0,
        3.0,
    )
    for below, above in (("answers", "subquestions"), ("subquestions", "problems"), ("problems", "cells")):
        for mark in ("earned", "full_mark", "low", "high", "earned_follow", "formal"):
            assert getattr(frames, below)[mark].sum() == pytest.approx(getattr(frames, above)[mark].sum())


def test_points_say_what_stands_and_what_each_track_said(archive, folder):
    marks = [
        {"point_id": "n", "by": "Ada", "model": "wrong", "award": 1.0},
        {"point_id": "spelling", "by": "Ada", "model": "right", "status": "met"},
    ]
    graded(archive, folder, both_models(), marks=marks)
    points = Frames.of(archive).points
    assert len(points) == 2 * 5
    n = of(points, model="wrong", point_id="n")
    assert (n.status, n.award, n.track, n.by, n.award_code, n.award_human) == (
        "met",
        1,
        "human",
        "human:Ada",
        0,
        1,
    )
    ice = of(points, model="right", point_id="ice")
    assert (ice.kind, ice.track, ice.place, ice.points, ice["shape"]) == ("choice", "formal", 0, 1.0, "point")
    why = of(points, model="right", point_id="why")
    assert (why.status, why.reason) == ("undetermined", "unjudged")
    assert pd.isna([why.track, why.award, why.award_follow, why.award_code, why.confidence]).all()
    spelling = of(points, model="right", point_id="spelling")
    assert (spelling["shape"], spelling.points, spelling.award) == ("deduction", -1.0, 1.0)


def test_what_people_say_later_counts_without_another_grading(archive, folder):
    graded(archive, folder, both_models())
    before = of(Frames.of(archive).cells, model="wrong")
    mark = {"point_id": "n", "by": "Ada", "model": "wrong", "award": 1.0}
    graded(archive, folder, [line(sub, text, "wrong") for sub, text in WRONG.items()], "again", [mark])
    frames = Frames.of(archive)
    after = of(frames.cells, model="wrong")
    assert (after.earned, after.answers) == (before.earned + 2.0, 2)
    # the first run keeps its other model and leaves the shared responses to the second
    assert len(frames.answers) == 4
    assert set(frames.answers[frames.answers.model == "wrong"].run) == {"again"}
    assert of(Frames.of(archive, ["run"]).cells, model="wrong").earned == after.earned


def test_samples_of_several_runs_are_counted_through(archive, folder):
    for name, text in (("one", "It has 2 hydrogen atoms."), ("two", "It has 3 hydrogen atoms.")):
        graded(archive, folder, [line("water-1", text, "m")], name)
    frames = Frames.of(archive)
    assert list(frames.answers["sample"]) == [0, 1]
    assert list(frames.points[frames.points.point_id == "n"].award) == [1.0, 0.0]
    cell = of(frames.cells)
    assert (cell.answers, cell.subquestions, cell.missing, cell.state) == (2, 1, 1, "partial")
    assert (cell.earned, cell.full_mark) == (2.0, 6.0)


def test_a_failed_call_is_open_and_counted(archive, folder):
    graded(archive, folder, [line("water-1", "", error="gave up"), line("water-2", "")])
    frames = Frames.of(archive)
    cell = of(frames.cells)
    assert (cell.failed, cell["empty"], cell.responses) == (1, 1, 2)
    first = of(frames.answers, sub_id="water-1")
    assert (first.error, first.low, first.high, first.formal) == (True, 0.0, 3.0, 0.0)
    assert set(frames.points[frames.points.sub_id == "water-1"].reason) == {"call_failed"}


def test_runs_graded_by_different_rubrics_are_not_mixed(archive, folder, tmp_path):
    graded(archive, folder, both_models())
    other = {**PROBLEM, "header": "Heavy water."}
    graded(archive, write_set(tmp_path / "other", other), both_models(), "later")
    with pytest.raises(UsageError, match="different versions of a problem"):
        _ = Frames.of(archive).cells
    assert len(Frames.of(archive, ["later"]).cells) == 2


def test_there_must_be_something_to_look_at(archive, folder):
    with pytest.raises(UsageError, match="no graded run"):
        Frames.of(archive)
    graded(archive, folder, both_models())
    with pytest.raises(UsageError, match="no such run"):
        Frames.of(archive, ["elsewhere"])


def test_frames_have_the_columns_that_are_documented(archive, folder):
    graded(archive, folder, both_models())
    frames = Frames.of(archive)
    for name in LEVELS:
        assert list(getattr(frames, name).columns) == getattr(columns, name.upper())
    assert list(of(frames.runs)[["run", "card", "provisional"]]) == ["run", None, False]
