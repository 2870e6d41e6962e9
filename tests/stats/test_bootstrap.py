"""The bootstrap against resamples drawn one by one, scipy and the jackknife."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from grader.stats.bootstrap import bootstrap, bootstrap_samples
from grader.stats.estimate import difference, share
from tests.stats.marked import by_problem, subquestions
from tests.stats.simulated import World, answers, draw
from tests.stats.simulated import subquestions as simulated

DRAWN = draw(World(samples=3), 48, 1, seed=11)


def test_the_bootstrap_finds_about_what_the_jackknife_finds() -> None:
    first, second = simulated(DRAWN, 0)
    for mine, theirs in (
        (bootstrap(first), share(first)),
        (bootstrap(first, method="percentile"), share(first)),
        (bootstrap(first, second), difference(first, second)),
    ):
        assert mine is not None
        assert theirs is not None
        assert mine.value == pytest.approx(theirs.value, abs=1e-12)
        assert mine.se == pytest.approx(theirs.se, rel=0.08)
        assert [mine.low, mine.high] == pytest.approx([theirs.low, theirs.high], abs=0.02)


def test_the_same_seed_draws_the_same() -> None:
    first, second = simulated(DRAWN, 0)
    assert bootstrap(first, second, seed=3) == bootstrap(first, second, seed=3)
    assert bootstrap(first, second, seed=3) != bootstrap(first, second, seed=4)
    ours, theirs = answers(DRAWN, 0)
    assert bootstrap_samples(ours, theirs, seed=3) == bootstrap_samples(ours, theirs, seed=3)


def test_samples_are_drawn_within_their_problem() -> None:
    ours, theirs = answers(DRAWN, 0)
    found = bootstrap_samples(ours, theirs, resamples=4000)
    assert found is not None
    earned, full = DRAWN.earned[0].sum(axis=2), DRAWN.full[0].sum(axis=1)
    rng = np.random.default_rng(0)
    drawn = []
    for _ in range(500):
        problems = rng.integers(48, size=48)
        sums = [sum(rng.choice(side[k], 3).mean() for k in problems) for side in earned]
        drawn.append((sums[0] - sums[1]) / full[problems].sum())
    assert found.value == pytest.approx((earned[0] - earned[1]).mean(axis=1).sum() / full.sum(), abs=1e-12)
    assert found.se == pytest.approx(np.std(drawn), rel=0.1)
    assert found.low == pytest.approx(np.quantile(drawn, 0.025), abs=0.015)


def test_one_sample_leaves_only_problems_to_draw() -> None:
    drawn = draw(World(samples=1), 48, 1, seed=2)
    within = bootstrap_samples(answers(drawn, 0)[0], resamples=4000)
    without = bootstrap(simulated(drawn, 0)[0], method="percentile", resamples=4000)
    assert within is not None
    assert without is not None
    assert within.se == pytest.approx(without.se, rel=0.05)


def test_missing_samples_are_drawn_around() -> None:
    ours, theirs = answers(DRAWN, 0)
    ragged = ours[~((ours["problem_id"] == 3) & (ours["sample"] > 0))]
    less = theirs[theirs["problem_id"] != 5]
    found, full = bootstrap_samples(ragged, less), bootstrap_samples(ours, less)
    assert found is not None
    assert full is not None
    assert found.se == pytest.approx(full.se, rel=0.1)


def test_no_spread_is_no_interval() -> None:
    for frame in (by_problem([2, 2, 2], 2), by_problem([1], 2)):
        found = bootstrap(frame)
        assert found is not None
        assert (found.low, found.high, found.se) == (None, None, None)
        found = bootstrap_samples(frame.assign(run="r", sample=0))
        assert found is not None
        assert (found.low, found.high, found.se) == (None, None, None)


def test_nothing_in_common_is_no_difference() -> None:
    one, other = subquestions([("p", "a", 1, 2)]), subquestions([("q", "a", 1, 2)])
    assert bootstrap(one, other) is None
    sampled: list[pd.DataFrame] = [frame.assign(run="r", sample=0) for frame in (one, other)]
    assert bootstrap_samples(*sampled) is None
