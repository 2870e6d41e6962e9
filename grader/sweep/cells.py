"""The cells of a sweep: a solver under a condition."""

from __future__ import annotations

from typing import NamedTuple

from grader.grade.gaps import Score
from grader.protocol.plan import Condition
from grader.protocol.state import Cell, Progress


class CellRow(NamedTuple):
    """A solver under a condition."""

    model: str
    condition: Condition
    cell: Cell
    score: Score | None
    """None where it isn't graded."""

    @property
    def progress(self) -> Progress:
        """How far it is."""
        return self.cell.progress(self.score["coverage"] if self.score else None)
