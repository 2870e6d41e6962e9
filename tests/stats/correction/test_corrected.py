"""Corrected scores against hand arithmetic, another program, and what they must not depend on."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.stats.correction.corrected import corrected, shares
from grader.stats.correction.intervals import jackknife_se
from grader.stats.correction.sample import Sample
from grader.stats.estimate import share
from tests.stats.correction.drawing import one_point_each, simulated, two_strata

HAND = Sample(
    graded=np.array([2.0, 1.0, 3.0, 0.0, 2.0, 2.0]),
    marked=np.array([1.0, np.nan, 3.0, np.nan, np.nan, 0.0]),
    probability=np.full(6, 0.5),
    problem=np.array([0, 0, 1, 1, 2, 2]),
    full=np.array([4.0, 4.0, 4.0]),
    rest=np.array([0.0, 0.0, -1.0]),
    disagrees=np.array([True, False, False, False, False, True]),
    worth=np.array([2.0, 2.0, 3.0, 1.0, 2.0, 2.0]),
)
"""Three problems of two points; A = 2, 6, 0; B = 4 - 3, 6 - 3, 4 - 4; one mark is lost as a whole."""


def test_the_estimate_is_the_formula_by_hand() -> None:
    # T = rest + A - B: 1, 3, -1; over 12 marks
    found = corrected(HAND)
    assert found.value == pytest.approx(3 / 12)
    # without each: 2/8, 0/8, 4/8
    without = shares(HAND, tune=True, seed=0).without()
    assert without == pytest.approx([0.25, 0, 0.5])
    by_problem = sqrt(2 / 3 * (0 + 0.25**2 + 0.25**2))
    assert jackknife_se(0.25, without, HAND.full > 0) == pytest.approx(by_problem)
    # two disagreements only: what is unknown of the judge is more than problems show
    assert found.widened
    assert found.se == corrected(HAND, target="benchmark").se
    assert found.se is not None
    assert found.se > by_problem
    assert (found.df, found.lambdas) == (2, (1.0, 1.0))
    assert (found.low, found.high) == (0, 1)
    assert found.judge_only.value == pytest.approx((3 + 3 + 4 - 1) / 12)
    # people's 8 of 14 marks for worth, over 12 marks of worth, and the rest
    assert found.human_only.value == pytest.approx((12 * 8 / 14 - 1) / 12)
    counts = found.problems, found.problems_labelled, found.points, found.labels, found.disagreements
    assert counts == (3, 3, 6, 3, 2)


def test_the_benchmarks_own_score_is_the_formula_by_hand() -> None:
    # residuals -1, 0, -2 of worth 2, 3, 2: mean -3/7; 9 - 3/7 * 12 predicted, and what is left adds up to 0
    mean = -3 / 7
    left = np.array([-1.0, 0.0, -2.0]) - mean * np.array([2.0, 3.0, 2.0])
    found = corrected(HAND, target="benchmark")
    assert found.value == pytest.approx((9 + 12 * mean) / 12)
    # (1 - 1/2) / (1/4) = 2; and the pseudo-residuals 2 * (1 + mean^2), of worth^2 17 / 3
    variance = (2 * (left**2).sum() + 2 * (1 + mean**2) * 2 * 17 / 3) / 144
    assert found.se == pytest.approx(sqrt(variance))
    assert found.df == 2
    assert found.widened
    assert found.judge_only.low == found.judge_only.high == found.judge_only.value


def test_what_is_too_few_is_said_of_the_points_that_it_is_too_few_of() -> None:
    """Twelve disagree, but only two where one point in twenty was drawn: that is what is counted."""
    found = corrected(two_strata(10, 2), target="benchmark")
    assert (found.disagreements, found.widened) == (12, True)
    assert found.notes[0] == (
        "Fewer than 10 disagreements among points drawn with probability 0.05 (2 of 20): interval widened."
    )
    both = corrected(two_strata(9, 3), target="benchmark").notes[0]
    assert both == (
        "Fewer than 10 disagreements among points drawn with probability 0.05 (3 of 20), and with 0.5 "
        "(9 of 100): interval widened."
    )
    few = corrected(two_strata(6, 3), target="benchmark")
    assert few.notes[0] == "Fewer than 10 disagreements: interval widened."
    enough = corrected(two_strata(10, 10), target="benchmark")
    assert not enough.widened
    assert not any("disagreements" in note for note in enough.notes)


def oracle_data() -> tuple[np.ndarray, np.ndarray]:
    at = np.arange(400)
    machine = ((7 * at * at + 3 * at) % 11) / 10
    return np.clip(machine - ((5 * at * at + at) % 7 - 2) / 10, 0, 1), machine


@pytest.mark.parametrize(("every", "value"), [((1, 8, 3, 4), 0.33825), ((3, 40, 0, 3), 0.33691666666666664)])
def test_one_point_a_problem_gives_what_ppi_python_gives(every: tuple[int, ...], value: float) -> None:
    """The values: ppi-python 0.2.3 on numpy 2.4.6, ppi_mean_pointestimate(y[lab], f[lab], f, lam=1.0)."""
    times, modulus, least, most = every
    people, machine = oracle_data()
    place = times * np.arange(400) % modulus
    sample = one_point_each(people, machine, (place >= least) & (place < most))
    assert corrected(sample, tune=False).value == pytest.approx(value, abs=1e-9)
    assert corrected(sample, tune=False, target="benchmark").value == pytest.approx(value, abs=1e-9)


def test_the_score_as_graded_is_the_one_that_reports_print() -> None:
    import pandas as pd

    sample = simulated()
    marks = np.bincount(sample.problem, sample.graded)
    frame = pd.DataFrame({"problem_id": np.arange(60), "sub_id": "1", "answers": 1, "earned": marks})
    printed = share(frame.assign(low=marks, high=marks, full_mark=sample.full))
    found = corrected(sample).judge_only
    assert printed is not None
    assert (found.value, found.low, found.high) == pytest.approx((printed.value, printed.low, printed.high))


def test_all_points_marked_for_certain_leave_nothing_to_correct() -> None:
    drawn = simulated(share=0.999999)
    people = np.nan_to_num(drawn.marked)
    sample = replace(drawn, marked=people, probability=np.ones(len(people)), disagrees=people != drawn.graded)
    truth = people.sum() / sample.full.sum()
    own = corrected(sample, target="benchmark")
    assert (own.value, own.low, own.high, own.widened, own.few_bound) == pytest.approx(
        (truth, truth, truth, False, None)
    )
    found = corrected(sample)
    assert found.value == pytest.approx(truth)
    assert found.human_only.width == pytest.approx(found.width)


def test_no_problem_chooses_its_own_lambda() -> None:
    """Marks of a problem move the lambdas of all folds but its own."""
    sample = simulated("mediocre", problems=40)
    first = corrected(sample, seed=3)
    from grader.stats.correction.sums import sums_of
    from grader.stats.correction.tuning import FOLDS, tuned

    before = tuned(sums_of(sample), 3)
    assert len(set(before)) == FOLDS
    assert first.lambdas == (before.min(), before.max())
    fold_of_first = np.flatnonzero(before == before[0])
    at = np.flatnonzero(sample.labelled & np.isin(sample.problem, fold_of_first))
    changed = sample.marked.copy()
    changed[at[::2]] = 0.0
    after = tuned(sums_of(replace(sample, marked=changed)), 3)
    assert after[0] == pytest.approx(before[0])
    others = np.setdiff1d(np.flatnonzero(before < 1), fold_of_first)
    assert len(others) > 20
    assert (abs(after[others] - before[others]) > 1e-6).all()


def test_problems_that_count_are_dealt_evenly_however_many_do_not() -> None:
    from grader.stats.correction.sums import only, sums_of
    from grader.stats.correction.tuning import FOLDS, tuned

    held = np.arange(400) % 8 == 0
    sample = only(simulated("mediocre", problems=400, share=0.5), held)
    weights, counts = np.unique(tuned(sums_of(sample), 2)[held], return_counts=True)
    assert (len(weights), set(counts)) == (FOLDS, {10})


def test_a_stratum_of_which_chance_drew_none_is_not_taken_for_faultless() -> None:
    """Were it, the benchmark's own score would be covered in 43 % where 40 % of such a stratum are wrong."""
    drawn = simulated("mediocre", problems=60, share=0.5)
    rare = np.arange(len(drawn.graded)) % 20 == 0
    blind = replace(
        drawn,
        marked=np.where(rare, np.nan, drawn.marked),
        disagrees=drawn.disagrees & ~rare,
        probability=np.where(rare, 0.02, 0.5),
    )
    found = corrected(blind, target="benchmark")
    assert found.widened
    assert any("probability 0.02 (0 of 0)" in note for note in found.notes)
    # all of it may be wrong, and no more
    assert blind.worth is not None
    share = blind.worth[rare].sum() / blind.full.sum()
    assert found.high is not None
    assert found.low is not None
    assert (
        2 * share
        < found.high - found.low
        < 2.1 * share + 2 * float(corrected(drawn, target="benchmark").width or 0)
    )


def test_points_that_were_certain_to_be_marked_make_no_interval_surer() -> None:
    sample = simulated("mediocre", problems=40, share=0.1)
    marks = int(sample.labelled.sum())
    certain = 500
    both = replace(
        sample,
        graded=np.append(sample.graded, np.ones(certain)),
        marked=np.append(sample.marked, np.ones(certain)),
        probability=np.append(sample.probability, np.ones(certain)),
        problem=np.append(sample.problem, np.arange(certain) % 40),
        disagrees=np.append(sample.disagrees, np.zeros(certain, bool)),
        worth=np.append(np.asarray(sample.worth), np.ones(certain)),
        full=sample.full + np.bincount(np.arange(certain) % 40),
    )
    found = corrected(both, target="benchmark")
    assert (found.labels, found.df) == (marks + certain, marks - 1)


@pytest.mark.parametrize(("problems", "share"), [(29, 0.3), (60, 0.004)])
def test_lambda_is_one_with_too_little_to_choose_it_by(problems: int, share: float) -> None:
    assert corrected(simulated("mediocre", problems, share, seed=5)).lambdas == (1.0, 1.0)


def test_equal_seeds_give_equal_bytes_and_other_seeds_other_folds() -> None:
    sample = simulated("mediocre")
    assert repr(corrected(sample, seed=7)) == repr(corrected(sample, seed=7))
    assert corrected(sample, seed=7).lambdas != corrected(sample, seed=8).lambdas


def test_marks_of_one_problem_give_a_value_without_interval() -> None:
    sample = simulated(problems=5, share=0.3)
    sample = replace(sample, marked=np.where(sample.problem == 2, sample.marked, np.nan))
    rare = replace(sample, probability=sample.probability / 5, disagrees=sample.disagrees & sample.labelled)
    found = corrected(rare)
    assert (found.low, found.high, found.se) == (None, None, None)
    assert any("no interval" in note for note in found.notes)


def test_a_judge_that_says_nothing_saves_nothing_and_this_is_said() -> None:
    sample = simulated()
    assert sample.worth is not None
    graded = np.random.default_rng(0).permutation(sample.graded / sample.worth) * sample.worth
    noise = replace(sample, graded=graded, disagrees=sample.labelled & (sample.marked != graded))
    found = corrected(noise)
    assert found.saved is not None
    assert found.saved < 1
    assert any("save next to nothing" in note for note in found.notes)
    good = corrected(simulated("good"))
    assert good.saved is not None
    assert good.saved > 1.5


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.floats(0.25, 40.0), st.integers(1, 30))
def test_neither_the_unit_of_marks_nor_the_order_of_points_matters(seed: int, unit: float, turn: int) -> None:
    sample = simulated("mediocre", problems=30, share=0.3, seed=seed)
    order = np.roll(np.arange(len(sample.graded)), turn)
    assert sample.worth is not None
    other = Sample(
        unit * sample.graded[order],
        unit * sample.marked[order],
        sample.probability[order],
        sample.problem[order],
        unit * sample.full,
        unit * sample.rest,
        sample.disagrees[order],
        unit * sample.worth[order],
    )
    for target in ("problems", "benchmark"):
        one, two = corrected(sample, target=target), corrected(other, target=target)
        assert (one.value, one.se, one.saved) == pytest.approx((two.value, two.se, two.saved))


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.floats(-0.4, 0.4))
def test_marks_that_no_point_carries_are_added_as_they_are(seed: int, shift: float) -> None:
    sample = simulated("good", problems=20, seed=seed)
    moved = replace(sample, rest=shift * sample.full)
    for target in ("problems", "benchmark"):
        one, two = corrected(sample, target=target), corrected(moved, target=target)
        assert two.value - one.value == pytest.approx(shift)
        assert two.human_only.value - one.human_only.value == pytest.approx(shift)
        assert two.se == pytest.approx(one.se)
