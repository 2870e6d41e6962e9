"""argus run: a problem set, answered by a model, a program or a person, into a run.jsonl."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grader.cli.options import AsJson
from grader.cli.screen import live, screen
from grader.cli.typed import given, typed_price, typed_reader, typed_shown, typed_solver

if TYPE_CHECKING:
    from rich.table import Table

    from grader.protocol.asker import OpenAsker
    from grader.protocol.request import RunRequest
    from grader.protocol.state import RunState

_SOLVER, _SHOWN, _READER, _ASKING = "Who answers", "What is shown", "The reader of text_reader", "Asking"


def _option(*names: str, panel: str, **more: Any) -> Any:
    return typer.Option(*names, rich_help_panel=panel, **{"show_default": False, **more})


def run(
    problems: Annotated[Path, typer.Argument(metavar="SET", help="The problem set.", show_default=False)],
    model: Annotated[
        str | None,
        _option("--model", panel=_SOLVER, help="As litellm names it (openai/gpt-4o), or a .toml file."),
    ] = None,
    model_cmd: Annotated[
        str | None,
        _option("--model-cmd", panel=_SOLVER, metavar="CMD", help="A program that answers JSON lines."),
    ] = None,
    human: Annotated[
        str | None, _option("--human", panel=_SOLVER, metavar="NAME", help="A person, in this terminal.")
    ] = None,
    answers: Annotated[
        Path | None,
        _option("--answers", panel=_SOLVER, metavar="FILE", help="With --human: a file to be filled in."),
    ] = None,
    name: Annotated[
        str | None, _option("--name", panel=_SOLVER, help="What the run calls who answers.")
    ] = None,
    api_base: Annotated[
        str | None, _option("--api-base", panel=_SOLVER, metavar="URL", help="An API of your own.")
    ] = None,
    key_env: Annotated[
        str | None,
        _option("--key-env", panel=_SOLVER, metavar="VAR", help="The variable that holds its key."),
    ] = None,
    vision: Annotated[
        bool | None,
        _option("--vision/--no-vision", panel=_SOLVER, help="Whether it sees images."),
    ] = None,
    temperature: Annotated[
        float | None, _option("--temperature", panel=_SOLVER, help="Not sent unless given.")
    ] = None,
    seed: Annotated[
        int | None,
        _option("--seed", panel=_SOLVER, help="Of the first sample; the next has the next."),
    ] = None,
    max_tokens: Annotated[
        int | None,
        _option("--max-tokens", panel=_SOLVER, help="Of a reply, reasoning included. Default: 16384."),
    ] = None,
    reasoning_effort: Annotated[
        str | None, _option("--reasoning-effort", panel=_SOLVER, help="Not sent unless given.")
    ] = None,
    protocol: Annotated[
        list[str] | None,
        _option(
            "--protocol",
            panel=_SHOWN,
            help="full_problem (default), sequential_carry, oracle_scaffolded, all.",
        ),
    ] = None,
    mode: Annotated[
        list[str] | None,
        _option("--mode", panel=_SHOWN, help="text_only (default), multimodal, text_reader or all."),
    ] = None,
    samples: Annotated[
        int | None, _option("--samples", panel=_SHOWN, help="Answers to each question. Default: 1.")
    ] = None,
    oracle_scope: Annotated[
        str | None,
        _option(
            "--oracle-scope", panel=_SHOWN, help="Results that oracle grants: previous (default), all, none."
        ),
    ] = None,
    oracle_session: Annotated[
        str | None,
        _option("--oracle-session", panel=_SHOWN, help="isolated (default), or shared: one conversation."),
    ] = None,
    profile: Annotated[
        str | None,
        _option("--profile", panel=_SHOWN, help="Prompt profile: plain (default), parity or a .toml file."),
    ] = None,
    most_side: Annotated[
        int | None,
        _option("--most-side", panel=_SHOWN, metavar="PIXELS", help="Shrink larger images. Default: 2048."),
    ] = None,
    problem: Annotated[
        list[str] | None, _option("--problem", panel=_SHOWN, metavar="ID", help="Only this; may be repeated.")
    ] = None,
    reader: Annotated[
        str | None,
        _option("--reader", panel=_READER, metavar="MODEL", help="A vision model, or a .toml file."),
    ] = None,
    reader_api_base: Annotated[
        str | None, _option("--reader-api-base", panel=_READER, metavar="URL", help="An API of your own.")
    ] = None,
    reader_vision: Annotated[
        bool | None,
        _option("--reader-vision/--no-reader-vision", panel=_READER, help="Whether it sees images."),
    ] = None,
    reader_price: Annotated[
        str | None, _option("--reader-price", panel=_READER, metavar="IN,OUT", help="As --price.")
    ] = None,
    reader_calls: Annotated[
        int | None, _option("--reader-calls", panel=_READER, help="The most in one turn. Default: 8.")
    ] = None,
    reader_descriptions: Annotated[
        bool | None,
        _option("--reader-descriptions", panel=_READER, help="Show descriptions beside the tool."),
    ] = None,
    price: Annotated[
        str | None,
        _option("--price", panel=_ASKING, metavar="IN,OUT", help="US dollars for a million tokens."),
    ] = None,
    max_cost: Annotated[
        float | None,
        _option(
            "--max-cost", panel=_ASKING, metavar="USD", min=0, help="For all calls to models; never passed."
        ),
    ] = None,
    concurrency: Annotated[
        int | None, _option("--concurrency", panel=_ASKING, help="Requests in flight. Default: 8.")
    ] = None,
    timeout: Annotated[
        float | None,
        _option("--timeout", panel=_ASKING, metavar="SECONDS", help="A reply may take. Default: 600."),
    ] = None,
    batch_out: Annotated[
        Path | None,
        _option("--batch-out", panel=_ASKING, metavar="FILE", help="Send nothing: write an OpenAI batch."),
    ] = None,
    batch_in: Annotated[
        list[Path] | None,
        _option("--batch-in", panel=_ASKING, metavar="FILE", help="Take a batch's replies; may be repeated."),
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="The run; one that is there is gone on with.")
    ] = Path("run.jsonl"),
    as_json: AsJson = False,
) -> None:
    """Let a model, a program or a person answer a problem set.

    Nothing is added to the problems but separators. Each answer is on disk as
    soon as it is there, and the same command goes on after an interruption.

    Exit 3 if answers are missing.
    """
    from grader.problem.set import load_set
    from grader.protocol.answering import Answering, who_answers

    solver = typed_solver(
        model,
        cmd=model_cmd,
        human=human,
        name=name,
        api_base=api_base,
        key_env=key_env,
        vision=vision,
        price=typed_price(price),
        limits=given(concurrency=concurrency, timeout=timeout),
        parameters=given(
            temperature=temperature,
            seed=seed,
            max_tokens=max_tokens,
            reasoning_effort=reasoning_effort,
        ),
    )
    reading = given(
        api_base=reader_api_base,
        vision=reader_vision,
        price=typed_price(reader_price),
        calls=reader_calls,
        descriptions=reader_descriptions,
    )
    shown = typed_shown(
        protocols=protocol,
        modes=mode,
        samples=samples,
        oracle=given(scope=oracle_scope, session=oracle_session),
        profile=profile,
        most_side=most_side,
        only=problem,
        reader=typed_reader(reader, reading),
    )
    request = shown.request(load_set(problems), solver, out)
    answering = Answering(answers, max_cost, batch_out, tuple(batch_in or ()))
    _run(request, who_answers(request, solver, answering, _show), as_json)


def _show(text: str) -> None:
    """Put a question before a person; what the run prints stays apart from it."""
    from grader.render.plain import plain

    typer.echo(plain(text), err=True)


def _run(request: RunRequest, asker: OpenAsker, as_json: bool) -> None:
    from grader.protocol.run import run as run_set
    from grader.render.plain import plain
    from grader.render.runs import run_table

    def table(state: RunState) -> Table:
        return run_table(request.solver.name, state)

    # while a person writes, nothing moves
    typed = request.solver.kind == "person"
    with nullcontext(lambda state: None) if typed else live(table) as progress:
        state = run_set(request, asker, progress)
    if as_json:
        made = state.as_json(request.out, request.solver.name)
        made["batch"] = asker.report.as_json() if asker.report else None
        typer.echo(json.dumps(made, ensure_ascii=False, indent=2))
    else:
        screen().print(table(state))
    for note in (*state.notes(), *asker.notes()):
        typer.echo(plain(note), err=True)
    if not state.complete:
        raise typer.Exit(3)
