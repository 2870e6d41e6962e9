"""Three scores kept apart: as graded, as reviewed by people, and corrected.

*As graded*: code's finding or the judge's verdict on each point; a human mark only
where neither decided. *Reviewed*: human marks go before both, which is what
stands. People look at what is doubted, and that is no random sample, so the
difference between the two says nothing of the points that nobody looked at.
*Corrected* needs an audit, a measurement of the graders, and there is none yet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from grader.render.tables import Cell, Column, DataTable
from grader.report.cells import lines
from grader.report.document import Levels, Options, Row, Section
from grader.report.estimates import rounded
from grader.report.words import Conditions, counted, percent, points, span, varying_cells, whole
from grader.score import score_subquestion
from grader.stats.grid import CELL
from grader.stats.jackknife import Floats
from grader.stats.rubrics import Marked, Rubric, by_answer, marked

NOT_AUDITED = "not audited"


def reviewed_section(levels: Levels, options: Options) -> Section:
    """A row a cell with its three scores, the third as far as it can be said."""
    changed = _changed(levels)
    conditions = Conditions.of(levels.cells)
    rows = [_row(cell, changed) for cell in lines(levels.cells)]
    columns = [Column("model"), *map(Column, conditions.varying), Column("as graded", numeric=True)]
    columns += [Column("reviewed", numeric=True), Column("changed by", numeric=True)]
    columns += [Column("overridden", numeric=True), Column("corrected")]
    notes = (
        "as graded: by code and judge, by people only where neither decided; reviewed (selective): human "
        "marks go before both",
        "overridden: points on which a person's mark stands in place of code's or a judge's; people look at "
        "what is doubted, so the difference says nothing of points that nobody looked at",
        "corrected: no audit has measured how often code or judge are wrong",
    )
    title = conditions.titled("Three scores, %")
    table = DataTable(
        "reviewed", title, tuple(columns), tuple(_cells(row, conditions) for row in rows), notes
    )
    overridden = sum(row["overridden"] for row in rows)
    says = (
        f"People overrode code or judge on {counted(overridden, 'point')}: scores are reviewed, selectively."
    )
    return Section(
        "reviewed",
        "As graded and reviewed",
        (table,),
        says=(says,) if overridden else (),
        data={"cells": rows},
    )


def _cells(row: Row, conditions: Conditions) -> tuple[Cell, ...]:
    return (
        Cell(row["model"]),
        *map(Cell, varying_cells(conditions.varying, row["protocol"], row["mode"])),
        Cell(_shown(row["as_graded"])),
        Cell(_shown(row["reviewed"])),
        Cell(points(row["reviewed"][0] - row["as_graded"][0])),
        Cell(str(row["overridden"])),
        Cell(NOT_AUDITED),
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
        "corrected": None,
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
