"""argus grade: a run into findings, verdicts and scores."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grader.cli.options import ArchiveUrl, AsJson, PriceOption, ProblemsPath, price_of
from grader.cli.screen import screen
from grader.errors import UsageError

if TYPE_CHECKING:
    from grader.grade import GradeResult
    from grader.grade.asking import Judged, JudgeRequest
    from grader.grade.pipeline import Progress

_JUDGE = "The judge"


def grade(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The run.jsonl to grade.", show_default=False)],
    problems: ProblemsPath = None,
    archive: ArchiveUrl = None,
    marks: Annotated[
        list[Path] | None,
        typer.Option("--marks", metavar="FILE", help="Human marks, JSONL or CSV; may be repeated."),
    ] = None,
    regrade: Annotated[
        bool, typer.Option("--regrade", help="Decide again what is decided; paid replies are read again.")
    ] = False,
    keep_going: Annotated[
        bool, typer.Option("--keep-going", help="Skip broken lines of the run instead of stopping.")
    ] = False,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers", min=1, help="Processes that decide checks. Default: one a core.", show_default=False
        ),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(
            "--judge",
            metavar="CARD",
            help="Ask this judge about flexible points: a name of 'argus judges list', or a .toml file.",
            show_default=False,
            rich_help_panel=_JUDGE,
        ),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Send nothing: print calls, tokens and price.", rich_help_panel=_JUDGE
        ),
    ] = False,
    max_cost: Annotated[
        float | None,
        typer.Option(
            "--max-cost",
            metavar="USD",
            min=0,
            help="What the judges of this run may cost in all; never passed.",
            show_default=False,
            rich_help_panel=_JUDGE,
        ),
    ] = None,
    price: PriceOption = None,
    batch_out: Annotated[
        Path | None,
        typer.Option(
            "--batch-out",
            metavar="FILE",
            help="Send nothing: write the requests as an OpenAI batch.",
            show_default=False,
            rich_help_panel=_JUDGE,
        ),
    ] = None,
    batch_in: Annotated[
        list[Path] | None,
        typer.Option(
            "--batch-in",
            metavar="FILE",
            help="Take replies from a batch's result file; may be repeated.",
            rich_help_panel=_JUDGE,
        ),
    ] = None,
    preview: Annotated[
        str | None,
        typer.Option(
            "--preview",
            metavar="SET|CARD",
            help="Change nothing: say what grading on this set, or by this judge, would change.",
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Grade a run: decide its formal points, ask a judge about the others, take human marks, add up.

    The problem set is the one given by --problems, else the one the run's
    header names, else the folder the run lies in. Grading again decides and
    asks only what is missing or has changed.

    With --preview nothing is sent or written, and the exit code is 0.

    Exit 3 if points are undetermined or lines were skipped.
    """
    if preview is not None:
        others = (marks, regrade, dry_run, max_cost, batch_out, batch_in)
        if any(option not in (None, False, []) for option in others):
            what = "a preview changes nothing and sends nothing"
            raise UsageError(what, do="Besides it there may be --problems, --judge, --price and --workers.")
        from grader.cli.preview import Wanted, show_preview

        place = (run, preview, problems, judge, price, archive)
        show_preview(Wanted(*place, keep_going, workers, as_json), progress())
        return
    asking = (dry_run, max_cost, price, batch_out, batch_in)
    if judge is None and any(option not in (None, False, []) for option in asking):
        raise UsageError("these options are about asking a judge", do="Name one by --judge CARD.")
    from grader.archive.store import open_archive
    from grader.grade import GradeRequest
    from grader.grade import grade as grade_run
    from grader.grade.problems import problems_of

    request = GradeRequest(
        run=run,
        problems=problems_of(run, problems),
        marks=marks or (),
        judge=_judge(judge, price, max_cost, dry_run, batch_out, batch_in) if judge is not None else None,
        regrade=regrade,
        keep_going=keep_going,
        workers=workers,
    )
    with open_archive(archive) as opened, progress() as told:
        result = grade_run(request, opened, told)
    if as_json:
        typer.echo(json.dumps(_as_json(result), ensure_ascii=False, indent=2))
    else:
        _print(result)
    _finish(result)


def _judge(
    card: str,
    price: str | None,
    max_cost: float | None,
    dry_run: bool,
    batch_out: Path | None,
    batch_in: list[Path] | None,
) -> JudgeRequest:
    from grader.grade.asking import JudgeRequest
    from grader.judge.cards import load_card

    return JudgeRequest(
        card=load_card(card),
        price=price_of(price),
        max_cost=max_cost,
        dry_run=dry_run,
        batch_out=batch_out,
        batch_in=batch_in or (),
    )


@contextmanager
def progress() -> Iterator[Progress | None]:
    """A progress bar on a terminal, nothing in a pipe."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

    tasks: dict[str, TaskID] = {}
    with Bar(console=console, transient=True) as bar:

        def told(what: str, done: int, total: int | None) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=total)
            bar.update(tasks[what], completed=done)

        yield told


def _as_json(result: GradeResult) -> dict[str, Any]:
    judged = result.judged
    now: dict[str, Any] = {"computed": result.computed, "new_marks": result.marks}
    now["new_verdicts"] = judged.verdicts if judged else 0
    now["estimate"] = judged.estimate.as_json() if judged and judged.estimate else None
    now["batch"] = judged.batch.as_json() if judged and judged.batch else None
    return {**result.summary, **now}


def _print(result: GradeResult) -> None:
    from grader.render.scores import estimate_table, score_table

    if result.judged and result.judged.estimate:
        screen().print(estimate_table(result.judged.estimate.as_json()))
        return
    screen().print(score_table(result.summary))


def _finish(result: GradeResult) -> None:
    """Say on stderr what needs a person's attention, and exit accordingly."""
    summary = result.summary
    for note in _notes(result):
        typer.echo(note, err=True)
    if result.failures:
        for failure in result.failures[:10]:
            typer.echo(f"bug: a check failed on an answer: {failure}", err=True)
        raise typer.Exit(1)
    if result.judged and result.judged.estimate:
        return
    if summary["undetermined"] or summary["skipped"]:
        raise typer.Exit(3)


def _notes(result: GradeResult) -> Iterator[str]:
    summary = result.summary
    for name, line in summary["notes"].items():
        yield f"note: field '{name}' (line {line}) is not part of the format: kept, not graded"
    for fault in summary["skipped"]:
        yield f"skipped: {fault['file']}:{fault['line']}: {fault['what']}"
    if summary["stale_marks"]:
        yield (
            f"note: {summary['stale_marks']} human marks no longer count: "
            "they were given to an earlier rubric or answer"
        )
    if result.unselected is not None:
        yield f"note: the verdicts of judge {result.unselected} no longer count: --judge says whose do"
    if summary["judge"] is not None:
        yield from _of_judge(summary, result.judged)
    if result.judged and result.judged.batch:
        yield from result.judged.batch.notes()
    by_reason = {entry["reason"]: entry["points"] for entry in summary["undetermined"]}
    if by_reason and not (result.judged and result.judged.estimate):
        listed = ", ".join(f"{points} {reason}" for reason, points in by_reason.items())
        ask = "" if summary["judge"] else ", or ask a judge by --judge CARD (see 'argus judges list')"
        yield f"{sum(by_reason.values())} points are undetermined ({listed}): mark them by --marks FILE{ask}"


def _of_judge(summary: dict[str, Any], judged: Judged | None) -> Iterator[str]:
    """What the judge cost, what people are to look at, and what is to be known of the judge."""
    judge, triage, spot_check = summary["judge"], summary["triage"], summary["spot_check"]
    if judge["calls"]:
        cost = "unknown" if judge["cost"] is None else f"${judge['cost']:.6f}"
        more = f", {judge['unpriced']} replies of unknown price besides" if judge["cost"] is not None else ""
        yield (
            f"judge {judge['card']}: {judge['calls']} requests, {judge['replies']} replies, "
            f"{judge['prompt_tokens']} + {judge['completion_tokens']} tokens, "
            f"cost {cost}{more if judge['unpriced'] else ''} (all gradings of this run)"
        )
    if triage["points"]:
        listed = ", ".join(f"{count} {reason}" for reason, count in triage["reasons"].items())
        yield f"{triage['points']} points are doubted and go to triage ({listed})"
    if spot_check:
        listed = ", ".join(f"{count} {stratum}" for stratum, count in spot_check.items())
        yield f"{sum(spot_check.values())} decisions are drawn for the spot check ({listed})"
    if judge["provisional"]:
        yield f"warning: judge {judge['card']} is provisional: its verdicts are kept and count nowhere"
    for model, family in judge["kin"].items():
        yield f"warning: {model} and the judge are of the same family ({family}): it may favour its kin"
    yield from _left_open(judge, judged)


def _left_open(judge: dict[str, Any], judged: Judged | None) -> Iterator[str]:
    """What the judge was not asked, or did not answer, and why."""
    if judge["unasked"].get("budget"):
        rest = "" if judged is None or judged.rest is None else f" (${max(0.0, judged.rest):.6f})"
        count = judge["unasked"]["budget"]
        yield (
            f"{count} answers were not judged: the rest of --max-cost{rest} would not do "
            "for the most that their requests can cost"
        )
    if judge["unasked"].get("batch"):
        yield f"{judge['unasked']['batch']} answers wait for a batch: write their requests by --batch-out"
    if judge["failed"]:
        yield f"{judge['failed']} answers were not judged: calls failed; the same command asks again"
    for why, count in judged.left.failures.most_common(2) if judged else ():
        yield f"  {count} times: {shorten(why, 300)}"
