"""The bootstrap of problems: against scipy's, paired, seeded, and honest where there is nothing to draw."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from grader.stats.agreement import additive
from grader.stats.agreement.resampling import cluster_bootstrap, expanded, mean_of


def marked(problems, a_problem=10, seed=0, spread=1.0):
    """Two raters whose disagreement differs by problem; and the problem of each item."""
    rng = np.random.default_rng(seed)
    problem = np.repeat(np.arange(problems), a_problem)
    truth = rng.random(len(problem)) < 0.5
    wrong = 1 / (1 + np.exp(2 - spread * rng.normal(size=problems)))
    flipped = rng.random(len(problem)) < wrong[problem]
    return truth.astype(float), (truth ^ flipped).astype(float), problem


def covers(found, truth):
    assert found.low is not None
    assert found.high is not None
    return found.low <= truth <= found.high


def test_a_mean_spreads_as_in_scipys_bootstrap_of_problem_means():
    first, second, problem = marked(40)
    (found,) = cluster_bootstrap([additive.agreement(first, second)], problem, resamples=20_000)
    means = np.array([(first == second)[problem == one].mean() for one in range(40)])
    theirs = stats.bootstrap((means,), np.mean, method="percentile", rng=np.random.default_rng(1))
    assert found.value == pytest.approx(means.mean())
    assert found.se == pytest.approx(theirs.standard_error, rel=0.03)
    assert found.low == pytest.approx(theirs.confidence_interval.low, abs=0.006)
    assert not covers(found, theirs.confidence_interval.low - 0.006)
    assert covers(found, theirs.confidence_interval.low)


def test_equal_seeds_give_equal_bytes_and_others_do_not():
    first, second, problem = marked(20)
    kappa = additive.cohen_kappa(first, second)
    once, again, other = (cluster_bootstrap([kappa], problem, seed=seed)[0] for seed in (3, 3, 4))
    assert once == again
    assert once.low != other.low


def test_a_statistic_does_not_depend_on_what_is_resampled_beside_it():
    first, second, problem = marked(20)
    kappa, ac1 = additive.cohen_kappa(first, second), additive.gwet_ac1(np.column_stack([first, second]))
    assert cluster_bootstrap([kappa, ac1], problem)[0] == cluster_bootstrap([kappa], problem)[0]


def test_a_difference_of_two_statistics_is_paired():
    first, second, problem = marked(30)
    kappa = additive.cohen_kappa(first, second)
    mostly = second.copy()
    mostly[:3] = 1 - mostly[:3]
    alone, difference = cluster_bootstrap([kappa, kappa.minus(additive.cohen_kappa(first, mostly))], problem)
    assert alone.se is not None
    assert difference.se is not None
    assert difference.se < alone.se / 3
    assert mean_of([kappa, kappa]).value() == pytest.approx(kappa.value())


def test_the_names_and_order_of_problems_change_nothing_but_the_draws():
    first, second, problem = marked(25)
    kappa = additive.cohen_kappa(first, second)
    (found,) = cluster_bootstrap([kappa], problem)
    (renamed,) = cluster_bootstrap([kappa], problem * 7 + 3)
    assert found == renamed


@pytest.mark.parametrize("problems", [1, 0])
def test_one_problem_has_a_value_and_no_interval(problems):
    first, second, problem = marked(problems)
    (found,) = cluster_bootstrap([additive.agreement(first, second)], problem)
    assert (found.low, found.high, found.se, found.problems) == (None, None, None, problems)


def test_perfect_agreement_is_not_given_an_interval_without_width():
    first, _, problem = marked(20)
    (found,) = cluster_bootstrap([additive.cohen_kappa(first, first)], problem)
    assert (found.value, found.low, found.high) == (1, None, None)


def test_a_statistic_that_is_often_undefined_gets_no_interval_and_the_count():
    # the only two items that are not 1 stand in one problem of three: 8 of 27 resamples lack it
    first, problem = np.array([1, 1, 1, 1, 0, 0.0]), np.array([0, 0, 1, 1, 2, 2])
    second = np.array([1, 1, 1, 1, 0, 1.0])
    (found,) = cluster_bootstrap([additive.cohen_kappa(first, second)], problem)
    assert found.value is not None
    assert found.low is None
    assert found.undefined == pytest.approx(found.resamples * 8 / 27, rel=0.15)


def test_items_that_do_not_count_bring_no_problem_in():
    first, second, problem = marked(10)
    second[problem > 5] = np.nan
    (found,) = cluster_bootstrap([additive.agreement(first, second)], problem)
    assert found.problems == 6


def test_percentiles_widen_with_few_problems_and_tend_to_the_plain_ones():
    assert expanded(10**7, 0.95) == pytest.approx((0.025, 0.975), abs=1e-6)
    # by tables of t and of the normal: t(.975, 9) = 2.262157, x sqrt(10/9) = 2.384523
    assert expanded(10, 0.95)[0] == pytest.approx(stats.norm.cdf(-2.384523), abs=1e-6)


@pytest.mark.slow
def test_intervals_by_problem_cover_and_those_by_point_do_not():
    """Of kappa's true value, at 30 problems of 20 points whose error rate differs by problem."""
    first, second, _ = marked(20_000, 20, seed=99)
    truth = additive.cohen_kappa(first, second).value()
    by_problem, by_point, trials = 0, 0, 600
    for trial in range(trials):
        first, second, problem = marked(30, 20, seed=trial)
        kappa = additive.cohen_kappa(first, second)
        (clustered,) = cluster_bootstrap([kappa], problem, resamples=600, seed=trial)
        (plain,) = cluster_bootstrap([kappa], np.arange(len(problem)), resamples=600, seed=trial)
        by_problem += covers(clustered, truth)
        by_point += covers(plain, truth)
    assert by_problem / trials > 0.925
    assert by_point / trials < 0.87
