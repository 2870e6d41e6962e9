"""Verdicts that change where they must not, and stay where they must change: rates, bounds, tests, power.

A judge that is asked the same twice flips by itself now and then. So a
rewriting is charged only with the flips that a plain repeat doesn't have:
McNemar's exact test (1947) on what flipped under one of the two alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from grader.stats.jackknife import Floats, Jackknife, difference_interval, p_value, ratio

Flags = npt.NDArray[np.bool_]

_NEGLIGIBLE = 1e-12
"""Numbers of discordant pairs less likely than this are left out of a power."""
_HALVINGS = 40


@dataclass(frozen=True, slots=True)
class Flips:
    """Flips of the same pairs under a plain repeat and under a rewriting."""

    n: int
    transformed: int
    repeated: int
    only_transformed: int
    only_repeated: int
    p: float
    """Two-sided, exact."""

    @property
    def rate(self) -> float:
        """Share flipped by the rewriting: q1."""
        return self.transformed / self.n

    @property
    def base(self) -> float:
        """Share flipped by asking again: q0."""
        return self.repeated / self.n


@dataclass(frozen=True, slots=True)
class Shift:
    """A mean over pairs weighted by what they are worth, and its interval with problems as clusters."""

    value: float
    low: float | None
    """None with one problem; where all problems give the same value the ends are exact limits."""
    high: float | None
    problems: int
    p: float | None


def flips(repeat_flipped: Flags, transform_flipped: Flags) -> Flips:
    """Count flips of the same pairs; both arrays [pairs], at least one pair (else ValueError)."""
    if not len(repeat_flipped) or repeat_flipped.shape != transform_flipped.shape:
        raise ValueError("flips need the same pairs, and at least one, on both sides")
    only_transformed = int((transform_flipped & ~repeat_flipped).sum())
    only_repeated = int((repeat_flipped & ~transform_flipped).sum())
    return Flips(
        len(repeat_flipped),
        int(transform_flipped.sum()),
        int(repeat_flipped.sum()),
        only_transformed,
        only_repeated,
        mcnemar(only_transformed, only_repeated),
    )


def mcnemar(one: int, other: int) -> float:
    """Exact two-sided p of as many discordant pairs each way (McNemar 1947); 1 without any.

    The binomial test of one half, by scipy: statsmodels' is the same, as a test says, and takes
    longer to import.
    """
    from scipy.special import bdtr

    discordant = one + other
    return min(1.0, 2 * float(bdtr(min(one, other), discordant, 0.5))) if discordant else 1.0


def upper_bound(count: int, n: int, level: float = 0.95) -> float:
    """The one-sided upper bound of a share at that level (Clopper and Pearson 1934)."""
    from scipy.special import betaincinv

    return 1.0 if count >= n else float(betaincinv(count + 1, n - count, level))


def lower_bound(count: int, n: int, level: float = 0.95) -> float:
    """The one-sided lower bound of a share at that level (Clopper and Pearson 1934)."""
    from scipy.special import betaincinv

    return 0.0 if count <= 0 else float(betaincinv(count, n - count + 1, 1 - level))


def exceeds(count: int, n: int, share: float) -> float:
    """One-sided exact binomial p of a true share no larger than ``share``."""
    from scipy.special import bdtrc

    return float(bdtrc(count - 1, n, share)) if count else 1.0


def shift(change: Floats, points: Floats, problem: Sequence[str], level: float = 0.95) -> Shift:
    """The mean change of credit, weighted by points: all [pairs], at least one (else ValueError).

    Delete-one-problem jackknife, Student's t: pairs of one problem stand or fall together.
    """
    if not len(change):
        raise ValueError("a shift needs at least one pair")
    names, index = np.unique(np.asarray(problem), return_inverse=True)
    gained: Floats = np.bincount(index, weights=change * points, minlength=len(names)).astype(np.float64)
    full: Floats = np.bincount(index, weights=points, minlength=len(names)).astype(np.float64)
    found: Jackknife = ratio(gained, full)
    low, high = difference_interval(found, level)
    return Shift(float(found.value), _known(low), _known(high), int(found.problems), _known(p_value(found)))


def _known(number: Floats) -> float | None:
    return None if np.isnan(number) else float(number)


# Power


@lru_cache(maxsize=4096)
def power(n: int, base: float, raised: float, level: float = 0.95) -> float:
    """The power of ``flips`` to find a rise of the flip rate from ``base`` to ``raised`` over n pairs.

    Flips under repeat and rewriting are independent of each other. Exact: the
    sum over the number of discordant pairs. (200, .03, .13) gives .956, (200,
    .03, .08) .518, (400, .03, .08) .856.
    """
    from scipy.special import bdtr

    up, down = raised * (1 - base), base * (1 - raised)
    if up + down <= 0:
        return 0.0
    sizes = np.arange(1, n + 1)
    weights = _binomial(sizes, n, up + down)
    kept = weights > _NEGLIGIBLE
    sizes, weights = sizes[kept], weights[kept]
    limits = np.array([_critical(int(size), 1 - level) for size in sizes])
    others = bdtr(np.maximum(limits - 1, 0), sizes, down / (up + down))
    found = np.where(limits > 0, others, 0.0)
    return float(weights @ found)


def _binomial(count: npt.NDArray[np.intp], n: int, share: float) -> Floats:
    from scipy.special import gammaln, xlog1py, xlogy

    ways = gammaln(n + 1) - gammaln(count + 1) - gammaln(n - count + 1)
    chance: Floats = np.exp(ways + xlogy(count, share) + xlog1py(n - count, -share))
    return chance


@lru_cache(maxsize=65536)
def _critical(discordant: int, alpha: float) -> int:
    """From how many discordant pairs pointing the other way on p exceeds alpha; 0: always."""
    from scipy.special import bdtr

    others = np.arange(discordant // 2 + 1)
    return int((2 * bdtr(others, discordant, 0.5) <= alpha + 1e-15).sum())


def detectable_rise(n: int, base: float, *, level: float = 0.95, power_wanted: float = 0.8) -> float | None:
    """The smallest rise over a base flip rate that n pairs find with that power; None if none is."""
    low, high = base, 1.0
    if power(n, base, high, level) < power_wanted:
        return None
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        found = power(n, base, middle, level) >= power_wanted
        low, high = (low, middle) if found else (middle, high)
    return high - base


def detectable_share(
    n: int, tolerated: float, *, level: float = 0.95, power_wanted: float = 0.8
) -> float | None:
    """The smallest true share that ``exceeds`` finds to be above a tolerated one with that power, over n."""
    from scipy.special import bdtrc

    counts = np.arange(n + 1)
    enough = np.flatnonzero([exceeds(int(count), n, tolerated) <= 1 - level for count in counts])
    if not len(enough):
        return None
    limit = int(enough[0])
    low, high = tolerated, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        found = float(bdtrc(limit - 1, n, middle)) >= power_wanted
        low, high = (low, middle) if found else (middle, high)
    return high
