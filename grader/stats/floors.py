"""What who knows nothing could earn: the same answer every time, to checks with few possible answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from grader.problem.checks import BooleanCheck, CheckModel, ChoiceCheck, IntegerCheck
from grader.problem.model import Point, walk
from grader.stats.by_cell import by_cell
from grader.stats.estimate import Difference, difference
from grader.stats.grid import Condition
from grader.stats.rubrics import Rubrics

MIN_CHECKS = 10
"""Of fewer checks of a kind, the best constant answer says more of chance than of the set."""
_POINT = ["problem_id", "sub_id", "point_id"]


@dataclass(frozen=True, slots=True)
class AboveFloor:
    """A cell's share of the marks of such checks, less the constant answer's."""

    cell: Condition
    difference: Difference

    @property
    def beats(self) -> bool:
        """Whether there is evidence that it knows more, however the open points will be decided."""
        return self.difference.widened is not None and self.difference.widened[0] > 0


@dataclass(frozen=True, slots=True)
class Floor:
    """The best constant answer to the checks of one kind."""

    kind: str
    answer: str
    """Which answer it is: ``true``, ``B``, ``2``."""
    share: float
    """Of the marks of these checks, each by itself: what they earn within groups is left aside."""
    checks: int
    enough: bool
    """Whether there are ``MIN_CHECKS``: else nothing is claimed, and no cell is compared."""
    cells: tuple[AboveFloor, ...]


def floors(points: pd.DataFrame, rubrics: Rubrics, *, level: float = 0.95) -> list[Floor]:
    """One for each kind of check with few possible answers: choice, boolean, integer.

    ``points``: the frame of points, whose cells are compared; ``rubrics`` holds what is expected.
    """
    return [_floor(kind, checks, points, level) for kind, checks in sorted(_checks(rubrics).items())]


@dataclass(frozen=True, slots=True)
class _Expected:
    place: tuple[str, str, str]
    points: float
    answer: str


def _checks(rubrics: Rubrics) -> dict[str, list[_Expected]]:
    found: dict[str, list[_Expected]] = defaultdict(list)
    for (problem_id, sub_id), rubric in rubrics.items():
        for node in walk(tuple(rubric.nodes)):
            if isinstance(node, Point) and node.check is not None and not node.draft:
                answer = _answer(node.check)
                if answer is not None:
                    place = (problem_id, sub_id, node.id)
                    found[node.check.kind].append(_Expected(place, node.points, answer))
    return found


def _answer(check: CheckModel) -> str | None:
    """The answer expected, in one spelling; None for other kinds."""
    match check:
        case BooleanCheck():
            return "true" if check.expected else "false"
        case IntegerCheck():
            return str(check.expected)
        case ChoiceCheck():
            return ",".join(sorted({one.strip().upper() for one in check.expected.split(",")}))
    return None


def _floor(kind: str, checks: Sequence[_Expected], points: pd.DataFrame, level: float) -> Floor:
    worth: dict[str, float] = defaultdict(float)
    for one in checks:
        worth[one.answer] += one.points
    answer = max(sorted(worth), key=worth.__getitem__)
    enough = len(checks) >= MIN_CHECKS
    cells = tuple(_cells(checks, answer, points, level)) if enough else ()
    return Floor(kind, answer, worth[answer] / sum(worth.values()), len(checks), enough, cells)


def _cells(
    checks: Sequence[_Expected], answer: str, points: pd.DataFrame, level: float
) -> Iterator[AboveFloor]:
    right = {one.place: float(one.answer == answer) for one in checks}
    places = pd.MultiIndex.from_frame(points[_POINT])
    asked = points[places.isin(list(right))]
    given = [right[place] for place in zip(*(asked[name] for name in _POINT), strict=True)]
    full, award = asked["points"], asked["award"]
    # each check stands as a question of its own
    base = asked.assign(sub_id=asked["sub_id"] + "/" + asked["point_id"], full_mark=full, answers=1)
    earned = award.fillna(0.0) * full
    own = base.assign(earned=earned, low=earned, high=award.fillna(1.0) * full)
    constant = np.asarray(given) * full
    other = base.assign(earned=constant, low=constant, high=constant)
    others = dict(by_cell(other))
    for cell, rows in by_cell(own):
        found = difference(rows, others[cell], level=level)
        if found is not None:
            yield AboveFloor(cell, found)
