"""Sums and differences of several shares over the same problems, such as a difference in differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from grader.stats.jackknife import NO_SPREAD, Floats


@dataclass(frozen=True, slots=True)
class Contrast:
    """Shares added up with their signs."""

    value: float
    low: float | None
    """The interval's ends; None where it can't be given: a share rests on one problem, or nothing varies."""
    high: float | None
    se: float | None
    p: float | None
    """Two-sided, of no difference."""
    level: float
    problems: int
    bounds: tuple[float, float]
    """The value's extremes, however the open points will be decided."""

    @property
    def evidence(self) -> bool:
        """Whether the interval leaves zero out."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


Part = tuple[int, pd.DataFrame]
"""A sign, and rows with problem_id, earned, low, high and full_mark."""


def contrast(parts: Sequence[Part], *, level: float = 0.95) -> Contrast | None:
    """The shares of the parts (earned by full marks), each with its sign, added up.

    Delete-one-problem jackknife over the problems of all parts together, Student's t with one
    degree of freedom less than problems. None where a part has no marks.
    """
    from scipy.special import stdtr, stdtrit

    names = pd.Index(pd.concat([rows["problem_id"] for _, rows in parts]).unique())
    sums = [_sums(rows, names) for _, rows in parts]
    if any(full.sum() <= 0 for _, full in sums):
        return None
    signs = np.array([sign for sign, _ in parts], float)
    gained, full = np.stack([one for one, _ in sums]), np.stack([one for _, one in sums])
    value = float(signs @ (gained[:, 0].sum(axis=1) / full.sum(axis=1)))
    left = full.sum(axis=1, keepdims=True) - full
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.where(
            left > NO_SPREAD, (gained[:, 0].sum(axis=1, keepdims=True) - gained[:, 0]) / left, np.nan
        )
    without, count = signs @ shares, len(names)
    se = float(np.sqrt((count - 1) / count * ((without - without.mean()) ** 2).sum()))
    known = count > 1 and bool(np.isfinite(se)) and se > NO_SPREAD
    reach = float(stdtrit(count - 1, (1 + level) / 2)) * se if known else None
    ends = (gained.sum(axis=2) / full.sum(axis=1, keepdims=True))[:, 1:]
    return Contrast(
        value,
        value - reach if reach is not None else None,
        value + reach if reach is not None else None,
        se if known else None,
        float(2 * stdtr(count - 1, -abs(value) / se)) if known else None,
        level,
        count,
        (_extreme(signs, ends, 0), _extreme(signs, ends, 1)),
    )


def _sums(rows: pd.DataFrame, names: pd.Index) -> tuple[Floats, Floats]:
    """[earned, low, high; problems] and full marks [problems]."""
    codes = names.get_indexer(pd.Index(rows["problem_id"]))
    columns = [rows[name].to_numpy(float) for name in ("earned", "low", "high", "full_mark")]
    sums = [np.bincount(codes, column, len(names)).astype(float) for column in columns]
    return np.stack(sums[:3]), sums[3]


def _extreme(signs: Floats, ends: Floats, which: int) -> float:
    """``ends``: low and high of each part."""
    taken = np.where(signs > 0, ends[:, which], ends[:, 1 - which])
    return float(signs @ taken)
