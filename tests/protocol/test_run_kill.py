"""A run that is killed, and gone on with by the same command, ends as one that nobody disturbed."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.model_server import PASSING, Faults, ModelServer, model_server, request_hash
from tests.protocol.running import responses, small_set

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "problems" / "demo"
IN_FLIGHT = 4
"""Requests at once, to the solver and to its reader each."""
ORDINALS = range(3, 223, 11)
FAULTS = Faults(share=0.15, most=1, kinds=PASSING)


def argus(*words):
    """A process of the command."""
    command = [sys.executable, "-m", "grader", "run", *map(str, words)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(process):
    """How it ended, and what it said."""
    out, err = process.communicate(timeout=300)
    assert "Traceback" not in err
    return process.returncode, out + err


def made(out):
    """All that a run holds but times and costs, by what each response is to."""
    kept = {}
    for one in responses(out):
        calls = [
            {name: call.get(name) for name in ("figure", "question", "answer", "error", "usage")}
            for call in one.meta.get("reader_calls", [])
        ]
        rest = {name: one.meta.get(name) for name in ("input", "usage", "carried", "reasoning")}
        kept[one.key] = (one.text, one.finish_reason, one.error, calls, rest)
    return kept


# A program: nothing to load, so that it is quick


@pytest.fixture
def by_program(tmp_path):
    """Makes or goes on with a run in a folder, whose program sends it a signal at an ordinal."""
    small_set(tmp_path / "set")
    script, program = tmp_path / "program.sh", Path(__file__).with_name("killing_program.py")
    solver = tmp_path / "solver.toml"
    solver.write_text(f'cmd = "{script}"\nname = "program"\nlimits = {{concurrency = {IN_FLIGHT}}}\n')

    def go_on(folder, ordinal, sent=signal.SIGKILL):
        folder.mkdir(exist_ok=True)
        words = [sys.executable, "-ISE", program, folder / "log", ordinal, int(sent)]
        # its path is part of what is asked, so it stays where it is
        script.write_text("#!/bin/sh\nexec " + shlex.join(map(str, words)) + "\n")
        script.chmod(0o700)
        options = ["--model", solver, "--protocol", "all", "-o", folder / "run.jsonl"]
        return ended(argus(tmp_path / "set", *options))

    return go_on


def test_a_run_that_is_killed_twice_is_whole_and_asks_again_at_most_what_was_in_flight(tmp_path, by_program):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert by_program(whole, 0)[0] == 0
    assert [by_program(killed, ordinal)[0] for ordinal in (3, 6, 0)] == [-signal.SIGKILL] * 2 + [0]
    assert made(killed / "run.jsonl") == made(whole / "run.jsonl")
    answered = Counter((killed / "log").read_text().splitlines())
    assert set(answered) == set((whole / "log").read_text().splitlines())
    assert answered.total() - len(answered) <= 2 * IN_FLIGHT


def test_ctrl_c_ends_a_run_in_words_and_keeps_what_was_answered(tmp_path, by_program):
    code, said = by_program(tmp_path / "run", 4, signal.SIGINT)
    assert code == 130
    assert said == "argus: interrupted; what was done is kept, run the same command to go on\n"
    assert by_program(tmp_path / "run", 0)[0] == 0
    answered = (tmp_path / "run" / "log").read_text().splitlines()
    assert len(answered) - len(set(answered)) <= IN_FLIGHT


# A server that fails


class Killing:
    """What a server says, and whom it kills when it has been asked so often."""

    def __init__(self, say):
        self.say = say
        self.server: ModelServer | None = None
        self.pid = self.at = 0

    def __call__(self, body):
        assert self.server is not None
        if self.pid and self.server.counts.received.total() >= self.at:
            os.kill(self.pid, signal.SIGKILL)
            self.pid = 0
        return self.say(body)

    def killed(self, process, ordinal):
        """Whether the process was killed at the ordinal, or how else it ended."""
        self.at, self.pid = ordinal, process.pid
        code, said = ended(process)
        self.pid = 0
        assert code == -signal.SIGKILL, said
        assert self.server is not None
        while self.server.counts.in_flight:  # those whose client has died
            os.sched_yield()


def speak(body):
    """Depends on all that was asked; with a reader it is asked as often as the request's hash says."""
    name, messages = request_hash(body), body["messages"]
    used = sum(message["role"] == "tool" for message in messages)
    if body.get("tools") and used < int(name, 16) % 3:
        figures = body["tools"][0]["function"]["parameters"]["properties"]["figure"]["enum"]
        arguments = {"figure": figures[int(name, 16) % len(figures)], "question": f"What is it, {used}?"}
        function = {"name": "read_image", "arguments": json.dumps(arguments)}
        call = {"id": f"c{used}", "type": "function", "function": function}
        return {"role": "assistant", "content": None, "tool_calls": [call]}
    return {"role": "assistant", "content": f"The answer to {name}."}


def kept(out):
    """The ids of the replies that the journal holds."""
    lines = map(json.loads, out.with_suffix(".calls.jsonl").read_bytes().splitlines())
    return {line["attempt"]["raw"]["id"] for line in lines if line.get("attempt", {}).get("raw")}


def model(path, server, name):
    """The settings of a solver or a reader."""
    path.write_text(
        f'model = "openai/{name}"\napi_base = "{server.base_url}"\nprice = {{input = 1.0, output = 4.0}}\n'
        f"limits = {{concurrency = {IN_FLIGHT}, timeout = 4}}\nparameters = {{max_tokens = 100}}\n"
    )
    return path


@pytest.mark.slow
def test_a_run_of_nine_conditions_amid_faults_killed_twenty_times_is_whole_and_pays_twice_at_most_in_flight(
    tmp_path,
):
    killing = Killing(speak)
    out = tmp_path / "run.jsonl"
    allowed: Counter[str] = Counter()
    with model_server(killing, FAULTS) as server:
        killing.server = server
        solver, reader = (model(tmp_path / f"{name}.toml", server, name) for name in ("mind", "eyes"))
        options = ["--protocol", "all", "--mode", "all", "--vision", "--model", solver, "--reader", reader]
        for ordinal in ORDINALS:
            killing.killed(argus(DEMO, *options, "-o", out), ordinal)
            replies = kept(out)
            lost = {name for name in server.counts.completed if f"chatcmpl-{name[:24]}" not in replies}
            assert len(lost) <= 2 * IN_FLIGHT
            allowed.update(lost)
        code, said = ended(argus(DEMO, *options, "-o", out))
        assert code == 0, said
        assert set(server.counts.faults) == set(PASSING)
        paid_again = {name: count - 1 for name, count in server.counts.completed.items()}
        assert all(count <= allowed[name] for name, count in paid_again.items())
        assert len(kept(out)) == len(server.counts.completed)
    with model_server(speak) as server:
        whole = tmp_path / "whole.jsonl"
        solver, reader = (model(tmp_path / f"{name}.toml", server, name) for name in ("mind", "eyes"))
        code, said = ended(argus(DEMO, *options, "-o", whole))
        assert code == 0, said
    assert made(out) == made(whole)
    assert len(made(out)) == 3 * (4 + 22 + 22)
