"""An endpoint that fails in every way it can: nothing is lost, doubled or guessed."""

from __future__ import annotations

import pytest

from grader.archive.store import open_archive
from tests.grade.judged import (
    judge_by_number,
    judge_run,
    marks_of,
    number_in,
    verdicts,
    write_card,
    write_run,
)
from tests.model_server import Faults, model_server

ANSWERS, SOME = 500, 120
LIMITS = "{concurrency = 50, timeout = 3, attempts = 5, breaker = 100000}"
PRICE = "{input = 1.0, output = 4.0}"


@pytest.fixture
def archive(tmp_path):
    with open_archive(f"sqlite:///{tmp_path / 'argus.db'}") as opened:
        yield opened


def awards(archive):
    return {one["sample"]: one["award"] for one in verdicts(archive)}


@pytest.mark.slow
def test_faults_fewer_than_the_attempts_change_no_verdict(archive, tmp_path):
    run = write_run(tmp_path / "set", ANSWERS)
    with model_server(judge_by_number, Faults(share=0.3)) as server:
        card = write_card(tmp_path, server.base_url, limits=LIMITS, price=PRICE)
        result = judge_run(run, archive, card)
        assert server.counts.faults.total() > 100
        assert set(server.counts.faults) == set(Faults().kinds)
    assert len(verdicts(archive)) == ANSWERS
    assert awards(archive) == {number: marks_of(number) / 2 for number in range(ANSWERS)}
    assert result.summary["undetermined"] == []
    assert result.summary["judge"]["cost"] == pytest.approx(server.counts.cost, abs=1e-9)
    assert result.summary["judge"]["replies"] == server.counts.completed.total()


def test_faults_beyond_the_attempts_leave_exactly_those_points_open(archive, tmp_path):
    run = write_run(tmp_path / "set", SOME)
    faults = Faults(share=0.3, always=0.2, kinds=("429", "500", "broken", "truncated", "html", "prose"))
    with model_server(judge_by_number, faults) as server:
        card = write_card(tmp_path, server.base_url, limits=LIMITS, price=PRICE)
        result = judge_run(run, archive, card)
        failing = {number_in(body) for body in server.failed_for_ever}
    assert len(failing) > 10
    assert len(verdicts(archive)) == SOME
    decided = {sample: award for sample, award in awards(archive).items() if award is not None}
    assert decided == {number: marks_of(number) / 2 for number in range(SOME) if number not in failing}
    assert result.summary["undetermined"] == [{"reason": "call_failed", "points": len(failing)}]
    assert result.summary["judge"]["failed"] == len(failing)


def test_points_left_open_by_failed_calls_are_asked_again_and_the_others_are_not(archive, tmp_path):
    run = write_run(tmp_path / "set", SOME)
    faults = Faults(always=0.2, kinds=("500",))
    with model_server(judge_by_number, faults) as server:
        card = write_card(tmp_path, server.base_url, limits=LIMITS)
        judge_run(run, archive, card)
        open_before = len(server.failed_for_ever)
        server.faults = Faults()
        server.counts.received.clear()
        result = judge_run(run, archive, card)
        assert server.counts.received.total() == open_before > 10
    assert result.summary["undetermined"] == []
    current = {one["sample"]: one for one in verdicts(archive) if one["standing"]}
    assert {number: one["award"] for number, one in current.items()} == {
        number: marks_of(number) / 2 for number in range(SOME)
    }
