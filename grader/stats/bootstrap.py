"""Cluster bootstrap of problems, and of samples within them: the second opinion on an interval."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from grader.stats.grid import Grid, Ints
from grader.stats.jackknife import NO_SPREAD, Floats

Method = Literal["percentile", "BCa"]
AT_ONCE = 4_000_000
"""Numbers that are drawn together: 32 MB."""


@dataclass(frozen=True, slots=True)
class Resampled:
    """An interval from resamples."""

    value: float
    low: float | None
    """None where the resamples show no spread, or there is one problem only."""
    high: float | None
    se: float | None
    method: Method
    resamples: int
    seed: int


def bootstrap(
    first: pd.DataFrame,
    second: pd.DataFrame | None = None,
    *,
    method: Method = "BCa",
    resamples: int = 2000,
    seed: int = 0,
    level: float = 0.95,
) -> Resampled | None:
    """A share of a frame of subquestions, or with ``second`` a paired difference.

    Problems are drawn with replacement. BCa: bias-corrected and accelerated
    (Efron 1987), by scipy. None without common marks.
    """
    from scipy import stats

    gained, full = _by_problem(first, second)
    if not len(full):
        return None
    value = float(gained.sum() / full.sum())
    if len(full) < 2 or np.ptp(gained / full) < NO_SPREAD:
        return Resampled(value, None, None, None, method, resamples, seed)
    found = stats.bootstrap(
        (gained, full),
        lambda top, bottom, axis=-1: top.sum(axis=axis) / bottom.sum(axis=axis),
        paired=True,
        vectorized=True,
        n_resamples=resamples,
        batch=max(1, AT_ONCE // len(full)),
        confidence_level=level,
        method=method,
        rng=np.random.default_rng(seed),
    )
    low, high = found.confidence_interval
    return Resampled(value, float(low), float(high), float(found.standard_error), method, resamples, seed)


def bootstrap_samples(
    first: pd.DataFrame,
    second: pd.DataFrame | None = None,
    *,
    resamples: int = 2000,
    seed: int = 0,
    level: float = 0.95,
) -> Resampled | None:
    """The same of frames of answers, by percentiles: within a drawn problem its samples are drawn too.

    A sample is drawn whole, with its answers to all subquestions of the problem;
    the sides of a difference draw theirs apart. The spread of samples is in that
    of problems already, so this interval is somewhat too wide (Davison and Hinkley 1997,
    section 3.8): it shows what more samples could change. None without common marks.
    """
    sides = [first] if second is None else _shared(first, second)
    drawers = [_Samples.of(side) for side in sides]
    weights = drawers[0].full.sum(axis=-1) if second is None else _weights(sides[0])
    problems = len(weights)
    if not weights.sum():
        return None
    value = float(_combined(weights, [drawer.shares() for drawer in drawers]))
    rng = np.random.default_rng(seed)
    drawn = np.concatenate(list(_draws(drawers, weights, resamples, rng)))
    if problems < 2 or np.ptp(drawn) < NO_SPREAD:
        return Resampled(value, None, None, None, "percentile", resamples, seed)
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return Resampled(value, float(low), float(high), float(drawn.std(ddof=1)), "percentile", resamples, seed)


def _by_problem(first: pd.DataFrame, second: pd.DataFrame | None) -> tuple[Floats, Floats]:
    """Marks gained and full marks of each problem that has any."""
    grid = Grid.of([first] if second is None else [first, second])
    held = (grid.answers > 0).all(axis=0)
    weight = grid.full * (grid.answers[0] if second is None else held)
    gained = grid.earned[0] if second is None else grid.earned[0] - grid.earned[1]
    full = grid.by_problem(weight)
    return grid.by_problem(weight * _ratio(gained, grid.full))[full > 0], full[full > 0]


def _ratio(top: Floats, bottom: Floats) -> Floats:
    return np.divide(top, bottom, out=np.zeros_like(top), where=bottom > 0)


_SUBQUESTION = ["problem_id", "sub_id", "full_mark"]


def _shared(first: pd.DataFrame, second: pd.DataFrame) -> list[pd.DataFrame]:
    """The answers of both sides to the subquestions that both have."""
    ours, theirs = (pd.MultiIndex.from_frame(side[_SUBQUESTION]) for side in (first, second))
    return [first[ours.isin(theirs)], second[theirs.isin(ours)]]


def _weights(answers: pd.DataFrame) -> Floats:
    """Full marks of the subquestions of each problem, problems sorted by id."""
    once = answers.drop_duplicates(_SUBQUESTION)
    return once.groupby("problem_id", sort=True)["full_mark"].sum().to_numpy(float)


@dataclass(frozen=True, slots=True)
class _Samples:
    """Marks of each sample of each problem, problems sorted by id; padded where some have fewer samples."""

    earned: Floats
    """[problems, samples]."""
    full: Floats
    counts: Floats
    """[problems], how many samples."""

    @classmethod
    def of(cls, answers: pd.DataFrame) -> _Samples:
        sums = answers.groupby(["problem_id", "run", "sample"], sort=True)[["earned", "full_mark"]].sum()
        problem, unique = pd.factorize(sums.index.get_level_values("problem_id"))
        counts = np.bincount(problem, minlength=len(unique))
        place = np.arange(len(sums)) - np.repeat(np.cumsum(counts) - counts, counts)
        padded = np.zeros((2, len(unique), int(counts.max(initial=0))))
        padded[:, problem, place] = sums.to_numpy(float).T
        return cls(padded[0], padded[1], counts.astype(float))

    def shares(self) -> Floats:
        """Of each problem, over all its samples."""
        return _ratio(self.earned.sum(axis=-1), self.full.sum(axis=-1))

    def drawn(self, problems: Ints, rng: np.random.Generator) -> Floats:
        """Shares of the drawn problems [resamples, problems], their samples drawn with replacement."""
        slots = np.arange(self.earned.shape[-1])
        counts, picked = self.counts[problems][..., None], problems[..., None]
        chosen = (rng.random((*problems.shape, len(slots))) * counts).astype(np.intp)
        taken = slots < counts
        earned, full = ((marks[picked, chosen] * taken).sum(axis=-1) for marks in (self.earned, self.full))
        return _ratio(earned, full)


def _draws(
    drawers: list[_Samples], weights: Floats, resamples: int, rng: np.random.Generator
) -> Iterator[Floats]:
    """The share, or the difference of two, of each resample, in batches."""
    problems, samples = len(weights), max(drawer.earned.shape[-1] for drawer in drawers)
    size = max(1, AT_ONCE // (problems * samples))
    for start in range(0, resamples, size):
        chosen = rng.integers(problems, size=(min(size, resamples - start), problems))
        yield _combined(weights[chosen], [drawer.drawn(chosen, rng) for drawer in drawers])


def _combined(weights: Floats, shares: list[Floats]) -> Floats:
    """The weighted mean over problems of a share, or of the first minus the second."""
    gained = shares[0] if len(shares) == 1 else shares[0] - shares[1]
    mean: Floats = (gained * weights).sum(axis=-1) / weights.sum(axis=-1)
    return mean
