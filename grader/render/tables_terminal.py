"""A table that fits into the terminal it is printed on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
_WORD = 24
"""Characters of a word up to which a column of names keeps it whole."""
_NOTHING = frozenset({"", "–"})


class Folded:
    """Columns that don't fit beside each other go into a further table below, after the names again.

    Rows of which a further table has nothing to say aren't repeated in it.
    """

    def __init__(self, table: DataTable) -> None:
        self.table = table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        table, names = self.table, _names(self.table)
        least = _least_widths(table, names, options.max_width)
        for number, places in enumerate(_parts(table, names, least, options.max_width)):
            widths = _widths(table, places, least, options.max_width)
            yield _part(table, places, widths, names if number else None)
        for note in shown_notes(table):
            yield Padding(Text(note, style="dim"), (0, 0, 0, 1))


def _names(table: DataTable) -> int:
    """How many leading columns name the row."""
    names = next((place for place, column in enumerate(table.columns) if column.numeric), len(table.columns))
    return min(names, max(1, len(table.columns) - 1))


def _parts(table: DataTable, names: int, least: Sequence[int], width: int) -> list[list[int]]:
    """The columns of each part: the leading columns of names, then as many others as there is room for."""
    parts: list[list[int]] = [list(range(names))]
    for place in range(names, len(table.columns)):
        room = width + 1 - sum(least[other] + _GAP for other in parts[-1])
        if room < least[place] + _GAP and len(parts[-1]) > names:
            parts.append(list(range(names)))
        parts[-1].append(place)
    return parts


def _least_widths(table: DataTable, names: int, width: int) -> list[int]:
    """The narrowest that columns may be: words stay whole where each number has room beside the names."""
    every = range(len(table.columns))
    least = [_least(table, place, _WORD) for place in every]
    if sum(least[:names]) + max(least[names:], default=0) + _GAP * (names + 1) > width + 1:
        return [_least(table, place, _NAME) for place in every]
    return least


def _least(table: DataTable, place: int, word: int) -> int:
    longest = _longest(table, place)
    if table.columns[place].numeric:
        return longest
    words = [part for text in _texts(table, place) for part in text.split()]
    return min(longest, max(_NAME, min(word, max(map(cell_len, words), default=0))))


def _texts(table: DataTable, place: int) -> list[str]:
    return [one_line(table.columns[place].heading), *(_text(row[place]).plain for row in table.rows)]


def _longest(table: DataTable, place: int) -> int:
    return max(map(cell_len, _texts(table, place)))


def _widths(table: DataTable, places: Sequence[int], least: Sequence[int], width: int) -> dict[int, int]:
    """The columns' widths, what is left over shared by those that fold; none where there is too little."""
    widths = {place: least[place] for place in places}
    left = width + 1 - sum(widths.values()) - _GAP * len(places)
    if left < 0:
        return {}
    short = {place: more for place in places if (more := _longest(table, place) - widths[place]) > 0}
    while left > 0 and short:
        share = max(1, left // len(short))
        for place in list(short):
            more = min(share, short[place], left)
            widths[place] += more
            short[place] -= more
            left -= more
            if not short[place]:
                del short[place]
    return widths


def _part(table: DataTable, places: Sequence[int], widths: Mapping[int, int], below: int | None) -> Table:
    """Some columns; ``below``: how many of them are names repeated below the first part."""
    title = Text(one_line(table.title), style="bold") if below is None else None
    part = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for place in places:
        column = table.columns[place]
        heading = Text(one_line(column.heading), justify="right" if column.numeric else "left")
        part.add_column(heading, no_wrap=column.numeric, overflow="fold", width=widths.get(place))
    columns = [_cells(table, place) for place in places]
    for row in zip(*columns, strict=True):
        if below is None or any(cell.plain.strip() not in _NOTHING for cell in row[below:]):
            part.add_row(*row)
    return part


def _cells(table: DataTable, place: int) -> list[Text]:
    """The cells of a column; numbers are padded here, since rich would push a star below the digits."""
    cells = [row[place] for row in table.rows]
    if not table.columns[place].numeric:
        return [_text(cell) for cell in cells]
    starred = any(cell.best for cell in cells)
    widths = [cell_len(one_line(cell.text)) for cell in cells]
    room = _longest(table, place) - (len(BEST) + 1) * starred
    padded = zip(cells, widths, strict=True)
    return [Text(" " * max(0, room - width)).append_text(_text(cell)) for cell, width in padded]


def _text(cell: Cell) -> Text:
    text = Text(one_line(cell.text), style="bold" if cell.best else "")
    return text.append(f" {BEST}") if cell.best else text
