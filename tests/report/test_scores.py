"""Tables of scores, ranks, cells and tracks, from marks that can be counted."""

from __future__ import annotations

import pytest

from grader.report.census import census_section
from grader.report.document import Options
from grader.report.report import build
from grader.report.scores import ranking_section, scores
from grader.report.sections import chosen
from grader.report.tracks import tracks_section
from tests.report.made import Made, row

CARRY = ("sequential_carry", "text_only")


def texts(table):
    return [[cell.text for cell in line] for line in table.rows]


def column(table, heading):
    (place,) = [n for n, one in enumerate(table.columns) if one.heading == heading]
    return {line[0].text: line[place] for line in table.rows}


def two_models(**beta):
    rows = [row("alpha", f"p{k}-{n}", 1) for k in (1, 2, 3) for n in (1, 2)]
    return Made([*rows, *(row("beta", f"p{k}-{n}", 3, **beta) for k in (1, 2, 3) for n in (1, 2))])


def test_a_score_is_earned_by_full_marks_in_per_cent_with_one_decimal():
    levels = Made([row("m", "a-1", 1, full=3), row("m", "a-2", 2, full=3), row("m", "b-1", 1, full=1)])
    (table,) = scores(levels, Options()).tables
    assert column(table, "score")["m"].text == "57.1"  # 4 of 7
    assert column(table, "by problem")["m"].text == "75.0"  # 3/6 and 1/1
    assert column(table, "decided")["m"].text == "100.0"
    assert "(sequential_carry, text_only)" in table.title


def test_the_bootstrap_of_json_agrees_with_the_interval_and_hangs_on_its_seed():
    levels = Made([row("m", f"p{k}-1", 1 + k % 3) for k in range(30)])
    made, again, other = (scores(levels, Options(seed=seed)) for seed in (1, 1, 2))
    (one,), (same,), (different,) = (section.more()["bootstrap"] for section in (made, again, other))
    assert one == same != different
    share = made.data["cells"][0]["share"]
    assert (one["model"], one["value"]) == ("m", share["value"])
    assert one["interval"] == pytest.approx(share["interval"], abs=0.02)


def test_the_best_of_a_condition_is_marked_and_nothing_of_a_single_model():
    table = scores(two_models(), Options()).tables[-1]
    assert {name: cell.best for name, cell in column(table, "score").items()} == {
        "alpha": False,
        "beta": True,
    }
    (alone,) = scores(Made([row("m", "a-1", 2), row("m", "b-1", 2)]), Options()).tables
    assert not any(cell.best for line in alone.rows for cell in line)


def test_no_model_is_best_while_another_can_still_reach_it():
    levels = Made([row("alpha", "a-1", 1, open_marks=3), row("beta", "a-1", 3), row("beta", "b-1", 3)])
    table = scores(levels, Options()).tables[0]
    assert not any(cell.best for line in table.rows for cell in line)


def test_an_open_score_is_printed_between_its_bounds_and_never_as_zero():
    levels = Made([row("m", "a-1", 0, open_marks=4), row("m", "b-1", 2)])
    (table,) = scores(levels, Options()).tables
    assert column(table, "score")["m"].text == "25.0 to 75.0"
    assert column(table, "decided")["m"].text == "50.0"
    assert any("once all is decided" in note for note in table.notes)


def test_missing_answers_and_flags_have_their_columns():
    cell = ("alpha", *CARRY)
    levels = Made(two_models().rows, missing={cell: 2}, flags={cell: {"truncated": 1, "failed": 3}})
    table = scores(levels, Options()).tables[-1]
    assert column(table, "answered")["alpha"].text == "6 of 8"
    assert column(table, "flags")["alpha"].text == "3 failed, 1 truncated"
    assert column(table, "flags")["beta"].text == "none"


def test_follow_through_is_shown_beside_the_strict_score_and_never_in_it():
    levels = Made([row("m", "a-1", 1, follow=3), row("m", "b-1", 4)])
    (table,) = scores(levels, Options()).tables
    assert (column(table, "score")["m"].text, column(table, "follow")["m"].text) == ("62.5", "87.5")


def test_the_overview_has_a_column_a_condition_in_the_order_of_protocols():
    rows = [
        row("m", "a-1", n, protocol=p)
        for n, p in ((3, "oracle_scaffolded"), (1, "full_problem"), (2, CARRY[0]))
    ]
    overview, _ = scores(Made(rows), Options()).tables
    assert [one.heading for one in overview.columns] == ["model", "full", "carry", "oracle"]
    assert texts(overview) == [["m", "25.0", "50.0", "75.0"]]


def test_one_problem_gives_no_interval():
    (table,) = scores(Made([row("m", "a-1", 1), row("m", "a-2", 3)]), Options()).tables
    assert column(table, "95 % interval")["m"].text == "–"
    assert "one problem gives no interval" in table.notes


def test_a_ranking_says_which_ranks_stay_possible():
    section = ranking_section(two_models(), Options())
    assert section is not None
    assert texts(section.tables[0]) == [["1", "beta", "75.0", "1 to 2"], ["2", "alpha", "25.0", "1 to 2"]]
    assert section.says == (
        "Under sequential_carry, text_only 2 models could be the best: the data don't tell them apart.",
    )
    assert ranking_section(Made([row("m", "a-1", 1)]), Options()) is None


def test_the_census_names_cells_that_were_never_run():
    levels = Made([row("alpha", "a-1", 1), row("beta", "a-1", 1), row("beta", "a-1", 1, mode="multimodal")])
    (table,) = census_section(levels, Options()).tables
    assert [line[:3] for line in texts(table)] == [
        ["alpha", "multimodal", "missing"],
        ["alpha", "text_only", "complete"],
        ["beta", "multimodal", "complete"],
        ["beta", "text_only", "complete"],
    ]
    assert census_section(levels, Options()).says == ("4 cells: 3 complete, 1 missing.",)


def test_who_decided_adds_up_to_all_marks():
    levels = Made([row("m", "a-1", 4), row("m", "a-2", 0, track="judge", open_marks=1), row("m", "b-1", 2)])
    table = tracks_section(levels, Options()).tables[0]
    assert [one.heading for one in table.columns] == ["model", "code", "judge", "open"]
    assert texts(table) == [["m", "66.7", "25.0", "8.3"]]


def test_a_gap_decided_by_different_tracks_is_said_to_be_doubtful():
    rows = [row("m", f"p{k}-1", 1, protocol="full_problem", track="judge") for k in range(6)]
    rows += [row("m", f"p{k}-1", 3 + k % 2) for k in range(6)]
    section = tracks_section(Made(rows), Options())
    assert column(section.tables[1], "decided apart")["m"].text == "100.0"
    assert section.data["extraction"][0]["may_explain_all"] is True
    assert section.says[0].startswith("1 of 1 gaps may come from who decided the marks")


def test_every_table_shows_coverage_and_flags_and_what_is_provisional():
    runs = [{"name": "r", "digest": "d", "card": "small@ab", "provisional": True}]
    report = build(two_models(open_marks=1), Options(), chosen((), deep=False), runs)
    for section in report.sections:
        for table in section.tables:
            said = " ".join([*table.notes, *(one.heading for one in table.columns)])
            assert "decided" in said or "open" in said, table.key
            assert "judge small@ab is provisional" in said
    assert any("8.3 to" not in one and "% of the marks are open" in one for one in report.summary)


def test_the_summary_never_calls_a_score_corrected():
    report = build(two_models(), Options(), chosen((), deep=False))
    assert report.summary[-1].startswith("No score is corrected for errors of graders")


@pytest.mark.parametrize("level", [0.9, 0.99])
def test_the_level_is_the_one_asked_for(level):
    table = scores(two_models(), Options(level=level)).tables[-1]
    assert any(one.heading == f"{100 * level:g} % interval" for one in table.columns)
