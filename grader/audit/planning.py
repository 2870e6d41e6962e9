"""How many marks an interval takes, how many there are, and how long the rest would take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from grader.archive.store import Archive
from grader.audit.card.collect import read_judge
from grader.errors import AuditError
from grader.stats.checked.samples import samples_by_cell
from grader.stats.correction.budget import Budget, Spread, budget, spread_of
from grader.stats.correction.corrected import Target, corrected

if TYPE_CHECKING:
    from grader.audit.card.scores import CellName
    from grader.stats.correction.sample import Sample

SECONDS = 60.0
"""A mark, where nobody was timed."""


@dataclass(frozen=True, slots=True)
class PlannedCell:
    """One score: what its marks have reached, and what more of them would take."""

    cell: CellName
    width: float | None
    """Of its corrected interval now."""
    marks: int
    """Points of it that people have marked and that count."""
    needed: int | None
    """Marks that it takes in all, corrected by itself; None: no number reaches the width."""
    rate: float | None
    """Of the spot check that gives as many."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan of marking."""

    judge: str | None
    """None: an error rate was assumed, whatever marks say."""
    width: float
    target: Target
    level: float
    cells: tuple[PlannedCell, ...]
    """The scores there are; none where a rate is assumed."""
    whole: Budget
    """For as many scores as were asked for, by the widest spread among those there are."""
    marks: int
    seconds: float
    """A mark, the median of those that were timed."""
    timed: bool

    @property
    def apart_seconds(self) -> float | None:
        """What is left to be marked if each score is corrected by itself."""
        return _left(self.whole.apart, self.marks, self.seconds)

    @property
    def together_seconds(self) -> float | None:
        """The same if all share one correction."""
        return _left(self.whole.together, self.marks, self.seconds)


def _left(needed: int | None, marks: int, seconds: float) -> float | None:
    return None if needed is None else max(0, needed - marks) * seconds


def planned(
    archive: Archive,
    width: float,
    *,
    judge: str | None = None,
    runs: Sequence[str] = (),
    cells: int | None = None,
    error_rate: float | None = None,
    target: Target = "benchmark",
    level: float = 0.95,
    seed: int = 0,
) -> Planned:
    """What marks say about errors so far, or an assumed ``error_rate``, as a plan.

    ``cells``: the number of scores; by default those there are. AuditError where nothing is marked and no
    rate is assumed.
    """
    checked, name = read_judge(archive, judge, runs)
    samples, refused = samples_by_cell(checked)
    seconds, timed = median_seconds(checked.ratings)
    count = cells or max(1, len(checked.cells))
    marks = sum(int(one.labelled.sum()) for one in samples.values())
    if error_rate is not None:
        sizes = [len(own) for _, own in checked.cells.values()]
        spread = Spread.assumed(int(np.median(sizes)) if sizes else 0, error_rate)
        found = budget(width, spread, target=target, cells=count, level=level)
        return Planned(None, width, target, level, (), found, marks, seconds, timed)
    if not samples:
        raise _unmarked(archive, list(refused.values()))
    spreads = {cell: spread_of(sample) for cell, sample in samples.items()}
    wide = max(spreads.values(), key=lambda one: (one.error, one.between))
    return Planned(
        judge=name,
        width=width,
        target=target,
        level=level,
        cells=tuple(_cells(samples, spreads, width, target, level, seed)),
        whole=budget(width, wide, target=target, cells=count, level=level),
        marks=marks,
        seconds=seconds,
        timed=timed,
    )


def _cells(
    samples: dict[CellName, Sample],
    spreads: dict[CellName, Spread],
    width: float,
    target: Target,
    level: float,
    seed: int,
) -> Iterator[PlannedCell]:
    for cell, sample in samples.items():
        now = corrected(sample, target=target, level=level, seed=seed)
        found = budget(width, spreads[cell], target=target, level=level)
        yield PlannedCell(cell, now.width, now.labels, found.each, found.rate)


def _unmarked(archive: Archive, errors: Sequence[AuditError]) -> AuditError:
    fault = errors[0].faults[0] if errors else None
    return AuditError(
        fault.what if fault else "there are no scores to plan for",
        file=archive.name,
        do="Draw and mark a small spot check first (argus review), or assume a rate of wrong awards: "
        "--error-rate 0.1.",
    )


def median_seconds(ratings: pd.DataFrame) -> tuple[float, bool]:
    """The median time of a mark, and whether anybody was timed."""
    timed = ratings["seconds"].dropna()
    return (float(timed.median()), True) if len(timed) else (SECONDS, False)
