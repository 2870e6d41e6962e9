"""How hard an endpoint may be asked: limits, and a pace that keeps to a rate."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

Sleep = Callable[[float], Awaitable[None]]
Clock = Callable[[], float]
"""Seconds, from any start, never backwards."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What an endpoint is spared. None of it can change a verdict."""

    timeout: float = 120.0
    """Seconds an attempt may take."""
    attempts: int = 5
    """How often a request is tried when the endpoint fails."""
    concurrency: int = 8
    """Requests in flight at once."""
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    breaker: int = 20
    """Attempts in a row that may fail before asking pauses."""


class Pace:
    """Lets work start at an even rate: no minute sees more than the rate and one start besides."""

    def __init__(self, per_minute: int | None, sleep: Sleep, clock: Clock) -> None:
        self._seconds = 60 / per_minute if per_minute else 0.0
        self._sleep = sleep
        self._clock = clock
        self._free = 0.0

    async def take(self, amount: float) -> None:
        """Wait for the turn of ``amount`` requests or tokens; turns come in the order of asking."""
        if not self._seconds:
            return
        start = max(self._clock(), self._free)
        self._free = start + amount * self._seconds
        if (wait := start - self._clock()) > 0:
            await self._sleep(wait)

    def give_back(self, amount: float) -> None:
        """Return what was taken and not needed; less than nothing takes more."""
        self._free -= amount * self._seconds
