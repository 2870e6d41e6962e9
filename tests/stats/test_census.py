"""Cells that were not run are said to be missing."""

from __future__ import annotations

import pandas as pd

from grader.stats.census import COUNTS, census


def cell(model: str, protocol: str, mode: str, state: str, subquestions: int) -> dict[str, object]:
    counts = {**dict.fromkeys(COUNTS, 1), "subquestions": subquestions}
    names = {"model": model, "protocol": protocol, "mode": mode}
    return {**names, "state": state, **counts, "missing": 8 - subquestions}


def test_every_model_has_every_condition_that_any_has() -> None:
    found = census(
        pd.DataFrame(
            [
                cell("a", "full_problem", "text_only", "complete", 8),
                cell("a", "full_problem", "multimodal", "complete", 8),
                cell("b", "sequential_carry", "multimodal", "partial", 5),
            ]
        )
    )
    names = ["model", "protocol", "mode", "state", "subquestions", "missing", "failed"]
    assert found[names].to_numpy().tolist() == [
        ["a", "full_problem", "multimodal", "complete", 8, 0, 1],
        ["a", "full_problem", "text_only", "complete", 8, 0, 1],
        ["a", "sequential_carry", "multimodal", "missing", 0, 8, 0],
        ["a", "sequential_carry", "text_only", "missing", 0, 8, 0],
        ["b", "full_problem", "multimodal", "missing", 0, 8, 0],
        ["b", "full_problem", "text_only", "missing", 0, 8, 0],
        ["b", "sequential_carry", "multimodal", "partial", 5, 3, 1],
        ["b", "sequential_carry", "text_only", "missing", 0, 8, 0],
    ]


def test_no_cells_are_no_census() -> None:
    nothing = pd.DataFrame([cell("a", "full_problem", "text_only", "complete", 8)])[:0]
    assert census(nothing).empty
