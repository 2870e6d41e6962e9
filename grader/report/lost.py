"""Where marks were lost: by tag, check, point and kind of error, and whether the errors are fresh."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import pandas as pd

from grader.render.tables import Cell, Column, DataTable
from grader.report.document import Levels, Options, Row, Section
from grader.report.estimates import estimate_row
from grader.report.parts import as_cell, cell_columns, cell_row, frame_rows, named, share
from grader.report.words import NONE, Conditions, percent
from grader.stats.by_cell import by_cell
from grader.stats.grid import CELL, Condition
from grader.stats.losses import By, Origin, losses_by, origins

POINTS = 10
"""Points of a cell that its JSON names: those that lost most."""
_BY: Mapping[By, str] = {"tag": "by tag", "error": "by error", "kind": "by check", "point": "by point"}
_NAMES = {"point": "point_id"}
_TABLES: tuple[tuple[str, str, tuple[By, ...]], ...] = (
    ("lost-errors", "What kind of error most marks were lost by", ("error", "kind")),
    ("lost-tags", "Where most marks were lost", ("tag", "point")),
)


def losses_section(levels: Levels, options: Options) -> Section:
    """Lost marks of each cell, and what they come from."""
    conditions = Conditions.of(levels.cells)
    lost = levels.lost
    shown: list[By] = [by for by in _BY if not (by == "kind" and options.public)]
    found = {by: losses_by(lost, by, levels.items) for by in shown}
    came = origins(levels.subquestions, level=options.level)
    return Section(
        "losses",
        "Where marks were lost",
        (_origins(came, conditions), *_losses(found, conditions)),
        says=tuple(_says(came)),
        more=partial(_data, found, came),
    )


def _data(found: Mapping[By, pd.DataFrame], came: Sequence[Origin]) -> dict[str, list[Row]]:
    rows = {f"by_{by}": frame_rows(_cut(own) if by == "point" else own) for by, own in found.items()}
    sides = ("lost", "inherited", "fresh", "of_lost")
    origins = [
        {**cell_row(as_cell(one)), **{side: estimate_row(getattr(one, side)) for side in sides}}
        for one in came
    ]
    return {**rows, "origins": origins}


def _cut(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.groupby(CELL, sort=False).head(POINTS)


def _origins(found: Sequence[Origin], conditions: Conditions) -> DataTable:
    columns = cell_columns(conditions)
    columns += [Column(name, numeric=True) for name in ("lost", "inherited", "fresh", "inherited of lost")]
    rows = [
        (
            *named(as_cell(one), conditions),
            *(Cell(share(part)) for part in (one.lost, one.inherited, one.fresh)),
            Cell(percent(one.of_lost.value) if one.of_lost else NONE),
        )
        for one in found
    ]
    notes = (
        "lost: marks not earned, in % of the full marks; inherited: of these, what is right after an own "
        "earlier error; fresh: the rest; inherited of lost: in % of the lost marks",
        "only points that say what they follow from can be seen to be inherited",
    )
    title = conditions.titled("Inherited and fresh errors, % of the full marks")
    return DataTable("origins", title, tuple(columns), tuple(rows), notes)


def _losses(found: Mapping[By, pd.DataFrame], conditions: Conditions) -> Iterator[DataTable]:
    notes = {
        "error": "by error: wrong, code found another value; not shown, a point without a check wasn't met; "
        "partial; inherited; penalty, a deduction or veto; or why code or judge couldn't decide",
        "kind": "by check: the kind of check; flexible: a point without one",
        "tag": "a subquestion with several tags counts for each of them",
    }
    for key, title, group in _TABLES:
        parts = {by: dict(by_cell(found[by])) for by in group if by in found}
        columns = [*cell_columns(conditions), *(Column(_BY[by]) for by in parts)]
        rows = [
            (*named(cell, conditions), *(Cell(_most(own, by, cell)) for by, own in parts.items()))
            for cell in dict.fromkeys(cell for own in parts.values() for cell in own)
        ]
        lost = "what most marks were lost by, in % of the cell's lost marks; all of it: --format json"
        yield DataTable(
            key,
            conditions.titled(title),
            tuple(columns),
            tuple(rows),
            (lost, *(notes[by] for by in parts if by in notes)),
        )


def _most(parts: Mapping[Condition, pd.DataFrame], by: By, cell: Condition) -> str:
    rows = parts.get(cell)
    if rows is None:
        return NONE
    taken = rows[rows["lost"] > 0].head(1 if by == "point" else 2)
    names, shares = taken[_NAMES.get(by, by)], taken["share"]
    shown = [f"{_words(str(name), by)} {100 * one:.0f}" for name, one in zip(names, shares, strict=True)]
    return ", ".join(shown) or NONE


def _words(name: str, by: By) -> str:
    return name.replace("_", " ") if by == "error" else name


def _says(found: Sequence[Origin]) -> Iterator[str]:
    full = sum(one.lost.value > 0 for one in found)
    some = sum(one.inherited.value > 0 for one in found)
    if full:
        yield f"In {some} of {full} cells with lost marks some are inherited from an own earlier error."
