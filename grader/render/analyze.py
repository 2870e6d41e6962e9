"""What graded runs tell authors, as tables; from the JSON of ``grader.report.authors``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from grader.render.tables import Cell, Column, DataTable

Row = Mapping[str, Any]

_NONE = "–"
_WORDS = {
    "nobody": "nobody earns any of it",
    "everybody": "everybody earns all of it",
    "negative": "who does well elsewhere does worse here",
}


def analysis_tables(found: Row) -> Iterator[DataTable]:
    """All subquestions, the points that deserve a look, and the constant answers."""
    yield subquestions_table(found)
    for table in (points_table(found), floors_table(found), beaten_table(found)):
        if table.rows:
            yield table


def subquestions_table(found: Row) -> DataTable:
    """How hard each subquestion is, and how well it tells respondents apart."""
    columns = (
        *(Column(name) for name in ("problem", "subquestion")),
        *(Column(name, numeric=True) for name in ("respondents", "models", "earned", "discrimination")),
        *(Column(name, numeric=True) for name in ("interval", "alpha without")),
        Column("look"),
    )
    rows = tuple(
        (
            *(Cell(one[name]) for name in ("problem_id", "sub_id")),
            *map(Cell, _statistics(one)),
            Cell(_number(one["alpha_without"])),
            Cell(_look(one)),
        )
        for one in found["subquestions"]
    )
    return DataTable("subquestions", "Subquestions", columns, rows, tuple(_notes(found)))


def points_table(found: Row) -> DataTable:
    """The points that nobody or everybody earns, or that run against the rest."""
    columns = (
        *(Column(name) for name in ("problem", "subquestion", "point", "decided by")),
        *(Column(name, numeric=True) for name in ("respondents", "models", "earned", "discrimination")),
        Column("interval", numeric=True),
        Column("look"),
    )
    rows = tuple(
        (
            *(Cell(one[name]) for name in ("problem_id", "sub_id", "point_id")),
            Cell(one["kind"] or "judge or person"),
            *map(Cell, _statistics(one)),
            Cell(_look(one)),
        )
        for one in found["points"]
        if one["flags"]
    )
    return DataTable("points", "Points that deserve a look", columns, rows)


def floors_table(found: Row) -> DataTable:
    """What the same answer every time would earn."""
    columns = (
        *(Column(name) for name in ("check", "answer")),
        *(Column(name, numeric=True) for name in ("checks", "earns")),
        Column("look"),
    )
    rows = tuple(
        (
            *(Cell(one[name]) for name in ("kind", "answer")),
            *(Cell(str(one["checks"])), Cell(_percent(one["share"]))),
            Cell("" if one["enough"] else "too few checks"),
        )
        for one in found["floors"]
    )
    notes = ("the best constant answer to all checks of a kind, each by itself, in % of their marks",)
    return DataTable("floors", "The same answer every time", columns, rows, notes if rows else ())


def beaten_table(found: Row) -> DataTable:
    """How far each cell is above the constant answers."""
    columns = (
        *(Column(name) for name in ("check", "model", "protocol", "mode")),
        *(Column(name, numeric=True) for name in ("above", "interval")),
        Column("look"),
    )
    rows = tuple(
        (
            Cell(floor["kind"]),
            *(Cell(one[name]) for name in ("model", "protocol", "mode")),
            *(Cell(_signed(one["value"])), Cell(_span(one["low"], one["high"], _signed))),
            Cell("" if one["beats"] else "no evidence that it knows more"),
        )
        for floor in found["floors"]
        for one in floor["cells"]
    )
    notes = ("share of the marks of these checks less the constant answer's, in percentage points",)
    return DataTable("beaten", "Above the same answer every time", columns, rows, notes if rows else ())


def _statistics(one: Row) -> Iterator[str]:
    yield str(one["respondents"])
    yield str(one["models"])
    yield _percent(one["difficulty"])
    yield _number(one["discrimination"])
    yield _span(one["low"], one["high"], _number)


def _notes(found: Row) -> Iterator[str]:
    yield "a respondent is one sample of a model under a protocol and a mode; earned: the mean share, in %"
    yield "discrimination: correlation with the marks earned elsewhere; its interval has models as clusters"
    if found["alpha"] is not None:
        yield f"Cronbach's alpha of all subquestions: {_number(found['alpha'])}"
    if not all(one["enough"] for one in found["subquestions"]):
        yield "nothing is claimed where respondents or models are too few"


def _look(one: Row) -> str:
    said = "; ".join(_WORDS[flag] for flag in one["flags"])
    return said if one["enough"] else "too few"


def _percent(share: float | None) -> str:
    return _NONE if share is None else f"{100 * share:.1f}"


def _number(value: float | None) -> str:
    return _NONE if value is None else _true_minus(f"{value:.2f}")


def _signed(share: float | None) -> str:
    return _NONE if share is None else _true_minus(f"{100 * share:+.1f}")


def _true_minus(text: str) -> str:
    unsigned = text.lstrip("+-")
    return text.replace("-", "−") if float(unsigned) else unsigned


def _span(low: float | None, high: float | None, shown: Any) -> str:
    return _NONE if low is None or high is None else f"{shown(low)} to {shown(high)}"
