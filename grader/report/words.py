"""Numbers and conditions in words, the same in every table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from grader.record.values import MODES, PROTOCOLS

NONE = "–"
SHORT = {"full_problem": "full", "sequential_carry": "carry", "oracle_scaffolded": "oracle"}
_ORDER: dict[str, int] = {name: place for names in (PROTOCOLS, MODES) for place, name in enumerate(names)}
_SAME = 5e-10
"""Shares closer than this are equal: sums of marks carry dust."""


def percent(share: float | None) -> str:
    """A share in per cent with one decimal, without the sign: ``53.8``."""
    return NONE if share is None else f"{100 * share:.1f}"


def points(difference: float | None) -> str:
    """A difference of shares in percentage points, signed: ``+11.1``, ``−15.4``, and ``0.0``."""
    if difference is None:
        return NONE
    text = f"{100 * difference:+.1f}".replace("-", "−")
    return text[1:] if text[1:] == "0.0" else text


def span(low: float | None, high: float | None, *, signed: bool = False) -> str:
    """Two ends: ``49.1 to 58.5``; a dash where they aren't known."""
    if low is None or high is None:
        return NONE
    shown = points if signed else percent
    return f"{shown(low)} to {shown(high)}"


def p_value(p: float | None) -> str:
    """Three decimals, and never 0."""
    if p is None:
        return NONE
    return "< 0.001" if p < 0.0005 else f"{p:.3f}"


def marks(value: float) -> str:
    """Marks without needless zeros."""
    return f"{round(value, 2) + 0.0:g}"


def whole(low: float, high: float) -> bool:
    """Whether two bounds are one value: nothing is open."""
    return abs(high - low) < _SAME


def short_id(problem_id: str, sub_id: str) -> str:
    """A subquestion within its problem: without the problem's id, where it begins with it."""
    rest = sub_id.removeprefix(problem_id).lstrip("-_. ")
    return rest if rest and rest != sub_id else sub_id


def in_order(names: Iterable[str]) -> list[str]:
    """Protocols or modes, in the order in which they are always shown."""
    return sorted(set(names), key=lambda name: _ORDER.get(name, len(_ORDER)))


@dataclass(frozen=True, slots=True)
class Conditions:
    """The protocols and modes of a report; what all cells share needs no column."""

    pairs: tuple[tuple[str, str], ...]
    """Protocol and mode of every condition, in order."""

    @classmethod
    def of(cls, frame: pd.DataFrame) -> Conditions:
        """Those of a frame's cells."""
        found = set(zip(frame["protocol"], frame["mode"], strict=True))
        known = len(_ORDER)
        return cls(tuple(sorted(found, key=lambda one: [_ORDER.get(name, known) for name in one])))

    @property
    def varying(self) -> tuple[str, ...]:
        """The columns that tell conditions apart."""
        names = zip(("protocol", "mode"), zip(*self.pairs, strict=True), strict=False)
        return tuple(name for name, values in names if len(set(values)) > 1)

    @property
    def shared(self) -> str:
        """What all conditions have in common, for a title; may be empty."""
        first = dict(zip(("protocol", "mode"), self.pairs[0], strict=True)) if self.pairs else {}
        return ", ".join(value for name, value in first.items() if name not in self.varying)

    def label(self, protocol: str, mode: str) -> str:
        """A condition by what tells it from the others: ``carry, text_only``."""
        parts = {"protocol": SHORT.get(protocol, protocol), "mode": mode}
        return ", ".join(parts[name] for name in self.varying or ("protocol", "mode"))

    def titled(self, title: str) -> str:
        """A title with what all conditions share."""
        return f"{title} ({self.shared})" if self.shared else title


def varying_cells(conditions: Sequence[str], protocol: str, mode: str) -> tuple[str, ...]:
    """The values of the columns that tell conditions apart."""
    values = {"protocol": SHORT.get(protocol, protocol), "mode": mode}
    return tuple(values[name] for name in conditions)
