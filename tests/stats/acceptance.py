"""What corrected scores must hold up to: a grid of simulated benchmarks, and real judges with few errors."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from grader.stats.correction.corrected import corrected
from grader.stats.correction.difference import corrected_difference
from grader.stats.correction.sample import Sample
from tests.stats.judge_world import JUDGES, Design, draw, own_truth, probabilities, samples, truth

RUNS = 2_000
"""A coverage of .95 is then known to half a point; with 1,000 a cell or two would stray by chance."""
AT_ONCE = 125
DESIGNS: tuple[Design, ...] = ("random", "active")
GRID = list(product(JUDGES, DESIGNS, (0.1, 0.25), (30, 60, 150)))
"""Judge, design, share of points drawn, problems."""


@dataclass(frozen=True)
class Tuned:
    """One estimator in one cell of the grid: how often its interval held the truth, its error, its width."""

    covers: float
    bias: float
    width: float


@dataclass(frozen=True)
class Differences:
    """Of two equal systems: how often a difference was declared; and of the benchmark's own difference."""

    declared: float
    declared_by_judge: float
    benchmark_covers: float


@dataclass(frozen=True)
class Outcome:
    """What one cell of the grid came to."""

    tuned: Tuned
    plain: Tuned
    human: Tuned
    judge: Tuned
    benchmark: Tuned
    labels: float
    differences: Differences | None = None

    def faults(self, name: str, design: Design, share: float, problems: int) -> list[str]:
        """What of this isn't as it must be."""
        low = 0.92 if problems < 60 else 0.93
        found = []
        for kind, one in (("tuned", self.tuned), ("plain", self.plain)):
            if not low <= one.covers <= 0.97:
                found.append(f"{kind} covers {one.covers}")
            if problems >= 60 and not abs(one.bias) < 0.005:
                found.append(f"{kind} is off by {one.bias}")
        ratio = self.tuned.width / self.human.width
        if problems >= 60 and ratio > 1.02:
            found.append(f"{ratio} as wide as people alone")
        if (name, design, share) == ("lenient", "random", 0.1) and problems >= 60 and ratio > 0.85:
            found.append(f"only {ratio} as wide as people alone")
        if self.labels >= 100 and not 0.92 <= self.benchmark.covers <= 0.97:
            found.append(f"the benchmark's own score is covered in {self.benchmark.covers}")
        if self.differences and not 0.03 <= self.differences.declared <= 0.075:
            found.append(f"equal systems differ in {self.differences.declared}")
        return found


def outcome(name: str, design: Design, share: float, problems: int, runs: int = RUNS) -> Outcome:
    """One cell of the grid, through the public functions."""
    seed = zlib.crc32(f"{name} {design} {share} {problems}".encode())
    rows, declared = [], []
    for start in range(0, runs, AT_ONCE):
        at_once = min(AT_ONCE, runs - start)
        drawn = draw(JUDGES[name], problems, at_once, seed + start, systems=2 if JUDGES[name].prefers else 1)
        given = samples(drawn, probabilities(drawn, design, share), seed + start + 1)
        for run, (sides, own) in enumerate(zip(given, own_truth(drawn), strict=True)):
            rows.append(_scores(sides[-1], own[-1], seed + start + run))
            if len(sides) == 2:
                declared.append(_differences(sides, own, seed + start + run))
    means = np.array([row[:5] for row in rows]).mean(axis=0)
    tuned, plain, human, judge, benchmark = (Tuned(*map(float, one)) for one in means)
    labels = float(np.mean([row[5] for row in rows]))
    pair = Differences(*map(float, np.mean(declared, axis=0))) if declared else None
    return Outcome(tuned, plain, human, judge, benchmark, labels, pair)


def _scores(sample: Sample, own: float, seed: int) -> Any:
    tuned, plain = corrected(sample, seed=seed), corrected(sample, seed=seed, tune=False)
    benchmark = corrected(sample, seed=seed, target="benchmark")
    of_problems = (tuned, plain, tuned.human_only, tuned.judge_only)
    return *(_held(one, truth()) for one in of_problems), _held(benchmark, own), tuned.labels


def _held(one: Any, value: float) -> tuple[bool, float, float]:
    return one.low <= value <= one.high, one.value - value, one.high - one.low


def _differences(sides: list[Sample], own: Any, seed: int) -> tuple[bool, bool, bool]:
    first, second = sides
    found = corrected_difference(first, second, seed=seed)
    judge = found.judge_only
    assert judge.low is not None
    assert judge.high is not None
    of_benchmark = corrected_difference(first, second, seed=seed, target="benchmark")
    return (
        found.favours is not None,
        not judge.low <= 0 <= judge.high,
        _held(of_benchmark, own[0] - own[1])[0],
    )


@dataclass(frozen=True)
class RealJudge:
    """A judge's run against the majority of three people."""

    name: str
    people: Any
    machine: Any
    problem: Any

    def sample(self, at: Any) -> Sample:
        """The answers at these places marked, drawn with equal probability from all."""
        count = len(self.people)
        marked, chance = np.full(count, np.nan), np.full(count, len(at) / count)
        marked[at] = self.people[at]
        full = np.bincount(self.problem).astype(float)
        differs = ~np.isnan(marked) & (self.people != self.machine)
        return Sample(self.machine, marked, chance, self.problem, full, 0 * full, differs, np.ones(count))

    def covered(self, marks: int, draws: int, seed: int = 0) -> tuple[float, float]:
        """How often the benchmark's score is covered over draws of that many marks, and the mean width.

        With equal weights and lambda 1 (twelve problems) an estimate depends on
        nothing but how many marked answers the judge held too high and too low.
        """
        error = self.people - self.machine
        kinds = [np.flatnonzero(error == one) for one in (1, -1, 0)]
        sizes = [len(kind) for kind in kinds]
        rng = np.random.default_rng(seed)
        counts, times = np.unique(
            rng.multivariate_hypergeometric(sizes, marks, draws), axis=0, return_counts=True
        )
        held = []
        for each in counts:
            at = np.concatenate([kind[:many] for kind, many in zip(kinds, each, strict=True)])
            covers, _, width = _held(corrected(self.sample(at), target="benchmark"), self.people.mean())
            held.append((covers, width))
        covers, width = times @ np.array(held, float) / draws
        return float(covers), float(width)


def real_judges(shared: Path) -> list[RealJudge]:
    """The 16 judges of ``seeds/human-marks``; answers that a judge left without a verdict are left out."""
    text = (shared / "seeds/human-marks/saq_marks.jsonl").read_text("utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    people = np.array([float(sum(row["human"]) >= 2) for row in rows])
    problem = np.unique([row["problem"] for row in rows], return_inverse=True)[1]
    found = []
    for name in sorted(rows[0]["judges"]):
        said = np.array([row["judges"][name][0] for row in rows], float)
        at = ~np.isnan(said)
        found.append(RealJudge(name, people[at], said[at], problem[at]))
    return found
