"""Who decided the marks, and how much of a gap may come from that."""

from __future__ import annotations

from collections.abc import Iterator

from grader.render.tables import Cell, Column, DataTable
from grader.report.cells import by_cell
from grader.report.document import Levels, Options, Row, Section
from grader.report.estimates import estimate_row, interval_heading, rounded
from grader.report.words import NONE, SHORT, Conditions, percent, points, span, varying_cells
from grader.stats.decided import DECIDED, TRACKS, Extraction, decided, extraction_of
from grader.stats.gaps import KINDS, Kind
from grader.stats.grid import CELL, Condition, Grid

_ALWAYS = ("formal", "open")
_NAMES = {
    "formal": "code",
    "located": "code, located",
    "judge": "judge",
    "human": "human",
    "open": "open",
}


def tracks_section(levels: Levels, options: Options) -> Section:
    """The share of the marks by who decided it, and the gaps that may come from extraction."""
    conditions = Conditions.of(levels.cells)
    own = by_cell(levels.cells)
    shares = {name: one for name, rows in own.items() if (one := decided(rows))}
    tables = [_shares(shares, conditions)]
    found = list(_extractions(levels, options))
    differing = [one for one in found if one[3].differs]
    if differing:
        tables.append(_extraction_table(differing, options))
    data = {
        "cells": [
            {**dict(zip(CELL, name, strict=True)), **{track: rounded(value) for track, value in one.items()}}
            for name, one in shares.items()
        ],
        "extraction": [_row(*one, options) for one in found],
    }
    return Section("tracks", "Who decided", tuple(tables), says=tuple(_says(found)), data=data)


Found = tuple[Kind, str, str, Extraction]
"""A gap, whose, what is held fixed, and how it was decided."""


def _shares(shares: dict[Condition, dict[str, float]], conditions: Conditions) -> DataTable:
    shown = [track for track in TRACKS if track in _ALWAYS or any(one[track] for one in shares.values())]
    columns = [Column("model"), *map(Column, conditions.varying)]
    columns += [Column(_NAMES[track], numeric=True) for track in shown]
    rows = [
        (
            Cell(model),
            *map(Cell, varying_cells(conditions.varying, protocol, mode)),
            *(Cell(percent(one[track])) for track in shown),
        )
        for (model, protocol, mode), one in shares.items()
    ]
    notes = ["open: nobody could decide"]
    if "located" in shown:
        notes.append("code, located: decided by code on a passage that a judge quoted")
    title = conditions.titled("Who decided, % of the full marks")
    return DataTable("tracks", title, tuple(columns), tuple(rows), ("; ".join(notes),))


def _extractions(levels: Levels, options: Options) -> Iterator[Found]:
    grid, rows = Grid.by_condition(levels.subquestions, DECIDED)
    for kind in KINDS:
        for model, protocol, mode in rows:
            is_first = kind.first == (protocol if kind.axis == "protocol" else mode)
            other = (kind.second, mode) if kind.axis == "protocol" else (protocol, kind.second)
            if not is_first or (model, *other) not in rows:
                continue
            found = extraction_of(
                grid, rows[model, protocol, mode], rows[(model, *other)], level=options.level
            )
            if found is not None:
                yield kind, model, mode if kind.axis == "protocol" else protocol, found


def _extraction_table(found: list[Found], options: Options) -> DataTable:
    columns = [Column("model"), Column("gap"), Column("with")]
    columns += [
        Column(heading, numeric=True) for heading in ("points", "decided apart", "at most", "worst case")
    ]
    columns += [Column("decided alike", numeric=True), Column(interval_heading(options.level), numeric=True)]
    rows = []
    for kind, model, held, one in found:
        alike = one.alike
        rows.append(
            (
                Cell(model),
                Cell(kind.called(options.paper_names)),
                Cell(SHORT.get(held, held)),
                Cell(points(one.gap.value)),
                Cell(percent(one.differing)),
                Cell(percent(one.at_most)),
                Cell(span(*one.bounds, signed=True)),
                Cell(points(alike.value) if alike else NONE),
                Cell(span(alike.low, alike.high, signed=True) if alike else NONE),
            )
        )
    notes = (
        "decided apart: marks, in %, that another track decided on the other side; if code finds a value "
        "under one condition and a judge or nobody under the other, a gap may measure reading, not chemistry",
        "at most: how many points of the gap may come from that; worst case: the gap if these marks had come "
        "out the other way",
        "decided alike: the gap over the subquestions that the same tracks decided on both sides",
        "of who decided, the marks of each track in a subquestion are known: neither deductions and vetoes "
        "nor points that change places between tracks are in it",
    )
    return DataTable("extraction", "Gaps that may come from who decided", tuple(columns), tuple(rows), notes)


def _row(kind: Kind, model: str, held: str, one: Extraction, options: Options) -> Row:
    return {
        "gap": kind.called(options.paper_names),
        "model": model,
        "held": held,
        "points": rounded(one.gap.value),
        "tracks": {track: [rounded(first), rounded(second)] for track, (first, second) in one.tracks.items()},
        "differing": rounded(one.differing),
        "alike": estimate_row(one.alike),
        "alike_marks": rounded(one.alike_marks),
        "worst_case": [rounded(end) for end in one.bounds],
        "at_most": rounded(one.at_most),
        "may_explain_all": one.may_explain_all,
    }


def _says(found: list[Found]) -> Iterator[str]:
    doubtful = [one for one in found if one[3].may_explain_all and one[3].gap.evidence]
    if doubtful:
        yield (
            f"{len(doubtful)} of {len(found)} gaps may come from who decided the marks instead of from the "
            "condition: see the section on who decided."
        )
