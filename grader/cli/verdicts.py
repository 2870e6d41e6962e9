"""argus verdicts: every finding and verdict as a line of JSON."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Annotated

import typer

from grader.cli.options import ArchiveUrl, Mode, Model, Point, Protocol, Run, Sample


def verdicts(
    archive: ArchiveUrl = None,
    run: Run = None,
    model: Model = None,
    protocol: Protocol = None,
    mode: Mode = None,
    sample: Sample = None,
    problem: Annotated[
        str | None, typer.Option("--problem", help="Only this problem.", show_default=False)
    ] = None,
    sub: Annotated[
        str | None, typer.Option("--sub", help="Only this subquestion.", show_default=False)
    ] = None,
    point: Point = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            help="Only this track or marker: formal, formal:quantity, judge:CARD, human:NAME.",
            show_default=False,
        ),
    ] = None,
    status: Annotated[
        str | None,
        typer.Option("--status", help="Only met, not_met, partial or undetermined.", show_default=False),
    ] = None,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="One JSON object a line (the only format).")] = True,
) -> None:
    """Stream every finding and verdict of the archive, one line each; 'standing' marks those that count."""
    from grader.archive.read import Filters
    from grader.archive.store import open_archive

    filters = Filters(run, model, protocol, mode, sample, problem, sub, point, status, by)
    with open_archive(archive, create=False) as opened, suppress(BrokenPipeError):  # `| head` is no mistake
        for line in opened.lines(filters):
            typer.echo(json.dumps(line, ensure_ascii=False))
