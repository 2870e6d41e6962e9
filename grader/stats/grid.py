"""Marks of several conditions side by side: one row a condition, one column a subquestion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from grader.score import DIGITS
from grader.stats.jackknife import Floats

Ints = npt.NDArray[np.intp]
Condition = tuple[str, str, str]
"""Model, protocol, mode."""

CELL = ["model", "protocol", "mode"]


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
    also: Floats
    """[further columns, conditions, subquestions], the mean over the samples."""
    subquestions: pd.MultiIndex
    """Problem and id of each column."""

    @classmethod
    def of(cls, frames: Sequence[pd.DataFrame], also: Sequence[str] = ()) -> Grid:
        """A row for each frame of subquestions; ``also``: further columns of theirs to hold."""
        rows = np.repeat(np.arange(len(frames)), [len(frame) for frame in frames])
        return cls._of(pd.concat(frames), rows, len(frames), also)

    @classmethod
    def by_condition(
        cls, subquestions: pd.DataFrame, also: Sequence[str] = ()
    ) -> tuple[Grid, dict[Condition, int]]:
        """A row for each model, protocol and mode, and which row is whose."""
        rows, conditions = pd.MultiIndex.from_frame(subquestions[CELL]).factorize()
        names: dict[Condition, int] = {tuple(name): row for row, name in enumerate(conditions)}
        return cls._of(subquestions, rows, len(names), also), names

    @classmethod
    def _of(cls, frame: pd.DataFrame, rows: Ints, count: int, also: Sequence[str]) -> Grid:
        answered = frame["answers"].to_numpy(float) > 0
        frame, rows = frame[answered], rows[answered]
        counts = frame["answers"].to_numpy(float)
        full = np.round(frame["full_mark"].to_numpy(float) / counts, DIGITS)
        columns, subquestions = _columns(frame, full)
        size = len(subquestions)

        def added(values: Floats) -> Floats:
            sums = np.bincount(rows * size + columns, values, count * size)
            return sums.astype(float, copy=False).reshape(count, size)

        answers = added(counts)
        names = ["earned", "low", "high", *also]
        means = np.stack([added(frame[name].to_numpy(float)) for name in names]) / np.maximum(answers, 1)
        whole = np.zeros(size)
        whole[columns] = full
        starts = np.flatnonzero(np.diff(pd.factorize(subquestions.get_level_values(0))[0], prepend=-1))
        earned, low, high = means[:3]
        return cls(earned, low, high, answers, whole, starts, means[3:], subquestions)

    def only(self, rows: Sequence[int], columns: npt.NDArray[np.bool_]) -> Grid:
        """The same with these rows alone, and without the answers to other subquestions than ``columns``."""
        taken = {name: getattr(self, name)[rows] for name in ("earned", "low", "high")}
        answers = np.where(columns, self.answers[rows], 0.0)
        return replace(self, **taken, answers=answers, also=self.also[:, rows])

    def in_common(self, first: int, second: int) -> bool:
        """Whether both rows have answers to a subquestion with marks."""
        return bool(self.full[(self.answers[first] > 0) & (self.answers[second] > 0)].any())

    def by_problem(self, values: Floats) -> Floats:
        """Sums over the subquestions of each problem: [..., subquestions] -> [..., problems]."""
        if not len(self.starts):
            return values
        return np.add.reduceat(values, self.starts, axis=-1)


def _columns(frame: pd.DataFrame, full: Floats) -> tuple[Ints, pd.MultiIndex]:
    """The column of each row of a frame, and the problem and id of each column, in the order they appear."""
    problem, problems = pd.factorize(frame["problem_id"])
    sub, subs = pd.factorize(frame["sub_id"])
    mark, marks = pd.factorize(full)
    key, unique = pd.factorize((problem * max(len(subs), 1) + sub) * max(len(marks), 1) + mark)
    of_problem, of_sub = np.divmod(unique // max(len(marks), 1), max(len(subs), 1))
    order = np.argsort(of_problem, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    names = (problems.take(of_problem[order]), subs.take(of_sub[order]))
    return place[key], pd.MultiIndex.from_arrays(names, names=["problem_id", "sub_id"])


def models(conditions: dict[Condition, int]) -> list[str]:
    """The models of a grid, in its order."""
    return list(dict.fromkeys(model for model, _, _ in conditions))
