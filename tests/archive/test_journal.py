"""Nothing paid for is lost, however many calls end at once and whatever happens to the process."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections import Counter

import pytest
from sqlalchemy import text

from grader.archive.journal import ArchiveJournal
from grader.archive.store import open_archive
from grader.errors import ArgusError
from grader.model.reply import Journal, Reply
from tests.archive.judged import CARD, REQUESTS, asked, failed, replied

FIRST = REQUESTS[0]


@pytest.fixture
def transactions(archive, monkeypatch):
    """How many calls each transaction kept."""
    sizes = []
    put_calls = archive.put_calls

    def counted(entries):
        sizes.append(len(entries))
        put_calls(entries)

    monkeypatch.setattr(archive, "put_calls", counted)
    return sizes


def test_what_is_kept_is_known_from_then_on_whoever_asks(archive):
    run = archive.put_run("d", "run", {})
    journal: Journal = ArchiveJournal(archive, run, CARD)

    async def scenario():
        assert await journal.known(FIRST) is None
        await journal.keep(FIRST, failed(0))
        assert await journal.known(FIRST) is None
        await journal.keep(FIRST, replied(1))
        return await ArchiveJournal(archive, None, "euler@1").known(FIRST)

    assert asyncio.run(scenario()) == Reply(FIRST.key, replied(1), archived=True)
    (row,) = archive.spent(run).rows
    assert (row.card, row.purpose, row.spent.attempts) == (CARD, "judge", 2)


def test_calls_that_end_together_share_a_transaction(archive, transactions):
    journal = ArchiveJournal(archive, None, CARD)
    several = [asked(str(n)) for n in range(300)]

    async def scenario():
        assert await asyncio.gather(*(journal.known(one) for one in several)) == [None] * 300
        await asyncio.gather(*(journal.keep(one, replied(n)) for n, one in enumerate(several)))
        return await asyncio.gather(*(journal.known(one) for one in several))

    found = asyncio.run(scenario())
    assert [one and one.attempt for one in found] == [replied(n) for n in range(300)]
    assert transactions == [300]


def test_journals_beside_each_other_share_transactions_and_keep_their_names(archive, transactions):
    run = archive.put_run("d", "run", {})
    judge = ArchiveJournal(archive, run, CARD)
    locator = judge.beside("euler@1", "locator")

    async def scenario():
        await asyncio.gather(judge.keep(FIRST, replied(0)), locator.keep(asked("where?"), replied(0)))

    asyncio.run(scenario())
    assert transactions == [2]
    assert [(row.card, row.purpose) for row in archive.spent(run).rows] == [
        ("euler@1", "locator"),
        (CARD, "judge"),
    ]


def test_keeping_returns_only_after_the_commit(archive, archive_url):
    journal = ArchiveJournal(archive, None, CARD)

    async def scenario():
        for n in range(3):
            await journal.keep(asked(str(n)), replied(n))
            with open_archive(archive_url, create=False) as other:
                assert list(other.replies([asked(str(n)).key])) == [asked(str(n)).key]

    asyncio.run(scenario())


def test_a_database_that_fails_tells_everyone_who_waits(tmp_path, monkeypatch):
    monkeypatch.setattr("grader.archive.connect.BUSY_SECONDS", 0)
    with open_archive(str(tmp_path / "argus.db")) as archive:
        journal = ArchiveJournal(archive, None, CARD)

        async def scenario():
            kept = [journal.keep(one, replied(0)) for one in REQUESTS]
            return await asyncio.gather(*kept, journal.known(FIRST), return_exceptions=True)

        with open_archive(str(tmp_path / "argus.db")) as hog, hog.database.connect() as connection:
            connection.execute(text("DELETE FROM calls"))
            *refused, known = asyncio.run(scenario())
        assert [type(one).__name__ for one in refused] == ["ArchiveError"] * 3
        assert all(isinstance(one, ArgusError) and "busy" in str(one) for one in refused)
        assert known is None
        assert asyncio.run(scenario())[:3] == [None] * 3


def test_a_broken_request_is_not_blamed_on_the_reader(archive):
    journal = ArchiveJournal(archive, None, CARD)
    broken = replied(raw={"choices": object()})

    async def scenario():
        return await asyncio.gather(journal.keep(FIRST, broken), journal.known(FIRST), return_exceptions=True)

    refused, known = asyncio.run(scenario())
    assert "serializable" in str(refused)
    assert known is None


def test_one_waiter_who_gives_up_takes_nobody_along(archive):
    journal = ArchiveJournal(archive, None, CARD)

    async def scenario():
        first, second = (asyncio.create_task(journal.keep(one, replied(0))) for one in REQUESTS[:2])
        await asyncio.sleep(0)
        first.cancel()
        await second

    asyncio.run(scenario())
    assert set(archive.replies(one.key for one in REQUESTS)) == {one.key for one in REQUESTS[:2]}


@pytest.mark.parametrize("rounds", [0, 1, 2])
def test_a_loop_that_closes_still_keeps_what_was_paid_for(archive, rounds):
    journal = ArchiveJournal(archive, None, CARD)

    async def scenario():
        for one in REQUESTS:
            asyncio.create_task(journal.keep(one, replied(0)))  # noqa: RUF006
            await asyncio.sleep(0)
        for _ in range(rounds):
            await asyncio.sleep(0)

    asyncio.run(scenario())
    assert set(archive.replies(one.key for one in REQUESTS)) == {one.key for one in REQUESTS}


def test_a_journal_outlives_a_loop(archive):
    journal = ArchiveJournal(archive, None, CARD)
    for n in range(3):
        asyncio.run(journal.keep(asked(str(n)), replied(n)))
    assert archive.counts()["calls"] == 3


KILLED = """
import asyncio, os, signal, sys
from sqlalchemy import event
from grader.archive.journal import ArchiveJournal
from grader.archive.store import open_archive
from tests.archive.judged import CARD, asked, failed, replied

left = int(sys.argv[2])

def commit(connection):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

async def grade(journal):
    async def ask(n):
        for turn in range(4):
            request = asked(f"{n} {turn}")
            if await journal.known(request) is not None:
                continue
            for attempt in (failed(0), replied(1)):
                await journal.keep(request, attempt)
                print(f"{n} {turn} {attempt.failure}", flush=True)
    await asyncio.gather(*(ask(n) for n in range(20)))

with open_archive(sys.argv[1]) as archive:
    event.listen(archive.database, "commit", commit)
    asyncio.run(grade(ArchiveJournal(archive, None, CARD)))
"""


def killed_at(commit):
    return commit if commit == 4 else pytest.param(commit, marks=pytest.mark.slow)


@pytest.mark.parametrize("commit", [killed_at(n) for n in (1, 2, 3, 4, 5, 6)])
def test_a_kill_loses_nothing_whose_keeping_was_told(archive_url, commit):
    command = [sys.executable, "-c", KILLED, archive_url, str(commit)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    told = done.stdout.splitlines()
    assert len(told) < 160
    with open_archive(archive_url, create=False) as archive:
        keys = {asked(f"{n} {turn}").key: f"{n} {turn}" for n in range(20) for turn in range(4)}
        kept = Counter(f"{keys[one.key]} {one.attempt.failure}" for one in archive.calls())
        assert set(told) <= set(kept)
        assert set(kept.values()) <= {1}
        subprocess.run([*command[:-1], "0"], check=True, capture_output=True)
        assert len(archive.replies(keys)) == 80
        assert archive.counts()["calls"] == 160
