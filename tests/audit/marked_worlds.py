"""Archives of four graded models with people's marks, judged with known leniency.

The worlds are those that corrected scores are held to (``tests.stats.judge_world``): problems of 10 to 29
points of weight 1 to 3 and three levels of credit, problems that differ in difficulty (standard deviation
0.7), a judge that reads with noise and with a leaning of its own towards each problem. Here a judge is
centred: it awards exactly as much as people do over endlessly many problems, or exactly so much more.
Models are equally able, so whatever difference an audit finds among the others is a false alarm.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from math import sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
import pandas as pd

from tests.audit.spot_checked import checked, finished, rated
from tests.stats.judge_world import CUTS, JUDGES, LEAST, MOST, PROBLEM, Judge, draw, truth

MODELS = ("a", "b", "c", "d")
FAVOURED = MODELS[-1]


@dataclass(frozen=True)
class Marked:
    """One world: who judges, how much there is, and how much of it people mark."""

    judge: str
    problems: int = 60
    share: float = 0.25
    """Of points, drawn at random for people."""

    def __str__(self) -> str:
        return f"{self.judge}, {self.problems} problems, {self.share:.0%} marked"


JUDGING = {
    "very good": Judge(0.0, 0.05, 0.073),
    "good": JUDGES["good"],
    "lenient, centred": JUDGES["lenient"],
    "mediocre, centred": JUDGES["mediocre"],
}
"""Judges on three levels of credit; the first differs from people on 4 % of points, the next on 10 %."""
FLIPPING = {"4 % flipped": 0.04, "10 % flipped": 0.1}
"""Judges of points without partial credit, and the share of verdicts they turn round, half of them up."""

ASKED = Marked("good")
"""The world of the requirement. Of the spec's judges the good one (exact agreement .90) alone has no bias by
itself; 60 problems, as in the spec's tables, and a quarter of points marked: about 290 marks a model."""
WORLDS = (
    ASKED,
    Marked("good", share=0.1),
    Marked("good", problems=30),
    Marked("very good"),
    Marked("very good", share=0.1),
    Marked("lenient, centred"),
    Marked("mediocre, centred"),
    Marked("mediocre, centred", share=0.1),
    Marked("4 % flipped"),
    Marked("10 % flipped"),
    Marked("10 % flipped", share=0.1),
)


@dataclass(frozen=True)
class Drawn:
    """Many archives of one world."""

    world: Marked
    worth: Any
    """[runs, problems, MOST]; 0 where a problem has no such point."""
    people: Any
    """[runs, models, problems, MOST], credit in [0, 1]; of all points, marked or not."""
    award: Any
    marked: Any
    """Drawn for people."""


def drawn(world: Marked, runs: int, seed: int, *, more: float = 0.0, all_alike: float = 0.0) -> Drawn:
    """The judge awards ``FAVOURED`` on average ``more`` of the marks, and every model ``all_alike``."""
    make = _flipped if world.judge in FLIPPING else _read
    worth, people, award = make(world, runs, seed, more, all_alike)
    chosen = np.random.default_rng((seed, 1)).random(people.shape, np.float32) < world.share
    return Drawn(world, worth, people, award, chosen & (worth[:, None] > 0))


def archives(many: Drawn) -> Iterator[Any]:
    """What audits read of each of them."""
    held = np.broadcast_to(many.worth[:, None] > 0, many.people.shape)
    run, model, problem, point = np.nonzero(held)
    # Made at once and cut: most of the time goes into making a frame, however small.
    frame = pd.DataFrame(
        {
            "model": np.array(MODELS, object)[model],
            "problem_id": np.char.add("p", np.arange(held.shape[2]).astype(str)).astype(object)[problem],
            "point_id": np.char.add("x", np.arange(MOST).astype(str)).astype(object)[point],
            "points": many.worth[run, problem, point],
            "truth": many.people[held].astype(float),
            "drawn": many.marked[held],
        }
    )
    points = finished(frame, many.award[held].astype(float), many.world.share)
    ratings = rated(points)
    starts = np.searchsorted(run, np.arange(len(held) + 1))
    before = np.concatenate([[0], np.cumsum(many.marked[held])])[starts]
    for (here, there), (first, last) in zip(pairwise(starts), pairwise(before), strict=True):
        cut = points.iloc[here:there].reset_index(drop=True)
        yield checked(cut, ratings.iloc[first:last].reset_index(drop=True))


def _read(world: Marked, runs: int, seed: int, more: float, all_alike: float) -> tuple[Any, Any, Any]:
    judge = centred(world.judge, all_alike, more)
    drawn = draw(judge, world.problems, runs, seed, systems=len(MODELS))
    return drawn.weight, drawn.people, drawn.judge


def _flipped(world: Marked, runs: int, seed: int, more: float, all_alike: float) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    held = np.arange(MOST) < rng.integers(LEAST, MOST + 1, (runs, world.problems))[..., None]
    weight = (rng.integers(1, 4, held.shape) * held).astype(float)
    shape = (runs, len(MODELS), world.problems, MOST)
    level = PROBLEM * rng.standard_normal((runs, 1, world.problems, 1))
    people = (level + rng.standard_normal(shape) > -0.3).astype(float)
    met = NormalDist(0, sqrt(PROBLEM**2 + 1)).cdf(0.3)
    raised = np.full((len(MODELS), 1, 1), all_alike)
    raised[MODELS.index(FAVOURED)] += more
    half = FLIPPING[world.judge] / 2
    flips = rng.random(shape) < np.where(people == 0, (half + raised) / (1 - met), half / met)
    return weight, people, np.where(flips, 1 - people, people)


@cache
def centred(name: str, lenient: float = 0.0, more: float = 0.0) -> Judge:
    """The judge with its noise, shifted on the hidden scale until it awards just that much more."""
    from scipy.optimize import brentq

    judge = JUDGING[name]
    spread = NormalDist(0, sqrt(PROBLEM**2 + 1 + judge.by_problem**2 + judge.noise**2))

    def shift(wanted: float) -> float:
        awarded = lambda by: sum(spread.cdf(by - cut) for cut in CUTS) / len(CUTS)  # noqa: E731
        return float(brentq(lambda by: awarded(by) - truth() - wanted, -3, 3))

    base = shift(lenient)
    return replace(judge, lenient=base, prefers=shift(lenient + more) - base)
