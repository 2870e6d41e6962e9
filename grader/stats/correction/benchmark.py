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
        """Student's t with one degree of freedom less than marked points."""
        return student(self.value, float(np.sqrt(self.variance)), self.df, level)


def drawn(sums: Sums, points: Points, lambdas: Floats, *, widen: bool = True) -> Drawn:
    """The estimate with each problem's lambda [problems]; lambda 0 is people alone.

    r = y - lambda f, and its mean over the marked points by worth and
    probability; the rest is a Horvitz-Thompson sum of what is left (Särndal,
    Swensson and Wretman 1992, section 6.3).
    """
    residual = points.marked - lambdas[points.problem] * points.graded
    inverse, total = 1 / points.probability, sums.full.sum()
    weight = sums.weight.sum()
    mean = float((residual * inverse).sum() / weight) if weight > 0 else 0.0
    left = residual - mean * points.worth
    predicted = (sums.rest + lambdas * sums.graded + mean * sums.worth).sum()
    value = float((predicted + (left * inverse).sum()) / total)
    variance = float((points.spread * left**2).sum() / total**2)
    added = pseudo_residuals(points, mean, float(total)) if widen else 0.0
    return Drawn(value, variance + added, len(residual) - 1, added > 0)
