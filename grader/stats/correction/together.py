"""Many scores by one judge, corrected by one error estimated over all of them.

A sweep has more cells (a model under a protocol in a mode) than people can mark
points of. If the judge errs alike in all cells, their marks can be used
together: each score is what the judge gave plus one mean error for a mark.
That assumption is tested, cell by cell, and can be wrong where it matters: a
judge that prefers one of the models. The intervals hold under it only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from grader.errors import AuditError
from grader.stats.correction.corrected import Target, without_each
from grader.stats.correction.intervals import (
    Interval,
    few_words,
    jackknife_se,
    pseudo_residuals,
    student,
    two_sided_p,
    wider,
)
from grader.stats.correction.sample import Sample
from grader.stats.correction.sums import Bools, Points, Sums, added_up, check, marked_points, worth_of
from grader.stats.jackknife import Floats
from grader.stats.multiple import holm

ASSUMED = (
    "One error is assumed for all cells of this judge. Where it errs more on one of them, that cell's score "
    "is wrong by as much, and no interval here shows it."
)


@dataclass(frozen=True, slots=True)
class Cell(Interval):
    """One score, corrected by the error of all."""

    judge_only: float
    apart: float | None
    """The cell's own mean error minus that of all others, in shares of a mark; None without own marks."""
    p: float | None
    """Of no such difference, two-sided: what speaks against the assumption."""
    p_adjusted: float | None
    """Holm's over the cells."""
    labels: int


@dataclass(frozen=True, slots=True)
class Together:
    """Cells that share one correction."""

    cells: tuple[Cell, ...]
    error: Interval
    """The judge's mean error per mark, people minus judge: what is added to every score."""
    level: float
    target: Target
    labels: int
    disagreements: int
    widened: bool
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Error:
    """The judge's mean error per mark over some points, people minus judge, and how sure it is."""

    mean: float
    without: Floats
    """[problems], the mean without each."""
    variance: float
    """Of the draw; pseudo-residuals included where there are few disagreements."""
    scatter: float
    """The variance of one point's error in marks, these included too."""
    few: bool
    df: int
    """Of the draw."""
    problems: int
    """With a marked point."""

    @classmethod
    def of(cls, sums: Sums, points: Points) -> _Error:
        error, worth = sums.people - sums.machine, float(sums.worth.sum())
        mean = float(error.sum() / sums.weight.sum())
        left = (points.marked - points.graded - mean * points.worth) ** 2
        added = pseudo_residuals(points, mean, worth)
        variance = float((points.spread * left).sum()) / worth**2 + added
        scatter = float((left / points.probability).sum() / (1 / points.probability).sum())
        if added:
            scatter += 2 * float((points.worth**2).mean()) / len(left)
        without = without_each(error, sums.weight)
        return cls(mean, without, variance, scatter, added > 0, points.df, sums.labelled)


def corrected_together(
    samples: Sequence[Sample], *, target: Target = "problems", level: float = 0.95
) -> Together:
    """Each cell's score plus the mean error over the marked points of all cells (lambda 1).

    Index k names the same problem in all samples: a problem is left out of all
    cells at once. ``benchmark``: uncertain are the draw of points, and by how much
    a cell's own errors happen to differ from those of all. A cell without marks
    of its own is corrected too.

    Raises AuditError as ``corrected`` does, if no cell has a marked point.
    """
    pooled = joined(samples)
    check(pooled)
    points, sums = marked_points(pooled), added_up(pooled)
    shared = _Error.of(sums, points)

    def interval(
        value: float,
        without: Floats,
        held: Bools,
        share: float,
        span: tuple[float, float],
        own: float = 0.0,
    ) -> Interval:
        of_draw = shared.variance * share**2
        if target == "benchmark":
            return student(value, float(np.sqrt(of_draw + own)), shared.df, level, span)
        variance, _ = wider(jackknife_se(value, without, sums.full > 0) ** 2, of_draw, shared.few)
        # a cell of few problems knows no more of how problems differ than these show
        return student(
            value, float(np.sqrt(variance)), min(shared.problems, int(held.sum())) - 1, level, span
        )

    against = [_apart(samples, place) for place in range(len(samples))]
    cells = []
    for sample, (apart, p), adjusted in zip(samples, against, holm([p for _, p in against]), strict=True):
        own = added_up(sample)
        total = float(own.full.sum())
        graded, share = own.share_graded, float(own.worth.sum()) / total
        without = without_each(own.as_graded, own.full)
        without = without + shared.without * without_each(own.worth, own.full)
        count = len(sample.graded)
        by_chance = shared.scatter * count * (1 - count / len(pooled.graded)) / total**2
        value = graded + shared.mean * share
        found = interval(value, without, own.full > 0, share, (0.0, 1.0), by_chance)
        ends = (found.value, found.low, found.high, found.se, found.df)
        cells.append(Cell(*ends, graded, apart, p, adjusted, int(sample.labelled.sum())))
    return Together(
        cells=tuple(cells),
        error=interval(shared.mean, shared.without, sums.full > 0, 1.0, (-1.0, 1.0)),
        level=level,
        target=target,
        labels=len(points.marked),
        disagreements=int(points.disagrees.sum()),
        widened=shared.few,
        notes=tuple(_notes(cells, few_words(points) if shared.few else None, level)),
    )


def joined(samples: Sequence[Sample]) -> Sample:
    """All cells as one sample over the same problems. Raises AuditError where these aren't as many."""
    if len({len(sample.full) for sample in samples}) != 1 or any(not one.full.sum() > 0 for one in samples):
        raise AuditError(
            "cells that share a correction need the same problems, and marks to be had",
            got=f"{len(samples)} cells",
            expected="at least one, and index k to name the same problem in all",
        )
    return Sample(
        np.concatenate([one.graded for one in samples]),
        np.concatenate([one.marked for one in samples]),
        np.concatenate([one.probability for one in samples]),
        np.concatenate([one.problem for one in samples]),
        np.sum([one.full for one in samples], axis=0),
        np.sum([one.rest for one in samples], axis=0),
        np.concatenate([one.disagrees for one in samples]),
        np.concatenate([worth_of(one) for one in samples]),
    )


def _apart(samples: Sequence[Sample], place: int) -> tuple[float | None, float | None]:
    """A cell's mean error minus that of all others, and the p of no difference."""
    others = [sample for at, sample in enumerate(samples) if at != place]
    if not samples[place].labelled.any() or not any(sample.labelled.any() for sample in others):
        return None, None
    sides = [
        _Error.of(added_up(sample), marked_points(sample)) for sample in (samples[place], joined(others))
    ]
    own, rest = sides
    apart, df = own.mean - rest.mean, min(own.problems, rest.problems) - 1
    if df < 1:
        return apart, None
    without = own.without - rest.without
    variance = jackknife_se(apart, without, np.isfinite(without)) ** 2
    variance = max(variance, own.variance + rest.variance)
    return apart, two_sided_p(apart, float(np.sqrt(variance)), df)


def _notes(cells: Sequence[Cell], few: str | None, level: float) -> list[str]:
    notes = [ASSUMED]
    if few is not None:
        notes.append(f"{few}: intervals widened.")
    suspects = sum(cell.p_adjusted is not None and cell.p_adjusted < 1 - level for cell in cells)
    if suspects:
        notes.append(
            f"The marks speak against it in {suspects} of {len(cells)} cells: "
            "correct these by marks of their own."
        )
    silent = sum(not cell.labels for cell in cells)
    if silent:
        notes.append(
            f"{silent} of {len(cells)} cells have no marks of their own: there it is taken on trust."
        )
    return notes
