"""argus report: what a graded archive says, and how sure it is."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.cli.giving import put
from grader.cli.options import ArchiveUrl

if TYPE_CHECKING:
    from grader.report.formats import Format
    from grader.report.making import MadeReport

_CI = "Thresholds"


class _Format(StrEnum):
    TERMINAL = "terminal"
    MARKDOWN = "markdown"
    LATEX = "latex"
    HTML = "html"
    JSON = "json"


class _GapNames(StrEnum):
    ARGUS = "argus"
    PAPER = "paper"


def report(
    runs: Annotated[
        list[str] | None,
        typer.Argument(metavar="RUN", help="Runs by name or digest. Default: all of the archive."),
    ] = None,
    archive: ArchiveUrl = None,
    section: Annotated[
        list[str] | None,
        typer.Option("--section", metavar="NAME", help="Only this section; may be repeated."),
    ] = None,
    form: Annotated[_Format, typer.Option("--format", help="How it is written.")] = _Format.TERMINAL,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write it there.", show_default=False)
    ] = None,
    full: Annotated[
        Path | None,
        typer.Option(
            "--full", metavar="DIR", help="Write a page a problem, down to the request.", show_default=False
        ),
    ] = None,
    public: Annotated[
        bool,
        typer.Option("--public", help="Leave out rubrics, standard results and what judges saw and said."),
    ] = False,
    frames: Annotated[
        Path | None,
        typer.Option("--frames", metavar="DIR", help="Write the tables behind it.", show_default=False),
    ] = None,
    gap_names: Annotated[
        _GapNames, typer.Option("--gap-names", help="paper: as section 3.3 of the ChemArgus paper has them.")
    ] = _GapNames.ARGUS,
    level: Annotated[
        float, typer.Option("--level", min=0.5, max=0.999, help="The level of intervals.")
    ] = 0.95,
    seed: Annotated[int, typer.Option("--seed", help="Of the bootstrap, in JSON.")] = 0,
    compare: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--compare",
            metavar="A B",
            help="Two models, or two runs: B minus A.",
            show_default=False,
            rich_help_panel=_CI,
        ),
    ] = None,
    fail_under: Annotated[
        float | None,
        typer.Option(
            "--fail-under",
            metavar="X",
            min=0,
            max=100,
            help="Exit 4 if a score is below X per cent, by its lower bound while points are open.",
            show_default=False,
            rich_help_panel=_CI,
        ),
    ] = None,
    fail_if_worse: Annotated[
        bool,
        typer.Option(
            "--fail-if-worse",
            help="With --compare: exit 4 if there is evidence that B is worse, 3 if open points decide.",
            rich_help_panel=_CI,
        ),
    ] = False,
) -> None:
    """Report what graded runs say: scores, ranks, gaps, where chains broke, and how sure all of it is.

    Exit 4 if a threshold that was asked for fails.
    """
    from grader.report.extra import require_extra

    require_extra()
    from grader.archive.store import open_archive
    from grader.report.document import Options
    from grader.report.making import ReportRequest, make_report

    pages = full is not None and out is None  # a report elsewhere can't lead to them
    request = ReportRequest(
        runs=runs or (),
        sections=section or (),
        deep=form is _Format.HTML or full is not None,
        compare=compare,
        fail_under=fail_under,
        fail_if_worse=fail_if_worse,
        options=Options(level, seed, gap_names is _GapNames.PAPER, public, pages),
    )
    with open_archive(archive, create=False) as opened:
        made = make_report(opened, request)
        if full is not None:
            from grader.render.words import counted
            from grader.report.full.site import write_site

            pages_of = counted(write_site(opened, made, full), "page")
            typer.echo(f"{pages_of} of problems and {full / 'index.html'} are written", err=True)
        if frames is not None:
            from grader.report.export import export_frames

            files = export_frames(made.frames, frames, public=public)
            typer.echo(f"{files} files of tables are written to {frames}", err=True)
    if out is not None or full is None:
        _give(made, form.value, out)
    _finish(made)


def _give(made: MadeReport, form: Format, out: Path | None) -> None:
    """Print it, or write it to a file."""
    from grader.report.formats import print_report, written

    show = (lambda console: print_report(made.report, console)) if form == "terminal" else None
    put("report", lambda: written(made.report, form, made.frames), show, out)


def _finish(made: MadeReport) -> None:
    """Say whether the thresholds hold, and exit accordingly."""
    from grader.render.plain import one_line

    for check in made.checks:
        for line in check.lines:
            typer.echo(one_line(f"{check.what}: {line}"), err=True)
    if made.exit_code:
        raise typer.Exit(made.exit_code)
