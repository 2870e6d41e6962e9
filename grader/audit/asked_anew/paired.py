"""The same answers before a judge in two variants: what each point got, and whether one is given more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from grader.audit.result import Case, Measure
from grader.stats.flips import detectable_rise, flips, mcnemar, shift, upper_bound
from grader.stats.jackknife import NO_SPREAD, Floats, difference_interval, p_value, ratio
from grader.stats.multiple import holm
from grader.stats.power import detectable

SAME = 1e-9
"""Awards closer than this are one verdict."""
KEY = ["answer", "point_id"]
_KEPT = ["problem_id", "where", "marks", "points", "place", "credit", "said", "keys"]


def beside(frame: pd.DataFrame, first: str, second: str) -> pd.DataFrame:
    """The points of two variants side by side, columns with ``_1`` and ``_2``; those of both only."""
    one, two = (frame.loc[frame["variant"] == name, [*KEY, *_KEPT]] for name in (first, second))
    return one.merge(two, on=KEY, suffixes=("_1", "_2"))


def decided(pairs: pd.DataFrame) -> pd.DataFrame:
    """The points that have a verdict in both variants, with ``change``: credit of the second minus first."""
    kept = pairs[pairs["credit_1"].notna() & pairs["credit_2"].notna()]
    return kept.assign(change=kept["credit_2"] - kept["credit_1"])


def by_answer(points: pd.DataFrame) -> pd.DataFrame:
    """The change of each answer as a share of its marks: columns answer, problem_id, change."""
    weighed = points.assign(gained=points["change"] * points["marks_1"])
    sums = weighed.groupby("answer", sort=True).agg(
        problem_id=("problem_id_1", "first"), gained=("gained", "sum"), marks=("marks_1", "sum")
    )
    return sums.assign(change=sums["gained"] / sums["marks"]).reset_index()


def left_open(pairs: pd.DataFrame, name: str, of: str) -> Iterator[Measure]:
    """The share of points decided in the first variant that the second leaves undetermined; none if none."""
    known = pairs[pairs["credit_1"].notna()]
    count = int(known["credit_2"].isna().sum())
    if count:
        problems = int(known["problem_id_1"].nunique())
        yield Measure(name, count / len(known), "share", of, n=len(known), problems=problems)


def moved(rows: pd.DataFrame, name: str, of: str, level: float, family: int = 1) -> Measure:
    """How many more answers gain than lose, of rows with problem_id and change.

    McNemar's exact test (1947) of gains against losses; the interval is that of
    the mean change, problems as clusters. Flagged by ``adjusted`` where both find it.
    """
    change = rows["change"].to_numpy(float)
    up, down = int((change > SAME).sum()), int((change < -SAME).sum())
    found = shift(change, np.ones(len(change)), list(rows["problem_id"]), level)
    each = 1 - (1 - level) / family
    least = detectable_rise(len(rows), min(up, down) / len(rows), level=each)
    p = mcnemar(up, down)
    return Measure(
        *(name, found.value, "points", of, found.low, found.high, len(rows), found.problems),
        *(p, None, least),
    )


def share_of(count: int, rows: pd.DataFrame, name: str, of: str, level: float) -> Measure:
    """A share of rows with its exact one-sided upper bound (Clopper and Pearson 1934)."""
    n, problems = len(rows), int(rows["problem_id"].nunique())
    return Measure(name, count / n, "share", of, high=upper_bound(count, n, level), n=n, problems=problems)


def rise(both: pd.DataFrame, name: str, of: str, level: float, family: int = 1) -> Measure:
    """How much oftener a change flips points than asking again does.

    ``both``: rows with problem_id, ``again`` and ``flipped``. McNemar's exact test takes points as
    independent, the interval takes problems as clusters.
    """
    again, flipped = both["again"].to_numpy(bool), both["flipped"].to_numpy(bool)
    found = flips(again, flipped)
    change: Floats = flipped.astype(float) - again.astype(float)
    clustered = shift(change, np.ones(len(change)), list(both["problem_id"]), level)
    least = detectable_rise(found.n, found.base, level=1 - (1 - level) / family)
    return Measure(
        *(name, found.rate - found.base, "points", of, clustered.low, clustered.high, found.n),
        *(clustered.problems, found.p, None, least),
    )


def slope(rows: pd.DataFrame, name: str, of: str, level: float) -> Measure:
    """The slope of ``y`` on ``x`` within units, of rows with problem_id, unit, x and y.

    Ordinary least squares with a constant for each unit is the ratio of the sums of
    (x - mean)(y - mean) and (x - mean)^2 over units; delete-one-problem jackknife, Student's t.
    """
    unit = rows.groupby("unit", sort=False)
    x = (rows["x"] - unit["x"].transform("mean")).to_numpy(float)
    y = (rows["y"] - unit["y"].transform("mean")).to_numpy(float)
    codes, names = pd.factorize(rows["problem_id"], sort=True)
    gained, full = (np.bincount(codes, one, len(names)).astype(float) for one in (x * y, x * x))
    if full.sum() <= 0:
        return Measure(name, None, "points", of, n=rows["unit"].nunique(), problems=len(names))
    found = ratio(gained, full)
    value, se, problems = float(found.value), float(found.se), int(found.problems)
    spread = problems > 1 and se > NO_SPREAD
    low, high = (float(one) for one in difference_interval(found, level)) if spread else (None, None)
    p = float(p_value(found)) if spread else 1.0 if abs(value) < SAME else None
    least = detectable(se, problems, level=level) if spread else None
    return Measure(name, value, "points", of, low, high, rows["unit"].nunique(), problems, p, None, least)


def adjusted(family: Sequence[Measure], level: float, *, upwards: bool = False) -> list[Measure]:
    """The measures with Holm's p, flagged where p is small and the interval leaves 0 out.

    ``upwards``: only a rise is a fault. An interval that can't be given (one problem, no
    spread) leaves it to the test.
    """
    found = []
    for one, p in zip(family, holm([one.p for one in family]), strict=True):
        small = p is not None and p < 1 - level and one.value is not None
        sure = one.low is None or one.high is None or one.low > 0 or one.high < 0
        fault = small and sure and (not upwards or (one.value or 0) > 0)
        found.append(replace(one, p_adjusted=p, flagged=fault))
    return found


def cases(points: pd.DataFrame, what: str) -> Iterator[Case]:
    """The points whose credit changed, with both sides' calls."""
    for row in points[points["change"].abs() > SAME].to_dict("records"):
        said = f"{what}: {row['said_1']} before, {row['said_2']} after"
        yield Case(row["where_1"], said, (*row["keys_1"], *row["keys_2"]))
