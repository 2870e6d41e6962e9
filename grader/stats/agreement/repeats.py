"""Test-retest: the same request asked again. Stability is no validity, but without it there is none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from grader.stats.agreement import additive
from grader.stats.agreement.coefficients import complete, fleiss_kappa, krippendorff_alpha
from grader.stats.agreement.resampling import Additive, Interval, cluster_bootstrap
from grader.stats.jackknife import Floats


@dataclass(frozen=True, slots=True)
class Repeats:
    """How far repeats of one rater agree with each other."""

    items: int
    """Asked at least twice."""
    runs: int
    missing: int
    """Repeats that gave nothing, over all items."""
    incomplete: int
    """Items of which a repeat gave nothing."""
    all_equal: Interval
    """Share of items with the same outcome in all repeats; nothing is an outcome of its own."""
    complete_equal: float | None
    """The same of the items whose repeats all gave a value."""
    fleiss: Interval
    """Fleiss' kappa of the items whose repeats all gave a value."""
    alpha: float | None
    """Krippendorff's, nominal, of the same items."""
    sd: Interval
    """Of the credit within an item: root of the mean variance, repeats that gave nothing left out."""
    entropy: Interval
    """Mean over items of the entropy of outcomes in bits, nothing being one; 0: always the same."""


def repeats(
    values: npt.ArrayLike, cluster: npt.NDArray[np.intp], *, level: float = 0.95, seed: int = 0
) -> Repeats | None:
    """Of values [items, runs], nan where a repeat gave nothing; intervals by problems ``cluster`` [items].

    The first run must be of all items; None where nothing was asked twice.
    """
    matrix = np.asarray(values, float)
    if matrix.ndim != 2 or matrix.shape[1] < 2 or len(matrix) == 0:
        return None
    held = complete(matrix)
    counts = _outcomes(matrix)
    share = counts / counts.sum(axis=1, keepdims=True)
    same = (counts > 0).sum(axis=1) == 1
    bits = -(share * np.log2(np.where(share > 0, share, 1.0))).sum(axis=1)
    statistics = [
        additive.ratio(same.astype(float)),
        additive.fleiss_kappa(matrix),
        _spread(matrix),
        additive.ratio(bits),
    ]
    equal, fleiss, sd, entropy = cluster_bootstrap(statistics, cluster, level=level, seed=seed)
    return Repeats(
        items=len(matrix),
        runs=matrix.shape[1],
        missing=int(np.isnan(matrix).sum()),
        incomplete=len(matrix) - len(held),
        all_equal=equal,
        complete_equal=float((held == held[:, :1]).all(axis=1).mean()) if len(held) else None,
        fleiss=_with_value(fleiss, fleiss_kappa(held)),
        alpha=krippendorff_alpha(held),
        sd=sd,
        entropy=entropy,
    )


def _outcomes(matrix: Floats) -> Floats:
    """How often each outcome came [items, outcomes], nothing the last of them."""
    values = np.unique(matrix[~np.isnan(matrix)])
    counts = (matrix[..., None] == values).sum(axis=1)
    return np.column_stack([counts, np.isnan(matrix).sum(axis=1)]).astype(float)


def _spread(matrix: Floats) -> Additive:
    """The root of the mean within-item variance of the items with two or more values."""
    runs = (~np.isnan(matrix)).sum(axis=1)
    mean = np.nansum(matrix, axis=1) / np.maximum(runs, 1)
    squares = np.nansum((matrix - mean[:, None]) ** 2, axis=1)
    within = np.where(runs > 1, squares / np.maximum(runs - 1, 1), np.nan)
    variance = additive.ratio(within)

    def of(sums: Floats) -> Floats:
        found: Floats = np.sqrt(variance.of(sums))
        return found

    return Additive(variance.parts, of)


def _with_value(one: Interval, value: float | None) -> Interval:
    """The library's value with the interval of its resamples."""
    return Interval(value, one.low, one.high, one.se, one.problems, one.undefined, one.resamples, one.level)
