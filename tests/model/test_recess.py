"""An endpoint that says when to come back is asked then, by nobody earlier, and not for ever."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.recess import PATIENCE, SHORTEST, Recess
from tests.model.asking import Time, ask_all, asking, endpoint_of, run, terms
from tests.model_server import Answer, model_server


def put_off(seconds: object, status: int = 429) -> Answer:
    return Answer(status, {"error": {"message": "not now"}}, {"Retry-After": str(seconds)})


def test_a_full_minute_of_refusals_ends_no_request():
    time, in_flight = Time(), 8
    with model_server(lambda body: put_off(60) if time.now < 60 else "fine") as server:
        requests = [asking(endpoint_of(server), str(n)) for n in range(60)]
        of = terms(concurrency=in_flight)
        asked = ask_all(requests, of, sleep=time.sleep, clock=time.clock)
        # nobody but those in flight when it was said for the first time
        assert server.counts.received.total() <= 60 + in_flight
    assert asked.texts == ["fine"] * 60
    # sleeping takes no time here, so each of those may be told after the minute of the one before
    assert 60 <= time.now <= 60 * in_flight


def test_nobody_starts_before_the_time_that_was_named():
    time, starts = Time(), []

    def reply(body: object) -> str | Answer:
        starts.append(time.now)
        return put_off(30) if len(starts) == 1 else "fine"

    with model_server(reply) as server:
        requests = [asking(endpoint_of(server), str(n)) for n in range(5)]
        of = terms(concurrency=1, requests_per_minute=60)
        asked = ask_all(requests, of, sleep=time.sleep, clock=time.clock)
    assert len(asked.replies) == 5
    assert starts[0] == 0
    assert min(starts[1:]) >= 30


@pytest.mark.parametrize("status", [429, 503])
def test_patience_has_an_end(status):
    with model_server(lambda body: put_off(120, status)) as server:
        requests = [asking(endpoint_of(server), str(n)) for n in range(30)]
        asked = ask_all(requests, terms(concurrency=1))
        assert server.counts.received.total() == 1 + 900 / 120 + 0.5
    assert asked.time.now == pytest.approx(PATIENCE)
    assert [failed.failure for failed in asked.failures] == ["breaker"] * 30
    assert all("asked nothing more: no reply in 900 s" in failed.detail for failed in asked.failures)
    assert "not now" in asked.failures[0].detail


def test_a_wait_that_cant_be_read_is_the_clients_own_and_no_wait_is_longer_than_patience():
    asked_for = iter(["7", "Thu, 01 Jan 2099 00:00:00 GMT", "soon"])

    def reply(body: dict[str, Any]) -> str | Answer:
        after = next(asked_for, None)
        return put_off(after) if after else "fine"

    with model_server(reply) as server:
        asked = ask_all([asking(endpoint_of(server))])
    assert asked.texts == ["fine"]
    first, second, third = (seconds for seconds in asked.time.slept if seconds)
    assert (first, second) == (7, PATIENCE - 7)
    assert 4 <= third <= 5  # after the third attempt


def test_refusals_that_name_no_time_count_as_before():
    with model_server(lambda body: put_off(0)) as server:
        asked = ask_all([asking(endpoint_of(server))], terms(attempts=3))
        assert server.counts.received.total() == 3
    assert [failed.failure for failed in asked.failures] == ["rate_limit"]


@given(st.lists(st.tuples(st.floats(0.001, 5000), st.floats(0, 100)), min_size=1, max_size=50))
def test_all_recesses_together_last_no_longer_than_patience(announced):
    time = Time()
    recess = Recess(time.sleep, time.clock)

    async def work() -> None:
        waited = 0.0
        for seconds, gap in announced:
            time.now += gap
            before = time.now
            told = recess.announce(seconds)
            await recess.over()
            waited += time.now - before
            assert told == (time.now > before)
            if told:
                assert time.now - before >= min(seconds, PATIENCE - (waited - (time.now - before))) - 1e-6
        assert waited <= PATIENCE + 1e-6
        recess.replied()
        assert recess.announce(SHORTEST)

    run(work)


def forbidding(body: dict[str, Any]) -> str | Answer:
    moderated = Answer(403, {"error": {"message": "your input was flagged"}})
    return moderated if body["messages"][0]["content"] == "3" else "fine"


def test_one_request_that_is_forbidden_fails_alone_where_others_were_replied_to():
    with model_server(forbidding) as server:
        asked = ask_all([asking(endpoint_of(server), str(n)) for n in range(8)], terms(concurrency=1))
        assert server.counts.received.total() == 8
    assert len(asked.replies) == 7
    [failed] = asked.failures
    assert (failed.failure, "flagged" in failed.detail) == ("auth", True)


def test_a_key_that_is_refused_ends_all_however_much_was_replied_before():
    replies = iter(["fine", "fine"])
    with model_server(lambda body: next(replies, Answer(401, {}))) as server:
        asked = ask_all([asking(endpoint_of(server), str(n)) for n in range(8)], terms(concurrency=1))
        assert server.counts.received.total() == 3
    assert [failed.failure for failed in asked.failures] == ["auth"] + ["breaker"] * 5
