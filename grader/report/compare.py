"""Two runs, or two models, compared; and thresholds for continuous integration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from grader.errors import UsageError
from grader.render.tables import Cell, Column, DataTable
from grader.render.words import counted
from grader.report.cells import by_cell
from grader.report.document import Levels, Options, Row, Section
from grader.report.estimates import estimate_row, interval_heading, rounded
from grader.report.gap_words import NO_EVIDENCE, difference_cells, difference_finding, finding_notes
from grader.report.scores import scored
from grader.report.words import Conditions, percent, points, span, whole
from grader.stats.estimate import Difference, difference
from grader.stats.multiple import holm

_CONDITION = ["protocol", "mode"]


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison: subquestions of one model or of one run."""

    name: str
    subquestions: pd.DataFrame


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sides under one condition: the second minus the first."""

    models: tuple[str, str]
    protocol: str
    mode: str
    difference: Difference
    p_adjusted: float | None


@dataclass(frozen=True, slots=True)
class Compared:
    """Everything that two sides have in common."""

    names: tuple[str, str]
    found: tuple[Comparison, ...]

    @property
    def several(self) -> bool:
        """Whether more than one model, or pair of models, is compared."""
        return len({one.models for one in self.found}) > 1

    def where(self, one: Comparison) -> str:
        """The condition of one of them, and whose it is where there are several."""
        return ", ".join((one.protocol, one.mode, *(one.models[:1] if self.several else ())))

    @property
    def worse(self) -> list[Comparison]:
        """Where the second is worse, however the open points will be decided."""
        return [one for one in self.found if one.difference.evidence_if_open and one.difference.value < 0]

    @property
    def undecided(self) -> list[Comparison]:
        """Where the open points decide whether the second is worse."""
        return [one for one in self.found if one not in self.worse and _could_be_worse(one.difference)]


def _could_be_worse(one: Difference) -> bool:
    """Whether open points alone keep the interval from lying below zero."""
    return not whole(*one.bounds) and one.high is not None and one.high < 0


def models_side(levels: Levels, model: str) -> Side:
    """A model of the report as a side."""
    return Side(model, levels.subquestions[levels.subquestions["model"] == model])


def compared(first: Side, second: Side, options: Options) -> Compared:
    """The second minus the first, over the subquestions that both hold, a condition at a time.

    Models are paired by name; where each side has only one, whatever they are called.
    UsageError where there is nothing to compare.
    """
    pairs = list(_pairs(first.subquestions, second.subquestions))
    found = []
    for models, condition, one, two in pairs:
        between = difference(two, one, level=options.level)
        if between is not None:
            found.append((models, condition, between))
    if not found:
        raise UsageError(
            "nothing to compare: no subquestion was answered on both sides under the same protocol and mode",
            got=f"{first.name} and {second.name}",
        )
    adjusted = holm([between.p for _, _, between in found])
    return Compared(
        (first.name, second.name),
        tuple(
            Comparison(models, *condition, between, p)
            for (models, condition, between), p in zip(found, adjusted, strict=True)
        ),
    )


_Pair = tuple[tuple[str, str], tuple[str, str], pd.DataFrame, pd.DataFrame]


def _pairs(first: pd.DataFrame, second: pd.DataFrame) -> Iterator[_Pair]:
    ours, theirs = by_cell(first), by_cell(second)
    names = {model for model, _, _ in ours}, {model for model, _, _ in theirs}
    alone = dict(zip(*names, strict=True)) if {len(one) for one in names} == {1} else {}
    for (model, protocol, mode), rows in ours.items():
        other = alone.get(model, model)
        if (other, protocol, mode) in theirs:
            yield (model, other), (protocol, mode), rows, theirs[other, protocol, mode]


def comparison_section(one: Compared, options: Options) -> Section:
    """The comparison as a table."""
    names = one.names
    conditions = Conditions.of(
        pd.DataFrame([(found.protocol, found.mode) for found in one.found], columns=_CONDITION)
    )
    columns = [*([Column("model")] if one.several else []), Column("condition")]
    headings = ["points", interval_heading(options.level), "p", "detectable"]
    columns += [Column(heading, numeric=True) for heading in headings] + [Column("finding")]
    rows = tuple(_row_cells(found, names, one.several, conditions, options) for found in one.found)
    notes = finding_notes({row[-1].text for row in rows}, [found.difference for found in one.found])
    title = f"{names[1]} minus {names[0]}, in percentage points, over the same subquestions"
    table = DataTable("compare", title, tuple(columns), rows, tuple(notes))
    data = {"comparisons": [_json_row(found, names, options) for found in one.found]}
    return Section("compare", "Comparison", (table,), says=tuple(_says(one, options)), data=data)


def _row_cells(
    one: Comparison, names: tuple[str, str], several: bool, conditions: Conditions, options: Options
) -> tuple[Cell, ...]:
    return (
        *([Cell(one.models[0])] if several else []),
        Cell(conditions.label(one.protocol, one.mode)),
        *difference_cells(one.difference, one.p_adjusted),
        Cell(_finding(one, names, options)),
    )


def _finding(one: Comparison, names: tuple[str, str], options: Options) -> str:
    return difference_finding(one.difference, one.p_adjusted, options.level, (names[1], names[0]))


def _json_row(one: Comparison, names: tuple[str, str], options: Options) -> Row:
    return {
        "of": {"name": names[1], "model": one.models[1]},
        "minus": {"name": names[0], "model": one.models[0]},
        "protocol": one.protocol,
        "mode": one.mode,
        "difference": estimate_row(one.difference),
        "p_holm": rounded(one.p_adjusted),
        "finding": _finding(one, names, options),
    }


def _says(one: Compared, options: Options) -> Iterator[str]:
    names = one.names
    for found in one.found:
        size, interval, *_ = difference_cells(found.difference, found.p_adjusted)
        verdict = _finding(found, names, options)
        verdict = f"{verdict} of a difference" if verdict == NO_EVIDENCE else verdict
        yield (
            f"Under {one.where(found)}: {names[1]} minus {names[0]} is {size.text} points "
            f"({interval.text}), {verdict}."
        )


# Thresholds


@dataclass(frozen=True, slots=True)
class Check:
    """A threshold that was asked for."""

    what: str
    holds: bool
    lines: tuple[str, ...]
    """Why, a line each."""
    incomplete: bool = False
    """Only the open points can tell."""

    def as_json(self) -> Row:
        """Documented in docs/output.md."""
        return {
            "check": self.what,
            "holds": self.holds,
            "incomplete": self.incomplete,
            "lines": list(self.lines),
        }


def fail_under(levels: Levels, least: float, options: Options) -> Check:
    """Whether every score reaches ``least`` per cent; while points are open, whether its lower bound does."""
    found = scored(levels, options)
    lines = []
    for one in found:
        low, high = one.share.bounds
        if 100 * low >= least - 1e-9:
            continue
        cell = f"{one.cell.model}, {one.cell.protocol}, {one.cell.mode}"
        if whole(low, high):
            lines.append(f"{cell}: {percent(low)} % is below {least:g} %")
        else:
            lines.append(
                f"{cell}: the lower bound {percent(low)} % is below {least:g} %; "
                f"the open points could raise it to {percent(high)} %"
            )
    holds = not lines
    if holds:
        lines = [
            f"{counted(len(found), 'score')} at least {least:g} %, by the lower bound where points are open"
        ]
    return Check("fail-under", holds, tuple(lines))


def fail_if_worse(one: Compared) -> Check:
    """Whether nowhere is evidence that the second is worse than the first."""
    first, second = one.names
    worse = [f"{one.where(found)}: {second} is worse than {first} {_by(found)}" for found in one.worse]
    undecided = [
        f"{one.where(found)}: as graded {second} is worse than {first} {_by(found)}, "
        "but the open points could change that"
        for found in one.undecided
    ]
    rest = [found for found in one.found if found not in one.worse and found not in one.undecided]
    fine = [
        f"{one.where(found)}: no evidence that {second} is worse than {first} {_by(found)}" for found in rest
    ]
    lines: Sequence[str] = (*worse, *undecided, *fine)
    return Check("fail-if-worse", not worse, tuple(lines), incomplete=bool(undecided) and not worse)


def _by(one: Comparison) -> str:
    between = one.difference
    return f"({points(between.value)} points, {span(between.low, between.high, signed=True)})"
