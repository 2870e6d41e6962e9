"""What could have been found at this size."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from grader.stats.jackknife import Floats

_NODES = 200
_HALVINGS = 60


def detectable(se: float, problems: int, *, level: float = 0.95, power: float = 0.8) -> float:
    """The smallest true difference that a two-sided t test at this size finds with that power.

    ``se`` is the standard error of the difference over that many problems (at
    least 2); the power is that of the noncentral t with problems - 1 degrees of freedom.
    """
    return se * _noncentrality(problems, round(1 - level, 12), power)


@lru_cache
def _noncentrality(problems: int, alpha: float, power: float) -> float:
    """The smallest difference in standard errors.

    T is (Z + difference) / W with Z normal and df W^2 of chi-squared with df degrees of freedom, so its
    power is the mean over W of what a normal test has, here over W's quantiles. Libraries' noncentral
    t fails at one or two degrees of freedom.
    """
    from scipy.special import gammaincinv, ndtr, stdtrit

    df = problems - 1
    limit = float(stdtrit(df, 1 - alpha / 2))
    nodes, weights = _legendre()
    spread = limit * np.sqrt(2 / df * gammaincinv(df / 2, (nodes + 1) / 2))
    low, high = 0.0, 8 * limit + 8
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        found = weights / 2 @ (ndtr(middle - spread) + ndtr(-middle - spread))
        low, high = (middle, high) if found < power else (low, middle)
    return high


@lru_cache
def _legendre() -> tuple[Floats, Floats]:
    """Nodes and weights, the slow part of a test's power."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return np.asarray(nodes), np.asarray(weights)
