"""How hard an endpoint is asked: slots, rates, and the breaker that leaves it alone."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.breaker import Breaker
from grader.model.limits import Pace
from grader.model.reply import CallFailed
from tests.model.asking import Time, ask_all, asking, endpoint_of, run, terms
from tests.model_server import Answer, Faults, model_server


@pytest.mark.parametrize("slots", [1, 3])
def test_no_more_requests_are_in_flight_than_there_are_slots(slots):
    with model_server(lambda body: "fine", latency=0.02) as server:
        requests = [asking(endpoint_of(server), str(n)) for n in range(8)]
        asked = ask_all(requests, terms(concurrency=slots))
        assert server.counts.max_in_flight == slots
    assert len(asked.replies) == 8


def starts(pace: Pace, time: Time, amounts: Sequence[float]) -> list[float]:
    async def work() -> list[float]:
        began = []
        for amount in amounts:
            await pace.take(amount)
            began.append(time.now)
        return began

    return run(work)


@given(
    st.integers(1, 600),
    st.lists(st.floats(0, 5, allow_nan=False), min_size=2, max_size=60),
)
def test_no_minute_sees_more_than_the_rate(rate, gaps):
    time = Time()
    pace = Pace(rate, time.sleep, time.clock)

    async def work() -> list[float]:
        began = []
        for gap in gaps:
            time.now += gap
            await pace.take(1)
            began.append(time.now)
        return began

    began = run(work)
    for first in began:
        assert sum(first <= one < first + 60 - 1e-6 for one in began) <= rate


def test_requests_and_tokens_keep_to_their_rates():
    with model_server(lambda body: "fine") as server:
        requests = [asking(endpoint_of(server), str(n)) for n in range(5)]
        asked = ask_all(requests, terms(requests_per_minute=30))
        assert asked.time.now == pytest.approx(8)  # one each two seconds, the first at once
        requests = [asking(endpoint_of(server), text) for text in ("a", "b")]
        asked = ask_all(requests, terms(tokens_per_minute=120, concurrency=1))
    usage = asked.replies[0].attempt.usage
    assert usage.prompt is not None
    assert usage.completion is not None
    # the second starts when the tokens that the first really took are due
    assert asked.time.now == pytest.approx((usage.prompt + usage.completion) / 2)


def test_what_was_not_needed_is_given_back():
    time = Time()
    pace = Pace(60, time.sleep, time.clock)
    assert starts(pace, time, [10]) == [0]
    pace.give_back(7)
    assert starts(pace, time, [1]) == [3]


def test_an_endpoint_that_keeps_failing_is_left_alone_ever_longer_and_given_up(caplog):
    with model_server(lambda body: Answer(500, {"error": {"message": "on fire"}})) as server:
        requests = [asking(endpoint_of(server), str(n)) for n in range(40)]
        with caplog.at_level(logging.WARNING, "grader"):
            asked = ask_all(requests, terms(attempts=1, breaker=4, concurrency=1))
        # four in a row, then one trial after each pause
        assert server.counts.received.total() == 4 + 3
    assert asked.time.slept == [5, 10, 20]
    kinds = [failed.failure for failed in asked.failures]
    assert (kinds.count("server_error"), kinds.count("breaker")) == (7, 33)
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == 4
    assert all(server.base_url in line and "on fire" in line for line in lines)
    assert "4 attempts in a row failed" in lines[0]
    assert "pauses for 5 s" in lines[0]
    assert "asked nothing more" in lines[3]


def test_an_endpoint_that_recovers_is_asked_again():
    faults = iter([500] * 3 + [200, 200] + [500] * 3)

    def reply(body: object) -> str | Answer:
        return Answer(500, {}) if next(faults, 200) == 500 else "fine"

    with model_server(reply) as server:
        requests = [asking(endpoint_of(server), str(n)) for n in range(20)]
        asked = ask_all(requests, terms(attempts=8, breaker=3, concurrency=1))
    assert len(asked.replies) == 20
    # each of the two runs of failures is followed by a first pause
    assert [seconds for seconds in asked.time.slept if seconds == 5] == [5, 5]


def test_after_a_pause_one_attempt_goes_alone_and_the_others_wait_for_it():
    time, under_way = Time(), 0

    async def attempt(breaker: Breaker, fails: bool) -> int:
        """How many were under way at once."""
        nonlocal under_way
        async with breaker.passage():
            under_way += 1
            seen = under_way
            await asyncio.sleep(0)
            under_way -= 1
            if fails:
                breaker.failed("no")
            else:
                breaker.succeeded()
        return seen

    async def work() -> list[list[int]]:
        breaker = Breaker("m", 2, time.sleep)
        failing = [await asyncio.gather(*(attempt(breaker, True) for _ in range(2))) for _ in range(2)]
        works = await asyncio.gather(*(attempt(breaker, False) for _ in range(5)))
        return [*failing, works[:1]]

    assert run(work) == [[1, 2], [1, 1], [1]]
    assert time.slept == [5, 10, 20]


def test_an_attempt_that_is_not_sent_leaves_the_trial_to_the_next():
    time = Time()

    async def work() -> None:
        breaker = Breaker("m", 1, time.sleep)
        breaker.failed("no")
        with pytest.raises(ValueError, match="no money"):
            async with breaker.passage():
                raise ValueError("no money")
        async with breaker.passage():
            breaker.succeeded()

    run(work)
    assert time.slept == [5, 10]


def test_nothing_passes_once_an_endpoint_is_given_up():
    async def work() -> None:
        breaker = Breaker("openai/m", 1, Time().sleep)
        breaker.give_up("the key is wrong")
        async with breaker.passage():
            raise AssertionError("it was asked")

    with pytest.raises(CallFailed, match="openai/m is asked nothing more: the key is wrong"):
        run(work)


def test_a_refused_request_shows_that_the_endpoint_works():
    def reply(body: dict[str, object]) -> Answer:
        return Answer(400 if "even" in str(body["messages"]) else 500, {})

    with model_server(reply) as server:
        requests = [asking(endpoint_of(server), f"{n} {'even' if n % 2 == 0 else 'odd'}") for n in range(12)]
        asked = ask_all(requests, terms(attempts=1, breaker=2, concurrency=1))
        assert server.counts.received.total() == 12
    assert not asked.time.slept


def test_votes_on_the_same_question_are_sent_each():
    with model_server(lambda body: "fine", Faults()) as server:
        asked = ask_all([asking(endpoint_of(server), vote=vote) for vote in range(3)])
        assert server.counts.received.total() == 3
    assert len(asked.replies) == 3
