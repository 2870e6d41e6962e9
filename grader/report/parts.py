"""What several sections share: rows by cell, contrasts in JSON, the condition that figures show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from grader.render.tables import Cell, Column
from grader.report.cells import lines
from grader.report.document import Row
from grader.report.estimates import ends, rounded
from grader.report.words import NONE, Conditions, percent, span, varying_cells, whole
from grader.stats.contrast import Contrast
from grader.stats.estimate import Estimate
from grader.stats.grid import CELL, Condition

CARRY = "sequential_carry"


def cell_columns(conditions: Conditions) -> list[Column]:
    """The columns that say which cell a row is of."""
    return [Column("model"), *map(Column, conditions.varying)]


def named(cell: Condition, conditions: Conditions) -> tuple[Cell, ...]:
    """A row's first cells."""
    model, protocol, mode = cell
    return (Cell(model), *map(Cell, varying_cells(conditions.varying, protocol, mode)))


def as_cell(one: Any) -> Condition:
    """Which cell a result is of."""
    return one.model, one.protocol, one.mode


def cell_row(cell: Condition) -> Row:
    """The keys that name a cell in JSON."""
    return dict(zip(CELL, cell, strict=True))


def share(one: Estimate | None) -> str:
    """A share in per cent, or its bounds while points are open."""
    if one is None:
        return NONE
    return percent(one.value) if whole(*one.bounds) else span(*one.bounds)


def contrast_row(one: Contrast | None) -> Row | None:
    """A contrast in JSON."""
    if one is None:
        return None
    return {
        "value": rounded(one.value),
        "interval": ends((one.low, one.high)),
        "bounds": ends(one.bounds),
        "se": rounded(one.se),
        "p": rounded(one.p),
        "problems": one.problems,
        "evidence": one.evidence,
    }


def frame_rows(frame: pd.DataFrame, without: Sequence[str] = ()) -> list[Row]:
    """A frame in JSON: plain numbers, and null for what isn't there."""
    shown = frame.drop(columns=[name for name in without if name in frame])
    return [{name: _plain(value) for name, value in one._asdict().items()} for one in lines(shown)]


def _plain(value: Any) -> Any:
    if value is None or (isinstance(value, float) and pd.isna(value)):
        return None
    if hasattr(value, "item"):
        value = value.item()
    return rounded(value) if isinstance(value, float) else value


def shown_conditions(conditions: Conditions) -> Iterator[tuple[str, str]]:
    """For each mode the condition that figures show: carry, or else the first protocol there is."""
    protocols: Mapping[str, list[str]] = {
        mode: [protocol for protocol, other in conditions.pairs if other == mode]
        for _, mode in conditions.pairs
    }
    for mode, own in protocols.items():
        yield (CARRY if CARRY in own else own[0]), mode
