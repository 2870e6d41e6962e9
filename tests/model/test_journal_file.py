"""A journal in a file: what is paid for is there again, what may be paid is counted, and nothing twice."""

from __future__ import annotations

import asyncio
import json
import tracemalloc
from datetime import UTC, datetime

import pytest

from grader.errors import DataError, UsageError
from grader.model.journal_file import FileJournal
from grader.model.reply import Attempt, Usage
from grader.model.request import Endpoint
from tests.model.asking import asking
from tests.record.full_disk import no_file_beyond

ENDPOINT = Endpoint("openai/m", "http://127.0.0.1:9/v1")
BEGUN = datetime(2026, 12, 2, 12, tzinfo=UTC)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.calls.jsonl"


def request(text="?"):
    return asking(ENDPOINT, text)


def replied(text="fine", cost=0.25, minute=0, **more):
    raw = {"choices": [{"message": {"role": "assistant", "content": text}}]}
    usage = Usage(10, 5)
    return Attempt(BEGUN.replace(minute=minute), 0.5, raw=raw, usage=usage, cost=cost, **more)


def failed(kind, minute=0, **more):
    return Attempt(BEGUN.replace(minute=minute), 0.5, kind, "it went wrong", **more)


def work(*steps):
    async def in_order():
        return [await step for step in steps]

    return asyncio.run(in_order())


def known(journal, *requests):
    return [reply and reply.attempt for reply in work(*map(journal.known, requests))]


def committed(path, most=lambda request, usage: 7.0):
    with FileJournal(path) as journal:
        return journal.committed(most)


# Replies


def test_a_reply_is_known_at_once_and_in_the_next_process(path):
    with FileJournal(path) as journal:
        work(journal.keep(request("a"), replied("α")), journal.keep(request("b"), replied("b")))
        assert known(journal, request("a"), request("c")) == [replied("α"), None]
    with FileJournal(path) as journal:
        assert known(journal, request("a"), request("b"), request("c")) == [
            replied("α"),
            replied("b"),
            None,
        ]
        assert journal.replied([request("b").key, request("c").key]) == {request("b").key}


def test_a_request_stands_in_the_file_once_before_its_tries(path):
    with FileJournal(path) as journal:
        work(
            journal.keep(request(), failed("server_error")),
            journal.keep(request(), replied(minute=1)),
        )
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [next(reversed(line)) for line in lines] == ["asked", "attempt", "attempt"]
    assert lines[0]["asked"]["messages"] == [{"role": "user", "content": "?"}]


def test_a_failed_try_is_no_reply(path):
    with FileJournal(path) as journal:
        work(journal.keep(request(), failed("timeout")))
        assert known(journal, request()) == [None]


def test_what_is_paid_for_is_kept_though_whoever_asked_is_cancelled(path):
    async def cancelled(journal):
        task = asyncio.create_task(journal.keep(request(), replied()))
        await asyncio.sleep(0)
        task.cancel()

    with FileJournal(path) as journal:
        asyncio.run(cancelled(journal))
    with FileJournal(path) as journal:
        assert known(journal, request()) == [replied()]
        assert journal.paid.cost == 0.25


@pytest.mark.parametrize("cut", [1, 2, 30])
def test_a_journal_that_a_kill_left_with_half_a_line_is_mended(path, cut):
    with FileJournal(path) as journal:
        work(journal.keep(request("a"), replied()), journal.keep(request("b"), replied()))
    path.write_bytes(path.read_bytes()[:-cut])
    with FileJournal(path) as journal:
        assert known(journal, request("a"), request("b")) == [replied(), replied() if cut == 1 else None]
        work(journal.keep(request("b"), replied("again")))
    with FileJournal(path) as journal:
        assert known(journal, request("a"), request("b")) == [replied(), replied("again")]


@pytest.mark.parametrize("text", ["# A page", "# A page\nof two lines\n", '{"problem_id": "p"}\n', "1"])
def test_a_file_that_is_no_journal_is_refused_and_stays_as_it_is(path, text):
    path.write_text(text)
    with pytest.raises(DataError, match=r"run\.calls\.jsonl:1: no line of a journal"), FileJournal(path):
        pass
    assert path.read_text() == text


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{}",
        "[1]",
        '{"request": "k", "attempt": {"started": 3}}',
        '{"request": "k", "reserved": "much", "started": ""}',
    ],
)
def test_a_broken_line_amid_others_is_named(path, line):
    with FileJournal(path) as journal:
        work(journal.keep(request(), replied()))
    path.write_text(f"{path.read_text()}{line}\n{path.read_text()}")
    with pytest.raises(DataError, match=r"run\.calls\.jsonl:3: no line of a journal"), FileJournal(path):
        pass


def test_two_processes_cant_write_one_journal(path):
    with FileJournal(path) as journal:
        work(journal.keep(request(), replied()))
        before = path.read_bytes()
        with pytest.raises(UsageError, match="another process writes the journal"), FileJournal(path):
            pass
        assert path.read_bytes() == before


def test_a_full_disk_reaches_everybody_who_waits_and_the_journal_stays_whole(path):
    async def both(journal):
        writes = (journal.keep(request("a"), replied()), journal.reserve(request("b"), BEGUN, 1.0))
        return await asyncio.gather(*writes, return_exceptions=True)

    with FileJournal(path) as journal:
        work(journal.keep(request(), replied()))
        with no_file_beyond(path.stat().st_size + 100):
            refused = asyncio.run(both(journal))
        assert [str(one) for one in refused] == [str(refused[0])] * 2
        assert "can't write the journal of the run: File too large" in str(refused[0])
        assert journal.paid.cost == 0.25
        work(journal.keep(request("a"), replied("later")))
    with FileJournal(path) as journal:
        assert known(journal, request(), request("a")) == [replied(), replied("later")]


def test_replies_are_not_held_in_memory(path):
    text = "x" * 100_000
    with FileJournal(path) as journal:
        work(*(journal.keep(request(f"{n} {text}"), replied(text)) for n in range(10)))
    tracemalloc.start()
    with FileJournal(path):
        size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size < 10 * len(text) / 4


# Money


def test_what_was_paid_is_what_the_tries_cost(path):
    with FileJournal(path) as journal:
        work(
            journal.keep(request("a"), failed("server_error")),
            journal.keep(request("a"), replied(minute=1)),
            journal.keep(request("b"), failed("bad_request", cost=0.5)),
        )
        assert (journal.paid.cost, journal.paid.unknown) == (0.75, 0)
    assert committed(path) == 0.75


def test_tries_that_may_have_cost_something_are_told_apart(path):
    with FileJournal(path) as journal:
        work(
            journal.keep(request("a"), replied(cost=None)),
            journal.keep(request("b"), failed("timeout")),
            journal.keep(request("c"), failed("rate_limit")),
        )
        assert journal.paid.as_json() == {"cost": 0.0, "unknown": 2}
    with FileJournal(path) as journal:
        assert journal.paid.as_json() == {"cost": 0.0, "unknown": 2}


def test_a_try_that_was_killed_counts_as_what_was_set_aside_for_it(path):
    with FileJournal(path) as journal:
        work(
            journal.reserve(request("a"), BEGUN, 3.0),
            journal.reserve(request("b"), BEGUN, 3.0),
            journal.keep(request("b"), replied()),
            journal.reserve(request("c"), BEGUN, 3.0),
            journal.keep(request("c"), failed("rate_limit")),
            journal.reserve(request("d"), BEGUN, 3.0),
            journal.keep(request("d"), failed("cancelled")),
        )
    assert committed(path) == 3.0 + 0.25 + 0.0 + 3.0


def test_a_try_of_unknown_price_counts_as_the_most_it_can_have_cost(path):
    with FileJournal(path) as journal:
        work(journal.keep(request("a"), replied(cost=None)), journal.keep(request("b"), failed("timeout")))
    asked = []

    def most(request, usage):
        asked.append((request.key, request.endpoint, usage))
        return 2.0

    assert committed(path, most) == 4.0
    assert asked == [
        (request("a").key, ENDPOINT, Usage(10, 5)),
        (request("b").key, ENDPOINT, Usage()),
    ]


def test_a_batch_that_is_taken_in_again_is_not_kept_or_paid_again(path):
    tries = replied(cost=None, batch=True), failed("unreadable_body", minute=1, batch=True)
    for _ in range(2):
        with FileJournal(path) as journal:
            work(*(journal.keep(request(), one) for one in tries for _ in range(2)))
            assert journal.paid.unknown == 2
    assert len(path.read_text().splitlines()) == 1 + 2
    assert committed(path) == 14.0
