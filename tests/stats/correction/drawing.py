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


def two_strata(often: int, rarely: int) -> Sample:
    """100 and 20 points marked, drawn with probability 0.5 and 0.05, of which so many disagree."""
    points, probability = 600, np.repeat([0.5, 0.05], [200, 400])
    marked = np.zeros(points, bool)
    marked[:200:2] = marked[200::20] = True
    wrong = np.zeros(points, bool)
    wrong[np.flatnonzero(marked)[:often]] = wrong[np.flatnonzero(marked)[100 : 100 + rarely]] = True
    return Sample(
        graded=np.ones(points),
        marked=np.where(marked, np.where(wrong, 0.0, 1.0), np.nan),
        probability=probability,
        problem=np.arange(points) % 30,
        full=np.full(30, 20.0),
        rest=np.zeros(30),
        disagrees=wrong,
    )
