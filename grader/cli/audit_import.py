"""argus audit import: audits of marks that others gave, without an archive."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.options import AsJson
from grader.errors import UsageError


class _Format(StrEnum):
    TERMINAL = "terminal"
    MARKDOWN = "md"
    HTML = "html"
    JSON = "json"


def import_marks(
    table: Annotated[
        Path,
        typer.Argument(
            metavar="TABLE",
            help="CSV, JSON, JSON lines or Parquet: a row a rating (item, problem, rater, kind, value, run), "
            "or one of the shapes in docs/imported-marks.md.",
            show_default=False,
        ),
    ],
    judge: Annotated[
        list[str] | None,
        typer.Option("--judge", metavar="NAME", help="Only this judge; may be repeated.", show_default=False),
    ] = None,
    form: Annotated[_Format, typer.Option("--format", help="How it is written.")] = _Format.TERMINAL,
    as_json: AsJson = False,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write it there.", show_default=False)
    ] = None,
    level: Annotated[float, typer.Option("--level", metavar="SHARE", help="The level of intervals.")] = 0.95,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of resampling.")] = 0,
) -> None:
    """Audit judges on other people's marks: agreement and its ceiling, leniency, repeats, panel, people."""
    from grader.audit.extra import require_extra

    require_extra()
    from grader.audit.asking_for import check_level
    from grader.audit.imported.page import imported_page
    from grader.audit.imported.reading import read_marks
    from grader.cli.giving import give, require_place

    if as_json and form not in (_Format.TERMINAL, _Format.JSON):
        raise UsageError("--json and --format ask for two formats", got=f"--json and {form.value}")
    check_level(level)
    require_place(out)
    page = imported_page(read_marks(table), judge or (), level=level, seed=seed)
    give(page, "json" if as_json else form.value, out)
