"""The command ``argus``: one thin module for each command, no logic.

Nothing heavy is imported here: a command imports what it needs when it runs,
so that ``argus --help`` is instant.
"""

from __future__ import annotations

import errno
import io
import sys
from typing import Annotated

import typer

from grader import __version__
from grader.cli import (
    authors,
    bench,
    check,
    grade,
    inputs,
    judges,
    problems,
    report,
    review,
    review_files,
    run,
    trace,
    triage,
    verdicts,
)
from grader.errors import ArgusError

INTERRUPTED = 130
"""Typer's exit code after Ctrl-C."""

app = typer.Typer(
    name="argus",
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


app.command("run")(run.run)
app.command("bench")(bench.bench)
app.command("inputs")(inputs.inputs)
app.command("grade")(grade.grade)
app.command("report")(report.report)
app.command("check")(check.check)
app.command("trace")(trace.trace)
app.command("verdicts")(verdicts.verdicts)
app.command("triage")(triage.triage)
problems.app.command("gate")(authors.gate)
problems.app.command("analyze")(authors.analyze)
app.command("dispute")(review_files.dispute)
app.add_typer(review.app, name="review")
app.add_typer(problems.app, name="problems")
app.add_typer(judges.app, name="judges")


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
