"""What a suite asks is what its plan said, nothing is paid twice, and verdicts of runs stay as they are."""

from __future__ import annotations

import pytest

from grader.archive.store import open_archive
from grader.audit.plan import plan, priced
from grader.grade.asking import JudgeRequest
from tests.audit.audited import audited, graded, replying, write_card, write_run, write_suite
from tests.model_server import model_server

PRICE = "{input = 1.0, output = 4.0}"


@pytest.fixture
def prepared(archive_url, tmp_path):
    """A graded run, a suite, the server's books and the archive."""
    run = write_run(tmp_path / "set", 6, 2)
    with model_server(replying()) as server, open_archive(archive_url) as archive:
        card = write_card(tmp_path, server.base_url, price=PRICE)
        graded(run, archive, card)
        yield archive, card, write_suite(tmp_path, 8, 12), server


def test_the_plan_says_how_many_calls_will_be_made_and_what_is_paid_already(prepared):
    archive, card, suite, server = prepared
    before = server.counts.received.total()
    told = priced(plan(suite, card, archive), JudgeRequest(card))
    assert server.counts.received.total() == before
    _, done = audited(suite, card, archive)
    assert done.whole
    assert server.counts.received.total() - before == told.calls == done.replies
    # the grading's own calls are the bases of retest, verbosity, order and the first round of drift
    assert told.paid == {"A6": 8, "A9": 0, "A10": 8, "A11": 8, "A16": 4}
    assert priced(plan(suite, card, archive), JudgeRequest(card)).calls == 0


def test_asking_again_pays_nothing_and_changes_nothing(prepared):
    archive, card, suite, server = prepared
    audited(suite, card, archive)
    before = server.counts.received.total(), archive.counts()
    _, again = audited(suite, card, archive)
    assert again.whole
    assert (server.counts.received.total(), archive.counts()) == before


def test_no_verdict_of_a_run_comes_of_an_audit_and_no_run_pays_for_one(prepared):
    archive, card, suite, _ = prepared
    (run,) = archive.runs()
    before = archive.counts()["verdicts"], archive.spent(run), archive.committed(run).cost
    audited(suite, card, archive)
    assert (archive.counts()["verdicts"], archive.spent(run), archive.committed(run).cost) == before
    assert {call.purpose for call in archive.calls() if call.run_id is None} == {"audit"}
