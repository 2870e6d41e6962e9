"""Where the page of an audit goes: a terminal, a pipe or a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from grader.errors import SetupError

if TYPE_CHECKING:
    from grader.audit.document import Document
    from grader.audit.formats import Format


def give(document: Document, form: Format, out: Path | None) -> None:
    """Print it, or write it to a file; SetupError where that can't be written."""
    from rich.console import Console

    from grader.audit.formats import print_document, written

    console = Console()
    if out is None and form == "terminal" and console.is_terminal:
        print_document(document, console)
        return
    text = written(document, form)
    if out is None:
        typer.echo(text, nl=False)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise SetupError("the page can't be written", file=str(out), got=error.strerror) from error
