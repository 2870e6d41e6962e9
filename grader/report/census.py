"""Which cells there are, how far each is, and what its responses are besides answers."""

from __future__ import annotations

from typing import Any

from grader.record.flags import FLAGS
from grader.render.tables import Cell, Column, DataTable
from grader.render.words import counted
from grader.report.cells import decided_shares, lines
from grader.report.document import Levels, Options, Section
from grader.report.words import Conditions, percent, varying_cells
from grader.stats.census import COUNTS, census
from grader.stats.grid import CELL, Condition

_STATES = ("complete", "partial", "missing")


def census_section(levels: Levels, options: Options) -> Section:
    """A row for each model under every condition that any model was run under."""
    conditions = Conditions.of(levels.cells)
    found = census(levels.cells)
    decided = decided_shares(levels.cells)
    flagged = [name for name in ("failed", *FLAGS) if found[name].sum()]
    headings = ["answered", "decided", *flagged]
    columns = [Column("model"), *map(Column, conditions.varying), Column("state")]
    columns += [Column(heading, numeric=True) for heading in headings]
    rows = [_cells(one, conditions, decided, flagged) for one in lines(found)]
    note = "answered: subquestions of the set with an answer; decided: full marks whose points are decided"
    if not flagged:
        note += "; no response failed or is flagged"
    table = DataTable("census", conditions.titled("Cells"), tuple(columns), tuple(rows), (note,))
    states = found["state"].value_counts().to_dict()
    said = ", ".join(f"{states[name]} {name}" for name in _STATES if name in states)
    names = [*CELL, "state", *COUNTS, "missing"]
    data = {
        "cells": [
            dict(zip(names, row, strict=True)) for row in found[names].astype(object).to_numpy().tolist()
        ]
    }
    return Section("census", "Cells", (table,), says=(f"{counted(len(found), 'cell')}: {said}.",), data=data)


def _cells(
    one: Any, conditions: Conditions, decided: dict[Condition, float], flagged: list[str]
) -> tuple[Cell, ...]:
    share = decided.get((one.model, one.protocol, one.mode))
    return (
        Cell(one.model),
        *map(Cell, varying_cells(conditions.varying, one.protocol, one.mode)),
        Cell(one.state),
        Cell(f"{one.subquestions} of {one.subquestions + one.missing}"),
        Cell(percent(share)),
        *(Cell(str(getattr(one, name))) for name in flagged),
    )
