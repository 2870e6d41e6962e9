"""What a model would gain without one of its faults, and which faults there is evidence of.

Each gain is a score under a counterfactual minus the score as it is, paired over the
same subquestions:

- *propagation*, never carrying an error on: oracle_scaffolded minus sequential_carry; and within
  sequential_carry, what follow-through gives back.
- *integration*, handling everything at once: sequential_carry minus full_problem.
- *images*, reading them perfectly: text_only minus multimodal, over subquestions that show images.
- *extraction*, never slipping on notation: see ``grader.stats.slips``.

A gain is evidence of its cause if its p, adjusted over all gains of the model (Holm), is
significant, and its interval stays above zero however the open points will be decided: points that
code can't read under one condition open its score, and are no evidence of another cause.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import pandas as pd

from grader.score import DIGITS
from grader.stats.by_cell import by_cell
from grader.stats.columns import CELL
from grader.stats.estimate import Difference, difference_of
from grader.stats.grid import Condition, Grid
from grader.stats.multiple import holm
from grader.stats.slips import SLIPS

Cause = Literal["propagation", "integration", "images", "extraction"]
CAUSES: tuple[Cause, ...] = get_args(Cause)
_SUB = ["problem_id", "sub_id"]

_Pairs = dict[str, tuple[pd.DataFrame, pd.DataFrame]]
"""By what is held fixed: the subquestions under the counterfactual, and as they are."""


@dataclass(frozen=True, slots=True)
class Gain:
    """What a model would gain, over one condition or the mean of several."""

    model: str
    cause: Cause
    measure: str
    """What is compared: ``oracle - carry``, ``follow-through``, ``carry - full``, ``text - images`` or
    ``unread``."""
    held: tuple[str, ...]
    """The modes (of ``text - images`` the protocols, of ``unread`` both) that it is the mean over."""
    difference: Difference
    p_adjusted: float | None = None
    """Holm's, over the gains of the model beside it."""

    @property
    def evidence(self) -> bool:
        """Whether there is evidence of the cause: a gain that holds whatever is still open."""
        one = self.difference
        significant = self.p_adjusted is not None and self.p_adjusted <= 1 - one.level + 1e-12
        return significant and one.widened is not None and one.widened[0] > 0


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The causes of one model."""

    model: str
    gains: tuple[Gain, ...]

    @property
    def evident(self) -> tuple[Cause, ...]:
        """Causes with evidence."""
        shown = {gain.cause for gain in self.gains if gain.evidence}
        return tuple(cause for cause in CAUSES if cause in shown)

    @property
    def without_evidence(self) -> tuple[Cause, ...]:
        """Causes that were looked for and not found: at this size they may still be there."""
        looked_for = {gain.cause for gain in self.gains} - set(self.evident)
        return tuple(cause for cause in CAUSES if cause in looked_for)

    @property
    def untested(self) -> tuple[Cause, ...]:
        """Causes that the conditions run can't show."""
        known = {gain.cause for gain in self.gains}
        return tuple(cause for cause in CAUSES if cause not in known)


def diagnose(
    subquestions: pd.DataFrame,
    items: pd.DataFrame,
    slips: pd.DataFrame | None = None,
    *,
    level: float = 0.95,
) -> list[Diagnosis]:
    """Of each model: every cause's gain as the mean over the conditions that show it, and the evidence.

    ``slips``: what ``grader.stats.slips`` found; without it extraction is untested.
    """
    found = _gains(subquestions, items, slips, level, pooled=True)
    return [Diagnosis(model, tuple(_adjusted(gains))) for model, gains in found]


def counterfactuals(
    subquestions: pd.DataFrame,
    items: pd.DataFrame,
    slips: pd.DataFrame | None = None,
    *,
    level: float = 0.95,
) -> list[Gain]:
    """The same gains condition by condition; p is adjusted over all of a model's."""
    found = _gains(subquestions, items, slips, level, pooled=False)
    return [gain for _, gains in found for gain in _adjusted(gains)]


def _adjusted(gains: Sequence[Gain]) -> list[Gain]:
    adjusted = holm([gain.difference.p for gain in gains])
    return [replace(gain, p_adjusted=p) for gain, p in zip(gains, adjusted, strict=True)]


def _gains(
    subquestions: pd.DataFrame,
    items: pd.DataFrame,
    slips: pd.DataFrame | None,
    level: float,
    *,
    pooled: bool,
) -> Iterator[tuple[str, list[Gain]]]:
    shown = subquestions.merge(items[[*_SUB, "visible_images"]], on=_SUB, how="left")
    slipped = None if slips is None else _slipped(subquestions, slips)
    for model, own in shown.groupby("model", sort=False):
        gains: list[Gain] = []
        for cause, measure, pairs in _measures(own, slipped):
            groups = [pairs] if pooled and pairs else [{held: pair} for held, pair in pairs.items()]
            for group in groups:
                found = _difference(group, level)
                if found is not None:
                    gains.append(Gain(str(model), cause, measure, tuple(group), found))
        yield str(model), gains


def _difference(pairs: _Pairs, level: float) -> Difference | None:
    """The mean over the pairs of the first minus the second."""
    grid = Grid.of([frame for pair in pairs.values() for frame in pair])
    rows = range(0, 2 * len(pairs), 2)
    return difference_of(grid, rows, [row + 1 for row in rows], level=level)


def _measures(own: pd.DataFrame, slipped: pd.DataFrame | None) -> Iterator[tuple[Cause, str, _Pairs]]:
    cells = dict(by_cell(own))
    pictured = {cell: rows[rows["visible_images"] > 0] for cell, rows in cells.items()}
    yield "propagation", "oracle - carry", _between(cells, 1, "oracle_scaffolded", "sequential_carry")
    yield "propagation", "follow-through", _followed(cells)
    yield "integration", "carry - full", _between(cells, 1, "sequential_carry", "full_problem")
    yield "images", "text - images", _between(pictured, 2, "text_only", "multimodal")
    if slipped is not None:
        yield "extraction", "unread", _read(slipped[slipped["model"] == own["model"].iloc[0]])


def _between(cells: dict[Condition, pd.DataFrame], axis: int, first: str, second: str) -> _Pairs:
    """Pairs of cells that differ in the protocol (axis 1) or the mode (axis 2)."""
    pairs: _Pairs = {}
    for cell, rows in cells.items():
        other = (cell[0], second, cell[2]) if axis == 1 else (cell[0], cell[1], second)
        held = cell[3 - axis]
        if cell[axis] == first and held != "unstated" and other in cells and len(rows):
            pairs[held] = (rows, cells[other])
    return pairs


def _followed(cells: dict[Condition, pd.DataFrame]) -> _Pairs:
    """Scores under carry with follow-through beside strict ones."""
    pairs: _Pairs = {}
    for (_, protocol, mode), rows in cells.items():
        if protocol == "sequential_carry":
            followed = rows["earned_follow"]
            pairs[mode] = _raised(rows, followed, followed, followed + rows["high"] - rows["earned"])
    return pairs


def _read(slipped: pd.DataFrame) -> _Pairs:
    """Scores with what would have been read beside what code alone credits."""
    pairs: _Pairs = {}
    for (_, protocol, mode), rows in by_cell(slipped):
        alone = rows.assign(earned=(rows["earned"] - rows["recovered"]).round(DIGITS))
        most = rows["earned"] + rows["unread"] + rows["contested"]
        pairs[f"{protocol} {mode}"] = _raised(alone, rows["earned"] + rows["imputed"], rows["earned"], most)
    return pairs


def _raised(
    rows: pd.DataFrame, value: pd.Series[float], low: pd.Series[float], high: pd.Series[float]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The counterfactual between its bounds, and the answers as they are: open points are open in both."""
    full = rows["full_mark"]
    first = rows.assign(
        **{name: end.clip(upper=full) for name, end in (("earned", value), ("low", low), ("high", high))}
    )
    return first, rows.assign(low=rows["earned"], high=rows["earned"])


def _slipped(subquestions: pd.DataFrame, slips: pd.DataFrame) -> pd.DataFrame:
    rows = subquestions.merge(slips, on=[*CELL, *_SUB], how="left")
    return rows.fillna(dict.fromkeys(SLIPS, 0.0))
