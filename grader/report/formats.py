"""A report as text for a terminal, as Markdown, LaTeX, JSON or one HTML page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from grader.render.tables import markdown_text, to_latex, to_markdown, to_terminal
from grader.report.document import Levels, Report

if TYPE_CHECKING:
    from rich.console import Console

Format = Literal["terminal", "markdown", "latex", "html", "json"]
WIDTH = 100
"""Characters of a terminal's line where there is no terminal."""


def print_report(report: Report, console: Console) -> None:
    """The report on a terminal, in the width that it has."""
    from rich.table import Table
    from rich.text import Text

    from grader.render.plain import one_line

    summary = Table.grid(padding=(0, 1))
    for sentence in report.summary:
        summary.add_row("-", Text(one_line(sentence)))
    console.print(summary)
    for section in report.sections:
        for paragraph in section.text:
            console.print()
            console.print(Text(one_line(paragraph)))
        for table in section.tables:
            console.print()
            console.print(to_terminal(table))


def terminal_text(report: Report, width: int = WIDTH) -> str:
    """The same as text without colours."""
    from io import StringIO

    from rich.console import Console

    out = StringIO()
    print_report(report, Console(file=out, width=width, color_system=None, force_terminal=False))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def markdown(report: Report) -> str:
    """The report as Markdown."""
    return "\n".join(_markdown(report))


def _markdown(report: Report) -> Iterator[str]:
    yield f"# {markdown_text(report.title)}\n"
    yield from (f"- {markdown_text(sentence)}" for sentence in report.summary)
    for section in report.sections:
        yield f"\n## {markdown_text(section.title)}\n"
        yield from (f"{markdown_text(paragraph)}\n" for paragraph in section.text)
        yield "\n".join(map(to_markdown, section.tables)).rstrip("\n")
    yield ""


def latex(report: Report) -> str:
    """The tables of the report for a paper."""
    return "\n".join(to_latex(table) for section in report.sections for table in section.tables)


def as_json(report: Report) -> str:
    """The report as JSON, documented in docs/output.md."""
    return json.dumps(report.as_json(), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def written(report: Report, form: Format, levels: Levels) -> str:
    """The report as text in that format; ``levels`` are the frames that it is of."""
    if form == "html":
        from grader.report.page import report_page

        return report_page(report, levels)
    writers = {"terminal": terminal_text, "markdown": markdown, "latex": latex, "json": as_json}
    return writers[form](report)
