"""What a suite asks is what its plan said, nothing is paid twice, and verdicts of runs stay as they are."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

from grader.archive.audit_journal import AuditJournal
from grader.archive.store import open_archive
from grader.audit.asked_anew.before_judge import hear
from grader.audit.asked_anew.plan import plan
from grader.audit.asked_anew.pricing import priced
from grader.audit.asked_anew.tasks import task_of
from grader.audit.asked_anew.variants import Variant
from grader.errors import ArchiveBusy
from grader.grade.asking import JudgeRequest
from grader.model.archived import Archived
from tests.audit.audited import audited, graded, replying, write_card, write_run, write_suite
from tests.model_server import model_server

PRICE = "{input = 1.0, output = 4.0}"


@contextmanager
def graded_in(url, folder):
    """A graded run, a suite, the server's books and the archive."""
    run = write_run(folder / "set", 6, 2)
    with model_server(replying()) as server, open_archive(url) as archive:
        card = write_card(folder, server.base_url, price=PRICE)
        graded(run, archive, card)
        yield archive, card, write_suite(folder, 8, 12), server


@pytest.fixture
def prepared(tmp_path):
    """On SQLite."""
    with graded_in(f"sqlite:///{tmp_path / 'argus.db'}", tmp_path) as there:
        yield there


def test_the_plan_says_how_many_calls_will_be_made_and_what_is_paid_already(archive_url, tmp_path):
    with graded_in(archive_url, tmp_path) as there:
        check_planned(*there)


def check_planned(archive, card, suite, server):
    before = server.counts.received.total()
    told = priced(plan(suite, card, archive), JudgeRequest(card))
    assert server.counts.received.total() == before
    _, done = audited(suite, card, archive)
    assert done.whole
    assert server.counts.received.total() - before == told.calls == done.replies
    # the grading's own calls are the bases of retest, verbosity, order and the first round of drift
    assert told.paid == {"A6": 8, "A9": 0, "A10": 8, "A11": 8, "A16": 4}
    assert priced(plan(suite, card, archive), JudgeRequest(card)).calls == 0


def test_no_verdict_of_a_run_comes_of_an_audit_no_run_pays_for_one_and_nothing_is_paid_twice(prepared):
    archive, card, suite, server = prepared
    (run,) = archive.runs()
    before = archive.counts()["verdicts"], archive.spent(run), archive.committed(run).cost
    audited(suite, card, archive)
    assert (archive.counts()["verdicts"], archive.spent(run), archive.committed(run).cost) == before
    assert {call.purpose for call in archive.calls() if call.run_id is None} == {"audit"}
    books = server.counts.received.total(), archive.counts()
    _, again = audited(suite, card, archive)
    assert again.whole
    assert (server.counts.received.total(), archive.counts()) == books


@pytest.mark.slow
def test_every_outcome_follows_from_the_archived_calls_and_task(prepared):
    archive, card, suite, server = prepared
    audited(suite, card, archive)
    before = server.counts.received.total()
    for design in suite.designs.values():
        for row in archive.asked(design.hash, card.label):
            variant = Variant(
                row.variant, task_of(archive.audit_task(row.task)), row.repeat, row.calls, row.about
            )
            heard = asyncio.run(hear(card, variant, Archived(AuditJournal(archive, card.label))))
            assert (heard.outcome, heard.keys) == (row.outcome, row.keys)
    assert server.counts.received.total() == before


def test_a_limit_holds_for_all_audits_of_a_card_and_more_money_goes_on(prepared):
    archive, card, suite, server = prepared
    paid, limit = server.counts.cost, 0.12
    _, some = audited(suite, card, archive, max_cost=limit)
    assert not some.whole
    assert some.unasked["budget"] == sum(some.open.values()) > 0
    assert 0 < server.counts.cost - paid <= limit
    assert archive.audits_committed(card.label).cost == pytest.approx(server.counts.cost - paid)
    _, rest = audited(suite, card, archive, max_cost=10)
    assert rest.whole
    assert max(server.counts.completed.values()) <= 3  # the same body again is a repeat of A6


def test_nobody_else_audits_the_card_meanwhile(prepared):
    archive, card, suite, _ = prepared
    with archive.only_auditor(card.label), pytest.raises(ArchiveBusy, match="being audited"):
        audited(suite, card, archive)


@pytest.mark.slow
def test_a_killed_suite_goes_on_and_pays_twice_at_most_what_was_in_flight(tmp_path):
    url, run, in_flight = f"sqlite:///{tmp_path / 'argus.db'}", write_run(tmp_path / "set", 6, 2), 4
    kill: dict[str, int] = {}

    def reply(body):
        if kill and server.counts.received.total() >= kill["at"]:
            os.kill(kill["pid"], signal.SIGKILL)
            kill.clear()
        return replying()(body)

    with model_server(reply) as server:
        card = write_card(tmp_path, server.base_url, limits=f"{{concurrency = {in_flight}}}")
        with open_archive(url) as archive:
            graded(run, archive, card)
            suite = write_suite(tmp_path, 8, 12)
            told = priced(plan(suite, card, archive), JudgeRequest(card)).calls
        before = server.counts.received.total()
        command = [
            sys.executable,
            "-m",
            "tests.audit.audit_interrupted",
            str(suite.path),
            url,
            str(card.path),
        ]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
            kill.update(pid=child.pid, at=before + told // 2)
            _, errors = child.communicate()
        assert child.returncode == -signal.SIGKILL, errors
        with open_archive(url) as archive:
            _, done = audited(suite, card, archive)
            assert done.whole
            assert priced(plan(suite, card, archive), JudgeRequest(card)).calls == 0
        assert 0 < done.replies < told
        assert told <= server.counts.completed.total() - before <= told + in_flight
