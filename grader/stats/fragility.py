"""How few doubtful verdicts carry a difference: those whose reversal would overturn it.

Doubtful are a judge's verdicts and undetermined points. A reversal takes one to the end that is
against the difference: on the side ahead the worst for the answer, on the other the best. The
answer is scored anew each time, so groups, deductions and ceilings count. A difference is
overturned once nothing of it is left.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from grader.score import DIGITS, Award, earned_marks
from grader.stats.by_cell import by_cell
from grader.stats.columns import CELL
from grader.stats.grid import Condition as Cell
from grader.stats.rubrics import Rubric, Rubrics, by_answer, marked

_QUESTION = ["problem_id", "sub_id"]
_NOTHING = 1e-12


@dataclass(frozen=True, slots=True)
class Reversal:
    """A doubtful verdict, turned against the difference."""

    model: str
    protocol: str
    mode: str
    problem_id: str
    sub_id: str
    point_id: str
    sample: int
    run: str
    response: str
    """Digest of the response: where the verdict is to be looked at."""
    by: str | None
    confidence: float | None
    """None where the point is undetermined, or nobody said how sure they are: taken as the least sure."""
    award: float | None
    to: float
    effect: float
    """Marks by which the answer's score changes, the reversals before it being made."""
    left: float
    """The difference that is left then, as a share."""

    def as_json(self) -> dict[str, Any]:
        """A line of the list that review takes."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Fragility:
    """What a difference between two cells hangs on."""

    first: Cell
    second: Cell
    difference: float
    """The share of the first minus that of the second, over the subquestions that both answered."""
    doubts: int
    """Doubtful verdicts that are not against the difference already."""
    least_sure: tuple[Reversal, ...]
    """The reversals that overturn it, the least confident first (ties in the order of the set), without those
    that change nothing. Empty where even all of them don't overturn it, or there is no difference."""
    fewest: int | None
    """How many suffice if the largest effects are taken first. No fewer do where effects add up, as
    those of points outside of groups do. None where all of them don't suffice."""
    left: float
    """The difference with every doubt turned against it."""


class Doubts:
    """The answers of some cells and their doubtful verdicts, for as many comparisons as are wanted."""

    def __init__(self, answers: pd.DataFrame, points: pd.DataFrame, rubrics: Rubrics) -> None:
        self._rubrics = rubrics
        self._questions = {cell: _by_question(rows) for cell, rows in by_cell(answers)}
        self._points = dict(by_cell(points))
        self._read: dict[Cell, list[_Answer]] = {}
        self._scored: dict[tuple[Any, ...], _Scored] = {}

    def fragility(self, first: Cell, second: Cell) -> Fragility | None:
        """What the difference of two cells hangs on; None where both answered no subquestion with marks."""
        both = self._questions[first].merge(
            self._questions[second], left_index=True, right_index=True, suffixes=("", "_2")
        )
        both = both[(both["mark"] == both["mark_2"]) & (both["mark"] > 0)]
        if both.empty:
            return None
        marks = float(both["mark"].sum())
        difference = float((both["earned"] - both["earned_2"]).sum()) / marks
        ahead = 1 if difference > 0 else -1
        first_weights, second_weights = (
            {(str(key[0]), str(key[1])): 1 / count / marks for key, count in both[name].items()}  # type: ignore[index]
            for name in ("answers", "answers_2")
        )
        doubts = [
            *self._doubts(first, first_weights, 1, ahead),
            *self._doubts(second, second_weights, -1, ahead),
        ]
        if abs(difference) < _NOTHING:
            return Fragility(first, second, 0.0, len(doubts), (), None, 0.0)
        return _fragility((first, second), difference, doubts)

    def ranking(self, cells: Sequence[Cell]) -> list[Fragility]:
        """Of each cell and the next one in a ranking."""
        found = [self.fragility(first, second) for first, second in pairwise(cells)]
        return [one for one in found if one is not None]

    def _doubts(
        self, cell: Cell, weights: Mapping[tuple[str, str], float], side: int, ahead: int
    ) -> Iterator[_Doubt]:
        """``side``: 1 for the first cell, -1 for the second; ``ahead``: which of them is."""
        for answer in self._answers(cell):
            if answer.key in weights:
                yield from answer.doubts(side == ahead, side * weights[answer.key])

    def _answers(self, cell: Cell) -> list[_Answer]:
        """The answers of a cell with a doubtful verdict."""
        if cell not in self._read:
            rows = by_answer(self._points[cell]) if cell in self._points else pd.DataFrame()
            self._read[cell] = list(self._doubtful(rows)) if len(rows) else []
        return self._read[cell]

    def _doubtful(self, rows: pd.DataFrame) -> Iterator[_Answer]:
        is_open = rows["award"].isna() & (rows["shape"] != "group")
        doubtful = np.flatnonzero(is_open | ((rows["track"] == "judge") & rows["award"].notna())).tolist()
        columns = [*_SHOWN, "shape", "award", "confidence"]
        values = zip(*(rows[name].iloc[doubtful].tolist() for name in columns), strict=True)
        shown = [dict(zip(columns, row, strict=True)) for row in values]
        for answer in marked(rows):
            start, end = bisect_left(doubtful, answer.rows.start), bisect_left(doubtful, answer.rows.stop)
            if start < end:
                scored = self._scored.setdefault((answer.key, answer.ids, answer.awards.tobytes()), {})
                yield _Answer(
                    self._rubrics[answer.key], answer.key, answer.standing(), shown[start:end], scored
                )


def _by_question(answers: pd.DataFrame) -> pd.DataFrame:
    """The mean over the samples of marks earned, the mark, and how many samples there are."""
    grouped = answers.groupby(_QUESTION, sort=False)
    means = grouped[["earned", "full_mark"]].mean().rename(columns={"full_mark": "mark"}).round(DIGITS)
    return means.assign(answers=grouped.size())


_Scored = dict[tuple[tuple[str, float | None], ...], float]
"""Marks by what is changed."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """An answer with doubtful verdicts."""

    rubric: Rubric
    key: tuple[str, str]
    standing: Mapping[str, Award]
    rows: Sequence[Mapping[str, Any]]
    """Its doubtful verdicts."""
    scored: _Scored
    """One for all answers alike, as most are."""

    def doubts(self, is_ahead: bool, weight: float) -> Iterator[_Doubt]:
        """Those that aren't against the difference already."""
        for row in self.rows:
            penalty = row["shape"] in ("deduction", "veto")
            to = 1.0 if penalty == is_ahead else 0.0
            award = None if np.isnan(row["award"]) else float(row["award"])
            # an open point adds nothing, an open deduction takes nothing: that can't be reversed to
            if to != (0.0 if award is None else award):
                yield _Doubt(self, row, award, to, weight)

    def marks(self, changed: Mapping[str, Award]) -> float:
        """What it earns with these awards in place of what stands."""
        key = tuple(sorted((name, one.award) for name, one in changed.items()))
        if key not in self.scored:
            awards = {**self.standing, **changed}
            self.scored[key] = earned_marks(self.rubric.nodes, self.rubric.full_mark, awards)
        return self.scored[key]


@dataclass(frozen=True, slots=True)
class _Doubt:
    answer: _Answer
    row: Mapping[str, Any]
    award: float | None
    to: float
    weight: float
    """What one mark of the answer moves the difference by."""

    @property
    def sureness(self) -> float:
        confidence = self.row["confidence"]
        return -1.0 if self.award is None or np.isnan(confidence) else float(confidence)


_SHOWN = [*CELL, *_QUESTION, "point_id", "sample", "run", "response", "by"]


class _Turned:
    """Reversals made so far."""

    def __init__(self, difference: float) -> None:
        self._ahead = 1 if difference > 0 else -1
        self.left = difference
        self._changed: dict[int, dict[str, Award]] = {}
        self._marks: dict[int, float] = {}

    @property
    def overturned(self) -> bool:
        """Whether nothing of the difference is left."""
        return self.left * self._ahead <= _NOTHING

    def effect(self, doubt: _Doubt) -> float:
        """What reversing it now changes the answer's marks by."""
        name, answer = id(doubt.answer), doubt.answer
        if name not in self._marks:
            self._marks[name], self._changed[name] = answer.marks({}), {}
        changed = {**self._changed[name], doubt.row["point_id"]: Award(doubt.to)}
        return answer.marks(changed) - self._marks[name]

    def dropped(self, doubt: _Doubt) -> bool:
        """Take a reversal back if the answer earns the same without it; one may make way for another."""
        changed = self._changed[id(doubt.answer)]
        without = {name: award for name, award in changed.items() if name != doubt.row["point_id"]}
        same = round(doubt.answer.marks(without) - self._marks[id(doubt.answer)], DIGITS) == 0
        if same:
            self._changed[id(doubt.answer)] = without
        return same

    def turn(self, doubt: _Doubt) -> float:
        """Reverse it; by how many marks its answer changes."""
        effect = self.effect(doubt)
        name = id(doubt.answer)
        self._changed[name][doubt.row["point_id"]] = Award(doubt.to)
        self._marks[name] += effect
        self.left += effect * doubt.weight
        return effect

    def reverse(self, doubt: _Doubt) -> Reversal:
        """Reverse it, and say what that was."""
        effect = self.turn(doubt)
        row = {column: doubt.row[column] for column in _SHOWN}
        sure = None if doubt.sureness < 0 else doubt.sureness
        by = row.pop("by")
        return Reversal(
            **row,
            by=by if isinstance(by, str) else None,
            confidence=sure,
            award=doubt.award,
            to=doubt.to,
            effect=round(effect, DIGITS),
            left=round(self.left, DIGITS),
        )


def _fragility(cells: tuple[Cell, Cell], difference: float, doubts: Sequence[_Doubt]) -> Fragility:
    everything = _Turned(difference)
    for doubt in doubts:
        everything.turn(doubt)
    least_sure = _least_sure(difference, doubts) if everything.overturned else ()
    fewest = _largest_first(difference, doubts, len(least_sure)) if everything.overturned else None
    return Fragility(
        *cells, round(difference, DIGITS), len(doubts), least_sure, fewest, round(everything.left, DIGITS)
    )


def _least_sure(difference: float, doubts: Sequence[_Doubt]) -> tuple[Reversal, ...]:
    turned, made = _Turned(difference), []
    for doubt in sorted(doubts, key=lambda one: one.sureness):
        made.append((doubt, turned.reverse(doubt)))
        if turned.overturned:
            break
    return tuple(reversal for doubt, reversal in made if reversal.effect or not turned.dropped(doubt))


def _largest_first(difference: float, doubts: Sequence[_Doubt], most: int) -> int:
    """How many reversals overturn it, each time the one that moves it most; at most ``most``."""
    turned = _Turned(difference)
    by_answer: dict[int, set[int]] = {}
    for place, doubt in enumerate(doubts):
        by_answer.setdefault(id(doubt.answer), set()).add(place)

    def entry(place: int) -> tuple[float, int]:
        return -abs(turned.effect(doubts[place]) * doubts[place].weight), place

    waiting = [entry(place) for place in range(len(doubts))]
    heapq.heapify(waiting)
    count = 0
    while waiting and not turned.overturned and count < most:
        size, place = heapq.heappop(waiting)
        others = by_answer[id(doubts[place].answer)]
        if place not in others or size < entry(place)[0]:
            continue  # reversed before, or its effect has changed since: a newer entry waits
        if size == 0:
            return most
        turned.turn(doubts[place])
        others.discard(place)
        count += 1
        for other in others:
            heapq.heappush(waiting, entry(other))
    return count if turned.overturned else most
