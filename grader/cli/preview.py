"""argus grade --preview: what another set or another judge would change."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from grader.cli.options import price_of

if TYPE_CHECKING:
    from grader.grade.pipeline import Progress
    from grader.grade.preview import Preview


@dataclass(frozen=True)
class Wanted:
    """What was typed."""

    run: Path
    target: str
    """A problem set or a judge card."""
    problems: Path | None
    judge: str | None
    price: str | None
    archive: str | None
    keep_going: bool
    workers: int | None
    as_json: bool


def show_preview(wanted: Wanted, progress: AbstractContextManager[Progress | None]) -> None:
    """Print what would change; exit 1 if a check failed on an answer."""
    from grader.archive.store import open_archive
    from grader.grade.preview import preview
    from grader.grade.preview_target import requested

    price = price_of(wanted.price)
    with open_archive(wanted.archive, create=False) as opened, progress as told:
        named = (wanted.target, wanted.problems, wanted.judge)
        request = requested(
            wanted.run, opened, *named, price=price, keep_going=wanted.keep_going, workers=wanted.workers
        )
        found = preview(request, opened, told)
    if wanted.as_json:
        typer.echo(json.dumps(found.as_json(), ensure_ascii=False, indent=2))
    else:
        _print(found)
    for failure in found.result.failures[:10]:
        typer.echo(f"bug: a check failed on an answer: {failure}", err=True)
    if found.result.failures:
        raise typer.Exit(1)


def _print(found: Preview) -> None:
    from rich.console import Console

    from grader.render.preview import preview_report

    # in a pipe there is no width to fit
    console = Console() if Console().is_terminal else Console(width=200)
    for part in preview_report(found.as_json()):
        console.print(part)
        if not isinstance(part, str):
            console.print()
