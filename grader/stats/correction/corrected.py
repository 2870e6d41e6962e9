"""A score corrected for what its judge gets wrong, from the points of a random sample that people marked.

Prediction-powered inference (Angelopoulos et al. 2023) with probabilities of
being drawn (Zrnic and Candès 2024), marks as weights, and problems as
clusters. Of problem k: A sums w y / pi over marked points, B sums w f / pi over
them less the sum of w f over all points, and T = A - lambda B; the score is
sum T / sum W. With lambda 0 it is what people's marks alone say, with lambda 1
the machine's score plus its mean error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from grader.stats.correction.benchmark import Drawn, drawn
from grader.stats.correction.intervals import (
    NO_INTERVAL,
    Interval,
    few_words,
    jackknife_se,
    student,
    unseen,
    wider,
)
from grader.stats.correction.sample import Sample
from grader.stats.correction.sums import Points, Sums, marked_points, sums_of
from grader.stats.correction.tuning import tuned
from grader.stats.jackknife import NO_SPREAD, Floats, ratio, share_interval

Target = Literal["problems", "benchmark"]
"""``problems``: the score over problems like these; ``benchmark``: this very one's, had people marked all."""


@dataclass(frozen=True, slots=True)
class Corrected(Interval):
    """A share of marks as people would give it, with its interval."""

    level: float
    target: Target
    lambdas: tuple[float, float]
    """The least and the greatest weight that the machine's marks got among the folds."""
    judge_only: Interval
    """The score as graded. For the benchmark it is known, so its ends are the value."""
    human_only: Interval
    """What the marked points alone say."""
    problems: int
    problems_labelled: int
    points: int
    labels: int
    disagreements: int
    """Marked points where people and machine differ."""
    widened: bool
    """Pseudo-residuals were added: among points of some probability too few disagree to show their spread."""
    saved: float | None
    """How many times as many marks people alone would need for this width; None where there is no width."""
    few_bound: float | None
    """With no disagreement: the share of points that may be wrong all the same, one-sided at 95 %."""
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shares:
    """Corrected shares as a difference needs them: with all that each problem puts in."""

    sums: Sums
    points: Points
    lambdas: Floats

    @property
    def value(self) -> float:
        """sum T / sum W."""
        return float(self.marks.sum() / self.sums.full.sum())

    @property
    def marks(self) -> Floats:
        """T of each problem, what no point carries included."""
        sums = self.sums
        return np.asarray(sums.rest + sums.people - self.lambdas * sums.surplus)

    def without(self) -> Floats:
        """[problems], the share without each problem."""
        return without_each(self.marks, self.sums.full)

    def drawn(self) -> Drawn:
        """The same weights for the score of this benchmark."""
        return drawn(self.sums, self.points, self.lambdas)


def without_each(marks: Floats, full: Floats) -> Floats:
    """[problems], sum of ``marks`` by sum of ``full`` without each problem; nan where nothing is left."""
    left = full.sum() - full
    out = np.full(len(full), np.nan)
    return np.asarray(np.divide(marks.sum() - marks, left, out=out, where=left > NO_SPREAD))


def shares(sample: Sample, *, tune: bool, seed: int) -> Shares:
    """The sums of a sample and each problem's lambda. Raises AuditError (``sums_of``)."""
    sums = sums_of(sample)
    lambdas = tuned(sums, seed) if tune else np.ones(len(sums.full))
    return Shares(sums, marked_points(sample), lambdas)


def corrected(
    sample: Sample, *, target: Target = "problems", level: float = 0.95, seed: int = 0, tune: bool = True
) -> Corrected:
    """The score of a sample as people would give it.

    ``problems``: delete-one-problem jackknife, Student's t with one degree of
    freedom less than problems with a marked point. ``benchmark``: the variance
    of the draw, with one less than points that it marked. ``tune=False`` keeps lambda
    at 1 (plain PPI). ``seed`` deals problems into folds.

    Raises AuditError where no point is marked, or marked points (or the rest)
    had no known probability of being drawn.
    """
    found = shares(sample, tune=tune, seed=seed)
    of_draw = found.drawn()
    if target == "benchmark":
        interval, widened = of_draw.interval(level), of_draw.widened
        judge = known(found.sums.share_graded)
        human = _human_of_benchmark(found, level)
    else:
        interval, widened = _of_problems(found, of_draw, level)
        judge, human = judge_only(found.sums, level), human_only(found.sums, level)
    saved = (human.width / interval.width) ** 2 if human.width and interval.width else None
    bound = unseen(found.points)
    weights = found.lambdas[found.sums.full > 0]
    return Corrected(
        value=interval.value,
        low=interval.low,
        high=interval.high,
        se=interval.se,
        df=interval.df,
        level=level,
        target=target,
        lambdas=(float(weights.min()), float(weights.max())),
        judge_only=judge,
        human_only=human,
        problems=int((found.sums.full > 0).sum()),
        problems_labelled=found.sums.labelled,
        points=len(sample.graded),
        labels=len(found.points.marked),
        disagreements=int(found.points.disagrees.sum()),
        widened=widened,
        saved=saved,
        few_bound=bound,
        notes=tuple(_notes(interval, widened, few_words(found.points), of_draw.widened, bound, saved)),
    )


def judge_only(sums: Sums, level: float) -> Interval:
    """The score as graded over problems like these, with the interval of reports: it knows of no error."""
    found = ratio(sums.as_graded, sums.full)
    low, high = share_interval(found, level)
    df = int(found.problems) - 1
    if df < 1:
        return Interval(float(found.value), None, None, None, 0)
    return Interval(float(found.value), float(low), float(high), float(found.se), df)


def human_only(sums: Sums, level: float) -> Interval:
    """What people's marks alone say of problems like these: their mean by worth (Hájek 1971), jackknifed."""

    def share(people: Floats, weight: Floats, worth: Floats, rest: Floats, full: Floats) -> Floats:
        mean = np.divide(people, weight, out=np.full_like(people, np.nan), where=weight > NO_SPREAD)
        return np.divide(rest + worth * mean, full, out=np.full_like(full, np.nan), where=full > NO_SPREAD)

    parts = (sums.people, sums.weight, sums.worth, sums.rest, sums.full)
    totals = [np.atleast_1d(part.sum()) for part in parts]
    value = float(share(*totals)[0])
    without = share(*(total - part for total, part in zip(totals, parts, strict=True)))
    return student(value, jackknife_se(value, without, sums.full > 0), sums.labelled - 1, level)


def _human_of_benchmark(found: Shares, level: float) -> Interval:
    return drawn(found.sums, found.points, np.zeros(len(found.lambdas)), widen=False).interval(level)


def _of_problems(found: Shares, of_draw: Drawn, level: float) -> tuple[Interval, bool]:
    value, held = found.value, found.sums.full > 0
    by_problems = jackknife_se(value, found.without(), held) ** 2
    variance, widened = wider(by_problems, of_draw.variance, of_draw.widened)
    interval = student(value, float(np.sqrt(variance)), found.sums.labelled - 1, level)
    if interval.low is None or interval.high is None or by_problems > NO_SPREAD**2:
        return interval, widened
    # Every problem gives the same: others may not, up to the limit of Clopper and Pearson.
    odd = 1 - ((1 - level) / 2) ** (1 / found.sums.labelled)
    low, high = min(interval.low, value * (1 - odd)), max(interval.high, value + odd * (1 - value))
    return Interval(value, low, high, interval.se, interval.df), widened


def known(value: float) -> Interval:
    """Of what is not estimated."""
    return Interval(value, value, value, 0.0, 0)


def _notes(
    interval: Interval, widened: bool, said: str, few: bool, bound: float | None, saved: float | None
) -> list[str]:
    notes = []
    if interval.low is None:
        notes.append(NO_INTERVAL)
    if widened:
        notes.append(f"{said}: interval widened.")
    elif few:
        notes.append(
            f"{said}: how often the machine is wrong is poorly known; "
            "the interval is wide enough for it because problems differ more."
        )
    if bound is not None:
        notes.append(
            f"No disagreement was seen; up to {100 * bound:.1f} % of points may be wrong all the same (95 %)."
        )
    if saved is not None and saved < 1.1:
        same = "a narrower interval" if saved < 0.95 else "the same width"
        notes.append(f"The machine's marks save next to nothing: people's marks alone give {same}.")
    if not 0 <= interval.value <= 1:
        notes.append("The estimate lies outside 0 to 1: too few marks for the size of the correction.")
    return notes
