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
are no positive marks, nor two points that change places. With frames of points and
their rubrics x is found point by point, which sees both; a deduction or veto
counts by the most that it can take.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from grader.problem.model import Deduction, Group, Point, Veto, walk
from grader.score import DIGITS, largest_loss, scope_worth
from grader.stats.estimate import Difference, difference_of
from grader.stats.grid import Grid
from grader.stats.jackknife import Floats
from grader.stats.rubrics import Rubrics

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


def extraction(
    first: pd.DataFrame,
    second: pd.DataFrame,
    first_points: pd.DataFrame | None = None,
    second_points: pd.DataFrame | None = None,
    rubrics: Rubrics | None = None,
    *,
    level: float = 0.95,
) -> Extraction | None:
    """How much of the gap between two conditions may come from who decided.

    ``first``, ``second``: subquestions of one condition each; point by point, if their frames of
    points and the rubrics are given. None where they hold no subquestion in common.
    """
    grid = Grid.of([first, second], DECIDED)
    moved: Floats | None = None
    if first_points is not None and second_points is not None and rubrics is not None:
        found = _moved(first_points, second_points, rubrics).reindex(grid.subquestions, fill_value=0.0)
        moved = np.asarray(found, float)
    return extraction_of(grid, 0, 1, moved, level=level)


def extraction_of(
    grid: Grid, first: int, second: int, moved: Floats | None = None, *, level: float = 0.95
) -> Extraction | None:
    """The same of two rows of a grid that also holds ``DECIDED``.

    ``moved``: marks of each of its subquestions whose points different tracks decided.
    """
    gap = difference_of(grid, [first], [second], level=level)
    if gap is None:
        return None
    both = (grid.answers[first] > 0) & (grid.answers[second] > 0) & (grid.full > 0)
    full, rows = grid.full[both], [first, second]
    tracks = grid.also[:, rows][..., both]
    undecided = np.round(full - tracks.sum(axis=0), DIGITS)
    one, two = np.concatenate([tracks, undecided[None]]).swapaxes(0, 1)
    differing = np.abs(one - two).sum(axis=0) / 2
    if moved is not None:
        differing = np.maximum(differing, moved[both])
    differing = np.minimum(np.round(differing, DIGITS), full)
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


def _moved(first: pd.DataFrame, second: pd.DataFrame, rubrics: Rubrics) -> pd.Series[float]:
    """Marks of each subquestion whose points different tracks decided."""
    one, two = _by_point(first), _by_point(second)
    points = one.index.union(two.index)
    alike = np.minimum(one.reindex(points, fill_value=0.0), two.reindex(points, fill_value=0.0)).sum(axis=1)
    differing = (1 - alike).round(DIGITS)
    moved: pd.Series[float] = differing * pd.Series(dict(_worth(rubrics))).reindex(points)
    return moved.groupby(["problem_id", "sub_id"]).sum()


_POINT = ["problem_id", "sub_id", "point_id"]


def _by_point(points: pd.DataFrame) -> pd.DataFrame:
    """The share of the samples in which each track decided a point, or a group that was marked itself."""
    tracks = points["track"].where(points["status"] != "undetermined").fillna("open")
    stands = (points["shape"] != "group") | (tracks != "open")
    own, tracks = points[stands], tracks[stands]
    counts = pd.crosstab([own[name] for name in _POINT], tracks, normalize="index")
    return counts.reindex(columns=list(TRACKS), fill_value=0.0)


def _worth(rubrics: Rubrics) -> Iterator[tuple[tuple[str, str, str], float]]:
    """The most marks that hang on each node, by problem, subquestion and point."""
    for (problem_id, sub_id), rubric in rubrics.items():
        for node in walk(tuple(rubric.nodes)):
            if isinstance(node, Point | Group):
                yield (problem_id, sub_id, node.id), node.points
            elif isinstance(node, Deduction | Veto):
                scope = scope_worth(node, rubric.nodes, rubric.full_mark)
                most = largest_loss(node, scope) if isinstance(node, Deduction) else scope
                yield (problem_id, sub_id, node.id), most
