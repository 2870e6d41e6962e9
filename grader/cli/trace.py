"""argus trace: from a problem to the marks of one answer, from the archive alone."""

from __future__ import annotations

from typing import Annotated

import typer

from grader.cli.options import ArchiveUrl, Mode, Model, Point, Protocol, Run, Sample
from grader.errors import UsageError


def trace(
    sub_id: Annotated[str, typer.Argument(metavar="SUB_ID", help="The subquestion.", show_default=False)],
    archive: ArchiveUrl = None,
    run: Run = None,
    model: Model = None,
    protocol: Protocol = None,
    mode: Mode = None,
    sample: Sample = None,
    point: Point = None,
) -> None:
    """Show how one answer came by its marks: problem, answer, findings and marks, verdicts, score.

    Where several answers fit they are listed, and the options narrow them down.
    """
    from grader.archive.read import Filters
    from grader.archive.store import open_archive
    from grader.render.trace import list_answers, trace_answer

    filters = Filters(run, model, protocol, mode, sample, sub_id=sub_id)
    with open_archive(archive, create=False) as opened:
        answers = list(opened.search(filters))
        if not answers:
            raise UsageError(
                "the archive holds no answer to that subquestion under these conditions",
                got=sub_id,
                do="Run `argus verdicts` to see what it holds.",
            )
        if len(answers) > 1:
            typer.echo(list_answers(answers))
            return
        typer.echo(trace_answer(opened, answers[0], point))
