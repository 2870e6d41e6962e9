"""Whatever is cut off: what was sent is kept as sent, and what it may cost was set aside before."""

from __future__ import annotations

import asyncio
from datetime import datetime

import pytest

from grader.model.budget import Budget
from grader.model.client import Client
from grader.model.reply import NotAsked, Reply
from grader.model.request import ModelRequest
from tests.model.asking import Memory, ask_all, asking, endpoint_of, run, telling, terms
from tests.model_server import Answer, Faults, model_server

HANGS_ONCE = Faults(share=1, most=1, kinds=("hang",))


def cancelled(server, request, journal, budget=None):
    """Ask, and give up once the request has reached the server."""

    async def work():
        reached = asyncio.Event()
        server.reply = telling(reached)
        options = {"budget": budget, "environ": {}}
        async with Client({request.endpoint: terms()}, journal, **options) as client:
            task = asyncio.create_task(client.ask(request))
            await reached.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    run(work)


def test_a_request_that_is_cancelled_in_flight_is_kept_and_counts_as_the_most_it_can_have_cost():
    with model_server(lambda body: "", HANGS_ONCE) as server:
        request, journal, budget = asking(endpoint_of(server)), Memory(), Budget(1.0)
        cancelled(server, request, journal, budget)
    [(kept, attempt)] = journal.attempts
    [(key, started, most)] = journal.reservations
    assert (kept.key, attempt.failure, attempt.raw) == (request.key, "cancelled", None)
    assert (key, started) == (request.key, attempt.started)
    assert budget.spent == most > 0


def test_a_journal_that_fails_doesnt_hold_up_whoever_cancels():
    class Full(Memory):
        async def keep(self, request: ModelRequest, attempt: object) -> None:
            raise OSError("the disk is full")

    with model_server(lambda body: "", HANGS_ONCE) as server:
        cancelled(server, asking(endpoint_of(server)), Full())


def test_whoever_waits_for_a_request_that_is_cancelled_asks_it():
    with model_server(lambda body: "", HANGS_ONCE) as server:
        request, journal = asking(endpoint_of(server)), Memory()

        async def work() -> Reply:
            reached = asyncio.Event()
            server.reply = telling(reached)
            async with Client({request.endpoint: terms()}, journal, environ={}) as client:
                first = asyncio.create_task(client.ask(request))
                second = asyncio.create_task(client.ask(request))
                await reached.wait()
                first.cancel()
                return await second

        reply = run(work)
    assert reply.raw["choices"][0]["message"]["content"] == "fine"
    assert not reply.archived
    assert journal.failures == ["cancelled", None]


def test_each_attempt_is_set_aside_before_it_is_sent():
    journal = Memory()

    def reply(body: object) -> str | Answer:
        seen.append((len(journal.reservations), len(journal.attempts)))
        return "fine" if len(seen) == 3 else Answer(500, {})

    seen: list[tuple[int, int]] = []
    with model_server(reply) as server:
        request = asking(endpoint_of(server))
        asked = ask_all([request], journal=journal, budget=Budget(1.0))
    assert asked.texts == ["fine"]
    assert seen == [(1, 0), (2, 1), (3, 2)]
    assert [started for _, started, _ in journal.reservations] == [one.started for _, one in journal.attempts]


def test_nothing_is_set_aside_without_a_limit_or_without_money():
    with model_server(lambda body: "fine") as server:
        request = asking(endpoint_of(server))
        free = ask_all([request])
        poor = ask_all([request], budget=Budget(0.0))
    assert free.texts == ["fine"]
    assert [type(end) for end in poor.ended] == [NotAsked]
    assert free.journal.reservations == poor.journal.reservations == []


def test_what_cant_be_set_aside_is_not_sent():
    class Full(Memory):
        async def reserve(self, request: ModelRequest, started: datetime, most: float) -> None:
            raise OSError("the disk is full")

    with model_server(lambda body: "fine") as server:
        with pytest.raises(OSError, match="disk is full"):
            ask_all([asking(endpoint_of(server))], journal=Full(), budget=Budget(1.0))
        assert not server.counts.received
