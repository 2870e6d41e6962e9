"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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
