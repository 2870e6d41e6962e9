"""A table that fits into the terminal it is printed on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grader.render.plain import one_line
from grader.render.tables import BEST, Cell, DataTable, shown_notes

_GAP = 2
_NAME = 14
"""Characters that a column of names keeps when it has to fold."""


class Folded:
    """Columns that don't fit beside each other go into a further table below, with the leading names again."""

    def __init__(self, table: DataTable) -> None:
        self.table = table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        parts = _parts(self.table, options.max_width)
        for number, places in enumerate(parts):
            yield _part(self.table, places, titled=number == 0)
        for note in shown_notes(self.table):
            yield Padding(Text(note, style="dim"), (0, 0, 0, 1))


def _parts(table: DataTable, width: int) -> list[list[int]]:
    """The columns of each part: the leading columns of names, then as many others as there is room for."""
    names = next((place for place, column in enumerate(table.columns) if column.numeric), len(table.columns))
    names = min(names, max(1, len(table.columns) - 1))
    least = [_least(table, place) + _GAP for place in range(len(table.columns))]
    parts: list[list[int]] = [list(range(names))]
    for place in range(names, len(table.columns)):
        room = width - sum(least[other] for other in parts[-1])
        if room < least[place] and len(parts[-1]) > names:
            parts.append(list(range(names)))
        parts[-1].append(place)
    return parts


def _least(table: DataTable, place: int) -> int:
    """The narrowest that a column may be."""
    column = table.columns[place]
    texts = [one_line(column.heading), *(_text(row[place]).plain for row in table.rows)]
    longest = max(map(cell_len, texts))
    return longest if column.numeric else min(longest, _NAME)


def _part(table: DataTable, places: Sequence[int], *, titled: bool) -> Table:
    title = Text(one_line(table.title), style="bold") if titled else None
    part = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for place in places:
        column = table.columns[place]
        heading = Text(one_line(column.heading))
        if column.numeric:
            part.add_column(heading, justify="right", no_wrap=True)
        else:
            part.add_column(heading, overflow="fold")
    for row in table.rows:
        part.add_row(*_cells(table, row, places))
    return part


def _cells(table: DataTable, row: Sequence[Cell], places: Sequence[int]) -> Iterator[Text]:
    for place in places:
        starred = any(other[place].best for other in table.rows)
        text = _text(row[place])
        if starred and table.columns[place].numeric and not row[place].best:
            text.append(" " * (len(BEST) + 1))  # the digits stay below each other
        yield text


def _text(cell: Cell) -> Text:
    text = Text(one_line(cell.text), style="bold" if cell.best else "")
    return text.append(f" {BEST}") if cell.best else text
