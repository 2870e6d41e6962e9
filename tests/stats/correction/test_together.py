"""One correction for many cells: narrower, and no better than its assumption."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from grader.errors import AuditError
from grader.stats.correction.corrected import corrected
from grader.stats.correction.sample import Sample
from grader.stats.correction.sums import only
from grader.stats.correction.together import Together, corrected_together
from tests.stats.correction.drawing import simulated
from tests.stats.judge_world import JUDGES, Judge, draw, own_truth, probabilities, samples, truth


def cells(judge: Judge, count: int, problems: int, share: float, seed: int) -> list[Sample]:
    drawn = draw(judge, problems, 1, seed, systems=count)
    return samples(drawn, probabilities(drawn, "random", share), seed)[0]


def test_one_cell_together_is_the_error_by_worth() -> None:
    sample = simulated()
    found = corrected_together([sample], target="benchmark")
    at = sample.labelled
    assert sample.worth is not None
    error = (sample.marked[at] - sample.graded[at]).sum() / sample.worth[at].sum()
    assert found.error.value == pytest.approx(error)
    assert found.cells[0].value == pytest.approx(sample.graded.sum() / sample.full.sum() + error)
    alone = corrected(sample, target="benchmark", tune=False)
    assert (found.cells[0].value, found.cells[0].se) == pytest.approx((alone.value, alone.se))
    assert found.cells[0].p is None


def test_shared_marks_make_every_interval_narrower() -> None:
    many = cells(JUDGES["lenient"], 8, 40, 0.05, seed=3)
    for target in ("problems", "benchmark"):
        shared = corrected_together(many, target=target)
        alone = [corrected(sample, target=target) for sample in many]
        widths = [np.array([one.width for one in kind], float) for kind in (shared.cells, alone)]
        assert widths[0].mean() < 0.75 * widths[1].mean()


def test_a_cell_of_few_problems_is_no_surer_of_problems_than_these_make_it() -> None:
    """With the freedom of all problems a cell of two would be covered in 77 %, of three in 85 %."""
    first, second = cells(JUDGES["lenient"], 2, 40, 0.2, seed=6)
    short = only(second, np.arange(40) < 3)
    found = corrected_together([first, short])
    assert [cell.df for cell in found.cells] == [found.error.df, 2]
    assert corrected_together([first, only(second, np.arange(40) < 1)]).cells[1].low is None


def test_a_cell_without_marks_is_corrected_on_trust_and_this_is_said() -> None:
    many = cells(JUDGES["lenient"], 3, 40, 0.2, seed=5)
    silent = replace(
        many[2], marked=np.full(len(many[2].graded), np.nan), disagrees=many[2].disagrees & False
    )
    thinner = [replace(one, probability=one.probability) for one in many[:2]]
    # the silent cell was drawn from as rarely as not to be surprising
    rare = replace(silent, probability=np.full(len(silent.graded), 1e-3))
    found = corrected_together([*thinner, rare])
    assert found.cells[2].labels == 0
    assert found.cells[2].p is None
    assert found.cells[2].value == pytest.approx(found.cells[2].judge_only + found.error.value)
    assert any("on trust" in note for note in found.notes)
    assert any("One error is assumed" in note for note in found.notes)


def test_a_preferred_cell_is_found_out() -> None:
    preferring = replace(JUDGES["lenient"], prefers=0.5)
    found = corrected_together(cells(preferring, 4, 80, 0.3, seed=6))
    p = [cell.p_adjusted for cell in found.cells]
    assert all(one is not None for one in p)
    assert p[3] < 0.001  # type: ignore[operator]
    assert found.cells[3].apart < -0.05  # type: ignore[operator]
    assert any("speak against it" in note for note in found.notes)


def covered(found: Together, truths: Sequence[float]) -> list[bool]:
    ends = [(one.low, one.high) for one in found.cells]
    return [
        low is not None and high is not None and low <= value <= high
        for (low, high), value in zip(ends, truths, strict=True)
    ]


def test_the_shared_correction_covers_where_the_judge_errs_alike() -> None:
    held: list[bool] = []
    own: list[bool] = []
    suspected = []
    for seed in range(60):
        drawn = draw(JUDGES["lenient"], 40, 1, seed, systems=4)
        many = samples(drawn, probabilities(drawn, "random", 0.1), seed)[0]
        found = corrected_together(many)
        held += covered(found, [truth()] * 4)
        own += covered(corrected_together(many, target="benchmark"), own_truth(drawn)[0])
        suspected.append(min(cell.p_adjusted for cell in found.cells if cell.p_adjusted is not None) < 0.05)
    # 240 intervals; those of one draw share marks: three standard errors of 60 draws are 8 points
    assert np.mean(held) > 0.87
    assert np.mean(own) > 0.87
    assert np.mean(suspected) < 0.14


def test_cells_over_other_problems_are_refused() -> None:
    with pytest.raises(AuditError, match="need the same problems"):
        corrected_together([simulated(problems=20), simulated(problems=21)])
    with pytest.raises(AuditError, match="need the same problems"):
        corrected_together([])
