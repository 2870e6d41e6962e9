"""Ratios of marks with problems as clusters: standard errors, intervals and tests, on arrays.

The last axis of an array is the problem, and the axes before it are as many
ratios side by side. Delete-one-problem jackknife with Student's t and K - 1
degrees of freedom (Efron and Tibshirani 1993, chapter 11): subquestions of one
problem stand or fall together, so the problem is what is left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

NO_SPREAD = 1e-12
"""A standard error below this is rounding: every problem gives the same value."""


@dataclass(frozen=True, slots=True)
class Jackknife:
    """Ratios, their standard errors (nan where one can't be given), and how many problems they rest on."""

    value: Floats
    se: Floats
    problems: Floats


def ratio(gained: Floats, full: Floats) -> Jackknife:
    """Sums over problems of ``gained`` by those of ``full``; problems without full marks don't count."""
    value, without = _with_and_without(gained, full)
    return _jackknife(value, without, full > 0)


def mean_of_ratios(gained: Floats, full: Floats) -> Jackknife:
    """The mean over the second last axis (models) of ratios whose clusters are the same problems.

    A problem is left out of all models at once, so what makes it hard for all
    of them counts once and not once a model.
    """
    value, without = _with_and_without(gained, full)
    without = np.where(full > 0, without, value[..., None])
    return _jackknife(value.mean(axis=-1), without.mean(axis=-2), np.any(full > 0, axis=-2))


def share_interval(found: Jackknife, level: float) -> tuple[Floats, Floats]:
    """The lower and upper end of the interval of shares at that level.

    Student's t on the log odds, carried back (Korn and Graubard 1998): shares near
    0 or 1 are skewed, and the interval around the share itself is too short on
    their far side (48 problems at 4 %: it covers 92 %, this one 95 %).
    """
    value = np.clip(found.value, NO_SPREAD, 1 - NO_SPREAD)
    odds = np.log(value / (1 - value))
    reach = _quantile(found, level) * found.se / (value * (1 - value))
    with np.errstate(over="ignore"):
        ends = 1 / (1 + np.exp(reach - odds)), 1 / (1 + np.exp(-reach - odds))
    return _where_there_is_spread(found, level, ends, (0.0, 1.0))


def difference_interval(found: Jackknife, level: float) -> tuple[Floats, Floats]:
    """The lower and upper end of the interval of differences of two shares at that level: Student's t."""
    reach = _quantile(found, level) * found.se
    ends = np.maximum(found.value - reach, -1.0), np.minimum(found.value + reach, 1.0)
    return _where_there_is_spread(found, level, ends, (-1.0, 1.0))


def p_value(found: Jackknife) -> Floats:
    """Two-sided p of no difference, in accord with ``difference_interval``."""
    from scipy.special import stdtr  # scipy.stats gives the same, and takes a second to import

    size = np.abs(found.value)
    constant = found.se < NO_SPREAD
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stdtr(found.problems - 1, -size / found.se)
    return np.where(constant, np.minimum(1.0, 2 * (1 + size) ** -found.problems), p)


def _quantile(found: Jackknife, level: float) -> Floats:
    from scipy.special import stdtrit

    return np.asarray(stdtrit(found.problems - 1, (1 + level) / 2))


def _where_there_is_spread(
    found: Jackknife, level: float, ends: tuple[Floats, Floats], span: tuple[float, float]
) -> tuple[Floats, Floats]:
    """The ends, but for ratios that every problem gives alike; ``span`` holds all that can be.

    Where there is no spread the jackknife has no width, though other problems
    may differ. The share of problems that differ has the exact upper limit
    1 - (alpha/2)^(1/K) (Clopper and Pearson 1934), and each of them may lie
    anywhere in the span.
    """
    odd = 1 - ((1 - level) / 2) ** (1 / np.maximum(found.problems, 1))
    constant = found.se < NO_SPREAD
    low = np.where(constant, found.value - odd * (found.value - span[0]), ends[0])
    return low, np.where(constant, found.value + odd * (span[1] - found.value), ends[1])


def _with_and_without(gained: Floats, full: Floats) -> tuple[Floats, Floats]:
    """The ratios, and what each is without each problem; nan where nothing is left."""
    total, weight = gained.sum(axis=-1), full.sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        left = weight[..., None] - full
        without = np.where(left > NO_SPREAD, (total[..., None] - gained) / left, np.nan)
        return total / weight, without


def _jackknife(value: Floats, without: Floats, held: npt.NDArray[np.bool_] | np.bool_) -> Jackknife:
    held = np.broadcast_to(held, without.shape)
    problems = held.sum(axis=-1).astype(float)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where(held, without, 0.0).sum(axis=-1) / problems
        squares = np.where(held, without - mean[..., None], 0.0) ** 2
        se = np.sqrt((problems - 1) / problems * squares.sum(axis=-1))
    return Jackknife(value, np.where(problems > 1, se, np.nan), problems)
