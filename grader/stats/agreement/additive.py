"""Coefficients of agreement as functions of sums over items, for the bootstrap.

The values are those of ``coefficients``, to rounding: a test holds them to each
other. Here they are vectorised over resamples, which no library does.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from grader.stats.agreement.resampling import Additive
from grader.stats.jackknife import NO_SPREAD, Floats


def _over(top: Floats, bottom: Floats) -> Floats:
    """A quotient, nan where there is nothing to divide by."""
    found: Floats = np.where(np.abs(bottom) < NO_SPREAD, np.nan, top / bottom)
    return found


def ratio(top: npt.ArrayLike, bottom: npt.ArrayLike | float = 1.0) -> Additive:
    """The sum of one by that of the other; an item without a value (nan) in either doesn't count."""
    above, below = np.broadcast_arrays(np.asarray(top, float), np.asarray(bottom, float))
    parts = np.stack([above, below], axis=1)
    parts = np.where(np.isnan(parts).any(axis=1, keepdims=True), 0.0, parts)
    return Additive(parts, lambda sums: _over(sums[..., 0], sums[..., 1]))


def agreement(first: npt.ArrayLike, second: npt.ArrayLike) -> Additive:
    """Share of items with the same value on both sides; nan: doesn't count."""
    one, two, known = _pair(first, second)
    return ratio(np.where(known, one == two, np.nan))


def cohen_kappa(first: npt.ArrayLike, second: npt.ArrayLike) -> Additive:
    """Cohen's kappa; an item with nan on either side doesn't count."""
    return _kappa(*_table(first, second))


def _kappa(table: Floats, levels: int) -> Additive:
    """Of tables [items, levels x levels]."""

    def of(sums: Floats) -> Floats:
        counts = sums.reshape(*sums.shape[:-1], levels, levels)
        n = counts.sum(axis=(-1, -2))
        equal = np.einsum("...ii->...", counts) / n
        chance = (counts.sum(axis=-1) * counts.sum(axis=-2)).sum(axis=-1) / n**2
        return _over(equal - chance, 1 - chance)

    return Additive(table, of)


def pair_kappa(crowd: npt.ArrayLike) -> Additive:
    """Cohen's kappa over all pairs of people on an item, each item weighing 1; margins are those of both.

    ``crowd`` [items, people], whoever they are: whose pairs change from item to item can't be told apart.
    """
    counts, people = _counts(np.asarray(crowd, float))
    ordered = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(counts.shape[1])
    pairs = np.maximum(people * (people - 1), 1)[:, None, None]
    return _kappa((ordered / pairs).reshape(len(counts), -1), counts.shape[1])


def crowd_kappa(rater: npt.ArrayLike, crowd: npt.ArrayLike) -> Additive:
    """Cohen's kappa of one rater with single people, over all pairs on an item, each item weighing 1.

    Comparable with ``pair_kappa``, which kappa against the majority of several people is not.
    """
    one, people = np.asarray(rater, float), np.asarray(crowd, float)
    many = np.where(np.isnan(one)[:, None], np.nan, people)
    values = np.unique(np.concatenate([one[~np.isnan(one)], many[~np.isnan(many)]]))
    share = (many[..., None] == values).sum(axis=1).astype(float)
    share /= np.maximum(share.sum(axis=1, keepdims=True), 1)
    own = (one[:, None] == values).astype(float)
    table = (own[:, :, None] * share[:, None, :]).reshape(len(one), -1)
    return _kappa(table, max(len(values), 1))


def mcc(first: npt.ArrayLike, second: npt.ArrayLike) -> Additive:
    """Matthews' correlation of several categories (Gorodkin 2004); nan doesn't count."""
    table, levels = _table(first, second)

    def of(sums: Floats) -> Floats:
        counts = sums.reshape(*sums.shape[:-1], levels, levels)
        n = counts.sum(axis=(-1, -2))
        rows, columns = counts.sum(axis=-1), counts.sum(axis=-2)
        top = n * np.einsum("...ii->...", counts) - (rows * columns).sum(axis=-1)
        bottom = (n**2 - (rows**2).sum(axis=-1)) * (n**2 - (columns**2).sum(axis=-1))
        return _over(top, np.sqrt(bottom))

    return Additive(table, of)


def quadratic_kappa(first: npt.ArrayLike, second: npt.ArrayLike) -> Additive:
    """Quadratic kappa of the values; nan doesn't count."""
    one, two, known = _pair(first, second)
    parts = np.stack([np.ones_like(one), one, two, one**2 + two**2, (one - two) ** 2], axis=1)

    def of(sums: Floats) -> Floats:
        n, x, y, squares, apart = np.moveaxis(sums, -1, 0)
        # n times what would be expected of independent raters with these means and spreads
        expected = squares - 2 * x * y / n
        found: Floats = 1 - _over(apart, expected)
        return found

    return Additive(np.where(known[:, None], parts, 0.0), of)


def pearson(first: npt.ArrayLike, second: npt.ArrayLike) -> Additive:
    """Pearson's correlation, of values 0 and 1 phi; nan doesn't count. Undefined where a side is constant."""
    one, two, known = _pair(first, second)
    parts = np.stack([np.ones_like(one), one, two, one**2, two**2, one * two], axis=1)

    def of(sums: Floats) -> Floats:
        x, y, xx, yy, xy = np.moveaxis(sums[..., 1:] / sums[..., :1], -1, 0)
        spread = np.maximum((xx - x**2) * (yy - y**2), 0.0)
        return _over(xy - x * y, np.sqrt(np.where(spread > NO_SPREAD, spread, 0.0)))

    return Additive(np.where(known[:, None], parts, 0.0), of)


def fleiss_kappa(ratings: npt.ArrayLike) -> Additive:
    """Fleiss' kappa; items that a rater left out don't count."""
    matrix = np.asarray(ratings, float)
    matrix = np.where(np.isnan(matrix).any(axis=1, keepdims=True), np.nan, matrix)
    counts, raters = _counts(matrix)
    pairs = _agreeing(counts, raters)

    def of(sums: Floats) -> Floats:
        given = sums[..., 1:]
        total = given.sum(axis=-1, keepdims=True)
        chance = ((given / total) ** 2).sum(axis=-1)
        items = total[..., 0] / matrix.shape[1]
        return _over(sums[..., 0] / items - chance, 1 - chance)

    return Additive(np.column_stack([pairs, counts]), of)


def krippendorff_alpha(ratings: npt.ArrayLike, level: Literal["nominal", "interval"] = "nominal") -> Additive:
    """Krippendorff's alpha; items with one rating don't count."""
    matrix = np.asarray(ratings, float)
    matrix = np.where((~np.isnan(matrix)).sum(axis=1, keepdims=True) > 1, matrix, np.nan)
    return _nominal_alpha(matrix) if level == "nominal" else _interval_alpha(matrix)


def _nominal_alpha(matrix: Floats) -> Additive:
    counts, raters = _counts(matrix)
    apart = (raters**2 - (counts**2).sum(axis=1)) / np.maximum(raters - 1, 1)

    def of(sums: Floats) -> Floats:
        given = sums[..., 1:]
        n = given.sum(axis=-1)
        found: Floats = 1 - (n - 1) * _over(sums[..., 0], n**2 - (given**2).sum(axis=-1))
        return found

    return Additive(np.column_stack([apart, counts]), of)


def _interval_alpha(matrix: Floats) -> Additive:
    raters = (~np.isnan(matrix)).sum(axis=1).astype(float)
    total, squares = np.nansum(matrix, axis=1), np.nansum(matrix**2, axis=1)
    apart = 2 * (raters * squares - total**2) / np.maximum(raters - 1, 1)

    def of(sums: Floats) -> Floats:
        differing, n, x, xx = np.moveaxis(sums, -1, 0)
        found: Floats = 1 - (n - 1) * _over(differing, 2 * (n * xx - x**2))
        return found

    return Additive(np.column_stack([apart, raters, total, squares]), of)


def gwet_ac1(ratings: npt.ArrayLike, *, categories: int | None = None) -> Additive:
    """Gwet's AC1; see ``coefficients.gwet_ac1`` for items with few ratings and for ``categories``."""
    counts, raters = _counts(np.asarray(ratings, float))
    levels = max(categories or 0, counts.shape[1], 2)
    share = counts / np.maximum(raters, 1)[:, None]

    def of(sums: Floats) -> Floats:
        pairs, several = sums[..., 0], sums[..., 1]
        prevalence = sums[..., 2:] / sums[..., 2:].sum(axis=-1, keepdims=True)
        chance = (prevalence * (1 - prevalence)).sum(axis=-1) / (levels - 1)
        return _over(_over(pairs, several) - chance, 1 - chance)

    return Additive(np.column_stack([_agreeing(counts, raters), raters > 1, share]), of)


def _agreeing(counts: Floats, raters: Floats) -> Floats:
    """Share of an item's pairs of ratings that agree; 0 where it has no pair."""
    found: Floats = (counts * (counts - 1)).sum(axis=1) / np.maximum(raters * (raters - 1), 1)
    return found


def _counts(matrix: Floats) -> tuple[Floats, Floats]:
    """How many raters gave each value that occurs [items, values], and how many gave any [items]."""
    values = np.unique(matrix[~np.isnan(matrix)])
    counts = (matrix[..., None] == values).sum(axis=1).astype(float)
    return counts, counts.sum(axis=1)


def _pair(first: npt.ArrayLike, second: npt.ArrayLike) -> tuple[Floats, Floats, npt.NDArray[np.bool_]]:
    """Both sides, 0 where either has no value, and where both have one."""
    one, two = np.asarray(first, float), np.asarray(second, float)
    known = ~(np.isnan(one) | np.isnan(two))
    return np.where(known, one, 0.0), np.where(known, two, 0.0), known


def _table(first: npt.ArrayLike, second: npt.ArrayLike) -> tuple[Floats, int]:
    """Each item's cell of the square table of both sides' values, flat; and how many values there are."""
    one, two, known = _pair(first, second)
    values = np.unique(np.concatenate([one[known], two[known]]))
    levels = max(len(values), 1)
    cell = np.searchsorted(values, one) * levels + np.searchsorted(values, two)
    table = (cell[:, None] == np.arange(levels**2)) & known[:, None]
    return table.astype(float), levels
