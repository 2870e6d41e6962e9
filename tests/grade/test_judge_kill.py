"""A judging that is killed at a request pays again at most for what was in flight."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from grader.archive.store import open_archive
from tests.grade.judged import judge_by_number, judge_run, marks_of, verdicts, write_card, write_run
from tests.model_server import Faults, model_server

ANSWERS = 60
IN_FLIGHT = 8
LIMITS = f"{{concurrency = {IN_FLIGHT}, timeout = 20}}"
FEW, MANY = [7], [1, 2, 3, 5, 8, 11, 14, 18, 22, 25, 29, 33, 37, 41, 45, 49, 53, 57, 60]


def killed_at_request(run, url, card, ordinal, kill):
    command = [sys.executable, "-m", "tests.grade.judge_interrupted", str(run), url, str(card.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        kill.update(pid=child.pid, at=ordinal)
        _, errors = child.communicate()
    assert child.returncode == -signal.SIGKILL, errors


def check(tmp_path, archive_url, ordinal):
    run = write_run(tmp_path / "set", ANSWERS)
    kill: dict[str, int] = {}

    def reply(body):
        # a request that is refused never comes here: then the next one is the time
        if kill and server.counts.received.total() >= kill["at"]:
            os.kill(kill["pid"], signal.SIGKILL)
            kill.clear()
        return judge_by_number(body)

    with model_server(reply, Faults(share=0.1, kinds=("500", "prose"))) as server:
        card = write_card(tmp_path, server.base_url, limits=LIMITS, price="{input = 1.0, output = 4.0}")
        killed_at_request(run, archive_url, card, ordinal, kill)
        with open_archive(archive_url) as archive:
            result = judge_run(run, archive, card)
            given = verdicts(archive)
        paid_twice = sum(count - 1 for count in server.counts.completed.values())
    assert paid_twice <= IN_FLIGHT
    assert {one["sample"]: one["award"] for one in given} == {n: marks_of(n) / 2 for n in range(ANSWERS)}
    assert len(given) == ANSWERS
    # what was paid for and lost is the only difference between the server's books and the archive's
    assert server.counts.completed.total() - result.summary["judge"]["replies"] <= IN_FLIGHT


@pytest.mark.parametrize("ordinal", FEW)
def test_a_killed_judging_pays_twice_at_most_what_was_in_flight(tmp_path, archive_url, ordinal):
    check(tmp_path, archive_url, ordinal)


@pytest.mark.slow
@pytest.mark.parametrize("ordinal", MANY)
def test_a_judging_killed_at_any_request_pays_twice_at_most_what_was_in_flight(
    tmp_path, archive_url, ordinal
):
    check(tmp_path, archive_url, ordinal)
