"""The table of a run: what each condition has come to."""

from __future__ import annotations

from rich import box
from rich.table import Table
from rich.text import Text

from grader.protocol.state import RunState
from grader.record.flags import FLAGS
from grader.render.plain import plain


def run_table(name: str, state: RunState) -> Table:
    """A row for each condition; flags that no answer has get no column."""
    seen = [flag for flag in FLAGS if any(cell.flags[flag] for cell in state.cells.values())]
    reads = any(cell.reader_calls for cell in state.cells.values())
    table = Table(title=Text(plain(f"Run of {name}")), box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("protocol", "mode"):
        table.add_column(heading)
    for heading in ("answered", "failed", *seen, *(["reader calls"] if reads else []), "cost"):
        table.add_column(heading, justify="right", no_wrap=True)
    for (protocol, mode), cell in state.cells.items():
        counts = [cell.failed, *(cell.flags[flag] for flag in seen), *([cell.reader_calls] if reads else [])]
        cost = money(cell.cost, cell.unpriced)
        table.add_row(protocol, mode, f"{cell.done} of {cell.expected}", *map(str, counts), cost)
    table.caption = paid_for(state)
    return table


def paid_for(state: RunState) -> str | None:
    """What all calls of the journal cost: less than the cells, where they share replies."""
    return f"Paid for all calls: {money(state.paid.cost, state.paid.unknown)}" if state.paid else None


def money(cost: float, unknown: int) -> str:
    """US dollars as far as known, and how many costs are not."""
    if unknown and not cost:
        return "unknown"
    return f"${cost:.4f}" + (f" + {unknown} unknown" if unknown else "")
