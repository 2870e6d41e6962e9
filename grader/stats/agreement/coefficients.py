"""Coefficients of agreement, by libraries where one has them: the values that are printed.

Pairs are two arrays [items] without gaps; matrices are [items, raters], nan
where a rater gave nothing. None stands for what is undefined, never 0 or 1:
a coefficient that corrects for chance is 0/0 where everybody gave the same value throughout.
"""

from __future__ import annotations

from itertools import combinations
from typing import Literal

import numpy as np
import numpy.typing as npt

from grader.stats.jackknife import NO_SPREAD, Floats

Level = Literal["nominal", "ordinal", "interval"]


def cohen_kappa(first: npt.ArrayLike, second: npt.ArrayLike) -> float | None:
    """Cohen's kappa over the values as unordered categories (Cohen 1960), by scikit-learn."""
    one, two, levels = _coded(first, second)
    if levels < 2:
        return None
    from sklearn.metrics import cohen_kappa_score

    return float(cohen_kappa_score(one, two))


def quadratic_kappa(first: npt.ArrayLike, second: npt.ArrayLike) -> float | None:
    """Weighted kappa with squared differences of the values themselves (Fleiss and Cohen 1973).

    1 - E(x - y)^2 / (var x + var y + (mean x - mean y)^2). Of whole marks it is
    scikit-learn's ``weights="quadratic"`` with all levels as labels; that one takes
    ranks among the levels that occur for distances, so it depends on which do.
    """
    one, two = _pair(first, second)
    if len(one) == 0:
        return None
    expected = one.var() + two.var() + (one.mean() - two.mean()) ** 2
    return None if expected < NO_SPREAD else float(1 - np.mean((one - two) ** 2) / expected)


def mcc(first: npt.ArrayLike, second: npt.ArrayLike) -> float | None:
    """Matthews' correlation, of several categories too (Gorodkin 2004), by scikit-learn.

    None where either side gave one value throughout; scikit-learn says 0 there.
    """
    one, two, _ = _coded(first, second)
    if len(one) == 0 or min(np.ptp(one), np.ptp(two)) == 0:
        return None
    from sklearn.metrics import matthews_corrcoef

    return float(matthews_corrcoef(one, two))


def fleiss_kappa(ratings: npt.ArrayLike) -> float | None:
    """Fleiss' kappa (1971) of the items that every rater rated, by statsmodels."""
    matrix = complete(ratings)
    values, codes = np.unique(matrix, return_inverse=True)
    if len(values) < 2 or matrix.shape[1] < 2:
        return None
    from statsmodels.stats.inter_rater import fleiss_kappa as by_statsmodels

    counts = (codes.reshape(matrix.shape)[..., None] == np.arange(len(values))).sum(axis=1)
    return float(by_statsmodels(counts))


def krippendorff_alpha(ratings: npt.ArrayLike, level: Level = "nominal") -> float | None:
    """Krippendorff's alpha (2011), items with one rating left out, by the library krippendorff."""
    matrix = _matrix(ratings)
    held = matrix[(~np.isnan(matrix)).sum(axis=1) > 1]
    if len(np.unique(held[~np.isnan(held)])) < 2:
        return None
    from krippendorff import alpha

    return float(alpha(reliability_data=held.T, level_of_measurement=level))


def gwet_ac1(ratings: npt.ArrayLike, *, categories: int | None = None) -> float | None:
    """Gwet's AC1 (2008) of two or more raters, also where some items lack ratings.

    (pa - pe) / (1 - pe): pa the mean over items with two or more ratings of the share of agreeing
    pairs, pe = sum over categories of p(1 - p) / (q - 1), p the mean share of ratings
    in it. q is ``categories``, else how many occur, and never below 2: a
    verdict could have been another one.
    """
    matrix = _matrix(ratings)
    known = ~np.isnan(matrix)
    raters = known.sum(axis=1)
    values = np.unique(matrix[known])
    if not (raters > 1).any():
        return None
    counts = (matrix[..., None] == values).sum(axis=1)[raters > 0]
    raters = raters[raters > 0]
    several = raters > 1
    pairs = (counts * (counts - 1)).sum(axis=1)[several] / (raters * (raters - 1))[several]
    prevalence = (counts / raters[:, None]).mean(axis=0)
    levels = max(categories or 0, len(values), 2)
    chance = (prevalence * (1 - prevalence)).sum() / (levels - 1)
    return float((pairs.mean() - chance) / (1 - chance))


def pairwise_kappa(ratings: npt.ArrayLike) -> dict[tuple[int, int], float | None]:
    """Cohen's kappa of every two raters (columns) over the items that both rated."""
    matrix = _matrix(ratings)
    found = {}
    for one, two in combinations(range(matrix.shape[1]), 2):
        both = complete(matrix[:, [one, two]])
        found[one, two] = cohen_kappa(both[:, 0], both[:, 1])
    return found


def complete(ratings: npt.ArrayLike) -> Floats:
    """The rows of a matrix without a gap."""
    matrix = _matrix(ratings)
    rows: Floats = matrix[~np.isnan(matrix).any(axis=1)]
    return rows


def _matrix(ratings: npt.ArrayLike) -> Floats:
    matrix = np.asarray(ratings, float)
    if matrix.ndim != 2:
        raise ValueError(f"ratings are [items, raters], not of {matrix.ndim} dimensions")
    return matrix


def _pair(first: npt.ArrayLike, second: npt.ArrayLike) -> tuple[Floats, Floats]:
    one, two = np.asarray(first, float), np.asarray(second, float)
    if one.shape != two.shape or one.ndim != 1:
        raise ValueError(f"two arrays of the same items are compared, not {one.shape} with {two.shape}")
    if np.isnan(one).any() or np.isnan(two).any():
        raise ValueError("pairs with a missing value are left out and counted before they are compared")
    return one, two


def _coded(
    first: npt.ArrayLike, second: npt.ArrayLike
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], int]:
    """Both as positions among the values that occur, and how many do."""
    one, two = _pair(first, second)
    values, codes = np.unique(np.concatenate([one, two]), return_inverse=True)
    return codes[: len(one)], codes[len(one) :], len(values)
