"""The outcome of comparing two chemical objects."""

from __future__ import annotations

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
