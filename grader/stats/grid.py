"""Marks of several conditions side by side: one row a condition, one column a subquestion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from grader.score import DIGITS
from grader.stats.jackknife import Floats

Ints = npt.NDArray[np.intp]
Condition = tuple[str, str, str]
"""Model, protocol, mode."""

CELL = ["model", "protocol", "mode"]
MARKS = ["earned", "low", "high", "full_mark"]


@dataclass(frozen=True, slots=True)
class Grid:
    """Marks an answer, by condition and subquestion; those of one problem stand together.

    A subquestion is known by its problem, its id and its full mark: with another
    mark it is another question, and isn't compared.
    """

    earned: Floats
    """[conditions, subquestions], the mean over the samples; 0 where there is no answer."""
    low: Floats
    high: Floats
    answers: Floats
    """[conditions, subquestions], how many samples."""
    full: Floats
    """[subquestions], full marks of one answer."""
    starts: Ints
    """[problems], the first column of each."""

    @classmethod
    def of(cls, frames: Sequence[pd.DataFrame]) -> Grid:
        """A row for each frame of subquestions."""
        lengths = [len(frame) for frame in frames]
        return cls._of(pd.concat(frames), np.repeat(np.arange(len(frames)), lengths), len(frames))

    @classmethod
    def by_condition(cls, subquestions: pd.DataFrame) -> tuple[Grid, dict[Condition, int]]:
        """A row for each model, protocol and mode, and which row is whose."""
        rows, conditions = pd.MultiIndex.from_frame(subquestions[CELL]).factorize()
        names: dict[Condition, int] = {tuple(name): row for row, name in enumerate(conditions)}
        return cls._of(subquestions, rows, len(names)), names

    @classmethod
    def _of(cls, frame: pd.DataFrame, rows: Ints, count: int) -> Grid:
        answered = frame["answers"].to_numpy(float) > 0
        frame, rows = frame[answered], rows[answered]
        marks, counts = frame[MARKS].to_numpy(float), frame["answers"].to_numpy(float)
        full = np.round(marks[:, 3] / counts, DIGITS)
        columns, problems = _columns(frame, full)
        sums = np.zeros((5, count, len(problems)))
        for place, values in enumerate((*marks.T, counts)):
            np.add.at(sums[place], (rows, columns), values)
        earned, low, high = sums[:3] / np.maximum(sums[4], 1)
        whole = np.zeros(len(problems))
        whole[columns] = full
        starts = np.flatnonzero(np.diff(problems, prepend=-1))
        return cls(earned, low, high, sums[4], whole, starts)

    def in_common(self, first: int, second: int) -> bool:
        """Whether both rows have answers to a subquestion with marks."""
        return bool(self.full[(self.answers[first] > 0) & (self.answers[second] > 0)].any())

    def by_problem(self, values: Floats) -> Floats:
        """Sums over the subquestions of each problem: [..., subquestions] -> [..., problems]."""
        if not len(self.starts):
            return values
        return np.add.reduceat(values, self.starts, axis=-1)


def _columns(frame: pd.DataFrame, full: Floats) -> tuple[Ints, Ints]:
    """The column of each row of a frame, and the problem of each column, in the order they appear."""
    problem = pd.factorize(frame["problem_id"])[0]
    keys = pd.MultiIndex.from_arrays([problem, frame["sub_id"], full])
    key, unique = keys.factorize()
    of_key = np.fromiter((name[0] for name in unique), np.intp, len(unique))
    order = np.argsort(of_key, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return place[key], of_key[order]


def models(conditions: dict[Condition, int]) -> list[str]:
    """The models of a grid, in its order."""
    return list(dict.fromkeys(model for model, _, _ in conditions))
