"""Many comparisons in one table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """p adjusted over the family (Holm 1979), in the same order; what has no p is outside of it.

    The smallest p counts times the size of the family, the next times one less, and none less
    than one before it.
    """
    # statsmodels' is the same, as a test says, but takes longer to import than the tables may take
    places = [place for place, p in enumerate(p_values) if p is not None]
    family = np.array([p_values[place] for place in places], float)
    order = np.argsort(family, kind="stable")
    steps = np.maximum.accumulate(family[order] * np.arange(len(family), 0, -1))
    adjusted: list[float | None] = [None] * len(p_values)
    for place, p in zip(order, np.minimum(steps, 1.0), strict=True):
        adjusted[places[place]] = float(p)
    return adjusted
