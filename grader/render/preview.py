"""What a preview found, as tables for the terminal; from the JSON of ``grader.grade.preview``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from grader.render.plain import plain
from grader.render.scores import estimate_table
from grader.render.tables import Cell, Column, DataTable, to_terminal

if TYPE_CHECKING:
    from rich.console import RenderableType

Row = Mapping[str, Any]

MOST_ROWS = 40
"""Rows of a table in a terminal; --json has them all."""


def preview_report(found: Row) -> Iterator[RenderableType]:
    """The tables, each only where there is something in it, and what they come to in a sentence."""
    for table in (points_table(found), scores_table(found), gaps_table(found), ranks_table(found)):
        if table.rows:
            yield to_terminal(table)
    judge = found["judge"]
    if judge and judge["estimate"]["rows"]:
        yield estimate_table(judge["estimate"])
    if found["marks"]:
        yield to_terminal(marks_table(found))
    for sentence in sentences(found):
        yield plain(sentence)


def sentences(found: Row) -> Iterator[str]:
    """What the tables come to."""
    yield (
        f"{found['changed']} verdicts would change, and the marks of {found['moved']} answers; "
        f"{found['computed']} findings were computed, {found['reused']} are in the archive already"
    )
    judge = found["judge"]
    before, after = found["before"]["judge"], found["after"]["judge"]
    if before != after:
        yield f"judge: {before or 'none'} before, {after or 'none'} after"
    if judge is not None:
        yield (
            f"judge {judge['card']}: {judge['standing']} verdicts stand, {judge['read']} come from archived "
            f"replies, {judge['waiting']} wait for new ones; {judge['estimate']['calls']} requests to send"
        )
        if judge["provisional"]:
            yield f"judge {judge['card']} is provisional: its verdicts count nowhere"
    counted = sum(mark["counted"] for mark in found["marks"])
    if counted:
        yield f"{counted} human marks that count today would not count any more"
    yield "nothing was sent, and nothing written"


def points_table(found: Row) -> DataTable:
    """The points that are others, or whose verdicts would be."""
    columns = (
        *(Column(name) for name in ("problem", "subquestion", "point", "rubric", "decided by")),
        *(Column(name, numeric=True) for name in ("answers", "change", "wait")),
        Column("verdicts"),
    )
    rows = [
        (
            *(Cell(one[name]) for name in ("problem_id", "sub_id")),
            Cell(_renamed(one)),
            Cell(one["change"]),
            Cell(one["kind"] or ("members" if one["shape"] == "group" else "judge or person")),
            *(Cell(str(one[name])) for name in ("answers", "changed", "waiting")),
            Cell(", ".join(map(_move, one["moves"]))),
        )
        for one in found["points"]
    ]
    return _cut("points", "Points", columns, rows)


def _renamed(point: Row) -> str:
    was = point["was"]
    return point["point_id"] if was in (None, point["point_id"]) else f"{point['point_id']} (was {was})"


def _move(move: Row) -> str:
    return f"{move['answers']} {_said(move['before'])} → {_said(move['after'])}"


def _said(said: str | None) -> str:
    return "none" if said is None else said.replace("_", " ")


def scores_table(found: Row) -> DataTable:
    """Each cell's share before and after, with bounds while points are open."""
    columns = (
        *(Column(name) for name in ("model", "protocol", "mode")),
        *(
            Column(name, numeric=True)
            for name in ("marks before", "marks after", "score before", "score after", "moves")
        ),
    )
    rows = [(*map(Cell, _cell(one)), *map(Cell, _score(one))) for one in found["scores"]]
    notes = ("scores in %, of what is decided; in brackets the bounds while points are open",)
    return _cut("scores", "Scores", columns, rows, notes if rows else ())


def _cell(one: Row) -> tuple[str, ...]:
    return one["model"], one["protocol"], one["mode"]


def _score(one: Row) -> Iterator[str]:
    before, after = one["before"], one["after"]
    for side in (before, after):
        yield "–" if side is None else f"{_marks(side['earned'])} / {_marks(side['full_mark'])}"
    for side in (before, after):
        yield "–" if side is None else _bounded(side["share"], side["low"], side["high"])
    shares = [side and side["share"] for side in (before, after)]
    yield "–" if None in shares else _signed(shares[1] - shares[0])


def gaps_table(found: Row) -> DataTable:
    """Each gap before and after."""
    columns = (
        *(Column(name) for name in ("gap", "model", "held", "of", "minus")),
        *(Column(name, numeric=True) for name in ("before", "after")),
    )
    rows = [
        (
            *(Cell(one[name]) for name in ("gap", "model")),
            Cell(one["mode"] or one["protocol"]),
            *(Cell(one[name]) for name in ("of", "minus")),
            *(Cell(_between(one[side])) for side in ("before", "after")),
        )
        for one in found["gaps"]
    ]
    notes = ("in percentage points; between bounds while points are open",)
    return _cut("gaps", "Gaps", columns, rows, notes if rows else ())


def ranks_table(found: Row) -> DataTable:
    """The ranks that are others, or may be."""
    columns = (
        *(Column(name) for name in ("model", "protocol", "mode")),
        *(Column(name, numeric=True) for name in ("rank before", "rank after")),
    )
    rows = [
        (*map(Cell, _cell(one)), *(Cell(_rank(one[side])) for side in ("before", "after")))
        for one in found["ranks"]
        if one["before"] != one["after"]
    ]
    notes = ("among the models of this run; a range while points are open",)
    return _cut("ranks", "Ranks that move", columns, rows, notes if rows else ())


def marks_table(found: Row) -> DataTable:
    """The human marks that would not count."""
    columns = (
        *(Column(name) for name in ("by", "problem", "point", "model", "protocol", "mode")),
        *(Column(name, numeric=True) for name in ("sample", "line", "award")),
        Column("counts today"),
    )
    rows = [
        (
            *(Cell(one[name]) for name in ("by", "problem_id", "point_id", "model", "protocol", "mode")),
            *(Cell(str(one[name])) for name in ("sample", "line")),
            Cell("open" if one["award"] is None else f"{one['award']:g}"),
            Cell("yes" if one["counted"] else "no"),
        )
        for one in found["marks"]
    ]
    return _cut("marks", "Human marks that would not count", columns, rows)


def _cut(
    key: str,
    title: str,
    columns: Sequence[Column],
    rows: Sequence[tuple[Cell, ...]],
    notes: tuple[str, ...] = (),
) -> DataTable:
    more = len(rows) - MOST_ROWS
    said = (f"and {more} more: see --json",) if more > 0 else ()
    return DataTable(key, title, tuple(columns), tuple(rows[:MOST_ROWS]), (*said, *notes))


def _marks(marks: float) -> str:
    return f"{round(marks, 2):g}"


def _bounded(share: float | None, low: float | None, high: float | None) -> str:
    if share is None or low is None or high is None:
        return "–"
    shown = f"{100 * share:.1f}"
    return shown if low == high else f"{shown} [{100 * low:.1f}, {100 * high:.1f}]"


def _between(gap: Row | None) -> str:
    if gap is None:
        return "–"
    low, high = _signed(gap["low"]), _signed(gap["high"])
    return low if low == high else f"{low} to {high}"


def _rank(rank: Row | None) -> str:
    if rank is None:
        return "–"
    best, worst = rank["best"], rank["worst"]
    return f"{best} of {rank['of']}" if best == worst else f"{best} to {worst} of {rank['of']}"


def _signed(difference: float) -> str:
    """A difference of shares in percentage points, with a true minus sign."""
    shown = f"{100 * difference:+.1f}"
    return shown.replace("-", "−") if float(shown) else "0.0"
