"""A table that fits into the terminal it is printed on."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grader.render.plain import one_line
from grader.render.tables import BEST, Cell, DataTable, shown_notes

_GAP = 3
_NAME = 14
"""Characters that a column of names keeps when it has to fold."""


class Folded:
    """Columns that don't fit beside each other go into a further table below, after the names again."""

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
        room = width + 1 - sum(least[other] for other in parts[-1])
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
        heading = Text(one_line(column.heading), justify="right" if column.numeric else "left")
        part.add_column(heading, no_wrap=column.numeric, overflow="fold")
    columns = [_cells(table, place) for place in places]
    for row in zip(*columns, strict=True):
        part.add_row(*row)
    return part


def _cells(table: DataTable, place: int) -> list[Text]:
    """The cells of a column; numbers are padded here, since rich would push a star below the digits."""
    cells = [row[place] for row in table.rows]
    if not table.columns[place].numeric:
        return [_text(cell) for cell in cells]
    starred = any(cell.best for cell in cells)
    widths = [cell_len(one_line(cell.text)) for cell in cells]
    room = _least(table, place) - (len(BEST) + 1) * starred
    padded = zip(cells, widths, strict=True)
    return [Text(" " * max(0, room - width)).append_text(_text(cell)) for cell, width in padded]


def _text(cell: Cell) -> Text:
    text = Text(one_line(cell.text), style="bold" if cell.best else "")
    return text.append(f" {BEST}") if cell.best else text
