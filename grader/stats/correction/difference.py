"""Differences of corrected scores between two systems over the same problems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from grader.errors import AuditError
from grader.stats.correction.benchmark import Drawn
from grader.stats.correction.corrected import Shares, Target, known, shares, without_each
from grader.stats.correction.intervals import (
    NO_INTERVAL,
    Interval,
    few_words,
    is_few,
    jackknife_se,
    student,
    two_sided_p,
    wider,
)
from grader.stats.correction.sample import Sample
from grader.stats.correction.sums import Points, Sums, only
from grader.stats.jackknife import NO_SPREAD, Jackknife, difference_interval, p_value
from grader.stats.power import detectable

SPAN = (-1.0, 1.0)


@dataclass(frozen=True, slots=True)
class CorrectedDifference(Interval):
    """The corrected share of the first minus that of the second, over the problems that both have."""

    level: float
    target: Target
    judge_only: Interval
    """The difference as graded. Of the benchmark it is known, so its ends are the value."""
    p: float | None
    """Two-sided, of no difference; None without interval, or where the benchmark leaves nothing to chance."""
    p_adjusted: float | None
    """Holm's over a family of them, by whoever asks for several."""
    detectable: float | None
    """The smallest true difference found with a power of 0.8."""
    problems: int
    labels: tuple[int, int]
    disagreements: tuple[int, int]
    only_first: int
    """Problems left out because the second has no marks to be had in them."""
    only_second: int
    widened: bool
    """Too few disagreements on a side to show their spread: pseudo-residuals were added."""
    notes: tuple[str, ...]

    @property
    def favours(self) -> Literal["first", "second"] | None:
        """Which side the interval is for; None where it holds zero."""
        if self.low is None or self.high is None or self.low <= 0 <= self.high:
            return None
        return "first" if self.value > 0 else "second"


def corrected_difference(
    first: Sample,
    second: Sample,
    *,
    target: Target = "problems",
    level: float = 0.95,
    seed: int = 0,
    tune: bool = True,
) -> CorrectedDifference:
    """The first minus the second; index k names the same problem in both samples.

    ``problems``: problems are left out of both sides at once, so what makes one
    hard for both cancels; degrees of freedom are those of the side with fewer
    problems marked. ``benchmark``: answers are drawn one by one, those of the
    one system independently of those of the other, so the variances of the
    draws add up (Welch 1947 for the degrees of freedom).

    Raises AuditError as ``corrected`` does, and where no problem is common.
    """
    if len(first.full) != len(second.full):
        raise AuditError(
            "two systems are compared over the same problems",
            got=f"{len(first.full)} and {len(second.full)} problems",
            expected="index k to name the same problem in both samples",
        )
    ours, theirs = first.full > 0, second.full > 0
    both = ours & theirs
    if not both.any():
        raise AuditError("the two systems have no problem in common, so there is no difference to estimate")
    sides = [shares(only(side, both), tune=tune, seed=seed) for side in (first, second)]
    one, two = sides
    value, draws = one.value - two.value, [side.drawn() for side in sides]
    if target == "benchmark":
        interval, widened = _of_draws(draws, level), any(draw.widened for draw in draws)
        judge = known(one.sums.share_graded - two.sums.share_graded)
        p = None if interval.se is None else two_sided_p(value, interval.se, interval.df)
    else:
        interval, widened = _of_problems(value, one, two, draws, level)
        judge = _judge_only(one.sums, two.sums, level)
        p = None if interval.se is None else float(p_value(_jackknife(value, interval.se, interval.df)))
    constant = target == "problems" and interval.se is not None and interval.se < NO_SPREAD
    return CorrectedDifference(
        value=interval.value,
        low=interval.low,
        high=interval.high,
        se=interval.se,
        df=interval.df,
        level=level,
        target=target,
        judge_only=judge,
        p=p,
        p_adjusted=None,
        detectable=detectable(interval.se, interval.df + 1, level=level) if interval.se else None,
        problems=int(both.sum()),
        labels=(len(one.points.marked), len(two.points.marked)),
        disagreements=(int(one.points.disagrees.sum()), int(two.points.disagrees.sum())),
        only_first=int((ours & ~theirs).sum()),
        only_second=int((theirs & ~ours).sum()),
        widened=widened,
        notes=tuple(_notes(interval, constant, _few(one.points, two.points) if widened else None)),
    )


def _of_problems(
    value: float, one: Shares, two: Shares, draws: list[Drawn], level: float
) -> tuple[Interval, bool]:
    """The paired jackknife's interval, or that of the draws where too few disagreements make it short."""
    without = one.without() - two.without()
    by_problems = jackknife_se(value, without, one.sums.full > 0) ** 2
    few = any(draw.widened for draw in draws)
    variance, widened = wider(by_problems, sum(draw.variance for draw in draws), few)
    df = min(one.sums.labelled, two.sums.labelled) - 1
    return _interval(value, float(np.sqrt(variance)), df, level), widened


def _of_draws(draws: list[Drawn], level: float) -> Interval:
    value, variances = draws[0].value - draws[1].value, np.array([draw.variance for draw in draws])
    dfs = np.array([draw.df for draw in draws], float)
    if (dfs < 1).any():
        return Interval(value, None, None, None, 0)
    total = float(variances.sum())
    df = total**2 / (variances**2 / dfs).sum() if total > NO_SPREAD**2 else dfs.min()
    return student(value, float(np.sqrt(total)), int(df), level, SPAN)


def _judge_only(one: Sums, two: Sums, level: float) -> Interval:
    """The difference as graded, with the paired jackknife that knows of no error of the machine."""
    value = one.share_graded - two.share_graded
    without = without_each(one.as_graded, one.full) - without_each(two.as_graded, two.full)
    held = one.full > 0
    return _interval(value, jackknife_se(value, without, held), int(held.sum()) - 1, level)


def _interval(value: float, se: float, df: int, level: float) -> Interval:
    """As of differences as graded; where every problem gives the same, others may not."""
    found = student(value, se, df, level, SPAN)
    if found.se is None or found.se >= NO_SPREAD:
        return found
    low, high = difference_interval(_jackknife(value, se, df), level)
    return Interval(value, min(value, float(low)), max(value, float(high)), se, df)


def _jackknife(value: float, se: float, df: int) -> Jackknife:
    return Jackknife(*(np.asarray(number, float) for number in (value, se, df + 1)))


def _few(first: Points, second: Points) -> str:
    """Which side's disagreements are few."""
    sides = {"first": first, "second": second}
    said = {name: few_words(points) for name, points in sides.items() if is_few(points)}
    if len(said) == 2 and len(set(said.values())) == 1:
        return f"{said['first']} on either side"
    (one, *two) = (f"{words} on the {name} side" for name, words in said.items())
    return "; ".join([one, *(words[0].lower() + words[1:] for words in two)])


def _notes(interval: Interval, constant: bool, few: str | None) -> list[str]:
    notes = []
    if interval.low is None:
        notes.append(NO_INTERVAL)
    elif constant:
        notes.append("Every problem gives the same difference: that doesn't say that others would.")
    if few is not None:
        notes.append(f"{few}: interval widened.")
    return notes
