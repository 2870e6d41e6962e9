"""argus judges: list, show, check and try judge cards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grader.cli.options import AsJson, PriceOption, price_of
from grader.errors import ArgusError, Fault, SetupError, UsageError

if TYPE_CHECKING:
    from grader.judge.cards import LoadedCard
    from grader.judge.probe import Probe

app = typer.Typer(help="List, check and try judge cards.", no_args_is_help=True)

Card = Annotated[
    str,
    typer.Argument(
        metavar="CARD", help="A name of 'argus judges list', or a .toml file.", show_default=False
    ),
]

INCOMPLETE = 3
"""Exit code: something is left undetermined."""


def _print_json(value: dict[str, Any]) -> None:
    typer.echo(json.dumps({"schema_version": 1, **value}, ensure_ascii=False, indent=2))


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """List the judge cards that come with Argus. None is a default, and none is said to be good."""
    from grader.judge.cards import list_cards
    from grader.render.judges import card_json, card_table

    cards = list_cards()
    if as_json:
        _print_json({"cards": [card_json(card) for card in cards]})
    else:
        typer.echo(card_table(cards))


@app.command()
def show(named: Card, as_json: AsJson = False) -> None:
    """Show every setting of a card, its hash, and the prompt for a small sample task."""
    from grader.judge.cards import load_card
    from grader.render.judges import card_json, card_text, messages_json, sample_requests

    card = load_card(named)
    if as_json:
        requests = [messages_json(request) for _, request in sample_requests(card)]
        _print_json({**card_json(card), "requests": requests})
    else:
        typer.echo(card_text(card))


@app.command()
def check(
    named: Annotated[
        list[str],
        typer.Argument(metavar="CARD...", help="Names of cards, or .toml files.", show_default=False),
    ],
    as_json: AsJson = False,
) -> None:
    """Name everything that is wrong with cards, and what deserves a look.

    Exit 2 if there are errors; lints never change the exit code.
    """
    from grader.judge.card_lints import lints
    from grader.judge.cards import load_card

    errors: list[Fault] = []
    looks: list[Fault] = []
    for name in named:
        try:
            looks += lints(load_card(name))
        except ArgusError as error:
            errors += error.faults
    if as_json:
        report = {"errors": errors, "lints": looks}
        _print_json({"cards": len(named), **{k: [f.as_json() for f in v] for k, v in report.items()}})
    else:
        _print_faults(len(named), errors, looks)
    if errors:
        raise typer.Exit(2)


def _print_faults(cards: int, errors: list[Fault], looks: list[Fault]) -> None:
    for fault in errors:
        typer.echo(f"error: {fault}")
    for fault in looks:
        typer.echo(f"lint: {fault}")
    typer.echo(f"{cards} cards: {len(errors)} errors, {len(looks)} lints")


@app.command()
def probe(named: Card, price: PriceOption = None, as_json: AsJson = False) -> None:
    """Send one request about a tiny task, and say what the endpoint really does with it.

    Each member of a panel is asked once. Exit 2 if nobody replied, 3 if a
    reply can't be read.
    """
    from grader.judge.cards import load_card
    from grader.render.judges import probe_text

    probes = _probes(load_card(named), price)
    if as_json:
        _print_json({"probes": [one.as_json() for one in probes]})
    else:
        typer.echo("\n\n".join(map(probe_text, probes)))
    if any(one.attempt.failure for one in probes):
        raise typer.Exit(SetupError.exit_code)
    if not all(one.usable for one in probes):
        raise typer.Exit(INCOMPLETE)


def _probes(card: LoadedCard, price: str | None) -> list[Probe]:
    import asyncio

    from grader.grade.asking import JudgeRequest
    from grader.judge.probe import probe as ask_once

    terms = JudgeRequest(card, price_of(price)).terms
    return [asyncio.run(ask_once(voter, terms[voter.endpoint])) for voter in card.voters]


@app.command("try")
def try_(
    named: Card,
    problems: Annotated[
        Path, typer.Option("--problems", metavar="PATH", help="The problem set.", show_default=False)
    ],
    sub: Annotated[str, typer.Option("--sub", metavar="SUB_ID", help="The subquestion.", show_default=False)],
    answer: Annotated[
        Path | None,
        typer.Option(
            "--answer", metavar="FILE", help="The answer; - reads it from stdin.", show_default=False
        ),
    ] = None,
    text: Annotated[str | None, typer.Option("--text", help="The answer itself.", show_default=False)] = None,
    price: PriceOption = None,
    as_json: AsJson = False,
) -> None:
    """Grade one answer to one subquestion, and print requests, replies, verdicts and cost.

    Nothing is archived. Exit 3 if points stay undetermined.
    """
    from grader.grade.asking import JudgeRequest
    from grader.grade.trial import trial
    from grader.judge.cards import load_card
    from grader.problem.set import load_set
    from grader.render.judges import trial_text

    answered = _answer(answer, text)
    judge = JudgeRequest(load_card(named), price_of(price))
    found = trial(judge, load_set(problems), sub, answered)
    if as_json:
        _print_json(found.as_json())
    else:
        typer.echo(trial_text(found))
    for failure in found.failures:
        typer.echo(f"bug: a check failed on the answer: {failure}", err=True)
    if found.failures:
        raise typer.Exit(1)
    if found.open:
        raise typer.Exit(INCOMPLETE)


def _answer(file: Path | None, text: str | None) -> str:
    if (file is None) == (text is None):
        raise UsageError("the answer is given once", expected="--answer FILE or --text TEXT")
    if text is not None:
        return text
    assert file is not None
    try:
        return typer.get_text_stream("stdin").read() if str(file) == "-" else file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError("the answer can't be read", file=str(file), got=str(error)) from error
