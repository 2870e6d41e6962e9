"""When marking may stop: an interval that may be looked at after every mark.

An interval made for a fixed number of marks fails if one looks again and again
and stops when it pleases: after 19 looks at 95 % it has held in 76 % of cases
only. An asymptotic confidence sequence (Waudby-Smith et al. 2021, theorem 2.2)
holds at all looks at once, and is about half as wide again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grader.errors import AuditError
from grader.stats.correction.intervals import FEW
from grader.stats.correction.sample import Sample
from grader.stats.correction.sums import sums_of, worth_of
from grader.stats.jackknife import Floats


@dataclass(frozen=True, slots=True)
class Look:
    """The mean error so far, in shares of full marks: what is to be added to the score as graded."""

    marks: int
    value: float
    low: float
    """Minus infinity, as ``high`` is infinity, before the second mark."""
    high: float

    def reached(self, width: float) -> bool:
        """Whether the interval is as narrow as ``width`` from end to end, so that marking may stop."""
        return self.high - self.low <= width


def look(residuals: Floats, *, most: int, whole: float = 1.0, level: float = 0.95) -> Look:
    """What ``residuals`` show of their mean, at a look of any time.

    ``residuals``: [marks], in the random order in which they were marked
    (``residuals_of``). ``most``: the number of marks at which the interval shall
    be shortest; to be fixed before the first look. ``whole``: the residual of a
    point that the machine got all wrong: with fewer than 10 disagreements one of
    plus and one of minus that size are added to the variance, so that a run of
    agreement doesn't end the marking.
    """
    if most < 1:
        raise AuditError("the number of marks planned must be at least 1", got=str(most))
    count = len(residuals)
    if count < 2:
        return Look(count, float(residuals.sum()), -np.inf, np.inf)
    mean = float(residuals.mean())
    squares = ((residuals - mean) ** 2).sum()
    if np.count_nonzero(residuals) < FEW:
        squares += 2 * (whole**2 + mean**2)
    radius = float(np.sqrt(squares / count)) * _radius(count, most, 1 - level)
    return Look(count, mean, mean - radius, mean + radius)


def residuals_of(sample: Sample) -> tuple[Floats, float]:
    """Errors of marked points in the sample's order, scaled so that their mean is the score's; and ``whole``.

    Of a point n (w y - w f) / (pi W), with n marked points and full marks W.
    Probabilities are those of being drawn and marked: while marking goes on, the
    draw's times the share of drawn points that are marked.
    Raises AuditError as ``corrected`` does.
    """
    sums = sums_of(sample)
    at = sample.labelled
    scale = at.sum() / (sample.probability[at] * sums.full.sum())
    worth = worth_of(sample)[at]
    return (sample.marked[at] - sample.graded[at]) * scale, float(np.sqrt(((worth * scale) ** 2).mean()))


def _radius(count: int, most: int, alpha: float) -> float:
    """Half the width in standard deviations, shortest about ``most`` marks."""
    tuning = (-2 * np.log(alpha) + np.log(-2 * np.log(alpha) + 1)) / most
    grown = count * tuning + 1
    return float(np.sqrt(2 * grown / (count**2 * tuning) * np.log(np.sqrt(grown) / alpha)))
