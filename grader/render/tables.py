"""Tables of a report: one data model, four renderings, nothing from outside able to break any of them.

Numbers come as texts from whoever makes the cells. The best value of a metric
is bold and carries a star, so that it is seen without colour and without bold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from grader.render.plain import one_line

if TYPE_CHECKING:
    from markupsafe import Markup
    from rich.console import RenderableType

BEST = "★"
_KEY = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
_INSIDE = re.compile(r"(?![/\\])[^\x00-\x1f\\:]+|#[^\x00-\x1f\\]*")


@dataclass(frozen=True, slots=True)
class Column:
    """A column; ``numeric`` ones stand at the right and never fold."""

    heading: str
    numeric: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell's text; whether it is the best of its metric; a link within the report; what the text means."""

    text: str
    best: bool = False
    href: str | None = None
    title: str | None = None


@dataclass(frozen=True, slots=True)
class DataTable:
    """A table with its title and the notes below it; ``key`` names it in links, labels and files.

    The first column names the row. Raises ValueError for a key that isn't
    lower-case words joined by ``-`` or ``_``, and for a row of another width.
    """

    key: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not _KEY.fullmatch(self.key):
            raise ValueError(f"a table's key is lower-case words, not {self.key!r}")
        for number, row in enumerate(self.rows):
            if len(row) != len(self.columns):
                raise ValueError(f"row {number} of {self.key} has {len(row)} cells, not {len(self.columns)}")


def inside(href: str | None) -> str | None:
    """A link that stays within the report: relative or a fragment, percent-encoded; else None."""
    if href is None or not _INSIDE.fullmatch(href):
        return None
    return quote(href, safe="/#%?&=~@!$*+,;:-._", errors="replace")


def starred(table: DataTable) -> bool:
    """Whether any cell is the best of its metric."""
    return any(cell.best for row in table.rows for cell in row)


def shown_notes(table: DataTable) -> tuple[str, ...]:
    """The notes below a table, with what the star means where there is one."""
    notes = tuple(map(one_line, table.notes))
    return (f"{BEST} best of its metric", *notes) if starred(table) else notes


def to_terminal(table: DataTable) -> RenderableType:
    """For rich: numbers stay whole, names fold, and what is too wide continues below under the same names."""
    from grader.render.tables_terminal import Folded

    return Folded(table)


def to_html(table: DataTable) -> Markup:
    """A group that scrolls by keyboard, its table with caption and scopes, the notes below."""
    from markupsafe import Markup

    from grader.render.page import page

    return Markup(page("table.html", table=table, notes=shown_notes(table), inside=inside, best=BEST))


# Markdown

_MARKDOWN = re.compile(r"[\\`*_\[\]<>#~|$@!{}]|&(?=[#A-Za-z])|(?<=www)\.|:(?=//)")


def markdown_text(text: str) -> str:
    """A text as one line of GitHub Markdown in which nothing is markup."""
    return _MARKDOWN.sub(_markdown_escape, one_line(text))


def _markdown_escape(found: re.Match[str]) -> str:
    # a backslash before a pipe is read in two ways, so a backslash is written as an entity
    return {"\\": "&#92;", "<": "&lt;", "&": "&amp;", "@": "&#64;"}.get(found[0], f"\\{found[0]}")


def to_markdown(table: DataTable) -> str:
    """A pipe table as GitHub reads it, its columns aligned in the source too; the notes as a list."""
    from rich.cells import cell_len

    head = [markdown_text(column.heading) for column in table.columns]
    lines = [head, *([_markdown_cell(cell) for cell in row] for row in table.rows)]
    widths = [max(3, *(cell_len(line[place]) for line in lines)) for place in range(len(head))]
    rule = [
        "-" * (width - 1) + ":" if column.numeric else "-" * width
        for column, width in zip(table.columns, widths, strict=True)
    ]
    body = (_markdown_row(line, table.columns, widths) for line in [head, rule, *lines[1:]])
    notes = [f"- {markdown_text(note)}" for note in shown_notes(table)]
    parts = [f"**{markdown_text(table.title)}**", "\n".join(body), "\n".join(notes)]
    return "\n\n".join(filter(None, parts)) + "\n"


def _markdown_row(texts: Sequence[str], columns: Sequence[Column], widths: Sequence[int]) -> str:
    from rich.cells import cell_len

    padded = (
        " " * (width - cell_len(text)) + text if column.numeric else text + " " * (width - cell_len(text))
        for text, column, width in zip(texts, columns, widths, strict=True)
    )
    return f"| {' | '.join(padded)} |"


def _markdown_cell(cell: Cell) -> str:
    text = markdown_text(cell.text)
    if text and (href := inside(cell.href)):
        text = f"[{text}](<{href}>)"
    return f"**{text}** {BEST}" if cell.best and text else text


# LaTeX


def to_latex(table: DataTable) -> str:
    """A ``table`` for booktabs, its caption above, the best in bold, the notes below in small print."""
    return "\n".join(_latex_lines(table)) + "\n"


def _latex_lines(table: DataTable) -> Iterator[str]:
    from grader.render.tables_latex import latex_text

    yield r"% needs \usepackage{booktabs}"
    yield r"\begin{table}[htbp]"
    yield r"\centering"
    yield rf"\caption{{{latex_text(table.title)}}}"
    yield rf"\label{{tab:{table.key}}}"
    yield rf"\begin{{tabular}}{{{''.join('r' if column.numeric else 'l' for column in table.columns)}}}"
    yield r"\toprule"
    yield " & ".join(latex_text(column.heading) for column in table.columns) + r" \\"
    yield r"\midrule"
    for row in table.rows:
        yield " & ".join(_latex_cell(latex_text(cell.text), cell.best) for cell in row) + r" \\"
    yield r"\bottomrule"
    yield r"\end{tabular}"
    for note in map(one_line, table.notes):
        yield rf"\par\smallskip{{\footnotesize {latex_text(note)}\par}}"
    yield r"\end{table}"


def _latex_cell(text: str, best: bool) -> str:
    return rf"\textbf{{{text}}}" if best else text
