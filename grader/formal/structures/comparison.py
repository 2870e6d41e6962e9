"""The outcome of comparing two chemical objects."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Relation(StrEnum):
    """How two objects relate."""

    SAME = "same"
    DIFFERENT = "different"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The outcome and, as the end of a sentence, why."""

    relation: Relation
    why: str


def best(outcomes: Iterable[Comparison]) -> Comparison:
    """The outcome that says most for sameness, of at least one."""
    return min(outcomes, key=lambda outcome: _PREFERENCE[outcome.relation])


_PREFERENCE = {Relation.SAME: 0, Relation.UNSURE: 1, Relation.DIFFERENT: 2}
