"""A sample of points that people marked, as an estimator needs it: plain arrays, no archive in sight."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from grader.stats.jackknife import Floats

Ints = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Sample:
    """All points of one score, and which of them people marked with what probability.

    ``graded``, ``marked``, ``probability`` and ``problem`` are parallel: an
    entry a point of an answer that code or judge decided. Marks are what the
    point puts into the score: of a plain point its points times the award.
    Where points act on each other (groups, deductions, vetoes, a mark that is
    full), ``marked`` is ``graded`` plus what the score changes by when the
    human award replaces the machine's and all others stay: exact but for two
    errors at once in one answer.
    """

    graded: Floats
    """Marks by the award of code or judge: w f."""
    marked: Floats
    """Marks by people's award, w y; nan where nobody marked."""
    probability: Floats
    """Of being drawn and marked, in (0, 1]; nan where none was stored."""
    problem: Ints
    """Index of the point's problem in ``full``."""
    full: Floats
    """[problems], full marks of all its answers: W_k."""
    rest: Floats
    """[problems], marks as graded minus the sum of ``graded``: what no point carries alone."""
    disagrees: npt.NDArray[np.bool_]
    """Whether the two awards differ; False where nobody marked."""
    worth: Floats | None = None
    """What each point is worth, w >= 0 in marks: by it errors are averaged. None: all alike."""

    @property
    def labelled(self) -> npt.NDArray[np.bool_]:
        """The points that count as marked."""
        return ~np.isnan(self.marked)
