"""Rubrics beside frames of points, for what must be scored anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
import numpy.typing as npt
import pandas as pd

from grader.problem.model import ScoringNode
from grader.score import Award

ANSWER = ["model", "protocol", "mode", "problem_id", "sub_id", "sample"]
"""What names an answer in a frame."""


class Rubric(Protocol):
    """The nodes of a subquestion and its mark, such as a planned subquestion."""

    @property
    def nodes(self) -> Sequence[ScoringNode]:
        """As they are scored."""

    @property
    def full_mark(self) -> float:
        """Of one answer."""


Rubrics = Mapping[tuple[str, str], Rubric]
"""By problem and subquestion."""


@dataclass(frozen=True, slots=True)
class Marked:
    """An answer as rows of a frame of points."""

    key: tuple[str, str]
    """Problem and subquestion."""
    rows: slice
    """In the order of the rubric."""
    ids: tuple[str, ...]
    awards: npt.NDArray[np.float64]
    """nan: undetermined."""
    shapes: tuple[str, ...]

    def standing(self) -> dict[str, Award]:
        """What stands for each node; a group without a mark of its own is worth what its members are."""
        return {
            name: Award(None if np.isnan(award) else float(award))
            for name, award, shape in zip(self.ids, self.awards, self.shapes, strict=True)
            if shape != "group" or not np.isnan(award)
        }


def by_answer(points: pd.DataFrame) -> pd.DataFrame:
    """The same rows, those of an answer together in the order of the rubric, numbered from 0."""
    numbers = points.groupby(ANSWER, sort=False, dropna=False).ngroup().to_numpy()
    order = np.lexsort((points["place"].to_numpy(), numbers))
    return points.iloc[order].assign(answer=numbers[order]).reset_index(drop=True)


def marked(points: pd.DataFrame) -> Iterator[Marked]:
    """The answers of a frame that ``by_answer`` made."""
    names = zip(points["problem_id"], points["sub_id"], strict=True)
    keys, ids = list(names), points["point_id"].tolist()
    awards, shapes = points["award"].to_numpy(float), points["shape"].tolist()
    starts = np.flatnonzero(np.diff(points["answer"].to_numpy(), prepend=-1))
    for start, end in pairwise([*starts.tolist(), len(points)]):
        rows = slice(start, end)
        yield Marked(keys[start], rows, tuple(ids[rows]), awards[rows], tuple(shapes[rows]))
