"""A circuit breaker: an endpoint that keeps failing is left alone for a while, then given up."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from grader.model.limits import Sleep
from grader.model.reply import CallFailed

FIRST_PAUSE = 5.0
LONGEST_PAUSE = 300.0
MOST_PAUSES = 3

_log = logging.getLogger(__name__)


class Breaker:
    """Counts failures in a row at one endpoint, and makes attempts wait when there are too many."""

    def __init__(self, endpoint: str, most: int, sleep: Sleep) -> None:
        """``endpoint`` as messages name it; ``most`` failures in a row are borne."""
        self._endpoint = endpoint
        self._most = most
        self._sleep = sleep
        self._failures = 0
        self._last = ""
        self._pauses = 0
        self._given_up = ""
        self._trial = asyncio.Lock()

    @asynccontextmanager
    async def passage(self) -> AsyncIterator[None]:
        """Around one attempt: waits while asking pauses; raises CallFailed once the endpoint is given up.

        After a pause one attempt goes alone, and the others wait for how it ends.
        """
        if self._open:
            async with self._trial:
                if self._open and not self._given_up:
                    await self._pause()
                    yield
                    return
        if self._given_up:
            raise CallFailed("breaker", self._given_up)
        yield

    def succeeded(self) -> None:
        """The endpoint answered."""
        self._failures = self._pauses = 0

    def failed(self, error: str) -> None:
        """An attempt failed in a way that may pass."""
        self._failures += 1
        self._last = error

    def give_up(self, why: str) -> None:
        """Ask this endpoint nothing more."""
        if not self._given_up:
            self._given_up = f"{self._endpoint} is asked nothing more: {why}"
            _log.warning("%s", self._given_up)

    @property
    def _open(self) -> bool:
        return self._failures >= self._most

    async def _pause(self) -> None:
        if self._pauses == MOST_PAUSES:
            self.give_up(f"{self._failures} attempts in a row failed, last: {self._last}")
            raise CallFailed("breaker", self._given_up)
        seconds = min(FIRST_PAUSE * 2**self._pauses, LONGEST_PAUSE)
        self._pauses += 1
        _log.warning(
            "%s: %d attempts in a row failed, last: %s. Asking pauses for %g s.",
            self._endpoint,
            self._failures,
            self._last,
            seconds,
        )
        await self._sleep(seconds)
