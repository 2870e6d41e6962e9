"""Where chains broke, and how well models go on from right and from wrong answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from grader.render.tables import Cell, Column, DataTable
from grader.render.words import counted
from grader.report.document import Levels, Options, Row, Section
from grader.report.drawings import interval_of
from grader.report.estimates import estimate_row, interval_heading
from grader.report.parts import (
    as_cell,
    cell_columns,
    cell_row,
    contrast_row,
    frame_rows,
    named,
    share,
    shown_conditions,
)
from grader.report.words import NONE, SHORT, Conditions, p_value, points, span, whole
from grader.stats.by_cell import by_cell
from grader.stats.chain import Step, Survival, chains, first_losses, survival
from grader.stats.predecessor import Paired, Success, paired_successes, successes

if TYPE_CHECKING:
    from grader.report.figure_svg import Figure

PLACES = 6
"""Subquestions of a chain that a table has room for, less one a column that tells conditions apart."""


def chain_section(levels: Levels, options: Options) -> Section | None:
    """Survival of chains, what broke them, success by how the answer before came out; None without chains."""
    found = chains(levels.lost, levels.items)
    found = found[found["length"] > 1]
    if found.empty:
        return None
    conditions = Conditions.of(levels.cells)
    curves = survival(found, level=options.level)
    after = successes(levels.answers, level=options.level)
    paired = paired_successes(levels.answers, level=options.level)
    tables = [_survival(curves, conditions), _first(found, conditions, options)]
    tables += [_after(after, conditions, options)] if after else []
    tables += [_paired(paired, options)] if paired else []
    return Section(
        "chain",
        "Where chains broke",
        tuple(tables),
        says=tuple(_says(found, paired)),
        draw=partial(_draw, curves, conditions),
        more=partial(_data, found, curves, after, paired, options),
    )


def _survival(curves: Sequence[Survival], conditions: Conditions) -> DataTable:
    places = min(PLACES - len(conditions.varying), max(len(one.steps) for one in curves))
    columns = [*cell_columns(conditions)]
    columns += [Column(f"after {place}", numeric=True) for place in range(1, places + 1)]
    rows = [
        (*named(as_cell(one), conditions), *(_step(one.steps, place) for place in range(places)))
        for one in curves
    ]
    notes = [
        "after n: chains that lost no mark in their first n subquestions, and in brackets how many were "
        "unbroken before and have an n-th; a chain that ends unbroken counts as far as it goes (Kaplan and "
        "Meier)"
    ]
    if max(len(one.steps) for one in curves) > places:
        notes.append(f"later places than {places} stand in --format json")
    if any(not whole(*step.unbroken.bounds) for one in curves for step in one.steps):
        notes.append("from ... to: open points leave it open where the chain broke")
    title = conditions.titled("Chains without a lost mark, %")
    return DataTable("survival", title, tuple(columns), tuple(rows), tuple(notes))


def _step(steps: Sequence[Step], place: int) -> Cell:
    if place >= len(steps):
        return Cell(NONE)
    one = steps[place]
    return Cell(f"{share(one.unbroken)} ({one.at_risk})")


def _first(found: pd.DataFrame, conditions: Conditions, options: Options) -> DataTable:
    by_error, by_kind = (dict(by_cell(first_losses(found, by))) for by in ("error", "kind"))
    columns = cell_columns(conditions)
    columns += [Column(name, numeric=True) for name in ("chains", "whole", "broken", "open")]
    columns += [Column("first lost by")] + ([] if options.public else [Column("check")])
    rows = []
    for cell, own in by_cell(found):
        states = own["state"].value_counts()
        counts = [len(own), *(int(states.get(name, 0)) for name in ("whole", "broken", "open"))]
        told = [_most(by_error.get(cell), "error")] + (
            [] if options.public else [_most(by_kind.get(cell), "kind")]
        )
        rows.append((*named(cell, conditions), *(Cell(str(one)) for one in counts), *map(Cell, told)))
    notes = (
        "first lost by: what the first lost mark of a chain came from, with the number of chains; open: an "
        "open point comes before any mark that is surely lost",
        "wrong: code found another value; not shown: a point without a check wasn't met; partial: met in "
        "part; inherited: it follows rightly from an own earlier error; penalty: a deduction or veto",
    )
    title = conditions.titled("What broke chains first")
    return DataTable("first-lost", title, tuple(columns), tuple(rows), notes)


def _most(rows: pd.DataFrame | None, name: str, most: int = 2) -> str:
    """What broke most chains of a cell."""
    if rows is None:
        return NONE
    taken = rows[rows["broken"] > 0].head(most)
    shown = [
        f"{'flexible' if pd.isna(what) else str(what).replace('_', ' ')} {count}"
        for what, count in zip(taken[name], taken["broken"], strict=True)
    ]
    return ", ".join(shown) or NONE


def _after(found: Sequence[Success], conditions: Conditions, options: Options) -> DataTable:
    columns = cell_columns(conditions)
    columns += [Column(name, numeric=True) for name in ("after right", "after wrong", "difference")]
    columns += [Column(interval_heading(options.level), numeric=True)]
    columns += [Column(name, numeric=True) for name in ("answers", "open")]
    rows = []
    for one in found:
        counts = [side.answers if side else 0 for side in (one.after_right, one.after_wrong)]
        gap = one.contrast
        shown = [share(one.after_right), share(one.after_wrong), points(gap.value if gap else None)]
        shown += [span(gap.low, gap.high, signed=True) if gap else NONE]
        shown += [f"{counts[0]} and {counts[1]}", str(one.open)]
        rows.append((*named(as_cell(one), conditions), *map(Cell, shown)))
    notes = (
        "after right: the score of answers whose predecessor earned all its marks; after wrong: whose "
        "predecessor surely lost some; open: open points leave it open",
        "problems that are hard throughout make the difference positive, too",
    )
    title = conditions.titled("Score by how the subquestion before came out, %")
    return DataTable("after", title, tuple(columns), tuple(rows), notes)


def _paired(found: Sequence[Paired], options: Options) -> DataTable:
    columns = [Column("model"), Column("mode")]
    columns += [Column(name, numeric=True) for name in ("carry", "oracle", "beyond")]
    columns += [Column(interval_heading(options.level), numeric=True), Column("p", numeric=True)]
    rows = []
    for one in found:
        carry = one.carry_right.value - one.carry_wrong.value
        oracle = one.oracle_right.value - one.oracle_wrong.value
        gap = one.contrast
        shown = [points(carry), points(oracle), points(gap.value), span(gap.low, gap.high, signed=True)]
        rows.append((Cell(one.model), Cell(one.mode), *map(Cell, (*shown, p_value(gap.p)))))
    notes = (
        "carry: the score after a right answer minus that after a wrong one; oracle: the same subquestions "
        "where the right result was granted, which shows how hard they are",
        "beyond: carry minus oracle, what a wrong answer before costs besides; p is not adjusted",
    )
    title = "What a wrong answer before costs, in percentage points"
    return DataTable("paired", title, tuple(columns), tuple(rows), notes)


def _says(found: pd.DataFrame, paired: Sequence[Paired]) -> Iterator[str]:
    states = found["state"].value_counts()
    said = f"{int(states.get('whole', 0)):,} of {counted(len(found), 'chain')} lost no mark"
    is_open = int(states.get("open", 0))
    yield f"{said}; {is_open:,} may have, which open points decide." if is_open else f"{said}."
    if paired:
        hurt = sum(one.contrast.evidence and one.contrast.value > 0 for one in paired)
        yield (
            f"A wrong answer before costs more under {SHORT['sequential_carry']} than the same subquestions' "
            f"difficulty explains in {hurt} of {counted(len(paired), 'comparison')} with oracle."
        )


def _draw(curves: Sequence[Survival], conditions: Conditions) -> Iterator[Figure]:
    from grader.report.figures import Series
    from grader.report.figures import survival as drawn

    for protocol, mode in shown_conditions(conditions):
        own = [one for one in curves if (one.protocol, one.mode) == (protocol, mode)]
        models = [Series(one.model, tuple(interval_of(step.unbroken) for step in one.steps)) for one in own]
        key = f"survival-{protocol}-{mode}".replace("_", "-")
        yield from drawn(models, key=key, title=f"Chains without a lost mark, {protocol}, {mode}")


def _data(
    found: pd.DataFrame,
    curves: Sequence[Survival],
    after: Sequence[Success],
    paired: Sequence[Paired],
    options: Options,
) -> dict[str, list[Row]]:
    steps = [
        {
            **cell_row(as_cell(one)),
            "after": step.position + 1,
            "unbroken": estimate_row(step.unbroken),
            **{name: getattr(step, name) for name in ("at_risk", "broken", "open", "ended")},
        }
        for one in curves
        for step in one.steps
    ]
    sides = ("after_right", "after_wrong")
    return {
        "survival": steps,
        **{f"first_by_{by}": _first_rows(found, by, options) for by in ("place", "error", "kind", "point")},
        "after": [
            {
                **cell_row(as_cell(one)),
                **{side: estimate_row(getattr(one, side)) for side in sides},
                "contrast": contrast_row(one.contrast),
                "open": one.open,
            }
            for one in after
        ],
        "paired": [
            {
                "model": one.model,
                "mode": one.mode,
                **{side: estimate_row(getattr(one, side)) for side in _PAIRED},
                "contrast": contrast_row(one.contrast),
            }
            for one in paired
        ],
    }


_PAIRED = ("carry_right", "carry_wrong", "oracle_right", "oracle_wrong")


def _first_rows(found: pd.DataFrame, by: str, options: Options) -> list[Row]:
    if by == "kind" and options.public:
        return []
    rows = first_losses(found, {"place": "earliest", "point": "point_id"}.get(by, by))
    if by == "place":
        rows = rows.assign(place=rows["earliest"] + 1).drop(columns="earliest")
    return frame_rows(rows)
