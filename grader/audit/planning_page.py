"""A plan of marking as a page."""

from __future__ import annotations

from collections.abc import Iterator

from grader.audit.card.as_json import plain
from grader.audit.document import Document, Part
from grader.audit.planning import Planned
from grader.render.tables import Cell, Column, DataTable
from grader.render.words import counted

NONE = "–"
TARGETS = {"benchmark": "this benchmark's own score", "problems": "scores over problems like these"}


def planning_page(found: Planned) -> Document:
    """The page, the same for every format."""
    tables = [_whole(found)]
    if found.cells:
        tables.append(_cells(found))
    data = {
        **plain(found),
        "apart_seconds": plain(found.apart_seconds),
        "together_seconds": plain(found.together_seconds),
    }
    return Document(
        title=f"Marks for intervals {100 * found.width:g} points wide",
        warnings=(),
        says=tuple(_says(found)),
        parts=(Part("plan", "Plan", text=tuple(_text(found)), tables=tuple(tables)),),
        data=data,
    )


def _says(found: Planned) -> Iterator[str]:
    whole = found.whole
    scores = counted(whole.cells, "score")
    if whole.apart is None:
        yield (
            f"No number of marks makes {TARGETS[found.target]} that certain: with everything marked "
            f"intervals would still be {100 * whole.least_width:.1f} points wide. More problems would narrow "
            "them."
        )
    else:
        yield (
            f"{whole.apart:,} marks for {scores} corrected each by itself, {whole.each:,} each; "
            f"{found.marks:,} are there; {hours(found.apart_seconds)} to go."
        )
    if whole.cells > 1 and whole.together is not None:
        yield (
            f"{whole.together:,} marks over all of them if they share one correction, which holds only if "
            f"the judge errs alike everywhere; {hours(found.together_seconds)} to go."
        )


def _text(found: Planned) -> Iterator[str]:
    on = "an assumed rate of wrong awards" if found.judge is None else f"the marks on {found.judge} so far"
    yield f"For {TARGETS[found.target]}, at {100 * found.level:g} %; by {on}."
    if found.timed:
        yield f"A mark takes {found.seconds:.0f} s, the median of those that were timed."
    else:
        yield f"A mark is taken to need {found.seconds:.0f} s, as nobody was timed yet."
    yield (
        "Look as often as you like and stop when it is narrow enough only by the line that argus review "
        "status prints: an interval made for a fixed number of marks doesn't hold for whoever stops when "
        "it suits."
    )


def _whole(found: Planned) -> DataTable:
    whole = found.whole
    columns = (
        Column("scores corrected"),
        *(Column(name, numeric=True) for name in ("marks", "left", "time")),
    )
    rows = [("each by itself", whole.apart, found.apart_seconds)]
    if whole.cells > 1:
        rows.append(("all by one error", whole.together, found.together_seconds))
    cells = tuple(
        (
            Cell(name),
            Cell(NONE if needed is None else f"{needed:,}"),
            Cell(NONE if needed is None else f"{max(0, needed - found.marks):,}"),
            Cell(hours(seconds)),
        )
        for name, needed, seconds in rows
    )
    title = f"What {counted(whole.cells, 'score')} take"
    return DataTable("plan", title, columns, cells, whole.notes)


def _cells(found: Planned) -> DataTable:
    columns = (
        *map(Column, ("model", "protocol", "mode")),
        *(Column(name, numeric=True) for name in ("width now", "marks now", "marks needed", "rate")),
    )
    rows = tuple(
        (
            *map(Cell, one.cell),
            Cell(NONE if one.width is None else f"{100 * one.width:.1f}"),
            Cell(f"{one.marks:,}"),
            Cell("not reachable" if one.needed is None else f"{one.needed:,}"),
            Cell(NONE if one.rate is None else f"{one.rate:.2f}"),
        )
        for one in found.cells
    )
    notes = (
        "width: of the corrected interval from end to end, percentage points; rate: of the spot check, in "
        "the judge card, that draws as many of the points",
    )
    return DataTable("cells", "Score by score", columns, rows, notes)


def hours(seconds: float | None) -> str:
    """``40 min``, ``3.5 h``."""
    if seconds is None:
        return NONE
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:,.1f} h"
