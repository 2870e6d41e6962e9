"""How many points people must mark for an interval of a given width."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grader.errors import AuditError
from grader.stats.correction.corrected import Target, shares
from grader.stats.correction.intervals import is_few, jackknife_se
from grader.stats.correction.sample import Sample


@dataclass(frozen=True, slots=True)
class Spread:
    """What the width of a corrected score depends on: of a pilot (``spread_of``), or as assumed."""

    points: int
    """All points of a cell, marked or not."""
    error: float
    """The variance of one point's error, in shares of the mean worth of a point."""
    between: float = 0.0
    """The standard error that would be left if people marked every point: problems differ."""
    problems: int | None = None
    """None: nothing is assumed about problems, and only this benchmark's own score can be planned for."""
    indicative: bool = False
    """The pilot has fewer than 10 disagreements among points of some probability."""

    @classmethod
    def assumed(cls, points: int, error_rate: float) -> Spread:
        """Points of equal worth of which that share gets a wrong award, all or nothing, either way."""
        if points < 1 or not 0 < error_rate < 1:
            raise AuditError(
                "a plan needs points and an expected rate of wrong awards",
                got=f"{points} points, rate {error_rate:g}",
                expected="at least 1 point, and a rate between 0 and 1",
            )
        return cls(points, error_rate)


@dataclass(frozen=True, slots=True)
class Budget:
    """What a width takes."""

    width: float
    target: Target
    cells: int
    each: int | None
    """Marked points a cell, each corrected by its own; None: no number reaches the width."""
    apart: int | None
    """The same for all cells."""
    together: int | None
    """For all cells if they share one correction (``corrected_together``)."""
    rate: float | None
    """The probability of being drawn that gives ``each``."""
    least_width: float
    """What is left if people mark every point."""
    notes: tuple[str, ...]


def spread_of(pilot: Sample) -> Spread:
    """What a pilot's marks say about errors at lambda 1, pseudo-residuals included.

    Raises AuditError as ``corrected`` does. The error's variance is N sum w^2 (y - f - mean)^2 x / pi / W^2.
    """
    found = shares(pilot, tune=False, seed=0)
    sums, points, total = found.sums, found.points, found.sums.full.sum()
    count = len(pilot.graded)
    mean = (sums.people - sums.machine).sum() / sums.weight.sum()
    squares = (points.marked - points.graded - mean * points.worth) ** 2 / points.probability
    few = is_few(points)
    if few:
        added = 2 * (1 + mean**2) * (points.worth**2).mean()
        squares = np.append(squares, added * count / len(points.marked))
    jackknifed = jackknife_se(found.value, found.without(), sums.full > 0)
    left = float(np.nan_to_num(jackknifed**2 - found.drawn().variance))
    return Spread(
        points=count,
        error=float(count * squares.sum() / total**2),
        between=float(np.sqrt(max(left, 0.0))),
        problems=int((sums.full > 0).sum()),
        indicative=few,
    )


def budget(
    width: float, spread: Spread, *, target: Target = "benchmark", cells: int = 1, level: float = 0.95
) -> Budget:
    """Marks for an interval that is ``width`` wide from end to end (half of it to either side).

    Points drawn at one rate, lambda 1: n marks of N points leave the variance
    error (1 - n / N) / n, besides what problems differ by. ``cells``: scores of
    the same size that shall each have this width. Raises AuditError of a
    width that is none, and where problems are asked for and nothing is known of them.
    """
    if not 0 < width < 1 or cells < 1:
        raise AuditError(
            "a plan needs a width and a number of scores",
            got=f"width {width:g}, {cells} scores",
            expected="a width between 0 and 1, and at least 1 score",
        )
    if target == "problems" and spread.problems is None:
        raise AuditError(
            "how much problems differ is not known from assumptions",
            expected="a pilot, or the benchmark as target",
            do="Mark a small spot check first, or plan for the score of this benchmark.",
        )
    floor = spread.between if target == "problems" else 0.0
    every = spread.points
    df = (spread.problems or 1) - 1 if target == "problems" else None
    each = _marks(width, spread, floor, every, level, df)
    together = _marks(width, spread, floor, every * cells, level, df)
    notes = ["Points are taken as drawn at one rate, whatever the doubts about them."]
    least = _width(floor**2, level, every - 1 if df is None else df)
    if each is None:
        notes.append(
            f"No number of marks reaches {100 * width:g} points: with every point marked, "
            f"{spread.problems} problems leave {100 * least:.1f}. More problems would narrow it."
        )
    if spread.indicative:
        notes.append(
            "The pilot has fewer than 10 disagreements among points of some probability: its spread is a "
            "cautious guess."
        )
    if cells > 1:
        notes.append("Shared marks hold only if the judge errs alike in all cells.")
    return Budget(
        width=width,
        target=target,
        cells=cells,
        each=each,
        apart=None if each is None else each * cells,
        together=together,
        rate=None if each is None else each / every,
        least_width=least,
        notes=tuple(notes),
    )


def _marks(
    width: float, spread: Spread, floor: float, every: int, level: float, df: int | None
) -> int | None:
    """The least n <= ``every`` for which the interval isn't wider; None where there is none."""

    def found(marks: int) -> float:
        variance = spread.error * (1 - marks / every) / marks + floor**2
        return _width(variance, level, marks - 1 if df is None else df)

    if found(every) > width:
        return None
    low, high = 0, every  # found(high) fits, and found falls as marks grow
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if found(middle) <= width else (middle, high)
    return high


def _width(variance: float, level: float, df: int) -> float:
    """From end to end, of Student's t; nothing left to chance has none, however few marks it took."""
    from scipy.special import stdtrit

    if not variance > 0:
        return 0.0
    return 2 * float(stdtrit(df, (1 + level) / 2) * np.sqrt(variance)) if df > 0 else np.inf
