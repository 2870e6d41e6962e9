"""The command ``argus``: one thin module for each command, no logic.

Nothing heavy is imported here: a command imports what it needs when it runs,
so that ``argus --help`` is instant.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from grader import __version__
from grader.cli import check, grade, problems, trace, verdicts
from grader.errors import ArgusError

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


app.command("grade")(grade.grade)
app.command("check")(check.check)
app.command("trace")(trace.trace)
app.command("verdicts")(verdicts.verdicts)
app.add_typer(problems.app, name="problems")


def main() -> None:
    """Run ``argus``; a user's mistake ends in one line a fault and exit 2, Ctrl-C in exit 130."""
    try:
        app()
    except ArgusError as error:
        for fault in error.faults:
            print(f"argus: {fault}", file=sys.stderr)  # noqa: T201
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        print("argus: interrupted; what was done is kept, run the same command to go on", file=sys.stderr)  # noqa: T201
        sys.exit(130)
    except BrokenPipeError:
        # the reader of our output has gone (as in `argus verdicts | head`): nothing is wrong
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
