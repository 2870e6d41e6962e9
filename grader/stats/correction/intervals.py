"""Intervals of corrected shares, and what keeps them honest where people and machine hardly ever differ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grader.stats.correction.sums import MOST_STRATA, Bools, Points
from grader.stats.jackknife import NO_SPREAD, Floats

NO_INTERVAL = "Marks on one problem only, or on one point, give no interval."
FEW = 10
"""With fewer disagreements than this their spread can't be told from the marks alone."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A share or a difference of two, and where it lies at the level asked for."""

    value: float
    low: float | None
    """None, like ``high`` and ``se``: one marked point or problem gives no interval."""
    high: float | None
    se: float | None
    df: int

    @property
    def width(self) -> float | None:
        """From end to end."""
        return None if self.low is None or self.high is None else self.high - self.low


def student(
    value: float, se: float, df: int, level: float, span: tuple[float, float] = (0.0, 1.0)
) -> Interval:
    """Student's t, cut off where no share can be (but never short of the value itself)."""
    from scipy.special import stdtrit

    if df < 1 or not np.isfinite(se):
        return Interval(value, None, None, None, max(df, 0))
    reach = float(stdtrit(df, (1 + level) / 2)) * se
    low, high = min(value, max(value - reach, span[0])), max(value, min(value + reach, span[1]))
    return Interval(value, low, high, se, df)


def two_sided_p(value: float, se: float, df: int) -> float | None:
    """Student's t, of a value that is 0 in truth; None where nothing is left to chance."""
    from scipy.special import stdtr

    return None if se < NO_SPREAD else float(2 * stdtr(df, -abs(value) / se))


def wider(by_problems: float, of_draw: float, few: bool) -> tuple[float, bool]:
    """The variance by problems, or the draw's where that is larger and few disagree; and which it is.

    Problems never lessen the doubt about a machine that is hardly ever seen to err.
    """
    widened = few and of_draw > by_problems
    return of_draw if widened else by_problems, widened


def jackknife_se(value: float, without: Floats, held: Bools) -> float:
    """The delete-one-problem jackknife's standard error; nan of fewer than two problems.

    ``without``: [problems], the value without each; ``held``: which problems count.
    """
    kept = without[held]
    problems = len(kept)
    if problems < 2 or not np.isfinite(value):
        return np.nan
    return float(np.sqrt((problems - 1) / problems * ((kept - kept.mean()) ** 2).sum()))


@dataclass(frozen=True, slots=True)
class Doubt:
    """What the marked points of one probability leave open about the machine's errors."""

    marks: int
    disagreements: int
    variance: float
    """What one residual of +1 and one of -1 add to the variance of a total of marks; 0 if they needn't."""
    probability: float | None
    """None: points of many probabilities, counted together."""


def doubts(points: Points, centre: float) -> list[Doubt]:
    """Of each probability with which points were drawn, but for those that were certain.

    With fewer than 10 disagreements one residual of +1 and one of -1, each a
    whole point's worth, are added to the variance and not to the mean: without
    them a sample in which people and machine always agree would have no width,
    and intervals of good judges cover 57 to 92 % (Agresti and Coull 1998 add two
    successes and two failures to a proportion for the same reason). Each
    stratum has its own count: what is seen where every second point was drawn
    says nothing of where one in twenty was. Where nearly every point has a
    probability of its own, all count together; and a stratum of which chance
    drew none is in doubt too. ``centre``: the mean residual.
    """
    spread = points.spread
    uncertain = spread > 0
    rates = np.unique(points.probability[uncertain].round(9))
    strata: list[tuple[Bools, float | None]] = [(uncertain, None)]
    if len(rates) <= MOST_STRATA:
        close = [np.isclose(points.probability, rate, rtol=0, atol=1e-9) for rate in rates]
        strata = list(zip(close, map(float, rates), strict=True))
    found = []
    for at, rate in strata:
        marks, seen = int(at.sum()), int(points.disagrees[at].sum())
        needed = marks > 0 and seen < FEW
        added = 2 * (1 + centre**2) * (spread[at] * points.worth[at] ** 2).mean() if needed else 0.0
        found.append(Doubt(marks, seen, float(added), rate))
    return found + [Doubt(0, 0, variance, rate) for rate, variance in points.missed]


def is_few(points: Points) -> bool:
    """Whether somewhere so few points disagree that pseudo-residuals are needed."""
    return any(doubt.variance > 0 for doubt in doubts(points, 0.0))


def few_words(points: Points) -> str:
    """What is fewer than 10 where pseudo-residuals are needed: of all marks, or of which of them.

    ``Fewer than 10 disagreements among points drawn with probability 0.05 (3 of 48)``.
    """
    several = doubts(points, 0.0)
    short = [one for one in several if one.variance > 0]
    said = f"Fewer than {FEW} disagreements"
    if not short or int(points.disagrees.sum()) < FEW:
        return said
    if short[0].probability is None:
        return f"{said} among points that weren't certain to be drawn ({_seen(short[0])})"
    (first, *others) = short
    also = "".join(f", and with {one.probability:.3g} ({_seen(one)})" for one in others)
    return f"{said} among points drawn with probability {first.probability:.3g} ({_seen(first)}){also}"


def _seen(one: Doubt) -> str:
    return f"{one.disagreements} of {one.marks}"


def pseudo_residuals(points: Points, centre: float, total: float) -> float:
    """What pseudo-residuals add to the variance of a share of ``total`` marks; 0 where none are needed."""
    return sum(doubt.variance for doubt in doubts(points, centre)) / total**2


def unseen(points: Points) -> float | None:
    """With no disagreement seen: the share of points up to which there may be some, at 95 %, one-sided.

    Of the stratum with the fewest marks, where that is highest.
    """
    if points.disagrees.any():
        return None
    open_to_doubt = [doubt.marks for doubt in doubts(points, 0.0) if doubt.marks]
    return None if not open_to_doubt else float(1 - 0.05 ** (1 / min(open_to_doubt)))
