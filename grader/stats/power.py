"""What could have been found at this size."""

from __future__ import annotations

from functools import lru_cache
from math import sqrt


def detectable(se: float, problems: int, *, level: float = 0.95, power: float = 0.8) -> float:
    """The smallest true difference that a two-sided t test at this size finds with that power.

    ``se`` is the standard error of the difference over that many problems (at
    least 2); the power is that of the noncentral t with problems - 1 degrees of freedom.
    """
    return se * _noncentrality(problems, round(1 - level, 12), power)


@lru_cache
def _noncentrality(problems: int, alpha: float, power: float) -> float:
    """The smallest difference in standard errors."""
    from statsmodels.stats.power import TTestPower

    effect = TTestPower().solve_power(nobs=problems, alpha=alpha, power=power, alternative="two-sided")
    return float(effect) * sqrt(problems)
