"""What comes out when an expression is compared with the expected one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Outcome(Enum):
    """How a statement compares with what is expected."""

    SAME = "same"
    DIFFERENT = "different"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Compared:
    """An outcome and what to say of it."""

    outcome: Outcome
    why: str


SAME = Compared(Outcome.SAME, "the two are equal")
DIFFERENT = Compared(Outcome.DIFFERENT, "the two differ")


def unsure(why: str) -> Compared:
    """An outcome that is left open."""
    return Compared(Outcome.UNSURE, why)
