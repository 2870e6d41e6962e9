"""Flips and misses against hand arithmetic, other libraries and published figures."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as by_statsmodels
from statsmodels.stats.proportion import proportion_confint

from grader.stats.flips import (
    detectable_rise,
    detectable_share,
    exceeds,
    flips,
    lower_bound,
    mcnemar,
    power,
    shift,
    upper_bound,
)

counts = st.integers(0, 60)


def test_flips_are_counted_by_hand() -> None:
    repeated = np.array([True, True, False, False, False, False, False, False])
    rewritten = np.array([True, False, True, True, True, True, True, False])
    found = flips(repeated, rewritten)
    assert (found.n, found.transformed, found.repeated) == (8, 6, 2)
    assert (found.only_transformed, found.only_repeated) == (5, 1)
    assert (found.rate, found.base) == (0.75, 0.25)
    # of 6 discordant pairs at most 1 the other way, both sides: 2 (1 + 6) / 64
    assert found.p == pytest.approx(14 / 64, abs=1e-15)


def test_no_pairs_are_no_rate() -> None:
    with pytest.raises(ValueError, match="at least one"):
        flips(np.array([], bool), np.array([], bool))
    with pytest.raises(ValueError, match="at least one"):
        shift(np.array([]), np.array([]), [])


@given(counts, counts)
def test_mcnemar_is_that_of_statsmodels(one: int, other: int) -> None:
    p = mcnemar(one, other)
    expected = by_statsmodels([[0, one], [other, 0]], exact=True).pvalue if one + other else 1.0
    assert p == pytest.approx(expected, abs=1e-12)
    assert p == mcnemar(other, one)


@given(st.integers(1, 400), st.floats(0, 1), st.sampled_from([0.9, 0.95, 0.99]))
def test_bounds_are_those_of_statsmodels(n: int, share: float, level: float) -> None:
    count = round(n * share)
    low, high = proportion_confint(count, n, alpha=2 * (1 - level), method="beta")
    assert upper_bound(count, n, level) == pytest.approx(high, abs=1e-9)
    assert lower_bound(count, n, level) == pytest.approx(low, abs=1e-9)
    assert lower_bound(count, n, level) <= count / n <= upper_bound(count, n, level)


def test_bounds_without_a_miss_are_the_published_ones() -> None:
    assert upper_bound(0, 60) == pytest.approx(1 - 0.05 ** (1 / 60), abs=1e-12)
    assert round(100 * upper_bound(0, 60), 1) == 4.9
    assert upper_bound(0, 300) < 0.01 < upper_bound(0, 290)


@given(st.integers(1, 200), st.integers(0, 200), st.floats(0.01, 0.9))
def test_a_tolerated_share_is_tested_as_scipy_does(n: int, count: int, share: float) -> None:
    count = min(count, n)
    expected = stats.binomtest(count, n, share, alternative="greater").pvalue
    assert exceeds(count, n, share) == pytest.approx(expected, rel=1e-9, abs=1e-14)


@pytest.mark.parametrize(
    ("n", "raised", "exact", "published"),
    [(200, 0.13, 0.9563, 0.96), (200, 0.08, 0.5181, 0.53), (400, 0.08, 0.8557, 0.86)],
)
def test_power_is_the_published_one(n: int, raised: float, exact: float, published: float) -> None:
    # published from simulations of 1,000: a standard error of up to .016
    assert power(n, 0.03, raised) == pytest.approx(exact, abs=1e-4)
    assert abs(power(n, 0.03, raised) - published) < 0.016


def test_power_is_what_simulation_finds() -> None:
    rng = np.random.default_rng(20261202)
    runs, n, base, raised = 4000, 120, 0.05, 0.16
    up = rng.binomial(n, raised * (1 - base), runs)
    down = rng.binomial(n - up, base * (1 - raised) / (1 - raised * (1 - base)))
    found = [
        one > other and mcnemar(int(one), int(other)) <= 0.05 for one, other in zip(up, down, strict=True)
    ]
    assert power(n, base, raised) == pytest.approx(np.mean(found), abs=3 * 0.5 / np.sqrt(runs))


@given(st.integers(6, 300), st.floats(0, 0.2))
def test_the_smallest_rise_that_is_found_has_the_wanted_power(n: int, base: float) -> None:
    rise = detectable_rise(n, base)
    if rise is None:
        assert power(n, base, 1.0) < 0.8
    else:
        assert power(n, base, base + rise) == pytest.approx(0.8, abs=1e-6)
        assert power(n, base, base + rise / 2) < 0.8


def test_few_pairs_find_nothing() -> None:
    assert power(5, 0.0, 1.0) == 0.0  # 5 of 5 have p = 2 / 32
    assert power(6, 0.0, 1.0) == 1.0
    assert detectable_rise(5, 0.0) is None
    assert power(50, 0.0, 0.0) == 0.0


def test_a_share_that_would_be_found_above_a_tolerated_one() -> None:
    # of 60, 7 are the fewest with p <= .05 against 5 %: P(X >= 7) is .031, P(X >= 6) .079
    assert exceeds(7, 60, 0.05) < 0.05 < exceeds(6, 60, 0.05)
    share = detectable_share(60, 0.05)
    assert share is not None
    assert stats.binom.sf(6, 60, share) == pytest.approx(0.8, abs=1e-9)
    assert detectable_share(1, 0.05) == pytest.approx(0.8)  # one of one has p = .05


def test_credit_shifts_by_hand() -> None:
    # problem a: 1 mark lost of 3, problem b: 2 gained of 4
    found = shift(np.array([-1.0, 0.0, 1.0]), np.array([1.0, 2.0, 2.0]), ["a", "a", "b"])
    assert found.value == pytest.approx(1 / 5)
    assert found.problems == 2
    assert found.low is not None
    assert found.low >= -1
    alone = shift(np.array([0.5]), np.array([1.0]), ["a"])
    assert (alone.value, alone.low, alone.high, alone.p) == (0.5, None, None, None)


@given(
    st.lists(st.tuples(st.sampled_from("abcde"), st.sampled_from([-1.0, 0.0, 0.5])), min_size=1, max_size=40)
)
def test_the_order_of_pairs_changes_no_shift(rows: list[tuple[str, float]]) -> None:
    one, other = (
        shift(np.array([c for _, c in some]), np.ones(len(some)), [p for p, _ in some])
        for some in (rows, rows[::-1])
    )
    assert one.value == pytest.approx(other.value, abs=1e-12)
    assert one.problems == other.problems
    if one.low is not None and other.low is not None:
        assert one.low == pytest.approx(other.low, abs=1e-9)
