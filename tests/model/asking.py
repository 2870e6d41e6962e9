"""What tests of asking share: a journal in memory, a clock that sleeping moves, small requests."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from grader.model.budget import Budget
from grader.model.client import Client
from grader.model.limits import Limits
from grader.model.line import Terms
from grader.model.prices import Prices
from grader.model.reply import Attempt, CallFailed, NotAsked, Reply
from grader.model.request import Endpoint, ModelRequest
from tests.model_server import ModelServer
from tests.scripted_judge import Body

Result = TypeVar("Result")

PRICES = (1.0, 4.0)


@dataclass
class Memory:
    """A journal that forgets everything in the end."""

    attempts: list[tuple[ModelRequest, Attempt]] = field(default_factory=list)
    reservations: list[tuple[str, datetime, float]] = field(default_factory=list)

    async def known(self, request: ModelRequest) -> Reply | None:
        for asked, attempt in self.attempts:
            if asked.key == request.key and attempt.failure is None:
                return Reply(request.key, attempt)
        return None

    async def reserve(self, request: ModelRequest, started: datetime, most: float) -> None:
        await asyncio.sleep(0)
        self.reservations.append((request.key, started, most))

    async def keep(self, request: ModelRequest, attempt: Attempt) -> None:
        await asyncio.sleep(0)
        self.attempts.append((request, attempt))

    @property
    def failures(self) -> list[str | None]:
        return [attempt.failure for _, attempt in self.attempts]

    @property
    def cost(self) -> float:
        return sum(attempt.cost or 0.0 for _, attempt in self.attempts)


@dataclass
class Time:
    """A clock that stands still until somebody sleeps."""

    now: float = 0.0
    slept: list[float] = field(default_factory=list)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)

    def clock(self) -> float:
        return self.now


def telling(reached: asyncio.Event) -> Callable[[Body], str]:
    """A model that says "fine", and tells this event loop that it was asked."""
    loop = asyncio.get_running_loop()

    def reply(body: Body) -> str:
        loop.call_soon_threadsafe(reached.set)
        return "fine"

    return reply


def endpoint_of(server: ModelServer | None, model: str = "openai/m") -> Endpoint:
    return Endpoint(model, server.base_url if server else None)


def asking(endpoint: Endpoint, text: str = "?", **more: Any) -> ModelRequest:
    parameters = {"max_tokens": 100, **more.pop("parameters", {})}
    return ModelRequest(endpoint, ({"role": "user", "content": text},), parameters, **more)


def terms(prices: tuple[float, float] | None = PRICES, image_tokens: int = 1000, **limits: Any) -> Terms:
    return Terms(Limits(**limits), Prices(prices), image_tokens)


@dataclass
class Asked:
    """What came of asking several requests at once."""

    ended: list[Reply | CallFailed | NotAsked]
    journal: Memory
    time: Time

    @property
    def texts(self) -> list[Any]:
        return [reply.raw["choices"][0]["message"]["content"] for reply in self.replies]

    @property
    def replies(self) -> list[Reply]:
        return [end for end in self.ended if isinstance(end, Reply)]

    @property
    def failures(self) -> list[CallFailed]:
        return [end for end in self.ended if isinstance(end, CallFailed)]


def ask_all(
    requests: list[ModelRequest],
    of: Terms | None = None,
    journal: Memory | None = None,
    budget: Budget | None = None,
    **more: Any,
) -> Asked:
    """Ask all of them at once, of endpoints on the same terms."""
    journal, time = journal or Memory(), Time()

    async def end(client: Client, request: ModelRequest) -> Reply | CallFailed | NotAsked:
        try:
            return await client.ask(request)
        except (CallFailed, NotAsked) as error:
            return error

    async def work() -> list[Reply | CallFailed | NotAsked]:
        endpoints = {request.endpoint: of or terms() for request in requests}
        options = {"environ": {}, "sleep": time.sleep, "clock": time.clock, **more}
        async with Client(endpoints, journal, budget=budget, **options) as client:
            return await asyncio.gather(*(end(client, request) for request in requests))

    return Asked(asyncio.run(work()), journal, time)


def run(work: Callable[[], Awaitable[Result]]) -> Result:
    async def awaited() -> Result:
        return await work()

    return asyncio.run(awaited())
