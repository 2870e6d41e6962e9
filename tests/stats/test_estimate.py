"""Shares and paired differences, every rule worked out by hand."""

from __future__ import annotations

from math import exp, sqrt

import pandas as pd
import pytest
from scipy import stats
from scipy.integrate import quad
from statsmodels.stats.multitest import multipletests

from grader.stats.estimate import difference, share
from grader.stats.multiple import holm
from grader.stats.power import detectable
from tests.stats.marked import by_problem, subquestions

FIRST = subquestions([("p", "a", 2, 4), ("p", "b", 1, 1), ("q", "c", 1, 2), ("r", "d", 0, 3)])
SECOND = subquestions([("p", "a", 1, 4), ("p", "b", 1, 1), ("q", "c", 2, 2), ("s", "e", 5, 5)])


def test_a_share_is_marks_over_marks_and_not_the_mean_of_problems() -> None:
    found = share(FIRST)
    assert found is not None
    assert found.value == pytest.approx(4 / 10, abs=1e-15)
    assert (found.problems, found.subquestions, found.answers, found.df) == (3, 4, 4, 2)
    # without p 1/5, without q 3/8, without r 4/7
    without = [1 / 5, 3 / 8, 4 / 7]
    mean = sum(without) / 3
    se = sqrt(2 / 3 * sum((one - mean) ** 2 for one in without))
    assert found.se == pytest.approx(se, abs=1e-15)
    assert found.low == pytest.approx(1 / (1 + exp(4.302653 * se / 0.24) * 0.6 / 0.4), abs=1e-6)
    assert found.bounds == (found.value, found.value)
    assert found.widened == (found.low, found.high)


def test_by_problem_each_problem_counts_once() -> None:
    found = share(FIRST, macro=True)
    assert found is not None
    # 3/5, 1/2, 0
    assert found.value == pytest.approx(1.1 / 3, abs=1e-15)
    assert found.se == pytest.approx(stats.sem([0.6, 0.5, 0.0]), abs=1e-15)


def test_a_difference_is_over_what_both_answered_and_says_what_it_left_out() -> None:
    found = difference(FIRST, SECOND)
    assert found is not None
    assert (found.only_first, found.only_second) == (1, 1)  # d; e
    assert (found.problems, found.subquestions, found.answers) == (2, 3, 6)
    # p: 3 - 2 of 5; q: 1 - 2 of 2
    assert found.value == pytest.approx(0.0, abs=1e-15)
    # without p -1/2, without q 1/5: mean -0.15, deviations 0.35
    assert found.se == pytest.approx(sqrt(1 / 2 * 2 * 0.35**2), abs=1e-15)
    assert found.p == 1.0
    assert not found.evidence
    assert found.favours is None


def test_differences_turn_round() -> None:
    one, two = difference(FIRST, SECOND, macro=True), difference(SECOND, FIRST, macro=True)
    assert one is not None
    assert two is not None
    # by problem: 1/5 and -1/2
    assert one.value == pytest.approx(-0.15, abs=1e-15)
    assert two.value == pytest.approx(0.15, abs=1e-15)
    assert [one.p, one.se] == pytest.approx([two.p, two.se])


def test_samples_of_a_subquestion_share_its_weight_however_many_they_are() -> None:
    # the first was asked a three times (6 of 12 marks), the second once (3 of 4)
    thrice = subquestions([("p", "a", 6, 12)], answers=3)
    once = subquestions([("q", "c", 1, 2)])
    found = difference(pd.concat([thrice, once]), subquestions([("p", "a", 3, 4), ("q", "c", 2, 2)]))
    assert found is not None
    # means of 2 and 3 of 4, 1 and 2 of 2: (3 - 5) / 6
    assert found.value == pytest.approx(-2 / 6, abs=1e-15)
    assert found.answers == 6


def test_a_share_is_as_graded_over_all_answers() -> None:
    found = share(pd.concat([subquestions([("p", "a", 6, 12)], answers=3), subquestions([("q", "c", 2, 2)])]))
    assert found is not None
    assert found.value == pytest.approx(8 / 14, abs=1e-15)
    assert (found.subquestions, found.answers) == (2, 4)


def test_another_mark_is_another_question() -> None:
    found = difference(
        by_problem([1, 2, 2], 4), pd.concat([by_problem([1, 1], 4), by_problem([0, 0, 3], 5)[2:]])
    )
    assert found is not None
    assert (found.subquestions, found.only_first, found.only_second) == (2, 1, 1)
    assert found.value == pytest.approx(1 / 8, abs=1e-15)


def test_open_points_give_bounds_and_the_interval_at_both_extremes() -> None:
    marks = [1, 2, 3, 2]
    found = share(subquestions([(f"p{n}", "a", m, 4) for n, m in enumerate(marks)], low=0.4, high=1.0))
    worst, best = share(by_problem([m - 0.4 for m in marks], 4)), share(by_problem([m + 1 for m in marks], 4))
    assert found is not None
    assert worst is not None
    assert best is not None
    assert found.value == 0.5
    assert found.bounds == pytest.approx((0.4, 0.75))
    assert found.widened == pytest.approx((worst.low, best.high))
    reach = stats.t.ppf(0.975, 3) * stats.sem([0.25, 0.5, 0.75, 0.5])
    assert found.low == pytest.approx(1 / (1 + exp(reach / 0.25)))


def test_a_difference_that_open_points_can_overturn_says_so() -> None:
    second = by_problem([1, 0, 1, 1, 0, 1], 4)
    rows = [(f"p{n}", "a", m, 4.0) for n, m in enumerate([2, 2, 2, 3, 1, 2])]
    settled, open_ = difference(subquestions(rows), second), difference(subquestions(rows, low=1.5), second)
    assert settled is not None
    assert open_ is not None
    assert settled.favours == open_.favours == "first"
    assert settled.evidence_if_open
    assert not open_.evidence_if_open
    # gained 1, 2, 1, 2, 1, 1 of 4: 8/24; at the lowest 1.5 less for each
    assert open_.bounds == pytest.approx(((8 - 9) / 24, 8 / 24))


def test_one_problem_has_a_value_and_no_interval() -> None:
    found = difference(subquestions([("p", "a", 2, 2)]), subquestions([("p", "a", 1, 2)]))
    assert found is not None
    assert found.value == 0.5
    assert (found.low, found.high, found.se, found.p, found.detectable, found.widened) == (None,) * 6
    assert not found.evidence


def test_nothing_in_common_is_no_difference() -> None:
    assert difference(FIRST, subquestions([("p", "z", 1, 2)])) is None
    assert share(FIRST[:0]) is None


def test_the_smallest_detectable_gap_is_found_four_times_out_of_five() -> None:
    gap = detectable(0.03, 48)
    critical = stats.t.ppf(0.975, 47)
    power = stats.nct.sf(critical, 47, gap / 0.03) + stats.nct.cdf(-critical, 47, gap / 0.03)
    assert power == pytest.approx(0.8, abs=1e-6)
    assert gap == pytest.approx(0.03 * 2.8605, abs=1e-5)


@pytest.mark.parametrize(("problems", "level"), [(2, 0.95), (3, 0.999), (4, 0.99)])
def test_a_detectable_gap_is_right_where_the_noncentral_t_of_libraries_fails(
    problems: int, level: float
) -> None:
    df = problems - 1
    gap, limit = detectable(1.0, problems, level=level), stats.t.ppf((1 + level) / 2, df)

    def found(spread: float) -> float:
        reached = stats.norm.sf(limit * spread - gap) + stats.norm.cdf(-limit * spread - gap)
        return float(reached * stats.chi.pdf(spread * sqrt(df), df) * sqrt(df))

    power, _ = quad(found, 0, 12, points=[gap / limit], limit=400)
    assert power == pytest.approx(0.8, abs=1e-3)


def test_holm_agrees_with_statsmodels_in_any_order() -> None:
    p = [0.04, 0.001, 0.03, 0.03, 0.6, 0.0, 1.0]
    assert holm(p) == pytest.approx(list(multipletests(p, method="holm")[1]))


def test_holm_adjusts_step_by_step_and_leaves_out_what_has_no_p() -> None:
    # sorted 0.01 * 3, max(0.03, 0.02 * 2), max(0.04, 0.9)
    assert holm([0.9, None, 0.01, 0.02]) == [0.9, None, pytest.approx(0.03), pytest.approx(0.04)]
    assert holm([]) == []
