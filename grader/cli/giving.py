"""Where a page goes: a terminal, a pipe or a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from grader.errors import SetupError

if TYPE_CHECKING:
    from rich.console import Console

    from grader.audit.document import Document
    from grader.audit.formats import Format


def give(document: Document, form: Format, out: Path | None) -> None:
    """Print an audit's page, or write it to a file; SetupError where that can't be written."""
    from grader.audit.formats import print_document, written

    show = (lambda console: print_document(document, console)) if form == "terminal" else None
    put("page", lambda: written(document, form), show, out)


def require_place(out: Path | None) -> None:
    """SetupError where a file can't be put, before a long calculation and not after it."""
    if out is not None and (out.is_dir() or not out.absolute().parent.is_dir()):
        got = "a folder" if out.is_dir() else "no such folder"
        raise SetupError("the page can't be written", file=str(out), got=got, expected="a file in a folder")


def put(what: str, text: Callable[[], str], show: Callable[[Console], None] | None, out: Path | None) -> None:
    """Print a text, or write it to a file; ``show`` prints it where there is a terminal.

    SetupError where the file can't be written.
    """
    from rich.console import Console

    console = Console()
    if out is None and show is not None and console.is_terminal:
        show(console)
        return
    if out is None:
        typer.echo(text(), nl=False)
        return
    try:
        out.write_text(text(), encoding="utf-8")
    except OSError as error:
        raise SetupError(f"the {what} can't be written", file=str(out), got=error.strerror) from error
