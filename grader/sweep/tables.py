"""The tables of a sweep: how far each cell is, and what its conditions differ by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from rich import box
from rich.table import Table
from rich.text import Text

from grader.grade.gaps import GAPS, Axis, Gap, Ladder, Score, flagged
from grader.protocol.turns import MODES, PROTOCOLS
from grader.record.flags import FLAGS
from grader.render.plain import plain
from grader.render.runs import money
from grader.render.scores import percent
from grader.sweep.cells import CellRow
from grader.sweep.state import SweepState

_SHORT = {"full_problem": "full", "sequential_carry": "carry", "oracle_scaffolded": "oracle"}
_LETTERS: Mapping[str, str] = {"failed": "F", **{flag: flag[0].upper() for flag in FLAGS}}
"""Of flags, beside a score: three of these and three gaps have to fit into 80 characters."""


def cells_table(title: str, rows: Sequence[CellRow], caption: str | None = None) -> Table:
    """A row for each solver and condition: how far it is, its flags, and its score as far as it is graded."""
    priced = any(row.cell.cost or row.cell.unpriced < row.cell.done for row in rows)
    table = _table(title, caption)
    table.add_column("protocol", overflow="fold")
    table.add_column("mode", no_wrap=True)
    for heading in ("state", "answered", "score", *(["cost"] if priced else [])):
        table.add_column(heading, justify="right", no_wrap=True)
    for model, own in groupby(rows, key=lambda row: row.model):
        _begin(table, model)
        for row in own:
            table.add_row(*row.condition, *_cell(row, priced))
    return table


def _cell(row: CellRow, priced: bool) -> Iterator[str]:
    cell, score = row.cell, row.score
    yield f"{percent(score['coverage'])} decided" if score and row.progress == "open points" else row.progress
    counts: dict[str, int] = {"failed": cell.failed, **{flag: cell.flags[flag] for flag in FLAGS}}
    flags = [f"{count} {what}" for what, count in counts.items() if count]
    yield "\n".join([f"{cell.done} of {cell.expected}", *flags])
    yield _share(score) if score else "–"
    if priced:
        yield money(cell.cost, cell.unpriced).replace(" + ", "\n+ ")


def paid_line(state: SweepState) -> str | None:
    """What all calls of a sweep cost, in words."""
    paid, limit = state.paid, state.sweep.file.max_cost
    if paid is None:
        return None
    said = f"Paid to solvers and reader: {money(paid.cost, paid.unknown)}"
    if state.sweep.card is not None:
        said += f"; to the judge: {money(state.judged.cost, state.judged.unknown)}"
    if limit is None:
        return said
    programs = any(request.solver.kind == "program" for request in state.sweep.requests)
    return f"{said}; at most ${limit:g} in all" + (", without what programs cost" if programs else "")


def gap_tables(title: str, found: Sequence[Ladder], provisional: str | None = None) -> Iterator[Table]:
    """What the protocols differ by in each mode, and the modes under each protocol.

    ``provisional``: the judge card whose verdicts count nowhere.
    """
    axes: tuple[Axis, ...] = ("protocol", "mode")
    for axis in axes:
        own = [ladder for ladder in found if ladder.axis == axis]
        if own:
            yield _gap_table(f"{title}\nGaps between {axis}s, in percentage points", axis, own, provisional)


def _gap_table(title: str, axis: Axis, found: Sequence[Ladder], provisional: str | None) -> Table:
    conditions: Sequence[str] = PROTOCOLS if axis == "protocol" else MODES
    shown = [one for one in conditions if any(one in ladder.scores for ladder in found)]
    gaps = [name for name in GAPS[axis] if any(name in ladder.gaps for ladder in found)]
    said = [_meaning(axis, gaps), *_legend(found)]
    if provisional is not None:
        said.append(f"Judge {provisional} is provisional: its verdicts count nowhere.")
    table = _table(title, " ".join(said))
    table.add_column("mode" if axis == "protocol" else "protocol", overflow="fold")
    for heading in (*(_SHORT.get(one, one) for one in shown), *gaps):
        table.add_column(heading, justify="right", no_wrap=True)
    for model, own in groupby(found, key=lambda ladder: ladder.model):
        _begin(table, model)
        for ladder in own:
            shares = [_flagged_share(ladder.scores[one]) if one in ladder.scores else "–" for one in shown]
            table.add_row(ladder.other, *shares, *(_gap(ladder.gaps.get(name)) for name in gaps))
    return table


def _meaning(axis: Axis, gaps: Sequence[str]) -> str:
    """What a gap's name means, and what it doesn't."""
    ends = {name: [_SHORT.get(one, one) for one in GAPS[axis][name]] for name in gaps}
    said = [f"{name}: {more} minus {less}" for name, (more, less) in ends.items()]
    return "; ".join(said) + ". No error bars: over few problems a gap is no evidence by itself."


def _legend(found: Sequence[Ladder]) -> Iterator[str]:
    """What the letters beside scores mean, and the star behind gaps."""
    seen = {flag for ladder in found for score in ladder.scores.values() for flag in flagged(score)}
    if seen:
        letters = [f"{letter} {flag}" for flag, letter in _LETTERS.items() if flag in seen]
        yield f"Responses that are no plain answers: {', '.join(letters)}."
    if any(gap.flagged for ladder in found for gap in ladder.gaps.values()):
        yield "* one of the two conditions, or both, has such responses."


def _table(title: str, caption: str | None) -> Table:
    return Table(
        title=Text(plain(title)),
        caption=Text(plain(caption)) if caption else None,
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        collapse_padding=True,
    )


def _begin(table: Table, model: str) -> None:
    """The rows of the next solver, under its name."""
    table.add_section()
    table.add_row(Text(plain(model), style="bold"))


def _share(score: Score) -> str:
    """A score in per cent, or its bounds while points are open."""
    if score["low"] == score["high"]:
        return percent(score["share"])
    return f"{100 * score['low']:.1f} to\n{percent(score['high'])}"


def _flagged_share(score: Score) -> str:
    """A score with its flags."""
    return "\n".join([_share(score), *(f"{count}{_LETTERS[flag]}" for flag, count in flagged(score).items())])


def _gap(gap: Gap | None) -> str:
    """A difference in percentage points, or its bounds while points are open; a star for flags."""
    if gap is None:
        return "–"
    low, high = (100 * round(one, 9) for one in (gap.low, gap.high))
    # a difference of nothing has no sign
    said = [f"{one:+.1f}" if abs(one) >= 0.05 else "0.0" for one in (low, high)]
    star = "*" if gap.flagged else ""
    return (said[0] if low == high else " to\n".join(said)) + star
