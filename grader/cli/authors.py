"""argus problems gate, argus problems analyze: what authors learn from reviews and graded runs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grader.cli.options import ArchiveUrl, AsJson
from grader.cli.problems import SetPath, app

if TYPE_CHECKING:
    from rich.console import Console

_GATES = "Thresholds, above those of gate.toml"


def _wanted(name: str, text: str, metavar: str = "N", **limits: Any) -> Any:
    return typer.Option(
        name, metavar=metavar, help=text, show_default=False, rich_help_panel=_GATES, **limits
    )


@app.command()
def gate(
    path: SetPath,
    archive: ArchiveUrl = None,
    reviews: Annotated[int | None, _wanted("--reviews", "Reviewers who accept it.", min=0)] = None,
    probes: Annotated[int | None, _wanted("--probes", "Models that were tried on it.", min=0)] = None,
    probe_score: Annotated[
        float | None, _wanted("--probe-score", "The most each of them earns.", "SHARE", min=0, max=1)
    ] = None,
    pilots: Annotated[int | None, _wanted("--pilots", "Students who answered it.", min=0)] = None,
    pilot_low: Annotated[
        float | None, _wanted("--pilot-low", "The least they earn in the mean.", "SHARE", min=0, max=1)
    ] = None,
    pilot_high: Annotated[
        float | None, _wanted("--pilot-high", "The most they earn in the mean.", "SHARE", min=0, max=1)
    ] = None,
    pilot_minutes: Annotated[
        float | None, _wanted("--pilot-minutes", "The most they need in the mean.", "MINUTES")
    ] = None,
    require: Annotated[bool, typer.Option("--require", help="Exit 4 if any problem lacks anything.")] = False,
    as_json: AsJson = False,
) -> None:
    """Say what each problem of a set still lacks: expert reviews, models that fail, students who don't.

    Reviews and runs stand in the set's signoff.jsonl; scores come from the archive.
    """
    from grader.problem.set import load_set
    from grader.problem.signoff import read_signoff
    from grader.report.gate import gate_report

    thresholds = {
        "reviews": reviews,
        "probes": probes,
        "probe_score": probe_score,
        "pilots": pilots,
        "pilot_low": pilot_low,
        "pilot_high": pilot_high,
        "pilot_minutes": pilot_minutes,
    }
    problems = load_set(path)
    given = {name: value for name, value in thresholds.items() if value is not None}
    report = gate_report(problems, read_signoff(problems, given), archive)
    found = report.as_json()
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        _print_gate(found)
    for signed in report.runs:
        if signed.why is not None:
            typer.echo(f"note: the {signed.gate} {signed.named} counts nowhere: {signed.why}", err=True)
    if require and report.passed < len(report.problems):
        raise typer.Exit(4)


@app.command()
def analyze(
    path: SetPath,
    archive: ArchiveUrl = None,
    runs: Annotated[
        list[str] | None,
        typer.Option("--run", metavar="NAME", help="Only this run, by name or digest; may be repeated."),
    ] = None,
    level: Annotated[float, typer.Option("--level", min=0.5, max=0.999, help="Of the intervals.")] = 0.95,
    as_json: AsJson = False,
) -> None:
    """Say how hard the items of a set are, and which of them don't do their work.

    From all runs of the archive that were graded on the set as it is.
    """
    from grader.archive.store import open_archive
    from grader.problem.set import load_set
    from grader.report.authors import analyze as analyze_set

    problems = load_set(path)
    with open_archive(archive, create=False) as opened:
        found = analyze_set(problems, opened, runs or (), level=level).as_json()
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        _print_analysis(found)
    for name in found["outdated"]:
        typer.echo(f"note: {name} was graded on another content of the set and is left out", err=True)
    if found["unanswered"]:
        listed = ", ".join(one["sub_id"] for one in found["unanswered"][:5])
        typer.echo(f"note: {len(found['unanswered'])} subquestions have no answer: {listed}", err=True)


def _print_analysis(found: dict[str, Any]) -> None:
    from grader.render.analyze import analysis_tables
    from grader.render.tables import to_terminal

    console = _console()
    for place, table in enumerate(analysis_tables(found)):
        if place:
            console.print()
        console.print(to_terminal(table))


def _print_gate(found: dict[str, Any]) -> None:
    from grader.render.gate import gate_table
    from grader.render.tables import to_terminal

    _console().print(to_terminal(gate_table(found)))
    typer.echo(f"{found['passed']} of {len(found['problems'])} problems lack nothing")


def _console() -> Console:
    from rich.console import Console

    # in a pipe there is no width to fit
    return Console() if Console().is_terminal else Console(width=200)
