"""Small samples for tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.stats.correction.sample import Sample
from tests.stats.judge_world import JUDGES, draw, probabilities, samples


def one_point_each(people: Any, machine: Any, marked: Any) -> Sample:
    """Problems of one point of one mark, of which a fixed number is marked."""
    count = len(people)
    marks = np.where(marked, people, np.nan)
    ones, differs = np.ones(count), marked & (people != machine)
    chance = np.full(count, marked.sum() / count)
    return Sample(machine, marks, chance, np.arange(count), ones, np.zeros(count), differs, ones)


def simulated(name: str = "lenient", problems: int = 60, share: float = 0.2, seed: int = 1) -> Sample:
    """One benchmark of the simulator, drawn at random."""
    drawn = draw(JUDGES[name], problems, 1, seed)
    return samples(drawn, probabilities(drawn, "random", share), seed)[0][0]


def pair(name: str, problems: int, share: float, seed: int) -> list[Sample]:
    """Two equal systems of the simulator over the same problems."""
    drawn = draw(JUDGES[name], problems, 1, seed, systems=2)
    return samples(drawn, probabilities(drawn, "random", share), seed)[0]
