"""Shares of marks and differences of them, with intervals over problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, Literal

import numpy as np
import pandas as pd

from grader.stats.grid import Grid
from grader.stats.jackknife import (
    NO_SPREAD,
    Floats,
    Jackknife,
    difference_interval,
    mean_of_ratios,
    p_value,
    share_interval,
)
from grader.stats.power import detectable

Ends = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A share of marks in [0, 1], or a difference of two, with its interval for problems like these."""

    value: float
    """As graded: an open point adds nothing and takes nothing."""
    low: float | None
    """The interval's lower end; None where no interval can be given: of one problem."""
    high: float | None
    se: float | None
    df: int
    level: float
    problems: int
    subquestions: int
    answers: int
    """Answers to them, samples added up; of a difference, those of both sides."""
    bounds: Ends
    """The value's extremes, however the open points will be decided."""
    widened: Ends | None
    """From the lowest to the highest end of the intervals of the value and of both its extremes."""


@dataclass(frozen=True, slots=True)
class Difference(Estimate):
    """The first minus the second, over the subquestions that both hold."""

    p: float | None
    """Two-sided, of no difference."""
    detectable: float | None
    """The smallest true difference found with a power of 0.8; None where the problems show no spread."""
    only_first: int
    """Subquestions left out because the second has no answer to them (or they have another mark there)."""
    only_second: int

    @property
    def evidence(self) -> bool:
        """Whether the interval leaves zero out."""
        return _leaves_zero_out((self.low, self.high))

    @property
    def evidence_if_open(self) -> bool:
        """Whether it does however the open points will be decided."""
        return self.widened is not None and _leaves_zero_out(self.widened)

    @property
    def favours(self) -> Literal["first", "second"] | None:
        """Which side the evidence is for."""
        if not self.evidence:
            return None
        return "first" if self.value > 0 else "second"


def share(subquestions: pd.DataFrame, *, macro: bool = False, level: float = 0.95) -> Estimate | None:
    """Earned marks over full marks; with ``macro`` the mean of the problems' shares.

    ``subquestions``: the rows of one model, protocol and mode. None without full marks.
    """
    return share_of(Grid.of([subquestions]), [0], macro=macro, level=level)


def difference(
    first: pd.DataFrame, second: pd.DataFrame, *, macro: bool = False, level: float = 0.95
) -> Difference | None:
    """The share of the first minus that of the second; None where they hold no subquestion in common.

    Each subquestion weighs its full mark on both sides, and its samples share
    that weight equally, however many there are.
    """
    return difference_of(Grid.of([first, second]), [0], [1], macro=macro, level=level)


def share_of(grid: Grid, rows: Sequence[int], *, macro: bool = False, level: float = 0.95) -> Estimate | None:
    """The mean of the shares of these rows, one a model, all with the same problems as clusters."""
    rows = [row for row in rows if (grid.answers[row] * grid.full).sum() > 0]
    if not rows:
        return None
    answers = grid.answers[rows]
    gained = np.stack([marks[rows] * answers for marks in (grid.earned, grid.low, grid.high)])
    found = _found(grid, gained, answers * grid.full, macro)
    return Estimate(**_numbers(found, level, share_interval(found, level)), **_counts(answers, answers > 0))


def difference_of(
    grid: Grid,
    firsts: Sequence[int],
    seconds: Sequence[int],
    *,
    macro: bool = False,
    level: float = 0.95,
) -> Difference | None:
    """The mean of the differences of these pairs of rows; pairs without a common subquestion are left out."""
    pairs = [pair for pair in zip(firsts, seconds, strict=True) if grid.in_common(*pair)]
    if not pairs:
        return None
    first, second = np.array(pairs).T
    one, two = grid.answers[first], grid.answers[second]
    both = (one > 0) & (two > 0)
    gained = np.where(both, differences(grid, first, second), 0.0)
    found = _found(grid, gained, np.where(both, grid.full, 0.0), macro)
    of_value = Jackknife(found.value[0], found.se[0], found.problems[0])
    se, problems = float(of_value.se), int(of_value.problems)
    return Difference(
        **_numbers(found, level, difference_interval(found, level)),
        **_counts((one + two) * both, both),
        p=_known(p_value(of_value)),
        detectable=detectable(se, problems, level=level) if se >= NO_SPREAD else None,
        only_first=int(((one > 0) & (two == 0)).sum()),
        only_second=int(((one == 0) & (two > 0)).sum()),
    )


def differences(grid: Grid, first: Any, second: Any) -> Floats:
    """Marks of the first rows minus the second: [3 (as graded, lowest, highest), pairs, subquestions]."""
    return np.stack(
        [
            grid.earned[first] - grid.earned[second],
            grid.low[first] - grid.high[second],
            grid.high[first] - grid.low[second],
        ]
    )


def _found(grid: Grid, gained: Floats, full: Floats, macro: bool) -> Jackknife:
    """As graded, at the lowest and at the highest; ``gained``: [3, models, subquestions]."""
    gained, full = grid.by_problem(gained), grid.by_problem(full)
    if macro:
        held = full > 0
        gained, full = np.where(held, gained / np.where(held, full, 1.0), 0.0), held.astype(float)
    return mean_of_ratios(gained, np.broadcast_to(full, gained.shape))


def _numbers(found: Jackknife, level: float, ends: tuple[Floats, Floats]) -> dict[str, Any]:
    low, high = ends
    known = not np.isnan([low, high]).any()
    return {
        "value": float(found.value[0]),
        "low": _known(low[0]),
        "high": _known(high[0]),
        "se": _known(found.se[0]),
        "df": int(found.problems[0]) - 1,
        "level": level,
        "problems": int(found.problems[0]),
        "bounds": (float(found.value[1]), float(found.value[2])),
        "widened": (float(low.min()), float(high.max())) if known else None,
    }


def _counts(answers: Floats, held: Any) -> dict[str, Any]:
    return {"subquestions": int(held.any(axis=0).sum()), "answers": int(answers.sum())}


def _known(number: Any) -> float | None:
    return None if isnan(number) else float(number)


def _leaves_zero_out(ends: tuple[float | None, float | None]) -> bool:
    low, high = ends
    return low is not None and high is not None and (low > 0 or high < 0)
