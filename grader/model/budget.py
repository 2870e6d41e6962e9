"""Money: the most a request can cost is set aside before it is sent, so the limit holds."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from grader.errors import UsageError
from grader.model.reply import NotAsked
from grader.model.request import ModelRequest


@dataclass(slots=True)
class Hold:
    """What one attempt costs: all that was set aside for it, until it turns out to be less."""

    cost: float


class Budget:
    """US dollars that may be spent, and those that are."""

    def __init__(self, limit: float, spent: float = 0.0) -> None:
        """``spent``: by earlier attempts that count against the same limit."""
        if not (math.isfinite(limit) and limit >= 0):
            raise UsageError("the most that may be spent is no amount", got=repr(limit), expected="0 or more")
        self.limit = limit
        self.spent = spent
        """By attempts that ended; one whose end is unknown counts as the most it can have cost."""
        self._held = 0.0
        self._in_flight = 0
        self._freed = asyncio.Event()

    @asynccontextmanager
    async def hold(self, request: ModelRequest, most: float) -> AsyncIterator[Hold]:
        """Around one attempt that costs ``most`` at most; whoever learns the real cost says so in the hold.

        Waits for attempts in flight to cost less than was set aside for them. Raises
        NotAsked if the price doesn't fit even then.
        """
        while self.spent + self._held + most > self.limit:
            if not self._in_flight:
                raise NotAsked(request, "budget")
            self._freed.clear()
            await self._freed.wait()
        self._held += most
        self._in_flight += 1
        hold = Hold(most)
        try:
            yield hold
        finally:
            self._in_flight -= 1
            # sums of floats needn't come back to nothing by themselves
            self._held = self._held - most if self._in_flight else 0.0
            self.spent += hold.cost
            self._freed.set()
