"""Corrected scores hold what they promise, over simulated judges and real ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader.stats.correction.sample import Sample
from tests.stats.acceptance import GRID, outcome, real_judges
from tests.stats.judge_world import JUDGES, Design, draw, own_truth, probabilities, samples, truth


@pytest.mark.slow
@pytest.mark.parametrize("cell", GRID, ids=lambda cell: "-".join(map(str, cell)))
def test_every_cell_of_the_grid_holds(cell: tuple[str, Design, float, int]) -> None:
    assert outcome(*cell).faults(*cell) == []


@pytest.mark.parametrize(
    ("name", "design", "covers"), [("lenient", "random", 0.6), ("overconfident", "active", 0.05)]
)
def test_corrected_scores_cover_where_the_judge_alone_does_not(
    name: str, design: Design, covers: float
) -> None:
    found = outcome(name, design, 0.1, 60, runs=500)
    # three standard deviations of 500 draws are 2.9 points
    assert 0.92 <= found.tuned.covers <= 0.98
    assert 0.92 <= found.plain.covers <= 0.98
    assert 0.9 <= found.benchmark.covers <= 0.98
    assert found.judge.covers < covers
    assert found.tuned.width < 0.85 * found.human.width
    assert abs(found.tuned.bias) < 0.007


def test_a_judge_of_equal_systems_declares_differences_and_corrected_scores_do_not() -> None:
    found = outcome("self-preferring", "random", 0.25, 30, runs=120).differences
    assert found is not None
    assert found.declared_by_judge > 0.6
    assert found.declared < 0.1
    assert found.benchmark_covers > 0.9


@pytest.mark.parametrize("marks", [30, 48, 96])
def test_real_judges_with_few_errors_are_covered(shared: Path, marks: int) -> None:
    """4,000 draws each. Without pseudo-residuals the worst would be covered in 57 to 91 %."""
    judges = real_judges(shared)
    assert len(judges) == 16
    found = {judge.name: judge.covered(marks, 4_000)[0] for judge in judges}
    assert min(found.values()) >= 0.94, found


def test_estimates_from_real_judges_depend_on_counts_of_errors_only(shared: Path) -> None:
    from grader.stats.correction.corrected import corrected

    judge = real_judges(shared)[0]
    error = judge.people - judge.machine
    kinds = [np.flatnonzero(error == one) for one in (1, -1, 0)]
    first = np.concatenate([kind[:many] for kind, many in zip(kinds, (3, 2, 25), strict=True)])
    last = np.concatenate([kind[-many:] for kind, many in zip(kinds, (3, 2, 25), strict=True)])
    one, two = (corrected(judge.sample(at), target="benchmark") for at in (first, last))
    assert (one.value, one.se) == pytest.approx((two.value, two.se))
    assert one.widened


def test_the_simulator_makes_the_judges_it_says() -> None:
    """Bias and exact agreement of each judge, and the truth, over 4,000 problems."""
    expected = {
        "lenient": (0.09, 0.77),
        "mediocre": (0.07, 0.65),
        "good": (0, 0.9),
        "overconfident": (0.16, 0.69),
    }
    for name, (bias, agreement) in expected.items():
        drawn = draw(JUDGES[name], 4_000, 1, seed=3)
        weight, held = drawn.weight[0], drawn.weight[0] > 0
        people, judge = drawn.people[0, 0], drawn.judge[0, 0]
        assert (weight * (judge - people)).sum() / weight.sum() == pytest.approx(bias, abs=0.01)
        assert (judge == people)[held].mean() == pytest.approx(agreement, abs=0.01)
        assert own_truth(drawn)[0, 0] == pytest.approx(truth(), abs=0.012)
    first, second = (
        draw(JUDGES["self-preferring"], 4_000, 1, seed=4, systems=2).judge[0, system].mean()
        for system in (0, 1)
    )
    assert second - first > 0.03


@pytest.mark.slow
def test_the_truth_is_that_of_40000_problems() -> None:
    assert own_truth(draw(JUDGES["good"], 40_000, 1, seed=1))[0, 0] == pytest.approx(truth(), abs=0.004)


@pytest.mark.parametrize("design", ["random", "active"])
def test_points_are_drawn_with_the_probability_that_is_stored(design: Design) -> None:
    drawn = draw(JUDGES["overconfident"], 200, 4, seed=5)
    known = probabilities(drawn, design, 0.1)
    found: list[Sample] = [sides[0] for sides in samples(drawn, known, seed=6)]
    stands_for: Any = sum((1 / one.probability[one.labelled]).sum() for one in found)
    points = sum(len(one.graded) for one in found)
    assert stands_for == pytest.approx(points, rel=0.06)
    assert min(one.probability.min() for one in found) >= 0.025
    assert np.mean([one.labelled.mean() for one in found]) == pytest.approx(0.1, abs=0.01)
