"""Samples that look like estimates and are none: refused, with what to do instead."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from grader.errors import AuditError
from grader.stats.correction.corrected import corrected
from grader.stats.correction.difference import corrected_difference
from grader.stats.correction.sample import Sample
from grader.stats.correction.together import corrected_together
from tests.stats.correction.drawing import simulated
from tests.stats.judge_world import JUDGES, draw


def least_confident() -> Sample:
    """People marked the tenth of points of which the judge is least sure; nothing was drawn."""
    drawn = draw(JUDGES["lenient"], 60, 1, seed=2)
    held = drawn.weight[0] > 0
    weight = drawn.weight[0][held]
    people, judge, sure = (one[0, 0][held] for one in (drawn.people, drawn.judge, drawn.confidence))
    seen = sure <= np.quantile(sure, 0.1)
    marked = np.where(seen, weight * people, np.nan)
    full = drawn.weight[0].sum(axis=-1)
    differs = seen & (people != judge)
    unknown = np.full(len(weight), np.nan)
    problem = np.nonzero(held)[0]
    return Sample(weight * judge, marked, unknown, problem, full, np.zeros(60), differs, weight)


def test_marks_on_what_was_doubted_are_no_random_sample() -> None:
    with pytest.raises(AuditError, match=r"no known probability.*spot_check") as refused:
        corrected(least_confident())
    assert "doubted" in str(refused.value)


def test_overwriting_what_was_doubted_corrects_nothing() -> None:
    """The doubted points are certain to be marked, and all others are never drawn."""
    sample = least_confident()
    certain = replace(sample, probability=np.where(sample.labelled, 1.0, np.nan))
    with pytest.raises(AuditError, match="had no chance of being drawn"):
        corrected(certain)


@pytest.mark.parametrize("claimed", [1.0, 0.5, 0.02])
def test_probabilities_that_cannot_be_those_of_the_draw_are_refused(claimed: float) -> None:
    sample = least_confident()
    with pytest.raises(AuditError, match="would stand for"):
        corrected(replace(sample, probability=np.full(len(sample.graded), claimed)))


def test_real_draws_are_never_taken_for_wrong_ones() -> None:
    for seed in range(60):
        corrected(simulated(problems=20, share=(0.02, 0.1, 0.5)[seed % 3], seed=seed))
    sample = simulated(share=0.9999)
    for seed in range(60):  # whole problems
        whole = np.random.default_rng(seed).random(60)[sample.problem] < 0.25
        if whole.any():
            chance = np.full(len(whole), 0.25)
            corrected(replace(sample, marked=np.where(whole, sample.graded, np.nan), probability=chance))


def test_without_marks_there_is_nothing_to_correct_by() -> None:
    sample = simulated()
    empty = replace(sample, marked=np.full(len(sample.graded), np.nan))
    for ask in (
        lambda: corrected(empty),
        lambda: corrected_difference(sample, empty),
        lambda: corrected_together([empty, empty]),
    ):
        with pytest.raises(AuditError, match=r"no point of a spot check is marked.*spot-check"):
            ask()


@pytest.mark.parametrize("wrong", [0.0, -0.2, 1.5])
def test_a_probability_is_above_zero_and_at_most_one(wrong: float) -> None:
    sample = simulated()
    chance = sample.probability.copy()
    chance[0] = wrong
    with pytest.raises(AuditError, match="above 0 and at most 1"):
        corrected(replace(sample, probability=chance))


def test_marks_on_vetoes_alone_are_no_measure_of_points() -> None:
    sample = simulated()
    assert sample.worth is not None
    with pytest.raises(AuditError, match="worth marks by itself"):
        corrected(replace(sample, worth=np.where(sample.labelled, 0, sample.worth)))


def test_a_benchmark_without_marks_has_no_score() -> None:
    sample = simulated()
    with pytest.raises(AuditError, match="no marks to be had"):
        corrected(replace(sample, full=0 * sample.full))
