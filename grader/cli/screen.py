"""Where commands print tables: a terminal, or a pipe."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

State = TypeVar("State")

WIDTH = 200
"""Columns in a pipe, where there is no width to fit."""


def screen() -> Console:
    """Where a command prints what it came to."""
    from rich.console import Console

    console = Console()
    return console if console.is_terminal else Console(width=WIDTH)


@contextmanager
def live(table: Callable[[State], RenderableType]) -> Iterator[Callable[[State], None]]:
    """Shows what something has come to, as often as it is told, on a terminal; nothing in a pipe."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda state: None
        return
    from rich.live import Live

    with Live(console=console, transient=True, refresh_per_second=4) as shown:
        yield lambda state: shown.update(table(state))
