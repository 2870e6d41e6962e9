"""argus audit suites, plan, run: the audits that ask a judge anew."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from textwrap import shorten
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grader.cli.options import ArchiveUrl, AsJson, PriceOption, price_of
from grader.cli.screen import screen

if TYPE_CHECKING:
    from grader.audit.asked_anew.plan import Plan
    from grader.audit.asked_anew.running import AuditRun
    from grader.grade.asking import JudgeRequest
    from grader.judge.cards import LoadedCard

INCOMPLETE = 3
"""Exit code: something is left open."""

SuiteName = Annotated[
    str,
    typer.Argument(
        metavar="SUITE", help="A name of 'argus audit suites', or a .toml file.", show_default=False
    ),
]
Runs = Annotated[
    list[str] | None,
    typer.Argument(metavar="RUN", help="Runs by name or digest. Default: all of the archive."),
]
Judge = Annotated[
    str,
    typer.Option(
        "--judge",
        metavar="CARD",
        help="The judge: a name of 'argus judges list', or a .toml file.",
        show_default=False,
    ),
]
Only = Annotated[
    list[str] | None,
    typer.Option("--audit", metavar="ID", help="Only this audit (A6, A9, ...); may be repeated."),
]
Again = Annotated[
    bool,
    typer.Option(
        "--again",
        help="Ask about the anchors of drift once more: the model behind the card may have changed.",
    ),
]


def suites(as_json: AsJson = False) -> None:
    """List the audit suites that come with Argus."""
    from grader.audit.extra import require_extra

    require_extra()
    from grader.audit.asked_anew.suite import list_suites

    found = list_suites()
    if as_json:
        _print_json(
            {
                "suites": [
                    {
                        "name": one.name,
                        "hash": one.hash,
                        "description": one.file.description,
                        "audits": {section.audit: section.model_dump() for section in one.file.sections},
                    }
                    for one in found
                ]
            }
        )
        return
    for one in found:
        audits = ", ".join(section.audit for section in one.file.sections)
        typer.echo(f"{one.label}\n  {one.file.description}\n  audits: {audits}")


def plan(
    suite: SuiteName,
    runs: Runs = None,
    *,
    judge: Judge,
    archive: ArchiveUrl = None,
    only: Only = None,
    again: Again = False,
    price: PriceOption = None,
    as_json: AsJson = False,
) -> None:
    """Say what a suite would ask a judge, what that costs and what it could find; nobody is asked."""
    paid = price_of(price)
    with _planned(suite, runs, judge, archive, only, again) as (planned, card):
        _show_plan(planned, _request(card, paid), as_json)


def run(
    suite: SuiteName,
    runs: Runs = None,
    *,
    judge: Judge,
    archive: ArchiveUrl = None,
    only: Only = None,
    again: Again = False,
    max_cost: Annotated[
        float | None,
        typer.Option(
            "--max-cost",
            metavar="USD",
            min=0,
            help="What all audits of this judge in the archive may cost; never passed.",
            show_default=False,
        ),
    ] = None,
    price: PriceOption = None,
    concurrency: Annotated[
        int | None,
        typer.Option("--concurrency", min=1, max=1000, help="Requests in flight.", show_default=False),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Send nothing: as 'argus audit plan'.")] = False,
    as_json: AsJson = False,
) -> None:
    """Ask a judge everything that a suite wants and the archive doesn't hold; killed, it goes on.

    Nothing of it becomes a verdict of a run. See the numbers by 'argus audit report'.
    Exit 3 if something is left open.
    """
    from grader.cli.grade import progress

    paid = price_of(price)
    with _planned(suite, runs, judge, archive, only, again) as (planned, card):
        request = _request(card, paid, max_cost)
        if dry_run:
            _show_plan(planned, request, as_json)
            return
        from grader.audit.asked_anew.running import run as ask

        with progress() as told:
            show = (lambda done, total: told("asking", done, total)) if told else None
            done = ask(planned, request, concurrency=concurrency, progress=show)
    if as_json:
        _print_json({"suite": planned.suite.label, "judge": card.label, **done.as_json()})
    else:
        for line in _came_to(planned, done):
            typer.echo(line)
    for line in _left_open(planned, done):
        typer.echo(line, err=True)
    if not done.whole:
        raise typer.Exit(INCOMPLETE)


@contextmanager
def _planned(
    suite: str,
    runs: list[str] | None,
    judge: str,
    archive: str | None,
    only: list[str] | None,
    again: bool,
) -> Iterator[tuple[Plan, LoadedCard]]:
    """The plan of a suite, with the archive open for as long as it is needed."""
    from grader.audit.extra import require_extra

    require_extra()
    from grader.archive.store import open_archive
    from grader.audit.asked_anew.plan import plan as planned
    from grader.audit.asked_anew.suite import load_suite
    from grader.judge.cards import load_card

    found, card = load_suite(suite), load_card(judge)
    with open_archive(archive, create=False) as opened:
        yield planned(found, card, opened, runs or (), only or (), again=again), card


def _request(
    card: LoadedCard, price: tuple[float, float] | None, max_cost: float | None = None
) -> JudgeRequest:
    from grader.grade.asking import JudgeRequest

    return JudgeRequest(card, price, max_cost)


def _show_plan(planned: Plan, request: JudgeRequest, as_json: bool) -> None:
    from grader.audit.asked_anew.plan_table import plan_json, plan_table
    from grader.audit.asked_anew.pricing import priced
    from grader.render.tables import to_terminal

    said = plan_json(planned, priced(planned, request))
    if as_json:
        typer.echo(json.dumps(said, ensure_ascii=False, indent=2))
    else:
        screen().print(to_terminal(plan_table(said)))


def _print_json(value: dict[str, Any]) -> None:
    typer.echo(json.dumps({"schema_version": 1, **value}, ensure_ascii=False, indent=2))


def _came_to(planned: Plan, done: AuditRun) -> Iterator[str]:
    from grader.audit.result import AUDITS

    for audit in planned.audits:
        name = audit.design.audit
        there = len(audit.wanted) - sum(1 for _ in audit.open)
        left = f", {done.open[name]} open" if done.open[name] else ""
        yield f"{name} {AUDITS[name]}: {done.asked[name]} variants judged now, {there} before{left}"
    yield f"{done.replies} replies paid now; all audits of {planned.card.label} cost ${done.cost:.6f} so far"
    yield "See what they say: argus audit report"


def _left_open(planned: Plan, done: AuditRun) -> Iterator[str]:
    if planned.card.card.provisional:
        yield f"warning: judge {planned.card.label} is provisional: it shows that the machinery works"
    for audit in planned.audits:
        if audit.short:
            listed = "; ".join(f"{count} {why}" for why, count in sorted(audit.unfit.items()))
            yield (
                f"note: {audit.design.audit} lacks {audit.short} of what the suite asks for"
                + (f" (not applicable: {listed})" if listed else "")
            )
    if done.unasked.get("budget"):
        rest = "" if done.rest is None else f" (${max(0.0, done.rest):.6f})"
        yield (
            f"{done.unasked['budget']} variants were not judged: the rest of --max-cost{rest} would not do "
            "for the most that their requests can cost"
        )
    if done.failures:
        yield f"{done.failures.total()} variants were not judged: calls failed; the same command asks again"
    for why, count in done.failures.most_common(2):
        yield f"  {count} times: {shorten(why, 300)}"
