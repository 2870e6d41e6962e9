"""Options that several commands share."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import typer

from grader.errors import UsageError, shown

ArchiveUrl = Annotated[
    str | None,
    typer.Option(
        "--archive",
        metavar="URL",
        envvar="ARGUS_ARCHIVE",
        help="The archive: sqlite:///PATH or postgresql://USER@HOST/NAME. Default: argus.db here.",
        show_default=False,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON with a schema_version.")]
ProblemsPath = Annotated[
    Path | None,
    typer.Option("--problems", metavar="PATH", help="The problem set.", show_default=False),
]
PriceOption = Annotated[
    str | None,
    typer.Option(
        "--price",
        metavar="IN,OUT",
        help="What the judge costs: US dollars for a million tokens in, and out.",
        show_default=False,
        rich_help_panel="The judge",
    ),
]
Model = Annotated[str | None, typer.Option("--model", help="Only this model.", show_default=False)]
Protocol = Annotated[str | None, typer.Option("--protocol", help="Only this protocol.", show_default=False)]
Mode = Annotated[str | None, typer.Option("--mode", help="Only this mode.", show_default=False)]
Sample = Annotated[int | None, typer.Option("--sample", help="Only this sample.", show_default=False)]
Point = Annotated[str | None, typer.Option("--point", help="Only this point.", show_default=False)]
Run = Annotated[
    str | None,
    typer.Option(
        "--run", metavar="NAME", help="Only this run: its name, or how its digest begins.", show_default=False
    ),
]


def price_of(given: str | None) -> tuple[float, float] | None:
    """The two prices of ``--price IN,OUT``; UsageError for anything that is no price."""
    if given is None:
        return None
    parts = given.split(",")
    try:
        prices = [float(part) for part in parts]
    except ValueError:
        prices = []
    if len(prices) != 2 or not all(0 <= price < math.inf for price in prices):
        raise UsageError("no price", got=shown(given), expected="--price IN,OUT, such as --price 0.15,0.60")
    return prices[0], prices[1]
