"""argus triage: what people are to look at, as lines of JSON."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Annotated

import typer

from grader.cli.options import ArchiveUrl, Run


def triage(
    archive: ArchiveUrl = None,
    run: Run = None,
    spot_check: Annotated[
        bool,
        typer.Option("--spot-check", help="The random sample, with the probability of being drawn, instead."),
    ] = False,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="One JSON object a line (the only format).")] = True,
) -> None:
    """Stream what is doubted, with the reasons: points of answers that people are to look at.

    With --spot-check, the decisions that were drawn at random besides.
    """
    from grader.archive.store import open_archive

    with open_archive(archive, create=False) as opened, suppress(BrokenPipeError):  # `| head` is no mistake
        lines = opened.drawn_lines(run) if spot_check else opened.doubted_lines(run)
        for line in lines:
            typer.echo(json.dumps(line, ensure_ascii=False))
