"""What counts against a limit: no kill, no Ctrl-C and no reply without tokens gives money back."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from dataclasses import replace
from typing import get_args

import pytest

from grader.archive.journal import ArchiveJournal
from grader.archive.store import open_archive
from grader.model.failure import UNKNOWN
from grader.model.reply import FailureKind, Usage
from tests.archive.judged import CARD, NOON, REQUESTS, asked, call, failed, replied, set_aside

FIRST = REQUESTS[0]
KINDS = get_args(FailureKind)


@pytest.fixture
def run(archive):
    return archive.put_run("d", "run", {})


def unmetered(second=0):
    return replied(second, cost=None, cost_source=None, usage=Usage())


def sums(archive, run):
    committed = archive.committed(run)
    return committed.cost, committed.reserved, [one.attempt for one in committed.unpriced]


def test_what_is_set_aside_counts_until_the_try_says_what_it_cost(archive, run):
    assert sums(archive, run) == (0, 0, [])
    archive.put_reservations([set_aside(run, FIRST)])
    assert sums(archive, run) == (0, 0.25, [])
    archive.put_calls([call(FIRST, replied(), run)])
    assert sums(archive, run) == (0.0125, 0, [])


@pytest.mark.parametrize("kind", KINDS)
def test_a_failed_try_counts_as_long_as_its_end_is_unknown(archive, run, kind):
    archive.put_reservations([set_aside(run, FIRST)])
    archive.put_calls([call(FIRST, failed(0, kind), run)])
    assert sums(archive, run) == (0, 0.25 if kind in UNKNOWN else 0, [])


def test_a_reply_that_doesnt_say_its_tokens_counts_as_what_was_set_aside(archive, run):
    archive.put_reservations([set_aside(run, FIRST)])
    archive.put_calls([call(FIRST, unmetered(), run)])
    assert sums(archive, run) == (0, 0.25, [])


def test_another_try_at_the_same_request_settles_nothing_of_this_one(archive, run):
    archive.put_reservations([set_aside(run, FIRST, n, 0.25 * 2**n) for n in range(3)])
    archive.put_calls([call(FIRST, failed(0), run), call(FIRST, replied(2), run)])
    assert sums(archive, run) == (0.0125, 0.5, [])


def test_tries_without_a_limit_are_left_for_the_caller_to_price(archive, run, monkeypatch):
    monkeypatch.setattr("grader.archive.money.PORTION", 2)
    unknown = [failed(n, kind) for n, kind in enumerate(KINDS)]
    archive.put_calls([call(FIRST, one, run) for one in [*unknown, unmetered(50), replied(51)]])
    cost, reserved, unpriced = sums(archive, run)
    assert (cost, reserved) == (0.0125, 0)
    assert unpriced == [*(one for one in unknown if one.failure in UNKNOWN), unmetered(50)]


def test_each_run_has_its_own_limit(archive, run):
    other = archive.put_run("e", "other", {})
    archive.put_reservations([set_aside(other, FIRST), set_aside(run, FIRST, most=1.0)])
    archive.put_calls([call(asked("x"), failed(0, "timeout"), other)])
    assert sums(archive, run) == (0, 1.0, [])
    assert sums(archive, other) == (0, 0.25, [failed(0, "timeout")])


def test_setting_aside_again_sets_aside_once(archive, run):
    for _ in range(2):
        archive.put_reservations([set_aside(run, FIRST), set_aside(run, FIRST)])
    assert archive.counts()["reservations"] == 1


def test_a_journal_sets_aside_for_its_run_before_it_returns(archive, archive_url, run):
    journal = ArchiveJournal(archive, run, CARD).beside(CARD, "locator")

    async def scenario():
        await asyncio.gather(*(journal.reserve(one, NOON, 0.5) for one in REQUESTS))
        with open_archive(archive_url, create=False) as other:
            assert other.committed(run).reserved == 1.5
        await journal.keep(FIRST, replied(0))
        await ArchiveJournal(archive, None, CARD, "probe").reserve(FIRST, NOON, 9.0)

    asyncio.run(scenario())
    assert sums(archive, run) == (0.0125, 1.0, [])


def test_what_cant_be_set_aside_is_told_and_not_asked(archive, run):
    journal = ArchiveJournal(archive, replace(run, id=run.id + 1), CARD)

    async def scenario():
        return await asyncio.gather(
            journal.reserve(FIRST, NOON, 0.5), journal.known(FIRST), return_exceptions=True
        )

    refused, known = asyncio.run(scenario())
    assert "FOREIGN KEY" in str(refused).upper()
    assert known is None


def test_a_loop_that_closes_still_keeps_what_was_set_aside(archive, run):
    journal = ArchiveJournal(archive, run, CARD)

    async def scenario():
        asyncio.create_task(journal.reserve(FIRST, NOON, 0.5))  # noqa: RUF006
        await asyncio.sleep(0)

    asyncio.run(scenario())
    assert archive.committed(run).reserved == 0.5


KILLED = """
import asyncio, os, signal, sys
from grader.archive.journal import ArchiveJournal
from grader.archive.store import open_archive
from tests.archive.judged import CARD, NOON, asked

with open_archive(sys.argv[1]) as archive:
    journal = ArchiveJournal(archive, archive.runs()[0], CARD)

    async def ask():
        await asyncio.gather(*(journal.reserve(asked(str(n)), NOON, 0.5) for n in range(8)))
        os.kill(os.getpid(), signal.SIGKILL)

    asyncio.run(ask())
"""


def test_a_kill_gives_back_nothing_that_was_set_aside(archive_url):
    with open_archive(archive_url) as archive:
        run = archive.put_run("d", "run", {})
    done = subprocess.run([sys.executable, "-c", KILLED, archive_url], check=False, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    with open_archive(archive_url, create=False) as archive:
        assert archive.committed(run).reserved == 4.0
