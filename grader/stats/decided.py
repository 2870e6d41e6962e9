"""Who decided the marks, and how much of a gap may come from that.

A formal point is decided by code where the answer can be read, and by a judge
or a human where it can't. If a condition changes how well answers are read (a
whole problem in one reply is harder to cut than one answer), a gap may measure
reading instead of chemistry. Two things bound that:

- *Alike*: the gap over the subquestions whose marks the same tracks decided on
  both sides. It is over fewer and perhaps easier questions.
- *Worst case*: the marks that different tracks decided might all have come out the
  other way on one of the two sides, whichever moves the gap most. Let x be
  those marks in a subquestion of full mark f, with e1 and e2 earned. Read the
  other side's way, e1 may fall by min(x, e1) or rise by min(x, f - e1), and e2
  likewise, but one of them only: once both sides are decided by the same
  track, reading no longer tells them apart. So the gap is at least the sum of
  e1 - e2 - max(min(x, e1), min(x, f - e2)) and at most the sum of
  e1 - e2 + max(min(x, f - e1), min(x, e2)), over the sum of f. Which track is
  right is left open; errors that a track makes on both sides are not in it.

x is half the sum over the tracks (open is one) of the difference of the marks
that they decided, an answer. These sums see neither deductions and vetoes, which
are no positive marks, nor two points that change places: reports say so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from grader.score import DIGITS
from grader.stats.estimate import Difference, difference_of
from grader.stats.grid import Grid
from grader.stats.jackknife import Floats

TRACKS = ("formal", "located", "judge", "human", "open")
DECIDED = TRACKS[:-1]
"""The columns of subquestions that say who decided."""


def decided(subquestions: pd.DataFrame) -> dict[str, float]:
    """The share of full marks that each track decided, and that is open: together 1. Empty without marks."""
    full = float(subquestions["full_mark"].sum())
    if not full:
        return {}
    shares = {track: float(subquestions[track].sum()) / full for track in DECIDED}
    return {**shares, "open": round(1 - sum(shares.values()), DIGITS) + 0.0}


@dataclass(frozen=True, slots=True)
class Extraction:
    """How a gap's two sides were decided, and what the gap could be had they been decided alike."""

    gap: Difference
    tracks: Mapping[str, tuple[float, float]]
    """Shares of the common full marks by track, of the first and the second."""
    differing: float
    """The share of the common full marks that different tracks decided."""
    alike: Difference | None
    """The gap over subquestions decided alike; None where there are none."""
    alike_marks: float
    """Their share of the common full marks."""
    bounds: tuple[float, float]
    """The gap in the worst case, either way."""

    @property
    def differs(self) -> bool:
        """Whether different tracks decided anything."""
        return self.differing > 0

    @property
    def at_most(self) -> float:
        """How much of the gap's size may come from extraction: as much as the worst case takes from it."""
        value, (low, high) = self.gap.value, self.bounds
        taken = value - max(0.0, low) if value > 0 else min(0.0, high) - value
        return min(taken, abs(value))

    @property
    def may_explain_all(self) -> bool:
        """Whether nothing of the gap is left in the worst case."""
        return self.differs and self.bounds[0] <= 0 <= self.bounds[1]


def extraction(first: pd.DataFrame, second: pd.DataFrame, *, level: float = 0.95) -> Extraction | None:
    """How much of the gap between two conditions may come from who decided.

    ``first``, ``second``: subquestions of one condition each. None where they hold no subquestion in common.
    """
    return extraction_of(Grid.of([first, second], DECIDED), 0, 1, level=level)


def extraction_of(grid: Grid, first: int, second: int, *, level: float = 0.95) -> Extraction | None:
    """The same of two rows of a grid that also holds ``DECIDED``."""
    gap = difference_of(grid, [first], [second], level=level)
    if gap is None:
        return None
    both = (grid.answers[first] > 0) & (grid.answers[second] > 0) & (grid.full > 0)
    full, rows = grid.full[both], [first, second]
    tracks = grid.also[:, rows][..., both]
    undecided = np.round(full - tracks.sum(axis=0), DIGITS)
    one, two = np.concatenate([tracks, undecided[None]]).swapaxes(0, 1)
    differing = np.minimum(np.round(np.abs(one - two).sum(axis=0) / 2, DIGITS), full)
    alike = both.copy()
    alike[both] = differing == 0
    shares = zip(one.sum(axis=1) / full.sum(), two.sum(axis=1) / full.sum(), strict=True)
    earned = grid.earned[rows][:, both]
    return Extraction(
        gap,
        {track: (float(ours), float(theirs)) for track, (ours, theirs) in zip(TRACKS, shares, strict=True)},
        float(differing.sum() / full.sum()),
        difference_of(grid.only(rows, alike), [0], [1], level=level),
        float(full[differing == 0].sum() / full.sum()),
        _worst(earned[0], earned[1], full, differing),
    )


def _worst(one: Floats, two: Floats, full: Floats, differing: Floats) -> tuple[float, float]:
    """The least and the largest gap where marks decided differently are decided anew on one side."""
    fall = np.maximum(np.minimum(differing, one), np.minimum(differing, full - two))
    rise = np.maximum(np.minimum(differing, full - one), np.minimum(differing, two))
    gap = one - two
    return float((gap - fall).sum() / full.sum()), float((gap + rise).sum() / full.sum())
