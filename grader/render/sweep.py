"""The tables of a sweep: the state of each cell, and what the protocols differ by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from grader.protocol.state import Cell, RunState
from grader.protocol.turns import MODES, PROTOCOLS
from grader.record.flags import FLAGS
from grader.render.plain import plain
from grader.render.runs import money, paid_for
from grader.render.scores import percent

Score = Mapping[str, Any]
"""Of a model, protocol and mode, as ``grader.grade.summary`` gives it."""

GAPS = (
    ("integration", "sequential_carry", "full_problem"),
    ("propagation", "oracle_scaffolded", "sequential_carry"),
    ("both", "oracle_scaffolded", "full_problem"),
)
"""What a gap is called, and the two conditions it lies between: the first minus the second."""


def cells_table(title: str, states: Mapping[str, RunState], scores: Sequence[Score]) -> Table:
    """A row for each solver and condition: how far it is, and its score as far as it is graded."""
    table = Table(title=Text(plain(title)), box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("model", "protocol", "mode"):
        table.add_column(heading, overflow="fold")
    for heading in ("state", "answered", "score", "decided", "flags", "cost"):
        table.add_column(heading, justify="right", no_wrap=True)
    found = {(one["model"], one["protocol"], one["mode"]): one for one in scores}
    for name, state in states.items():
        for (protocol, mode), cell in state.cells.items():
            score = found.get((name, protocol, mode))
            table.add_row(Text(plain(name)), protocol, mode, *_cell(cell, score))
        table.caption = paid_for(state)  # the same for all: they have one journal
    return table


def _cell(cell: Cell, score: Score | None) -> Iterator[str]:
    yield state_of(cell, score)
    yield f"{cell.done} of {cell.expected}"
    yield share(score) if score else "–"
    yield percent(score["coverage"]) if score else "–"
    yield ", ".join(f"{cell.flags[flag]} {flag}" for flag in FLAGS if cell.flags[flag]) or "–"
    yield money(cell.cost, cell.unpriced)


def state_of(cell: Cell, score: Score | None) -> str:
    """A cell's state in one word."""
    if not cell.done:
        return "missing"
    if cell.done < cell.expected:
        return "partial"
    if score is None:
        return "answered"
    return "complete" if score["coverage"] == 1 else "open points"


def share(score: Score) -> str:
    """A score in per cent, or its bounds while points are open."""
    if score["low"] == score["high"]:
        return percent(score["share"])
    return f"{percent(score['low'])} to {percent(score['high'])}"


def gaps_table(scores: Sequence[Score]) -> Table:
    """What the protocols differ by, for each model and mode, in percentage points.

    Differences of scores, without error bars: over few problems they show
    nothing by themselves.
    """
    table = Table(title="Gaps between protocols, in percentage points", box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("model", "mode"):
        table.add_column(heading, overflow="fold")
    for heading in (*PROTOCOLS, *(name for name, _, _ in GAPS)):
        table.add_column(heading.replace("_", " "), justify="right")
    for (model, mode), row in _by_mode(scores).items():
        shares = [share(row[one]) if one in row else "–" for one in PROTOCOLS]
        gaps = [_gap(row.get(more), row.get(less)) for _, more, less in GAPS]
        table.add_row(Text(plain(model)), mode, *shares, *gaps)
    table.caption = (
        "integration: carry minus full; propagation: oracle minus carry; both: oracle minus full. "
        "No error bars: a difference over few problems is no evidence by itself."
    )
    return table


def _by_mode(scores: Sequence[Score]) -> dict[tuple[str, str], dict[str, Score]]:
    ordered = sorted(scores, key=lambda one: (one["model"], [*MODES, "unstated"].index(one["mode"])))
    found: dict[tuple[str, str], dict[str, Score]] = {}
    for one in ordered:
        found.setdefault((one["model"], one["mode"]), {})[one["protocol"]] = one
    return found


def _gap(more: Score | None, less: Score | None) -> str:
    """The difference of two scores, or its bounds while points are open."""
    if more is None or less is None or None in (more["low"], less["low"]):
        return "–"
    low, high = 100 * (more["low"] - less["high"]), 100 * (more["high"] - less["low"])
    return f"{low:+.1f}" if round(low, 9) == round(high, 9) else f"{low:+.1f} to {high:+.1f}"
