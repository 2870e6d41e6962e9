"""argus inputs: what the responses of a run were shown."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.screen import screen


def inputs(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run.jsonl.", show_default=False)],
    jsonl: Annotated[bool, typer.Option("--jsonl", help="One JSON object a line.")] = False,
) -> None:
    """Say which images, reader calls and standard results each response of a run was given."""
    from grader.protocol.inputs import inputs as shown_inputs

    shown = shown_inputs(run)
    if jsonl:
        with suppress(BrokenPipeError):  # `| head` is no mistake
            for one in shown:
                typer.echo(json.dumps(one.as_json(), ensure_ascii=False))
        return
    from grader.render.inputs import inputs_table

    screen().print(inputs_table(run.name, shown))
