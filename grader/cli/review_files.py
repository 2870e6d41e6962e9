"""What of review goes by files: disputes, errata, seeded items, agreement, marking offline, mends."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.cli.options import ArchiveUrl, AsJson
from grader.cli.review import app
from grader.errors import SetupError, UsageError

if TYPE_CHECKING:
    from rich.console import RenderableType


def dispute(
    verdict_id: Annotated[
        str,
        typer.Argument(metavar="VERDICT_ID", help="As `argus verdicts` prints it: finding-12, verdict-45."),
    ],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="What is wrong about it.")],
    by: Annotated[
        str | None,
        typer.Option("--by", metavar="NAME", help="Who disputes it; they don't mark it.", show_default=False),
    ] = None,
    archive: ArchiveUrl = None,
) -> None:
    """Have a finding or a verdict marked again, blindly, by somebody who may settle differences.

    What comes of it is told by `argus trace` and `argus review errata`.
    """
    from grader.archive.store import open_archive
    from grader.review.disputes import dispute as ask_again

    with open_archive(archive, create=False) as opened:
        asked = ask_again(opened, verdict_id, reason, by)
        judges = any(one.adjudicates and one.revoked is None for one in opened.reviewers())
    if not asked.new:
        typer.echo("It was disputed for this reason before.")
        return
    typer.echo(f"{asked.answers} answers wait first in line for an adjudicator's mark.")
    if not judges:
        typer.echo("No adjudicator is invited: argus review invite NAME --adjudicator")


@app.command()
def errata(archive: ArchiveUrl = None) -> None:
    """Print every dispute and what came of it, a line of JSON each."""
    from grader.archive.store import open_archive
    from grader.review.disputes import errata as all_errata

    with open_archive(archive, create=False) as opened, suppress(BrokenPipeError):
        for one in all_errata(opened):
            typer.echo(json.dumps(one.as_json(), ensure_ascii=False))


@app.command()
def gold(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE]...", help="Adjudicated marks, JSONL or CSV as `argus grade --marks`."),
    ] = None,
    from_adjudicated: Annotated[
        int | None,
        typer.Option(
            "--from-adjudicated", metavar="N", min=1, help="Draw N settled answers.", show_default=False
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the draw, and of where they come in.")] = 0,
    archive: ArchiveUrl = None,
) -> None:
    """Mix in answers whose right mark is known, once for everybody invited, to see how reliable marks are."""
    from grader.archive.store import open_archive
    from grader.review.gold import seed_adjudicated, seed_file

    if bool(files) == (from_adjudicated is not None):
        raise UsageError(
            "seeded items come from marks files or from the archive", do="Give FILE, or --from-adjudicated N."
        )
    with open_archive(archive, create=False) as opened:
        if from_adjudicated is not None:
            seeded = seed_adjudicated(opened, from_adjudicated, seed)
        else:
            seeded = seed_file(opened, files or (), seed)
    typer.echo(f"{seeded.answers} answers for {seeded.people} people: {seeded.new} new items.")


@app.command()
def agreement(
    public: Annotated[bool, typer.Option("--public", help="Numbers for names.")] = False,
    as_json: AsJson = False,
    archive: ArchiveUrl = None,
) -> None:
    """Say how far people agree who marked the same answers blindly, and with what is known of seeded ones."""
    from grader.archive.store import open_archive
    from grader.review.agreement import agreement as agree

    with open_archive(archive, create=False) as opened:
        found = agree(opened)
    found = found.public() if public else found
    if as_json:
        typer.echo(json.dumps(found.as_json(), ensure_ascii=False, indent=2))
        return
    from grader.render.review import agreement_tables

    _print(agreement_tables(found.as_json()))


@app.command("export")
def export(
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="A .jsonl or .csv file.")],
    reviewer: Annotated[
        str | None,
        typer.Option("--reviewer", metavar="NAME", help="What this person may mark.", show_default=False),
    ] = None,
    marks: Annotated[bool, typer.Option("--marks", help="Every mark that was given, with names.")] = False,
    archive: ArchiveUrl = None,
) -> None:
    """Fill the queue and write its open items to be filled in, for `argus review import`; or all marks."""
    from grader.archive.store import open_archive
    from grader.review.exchange import FILLED, SHOWN, mark_lines, open_lines, write_lines
    from grader.review.queue import fill

    if marks and reviewer is not None:
        raise UsageError("--marks writes everybody's", do="Leave out --reviewer.")
    with open_archive(archive, create=False) as opened:
        if marks:
            count = write_lines(out, mark_lines(opened))
        else:
            fill(opened)  # whoever marks offline never starts the desk
            count = write_lines(out, open_lines(opened, reviewer), (*SHOWN, *FILLED))
    typer.echo(f"{count} {'marks' if marks else 'items'}: {out}")


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Exported items, filled in: .jsonl or .csv.")],
    by: Annotated[str, typer.Option("--by", metavar="NAME", help="Who filled it in; invited before.")],
    keep_going: Annotated[bool, typer.Option("--keep-going", help="Leave out what can't be taken.")] = False,
    archive: ArchiveUrl = None,
) -> None:
    """Read marks back from a filled file, all or none; read again, it changes nothing."""
    from grader.archive.store import open_archive
    from grader.review.importing import import_marks

    with open_archive(archive, create=False) as opened:
        read = import_marks(opened, file, by, keep_going=keep_going)
    for fault in read.refused:
        typer.echo(f"left out: {fault}", err=True)
    typer.echo(f"{read.new} new marks, {read.known} known, {read.blank} lines not filled in")


@app.command()
def mends(
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="FILE", help="Write them, for `argus problems mend`."),
    ] = None,
    archive: ArchiveUrl = None,
) -> None:
    """List what people's marks say is wrong about the problem set, with what they propose instead."""
    from grader.archive.store import open_archive
    from grader.review.mends import mends as proposed

    with open_archive(archive, create=False) as opened:
        lines = [one.model_dump(mode="json") for one in proposed(opened)]
    if out is not None:
        _write(out, "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines))
        typer.echo(f"{len(lines)} mends, {sum(one['to'] is None for one in lines)} for you to write: {out}")
        return
    from grader.render.review import mends_table

    _print(mends_table(lines))


def _print(table: RenderableType) -> None:
    from rich.console import Console

    # in a pipe there is no width to fit
    console = Console() if Console().is_terminal else Console(width=200)
    console.print(table)


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, "utf-8")
    except OSError as error:
        raise SetupError("the file can't be written", file=str(file), got=error.strerror) from error
