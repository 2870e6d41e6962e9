"""Items as authors want to know them: how hard, and whether whoever is better overall is better at them.

A respondent is a model under one protocol and mode, one sample of it. Discrimination is
the corrected item-total correlation: of the share an item earns with the share of marks that the
respondent earns on all *other* subquestions (Pearson's; where the item is met or not, the point-biserial).
Samples of one model are alike, so its interval is by delete-one-model jackknife of Fisher's z, Student's t.

Below ``MIN_RESPONDENTS`` and ``MIN_MODELS`` nothing is claimed: numbers stand, flags don't.
"""

from __future__ import annotations

from typing import cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from grader.score import DIGITS
from grader.stats.columns import CELL
from grader.stats.jackknife import Floats

MIN_RESPONDENTS = 10
"""Fewer say little of an item: 10 of 10 right is 69 % or more (Clopper and Pearson)."""
MIN_MODELS = 5
"""Fewer leave a correlation's interval almost everything."""
_SUB = ["problem_id", "sub_id"]
_RESPONDENT = [*CELL, "sample"]
STATISTICS = [
    *("respondents", "models", "difficulty", "discrimination", "low", "high"),
    *("nobody", "everybody", "negative", "enough"),
]


def subquestion_items(answers: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """One row a subquestion, from the frame of answers; open answers count as what they earn so far.

    Columns: problem_id, sub_id; ``respondents``, ``models``; ``difficulty``, the mean share earned (high
    is easy); ``discrimination`` and its interval ``low``, ``high`` (nan where nothing varies, or
    models are too few); ``alpha_without``, Cronbach's alpha of the other subquestions over respondents who
    answered all (compare ``alpha``); the flags ``nobody`` (earns any of it), ``everybody`` (earns all of
    it) and ``negative`` (the interval is below zero); ``enough``: whether flags may be claimed.
    """
    table = _Table(answers)
    found = table.statistics(table.shares, table.columns, level)
    alone = pd.DataFrame(found, columns=STATISTICS)
    keys = pd.DataFrame(list(table.subquestions), columns=_SUB)
    return pd.concat([keys, alone.assign(alpha_without=alpha_without(table.marks))], axis=1)


def point_items(points: pd.DataFrame, answers: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """One row a node that earns marks by itself, from the frames of points and answers.

    The columns of ``subquestion_items`` but for alpha, with ``point_id``, ``place`` and ``kind``. The item
    is its award where it is decided; the total is over the other subquestions.
    Deductions and vetoes are left out.
    """
    table = _Table(answers)
    own = points[points["shape"].isin(["point", "group"])]
    own = own.sort_values(["problem_id", "position", "place"], kind="stable")
    codes, keys = _factorized(own, [*_SUB, "point_id"])
    values = np.full((len(table.respondents), len(keys)), np.nan)
    respondents = table.respondents.get_indexer(pd.MultiIndex.from_frame(own[_RESPONDENT]))
    values[respondents, codes] = own["award"].to_numpy(float)
    columns = table.subquestions.get_indexer(keys.droplevel(2))
    found = pd.DataFrame(table.statistics(values, columns, level), columns=STATISTICS)
    first = own.iloc[np.unique(codes, return_index=True)[1]]
    named = first[[*_SUB, "point_id", "place", "kind"]].reset_index(drop=True)
    return pd.concat([named, found], axis=1)


def alpha(answers: pd.DataFrame) -> float:
    """Cronbach's alpha of the subquestions over the respondents who answered all; nan if it isn't defined."""
    return _alpha(_complete(_Table(answers).marks))


def _factorized(frame: pd.DataFrame, columns: list[str]) -> tuple[npt.NDArray[np.intp], pd.MultiIndex]:
    """The number of each row's names, and the names by number, in the order they appear."""
    codes, names = pd.MultiIndex.from_frame(frame[columns]).factorize()
    return codes, cast("pd.MultiIndex", names)


class _Table:
    """Marks of respondents (rows) by subquestion (columns); nan where one didn't answer."""

    def __init__(self, answers: pd.DataFrame) -> None:
        answers = answers.sort_values(["problem_id", "position"], kind="stable")
        row, self.respondents = _factorized(answers, _RESPONDENT)
        column, self.subquestions = _factorized(answers, _SUB)
        self.columns = np.arange(len(self.subquestions))
        self.marks = np.full((len(self.respondents), len(self.subquestions)), np.nan)
        self.marks[row, column] = answers["earned"].to_numpy(float)
        full = np.full_like(self.marks, np.nan)
        full[row, column] = answers["full_mark"].to_numpy(float)
        self.shares: Floats = self.marks / full
        self._total, self._full = np.nansum(self.marks, axis=1), np.nansum(full, axis=1)
        self._marks, self._fulls = np.nan_to_num(self.marks), np.nan_to_num(full)
        self._model, names = pd.factorize(self.respondents.get_level_values(0))
        self._models = len(names)

    def statistics(self, items: Floats, columns: npt.NDArray[np.intp], level: float) -> dict[str, object]:
        """Of items [respondents, items], each in its subquestion's column."""
        with np.errstate(divide="ignore", invalid="ignore"):
            left = self._full[:, None] - self._fulls[:, columns]
            rest = np.where(left > 0, (self._total[:, None] - self._marks[:, columns]) / left, np.nan)
        answered = ~np.isnan(items)
        count = answered.sum(axis=0)
        models = self._by_model(answered.astype(float)) > 0
        value, low, high = self._correlation(items, rest, level)
        enough = (count >= MIN_RESPONDENTS) & (models.sum(axis=0) >= MIN_MODELS)
        rounded = np.round(items, DIGITS)
        return {
            "respondents": count,
            "models": models.sum(axis=0),
            "difficulty": np.where(answered, items, 0.0).sum(axis=0) / np.maximum(count, 1),
            "discrimination": value,
            "low": low,
            "high": high,
            "nobody": enough & ~(rounded > 0).any(axis=0),
            "everybody": enough & ~(rounded < 1).any(axis=0),
            "negative": enough & (high < 0),
            "enough": enough,
        }

    def _by_model(self, values: Floats) -> Floats:
        """Sums over each model's respondents: [models, items]."""
        sums = np.zeros((self._models, values.shape[1]))
        np.add.at(sums, self._model, values)
        return sums

    def _correlation(self, items: Floats, rest: Floats, level: float) -> tuple[Floats, Floats, Floats]:
        """Pearson's r of each item with the rest, and its interval."""
        from scipy.stats import t

        held = ~np.isnan(items) & ~np.isnan(rest)
        x, y = np.where(held, items, 0.0), np.where(held, rest, 0.0)
        x = np.where(held, x - x.sum(axis=0) / np.maximum(held.sum(axis=0), 1), 0.0)
        y = np.where(held, y - y.sum(axis=0) / np.maximum(held.sum(axis=0), 1), 0.0)
        parts = [self._by_model(part) for part in (held.astype(float), x, y, x * x, y * y, x * y)]
        value = _pearson(*(part.sum(axis=0) for part in parts))
        with np.errstate(invalid="ignore", divide="ignore"):
            z = np.arctanh(_pearson(*(part.sum(axis=0) - part for part in parts)))
            there = parts[0] > 0
            count = there.sum(axis=0)
            mean = np.where(there, z, 0.0).sum(axis=0) / count
            spread = np.where(there, (z - mean) ** 2, 0.0).sum(axis=0)
            reach = t.ppf((1 + level) / 2, np.maximum(count - 1, 1)) * np.sqrt((count - 1) / count * spread)
            reach = np.where(count >= MIN_MODELS, reach, np.nan)
            return value, np.tanh(np.arctanh(value) - reach), np.tanh(np.arctanh(value) + reach)


_NOTHING = 1e-9


def _pearson(n: Floats, x: Floats, y: Floats, xx: Floats, yy: Floats, xy: Floats) -> Floats:
    """From sums; nan where either doesn't vary."""
    with np.errstate(divide="ignore", invalid="ignore"):
        of_x, of_y = xx - x * x / n, yy - y * y / n
        found = (xy - x * y / n) / np.sqrt(of_x * of_y)
    varies: npt.NDArray[np.bool_] = (of_x > _NOTHING) & (of_y > _NOTHING)
    return np.where(varies, np.clip(found, -1.0, 1.0), np.nan)


def _complete(marks: Floats) -> Floats:
    return marks[~np.isnan(marks).any(axis=1)]


def _alpha(marks: Floats) -> float:
    """Cronbach 1951: k / (k - 1) * (1 - the items' variances by the total's)."""
    respondents, count = marks.shape
    if respondents < 2 or count < 2:
        return float("nan")
    own, whole = float(marks.var(axis=0, ddof=1).sum()), float(marks.sum(axis=1).var(ddof=1))
    return count / (count - 1) * (1 - own / whole) if whole else float("nan")


def alpha_without(marks: Floats) -> Floats:
    """Alpha of the other items, for each item (column) of marks [respondents, items]."""
    marks = _complete(marks)
    respondents, count = marks.shape
    if respondents < 2 or count < 3:
        return np.full(count, np.nan)
    own = marks.var(axis=0, ddof=1)
    whole = (marks.sum(axis=1, keepdims=True) - marks).var(axis=0, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        left = (count - 1) / (count - 2) * (1 - (own.sum() - own) / whole)
    return np.where(whole > 0, left, np.nan)
