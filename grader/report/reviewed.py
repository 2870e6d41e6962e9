"""Three scores kept apart: as graded, as reviewed by people, and corrected.

*As graded*: code's finding or the judge's verdict on each point; a human mark only
where neither decided. *Reviewed*: human marks go before both, which is what
stands. People look at what is doubted, and that is no random sample, so the
difference between the two says nothing of the points that nobody looked at.
*Corrected*: by people's marks on points that were drawn at random, whatever anybody
thought of them; without enough of those there is none, and the report says why.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from grader.render.tables import Cell, Column, DataTable
from grader.render.words import counted
from grader.report.cells import lines
from grader.report.corrected import (
    CorrectedScore,
    corrected_scores,
    corrected_table,
    refusals,
    score_cell,
)
from grader.report.document import Levels, Options, Row, Section
from grader.report.estimates import interval_heading, rounded
from grader.report.words import SHORT, Conditions, percent, points, span, varying_cells, whole
from grader.score import score_subquestion
from grader.stats.grid import CELL, Condition
from grader.stats.jackknife import Floats
from grader.stats.rubrics import Marked, Rubric, by_answer, marked


def reviewed_section(levels: Levels, options: Options) -> Section:
    """A row a cell with its three scores, the third as far as it can be said."""
    changed, fixed = _changed(levels), corrected_scores(levels, options)
    conditions = Conditions.of(levels.cells)
    rows = [_row(cell, changed) | one.as_json() for cell, one in _each(levels, fixed)]
    columns = [Column("model"), *map(Column, conditions.varying), Column("as graded", numeric=True)]
    columns += [Column("reviewed", numeric=True), Column("changed by", numeric=True)]
    columns += [Column("overridden", numeric=True), Column("corrected")]
    shown = [score_cell(one) for _, one in _each(levels, fixed)]
    notes = (
        "as graded: by code and judge, by people only where neither decided; reviewed (selective): human "
        "marks go before both",
        "overridden: points on which a person's mark stands in place of code's or a judge's; people look at "
        "what is doubted, so the difference says nothing of points that nobody looked at",
        *_corrected_notes(fixed, conditions, options),
    )
    title = conditions.titled("Three scores, %")
    cells = (_cells(row, one, conditions) for row, one in zip(rows, shown, strict=True))
    table = DataTable("reviewed", title, tuple(columns), tuple(cells), notes)
    more = corrected_table(fixed, conditions, options)
    overridden = sum(row["overridden"] for row in rows)
    says = (
        f"People overrode code or judge on {counted(overridden, 'point')}: scores are reviewed, selectively."
    )
    return Section(
        "reviewed",
        "As graded, reviewed and corrected",
        (table,) if more is None else (table, more),
        says=((says,) if overridden else ()) + tuple(_corrected_says(fixed, options)),
        data={"cells": rows},
    )


def _each(levels: Levels, fixed: Mapping[Condition, CorrectedScore]) -> Iterator[tuple[Any, CorrectedScore]]:
    for cell in lines(levels.cells):
        yield cell, fixed[cell.model, cell.protocol, cell.mode]


def _corrected_notes(
    fixed: Mapping[Condition, CorrectedScore], conditions: Conditions, options: Options
) -> Iterator[str]:
    if any(one.given for one in fixed.values()):
        yield f"corrected: for problems like these, with the {interval_heading(options.level)}; see below"
    yield from refusals(fixed, conditions)


def _corrected_says(fixed: Mapping[Condition, CorrectedScore], options: Options) -> Iterator[str]:
    """Where people would surely have given this benchmark another score."""
    for (model, protocol, mode), one in fixed.items():
        found = one.own["benchmark"] if one.own else None
        if found is None or found.low is None or found.high is None:
            continue
        if not found.low <= found.judge_only.value <= found.high:
            yield (
                f"People would have given {model} ({SHORT.get(protocol, protocol)}, {mode}) "
                f"{percent(found.value)} % ({span(found.low, found.high)}), not the "
                f"{percent(found.judge_only.value)} % as graded."
            )


def _cells(row: Row, corrected: str, conditions: Conditions) -> tuple[Cell, ...]:
    return (
        Cell(row["model"]),
        *map(Cell, varying_cells(conditions.varying, row["protocol"], row["mode"])),
        Cell(_shown(row["as_graded"])),
        Cell(_shown(row["reviewed"])),
        Cell(points(row["reviewed"][0] - row["as_graded"][0])),
        Cell(str(row["overridden"])),
        Cell(corrected),
    )


def _shown(bounds: list[float]) -> str:
    """A share that is decided, or its bounds."""
    value, low, high = bounds
    return percent(value) if whole(low, high) else span(low, high)


def _row(cell: Any, changed: pd.DataFrame) -> Row:
    own = changed[(changed[CELL] == [cell.model, cell.protocol, cell.mode]).all(axis=1)]
    full = float(cell.full_mark)
    reviewed = [float(cell.earned), float(cell.low), float(cell.high)]
    less = [float(own[name].sum()) for name in ("earned", "low", "high")]
    return {
        "model": cell.model,
        "protocol": cell.protocol,
        "mode": cell.mode,
        "as_graded": [rounded((value - taken) / full) for value, taken in zip(reviewed, less, strict=True)],
        "reviewed": [rounded(value / full) for value in reviewed],
        "overridden": int(own["overridden"].sum()),
    }


def _changed(levels: Levels) -> pd.DataFrame:
    """By answer with an overridden point: marks with human marks minus marks as graded."""
    frame = levels.points
    columns = [*CELL, "overridden", "earned", "low", "high"]
    if frame.empty:
        return pd.DataFrame(columns=columns)
    provisional = set(levels.runs.loc[levels.runs["provisional"].astype(bool), "run"])
    machine = frame["award_code"].where(
        frame["award_code"].notna(), frame["award_judge"].where(~frame["run"].isin(provisional))
    )
    frame = frame.assign(machine=machine, overridden=(frame["track"] == "human") & machine.notna())
    rows = by_answer(frame)
    touched = np.unique(rows.loc[rows["overridden"], "answer"].to_numpy())
    rows = rows[rows["answer"].isin(touched)].reset_index(drop=True)
    names = list(zip(*(rows[name] for name in CELL), strict=True))
    overridden, without = rows["overridden"].to_numpy(bool), rows["machine"].to_numpy(float)
    found = []
    for answer in marked(rows):
        human = overridden[answer.rows]
        graded = np.where(human, without[answer.rows], answer.awards)
        changes = _changes(levels.rubrics[answer.key], answer, graded)
        found.append((*names[answer.rows.start], int(human.sum()), *changes))
    return pd.DataFrame(found, columns=columns)


def _changes(rubric: Rubric, answer: Marked, graded: Floats) -> Iterator[float]:
    """Marks as reviewed minus marks as graded: earned, low, high."""
    one, two = (
        score_subquestion(rubric.nodes, rubric.full_mark, replace(answer, awards=awards).standing())
        for awards in (answer.awards, graded)
    )
    yield from (one.earned - two.earned, one.low - two.low, one.high - two.high)
