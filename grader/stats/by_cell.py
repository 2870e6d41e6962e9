"""A frame cell by cell."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from grader.stats.columns import CELL
from grader.stats.grid import Condition


def by_cell(frame: pd.DataFrame) -> Iterator[tuple[Condition, pd.DataFrame]]:
    """The rows of each model, protocol and mode, in the frame's order."""
    for (model, protocol, mode), rows in frame.groupby(CELL, sort=False):
        yield (str(model), str(protocol), str(mode)), rows
