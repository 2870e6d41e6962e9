"""argus audit: what a judge, or the formal track, is worth, measured against people."""

from __future__ import annotations

import typer

app = typer.Typer(
    help="Measure a judge, or the formal track: may its numbers be believed?", no_args_is_help=True
)
