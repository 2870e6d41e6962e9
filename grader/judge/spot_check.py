"""The random sample that people check whatever anybody thinks of it.

Poisson sampling by hash: an item is drawn if a number that depends on nothing
but the seed and its name falls below the rate of its stratum. So each item is
drawn with exactly the probability that is stored, independently of all
others, and stays drawn (or not) when a run grows or is resumed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from grader.judge.card import SpotCheck
from grader.judge.routing import Doubt, is_routed
from grader.record import Finding, Verdict, digest

_NUMBERS = 2**64
_HEX_DIGITS = 16


class Stratum(StrEnum):
    """Who decided, and whether it is doubted: each is sampled at a rate of its own."""

    CONFIDENT = "confident"
    """A judge, and nothing speaks against it."""
    DOUBTFUL = "doubtful"
    """A judge, and it is routed to people."""
    FORMAL = "formal"
    """Code."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """An item was drawn for people to check."""

    stratum: Stratum
    probability: float
    """With which it was: an estimate over the sample weighs the item by its inverse."""


def stratum_of(decided: Finding | Verdict | None, doubts: Iterable[Doubt]) -> Stratum | None:
    """Where a decision belongs; None for what is undetermined and for what people decided."""
    if decided is None or decided.award is None or decided.by.startswith("human:"):
        return None
    if isinstance(decided, Finding):
        return Stratum.FORMAL
    return Stratum.DOUBTFUL if is_routed(doubts) else Stratum.CONFIDENT


def draw(item: str, stratum: str, rates: SpotCheck) -> Drawn | None:
    """Whether ``item``, which names one decision in a run for good, is in the sample.

    The stratum has no part in the number: an item drawn at one rate is drawn
    at any higher one.
    """
    named = Stratum(stratum)
    probability: float = getattr(rates, named.value)
    number = int(digest([rates.seed, item])[:_HEX_DIGITS], 16)
    # Compared as integers: as a float the highest number would be 1 and escape even a rate of 1.
    return Drawn(named, probability) if number < probability * _NUMBERS else None
