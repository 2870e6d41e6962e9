"""Shares of verdicts, calls or marks with problems as clusters, and how two of them differ.

Rows are frames with ``problem_id``, ``hit`` (in [0, 1], or a boolean) and, where
they were drawn with unequal probabilities, ``weight`` (their inverse).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from grader.audit.result import Measure
from grader.stats.agreement.resampling import Interval
from grader.stats.jackknife import NO_SPREAD, Floats, Jackknife, difference_interval, p_value, ratio
from grader.stats.jackknife import share_interval as interval_of
from grader.stats.multiple import holm
from grader.stats.power import detectable

POWER = 0.8


def share(rows: pd.DataFrame, name: str, *, of: str = "", level: float = 0.95) -> Measure:
    """The weighted share of hits, its interval over problems, and the smallest that could have shown.

    The interval is that of ``grader.stats.jackknife``: Student's t on the log odds, and an exact
    limit where all problems give the same share. ``detectable`` is the share of which at least one
    hit turns up with a power of 0.8, 1 - 0.2^(1/n): n is the effective number of rows, p (1 - p) / se^2
    (Korn and Graubard 1998), and that of problems where they are all alike, since hits may come together.
    """
    n = len(rows)
    if not n:
        return Measure(name, None, "share", of)
    gained, full = _by_problem(rows, pd.Index(rows["problem_id"].unique()))
    found = ratio(gained, full)
    low, high = (_known(end) for end in interval_of(found, level))
    least = 1 - (1 - POWER) ** (1 / _effective(found, n, len(full)))
    return Measure(name, float(found.value), "share", of, low, high, n, len(full), detectable=least)


def difference(
    first: pd.DataFrame,
    second: pd.DataFrame,
    name: str,
    *,
    of: str = "",
    paired: bool = False,
    level: float = 0.95,
) -> Measure:
    """The share of hits of the first rows minus that of the second, problems left out of both at once.

    Delete-one-problem jackknife, Student's t with one degree of freedom less than
    problems. Of few hits the jackknife says too much, so the p of unweighted rows is
    never below that of Fisher's exact test (1922), which knows no problems; but where
    both are about the same items (``paired``).
    """
    n = len(first) + len(second)
    if not len(first) or not len(second):
        return Measure(name, None, "points", of, n=n)
    names = pd.Index(pd.concat([first["problem_id"], second["problem_id"]]).unique())
    found = _apart(_by_problem(first, names), _by_problem(second, names))
    low, high = (_known(end) for end in difference_interval(found, level))
    p, se = _known(p_value(found)), _known(found.se)
    if p is not None and not paired and not _weighted(first) and not _weighted(second):
        p = max(p, _fisher(first, second))
    least = detectable(se, len(names), level=level) if se is not None and se > NO_SPREAD else None
    problems = len(names)
    return Measure(name, float(found.value), "points", of, low, high, n, problems, p, detectable=least)


def against_the_rest(
    rows: pd.DataFrame, column: str, name: str, *, said: str | None = None, level: float = 0.95
) -> Iterator[Measure]:
    """The share of each value of a column minus that of all other rows; of two values once."""
    values = [str(one) for one in rows[column].drop_duplicates()]
    if len(values) < 2:
        return
    word = said or column
    for value in sorted(values)[:1] if len(values) == 2 else sorted(values):
        inside = rows[column].astype(str) == value
        rest = next(other for other in values if other != value) if len(values) == 2 else "the rest"
        of = f"{word} {value} minus {rest}"
        yield difference(rows[inside], rows[~inside], name, of=of, level=level)


def by_value(
    rows: pd.DataFrame, column: str, name: str, *, said: str | None = None, level: float = 0.95
) -> Iterator[Measure]:
    """The share of each value of a column."""
    for value in sorted(rows[column].astype(str).unique()):
        of = f"{said or column} {value}"
        yield share(rows[rows[column].astype(str) == value], name, of=of, level=level)


def coefficient(name: str, found: Interval, *, of: str = "", n: int, level: float = 0.95) -> Measure:
    """A correlation or a coefficient of agreement with its bootstrap interval."""
    least = None
    if found.se is not None and found.se > NO_SPREAD and found.problems > 1:
        least = detectable(found.se, found.problems, level=level)
    ends = (found.low, found.high)
    return Measure(name, found.value, "correlation", of, *ends, n, found.problems, detectable=least)


def adjusted(measures: Sequence[Measure], level: float) -> list[Measure]:
    """The same with Holm's p over those that have a p, and flagged where that is below 1 - level."""
    together = holm([one.p for one in measures])
    return [
        one if p is None else replace(one, p_adjusted=p, flagged=one.flagged or p < 1 - level)
        for one, p in zip(measures, together, strict=True)
    ]


def exact(hits: float, n: float, level: float) -> tuple[float, float]:
    """The two-sided interval of Clopper and Pearson (1934) of ``hits`` among ``n``.

    Neither need be whole: with the effective n of weighted rows it is that of Korn and Graubard (1998).
    """
    half = (1 - level) / 2
    return lower_bound(hits, n, half), upper_bound(hits, n, half)


def lower_bound(hits: float, n: float, alpha: float) -> float:
    """The one-sided lower limit; 0 without a hit."""
    from scipy.special import betaincinv  # what binomtest inverts, for numbers that aren't whole too

    return 0.0 if hits <= 0 else float(betaincinv(hits, n - hits + 1, alpha))


def upper_bound(hits: float, n: float, alpha: float) -> float:
    """The one-sided upper limit; without a hit 1 - alpha^(1/n), 1 of nothing."""
    from scipy.special import betaincinv

    return 1.0 if hits >= n else float(betaincinv(hits + 1, n - hits, 1 - alpha))


def _effective(found: Jackknife, n: int, problems: int) -> float:
    """How many independent rows say as much as these."""
    value, se = float(found.value), float(found.se)
    if np.isnan(se) or se < NO_SPREAD:
        return float(problems)
    return float(np.clip(value * (1 - value) / se**2, 1, n))


def _by_problem(rows: pd.DataFrame, names: pd.Index) -> tuple[Floats, Floats]:
    """Weighted hits and weights of each problem."""
    codes = names.get_indexer(pd.Index(rows["problem_id"]))
    weight = rows["weight"].to_numpy(float) if "weight" in rows else np.ones(len(rows))
    hit = rows["hit"].to_numpy(float) * weight
    hits, weights = (np.bincount(codes, one, len(names)).astype(float) for one in (hit, weight))
    return hits, weights


def _apart(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> Jackknife:
    """The difference of two ratios over the same problems."""
    values, lefts = [], []
    for gained, full in (first, second):
        left = full.sum() - full
        with np.errstate(divide="ignore", invalid="ignore"):
            lefts.append(np.where(left > NO_SPREAD, (gained.sum() - gained) / left, np.nan))
        values.append(gained.sum() / full.sum())
    without, count = lefts[0] - lefts[1], len(first[1])
    se = np.sqrt((count - 1) / count * ((without - without.mean()) ** 2).sum()) if count > 1 else np.nan
    return Jackknife(np.asarray(values[0] - values[1]), np.asarray(se), np.asarray(float(count)))


def _weighted(rows: pd.DataFrame) -> bool:
    return "weight" in rows and bool(np.ptp(rows["weight"].to_numpy(float)) > NO_SPREAD)


def _fisher(first: pd.DataFrame, second: pd.DataFrame) -> float:
    from scipy.stats import fisher_exact

    table = [[int((rows["hit"] > 0).sum()), int((rows["hit"] <= 0).sum())] for rows in (first, second)]
    return float(fisher_exact(np.array(table)).pvalue)


def _known(number: Floats | float) -> float | None:
    return None if np.isnan(number) else float(number)
