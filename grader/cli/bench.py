"""argus bench: a sweep of solvers and conditions, run and graded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.cli.options import AsJson
from grader.cli.screen import live, screen

if TYPE_CHECKING:
    from rich.table import Table

    from grader.sweep import SweepState


def bench(
    file: Annotated[Path, typer.Argument(metavar="SWEEP", help="A sweep.toml.", show_default=False)],
    state: Annotated[
        bool, typer.Option("--state", help="Ask nobody: show how far each cell is.", show_default=False)
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Run and grade every solver of a sweep under every condition, as far as it isn't done yet.

    One purse pays solvers, reader and judge. The same command goes on after an
    interruption. Exit 3 if answers are missing or points are undetermined.
    """
    from grader.render.plain import plain
    from grader.sweep import load_sweep, look, run_sweep

    sweep = load_sweep(file)
    if state:
        made = look(sweep)
    else:
        with live(_cells) as progress:
            made = run_sweep(sweep, progress)
    if as_json:
        typer.echo(json.dumps(made.as_json(), ensure_ascii=False, indent=2))
    else:
        _print(made)
    for note in made.notes():
        typer.echo(plain(note), err=True)
    for failure in made.failures[:10]:
        typer.echo(f"bug: a check failed on an answer: {failure}", err=True)
    if made.failures:
        raise typer.Exit(1)
    if not made.complete:
        raise typer.Exit(3)


def _print(made: SweepState) -> None:
    from grader.sweep.tables import gap_tables

    console = screen()
    console.print(_cells(made))
    for table in gap_tables(made.sweep.title, made.ladders(), made.provisional):
        console.print()
        console.print(table)


def _cells(made: SweepState) -> Table:
    from grader.sweep.tables import cells_table, paid_line

    return cells_table(made.sweep.title, list(made.rows()), made.doing or paid_line(made))
