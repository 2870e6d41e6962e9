"""Scores as graded, as reviewed and corrected are kept apart, and none is corrected without random marks."""

from __future__ import annotations

import pytest

from grader.archive.store import open_archive
from grader.grade import GradeRequest, grade
from grader.problem.set import load_set
from grader.report.document import Options
from grader.report.reviewed import reviewed_section
from grader.stats.frames import Frames
from tests.grade.small import MARKS, both_models, write_lines, write_set

OVERRIDE = {"model": "right", "point_id": "n", "points": 0, "by": "Ada"}
"""Code found the two marks of this point; a person takes them back."""


@pytest.fixture
def section(tmp_path):
    """The section of a run with these marks."""

    def made(marks):
        folder = write_set(tmp_path / "set")
        run = write_lines(folder / "run.jsonl", both_models())
        file = write_lines(folder / "marks.jsonl", marks)
        with open_archive(str(tmp_path / "argus.db")) as archive:
            grade(GradeRequest(run, load_set(folder), [file], workers=1), archive)
            return reviewed_section(Frames.of(archive), Options())

    return made


def cells(section):
    return {row["model"]: row for row in section.data["cells"]}


def test_a_mark_in_place_of_a_finding_changes_the_reviewed_score_only(section):
    made = section([*MARKS, OVERRIDE])
    right = cells(made)["right"]
    assert right["as_graded"] == [1.0, 1.0, 1.0]
    assert right["reviewed"] == [0.666666667, 0.666666667, 0.666666667]  # 4 of 6
    assert right["overridden"] == 1
    assert cells(made)["wrong"]["overridden"] == 0
    assert [cell.text for cell in made.tables[0].rows[0]] == [
        *("right", "100.0", "66.7", "−33.3", "1", "not given"),
    ]
    assert made.says == ("People overrode code or judge on 1 point: scores are reviewed, selectively.",)


def test_a_mark_where_nobody_else_decided_is_part_of_the_score_as_graded(section):
    made = section(MARKS)
    assert cells(made)["right"]["as_graded"] == cells(made)["right"]["reviewed"] == [1.0, 1.0, 1.0]
    assert made.says == ()


def test_open_points_stay_between_bounds_in_both(section):
    made = section([OVERRIDE])
    right = cells(made)["right"]
    assert right["as_graded"] == [0.666666667, 0.5, 1.0]
    assert right["reviewed"] == [0.333333333, 0.166666667, 0.666666667]


def test_nothing_is_called_corrected_without_a_spot_check(section):
    made = section(MARKS)
    assert {row["corrected"] for row in made.data["cells"]} == {None}
    assert {row["not_corrected"] for row in made.data["cells"]} == {"no spot check was drawn"}
    assert {row[-1].text for row in made.tables[0].rows} == {"not given"}
    assert made.tables[0].notes[-1] == "corrected scores are not given: no spot check was drawn"
    assert len(made.tables) == 1
