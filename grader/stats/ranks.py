"""Rankings of models with intervals for their ranks.

A model's rank lies between 1 + the number of models that are significantly
better and n - the number that are significantly worse. Over all pairs of the
ranking p is adjusted by Holm's method, so that all rank intervals hold together
with the ranking's level (Mogstad, Romano, Shaikh and Wilhelm 2024, "Inference for
Ranks with Applications to Mobility across Neighbourhoods and Academic Achievement
across Countries", Review of Economic Studies 91).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from grader.record.values import MODES, PROTOCOLS
from grader.stats.estimate import Estimate, differences, share_of
from grader.stats.grid import Condition, Grid, Ints
from grader.stats.jackknife import Floats, p_value, ratio
from grader.stats.multiple import holm


@dataclass(frozen=True, slots=True)
class Rank:
    """A model's place in one ranking."""

    model: str
    share: Estimate
    rank: int
    """By its share, 1 for the best; equal shares, equal ranks."""
    low: int
    """The best rank that the comparisons leave possible."""
    high: int
    low_if_open: int
    """The same however the open points will be decided."""
    high_if_open: int


@dataclass(frozen=True, slots=True)
class Ranking:
    """The models under one protocol and mode, the best first."""

    protocol: str
    mode: str
    ranks: tuple[Rank, ...]
    unequal: bool
    """Whether some answered subquestions that others did not: shares are then over different questions,
    comparisons over those that both of a pair answered."""


def rankings(subquestions: pd.DataFrame, *, macro: bool = False, level: float = 0.95) -> list[Ranking]:
    """One for each protocol and mode, of all models with marks there."""
    grid, rows = Grid.by_condition(subquestions)
    found = []
    for protocol in PROTOCOLS:
        for mode in MODES:
            names = [name for name in rows if name[1:] == (protocol, mode)]
            if names:
                found.append(_ranking(grid, names, [rows[name] for name in names], macro, level))
    return found


def _ranking(
    grid: Grid, names: Sequence[Condition], rows: Sequence[int], macro: bool, level: float
) -> Ranking:
    shares = [share_of(grid, [row], macro=macro, level=level) for row in rows]
    known = [(name[0], row, one) for name, row, one in zip(names, rows, shares, strict=True) if one]
    values = np.array([one.value for _, _, one in known])
    taken = np.array([row for _, row, _ in known], np.intp)
    low, high, low_if_open, high_if_open = _intervals(grid, taken, macro, level)
    ranks = [
        Rank(
            model,
            one,
            1 + int((values > values[place] + 1e-12).sum()),
            *(int(ends[place]) for ends in (low, high, low_if_open, high_if_open)),
        )
        for place, (model, _, one) in enumerate(known)
    ]
    answered = grid.answers[taken] > 0
    return Ranking(
        *names[0][1:],
        tuple(sorted(ranks, key=lambda one: (one.rank, one.model))),
        bool((answered != answered[:1]).any()),
    )


def _intervals(grid: Grid, rows: Ints, macro: bool, level: float) -> tuple[Ints, Ints, Ints, Ints]:
    """Best and worst rank of each row as graded, then however the open points will be decided."""
    first, second = np.triu_indices(len(rows), 1)
    value, p = _pairs(grid, rows[first], rows[second], macro)
    better = np.sign(value[0])
    # the verdict of a pair must stand at the extreme that is hardest on whoever is ahead
    hardest = np.where(better > 0, 1, 2)
    columns = np.arange(len(first))
    stands = np.sign(value[hardest, columns]) == better
    p_open = np.where(stands, np.maximum(p[0], p[hardest, columns]), 1.0)
    ends: list[Ints] = []
    for p_values in (p[0], p_open):
        told_apart = np.where(_significant(p_values, level), better, 0.0)
        ends.extend(_ends(len(rows), first, second, told_apart))
    return ends[0], ends[1], ends[2], ends[3]


def _pairs(grid: Grid, first: Ints, second: Ints, macro: bool) -> tuple[Floats, Floats]:
    """Differences and their p: [3 (as graded, lowest, highest), pairs]."""
    both = (grid.answers[first] > 0) & (grid.answers[second] > 0)
    gained = grid.by_problem(np.where(both, differences(grid, first, second), 0.0))
    full = grid.by_problem(np.where(both, grid.full, 0.0))
    if macro:
        gained, full = gained / np.where(full > 0, full, 1.0), (full > 0).astype(float)
    found = ratio(gained, np.broadcast_to(full, gained.shape))
    return found.value, p_value(found)


def _significant(p: Floats, level: float) -> npt.NDArray[np.bool_]:
    adjusted = holm([None if np.isnan(one) else float(one) for one in p])
    return np.array([one is not None and one <= 1 - level for one in adjusted], bool)


def _ends(count: int, first: Ints, second: Ints, better: Floats) -> tuple[Ints, Ints]:
    """The best and the worst rank of each; ``better`` of a pair is 1 for its first, -1 for its second, 0."""
    ahead, behind = np.zeros(count, np.intp), np.zeros(count, np.intp)
    winners, losers = np.where(better > 0, first, second), np.where(better > 0, second, first)
    decided = better != 0
    np.add.at(ahead, losers[decided], 1)
    np.add.at(behind, winners[decided], 1)
    return 1 + ahead, count - behind
