"""Intervals hold the truth as often as they say: 48 simulated problems, drawn again and again."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from grader.stats.bootstrap import bootstrap
from grader.stats.estimate import difference, share
from grader.stats.jackknife import difference_interval, p_value, ratio, share_interval
from tests.stats.simulated import World, draw, subquestions, truth

PROBLEMS = 48
UNEQUAL, EQUAL = World(), World(levels=(0.4, 0.4))


@cache
def true_shares(world: World) -> Any:
    return truth(world)


def holds(low: Any, high: Any, value: float) -> Any:
    return (low <= value) & (value <= high)


def covered(world: World, runs: int, seed: int) -> tuple[float, float, float]:
    """How often the interval of a score and of a gap hold the truth; how often a difference is declared."""
    shares = true_shares(world)
    earned, full = draw(world, PROBLEMS, runs, seed).by_problem()
    score, gap = ratio(earned[:, 0], full), ratio(earned[:, 1] - earned[:, 0], full)
    return (
        holds(*share_interval(score, 0.95), shares[0]).mean(),
        holds(*difference_interval(gap, 0.95), shares[1] - shares[0]).mean(),
        (p_value(gap) < 0.05).mean(),
    )


def test_intervals_cover_in_600_runs() -> None:
    # three standard deviations of 600 draws are 2.7 points
    score, gap, _ = covered(UNEQUAL, 600, seed=20)
    assert 0.923 <= score <= 0.977
    assert 0.923 <= gap <= 0.977
    _, _, declared = covered(EQUAL, 600, seed=21)
    assert declared <= 0.077


def test_frames_give_what_the_arrays_give() -> None:
    drawn = draw(UNEQUAL, PROBLEMS, 2, seed=5)
    earned, full = drawn.by_problem()
    score, gap = ratio(earned[:, 0], full), ratio(earned[:, 1] - earned[:, 0], full)
    for run in range(2):
        first, second = subquestions(drawn, run)
        one, other = share(first), difference(second, first)
        assert one is not None
        assert other is not None
        assert [one.value, one.se] == pytest.approx([score.value[run], score.se[run]])
        assert [other.value, other.se] == pytest.approx([gap.value[run], gap.se[run]])


@pytest.mark.slow
def test_intervals_of_5000_runs_cover_and_equal_models_are_seldom_declared_different() -> None:
    """Through the public functions, frames and all."""
    counts = {world: simulate(world, 5_000) for world in (UNEQUAL, EQUAL)}
    for score, gap, _ in counts.values():
        assert 0.93 <= score <= 0.97
        assert 0.93 <= gap <= 0.97
    assert counts[EQUAL][2] <= 0.06


def simulate(world: World, runs: int) -> Any:
    shares = true_shares(world)
    found = []
    for start in range(0, runs, 250):
        drawn = draw(world, PROBLEMS, 250, seed=1000 + start)
        for run in range(250):
            first, second = subquestions(drawn, run)
            score, gap = share(first), difference(second, first)
            assert score is not None
            assert gap is not None
            inside = holds(score.low, score.high, shares[0]), holds(gap.low, gap.high, shares[1] - shares[0])
            found.append((*inside, gap.evidence))
    return np.mean(found, axis=0)


@pytest.mark.slow
@pytest.mark.parametrize("levels", [(-4.0, -3.0), (-3.0, -2.0), (2.0, 3.0)], ids=["4%", "9%", "82%"])
def test_hard_and_easy_benchmarks_are_covered_too(levels: tuple[float, float]) -> None:
    world = World(levels=levels, samples=1)
    found = np.mean([covered(world, 500, seed) for seed in range(10)], axis=0)
    assert 0.93 <= found[0] <= 0.97
    assert 0.93 <= found[1] <= 0.97


@pytest.mark.slow
def test_the_bootstrap_covers_in_1000_runs() -> None:
    shares = true_shares(UNEQUAL)
    drawn = draw(UNEQUAL, PROBLEMS, 1_000, seed=77)
    inside = []
    for run in range(1_000):
        first, second = subquestions(drawn, run)
        found = bootstrap(second, first, resamples=1_000, seed=run)
        assert found is not None
        inside.append(holds(found.low, found.high, shares[1] - shares[0]))
    assert 0.92 <= np.mean(inside) <= 0.97
