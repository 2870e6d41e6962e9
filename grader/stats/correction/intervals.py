"""Intervals of corrected shares, and what keeps them honest where people and machine hardly ever differ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grader.stats.correction.sums import Bools, Points
from grader.stats.jackknife import NO_SPREAD, Floats

FEW = 10
"""With fewer disagreements than this their spread can't be told from the marks alone."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A share or a difference of two, and where it lies at the level asked for."""

    value: float
    low: float | None
    """None, like ``high`` and ``se``: one marked point or problem gives no interval."""
    high: float | None
    se: float | None
    df: int

    @property
    def width(self) -> float | None:
        """From end to end."""
        return None if self.low is None or self.high is None else self.high - self.low


def student(
    value: float, se: float, df: int, level: float, span: tuple[float, float] = (0.0, 1.0)
) -> Interval:
    """Student's t, cut off where no share can be (but never short of the value itself)."""
    from scipy.special import stdtrit

    if df < 1 or not np.isfinite(se):
        return Interval(value, None, None, None, max(df, 0))
    reach = float(stdtrit(df, (1 + level) / 2)) * se
    low, high = min(value, max(value - reach, span[0])), max(value, min(value + reach, span[1]))
    return Interval(value, low, high, se, df)


def jackknife_se(value: float, without: Floats, held: Bools) -> float:
    """The delete-one-problem jackknife's standard error; nan of fewer than two problems.

    ``without``: [problems], the value without each; ``held``: which problems count.
    """
    kept = without[held]
    problems = len(kept)
    if problems < 2 or not np.isfinite(value):
        return np.nan
    return float(np.sqrt((problems - 1) / problems * ((kept - kept.mean()) ** 2).sum()))


def carried(points: Points) -> tuple[float, float]:
    """How many disagreements, and how many marked points, carry the variance of the draw.

    Points of equal probability: simply how many. Where some were certain to be
    drawn and others rare, what the certain ones show says nothing about the
    rare ones, and only these carry variance: (sum v)^2 / sum v^2 points, and
    disagreements in the same measure, with v = (1 - pi) / pi^2.
    """
    spread = points.spread
    typical = (spread**2).sum() / spread.sum()
    return float(spread[points.disagrees].sum() / typical), float(spread.sum() / typical)


def is_few(points: Points) -> bool:
    """Whether so few disagreements carry the variance of the draw that it isn't known."""
    return points.spread.sum() >= NO_SPREAD and carried(points)[0] < FEW


def pseudo_residuals(points: Points, centre: float, total: float) -> float:
    """What one residual of +1 and one of -1 add to the variance of the share, each a whole point's worth.

    ``centre``: the mean residual; ``total``: full marks. Without them a sample
    in which people and machine always agree would have no width, and the
    intervals of good judges cover 57 to 92 % (Agresti and Coull 1998 add two
    successes and two failures to a proportion for the same reason).
    """
    spread = points.spread
    typical = (spread**2).sum() / spread.sum() * (points.worth**2).mean()
    return float(2 * (1 + centre**2) * typical / total**2)


def unseen(points: Points) -> float | None:
    """With no disagreement seen: the share of points up to which there may be some, at 95 %, one-sided."""
    if points.disagrees.any() or points.spread.sum() < NO_SPREAD:
        return None
    return float(1 - 0.05 ** (1 / max(carried(points)[1], 1.0)))
