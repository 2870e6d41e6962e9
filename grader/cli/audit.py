"""argus audit: what a judge, or the formal track, is worth, measured against people."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from grader.cli import audit_calls
from grader.cli.audit_import import import_marks
from grader.cli.options import ArchiveUrl

app = typer.Typer(
    help="Measure a judge, or the formal track: may its numbers be believed?", no_args_is_help=True
)


class _Target(StrEnum):
    BENCHMARK = "benchmark"
    PROBLEMS = "problems"


class _Format(StrEnum):
    TERMINAL = "terminal"
    MARKDOWN = "md"
    HTML = "html"
    JSON = "json"


Runs = Annotated[
    list[str] | None,
    typer.Argument(metavar="RUN", help="Runs by name or digest. Default: all of the archive."),
]
Form = Annotated[_Format, typer.Option("--format", help="How it is written.")]
Out = Annotated[
    Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write it there.", show_default=False)
]
Level = Annotated[float, typer.Option("--level", metavar="SHARE", help="The level of intervals.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Of folds and resampling.")]


@app.command()
def report(
    runs: Runs = None,
    archive: ArchiveUrl = None,
    judge: Annotated[
        str | None,
        typer.Option(
            "--judge",
            metavar="CARD",
            help="A card's name, name@hash or file, or 'formal'. Default: who graded the runs.",
            show_default=False,
        ),
    ] = None,
    suite: Annotated[
        str | None,
        typer.Option(
            "--suite",
            metavar="SUITE",
            help="Only what was asked under this suite. Default: the last asked.",
            show_default=False,
        ),
    ] = None,
    form: Form = _Format.TERMINAL,
    out: Out = None,
    level: Level = 0.95,
    seed: Seed = 0,
    names: Annotated[bool, typer.Option("--names", help="Name the people who marked.")] = False,
) -> None:
    """Print a judge's report card: every audit, what was not audited, and what it may be used for."""
    from grader.audit.extra import require_extra

    require_extra()
    from grader.archive.store import open_archive
    from grader.audit.asking_for import check_level
    from grader.audit.card.collect import report_card
    from grader.audit.card.page import card_page
    from grader.cli.giving import give, require_place

    check_level(level)
    require_place(out)
    with open_archive(archive, create=False) as opened:
        card = report_card(opened, judge, runs or (), suite=suite, level=level, seed=seed, names=names)
    give(card_page(card), form.value, out)


@app.command()
def compare(
    first: Annotated[str, typer.Argument(metavar="JUDGE", help="A card's name, name@hash or file.")],
    second: Annotated[str, typer.Argument(metavar="JUDGE", help="The other.")],
    run: Annotated[
        list[str] | None,
        typer.Option("--run", metavar="NAME", help="Only this run; may be repeated.", show_default=False),
    ] = None,
    archive: ArchiveUrl = None,
    form: Form = _Format.TERMINAL,
    out: Out = None,
    level: Level = 0.95,
    seed: Seed = 0,
) -> None:
    """Compare two judges of the same answers on the same marks: error, leniency, agreement, width."""
    from grader.audit.extra import require_extra

    require_extra()
    from grader.archive.store import open_archive
    from grader.audit.asking_for import check_level
    from grader.audit.comparison import compare as compared
    from grader.audit.comparison_page import comparison_page
    from grader.cli.giving import give, require_place

    check_level(level)
    require_place(out)
    with open_archive(archive, create=False) as opened:
        found = compared(opened, first, second, run or (), level=level, seed=seed)
    give(comparison_page(found), form.value, out)


@app.command()
def budget(
    width: Annotated[
        str, typer.Option("--width", metavar="WIDTH", help="Of the interval, end to end: 2pp or 0.02.")
    ],
    runs: Runs = None,
    archive: ArchiveUrl = None,
    judge: Annotated[
        str | None,
        typer.Option(
            "--judge", metavar="CARD", help="Whose errors: a card, or 'formal'.", show_default=False
        ),
    ] = None,
    cells: Annotated[
        int | None,
        typer.Option("--cells", min=1, help="So many scores. Default: those there are.", show_default=False),
    ] = None,
    error_rate: Annotated[
        float | None,
        typer.Option(
            "--error-rate",
            metavar="SHARE",
            help="Assume so many wrong awards instead of what marks say.",
            show_default=False,
        ),
    ] = None,
    target: Annotated[
        _Target,
        typer.Option("--target", help="The score of this benchmark, or of problems like these."),
    ] = _Target.BENCHMARK,
    form: Form = _Format.TERMINAL,
    out: Out = None,
    level: Level = 0.95,
    seed: Seed = 0,
) -> None:
    """Say how many marks corrected scores take for intervals of a width, and how long marking would take."""
    from grader.audit.extra import require_extra

    require_extra()
    from grader.archive.store import open_archive
    from grader.audit.asking_for import check_level, parsed_width
    from grader.audit.planning import planned
    from grader.audit.planning_page import planning_page
    from grader.cli.giving import give, require_place

    check_level(level)
    require_place(out)
    wanted = parsed_width(width)
    with open_archive(archive, create=False) as opened:
        found = planned(
            opened,
            wanted,
            judge=judge,
            runs=runs or (),
            cells=cells,
            error_rate=error_rate,
            target=target.value,
            level=level,
            seed=seed,
        )
    give(planning_page(found), form.value, out)


app.command("import")(import_marks)
app.command("suites")(audit_calls.suites)
app.command("plan")(audit_calls.plan)
app.command("run")(audit_calls.run)
