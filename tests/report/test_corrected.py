"""Corrected scores and gaps name their target and marks, and are refused in words without marks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.judge.card import SpotCheck
from grader.report.document import Options
from grader.report.gaps import protocol_gaps
from grader.report.report import build
from grader.report.reviewed import reviewed_section
from grader.report.sections import chosen
from grader.stats.frames import Frames
from tests.audit.drawn import Opinion, Script, drawn_archive, right

FULL, CARRY = "full_problem", "sequential_carry"
RATES = SpotCheck(confident=0.6, doubtful=0.6, formal=0.6)


def true(spot):
    """The protocol changes nothing: an answer that is right under one is right under the other."""
    return float(replace(spot, protocol="", award=None).chance("truth") < 0.4)


def generous(spot):
    """Right of full_problem; of sequential_carry it gives two in three of the marks that aren't due."""
    if spot.protocol == CARRY and spot.chance("generous") < 0.67:
        return Opinion(1.0)
    return Opinion(true(spot))


@pytest.fixture(scope="module")
def frames(tmp_path_factory):
    """A judge that favours a protocol, two thirds of its points marked at random."""
    script = Script(40, protocols=(FULL, CARRY), judge=generous, found=true, rates=RATES)
    with drawn_archive(tmp_path_factory.mktemp("report"), script) as desk:
        desk.mark("Ada", true)
        made = Frames.of(desk.archive)
        assert made.spot_checked
        assert made.checked is not None
        yield made


def test_three_scores_stand_side_by_side_with_target_and_marks(frames):
    made = reviewed_section(frames, Options())
    carry = next(row for row in made.data["cells"] if row["protocol"] == CARRY)
    found = carry["corrected"]
    assert carry["not_corrected"] is None
    assert carry["corrected_pooled"] is None
    low, high = found["benchmark"]["interval"]
    assert found["benchmark"]["value"] < carry["as_graded"][0] - 0.1
    assert not low <= carry["as_graded"][0] <= high
    assert found["problems"]["interval"][0] < low
    assert found["points"] == 120
    assert 50 < found["labels"] < 95
    assert found["disagreements"] > 5
    assert found["open"] == 0
    table = made.tables[1]
    assert [column.heading for column in table.columns] == [
        *(
            "model",
            "protocol",
            "for",
            "marks of",
            "corrected",
            "95 % interval",
            "marks",
            "problems",
            "disagree",
        )
    ]
    assert [row[2].text for row in table.rows] == ["problems like these", "this benchmark"] * 2
    assert table.rows[2][6].text == str(found["labels"])
    assert any(one.startswith("People would have given alpha (carry, text_only)") for one in made.says)
    shown = made.tables[0].rows[1][-1].text
    assert shown.startswith(f"{100 * found['problems']['value']:.1f} (")


def test_a_gap_that_the_judge_made_up_is_gone_once_it_is_corrected(frames):
    made = protocol_gaps(frames, Options())
    assert made is not None
    (row,) = made.data["gaps"]
    assert row["finding"] == "carry higher"
    assert row["corrected"]["finding"] == "no evidence"
    low, high = row["corrected"]["problems"]["interval"]
    assert low < 0 < high
    assert row["corrected"]["p_holm"] == row["corrected"]["p"]
    assert [column.heading for column in made.tables[0].columns][-2:] == ["corrected", "95 % interval"]
    assert any(
        one.startswith("Corrected for the graders' errors, integration of alpha under text_only is")
        and one.endswith("no evidence; as scored: carry higher.")
        for one in made.says
    )


def test_the_summary_says_what_is_corrected(frames):
    def last(*names):
        return build(frames, Options(), chosen(names, deep=False)).summary[-1]

    assert last("reviewed") == (
        "Only what is called corrected is corrected for errors of graders; all else is as graded."
    )
    assert last("scores").startswith(
        "No score here is corrected for errors of graders; see --section reviewed"
    )


def test_what_the_judge_graded_agrees_in_both(frames):
    checked = frames.checked
    for cell, (answers, _) in checked.cells.items():
        own = frames.subquestions[frames.subquestions["protocol"] == cell[1]]
        reviewed = reviewed_section(frames, Options()).data["cells"]
        graded = next(row for row in reviewed if row["protocol"] == cell[1])["as_graded"][0]
        earned = checked.answers.take(answers)
        assert (earned["earned"] + earned["settled"]).sum() / own["full_mark"].sum() == pytest.approx(graded)


def test_marks_on_doubted_points_alone_correct_nothing_and_the_report_says_why(tmp_path):
    def doubtful(spot):
        return Opinion(1.0, confidence=0.4 if spot.chance("doubt") < 0.3 else 0.9)

    nothing = SpotCheck(confident=1e-9, doubtful=1e-9, formal=1e-9)
    with drawn_archive(tmp_path, Script(10, judge=doubtful, rates=nothing)) as desk:
        assert desk.mark("Ada", right)
        made = Frames.of(desk.archive)
        (row,) = reviewed_section(made, Options()).data["cells"]
        assert not made.spot_checked
    assert row["corrected"] is None
    assert row["not_corrected"] == "no spot check was drawn"


def test_a_score_with_too_few_marks_of_its_own_takes_the_error_of_all_and_says_so(tmp_path):
    script = Script(24, models=("alpha", "beta"), judge=generous, rates=RATES)
    with drawn_archive(tmp_path, script) as desk:
        desk.mark("Ada", right, only=lambda item: desk.spot(item).model == "alpha")
        made = reviewed_section(Frames.of(desk.archive), Options())
    alpha, beta = made.data["cells"]
    assert alpha["corrected"] is not None
    assert beta["corrected"] is None
    assert "drawn points is marked yet" in beta["not_corrected"]
    assert beta["corrected_pooled"]["own_labels"] == 0
    assert beta["corrected_pooled"]["labels"] == alpha["corrected"]["labels"]
    assert [row[2].text for row in made.tables[1].rows] == ["own"] * 2 + ["all cells"] * 2
    assert any("One error is assumed for all cells of this judge" in note for note in made.tables[1].notes)


def test_nothing_is_read_where_nobody_marked(tmp_path, monkeypatch):
    with drawn_archive(tmp_path, Script(3, protocols=(FULL, CARRY))) as desk:
        monkeypatch.setattr("grader.stats.frames.checked_of", None)
        made = Frames.of(desk.archive)
        gaps = protocol_gaps(made, Options())
    assert gaps is not None
    (row,) = gaps.data["gaps"]
    assert row["corrected"] is None
    assert row["not_corrected"] == "nobody has marked points that were drawn at random"
