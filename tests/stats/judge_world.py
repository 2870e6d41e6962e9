"""Benchmarks marked by judges of known faults, written apart from the estimators, and their truth.

A point is solved to a degree on a hidden scale: a problem's level, common to its
points, plus the point's own. Two cuts make three levels of credit. A judge reads
the same scale shifted by its leniency, by what it makes of the problem and by
noise, and is the surer the further from a cut it reads. Problems have 10 to 29
points of weight 1 to 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Any, Literal

import numpy as np

from grader.stats.correction.sample import Sample

LEAST, MOST = 10, 29
CUTS = (-0.8, 0.2)
PROBLEM = 0.7
"""Standard deviation of a problem's level; a point's own is 1."""
Design = Literal["random", "active"]


@dataclass(frozen=True)
class Judge:
    """How a judge reads the hidden scale."""

    lenient: float
    by_problem: float
    """Standard deviation of its leniency between problems."""
    noise: float
    sure: float = 0.0
    """Added to the log odds of its confidence."""
    prefers: float = 0.0
    """More leniency towards the second system."""


JUDGES = {
    "lenient": Judge(0.34, 0.25, 0.32),
    "mediocre": Judge(0.358, 0.30, 0.88),
    "good": Judge(0.0, 0.10, 0.193),
    "overconfident": Judge(0.59, 0.10, 0.26, sure=1.5),
    "self-preferring": Judge(0.12, 0.20, 0.32, prefers=0.24),
}


@dataclass(frozen=True)
class Drawn:
    """Many benchmarks of equal systems, answered, judged, and none of it drawn for people yet."""

    weight: Any
    """[runs, problems, MOST]; 0 where a problem has no such point."""
    people: Any
    """[runs, systems, problems, MOST], credit in [0, 1]."""
    judge: Any
    confidence: Any


def draw(judge: Judge, problems: int, runs: int, seed: int, systems: int = 1) -> Drawn:
    """Benchmarks of that many problems. With one system it is the one that the judge prefers."""
    rng = np.random.default_rng(seed)
    held = np.arange(MOST) < rng.integers(LEAST, MOST + 1, (runs, problems))[..., None]
    weight = rng.integers(1, 4, held.shape) * held
    shape = (runs, systems, problems, MOST)
    level = PROBLEM * rng.standard_normal((runs, 1, problems, 1), np.float32)
    true = level + rng.standard_normal(shape, np.float32)
    leaning = judge.by_problem * rng.standard_normal((runs, 1, problems, 1), np.float32) + judge.lenient
    read = true + leaning + judge.noise * rng.standard_normal(shape, np.float32)
    read[:, -1] += judge.prefers
    from_cut = np.minimum(abs(read - CUTS[0]), abs(read - CUTS[1]))
    odds = 4 * from_cut - 0.5 + judge.sure + 0.5 * rng.standard_normal(shape, np.float32)
    return Drawn(weight.astype(float), _credit(true), _credit(read), 1 / (1 + np.exp(-odds)))


def _credit(scale: Any) -> Any:
    return ((scale > CUTS[0]) + (scale > CUTS[1]).astype(float)) / 2


def truth() -> float:
    """The share over endlessly many problems: weights don't depend on how hard a point is."""
    spread = sqrt(PROBLEM**2 + 1)
    return sum(NormalDist(0, spread).cdf(-cut) for cut in CUTS) / len(CUTS)


def probabilities(drawn: Drawn, design: Design, share: float) -> Any:
    """[runs, systems, problems, MOST], of being drawn for people: nowhere zero."""
    if design == "random":
        return np.full(drawn.people.shape, share)
    doubt = np.sqrt(drawn.confidence * (1 - drawn.confidence)) * (drawn.weight[:, None] > 0)
    mean = doubt.sum(axis=(2, 3), keepdims=True) / (drawn.weight > 0).sum(axis=(1, 2))[:, None, None, None]
    return np.clip(share / 2 * (1 + doubt / mean), max(0.02, 0.25 * share), 1.0)


def samples(drawn: Drawn, known: Any, seed: int) -> list[list[Sample]]:
    """[runs][systems], what the estimator gets: the points drawn with the probabilities ``known``."""
    picked = np.random.default_rng(seed).random(known.shape) < known
    found = []
    for run, weight in enumerate(drawn.weight):
        held = weight > 0
        problem, worth, full = np.nonzero(held)[0], weight[held], weight.sum(axis=-1)
        of_run = []
        for system in range(drawn.people.shape[1]):
            people, judge = drawn.people[run, system][held], drawn.judge[run, system][held]
            seen = picked[run, system][held]
            marked = np.where(seen, worth * people, np.nan)
            differs = seen & (people != judge)
            chance = known[run, system][held]
            of_run.append(
                Sample(worth * judge, marked, chance, problem, full, np.zeros(len(full)), differs, worth)
            )
        found.append(of_run)
    return found


def own_truth(drawn: Drawn) -> Any:
    """[runs, systems], the share of each benchmark itself, had people marked it all."""
    gained = (drawn.weight[:, None] * drawn.people).sum(axis=(2, 3))
    return gained / drawn.weight.sum(axis=(1, 2))[:, None]
