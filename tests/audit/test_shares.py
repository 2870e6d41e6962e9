"""Shares by problem: by hand, against libraries, and how often a difference is claimed that isn't there."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from grader.audit.shares import adjusted, against_the_rest, difference, exact, lower_bound, share, upper_bound
from grader.stats.jackknife import ratio, share_interval


def rows(hits, problems, **more):
    return pd.DataFrame({"hit": hits, "problem_id": problems} | more)


def test_a_share_is_that_of_weights_and_its_interval_that_over_problems():
    found = share(rows([1, 0, 1, 0], ["a", "a", "b", "c"], weight=[2.0, 2.0, 4.0, 2.0]), "s")
    assert found.value == pytest.approx(0.6)
    jackknife = ratio(np.array([2.0, 4.0, 0.0]), np.array([4.0, 4.0, 2.0]))
    low, high = share_interval(jackknife, 0.95)
    assert found.low == pytest.approx(float(low))
    assert found.high == pytest.approx(float(high))
    assert (found.n, found.problems) == (4, 3)
    # as many independent rows would vary as much: with problems that differ, fewer than there are
    effective = 0.6 * 0.4 / float(jackknife.se) ** 2
    assert 1 < effective < 4
    assert found.detectable == pytest.approx(1 - 0.2 ** (1 / effective))


def test_hits_that_could_come_together_are_found_by_problems_not_by_rows():
    nothing = share(rows([0] * 40, [f"p{number % 4}" for number in range(40)]), "s")
    assert nothing.detectable == pytest.approx(1 - 0.2 ** (1 / 4))
    apart = share(rows([1] + [0] * 39, [f"p{number}" for number in range(40)]), "s")
    assert apart.detectable == pytest.approx(1 - 0.2 ** (1 / 39))  # 1/40 of 39/40, over the square of 1/40


def test_nothing_has_no_share_and_no_difference():
    nothing, some = rows([], []), rows([1.0], ["a"])
    assert share(nothing, "s").value is None
    assert difference(some, nothing, "d").value is None


def test_a_difference_leaves_a_problem_out_of_both_sides():
    first, second = rows([1, 1, 0], ["a", "b", "c"]), rows([0, 0, 0], ["a", "b", "c"])
    found = difference(first, second, "d", paired=True)
    # without a or b: 1/2, without c: 1
    parts = np.array([0.5, 0.5, 1.0])
    se = np.sqrt(2 / 3 * ((parts - parts.mean()) ** 2).sum())
    assert found.value == pytest.approx(2 / 3)
    assert found.high == pytest.approx(min(1.0, 2 / 3 + stats.t.ppf(0.975, 2) * se))
    assert found.p == pytest.approx(2 * stats.t.sf(2 / 3 / se, 2))


def test_few_hits_are_not_more_certain_than_fishers_test():
    first = rows([1] * 4 + [0] * 36, [f"p{n}" for n in range(40)])
    second = rows([0] * 40, [f"p{n}" for n in range(40)])
    found = difference(first, second, "d")
    assert found.p == pytest.approx(stats.fisher_exact(np.array([[4, 36], [0, 40]])).pvalue)


@given(st.integers(0, 60), st.integers(1, 60), st.sampled_from([0.8, 0.95, 0.99]))
def test_exact_intervals_are_scipys(hits, more, level):
    n = hits + more
    low, high = exact(hits, n, level)
    expected = stats.binomtest(hits, n).proportion_ci(level, "exact")
    assert low == pytest.approx(expected.low, abs=1e-12)
    assert high == pytest.approx(expected.high, abs=1e-12)
    assert lower_bound(0, n, 0.05) == 0
    assert upper_bound(0, n, 0.05) == pytest.approx(1 - 0.05 ** (1 / n))
    assert upper_bound(n, n, 0.05) == 1


def flagged(rates, runs, seed):
    """In how many runs any model is said to differ: 4 answers to each of 40 problems a model."""
    rng, found = np.random.default_rng(seed), 0
    problems = np.repeat([f"p{n}" for n in range(40)], 4)
    for _ in range(runs):
        # problems differ, for all models alike: a failure is some three times as likely in one as in another
        hard = np.repeat(rng.gamma(1.0, 1.0, 40), 4)
        parts = [rows(rng.random(160) < rate * hard, problems, model=model) for model, rate in rates.items()]
        tests = adjusted(list(against_the_rest(pd.concat(parts), "model", "d")), 0.95)
        found += any(one.flagged for one in tests)
    return found / runs


@pytest.mark.slow
def test_models_that_fare_alike_are_said_to_differ_in_at_most_one_case_of_twenty():
    assert flagged({"a": 0.05, "b": 0.05, "c": 0.05}, 400, 11) <= 0.06
    assert flagged({"a": 0.005, "b": 0.005, "c": 0.005}, 200, 12) <= 0.06


@pytest.mark.slow
def test_a_model_on_which_a_judge_fails_is_found():
    assert flagged({"a": 0.03, "b": 0.03, "c": 0.15}, 200, 13) >= 0.9
