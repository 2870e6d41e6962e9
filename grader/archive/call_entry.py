"""Calls on their way into the archive and out of it, and what they came to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from datetime import datetime
from functools import reduce
from typing import Literal

from grader.model.reply import Attempt
from grader.model.request import ModelRequest

Purpose = Literal["judge", "locator", "probe", "audit"]


@dataclass(frozen=True, slots=True)
class CallEntry:
    """A try at a request, on its way into the archive."""

    request: ModelRequest
    attempt: Attempt
    run_id: int | None
    """The run it was paid for; None for a probe or an audit."""
    card: str | None
    """``<name>@<hash>``."""
    purpose: Purpose


@dataclass(frozen=True, slots=True)
class StoredCall:
    """A try with its place in the archive; a later one has a greater id."""

    id: int
    key: str
    """Of the request."""
    ordinal: int
    """0, 1, ... of the tries at the same request."""
    run_id: int | None
    card: str | None
    purpose: str
    attempt: Attempt


@dataclass(frozen=True, slots=True)
class Reservation:
    """The most a try can cost, set aside before it is sent."""

    run_id: int
    """The run whose limit it counts against."""
    key: str
    """Of the request."""
    started: datetime
    """As the try will say."""
    most: float
    """US dollars."""


@dataclass(frozen=True, slots=True)
class Committed:
    """What counts against the limit of a run, however often the command was started and how it ended."""

    cost: float
    """US dollars, of the calls whose cost is known."""
    reserved: float
    """US dollars set aside for tries that never came back, whose end is unknown, or whose cost is."""
    unpriced: Iterator[StoredCall]
    """Tries of unknown end or cost that nothing was set aside for, as no limit held; to be read once."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What calls took, over all attempts and however often the command was started."""

    calls: int = 0
    """Requests that were sent."""
    attempts: int = 0
    replies: int = 0
    """Attempts that were replied to."""
    failed: int = 0
    """Requests that no attempt brought a reply to."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0
    """Part of the completion."""
    cost: float = 0.0
    """US dollars, of the attempts whose price is known."""
    unknown_cost: int = 0
    """Replies whose price isn't."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "cost", round(self.cost, 12))  # sums of floats carry dust

    def __add__(self, other: Spent) -> Spent:
        return Spent(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(Spent)))


@dataclass(frozen=True, slots=True)
class CardSpent:
    """What the calls of a card for one purpose took."""

    card: str | None
    purpose: str
    spent: Spent


@dataclass(frozen=True, slots=True)
class Spending:
    """What a run's calls took, by card and purpose."""

    rows: tuple[CardSpent, ...] = ()

    @property
    def total(self) -> Spent:
        """Of all cards."""
        return _sum(row.spent for row in self.rows)

    def card(self, label: str) -> Spent:
        """Of one card."""
        return _sum(row.spent for row in self.rows if row.card == label)


def _sum(several: Iterable[Spent]) -> Spent:
    return reduce(Spent.__add__, several, Spent())
