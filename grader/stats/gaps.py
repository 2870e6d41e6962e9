"""Gaps: what a model's score changes by when one thing about the condition changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import pandas as pd

from grader.record.values import MODES, PROTOCOLS
from grader.stats.estimate import Difference, Estimate, difference_of, share_of
from grader.stats.grid import Condition, Grid, models
from grader.stats.multiple import holm

Axis = Literal["protocol", "mode"]
"""What changes."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A gap by definition: the first condition minus the second."""

    name: str
    axis: Axis
    first: str
    second: str
    differ: str
    """What the first has that the second hasn't."""

    def called(self, paper: bool = False) -> str:
        """Its name; with ``paper`` as section 3.3 of the ChemArgus paper has it: two names change places."""
        return _PAPER.get(self.name, self.name) if paper else self.name


KINDS: tuple[Kind, ...] = (
    Kind(
        "integration",
        "protocol",
        "sequential_carry",
        "full_problem",
        "one subquestion a turn instead of the whole problem at once",
    ),
    Kind(
        "propagation",
        "protocol",
        "oracle_scaffolded",
        "sequential_carry",
        "the standard result of the subquestion before instead of the model's own answers",
    ),
    Kind(
        "both",
        "protocol",
        "oracle_scaffolded",
        "full_problem",
        "one subquestion a turn, and the standard result of the one before",
    ),
    Kind(
        "modality",
        "mode",
        "text_only",
        "multimodal",
        "the author's descriptions instead of the images",
    ),
    Kind(
        "reader",
        "mode",
        "text_reader",
        "text_only",
        "a reader model's descriptions of the images instead of the author's",
    ),
)
_PAPER = {"integration": "propagation", "propagation": "integration"}
_STATED: Mapping[Axis, list[str]] = {
    "protocol": [one for one in PROTOCOLS if one != "unstated"],
    "mode": [one for one in MODES if one != "unstated"],
}
"""Unstated conditions enter no gap: nobody knows what they differ in."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A gap of one model, or the mean gap of several, with what is held fixed."""

    kind: Kind
    held: str
    """The mode that both conditions have where the protocol changes; else the protocol."""
    models: tuple[str, ...]
    """Whose: one, or those that the mean is over."""
    difference: Difference
    p_adjusted: float | None = None
    """Holm's, over this kind's gaps of all models and all that is held fixed; None for a mean."""

    @property
    def conditions(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """Protocol and mode of the first, and of the second."""
        first, second = self.kind.first, self.kind.second
        if self.kind.axis == "protocol":
            return (first, self.held), (second, self.held)
        return (self.held, first), (self.held, second)


@dataclass(frozen=True, slots=True)
class Ladder:
    """Shares under conditions that differ in one thing, and the gaps between them: a contrast table's row."""

    axis: Axis
    held: str
    models: tuple[str, ...]
    shares: Mapping[str, Estimate]
    """By protocol or mode, each over all that was answered there."""
    gaps: Mapping[str, Gap]
    """By name."""


def ladders(
    subquestions: pd.DataFrame, axis: Axis, *, macro: bool = False, level: float = 0.95
) -> list[Ladder]:
    """One for each model and what is held fixed, where two conditions or more are known."""
    maker = _Maker(subquestions, axis, macro, level)
    found = [one for model in maker.models for one in maker.ladders((model,))]
    return _adjusted(found)


def mean_ladders(
    subquestions: pd.DataFrame, axis: Axis, *, macro: bool = False, level: float = 0.95
) -> list[Ladder]:
    """The means over models: of a share over those that have the condition, of a gap over those with both.

    The problems are the clusters of all models together, so an interval is for
    these models on problems like these, not for other models.
    """
    maker = _Maker(subquestions, axis, macro, level)
    return list(maker.ladders(tuple(maker.models)))


class _Maker:
    """Ladders of one frame along one axis."""

    def __init__(self, subquestions: pd.DataFrame, axis: Axis, macro: bool, level: float) -> None:
        self._grid, self._rows = Grid.by_condition(subquestions)
        self._axis: Axis = axis
        self._macro = macro
        self._level = level
        self.models = models(self._rows)

    def ladders(self, whose: tuple[str, ...]) -> Iterator[Ladder]:
        for held in _STATED["mode" if self._axis == "protocol" else "protocol"]:
            shares = dict(self._shares(whose, held))
            if len(shares) > 1:
                yield Ladder(self._axis, held, whose, shares, dict(self._gaps(whose, held)))

    def _shares(self, whose: Iterable[str], held: str) -> Iterator[tuple[str, Estimate]]:
        for value in _STATED[self._axis]:
            rows = [
                self._rows[name] for model in whose if (name := self._name(model, value, held)) in self._rows
            ]
            found = share_of(self._grid, rows, macro=self._macro, level=self._level)
            if found is not None:
                yield value, found

    def _gaps(self, whose: tuple[str, ...], held: str) -> Iterator[tuple[str, Gap]]:
        for kind in KINDS:
            if kind.axis != self._axis:
                continue
            pairs = dict(self._pairs(kind, whose, held))
            firsts, seconds = zip(*pairs.values(), strict=True) if pairs else ((), ())
            found = difference_of(self._grid, firsts, seconds, macro=self._macro, level=self._level)
            if found is not None:
                yield kind.name, Gap(kind, held, tuple(pairs), found)

    def _pairs(self, kind: Kind, whose: Iterable[str], held: str) -> Iterator[tuple[str, tuple[int, int]]]:
        """The rows of both conditions of each model that has them."""
        for model in whose:
            first, second = (
                self._rows.get(self._name(model, value, held)) for value in (kind.first, kind.second)
            )
            if first is not None and second is not None and self._grid.in_common(first, second):
                yield model, (first, second)

    def _name(self, model: str, value: str, held: str) -> Condition:
        return (model, value, held) if self._axis == "protocol" else (model, held, value)


def _adjusted(found: list[Ladder]) -> list[Ladder]:
    """The same with p adjusted over the gaps of each kind."""
    p_values: dict[str, list[float | None]] = {}
    for ladder in found:
        for name, gap in ladder.gaps.items():
            p_values.setdefault(name, []).append(gap.difference.p)
    adjusted = {name: iter(holm(family)) for name, family in p_values.items()}
    return [
        replace(
            ladder,
            gaps={name: replace(gap, p_adjusted=next(adjusted[name])) for name, gap in ladder.gaps.items()},
        )
        for ladder in found
    ]
