"""Gaps, comparisons and thresholds, from marks that can be counted."""

from __future__ import annotations

import pytest

from grader.errors import UsageError
from grader.report.compare import Side, compared, comparison_section, fail_if_worse, fail_under
from grader.report.document import Options
from grader.report.gaps import mode_gaps, protocol_gaps
from tests.report.made import Made, row

FULL, CARRY, ORACLE = "full_problem", "sequential_carry", "oracle_scaffolded"


def some(section):
    assert section is not None
    return section


def texts(table):
    return [[cell.text for cell in line] for line in table.rows]


def planted(name, scores, axis="protocol"):
    """A model whose unrounded scores are these, over eight problems that spread around them."""
    rows = []
    for place, (condition, score) in enumerate(scores.items()):
        for k in range(8):
            spread = 100 * (1 if k % 2 else -1) * (k // 2 + place)
            rows.append(row(name, f"p{k}-1", 100 * score + spread, full=10_000, **{axis: condition}))
    return rows


def numbers(section):
    return {(line[0].text, line[1].text): line[2].text for table in section.tables for line in table.rows}


def test_a_gap_is_the_difference_of_unrounded_scores():
    # rounded scores would give 11.1, 0.3 and 13.3
    rows = planted("one", {FULL: 53.84, CARRY: 64.94}) + planted("two", {CARRY: 64.94, ORACLE: 65.16})
    rows += planted("three", {FULL: 51.64, ORACLE: 64.86})
    shown = numbers(protocol_gaps(Made(rows), Options()))
    assert shown["one", "integration"] == "+11.1"
    assert shown["two", "propagation"] == "+0.2"
    assert shown["three", "both"] == "+13.2"


def test_reader_and_modality_have_the_signs_of_their_names():
    rows = planted("up", {"text_only": 40.0, "text_reader": 68.5, "multimodal": 30.0}, "mode")
    rows += planted("down", {"text_only": 60.0, "text_reader": 44.6}, "mode")
    shown = numbers(mode_gaps(Made(rows), Options()))
    assert shown["up", "reader"] == "+28.5"  # text_reader minus text_only
    assert shown["down", "reader"] == "−15.4"
    assert shown["up", "modality"] == "+10.0"  # text_only minus multimodal


def test_an_interval_that_holds_zero_is_no_evidence_in_words():
    rows = planted("m", {FULL: 50.0, CARRY: 50.3})
    section = some(protocol_gaps(Made(rows), Options()))
    assert texts(section.tables[0])[0][-1] == "no evidence"
    assert "no evidence" in section.says[0]
    assert "would mostly stay unseen" in section.says[0]


def test_a_gap_says_which_side_is_higher():
    section = some(protocol_gaps(Made(planted("m", {FULL: 30.0, CARRY: 60.0})), Options()))
    assert texts(section.tables[0])[0][-1] == "carry higher"
    assert section.data["gaps"][0]["of"] == {"protocol": CARRY, "mode": "text_only"}
    assert section.data["gaps"][0]["minus"] == {"protocol": FULL, "mode": "text_only"}


def test_the_names_of_the_paper_change_two_gaps_over():
    rows = planted("m", {FULL: 30.0, CARRY: 60.0, ORACLE: 70.0})
    argus = numbers(protocol_gaps(Made(rows), Options()))
    paper = numbers(protocol_gaps(Made(rows), Options(paper_names=True)))
    assert argus["m", "integration"] == paper["m", "propagation"] == "+30.0"
    assert argus["m", "propagation"] == paper["m", "integration"] == "+10.0"


def test_open_points_that_can_undo_a_gap_are_said_to_decide():
    rows = [row("m", f"p{k}-1", 3 + k % 2, protocol=CARRY) for k in range(8)]
    rows += [row("m", f"p{k}-1", 0, open_marks=4, protocol=FULL) for k in range(8)]
    (line,) = texts(some(protocol_gaps(Made(rows), Options())).tables[0])
    assert line[-1] == "open points decide"
    assert line[2] == "−12.5 to +87.5"


def test_no_gap_no_section():
    assert protocol_gaps(Made([row("m", "a-1", 1)]), Options()) is None


# Comparisons


def test_the_bootstrap_of_json_has_each_gap_of_a_model():
    levels = Made(planted("m", {FULL: 20, CARRY: 30}) + planted("n", {FULL: 20, CARRY: 20}))
    rows = some(protocol_gaps(levels, Options())).more()["bootstrap"]
    assert [(one["gap"], one["model"], one["held"]) for one in rows] == [
        ("integration", name, "text_only") for name in ("m", "n")
    ]
    assert rows[0]["value"] == pytest.approx(0.1)
    low, high = rows[0]["interval"]
    assert low < rows[0]["value"] < high


def side(name, earned, model=None, **more):
    rows = [row(model or name, f"p{k}-1", value, **more) for k, value in enumerate(earned)]
    return Side(name, Made(rows).subquestions)


BEFORE = side("before", [4, 3, 4, 3, 4, 3])
AFTER = side("after", [2, 1, 1, 1, 2, 1])


def test_a_comparison_is_the_second_minus_the_first():
    found = compared(BEFORE, AFTER, Options())
    (line,) = texts(comparison_section(found, Options()).tables[0])
    assert line[1] == "−54.2"  # 8 of 24 against 21 of 24
    assert line[-1] == "before higher"


def test_worse_with_evidence_fails_and_better_or_equal_does_not():
    assert not fail_if_worse(compared(BEFORE, AFTER, Options())).holds
    assert fail_if_worse(compared(AFTER, BEFORE, Options())).holds
    same = fail_if_worse(compared(BEFORE, side("again", [3, 4, 3, 4, 4, 3]), Options()))
    assert same.holds
    assert "no evidence that again is worse than before" in same.lines[0]


def test_worse_only_while_points_are_open_is_incomplete():
    unmarked = side("after", [0, 0, 0, 0, 0, 0], open_marks=4)
    check = fail_if_worse(compared(BEFORE, unmarked, Options()))
    assert (check.holds, check.incomplete) == (True, True)
    assert "open points could change that" in check.lines[0]


def test_runs_are_compared_model_by_model():
    both = [row(model, f"p{k}-1", 1 + k % 2) for model in ("a", "b") for k in range(4)]
    later = [row(model, f"p{k}-1", 2 + k % 2) for model in ("b", "c") for k in range(4)]
    found = compared(Side("r1", Made(both).subquestions), Side("r2", Made(later).subquestions), Options())
    assert [one.models for one in found.found] == [("b", "b")]


def test_each_of_several_models_is_named_in_what_is_said_of_it():
    runs = [Made([row(name, "a-1", marks) for name in ("b", "c")]).subquestions for marks in (2, 1)]
    found = compared(Side("r1", runs[0]), Side("r2", runs[1]), Options())
    says = comparison_section(found, Options()).says
    assert [one.split(" (")[0] for one in says] == [
        f"Under sequential_carry, text_only, {name}: r2 minus r1 is −25.0 points" for name in ("b", "c")
    ]
    lines = fail_if_worse(found).lines
    assert [line.split(":")[0] for line in lines] == [f"sequential_carry, text_only, {name}" for name in "bc"]


def test_what_has_nothing_in_common_is_a_mistake_of_the_user():
    with pytest.raises(UsageError, match="nothing to compare"):
        compared(BEFORE, side("after", [1], protocol=ORACLE), Options())


@pytest.mark.parametrize(("least", "holds"), [(50, True), (62.5, True), (62.6, False)])
def test_a_threshold_is_held_against_every_score(least, holds):
    levels = Made([row("m", "a-1", 2), row("m", "b-1", 3)])
    assert fail_under(levels, least, Options()).holds is holds


def test_open_points_are_decided_against_a_threshold_by_the_lower_bound():
    levels = Made([row("m", "a-1", 2, open_marks=2), row("m", "b-1", 3)])
    check = fail_under(levels, 63, Options())
    assert not check.holds
    assert "the lower bound 62.5 % is below 63 %" in check.lines[0]
    assert "could raise it to 87.5 %" in check.lines[0]
