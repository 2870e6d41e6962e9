"""argus grade: a run into findings, verdicts and scores."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grader.cli.options import ArchiveUrl, AsJson, ProblemsPath

if TYPE_CHECKING:
    from grader.grade import GradeResult
    from grader.grade.pipeline import Progress


def grade(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The run.jsonl to grade.", show_default=False)],
    problems: ProblemsPath = None,
    archive: ArchiveUrl = None,
    marks: Annotated[
        list[Path] | None,
        typer.Option("--marks", metavar="FILE", help="Human marks, JSONL or CSV; may be repeated."),
    ] = None,
    regrade: Annotated[bool, typer.Option("--regrade", help="Decide again what is decided.")] = False,
    keep_going: Annotated[
        bool, typer.Option("--keep-going", help="Skip broken lines of the run instead of stopping.")
    ] = False,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers", min=1, help="Processes that decide checks. Default: one a core.", show_default=False
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Grade a run: decide its formal points, take human marks, and add up what each model earned.

    The problem set is the one given by --problems, else the one the run's
    header names, else the folder the run lies in. Grading again decides only
    what is missing or has changed.

    Exit 3 if points are undetermined or lines were skipped.
    """
    from grader.archive.store import open_archive
    from grader.grade import GradeRequest
    from grader.grade import grade as grade_run
    from grader.grade.problems import problems_of

    request = GradeRequest(
        run=run,
        problems=problems_of(run, problems),
        marks=marks or (),
        regrade=regrade,
        keep_going=keep_going,
        workers=workers,
    )
    with open_archive(archive) as opened, _progress() as progress:
        result = grade_run(request, opened, progress)
    if as_json:
        typer.echo(json.dumps(_as_json(result), ensure_ascii=False, indent=2))
    else:
        _print(result)
    _finish(result)


@contextmanager
def _progress() -> Iterator[Progress | None]:
    """A progress bar on a terminal, nothing in a pipe."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    from rich.progress import Progress as Bar

    with Bar(console=console, transient=True) as bar:
        task = bar.add_task("grading", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _as_json(result: GradeResult) -> dict[str, Any]:
    return {**result.summary, "computed": result.computed, "new_marks": result.marks}


def _print(result: GradeResult) -> None:
    from rich.console import Console

    from grader.render.scores import score_table

    # in a pipe there is no width to fit
    console = Console() if Console().is_terminal else Console(width=200)
    console.print(score_table(result.summary))


def _finish(result: GradeResult) -> None:
    """Say on stderr what needs a person's attention, and exit accordingly."""
    summary = result.summary
    for name, line in summary["notes"].items():
        typer.echo(
            f"note: field '{name}' (line {line}) is not part of the format: kept, not graded", err=True
        )
    for fault in summary["skipped"]:
        typer.echo(f"skipped: {fault['file']}:{fault['line']}: {fault['what']}", err=True)
    if summary["stale_marks"]:
        typer.echo(
            f"note: {summary['stale_marks']} human marks no longer count: "
            "they were given to an earlier rubric or answer",
            err=True,
        )
    by_reason = {entry["reason"]: entry["points"] for entry in summary["undetermined"]}
    if by_reason:
        listed = ", ".join(f"{points} {reason}" for reason, points in by_reason.items())
        typer.echo(
            f"{sum(by_reason.values())} points are undetermined ({listed}): add human marks by --marks FILE; "
            "there is no judge yet that --judge could name",
            err=True,
        )
    if result.failures:
        for failure in result.failures[:10]:
            typer.echo(f"bug: a check failed on an answer: {failure}", err=True)
        raise typer.Exit(1)
    if by_reason or summary["skipped"]:
        raise typer.Exit(3)
