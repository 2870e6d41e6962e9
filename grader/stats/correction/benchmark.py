"""The score that this benchmark would have if people had marked every point: only the draw is uncertain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grader.stats.correction.intervals import Interval, pseudo_residuals, student
from grader.stats.correction.sums import Points, Sums
from grader.stats.jackknife import Floats


@dataclass(frozen=True, slots=True)
class Drawn:
    """A share of this benchmark, with the variance of the draw of marked points."""

    value: float
    variance: float
    """Pseudo-residuals included where the rule asks for them."""
    df: int
    widened: bool

    def interval(self, level: float) -> Interval:
        """Student's t with one degree of freedom less than marked points that weren't certain to be."""
        return student(self.value, float(np.sqrt(self.variance)), self.df, level)


def drawn(sums: Sums, points: Points, lambdas: Floats, *, widen: bool = True) -> Drawn:
    """The estimate with each problem's lambda [problems]; lambda 0 is people alone.

    r = y - lambda f has the mean sum (r / pi) / sum (w / pi) over the marked
    points; each point is taken to be lambda f + w mean. The Horvitz-Thompson sum
    of what that leaves is 0 by itself, and its variance is the estimate's
    (Särndal, Swensson and Wretman 1992, sections 6.3 and 6.6).
    """
    residual = points.marked - lambdas[points.problem] * points.graded
    total = float(sums.full.sum())
    mean = float((residual / points.probability).sum() / sums.weight.sum())
    left = residual - mean * points.worth
    value = float((sums.rest + lambdas * sums.graded + mean * sums.worth).sum() / total)
    variance = float((points.spread * left**2).sum() / total**2)
    added = pseudo_residuals(points, mean, total) if widen else 0.0
    return Drawn(value, variance + added, points.df, added > 0)
