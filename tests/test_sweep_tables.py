"""A sweep's tables fit a narrow terminal and keep their numbers, whatever is open, failed or called how."""

from __future__ import annotations

import io
from itertools import product

import pytest
from rich.console import Console

from grader.grade.gaps import ladders
from grader.protocol.state import Cell
from grader.protocol.turns import MODES, PROTOCOLS
from grader.sweep.cells import CellRow
from grader.sweep.tables import cells_table, gap_tables

CONDITIONS = list(product(PROTOCOLS, MODES))


def score(model, protocol, mode, low=0.104, high=1.0, flags=None):
    names = {"model": model, "protocol": protocol, "mode": mode}
    coverage, flags = 1 - (high - low), dict(flags or {})
    shown = {"share": low, "low": low, "high": high, "coverage": coverage, "full_mark": 77.0}
    return {**names, **shown, "failed": flags.pop("failed", 0), "flags": flags}


def summary(model, **more):
    scores = [score(model, *condition, **more) for condition in CONDITIONS]
    answered = [{**one, "problem_id": "p", "sub_id": "p-1", "answers": 3} for one in scores]
    return {"scores": scores, "subquestions": answered}


def printed(*tables, width=80):
    out = io.StringIO()
    for table in tables:
        Console(file=out, width=width).print(table)
    return out.getvalue()


@pytest.mark.parametrize("name", ["a", "openai/gpt-4o-2024-08-06-with-a-very-long-name"])
def test_cells_with_everything_in_them_fit_80_columns(name):
    cell = Cell(6600, 5000, failed=1200, cost=1234.5678, unpriced=17)
    cell.flags.update(truncated=1234, overflow=100)
    rows = [CellRow(name, condition, cell, score(name, *condition)) for condition in CONDITIONS]
    text = printed(cells_table("Sweep s: d", rows, "Paid"))
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    assert text.count("oracle_scaffolded") == 3
    for piece in ("failed", "5000 of 6600", "1200 failed", "1234 truncated", "10.4 to"):
        assert text.count(piece) >= 9
    assert text.count("$1234.5678") == 9
    assert name in "".join(text.split())


@pytest.mark.parametrize("name", ["a", "openai/gpt-4o-2024-08-06-with-a-very-long-name"])
def test_gaps_between_bounds_fit_80_columns(name):
    every = {"failed": 1200, "empty": 1, "refused": 20, "truncated": 1234, "looping": 3, "overflow": 0}
    flagged = summary(name, flags=every)
    found = [*ladders(flagged, "protocol"), *ladders(flagged, "mode")]
    text = printed(*gap_tables("Sweep s: what it is for", found))
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    assert text.count("what it is for") == 2
    assert text.count("-89.6 to") == text.count("+89.6* ") == 3 * 3 + 3 * 2
    for flag in ("1200F", "1E", "20R", "1234T", "3L"):
        assert text.count(flag) == 2 * len(CONDITIONS)
    assert "0O" not in text
    assert " ".join(text.split()).count("F failed, E empty, R refused, T truncated, L looping.") == 2


def test_a_gap_says_that_one_of_its_sides_has_flagged_responses_and_which():
    """What lies between an answer and half an answer is no gap of ability."""
    sides = [
        score("m", "full_problem", "text_only", 0.5, 0.5, {"truncated": 2}),
        score("m", "sequential_carry", "text_only", 0.75, 0.75),
        score("m", "oracle_scaffolded", "text_only", 0.75, 0.75),
    ]
    answered = [{**one, "problem_id": "p", "sub_id": "p-1", "answers": 1} for one in sides]
    found = ladders({"scores": sides, "subquestions": answered}, "protocol")
    text = printed(*gap_tables("s", found, "local@1"))
    rows = [line.split() for line in text.splitlines()]
    assert ["text_only", "50.0", "%", "75.0", "%", "75.0", "%", "+25.0*", "0.0", "+25.0*"] in rows
    assert ["2T"] in rows
    said = " ".join(text.split())
    assert "Responses that are no plain answers: T truncated. * one of the two conditions, or both," in said
    assert "Judge local@1 is provisional: its verdicts count nowhere." in said
    assert {gap["gap"]: gap["flagged"] for gap in found[0].as_json()} == {
        "integration": ["full_problem"],
        "propagation": [],
        "both": ["full_problem"],
    }


def test_a_cell_says_how_far_it_is_and_flags_and_costs_take_no_room_where_there_are_none():
    whole = score("m", "full_problem", "text_only", low=0.5, high=0.5)
    cells = [Cell(4), Cell(4, 1, unpriced=1), Cell(4, 4, unpriced=4)]
    rows = [CellRow("m", ("full_problem", "text_only"), cell, None) for cell in cells]
    rows.append(CellRow("m", ("full_problem", "text_only"), cells[2], whole))
    lines = printed(cells_table("s", rows)).splitlines()
    assert [line.split()[2:] for line in lines if "full_problem" in line] == [
        ["missing", "0", "of", "4", "–"],
        ["partial", "1", "of", "4", "–"],
        ["answered", "4", "of", "4", "–"],
        ["complete", "4", "of", "4", "50.0", "%"],
    ]
    assert "cost" not in "".join(lines)


def test_names_are_no_markup_and_control_nothing():
    text = printed(cells_table("[red]s\x1b[31m", [CellRow("[b]m\x1b[0m", CONDITIONS[0], Cell(1), None)]))
    assert "[red]s" in text
    assert "[b]m" in text
    assert "\x1b" not in text
