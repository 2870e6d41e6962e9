"""Scores of confidence: the values of libraries and of hand arithmetic, and nulls that are known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.stats.calibration import (
    auroc,
    ece,
    ece_if_calibrated,
    ece_p,
    equal_bins,
    losses,
    murphy,
    recalibrated,
    width_bins,
)

CONFIDENCE = st.sampled_from([0.0, 0.1, 0.5, 0.8, 0.9, 1.0])
ROWS = st.lists(
    st.tuples(CONFIDENCE, st.sampled_from([0.0, 1.0]), st.sampled_from([1.0, 2.0, 20.0])),
    min_size=2,
    max_size=40,
)


def arrays(rows):
    return [np.array(one, float) for one in zip(*rows, strict=True)]


def test_murphys_parts_by_hand():
    # two confidences: 0.5 right once of two, 1.0 right twice of two
    confidence, right = np.array([0.5, 0.5, 1, 1]), np.array([1.0, 0, 1, 1])
    found = murphy(confidence, right, np.ones(4), equal_bins(confidence))
    assert found.brier == pytest.approx(0.125)
    assert found.reliability == pytest.approx(0)
    assert found.resolution == pytest.approx(0.0625)
    assert found.uncertainty == pytest.approx(0.1875)
    assert found.within == 0


def test_bins_of_equal_width_are_closed_on_the_right():
    confidence = np.array([0.0, 0.1, 0.11, 0.6, 0.8, 1.0])
    assert width_bins(confidence).tolist() == [0, 0, 1, 5, 7, 9]
    # .6 falls into (.5, .6], .8 into (.7, .8]
    confidence, right = np.array([0.6, 0.6, 0.8, 1.0]), np.array([1.0, 0, 1, 1])
    assert ece(confidence, right, np.ones(4), width_bins(confidence)) == pytest.approx((0.2 + 0.2) / 4)


@settings(max_examples=25)
@given(ROWS)
def test_murphys_parts_add_up(rows):
    confidence, right, weight = arrays(rows)
    for count in (1, 3, 10):
        found = murphy(confidence, right, weight, equal_bins(confidence, count))
        parts = found.reliability - found.resolution + found.uncertainty + found.within
        assert found.brier == pytest.approx(parts, abs=1e-9)


def test_the_score_is_scikit_learns():
    from sklearn.metrics import brier_score_loss

    rng = np.random.default_rng(1)
    confidence, weight = rng.random(80), rng.random(80)
    right = (rng.random(80) < confidence).astype(float)
    found = murphy(confidence, right, weight, equal_bins(confidence)).brier
    assert found == pytest.approx(brier_score_loss(right, confidence, sample_weight=weight))


@settings(max_examples=25)
@given(ROWS)
def test_auroc_is_scikit_learns(rows):
    from sklearn.metrics import roc_auc_score

    confidence, right, weight = arrays(rows)
    problem = np.arange(len(right)) % 3
    value = auroc(confidence, right, weight, problem).value()
    if len(np.unique(right)) < 2:
        assert value is None
    else:
        assert value == pytest.approx(roc_auc_score(right, confidence, sample_weight=weight))


def test_where_people_differ_a_verdict_is_partly_right():
    split = np.array([0.5]), np.array([0.5])
    assert losses(*split) == pytest.approx([0.25])
    both = auroc(np.array([0.9, 0.9, 0.2]), np.array([1.0, 0.0, 0.5]), np.ones(3), np.zeros(3, int))
    # right: 0.9, half of 0.2; wrong: 0.9, half of 0.2
    assert both.value() == pytest.approx((0.5 + 0.5 + 0.5 * 0.5 * 0.5) / 1.5**2)


def test_equal_confidences_share_a_bin():
    confidence = np.array([0.9] * 50 + [0.5] * 3 + [1.0] * 47)
    bins = equal_bins(confidence)
    assert len(np.unique(bins)) == 3
    assert [len(np.unique(confidence[bins == one])) for one in range(3)] == [1, 1, 1]


def test_bins_of_different_confidences_are_of_equal_size():
    confidence = np.random.default_rng(0).random(200)
    assert np.bincount(equal_bins(confidence)).tolist() == [20] * 10


def test_ece_by_hand():
    confidence, right = np.array([0.6, 0.6, 1.0, 1.0]), np.array([1.0, 1, 0, 1])
    # 0.4 apart and 0.5 apart, the second bin three times as heavy
    found = ece(confidence, right, np.array([1.0, 1, 3, 3]), equal_bins(confidence))
    assert found == pytest.approx((0.4 + 3 * 0.5) / 4)


@pytest.mark.parametrize(
    ("n", "known"), [(50, 0.154), (100, 0.112), (200, 0.083), (500, 0.051), (1000, 0.038)]
)
def test_the_null_of_ece_is_the_known_one(n, known):
    """The reference simulation: confidences near 0.87 on average, ten bins."""
    found = []
    for seed in range(4):
        confidence = np.random.default_rng(seed).uniform(0.73, 1, n)
        found.append(
            ece_if_calibrated(confidence, np.ones(n), equal_bins(confidence), seed=seed, simulations=1000)
        )
    assert np.mean(found) == pytest.approx(known, rel=0.08)


def test_equal_seeds_give_equal_nulls():
    confidence = np.linspace(0.5, 1, 60)
    one, two, other = (
        ece_if_calibrated(confidence, np.ones(60), equal_bins(confidence), seed=seed) for seed in (1, 1, 2)
    )
    assert one == two != other


def test_calibration_is_not_refused_because_problems_err_together():
    """All verdicts of a problem right or wrong as one: the plain null calls that a fault, p doesn't."""
    beyond = refused = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        stated = rng.uniform(0.5, 1, 30)
        problem = np.repeat(np.arange(30), 20)
        confidence = stated[problem]
        right = (rng.random(30) < stated)[problem].astype(float)
        bins, weight = equal_bins(confidence), np.ones(600)
        null = ece_if_calibrated(confidence, weight, bins, simulations=200, seed=seed)
        beyond += ece(confidence, right, weight, bins) > null
        refused += ece_p(confidence, right, weight, bins, problem, simulations=400, seed=seed) < 0.05
    assert beyond > 30
    assert refused <= 5


def test_recalibration_learns_from_other_problems_only():
    rng = np.random.default_rng(1)
    problem = np.repeat(np.arange(50), 20)
    confidence = rng.choice([0.6, 0.9, 1.0], 1000)
    right = (rng.random(1000) < confidence - 0.3).astype(float)
    found = recalibrated(confidence, right, np.ones(1000), problem)
    for stated in (0.6, 0.9, 1.0):
        assert found[confidence == stated].mean() == pytest.approx(stated - 0.3, abs=0.06)
    changed = right.copy()
    changed[problem == 7] = 1 - changed[problem == 7]
    again = recalibrated(confidence, changed, np.ones(1000), problem)
    assert (again[problem == 7] == found[problem == 7]).all()
    assert (again != found).any()
