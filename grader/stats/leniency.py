"""By how much awards of a judge exceed people's, over points that were marked at random.

Leniency is sum a w (f - y) / sum a |w|, with f the judge's award, y people's, w what the point is worth and
a what it stands for. Of a deduction w is negative: who withholds it is lenient. Standard errors by
delete-one-problem jackknife, Student's t. Where fewer than ``FEW`` points disagree, the spread of the few
says little of what others would show: two residuals of +1 and -1 are added to the variance (as Agresti and
Coull 1998 add successes and failures), never to the value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from grader.stats.jackknife import NO_SPREAD, Floats, Jackknife, difference_interval, p_value, ratio
from grader.stats.power import detectable

FEW = 10
"""Disagreements below which the variance is widened."""
_SAME = 1e-9
_NUMBERS = ["award", "human", "points", "weight"]


@dataclass(frozen=True, slots=True)
class Leniency:
    """One mean of judge minus people, as a share of the marks at stake, or a difference of two."""

    value: float
    low: float | None
    """None where no interval can be given: of one problem."""
    high: float | None
    p: float | None
    """Two-sided, of none."""
    se: float | None
    n: int
    problems: int
    disagreements: int

    def detectable(self, level: float) -> float | None:
        """The smallest true leniency that a test at that level finds with a power of 0.8."""
        return None if self.se is None else detectable(self.se, self.problems, level=level)


def leniency(marked: pd.DataFrame, *, level: float = 0.95) -> Leniency | None:
    """Of rows with problem_id, points, award, human and weight; None where no marks are at stake."""
    side = _Side.of(marked)
    if not side.full.sum() > 0:
        return None
    codes, names = pd.factorize(marked["problem_id"], sort=True)
    found = ratio(*(_summed(codes, one, len(names)) for one in (side.gained, side.full)))
    return _of(float(found.value), float(found.se), int(found.problems), [side], level)


def leniency_difference(first: pd.DataFrame, second: pd.DataFrame, *, level: float = 0.95) -> Leniency | None:
    """The leniency of the first rows minus that of the second; a problem is left out of both at once.

    None where either has no marks at stake. Give both only problems on which both were judged.
    """
    sides = [_Side.of(first), _Side.of(second)]
    if any(not one.full.sum() > 0 for one in sides):
        return None
    codes, names = pd.factorize(pd.concat([first["problem_id"], second["problem_id"]]))
    apart = np.split(codes, [len(first)])
    gained, full = (
        np.stack([_summed(code, values, len(names)) for code, values in zip(apart, of, strict=True)])
        for of in ([one.gained for one in sides], [one.full for one in sides])
    )
    total, weight = gained.sum(axis=1, keepdims=True), full.sum(axis=1, keepdims=True)
    left = weight - full
    with np.errstate(divide="ignore", invalid="ignore"):
        without = np.where(left > NO_SPREAD, (total - gained) / left, np.nan)
    differs, count = without[0] - without[1], len(names)
    se = (
        float(np.sqrt((count - 1) / count * ((differs - differs.mean()) ** 2).sum())) if count > 1 else np.nan
    )
    value = float((total / weight)[0, 0] - (total / weight)[1, 0])
    return _of(value, se, count, sides, level)


def opposite(marked: pd.DataFrame, sign: float) -> tuple[int, int]:
    """How many problems have a leniency of the other sign than ``sign``, and how many have marks at stake."""
    side = _Side.of(marked)
    codes, names = pd.factorize(marked["problem_id"], sort=True)
    gained, full = (_summed(codes, one, len(names)) for one in (side.gained, side.full))
    return int((gained * np.sign(sign) < -_SAME).sum()), int((full > 0).sum())


def at_stake(marked: pd.DataFrame) -> Floats:
    """Of each point, what it is worth, times what it stands for; 0 of a veto."""
    return _Side.of(marked).full


class _Side(NamedTuple):
    """Marked points as arrays: [points]."""

    gained: Floats
    """Marks of the judge minus those of people, times what the point stands for."""
    full: Floats
    """What it is worth, times what it stands for; 0 of a veto."""
    wrong: npt.NDArray[np.bool_]
    """The judge and people differ."""

    @classmethod
    def of(cls, marked: pd.DataFrame) -> _Side:
        award, human, points, weight = (marked[name].to_numpy(float) for name in _NUMBERS)
        gained: Floats = np.nan_to_num(points * (award - human)) * weight
        return cls(gained, np.abs(np.nan_to_num(points)) * weight, np.abs(award - human) > _SAME)


def _of(value: float, se: float, problems: int, sides: list[_Side], level: float) -> Leniency:
    wrong = [int((one.wrong & (one.full > 0)).sum()) for one in sides]
    # Without the pseudo-residuals a sample that happens to hold no disagreement would be certain of it.
    added = sum(_added(one.full) for one, few in zip(sides, wrong, strict=True) if few < FEW)
    found = Jackknife(*(np.asarray(number, float) for number in (value, np.sqrt(se**2 + added), problems)))
    low, high = difference_interval(found, level)
    known = bool(np.isfinite(found.se))
    return Leniency(
        value,
        float(low) if known else None,
        float(high) if known else None,
        float(p_value(found)) if known else None,
        float(found.se) if known else None,
        sum(int((one.full > 0).sum()) for one in sides),
        problems,
        sum(wrong),
    )


def _added(full: Floats) -> float:
    """Two squared residuals of 1, each of a point of typical size."""
    size = full[full > 0]
    return float(2 * np.mean(size**2) / size.sum() ** 2)


def _summed(codes: npt.NDArray[np.intp], values: Floats, count: int) -> Floats:
    return np.bincount(codes, values, count).astype(float)
