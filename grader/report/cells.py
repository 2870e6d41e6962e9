"""Frames of subquestions, cell by cell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from grader.stats.grid import CELL, Condition

TRACKS = ("formal", "located", "judge", "human")
"""The columns whose sum is what is decided."""


def by_cell(frame: pd.DataFrame) -> dict[Condition, pd.DataFrame]:
    """The rows of each model, protocol and mode, in their order."""
    grouped = frame.groupby(CELL, sort=False, observed=True)
    return {(str(name[0]), str(name[1]), str(name[2])): rows for name, rows in grouped}


def decided_shares(cells: pd.DataFrame) -> dict[Condition, float]:
    """The share of the full marks of each cell whose points are decided."""
    shares = cells[list(TRACKS)].sum(axis=1) / cells["full_mark"]
    names = cells[CELL].itertuples(index=False, name=None)
    return {(name[0], name[1], name[2]): float(share) for name, share in zip(names, shares, strict=True)}


def lines(frame: pd.DataFrame) -> Iterator[Any]:
    """The rows of a frame as named tuples, whose fields a type checker can't know."""
    return iter(frame.itertuples(index=False))
