"""A judge that changed is told from one that didn't, on anchors that stay what they were."""

from __future__ import annotations

import pytest

from grader.archive.store import open_archive
from grader.audit.asked_anew.plan import plan
from grader.audit.asked_anew.pricing import priced
from grader.audit.asked_anew.results import results
from grader.audit.result import Audit, NotAudited
from grader.grade.asking import JudgeRequest
from tests.audit.audited import audited, graded, replying, sound, write_card, write_run, write_suite
from tests.model_server import model_server


def lenient(point_id, body):
    """Gives the second point away."""
    return sound(point_id, body) or point_id == "w1"


def drift_of(archive, suite, card):
    return next(one for one in results(archive, suite, card) if one.id == "A16")


@pytest.fixture
def prepared(tmp_path):
    run = write_run(tmp_path / "set", 12, 2)
    with model_server(replying()) as server, open_archive(str(tmp_path / "argus.db")) as archive:
        card = write_card(tmp_path, server.base_url)
        graded(run, archive, card)
        suite = write_suite(tmp_path, 5, 72)
        audited(suite, card, archive, only=("A16",))
        yield archive, card, suite, server


@pytest.mark.slow
def test_a_model_that_changed_behind_its_name_is_found(prepared):
    archive, card, suite, server = prepared
    assert isinstance(drift_of(archive, suite, card), NotAudited)
    server.reply = replying(lenient)
    audited(suite, card, archive, only=("A16",), again=True)
    found = drift_of(archive, suite, card)
    assert isinstance(found, Audit)
    (since,) = [one for one in found.measures if one.name == "credit gained since"]
    assert since.flagged
    assert since.value == pytest.approx(len(found.cases) / 72)
    assert "The judge drifted from version 1 to version 2" in found.says[0]
    assert all("w1" in case.where and len(case.calls) == 2 for case in found.cases)
    assert any("round 2, served by scripted-2026-01-01 (24)" in note for note in found.notes)


@pytest.mark.slow
def test_a_model_that_did_not_change_is_cleared_at_every_version(prepared):
    archive, card, suite, _ = prepared
    for _ in range(2):
        audited(suite, card, archive, only=("A16",), again=True)
    found = drift_of(archive, suite, card)
    assert isinstance(found, Audit)
    assert not any(one.flagged for one in found.measures)
    assert found.cases == ()
    assert [one.of for one in found.measures if one.name == "credit gained since"] == [
        "version 1 to version 2",
        "version 2 to version 3",
        "version 1 to version 3",
    ]


@pytest.mark.slow
def test_another_card_of_the_name_is_a_version_and_is_asked_about_the_same_anchors(prepared, tmp_path):
    archive, card, suite, server = prepared
    anchors = archive.anchors(suite.designs["A16"].hash)
    write_run(tmp_path / "set", 12, 3)  # more answers don't change what is frozen
    other = write_card(tmp_path, server.base_url, parameters="{temperature = 0.5}")
    assert other.label != card.label
    told = priced(plan(suite, other, archive, only=("A16",)), JudgeRequest(other))
    assert told.calls == len(anchors) == 24
    server.reply = replying(lenient)
    audited(suite, other, archive, only=("A16",))
    assert archive.anchors(suite.designs["A16"].hash) == anchors
    found = drift_of(archive, suite, other)
    assert isinstance(found, Audit)
    assert found.judge == other.label
    assert any(one.flagged for one in found.measures)
    # the first card's own story ends with itself
    assert isinstance(drift_of(archive, suite, card), NotAudited)


@pytest.mark.slow
def test_a_round_that_was_not_finished_is_gone_on_with(prepared):
    archive, card, suite, server = prepared
    before = server.counts.received.total()
    server.reply = lambda body: ""  # nobody can read it: an outcome, not a failure
    audited(suite, card, archive, only=("A16",), again=True)
    assert server.counts.received.total() - before >= 24
    found = drift_of(archive, suite, card)
    assert isinstance(found, NotAudited)
