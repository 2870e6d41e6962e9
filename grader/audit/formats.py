"""An audit's page as text for a terminal, as Markdown, as one HTML page, as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from grader.audit.document import SCHEMA_VERSION, Document
from grader.render.tables import markdown_text, to_html, to_markdown, to_terminal

if TYPE_CHECKING:
    from rich.console import Console

Format = Literal["terminal", "md", "html", "json"]
WIDTH = 100
"""Characters of a terminal's line where there is no terminal."""


def written(document: Document, form: Format, width: int = WIDTH) -> str:
    """The page as text in that format."""
    if form == "terminal":
        return terminal_text(document, width)
    return {"md": markdown, "html": html_page, "json": as_json}[form](document)


def print_document(document: Document, console: Console) -> None:
    """The page on a terminal, in the width that it has."""
    from rich.text import Text

    console.print(Text(_line(document.title), style="bold"))
    for warning in document.warnings:
        console.print(Text(_line(warning), style="bold yellow"))
    _listed(console, document.says)
    for part in document.parts:
        console.print()
        console.rule(Text(_line(part.title), style="bold"), align="left", characters="─")
        for paragraph in part.text:
            console.print(Text(_line(paragraph)))
        _listed(console, part.says)
        for table in part.tables:
            console.print()
            console.print(to_terminal(table))
        for table in part.folded:
            found = f"{_line(table.title)}: {len(table.rows)}, listed in the other formats"
            console.print(Text(found, style="dim"))


def _listed(console: Console, sentences: tuple[str, ...]) -> None:
    from rich.table import Table
    from rich.text import Text

    if not sentences:
        return
    grid = Table.grid(padding=(0, 1))
    for sentence in sentences:
        grid.add_row("-", Text(_line(sentence)))
    console.print(grid)


def _line(text: str) -> str:
    from grader.render.plain import one_line

    return one_line(text)


def terminal_text(document: Document, width: int = WIDTH) -> str:
    """The same as text without colours."""
    from io import StringIO

    from rich.console import Console

    out = StringIO()
    print_document(document, Console(file=out, width=width, color_system=None, force_terminal=False))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def markdown(document: Document) -> str:
    """The page as Markdown."""
    return "\n".join(_markdown(document)).rstrip("\n") + "\n"


def _markdown(document: Document) -> Iterator[str]:
    yield f"# {markdown_text(document.title)}\n"
    yield from (f"**{markdown_text(warning)}**\n" for warning in document.warnings)
    yield from _items(document.says)
    for part in document.parts:
        yield f"## {markdown_text(part.title)}\n"
        yield from (f"{markdown_text(paragraph)}\n" for paragraph in part.text)
        yield from _items(part.says)
        yield from map(to_markdown, (*part.tables, *part.folded))


def _items(sentences: tuple[str, ...]) -> Iterator[str]:
    yield from (f"- {markdown_text(sentence)}" for sentence in sentences)
    if sentences:
        yield ""


def html_page(document: Document) -> str:
    """One page without script, with nothing to load."""
    from grader.render.page import page

    parts = [
        {
            "key": f"part-{part.key}",
            "title": part.title,
            "says": part.says,
            "text": part.text,
            "tables": [to_html(table) for table in part.tables],
            "folded": [(table.title, len(table.rows), to_html(table)) for table in part.folded],
        }
        for part in document.parts
    ]
    links = [(part["title"], f"#{part['key']}") for part in parts]
    return page(
        "audit.html",
        title=document.title,
        links=links,
        warnings=document.warnings,
        says=document.says,
        parts=parts,
    )


def as_json(document: Document) -> str:
    """The numbers as JSON, unrounded but for the dust of sums; documented in docs/output.md."""
    body = {"schema_version": SCHEMA_VERSION, **document.data}
    return json.dumps(body, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
