"""A seeded simulator of graded benchmarks, written apart from the estimators, and its truth.

Problems have 3 to 6 subquestions of 1 to 4 marks. Each mark is met with a
probability on the logistic scale: the condition's level, plus a problem's
difficulty (common to all conditions), plus what is hard about that problem for
one condition, plus a subquestion's difficulty. Samples are drawn apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

LEAST, MOST = 3, 6


@dataclass(frozen=True)
class World:
    """The levels of the conditions (log odds of a mark) and the spreads of what makes marks hard."""

    levels: tuple[float, ...] = (0.2, 0.6)
    problem: float = 1.0
    interaction: float = 0.5
    subquestion: float = 0.8
    samples: int = 2


@dataclass(frozen=True)
class Drawn:
    """Marks of many runs of a benchmark; absent subquestions have no marks."""

    earned: Any
    """[runs, conditions, problems, subquestions, samples]."""
    full: Any
    """[runs, problems, subquestions], of one answer."""

    def by_problem(self) -> tuple[Any, Any]:
        """Earned [runs, conditions, problems], the mean over the samples, and full marks [runs, problems]."""
        return self.earned.mean(axis=-1).sum(axis=-1), self.full.sum(axis=-1)


def draw(world: World, problems: int, runs: int, seed: int) -> Drawn:
    """Many benchmarks of that many problems."""
    rng = np.random.default_rng(seed)
    place = np.arange(MOST)
    held = place < rng.integers(LEAST, MOST + 1, (runs, problems))[..., None]
    full = rng.integers(1, 5, (runs, problems, MOST)) * held
    conditions = len(world.levels)
    hard = (
        np.array(world.levels)[:, None, None]
        + world.problem * rng.standard_normal((runs, 1, problems, 1))
        + world.interaction * rng.standard_normal((runs, conditions, problems, 1))
        + world.subquestion * rng.standard_normal((runs, 1, problems, MOST))
    )
    chance = 1 / (1 + np.exp(-hard))[..., None]
    shape = (runs, conditions, problems, MOST, world.samples)
    earned = rng.binomial(np.broadcast_to(full[:, None, :, :, None], shape), np.broadcast_to(chance, shape))
    return Drawn(earned.astype(float), full.astype(float))


def truth(world: World, seed: int = 1) -> Any:
    """The shares of the conditions over endlessly many such problems: a run of 200,000 of them."""
    earned, full = draw(world, 4_000, 50, seed).by_problem()
    return earned.sum(axis=(0, 2)) / full.sum()


def subquestions(drawn: Drawn, run: int) -> list[pd.DataFrame]:
    """The frames of subquestions of one run, one a condition, with samples added up."""
    problems, places = np.nonzero(drawn.full[run])
    samples = drawn.earned.shape[-1]
    frames = []
    for earned in drawn.earned[run]:
        marks = earned[problems, places].sum(axis=-1)
        columns = {"problem_id": problems, "sub_id": places, "answers": samples}
        full = drawn.full[run][problems, places] * samples
        frames.append(
            pd.DataFrame({**columns, "earned": marks, "low": marks, "high": marks, "full_mark": full})
        )
    return frames


def answers(drawn: Drawn, run: int) -> list[pd.DataFrame]:
    """The frames of answers of one run, one a condition."""
    problems, places = np.nonzero(drawn.full[run])
    samples = drawn.earned.shape[-1]
    frames = []
    for earned in drawn.earned[run]:
        frames.append(
            pd.DataFrame(
                {
                    "problem_id": np.repeat(problems, samples),
                    "sub_id": np.repeat(places, samples),
                    "run": "r",
                    "sample": np.tile(np.arange(samples), len(problems)),
                    "earned": earned[problems, places].ravel(),
                    "full_mark": np.repeat(drawn.full[run][problems, places], samples),
                }
            )
        )
    return frames
