"""The times for which an endpoint asks to be left alone."""

from __future__ import annotations

from grader.model.limits import Clock, Sleep

PATIENCE = 900.0
"""Seconds of announced waiting that are borne without one reply in between."""
SHORTEST = 1.0
"""Seconds; or an endpoint that asks for next to nothing is asked for ever."""


class Recess:
    """Nobody asks before the time that the endpoint named, and nobody waits for ever."""

    def __init__(self, sleep: Sleep, clock: Clock) -> None:
        self._sleep = sleep
        self._clock = clock
        self._until = 0.0
        self._left = PATIENCE

    async def over(self) -> None:
        """Wait until the endpoint may be asked; at once, as a rule."""
        while (wait := self._until - self._clock()) > 0:
            await self._sleep(wait)

    def announce(self, seconds: float) -> bool:
        """The endpoint asks to be left alone from now on; False where patience has come to its end."""
        if self._left < SHORTEST:
            return False
        now = self._clock()
        begun = max(now, self._until)
        end = max(begun, now + max(seconds, SHORTEST))
        self._until = min(end, begun + self._left)
        self._left -= self._until - begun
        return True

    def replied(self) -> None:
        """It was worth waiting."""
        self._left = PATIENCE
