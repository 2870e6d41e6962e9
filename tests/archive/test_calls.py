"""What was paid for is there once, whole, and adds up."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from grader.archive.call_entry import Spent
from grader.archive.store import open_archive
from grader.model.reply import Attempt, Usage
from tests.archive.judged import CARD, NOON, REQUESTS, asked, call, failed, replied
from tests.archive.sample import grade
from tests.archive.test_tables import HOSTILE

FIRST = REQUESTS[0]


def test_a_request_comes_back_as_it_was_asked(archive):
    bare = asked("bare", output={}, parameters={"max_tokens": 1}, messages=())
    archive.put_calls([call(one, replied()) for one in (*REQUESTS, bare)])
    for one in (*REQUESTS, bare):
        kept = archive.request(one.key)
        assert (kept.key, kept.body(), kept.vote) == (one.key, one.body(), one.vote)
    with pytest.raises(KeyError):
        archive.request("no such key")


def test_what_votes_and_panels_share_is_kept_once(archive):
    archive.put_calls([call(one, replied()) for one in (*REQUESTS, asked("another answer"))])
    counts = archive.counts()
    assert (counts["requests"], counts["calls"]) == (4, 4)
    assert counts["request_parts"] == len(["system", "schema", "one answer", "another answer"])


def test_tries_at_a_request_are_numbered_across_writes_and_in_one(archive):
    archive.put_calls([call(FIRST, failed(0))])
    archive.put_calls([call(FIRST, failed(1)), call(REQUESTS[1], failed(1)), call(FIRST, replied(2))])
    tries = archive.calls_at([FIRST.key, REQUESTS[1].key, "no such key"])
    assert {key: [one.ordinal for one in several] for key, several in tries.items()} == {
        FIRST.key: [0, 1, 2],
        REQUESTS[1].key: [0],
    }
    assert [one.attempt for one in tries[FIRST.key]] == [failed(0), failed(1), replied(2)]


def test_a_try_written_again_is_there_once(archive):
    entries = [call(FIRST, failed(0)), call(FIRST, replied(1)), call(FIRST, replied(1))]
    for _ in range(2):
        archive.put_calls(entries)
    assert [one.attempt for one in archive.calls()] == [failed(0), replied(1)]


def test_the_last_reply_answers_a_request_and_a_failure_never_does(archive):
    archive.put_calls([call(FIRST, replied(0, "first")), call(FIRST, replied(1, "second"))])
    archive.put_calls([call(FIRST, failed(2)), call(REQUESTS[1], failed(0))])
    assert archive.replies(one.key for one in REQUESTS) == {FIRST.key: replied(1, "second")}
    assert archive.replies([]) == {}


def test_calls_are_read_a_portion_at_a_time_by_run(archive, monkeypatch):
    monkeypatch.setattr("grader.archive.calls.PORTION", 2)
    run = archive.put_run("d", "run", {})
    other = archive.put_run("e", "other", {})
    archive.put_calls([call(FIRST, replied(n), run) for n in range(5)])
    archive.put_calls([call(FIRST, replied(9), other), call(FIRST, replied(10), None, purpose="probe")])
    assert [one.attempt for one in archive.calls(run)] == [replied(n) for n in range(5)]
    assert [(one.run_id, one.purpose) for one in archive.calls()][5:] == [
        (other.id, "judge"),
        (None, "probe"),
    ]


def test_spending_adds_up_over_attempts_cards_and_resumes(archive):
    run, other = archive.put_run("d", "run", {}), archive.put_run("e", "other", {})
    unpriced = replied(3, cost=None, cost_source=None, usage=Usage(10, None, None))
    archive.put_calls([call(FIRST, failed(0), run), call(FIRST, replied(1), run)])
    archive.put_calls([call(REQUESTS[1], unpriced, run), call(REQUESTS[2], failed(4), run)])
    located = replied(5, cost=0.5)
    archive.put_calls([call(asked("where?"), located, run, purpose="locator")])
    archive.put_calls([call(asked("x"), replied(6), run, card="euler@1")])
    archive.put_calls([call(asked("y"), replied(7), other)])
    spending = archive.spent(run)
    assert {(row.card, row.purpose): row.spent for row in spending.rows} == {
        ("euler@1", "judge"): Spent(1, 1, 1, 0, 900, 120, 40, 0.0125, 0),
        (CARD, "judge"): Spent(3, 4, 2, 1, 910, 120, 40, 0.0125, 1),
        (CARD, "locator"): Spent(1, 1, 1, 0, 900, 120, 40, 0.5, 0),
    }
    assert spending.card(CARD) == Spent(4, 5, 3, 1, 1810, 240, 80, 0.5125, 1)
    assert spending.total == Spent(5, 6, 4, 1, 2710, 360, 120, 0.525, 1)
    assert archive.spent(archive.put_run("f", "unasked", {})).total == Spent()


@pytest.mark.parametrize("said", HOSTILE)
def test_hostile_bodies_come_back_as_they_were(archive, said):
    request = asked(said, parameters={"max_tokens": 1, "extra_body": {said: [said]}})
    attempt = replied(text=said, served_model=said, finish_reason=said, cost_source=said)
    archive.put_calls([call(request, attempt, card=said), call(request, failed(1), card=said)])
    archive.put_calls([call(request, replace(failed(2), error=said))])
    assert archive.replies([request.key]) == {request.key: attempt}
    assert archive.request(request.key).messages == request.messages
    assert archive.request(request.key).key == request.key
    assert [one.attempt.error for one in archive.calls()] == [None, failed().error, said]
    assert [one.card for one in archive.calls()] == [said, said, CARD]


bodies = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.dictionaries(st.text(st.characters() | st.sampled_from("\x00\ud800")), bodies, max_size=4))
def test_any_body_comes_back(archive, raw):
    request = asked(json.dumps(raw))
    archive.put_calls([call(request, replied(raw=raw))])
    assert archive.replies([request.key])[request.key].raw == raw


def test_numbers_that_no_reply_can_have_stop_nobody(archive):
    raw = {"usage": {"prompt_tokens": 10**30}, "logprob": float("nan"), "top": [float("-inf"), 1.5]}
    archive.put_calls([call(FIRST, replied(raw=raw, usage=Usage(10**30, -1, 2**31)))])
    kept = archive.replies([FIRST.key])[FIRST.key]
    assert kept.usage == Usage(None, None, None)
    assert kept.raw == {"usage": {"prompt_tokens": 10**30}, "logprob": "nan", "top": ["-inf", 1.5]}


def test_bodies_are_short_and_readable_in_sql(archive):
    archive.put_calls([call(FIRST, replied(text="σ = 2 ⇌ 3"))])
    with archive.database.connect() as connection:
        stored = connection.execute(text("SELECT CAST(raw AS TEXT) FROM calls")).scalar()
    assert '"content":"σ = 2 ⇌ 3"' in stored


def test_a_moment_of_another_zone_is_the_same_moment(archive):
    tokyo = NOON.astimezone(timezone(timedelta(hours=9)))
    archive.put_calls([call(FIRST, Attempt(tokyo, 1.0, "timeout"))])
    (kept,) = archive.calls()
    assert kept.attempt.started == NOON
    assert isinstance(kept.attempt.started, datetime)


def test_a_write_that_fails_leaves_nothing_of_it(archive):
    broken = replied(raw={"choices": object()})
    with pytest.raises(Exception, match="serializable"):
        archive.put_calls([call(FIRST, replied(0)), call(REQUESTS[1], broken)])
    assert archive.counts()["requests"] == archive.counts()["calls"] == 0


def test_graders_side_by_side_lose_and_double_no_try(archive, archive_url):
    grade(archive)
    writers, rounds = 4, 10
    start = threading.Barrier(writers)
    errors = []

    def write(number):
        try:
            with open_archive(archive_url, create=False) as mine:
                start.wait()
                for n in range(rounds):
                    several = [asked(f"{n}"), FIRST, asked(f"{n} {number}")]
                    order = several if number % 2 else several[::-1]
                    mine.put_calls([call(one, replied(n * writers + number)) for one in order])
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    tries = archive.calls_at([FIRST.key, asked("3").key])
    assert [one.ordinal for one in tries[FIRST.key]] == list(range(writers * rounds))
    assert [one.ordinal for one in tries[asked("3").key]] == list(range(writers))
    assert archive.counts()["calls"] == 3 * writers * rounds
