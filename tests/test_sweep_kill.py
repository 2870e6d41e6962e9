"""A sweep that is killed anywhere never passes its limit, and pays nothing twice but what was in flight."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from examples.scripted_solver import Solver, read_set
from grader.archive.store import open_archive
from grader.sweep import Sweep, load_sweep, look, run_sweep
from tests.grade.judged import at_once
from tests.model_server import Faults, ModelServer, model_server
from tests.protocol.running import responses
from tests.sweeping import JUDGE, LIMITS, reader, solver, speak, sweep_file, write_judge

ROOT = Path(__file__).resolve().parents[1]
DEMO = ROOT / "problems" / "demo"
IN_FLIGHT = 4 * LIMITS["concurrency"]
"""Two solvers, their reader and the judge."""
FAULTS = ("429", "500", "broken", "truncated", "html")
KILLS_OF_RUN, KILLS_OF_GRADING = 14, 6
LIMIT = 0.4
"""US dollars: for all of it and for what is lost in flight, and not for all of it twice."""


class Killing:
    """What a server says, and whom it kills when solvers and reader, or a judge, were asked so often."""

    def __init__(self, say=speak) -> None:
        self.say = say
        self.asked: Counter[bool] = Counter()
        """By whether it is the judge."""
        self.pid = 0
        self.at = (False, 0)

    def __call__(self, body):
        whom, count = self.at
        self.asked[body["model"] == JUDGE] += 1
        if self.pid and self.asked[whom] >= count:
            os.kill(self.pid, signal.SIGKILL)
            self.pid = 0
        return self.say(body)


class Case:
    """One sweep, killed again and again."""

    def __init__(
        self,
        path: Path,
        server: ModelServer,
        killing: Killing,
        command: tuple[str, ...] = ("tests.interrupted_sweep",),
        limit: float = LIMIT,
    ) -> None:
        self.path, self.server, self.killing = path, server, killing
        self.command, self.limit = command, limit
        self.printed = ""
        self.lost: Counter[str] = Counter()
        """Replies that nobody kept, as whoever was told them was killed."""

    @property
    def sweep(self) -> Sweep:
        return load_sweep(self.path)

    def go(self, *words: str) -> int:
        """Go on with it until it ends or is killed; how it ended."""
        command = [sys.executable, "-m", *self.command, str(self.path), *words]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, cwd=ROOT, stdout=pipe, stderr=pipe, text=True) as process:
            self.killing.pid = process.pid if self.killing.at[1] else 0
            self.printed, said = process.communicate(timeout=120)
        self.killing.pid, self.killing.at = 0, (False, 0)
        assert "Traceback" not in said
        while self.server.counts.in_flight:  # those whose client has died
            os.sched_yield()
        assert self.server.counts.cost <= self.limit
        return process.returncode

    def kill(self, judge: bool, more: int) -> None:
        """Kill it after so many more requests to solvers and reader, or to the judge."""
        self.killing.at = (judge, self.killing.asked[judge] + more)
        self.count(self.go())

    def count(self, code: int) -> None:
        assert code == -signal.SIGKILL
        kept = self.kept()
        lost = {one for one in self.server.counts.completed if f"chatcmpl-{one[:24]}" not in kept}
        assert len(lost) <= IN_FLIGHT
        self.lost.update(lost)

    def kept(self) -> set[str]:
        """The ids of the replies that journal and archive hold."""
        text = self.sweep.journal.read_text()
        if self.sweep.archive.exists():
            with open_archive(str(self.sweep.archive)) as archive:
                text += str([call.attempt.raw for call in archive.calls()])
        return {one[:33] for one in text.split('"') + text.split("'") if one.startswith("chatcmpl-")}


@pytest.mark.slow
def test_a_sweep_killed_while_it_asks_while_it_grades_and_in_between(tmp_path):
    killing = Killing()
    conditions = {"protocols": ["full_problem", "sequential_carry"], "modes": ["multimodal", "text_reader"]}
    with model_server(killing, Faults(share=0.15, kinds=FAULTS, seed=5)) as server:
        models = [solver(server, "a"), solver(server, "b")]
        shown = {"judge": write_judge(tmp_path, server), "reader": reader(server), **conditions}
        case = Case(sweep_file(tmp_path, models, max_cost=LIMIT, **shown), server, killing)
        for more in (3, 15):
            case.kill(False, more)
        case.count(case.go("between"))
        assert not killing.asked[True]
        assert {row.progress for row in look(case.sweep).rows()} == {"answered"}
        for more in (1, 9):
            case.kill(True, more)
        assert case.go() == 0
        assert all(count - 1 <= case.lost[name] for name, count in server.counts.completed.items())
        assert set(server.counts.faults) == set(FAULTS)
        asked = server.counts.received.total()
        made = run_sweep(case.sweep, wait=at_once)
        assert made.complete
        assert server.counts.received.total() == asked
        texts = [{one.key: one.text for one in responses(request.out)} for request in made.sweep.requests]
    assert [len(one) for one in texts] == [2 * (2 + 4)] * 2
    undisturbed = tmp_path / "undisturbed"
    undisturbed.mkdir()
    with model_server(speak) as server:
        models = [solver(server, "a"), solver(server, "b")]
        shown = {"judge": write_judge(undisturbed, server), "reader": reader(server), **conditions}
        whole = run_sweep(load_sweep(sweep_file(undisturbed, models, max_cost=LIMIT, **shown)), wait=at_once)
    assert texts == [
        {one.key: one.text for one in responses(request.out)} for request in whole.sweep.requests
    ]
    assert [row.score for row in made.rows()] == [row.score for row in whole.rows()]


# The command, over the demo


def speak_of_the_demo():
    """A solver that asks its reader once a turn and repeats the chemist's replies; a judge who likes all."""
    strong = Solver(read_set(DEMO), "images")

    def say(body):
        message: Any = speak(body)
        if body["model"] in (JUDGE, "eye") or message["content"] is None:
            return message
        return {"role": "assistant", "content": strong.reply(body["messages"])["text"]}

    return say


def demo_case(folder: Path, server: ModelServer, killing: Killing, limit: float) -> Case:
    """Nine conditions of one solver, run and graded by ``argus bench`` under a limit."""
    folder.mkdir(exist_ok=True)
    shown = {
        "problems": str(DEMO),
        "protocols": ["full_problem", "sequential_carry", "oracle_scaffolded"],
        "modes": ["multimodal", "text_only", "text_reader"],
        "reader": reader(server),
        "judge": write_judge(folder, server, parameters={"max_tokens": 2000}),
        "max_cost": limit,
    }
    return Case(
        sweep_file(folder, [solver(server, "a")], **shown), server, killing, ("grader", "bench"), limit
    )


@pytest.mark.slow
def test_nine_conditions_over_the_demo_killed_twenty_times_amid_faults_end_as_if_undisturbed(tmp_path):
    undisturbed, killing = Killing(speak_of_the_demo()), Killing(speak_of_the_demo())
    with model_server(undisturbed) as server:
        whole = demo_case(tmp_path / "whole", server, undisturbed, 10.0)
        ended = whole.go("--json")
        cost, asked = server.counts.cost, undisturbed.asked
    with model_server(killing, Faults(share=0.15, most=1, kinds=FAULTS, seed=5)) as server:
        case = demo_case(tmp_path / "killed", server, killing, cost / 3)
        assert case.go() == 3  # the limit is used up
        # for all of it and for what is lost in flight, and not for all of it twice
        case = demo_case(tmp_path / "killed", server, killing, 1.5 * cost)
        # two thirds are left to ask, and every fault and loss only adds to it
        for _ in range(KILLS_OF_RUN):
            case.kill(False, asked[False] // (2 * KILLS_OF_RUN))
        for _ in range(KILLS_OF_GRADING):
            case.kill(True, asked[True] // (KILLS_OF_GRADING + 1))
        assert case.go("--json") == ended
        assert all(count - 1 <= case.lost[name] for name, count in server.counts.completed.items())
        assert set(server.counts.faults) == set(FAULTS)
    assert texts_of(case) == texts_of(whole)
    assert len(texts_of(case)) == 3 * (4 + 22 + 22)
    made, found = json.loads(case.printed), json.loads(whole.printed)
    assert [made[part] for part in ("scores", "gaps")] == [found[part] for part in ("scores", "gaps")]
    states = [[cell["state"] for cell in one["runs"][0]["cells"]] for one in (made, found)]
    assert states[0] == states[1]


def texts_of(case: Case) -> dict[object, str]:
    """All that the sweep's solver answered."""
    (request,) = case.sweep.requests
    return {one.key: one.text for one in responses(request.out)}
