"""Shares with exact or Wilson limits, and standard errors of a mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from grader.stats.agreement.resampling import cluster_sums


@dataclass(frozen=True, slots=True)
class Share:
    """A share with its interval, items taken as independent."""

    hits: int
    n: int
    value: float | None
    low: float | None
    high: float | None


def share(hits: int, n: int, *, level: float = 0.95, method: Literal["wilson", "exact"] = "wilson") -> Share:
    """A share and its limits after Wilson (1927), or exactly after Clopper and Pearson (1934); by scipy."""
    if n == 0:
        return Share(0, 0, None, None, None)
    from scipy.stats import binomtest

    ends = binomtest(hits, n).proportion_ci(level, method)
    return Share(hits, n, hits / n, float(ends.low), float(ends.high))


def independent_se(values: npt.ArrayLike) -> float | None:
    """The standard error of a mean of independent values; None of fewer than two."""
    given = np.asarray(values, float)
    return float(given.std(ddof=1) / np.sqrt(len(given))) if len(given) > 1 else None


def clustered_se(values: npt.ArrayLike, cluster: npt.NDArray[np.intp]) -> float | None:
    """The cluster-robust standard error of a mean, CR1 (Liang and Zeger 1986); None of one cluster.

    sqrt(G / (G - 1) sum over clusters of (sum of deviations)^2) / n: statsmodels' of a
    regression on a constant.
    """
    given = np.asarray(values, float)
    _, place = np.unique(cluster, return_inverse=True)
    groups = int(place.max(initial=-1)) + 1
    if groups < 2:
        return None
    sums = cluster_sums((given - given.mean())[:, None], place)[:, 0]
    return float(np.sqrt(groups / (groups - 1) * (sums**2).sum()) / len(given))
