"""A comparison of two judges as a page."""

from __future__ import annotations

from collections.abc import Iterator

from grader.audit.card.as_json import plain
from grader.audit.comparison import DIFFERENCE, WIDTH, Comparison
from grader.audit.document import Document, Part
from grader.audit.measure_words import measure_span, measure_value
from grader.audit.result import Measure
from grader.audit.words import INDICATIVE
from grader.render.tables import Cell, Column, DataTable
from grader.render.words import counted

NONE = "–"


def comparison_page(found: Comparison) -> Document:
    """The page, the same for every format."""
    first, second = found.judges
    provisional = [name for name, one in zip(found.judges, found.provisional, strict=True) if one]
    text = (
        f"Both decided {counted(found.shared, 'point')}; people's random marks stand on "
        f"{counted(found.points, 'point')} of {counted(found.problems, 'problem')} of these. What each "
        f"stands for is taken from the spot check of {found.design}.",
        *((INDICATIVE,) if found.indicative else ()),
    )
    tables = [_differences(found)]
    if any(one.name == WIDTH for one in found.measures):
        tables.append(_widths(found))
    return Document(
        title=f"{first} against {second}",
        warnings=tuple(f"PROVISIONAL: {name} is a demonstration and counts nowhere." for name in provisional),
        says=found.says or ("No evidence that they differ in error, leniency or agreement with people.",),
        parts=(Part("differences", "Differences", text=text, tables=tuple(tables)),),
        data=plain(found),
    )


def _differences(found: Comparison) -> DataTable:
    columns = (
        Column(""),
        *(Column(name, numeric=True) for name in found.judges),
        Column("difference", numeric=True),
        Column(f"{100 * found.level:g} % interval", numeric=True),
        *(Column(name, numeric=True) for name in ("p", "detectable")),
        Column("evidence"),
    )
    rows = []
    for one, other, difference in _three(found.measures):
        p = difference.p_adjusted
        shown = NONE if p is None else "< 0.001" if p < 0.0005 else f"{p:.3f}"
        least = None if difference.detectable is None else _with(difference, difference.detectable)
        texts = (
            *(one.name, measure_value(one), measure_value(other), measure_value(difference)),
            *(measure_span(difference), shown, NONE if least is None else least.lstrip("+")),
            "yes" if difference.flagged else "no evidence",
        )
        rows.append(tuple(map(Cell, texts)))
    notes = (
        "difference: the first minus the second; p: of no difference, adjusted after Holm over these",
        "error in marks: the mean distance of the award from people's, weighted by marks; leniency: above 0 "
        "the judge awards more than people",
        "pp: percentage points; detectable: the smallest true difference found with a power of 0.8, so "
        "nothing is said of smaller ones",
        *found.notes,
    )
    return DataTable("differences", "On the same marks", columns, tuple(rows), notes)


def _three(measures: tuple[Measure, ...]) -> Iterator[tuple[Measure, Measure, Measure]]:
    """Both judges' values and their difference, of each statistic."""
    for difference in measures:
        if difference.name.endswith(DIFFERENCE):
            name = difference.name.removesuffix(DIFFERENCE)
            one, other = (found for found in measures if found.name == name)
            yield one, other, difference


def _with(one: Measure, value: float) -> str:
    return measure_value(Measure(one.name, value, one.unit))


def _widths(found: Comparison) -> DataTable:
    columns = (Column("score"), *(Column(name, numeric=True) for name in found.judges))
    cells: dict[str, dict[str, str]] = {}
    for one in found.measures:
        if one.name == WIDTH:
            judge, _, cell = one.of.partition(": ")
            cells.setdefault(cell, {})[judge] = NONE if one.value is None else f"{100 * one.value:.1f} pp"
    rows = tuple(
        (Cell(cell), *(Cell(values.get(name, NONE)) for name in found.judges))
        for cell, values in cells.items()
    )
    title = f"Width of corrected scores, {100 * found.level:g} % intervals"
    notes = ("for problems like these, from end to end; the judge with the narrower interval saves marks",)
    return DataTable("widths", title, columns, rows, notes)
