"""argus bench: a sweep of solvers and conditions, run and graded."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.cli.options import AsJson

if TYPE_CHECKING:
    from grader.protocol.state import RunState
    from grader.sweep import Sweep, SweepState


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
    from grader.sweep import load_sweep, look, run_sweep

    sweep = load_sweep(file)
    if state:
        made = look(sweep)
    else:
        with _live(sweep) as progress:
            made = run_sweep(sweep, progress)
    if as_json:
        typer.echo(json.dumps(made.as_json(sweep), ensure_ascii=False, indent=2))
    else:
        _print(sweep, made)
    for note in made.notes(sweep):
        typer.echo(note, err=True)
    if not made.complete:
        raise typer.Exit(3)


def _print(sweep: Sweep, made: SweepState) -> None:
    from rich.console import Console

    from grader.render.sweep import cells_table, gaps_table

    console = Console() if Console().is_terminal else Console(width=200)
    console.print(cells_table(_title(sweep), made.by_name(sweep), made.scores))
    if made.scores:
        console.print(gaps_table(made.scores))


def _title(sweep: Sweep) -> str:
    said = sweep.file.description
    return f"Sweep {sweep.path.stem}" + (f": {said}" if said else "")


@contextmanager
def _live(sweep: Sweep) -> Iterator[Callable[[Sequence[RunState]], None]]:
    """The cells as they fill, on a terminal; nothing in a pipe."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda states: None
        return
    from rich.live import Live

    from grader.render.sweep import cells_table

    names = [request.solver.name for request in sweep.requests]
    with Live(console=console, transient=True, refresh_per_second=4) as live:

        def told(states: Sequence[RunState]) -> None:
            live.update(cells_table(_title(sweep), dict(zip(names, states, strict=True)), []))

        yield told
