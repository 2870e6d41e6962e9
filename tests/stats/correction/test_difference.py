"""Differences of corrected scores: paired, adjusted, and honest about what could have been found."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from grader.errors import AuditError
from grader.stats.correction.corrected import corrected
from grader.stats.correction.difference import corrected_difference
from grader.stats.correction.sample import Sample
from grader.stats.correction.sums import only
from tests.stats.correction.drawing import pair, simulated, two_strata


def two_points_each(graded: list[float], marked: list[float]) -> Sample:
    """Three problems of one point of four marks; half the points drawn (nan: not marked)."""
    people, machine = np.array(marked), np.array(graded)
    full = np.full(3, 4.0)
    differs = ~np.isnan(people) & (people != machine)
    return Sample(machine, people, np.full(3, 0.5), np.arange(3), full, np.zeros(3), differs, full)


def test_the_difference_is_the_formula_by_hand() -> None:
    first = two_points_each([2, 1, 4], [3, np.nan, 4])
    second = two_points_each([2, 2, 0], [np.nan, 2, 1])
    found = corrected_difference(first, second, target="benchmark")
    alone = [corrected(side, target="benchmark") for side in (first, second)]
    assert found.value == pytest.approx(alone[0].value - alone[1].value)
    assert alone[0].se is not None
    assert alone[1].se is not None
    assert found.se == pytest.approx(sqrt(alone[0].se ** 2 + alone[1].se ** 2))
    by_problems = corrected_difference(first, second)
    # T of the first 4, 1, 4; of the second 2, 2, 2; over 12 marks
    assert by_problems.value == pytest.approx((2 - 1 + 2) / 12)
    assert by_problems.judge_only.value == pytest.approx((7 - 4) / 12)
    # without each as graded: 3/8 - 2/8, 6/8 - 2/8, 3/8 - 4/8, and their mean
    without = np.array([3, 4, -1]) / 8
    assert by_problems.judge_only.se == pytest.approx(sqrt(2 / 3 * ((without - without.mean()) ** 2).sum()))
    assert (by_problems.labels, by_problems.disagreements) == ((2, 2), (1, 1))


def test_the_side_with_too_few_disagreements_is_named() -> None:
    enough, few = two_strata(10, 10), two_strata(6, 3)
    (said,) = corrected_difference(enough, few, target="benchmark").notes
    assert said == "Fewer than 10 disagreements on the second side: interval widened."
    (said,) = corrected_difference(few, few, target="benchmark").notes
    assert said == "Fewer than 10 disagreements on either side: interval widened."
    (said,) = corrected_difference(two_strata(12, 1), few, target="benchmark").notes
    assert said == (
        "Fewer than 10 disagreements among points drawn with probability 0.05 (1 of 20) on the first side; "
        "fewer than 10 disagreements on the second side: interval widened."
    )
    assert corrected_difference(enough, enough, target="benchmark").notes == ()


def test_what_makes_a_problem_hard_for_both_cancels() -> None:
    first, second = pair("good", 60, 0.5, seed=4)
    found = corrected_difference(first, second)
    alone = np.array([corrected(side).se for side in (first, second)], float)
    assert found.se is not None
    assert found.se < 0.6 * sqrt((alone**2).sum())


def test_p_and_interval_agree_and_say_what_could_have_been_found() -> None:
    first, second = pair("self-preferring", 60, 0.25, seed=9)
    found = corrected_difference(first, second)
    assert found.se is not None
    assert found.p is not None
    assert found.p == pytest.approx(2 * stats.t.sf(abs(found.value) / found.se, found.df))
    assert (found.favours is None) == (found.p > 0.05)
    # the noncentral t's power at the smallest detectable difference is 0.8
    limit, shift = stats.t.ppf(0.975, found.df), found.detectable / found.se  # type: ignore[operator]
    power = stats.nct.sf(limit, found.df, shift) + stats.nct.cdf(-limit, found.df, shift)
    assert power == pytest.approx(0.8, abs=1e-3)


def test_the_same_difference_in_every_problem_is_no_certainty_of_others() -> None:
    """As of gaps as graded: with three problems alike a third may differ, and p says so."""
    sides = (two_points_each([4, 4, 4], [4, 4, 4]), two_points_each([2, 2, 2], [2, 2, 2]))
    first, second = (replace(side, probability=np.ones(3)) for side in sides)
    found = corrected_difference(first, second)
    odd = 1 - 0.025 ** (1 / 3)
    assert (found.low, found.value, found.high) == pytest.approx((0.5 - 1.5 * odd, 0.5, 0.5 + 0.5 * odd))
    assert found.p == pytest.approx(2 * 1.5**-3)
    assert found.favours is None
    assert found.judge_only.low == found.low
    own = corrected_difference(first, second, target="benchmark")
    assert (own.low, own.high, own.p, own.notes) == (0.5, 0.5, None, ())


@settings(max_examples=20)
@given(st.integers(0, 10_000), st.sampled_from(["problems", "benchmark"]))
def test_the_other_way_round_only_the_sign_changes(seed: int, target: str) -> None:
    first, second = pair("mediocre", 30, 0.3, seed)
    one = corrected_difference(first, second, target=target)  # type: ignore[arg-type]
    two = corrected_difference(second, first, target=target)  # type: ignore[arg-type]
    assert (one.value, one.se, one.p) == pytest.approx((-two.value, two.se, two.p))
    assert one.low == pytest.approx(-two.high)  # type: ignore[operator]
    assert {one.favours, two.favours} in ({None}, {"first", "second"})


def test_a_judge_that_prefers_one_of_two_equal_systems_is_seen_through() -> None:
    # the simulator's judge gives the second of two equal systems 6 points more
    sides = pair("self-preferring", 150, 0.25, seed=12)
    found = corrected_difference(*sides)
    assert found.judge_only.high is not None
    assert found.judge_only.high < 0
    assert found.favours is None


def test_problems_that_one_side_lacks_are_left_out_and_counted() -> None:
    first, second = pair("good", 40, 0.4, seed=2)
    held = np.arange(40) >= 5
    found = corrected_difference(first, only(second, held), tune=False)
    assert (found.problems, found.only_first, found.only_second) == (35, 5, 0)
    same = corrected_difference(without_five(first), without_five(second), tune=False)
    assert (found.value, found.se, found.df) == pytest.approx((same.value, same.se, same.df))


def without_five(sample: Sample) -> Sample:
    """The sample as if its first five problems had never been."""
    rest = only(sample, np.arange(40) >= 5)
    return replace(rest, problem=rest.problem - 5, full=sample.full[5:], rest=sample.rest[5:])


def test_other_problems_or_none_in_common_are_refused() -> None:
    with pytest.raises(AuditError, match="over the same problems"):
        corrected_difference(simulated(problems=20), simulated(problems=21))
    sample = simulated(problems=20)
    early = np.arange(20) < 10
    halves = [only(sample, early), only(sample, ~early)]
    with pytest.raises(AuditError, match="no problem in common"):
        corrected_difference(*halves)


def test_systems_that_nobody_tells_apart_differ_by_nothing_but_not_surely() -> None:
    sample = simulated("good", problems=20, share=0.3)
    found = corrected_difference(sample, replace(sample))
    assert found.value == 0
    assert found.favours is None
