"""From a run to scores: nothing guessed, nothing lost, nothing done twice."""

from __future__ import annotations

import json

import pytest

from grader.archive.store import open_archive
from grader.errors import ArchiveBusy, MarkError, ProblemError, RunError
from grader.formal.registry import by
from grader.grade import GradeRequest, grade
from grader.problem.set import load_set
from tests.grade.small import MARKS, PROBLEM, RIGHT, both_models, line, write_lines, write_set


@pytest.fixture
def folder(tmp_path):
    return write_set(tmp_path / "set")


def graded(folder, archive, lines, marks=None, **options):
    run = write_lines(folder / "run.jsonl", lines)
    paths = [] if marks is None else [write_lines(folder / "marks.jsonl", marks)]
    return grade(GradeRequest(run, load_set(folder), marks=paths, workers=1, **options), archive)


@pytest.fixture
def archive(archive_url):
    with open_archive(archive_url) as opened:
        yield opened


def scores(result):
    return {
        row["model"]: (row["earned"], row["full_mark"], row["coverage"]) for row in result.summary["scores"]
    }


def bounds(result):
    return {
        row["model"]: (round(6 * row["low"], 6), round(6 * row["high"], 6))
        for row in result.summary["scores"]
    }


def test_what_nobody_decided_leaves_bounds_and_is_counted_by_reason(folder, archive):
    result = graded(folder, archive, both_models())
    assert scores(result) == {"right": (4, 6, 0.666666667), "wrong": (0, 6, 0.666666667)}
    # the open deduction can take one mark, the open point can give two
    assert bounds(result) == {"right": (3, 6), "wrong": (0, 2)}
    assert result.summary["undetermined"] == [{"reason": "unjudged", "points": 4}]
    assert result.summary["by_track"] == {"formal": 8, "undetermined": 4}


def test_marks_close_what_code_left_open(folder, archive):
    result = graded(folder, archive, both_models(), MARKS)
    assert scores(result) == {"right": (6, 6, 1), "wrong": (0, 6, 1)}
    assert result.summary["undetermined"] == []
    assert result.summary["by_track"] == {"formal": 8, "human": 4, "undetermined": 0}
    assert result.marks == 4


def test_a_mark_stands_above_a_finding_which_is_kept_beside_it(folder, archive):
    overruled = {"model": "wrong", "point_id": "ice", "points": 1, "by": "Ada", "reason": "a slip of the pen"}
    result = graded(folder, archive, both_models(), [*MARKS, overruled])
    assert scores(result)["wrong"] == (1, 6, 1)
    lines = [one for one in archive.lines() if one["point_id"] == "ice" and one["model"] == "wrong"]
    assert {one["by"]: (one["status"], one["standing"]) for one in lines} == {
        by("choice"): ("not_met", False),
        "human:Ada": ("met", True),
    }


def test_grading_again_computes_nothing_and_says_the_same(folder, archive):
    first = graded(folder, archive, both_models(), MARKS)
    before = archive.counts()
    again = graded(folder, archive, both_models(), MARKS)
    assert (first.computed, again.computed, again.marks) == (6, 0, 0)
    assert again.summary == first.summary
    assert archive.counts() == before


def test_marks_that_come_later_are_taken_without_computing_anything(folder, archive):
    graded(folder, archive, both_models())
    result = graded(folder, archive, both_models(), MARKS)
    assert (result.computed, result.marks) == (0, 4)
    assert scores(result)["right"] == (6, 6, 1)


def test_a_longer_run_computes_only_what_is_new(folder, archive):
    graded(folder, archive, both_models())
    more = [*both_models(), line("water-1", "There are 4 hydrogen atoms. No.", "third")]
    assert graded(folder, archive, more).computed == 2


def test_the_same_answer_of_another_model_is_not_decided_twice(folder, archive):
    graded(folder, archive, both_models())
    assert graded(folder, archive, [line("water-1", RIGHT["water-1"], "copy")]).computed == 0


def test_a_changed_point_is_decided_anew_and_the_others_are_not(folder, archive):
    graded(folder, archive, both_models(), MARKS)
    changed = json.loads(json.dumps(PROBLEM))
    changed["subquestions"][0]["rubric"][0]["check"]["expected"] = 3
    write_set(folder, changed)
    result = graded(folder, archive, both_models(), MARKS)
    assert result.computed == 2
    assert scores(result) == {"right": (4, 6, 1), "wrong": (2, 6, 1)}


def test_a_changed_flexible_point_makes_its_mark_stale(folder, archive):
    graded(folder, archive, both_models(), MARKS)
    changed = json.loads(json.dumps(PROBLEM))
    changed["subquestions"][1]["rubric"][1]["text"] = "the open lattice of hydrogen bonds"
    write_set(folder, changed)
    result = graded(folder, archive, both_models())
    assert result.summary["stale_marks"] == 2
    assert result.summary["undetermined"] == [{"reason": "unjudged", "points": 2}]


def test_regrading_decides_everything_again_and_doubles_nothing(folder, archive):
    first = graded(folder, archive, both_models(), MARKS)
    before = archive.counts()
    result = graded(folder, archive, both_models(), MARKS, regrade=True)
    assert result.computed == 6
    assert result.summary["scores"] == first.summary["scores"]
    assert archive.counts()["findings"] == before["findings"]
    assert archive.counts()["verdicts"] == before["verdicts"]


def test_a_blank_answer_is_not_met_and_a_failed_call_is_undetermined(folder, archive):
    lines = [
        line("water-1", " \n", "silent"),
        line("water-2", "", "silent"),
        line("water-1", None, "broken", error="timed out"),
        line("water-2", "B", "broken", error="cut off"),
    ]
    result = graded(folder, archive, lines)
    assert scores(result) == {"silent": (0, 6, 1), "broken": (0, 6, 0)}
    assert bounds(result) == {"silent": (0, 0), "broken": (0, 6)}
    assert result.summary["undetermined"] == [{"reason": "call_failed", "points": 5}]
    reasons = {(one["point_id"], one["status"], one["reason"]) for one in archive.lines()}
    assert ("why", "not_met", "no_answer") in reasons


def test_a_full_problem_response_is_cut_at_its_headings(folder, archive):
    text = f"## 1\n{RIGHT['water-1']}\n\n## 2\n{RIGHT['water-2']}"
    whole = {"model": "m", "problem_id": "water", "text": text}
    result = graded(folder, archive, [whole])
    assert [(row["protocol"], row["earned"]) for row in result.summary["scores"]] == [("full_problem", 4)]
    for one in archive.lines():
        assert text[one["start"] : one["end"]] == one["quote"]
        assert one["start"] >= text.index("## 1" if one["sub_id"] == "water-1" else "## 2")


def test_an_uncut_response_earns_only_what_a_label_binds(folder, archive):
    whole = {"model": "m", "problem_id": "water", "text": "I think it is 2, and B, and no."}
    result = graded(folder, archive, [whole])
    assert result.summary["scores"][0]["earned"] == 0
    assert not any(one["status"] == "met" for one in archive.lines())


def test_a_broken_line_keeps_what_came_before_and_the_rest_is_skipped_on_request(folder, archive):
    lines = [*both_models(), line("water-9", "x"), line("water-1", "5 hydrogen atoms. No.", "late")]
    with pytest.raises(RunError, match="unknown sub_id"):
        graded(folder, archive, lines)
    result = graded(folder, archive, lines, keep_going=True)
    assert [fault["line"] for fault in result.summary["skipped"]] == [5]
    assert set(scores(result)) == {"right", "wrong", "late"}


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        ({"point_id": "nowhere", "points": 1}, "unknown point"),
        ({"point_id": "why", "points": 3}, "expected 0 to 2"),
        ({"point_id": "why", "points": -1}, "expected 0 to 2"),
        ({"point_id": "why", "points": 1}, "allows no partial award"),
        ({"point_id": "spelling", "points": 1}, "expected -1 to 0"),
        ({"point_id": "why"}, "exactly one of"),
        ({"point_id": "why", "points": 1, "award": 0.5}, "exactly one of"),
        ({"point_id": "why", "award": 1, "colour": "red"}, "Extra inputs"),
        ({"point_id": "why", "award": 1, "model": "nobody"}, "no response that this mark is for"),
        ({"point_id": "why", "award": 1, "model": None}, "fits 2 responses"),
    ],
)
def test_a_mark_that_fits_nothing_is_refused_before_anything_is_spent(folder, archive, mark, message):
    with pytest.raises(MarkError, match=message):
        graded(folder, archive, both_models(), [{"model": "right", "by": "Ada"} | mark])
    assert archive.counts()["findings"] == 0


def test_marks_are_read_from_csv_too(folder, archive):
    run = write_lines(folder / "run.jsonl", both_models())
    table = folder / "marks.csv"
    table.write_text("model,point_id,points,by\nright,why,2,Ada\nright,spelling,0,Ada\n")
    result = grade(GradeRequest(run, load_set(folder), marks=[table], workers=1), archive)
    assert scores(result)["right"] == (6, 6, 1)


def test_a_second_mark_by_one_marker_for_one_point_is_refused(folder, archive):
    twice = [{"model": "right", "point_id": "why", "points": points, "by": "Ada"} for points in (2, 0)]
    with pytest.raises(MarkError, match="second mark by one marker"):
        graded(folder, archive, both_models(), twice)


def test_follow_through_marks_obey_the_scale_of_their_point(folder, archive):
    for points in (99, 1):
        mark = {"model": "right", "point_id": "why", "points": 0, "points_follow": points, "by": "Ada"}
        with pytest.raises(MarkError, match="/points_follow"):
            graded(folder, archive, both_models(), [mark])


def test_skipped_lines_stop_the_next_grading_that_does_not_ask_to_skip(folder, archive):
    lines = [*both_models(), line("water-9", "x")]
    assert len(graded(folder, archive, lines, MARKS, keep_going=True).summary["skipped"]) == 1
    with pytest.raises(RunError, match="unknown sub_id"):
        graded(folder, archive, lines)
    again = graded(folder, archive, lines, keep_going=True)
    assert (again.computed, len(again.summary["skipped"])) == (0, 1)


def test_the_same_answers_in_two_files_are_two_models(folder, archive):
    lines = [{"sub_id": sub_id, "text": text} for sub_id, text in RIGHT.items()]
    for name in ("one", "two"):
        run = write_lines(folder / f"{name}.jsonl", lines)
        result = grade(GradeRequest(run, load_set(folder), workers=1), archive)
        assert set(scores(result)) == {name}


@pytest.mark.parametrize("text", ["", "\n \n", '{"schema_version": 1}\n'])
def test_a_run_without_responses_is_a_mistake(folder, archive, text):
    run = folder / "run.jsonl"
    run.write_text(text)
    with pytest.raises(RunError, match="no responses"):
        grade(GradeRequest(run, load_set(folder), workers=1), archive)


def test_what_a_bug_left_open_is_not_called_finished(folder, archive, monkeypatch):
    with monkeypatch.context() as broken:
        broken.setattr("grader.formal.task.WORK", "tests.worker_tasks:fail")
        result = graded(folder, archive, both_models(), MARKS)
        assert len(result.failures) == 6
    assert scores(graded(folder, archive, both_models(), MARKS))["right"] == (6, 6, 1)


def test_the_share_of_the_set_that_was_answered_is_counted(folder, archive):
    (row,) = graded(folder, archive, [line("water-1", RIGHT["water-1"])]).summary["scores"]
    assert (row["subquestions"], row["missing"]) == (1, 1)


def test_a_set_without_rubrics_is_not_graded(folder, archive):
    bare = json.loads(json.dumps(PROBLEM))
    for sub in bare["subquestions"]:
        del sub["rubric"]
    write_set(folder, bare)
    with pytest.raises(ProblemError, match="run but not graded"):
        graded(folder, archive, both_models())


def test_a_run_is_bound_to_what_its_models_saw(folder, archive):
    header = {"schema_version": 1, "visible_hash": load_set(folder).visible_hash}
    graded(folder, archive, [header, *both_models()])
    changed = json.loads(json.dumps(PROBLEM))
    changed["header"] = "Heavy water."
    write_set(folder, changed)
    with pytest.raises(RunError, match="other problems"):
        graded(folder, archive, [header, *both_models()])


def test_two_graders_never_work_on_one_run(folder, archive, archive_url):
    result = graded(folder, archive, both_models())
    with (
        open_archive(archive_url) as other,
        other.only_grader(result.run.digest),
        pytest.raises(ArchiveBusy),
    ):
        graded(folder, archive, both_models())


def odd_lines():
    """A plain answer, and a response of each kind that is none."""
    return [
        line("water-1", RIGHT["water-1"], finish_reason="stop"),
        line("water-2", "", finish_reason="stop"),
        line("water-1", "I can't help with that.", sample=1),
        line("water-2", "**Answer: B**, because", sample=1, finish_reason="length"),
        line("water-1", None, sample=2, error="bad_request: prompt is too long: 9 tokens > 8 maximum"),
        line("water-2", None, sample=2, error="timeout"),
    ]


def test_what_is_no_plain_answer_is_counted_beside_the_score_and_a_failed_call_is_no_zero(folder, archive):
    (score,) = graded(folder, archive, odd_lines()).summary["scores"]
    assert (score["responses"], score["failed"]) == (6, 2)
    assert score["flags"] == {"empty": 1, "refused": 1, "truncated": 1, "looping": 0, "overflow": 1}
    # both of the failed calls' subquestions are open, the empty answer's is not
    assert score["coverage"] < 1


def test_a_summary_of_a_version_without_flags_is_added_up_again(folder, archive):
    first = graded(folder, archive, odd_lines())
    grading = archive.grading(first.run)
    old = {**first.summary, "scores": [_unflagged(score) for score in first.summary["scores"]]}
    archive.put_summary(grading, archive.state(), old)
    assert archive.summary(grading) == old
    again = graded(folder, archive, odd_lines())
    assert (again.computed, again.summary) == (0, first.summary)
    assert archive.summary(grading) == first.summary


def _unflagged(score):
    return {name: value for name, value in score.items() if name not in ("responses", "failed", "flags")}
