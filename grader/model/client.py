"""Asking providers: once, within limits and money, again where that may help, and nothing is lost."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from copy import copy
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Self

from grader.model import provider
from grader.model.askable import price_unknown
from grader.model.body import Images, no_images, sendable
from grader.model.budget import Budget, Hold
from grader.model.failure import UNKNOWN, Failure, failure
from grader.model.flights import Flights
from grader.model.keys import Redactor, check_environment, check_url, key_for
from grader.model.limits import Clock, Sleep
from grader.model.line import AttemptFailed, Line, Terms
from grader.model.received import replied
from grader.model.reply import Attempt, CallFailed, Journal, Reply
from grader.model.request import Endpoint, ModelRequest

GRACE = 5.0
"""Seconds beyond an attempt's timeout in which the client should have noticed it by itself."""


class Client:
    """Asks the providers of its endpoints. It belongs to one event loop; close it there."""

    def __init__(
        self,
        terms: Mapping[Endpoint, Terms],
        journal: Journal,
        *,
        budget: Budget | None = None,
        images: Images = no_images,
        environ: Mapping[str, str] = os.environ,
        sleep: Sleep = asyncio.sleep,
        clock: Clock = time.monotonic,
    ) -> None:
        """Raises UsageError for a key in an endpoint's URL, and for a budget where a price is unknown."""
        for endpoint, of in terms.items():
            check_url(endpoint)
            check_environment(endpoint, environ)
            if budget is not None and of.prices.price(endpoint) is None:
                raise price_unknown(endpoint)
        self._lines = {endpoint: Line(endpoint, of, sleep, clock) for endpoint, of in terms.items()}
        self._journal = journal
        self._budget = budget
        self._images = images
        self._environ = environ
        self._redactor = Redactor(environ, [one.key_env for one in terms if one.key_env])
        self._flights = Flights()

    def keeping(self, journal: Journal) -> Client:
        """The same client with another journal: slots, rates, breakers and money are shared."""
        other = copy(self)
        other._journal = journal
        return other

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections; those of other clients in this event loop too."""
        await provider.close()

    async def ask(self, request: ModelRequest) -> Reply:
        """The reply, from the journal or the provider; who asks the same at once shares one reply.

        Raises CallFailed, NotAsked for want of money, and SetupError before anything is sent
        where a key is missing.
        """
        return await self._flights.ask(request, self._ask)

    async def _ask(self, request: ModelRequest) -> Reply:
        if (known := await self._journal.known(request)) is not None:
            return replace(known, archived=True)
        for line in self._lines.values():  # what keeps one from being asked is said before another is paid
            self._prepare(line)
        line = self._lines[request.endpoint]
        try:
            return await line.retrying()(self._attempt, request, line)
        except AttemptFailed as failed:
            last = failed.failure
        # outside of the handler: what it was raised from may hold a key
        raise CallFailed(last.kind, last.detail)

    def _prepare(self, line: Line) -> None:
        if not line.ready:
            line.key = key_for(line.endpoint, self._environ)
            provider.load()
            provider.provider_of(line.endpoint.model)  # a name that means none is refused now
            check_environment(line.endpoint, self._environ, provider.provider_of)
            line.ready = True

    async def _attempt(self, request: ModelRequest, line: Line) -> Reply:
        async with line.turn(request), self._hold(request, line) as hold:
            await line.recess.over()  # money may have been long in coming
            started = datetime.now(UTC)
            if self._budget is not None:
                await self._journal.reserve(request, started, hold.cost)
            attempt, wrong = await self._send(request, line, started)
            await self._journal.keep(request, attempt)
            hold.cost = _cost(attempt, hold.cost)
            line.tell(request, attempt, wrong)
        if wrong is not None:
            raise AttemptFailed(wrong)
        return Reply(request.key, attempt)

    def _hold(self, request: ModelRequest, line: Line) -> AbstractAsyncContextManager[Hold]:
        if self._budget is None:
            return nullcontext(Hold(0.0))
        return self._budget.hold(request, line.most_cost(request))

    async def _send(
        self, request: ModelRequest, line: Line, started: datetime
    ) -> tuple[Attempt, Failure | None]:
        body, began = sendable(request, self._images), time.perf_counter()
        try:
            raw, wrong = await self._exchange(body, line)
        except asyncio.CancelledError:
            await self._keep_cancelled(request, started, time.perf_counter() - began)
            raise
        latency = time.perf_counter() - began
        if wrong is not None:
            failed = Attempt(started, latency, wrong.kind, wrong.detail, wrong.status)
            return failed, wrong
        attempt = replied(raw, line.endpoint, line.terms.prices, started, latency)
        if attempt.failure is not None:
            wrong = Failure(attempt.failure, str(attempt.error), attempt.status)
        return attempt, wrong

    async def _keep_cancelled(self, request: ModelRequest, started: datetime, latency: float) -> None:
        """Keep that the request was sent and may be billed; whoever cancels waits for a commit at most."""
        with suppress(Exception):
            attempt = Attempt(started, latency, "cancelled", "interrupted before its end")
            await self._journal.keep(request, attempt)

    async def _exchange(self, body: Mapping[str, Any], line: Line) -> tuple[dict[str, Any], Failure | None]:
        """The reply's body, or why there is none; no key in either."""
        timeout = line.terms.limits.timeout
        try:
            # the client's own timeout is one between two bytes, and a body may come in drops
            async with asyncio.timeout(timeout + GRACE):
                raw = await provider.send(
                    body, api_base=line.endpoint.api_base, api_key=line.key, timeout=timeout
                )
        except Exception as error:
            return {}, failure(error, self._redactor.text)
        return self._redactor.json(raw), None


def _cost(attempt: Attempt, most: float) -> float:
    """What an attempt counts as: the most it can have cost while that isn't known."""
    if attempt.cost is not None:
        return attempt.cost
    return most if attempt.failure is None or attempt.failure in UNKNOWN else 0.0
