"""Standard errors, intervals and tests against hand computation and other libraries."""

from __future__ import annotations

from fractions import Fraction
from math import exp, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from statsmodels.regression.linear_model import WLS

from grader.stats.jackknife import difference_interval, mean_of_ratios, p_value, ratio, share_interval


def test_the_jackknife_is_the_one_of_the_textbook() -> None:
    # shares 2/4, 3/4, 1/2; without each of them 4/6, 3/6, 5/8
    found = ratio(np.array([2.0, 3.0, 1.0]), np.array([4.0, 4.0, 2.0]))
    without = [Fraction(4, 6), Fraction(3, 6), Fraction(5, 8)]
    mean = sum(without) / 3
    variance = Fraction(2, 3) * sum((one - mean) ** 2 for one in without)
    assert variance == Fraction(13, 1296)
    assert found.value == pytest.approx(0.6, abs=1e-15)
    assert found.se == pytest.approx(sqrt(13) / 36, abs=1e-15)
    # Student's t with 2 degrees of freedom: 4.302653
    reach = 4.302653 * sqrt(13) / 36
    assert ends(difference_interval(found, 0.95)) == pytest.approx([0.6 - reach, 1.0], abs=1e-6)
    # on the log odds: log(0.6 / 0.4), and the reach over 0.6 * 0.4
    odds = [log(1.5) - reach / 0.24, log(1.5) + reach / 0.24]
    assert ends(share_interval(found, 0.95)) == pytest.approx([1 / (1 + exp(-one)) for one in odds], abs=1e-6)


def ends(found: tuple[np.ndarray, np.ndarray]) -> list[float]:
    return [float(end) for end in found]


def test_a_problem_without_marks_is_no_cluster() -> None:
    three = ratio(np.array([2.0, 3.0, 1.0]), np.array([4.0, 4.0, 2.0]))
    four = ratio(np.array([2.0, 0.0, 3.0, 1.0]), np.array([4.0, 0.0, 4.0, 2.0]))
    assert four.problems == 3
    assert four.se == pytest.approx(three.se, abs=1e-15)


def test_equal_clusters_give_the_standard_error_of_a_mean() -> None:
    shares = np.array([0.2, 0.5, 0.9, 0.4])
    assert ratio(shares * 5, np.full(4, 5.0)).se == pytest.approx(stats.sem(shares), abs=1e-15)


def test_statsmodels_has_the_same_cluster_robust_standard_error_where_problems_are_equal() -> None:
    earned = np.array([[1.0, 2.0, 0.0], [3.0, 1.0, 2.0], [0.0, 0.0, 1.0], [4.0, 2.0, 2.0]])
    full = np.tile([4.0, 2.0, 2.0], (4, 1))
    found = ratio(earned.sum(axis=1), full.sum(axis=1))
    assert found.se == pytest.approx(cluster_robust(earned, full), abs=1e-12)


def test_statsmodels_has_nearly_the_same_where_they_are_not() -> None:
    rng = np.random.default_rng(3)
    full = rng.integers(1, 5, (60, 4)).astype(float)
    earned = rng.binomial(full.astype(int), rng.beta(2, 2, (60, 1))).astype(float)
    found = ratio(earned.sum(axis=1), full.sum(axis=1))
    assert found.se == pytest.approx(cluster_robust(earned, full), rel=0.03)


def cluster_robust(earned: np.ndarray, full: np.ndarray) -> float:
    """CR1 of a weighted mean, by statsmodels."""
    groups = np.repeat(np.arange(len(full)), full.shape[1])
    shares = (earned / full).ravel()
    model = WLS(shares, np.ones_like(shares), weights=full.ravel())
    return float(model.fit(cov_type="cluster", cov_kwds={"groups": groups}).bse[0])


def test_p_is_that_of_the_paired_t_test_where_problems_are_equal() -> None:
    first, second = np.array([3.0, 4.0, 2.0, 4.0, 1.0]), np.array([2.0, 4.0, 1.0, 1.0, 1.0])
    found = ratio(first - second, np.full(5, 4.0))
    assert p_value(found) == pytest.approx(stats.ttest_rel(first, second).pvalue, abs=1e-12)


def test_one_problem_has_no_interval_and_no_p() -> None:
    found = ratio(np.array([[1.0, 0.0]]), np.array([[2.0, 0.0]]))
    assert found.value == 0.5
    ends = (*share_interval(found, 0.95), *difference_interval(found, 0.95))
    assert np.isnan([found.se, *ends, p_value(found)]).all()


def test_problems_that_all_score_full_marks_leave_room_for_others() -> None:
    found = ratio(np.full(10, 2.0), np.full(10, 2.0))
    exact = stats.binomtest(10, 10).proportion_ci(0.95, "exact")
    assert ends(share_interval(found, 0.95)) == pytest.approx([exact.low, 1.0], abs=1e-12)


def test_the_same_difference_in_few_problems_is_no_proof() -> None:
    # five problems that one side has right and the other wrong: the exact sign test says 2 / 2^5
    found = ratio(np.full(5, 3.0), np.full(5, 3.0))
    assert p_value(found) == pytest.approx(stats.binomtest(5, 5).pvalue, abs=1e-15)
    low, _ = difference_interval(found, 0.95)
    assert low < 0  # as p = 0.0625 says
    low, _ = difference_interval(ratio(np.full(6, 3.0), np.full(6, 3.0)), 0.95)
    assert low > 0  # p = 0.03125


def test_no_difference_anywhere_is_no_difference() -> None:
    found = ratio(np.zeros(20), np.full(20, 3.0))
    assert p_value(found) == 1.0
    # with 1 - 0.025^(1/20) of the problems different at most
    assert ends(difference_interval(found, 0.95)) == pytest.approx([-0.168433, 0.168433], abs=1e-6)


@given(arrays(float, (3, 6), elements=st.integers(0, 8)), arrays(float, 6, elements=st.integers(1, 8)))
def test_interval_and_p_agree(gained: np.ndarray, full: np.ndarray) -> None:
    found = ratio(np.minimum(gained, full) - np.minimum(gained[::-1], full), np.tile(full, (3, 1)))
    low, high = difference_interval(found, 0.95)
    decided = np.abs(p_value(found) - 0.05) > 1e-9
    assert (((low > 0) | (high < 0)) == (p_value(found) < 0.05))[decided].all()


def test_what_makes_a_problem_hard_for_all_models_counts_once() -> None:
    one = np.array([[1.0, 2.0, 4.0, 3.0]])
    full = np.full((1, 4), 4.0)
    ten = mean_of_ratios(np.repeat(one, 10, axis=0), np.repeat(full, 10, axis=0))
    assert ten.se == pytest.approx(ratio(one, full).se[0], abs=1e-15)
    assert ten.problems == 4


def test_a_model_without_a_problem_stays_as_it_is_when_that_is_left_out() -> None:
    gained = np.array([[1.0, 1.0, 0.0], [2.0, 0.0, 2.0]])
    full = np.array([[2.0, 2.0, 0.0], [2.0, 2.0, 2.0]])
    found = mean_of_ratios(gained, full)
    # 1/2 and 2/3; without the first 1/2, 1/2; without the second 1/2, 1; without the third 1/2, 1/2
    assert found.value == pytest.approx((1 / 2 + 2 / 3) / 2, abs=1e-15)
    assert found.problems == 3
    spread = np.array([1 / 2, 3 / 4, 1 / 2])
    assert found.se == pytest.approx(sqrt(2 / 3 * ((spread - spread.mean()) ** 2).sum()), abs=1e-15)
