"""Frames hold what was graded: each mark once, in its cell, whatever was graded or marked after."""

from __future__ import annotations

from typing import Any, cast

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from grader.archive import runs
from grader.archive.entry import Engine, FindingEntry, VerdictEntry
from grader.archive.store import open_archive
from grader.errors import UsageError
from grader.grade import GradeRequest, grade
from grader.problem.set import load_set
from grader.record import Finding, Status, Verdict
from grader.stats import columns
from grader.stats.frames import LEVELS, Frames
from tests.grade.small import PROBLEM, RIGHT, WRONG, both_models, line, write_lines, write_set


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


def archive_engines(archive):
    with archive._reading() as connection:
        return list(runs.engines(connection).values())


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
    first = [line("water-1", "It has 2 hydrogen atoms.", "m", sample=n) for n in (1, 0)]
    graded(archive, folder, [*first, line("water-2", "**Answer: B**", "m", sample=1)], "one")
    graded(archive, folder, [line(sub, "It has 3 hydrogen atoms.", "m") for sub in RIGHT], "two")
    frames = Frames.of(archive)
    # the second run's answers keep together, as sample 2, though the first has fewer of one subquestion
    assert list(
        zip(frames.answers["sub_id"], frames.answers["sample"], frames.answers["run"], strict=True)
    ) == [
        *(("water-1", sample, "one") for sample in (0, 1)),
        ("water-1", 2, "two"),
        ("water-2", 1, "one"),
        ("water-2", 2, "two"),
    ]
    n = frames.points[frames.points.point_id == "n"]
    assert list(zip(n["sample"], n.award, strict=True)) == [(0, 1.0), (1, 1.0), (2, 0.0)]
    cell = of(frames.cells)
    assert (cell.answers, cell.subquestions, cell.missing, cell.state) == (5, 2, 0, "complete")
    assert (cell.earned, cell.full_mark, cell.responses) == (5.0, 15.0, 5)


def test_a_response_in_two_runs_is_one_answer_and_one_response(archive, folder):
    both = both_models()
    graded(archive, folder, both)
    graded(archive, folder, [*both[2:], line("water-2", "", "new")], "again")
    frames = Frames.of(archive)
    assert dict(zip(frames.cells.model, frames.cells.responses, strict=True)) == {
        "new": 1,
        "right": 2,
        "wrong": 2,
    }
    assert list(frames.answers["sample"]) == [0] * 5
    assert list(frames.cells["empty"]) == [1, 0, 0]
    assert list(of(frames.answers, model="new")[["flags", "error", "cut"]]) == ["empty", False, True]


def test_a_summary_that_a_later_mark_ended_is_added_up_again_and_not_written(archive, folder):
    graded(archive, folder, [*both_models(), line("water-1", "", "none")])
    (run,) = archive.runs()
    before = Frames.of(archive)
    assert [list(before.cells[name]) for name in ("responses", "empty")] == [[1, 2, 2], [1, 0, 0]]
    summaries = archive.counts()["summaries"]
    point = next(one for one in archive.graded(run) if one.answer.sub_id == "water-2")
    verdict = Verdict("why", Status.MET, "human:Ada", 1.0)
    node = next(one for one in point.points if one.point_id == "why")
    place = (point.response.digest, "water", "water-2", node.point_hash, point.answer.answer_hash)
    archive.put_verdicts([VerdictEntry(*place, verdict)])
    after = Frames.of(archive)
    assert of(after.cells, model="right").earned == of(before.cells, model="right").earned + 2
    same = ["model", "responses", "failed", "empty", "missing", "formal"]
    assert after.cells[same].equals(before.cells[same])
    assert archive.counts()["summaries"] == summaries


def test_a_summary_of_an_older_argus_is_added_up_again(archive, folder):
    result = graded(archive, folder, both_models())
    expected = Frames.of(archive)
    old = [{**row, "low_marks": None} for row in result.summary["subquestions"]]
    old = [{name: value for name, value in row.items() if name != "low_marks"} for row in old]
    grading = archive.grading(result.run)
    archive.put_summary(grading, archive.state(), {**result.summary, "subquestions": old})
    frames = Frames.of(archive)
    assert_frame_equal(frames.subquestions, expected.subquestions)
    assert_frame_equal(frames.cells, expected.cells)


def test_where_a_judge_only_pointed_code_decided(archive, folder):
    lines = [line("water-1", "As many as one expects. No, it is bent."), line("water-2", "**Answer: B**")]
    run = graded(archive, folder, lines).run
    engine = Engine("formal:integer@9", {"locator": "gauss@1f"})
    grading = archive.grading(run)
    engines = [one for one in archive_engines(archive) if one.key in grading.engines]
    archive.begin_grading(run, grading.set_digest, [*engines, engine], "gauss@1f")
    first = next(archive.graded(run))
    n = first.points[0]
    assert n.standing.status is Status.UNDETERMINED
    found = Finding(Status.MET, engine.by, "2 is 2", found="2")
    archive.put_findings([FindingEntry(n.point_hash, first.answer.answer_hash, engine.key, found)])
    frames = Frames.of(archive)
    cell = of(frames.cells)
    assert cell.located == 2.0
    assert list(of(frames.points, point_id="n")[["track", "award", "award_code"]]) == ["located", 1.0, 1.0]


def test_what_a_provisional_judge_says_is_shown_and_counts_nowhere(archive, folder):
    run = graded(archive, folder, both_models()).run
    grading = archive.grading(run)
    engines = [one for one in archive_engines(archive) if one.key in grading.engines]
    archive.begin_grading(run, grading.set_digest, engines, "gauss@1f")
    before = Frames.of(archive).cells
    for answer in list(archive.graded(run)):
        for point in answer.points:
            if point.point_id == "why":
                place = (
                    answer.response.digest,
                    "water",
                    "water-2",
                    point.point_hash,
                    answer.answer.answer_hash,
                )
                said = Verdict("why", Status.MET, "judge:gauss@1f", 1.0, confidence=0.7, provisional=True)
                archive.put_verdicts([VerdictEntry(*place, said)])
    frames = Frames.of(archive)
    assert_frame_equal(frames.cells, before)
    why = of(frames.points, point_id="why", model="right")
    assert (why.status, why.provisional, why.by, why.award_judge) == (
        "undetermined",
        True,
        "judge:gauss@1f",
        1.0,
    )
    assert pd.isna([why.track, why.award, why.award_follow]).all()


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


def test_runs_on_different_sets_are_each_held_to_their_own(archive, folder, tmp_path):
    graded(archive, folder, both_models())
    first = {**cast("list[dict[str, Any]]", PROBLEM["subquestions"])[0], "sub_id": "steam-1"}
    steam = {**PROBLEM, "problem_id": "steam", "subquestions": [first]}
    graded(
        archive, write_set(tmp_path / "steam", steam), [line("steam-1", "2 hydrogen atoms", "wrong")], "steam"
    )
    graded(archive, tmp_path / "steam", [line("steam-1", "2 hydrogen atoms", "new")], "other")
    frames = Frames.of(archive)
    held = zip(frames.cells.model, frames.cells.subquestions, frames.cells.missing, strict=True)
    assert list(held) == [("new", 1, 0), ("right", 2, 0), ("wrong", 3, 0)]
    assert list(frames.items.problem_id) == ["steam", "water", "water"]
    assert sorted(zip(frames.sets.problems, frames.sets.subquestions, strict=True)) == [(1, 1), (1, 2)]


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
