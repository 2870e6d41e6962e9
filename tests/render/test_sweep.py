"""A sweep's tables fit a narrow terminal and keep their numbers, whatever is open, failed or called how."""

from __future__ import annotations

import io
from itertools import product

import pytest
from rich.console import Console

from grader.grade.gaps import ladders
from grader.protocol.state import Cell
from grader.protocol.turns import MODES, PROTOCOLS
from grader.render.sweep import CellRow, cells_table, gap_tables

CONDITIONS = list(product(PROTOCOLS, MODES))


def score(model, protocol, mode, low=0.104, high=1.0):
    names = {"model": model, "protocol": protocol, "mode": mode}
    coverage = 1 - (high - low)
    return {**names, "share": low, "low": low, "high": high, "coverage": coverage, "full_mark": 77.0}


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
    found = [*ladders(summary(name), "protocol"), *ladders(summary(name), "mode")]
    text = printed(*gap_tables("Sweep s: what it is for", found))
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    assert text.count("what it is for") == 2
    assert text.count("-89.6 to") == text.count("+89.6 ") == 3 * 3 + 3 * 2


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
