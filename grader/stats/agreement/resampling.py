"""Cluster bootstrap of many statistics at once: problems are drawn with replacement, as whole problems.

A statistic that is a function of sums over items needs its sums by problem
only: a resample is a vector of how often each problem was drawn, and all
resamples of all statistics are one product of matrices. All see the same draws, so
differences of two of them are paired.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from grader.stats.jackknife import NO_SPREAD, Floats

RESAMPLES = 2000
AT_ONCE = 4_000_000
"""Numbers that are drawn together: 32 MB."""
MOST_UNDEFINED = 0.05
"""Share of resamples without a value above which no interval is given."""


@dataclass(frozen=True, slots=True)
class Additive:
    """A statistic of sums over items."""

    parts: Floats
    """[items, parts], what each item adds; a row of zeros where an item doesn't count."""
    of: Callable[[Floats], Floats]
    """[..., parts] summed -> [...]; nan where it is undefined."""

    def value(self) -> float | None:
        """Over all items."""
        with np.errstate(divide="ignore", invalid="ignore"):
            found = float(self.of(self.parts.sum(axis=0)))
        return None if np.isnan(found) else found

    def minus(self, other: Additive) -> Additive:
        """The difference of two statistics of the same items."""
        width = self.parts.shape[1]
        return Additive(
            np.hstack([self.parts, other.parts]),
            lambda sums: self.of(sums[..., :width]) - other.of(sums[..., width:]),
        )


@dataclass(frozen=True, slots=True)
class Interval:
    """A statistic and its interval for problems like these."""

    value: float | None
    low: float | None
    """None where there is no interval: one problem, no spread, or often undefined."""
    high: float | None
    se: float | None
    problems: int
    """Those with an item that counts."""
    undefined: int
    """Resamples without a value, left out."""
    resamples: int
    level: float


def mean_of(statistics: Sequence[Additive]) -> Additive:
    """The mean of several statistics of the same items; undefined where one of them is."""
    widths = np.cumsum([one.parts.shape[1] for one in statistics])[:-1]

    def of(sums: Floats) -> Floats:
        parts = np.split(sums, widths, axis=-1)
        found: Floats = np.mean([one.of(part) for one, part in zip(statistics, parts, strict=True)], axis=0)
        return found

    return Additive(np.hstack([one.parts for one in statistics]), of)


def cluster_sums(parts: npt.ArrayLike, cluster: npt.NDArray[np.intp]) -> Floats:
    """Sums by cluster [clusters, parts] of parts [items, parts]; ``cluster`` [items] counts from 0."""
    values = np.asarray(parts, float)
    sums = np.zeros((int(cluster.max(initial=-1)) + 1, values.shape[1]))
    np.add.at(sums, cluster, values)
    return sums


def draws(clusters: int, resamples: int, rng: np.random.Generator) -> Floats:
    """How often each cluster is in each resample: [resamples, clusters]."""
    drawn = rng.integers(clusters, size=(resamples, clusters))
    flat = (drawn + clusters * np.arange(resamples)[:, None]).ravel()
    counts = np.bincount(flat, minlength=resamples * clusters)
    return counts.reshape(resamples, clusters).astype(float)


def cluster_bootstrap(
    statistics: Sequence[Additive],
    cluster: npt.NDArray[np.intp],
    *,
    level: float = 0.95,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> list[Interval]:
    """An interval for each statistic, by expanded percentiles of the same resamples.

    Percentiles are those of Student's t instead of the normal (Hesterberg,
    Am. Stat. 69 (2015) 371, section 3.3): plain percentiles are too narrow for few problems.
    """
    if not statistics:
        return []
    used = np.zeros(len(cluster), bool)
    for one in statistics:
        used |= (one.parts != 0).any(axis=1)
    _, place = np.unique(cluster[used], return_inverse=True)
    sums = cluster_sums(np.hstack([one.parts[used] for one in statistics]), place)
    widths = np.cumsum([one.parts.shape[1] for one in statistics])[:-1]
    found = _resampled(statistics, sums, widths, resamples, np.random.default_rng(seed))
    held = [int((part != 0).any(axis=1).sum()) for part in np.split(sums, widths, axis=1)]
    return [
        _interval(one.value(), values, problems, level)
        for one, values, problems in zip(statistics, found, held, strict=True)
    ]


def _resampled(
    statistics: Sequence[Additive],
    sums: Floats,
    widths: npt.NDArray[np.intp],
    resamples: int,
    rng: np.random.Generator,
) -> Floats:
    """[statistics, resamples]."""
    clusters = len(sums)
    if clusters < 2:
        return np.full((len(statistics), 0), np.nan)
    size = max(1, AT_ONCE // clusters)
    found = []
    for start in range(0, resamples, size):
        drawn = draws(clusters, min(size, resamples - start), rng) @ sums
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = np.split(drawn, widths, axis=1)
            found.append(np.array([one.of(part) for one, part in zip(statistics, parts, strict=True)]))
    return np.concatenate(found, axis=1)


def _interval(value: float | None, values: Floats, problems: int, level: float) -> Interval:
    resamples = len(values)
    defined = values[~np.isnan(values)]
    undefined = resamples - len(defined)
    none = Interval(value, None, None, None, problems, undefined, resamples, level)
    if value is None or problems < 2 or resamples == 0 or undefined > MOST_UNDEFINED * resamples:
        return none
    if np.ptp(defined) < NO_SPREAD:
        return none
    low, high = np.quantile(defined, expanded(problems, level))
    se = float(defined.std(ddof=1))
    return Interval(value, float(low), float(high), se, problems, undefined, resamples, level)


def expanded(clusters: int, level: float) -> tuple[float, float]:
    """The two shares of resamples at which an interval of so many clusters ends."""
    from scipy.special import ndtr, stdtrit

    reach = np.sqrt(clusters / (clusters - 1)) * stdtrit(clusters - 1, (1 + level) / 2)
    low = float(ndtr(-reach))
    return low, 1 - low
