"""The command ``argus``: one thin module for each command, no logic.

Nothing heavy is imported here: a command's module is imported when the command
is typed, and imports what it needs when it runs, so that ``argus --help`` is
instant. All commands: ``grader.cli.commands``.
"""

from __future__ import annotations

import errno
import io
import sys
from typing import Annotated

import typer

from grader import __version__
from grader.cli.commands import Commands
from grader.errors import ArgusError

INTERRUPTED = 130
"""Typer's exit code after Ctrl-C."""

app = typer.Typer(
    name="argus",
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"argus {__version__}")
        raise typer.Exit


@app.callback()
def _argus(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Grade chemistry solution chains by rubric: where a chain broke, why, and who says so."""


def main() -> None:
    """Run ``argus``; a user's mistake ends in one line a fault and exit 2, Ctrl-C in exit 130."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # chemistry is printed on a Latin-1 terminal, too
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except ArgusError as error:
        for fault in error.faults:
            typer.echo(f"argus: {fault}", err=True)
        sys.exit(error.exit_code)
    except SystemExit as ended:
        if ended.code == INTERRUPTED:
            typer.echo("argus: interrupted; what was done is kept, run the same command to go on", err=True)
        raise
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        typer.echo("argus: there is no room for what this command prints", err=True)
        sys.stdout = None  # what it still holds can't be written either
        sys.exit(ArgusError.exit_code)
