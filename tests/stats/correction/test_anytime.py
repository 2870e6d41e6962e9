"""When marking may stop: looks of any time, and budgets before the first mark."""

from __future__ import annotations

from dataclasses import replace
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from grader.errors import AuditError
from grader.stats.correction.anytime import look, residuals_of
from grader.stats.correction.budget import Spread, budget, spread_of
from grader.stats.correction.corrected import corrected
from tests.stats.correction.drawing import simulated


def test_the_radius_is_the_one_of_the_paper() -> None:
    residuals = np.tile([0.5, -0.5, 0.5, 0.0], 25)
    found = look(residuals, most=200)
    tuning = (-2 * log(0.05) + log(-2 * log(0.05) + 1)) / 200
    grown = 100 * tuning + 1
    radius = residuals.std() * sqrt(2 * grown / (100**2 * tuning) * log(sqrt(grown) / 0.05))
    assert found.marks == 100
    assert found.value == pytest.approx(0.125)
    assert found.high - found.value == pytest.approx(radius)
    assert found.value - found.low == pytest.approx(radius)


def test_looking_again_and_again_keeps_its_promise_where_a_fixed_interval_breaks_it() -> None:
    rng = np.random.default_rng(8)
    errors = rng.choice([-1.0, 0.0, 1.0], (400, 1000), p=[0.03, 0.85, 0.12])
    looks = range(50, 1001, 50)
    held, fixed = [], []
    for row in errors:
        at = [look(row[:marks], most=400) for marks in looks]
        held.append(all(one.low <= 0.09 <= one.high for one in at))
        reach = [1.96 * row[:marks].std() / sqrt(marks) for marks in looks]
        fixed.append(all(abs(one.value - 0.09) <= far for one, far in zip(at, reach, strict=True)))
    assert np.mean(held) >= 0.95
    assert np.mean(fixed) < 0.85


def test_a_run_of_agreement_does_not_end_the_marking() -> None:
    assert not look(np.zeros(20), most=100).reached(0.3)
    assert look(np.zeros(400), most=100).reached(0.3)
    assert not look(np.zeros(1), most=100).reached(10.0)
    assert not look(np.zeros(0), most=100).reached(10.0)


@settings(max_examples=30)
@given(st.integers(2, 400), st.integers(1, 500), st.floats(0.5, 0.99))
def test_a_look_is_wider_than_one_fixed_before(marks: int, most: int, level: float) -> None:
    residuals = np.resize([1.0, 0.0, -1.0, 0.0, 0.0], marks)
    found = look(residuals, most=most, level=level)
    reach = stats.norm.ppf((1 + level) / 2) * residuals.std() / sqrt(marks)
    assert found.high - found.low > 2 * reach


def test_residuals_add_up_to_the_correction() -> None:
    sample = simulated("mediocre")
    residuals, whole = residuals_of(sample)
    assert len(residuals) == sample.labelled.sum()
    graded = sample.graded.sum() / sample.full.sum()
    people = (sample.marked / sample.probability)[sample.labelled].sum()
    machine = (sample.graded / sample.probability)[sample.labelled].sum()
    assert residuals.mean() == pytest.approx((people - machine) / sample.full.sum())
    assert abs(graded + residuals.mean() - corrected(sample, tune=False, target="benchmark").value) < 0.03
    assert abs(residuals).max() <= 3 * whole


def test_no_plan_no_look() -> None:
    with pytest.raises(AuditError, match="at least 1"):
        look(np.ones(5), most=0)


def test_a_budget_is_enough_and_not_one_mark_more() -> None:
    found = budget(0.1, Spread.assumed(1000, 0.1))

    def width(marks: int) -> float:
        return 2 * float(stats.t.ppf(0.975, marks - 1)) * sqrt(0.1 * (1 - marks / 1000) / marks)

    assert found.each is not None
    assert width(found.each) <= 0.1 < width(found.each - 1)
    assert found.rate == found.each / 1000
    # 0.1 * 4 * 1.96^2 / 0.1^2 = 154 of endlessly many; 154 / (1 + 154 / 1000) = 133
    assert 130 <= found.each <= 140


def test_marking_every_point_leaves_nothing_to_chance_however_few_there_are() -> None:
    for points in (1, 2, 3):
        found = budget(0.01, Spread.assumed(points, 0.5))
        assert (found.each, found.rate, found.least_width) == (points, 1.0, 0.0)


def test_cells_that_share_a_correction_need_hardly_more_marks_than_one() -> None:
    found = budget(0.1, Spread.assumed(1000, 0.1), cells=20)
    assert found.each is not None
    assert found.apart == 20 * found.each
    assert found.together is not None
    assert found.each < found.together < 160
    assert any("errs alike" in note for note in found.notes)


def test_a_plan_from_a_pilot_gives_the_width_it_planned() -> None:
    pilot = simulated("mediocre", problems=100, share=0.15, seed=3)
    plan = budget(0.08, spread_of(pilot))
    assert plan.rate is not None
    widths = []
    for seed in range(12):
        sample = simulated("mediocre", problems=100, share=plan.rate, seed=seed)
        widths.append(corrected(sample, target="benchmark", tune=False).width)
    assert np.array(widths, float).mean() == pytest.approx(0.08, rel=0.12)


def test_problems_set_a_width_that_no_marks_get_under() -> None:
    spread = spread_of(simulated("good", problems=40, share=0.3))
    plan = budget(0.05, spread, target="problems")
    assert plan.each is None
    assert plan.least_width > 0.05
    assert any("More problems" in note for note in plan.notes)
    wide = budget(1.3 * plan.least_width, spread, target="problems")
    assert wide.each is not None


def test_a_pilot_without_errors_still_asks_for_marks() -> None:
    sample = simulated("good", problems=30, share=0.1)
    agreeing = np.where(sample.labelled, sample.graded, np.nan)
    spread = spread_of(replace(sample, marked=agreeing, disagrees=sample.disagrees & False))
    assert spread.indicative
    plan = budget(0.1, spread)
    assert plan.each is not None
    assert plan.each > 30


@pytest.mark.parametrize("wrong", [0.0, 1.0, -0.1])
def test_a_width_that_is_none_is_refused(wrong: float) -> None:
    with pytest.raises(AuditError, match="between 0 and 1"):
        budget(wrong, Spread.assumed(100, 0.1))
    with pytest.raises(AuditError, match="between 0 and 1"):
        Spread.assumed(100, wrong)


def test_how_problems_differ_is_not_made_up() -> None:
    with pytest.raises(AuditError, match="not known from assumptions"):
        budget(0.1, Spread.assumed(100, 0.1), target="problems")
