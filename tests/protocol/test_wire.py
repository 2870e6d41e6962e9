"""Nothing private leaves in a run, and what is visible is sent where and as often as it should be."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from grader.model.request import Endpoint
from grader.problem.set import ProblemSet, load_set
from grader.protocol.asking import Provider
from grader.protocol.batch import Batch
from grader.protocol.command import Command
from grader.protocol.plan import Condition, Plan
from grader.protocol.profile import load_profile
from grader.protocol.reader import Reader
from grader.protocol.request import RunRequest
from grader.protocol.run import run
from grader.protocol.solver import Solver, SolverParameters, SolverSpec
from grader.protocol.state import RunState
from grader.protocol.turns import MODES, PROTOCOLS, Oracle
from tests.model_server import model_server
from tests.protocol.planted_leaks import PLANTED
from tests.protocol.private_sets import write_set
from tests.protocol.shown_to_models import Setting
from tests.protocol.wire import (
    READER,
    SOLVER,
    Sent,
    Speaker,
    check,
    put_into_batch,
    told_to_program,
    told_to_server,
)

CONDITIONS: list[Condition] = list(product(PROTOCOLS, MODES))


WAITING_FOR_NOTHING: list[Condition] = list(
    product(("full_problem", "oracle_scaffolded"), ("multimodal", "text_only"))
)
"""The conditions that a batch can hold."""
PROGRAM = Path(__file__).with_name("speaking_program.py")


def planned(problems: ProblemSet, setting: Setting, out: Path, solver: Solver, base: str) -> RunRequest:
    """All nine conditions under a setting."""
    oracle, told = Oracle(setting.scope, setting.session), setting.descriptions
    return RunRequest(
        problems,
        solver,
        Plan(list(problems.problems.values()), CONDITIONS, oracle=oracle, descriptions=told),
        load_profile(setting.profile),
        out,
        reader=Reader(Endpoint(f"openai/{READER}", base), {"max_tokens": 99}, descriptions=told),
    )


def by_server(problems: ProblemSet, setting: Setting, out: Path) -> tuple[list[Sent], Speaker]:
    """What a model behind an API and its reader are sent, and what they said."""
    speaker = Speaker()
    with model_server(speaker) as server:
        endpoint = Endpoint(f"openai/{SOLVER}", server.base_url)
        solver = Solver("s", endpoint, {"max_tokens": 99}, vision=True)
        request = planned(problems, setting, out, solver, server.base_url)
        state = run(request, Provider(request))
    _has_ended(state)
    return [*map(told_to_server, server.requests)], speaker


def by_program(problems: ProblemSet, setting: Setting, out: Path) -> tuple[list[Sent], Speaker]:
    """What a program reads on its standard input, and its reader behind an API is sent."""
    speaker, log = Speaker(), out.with_suffix(".log")
    cmd = shlex.join([sys.executable, str(PROGRAM), str(log)])
    with model_server(speaker) as server:
        solver = SolverSpec(cmd=cmd, parameters=SolverParameters(max_tokens=99)).solver()
        request = planned(problems, setting, out, solver, server.base_url)
        state = run(request, Command(request, Provider(request)))
    _has_ended(state)
    speaker.said, speaker.asked = json.loads(log.with_suffix(".said").read_text())
    lines = log.read_bytes().splitlines(keepends=True)
    return [*map(told_to_program, lines), *map(told_to_server, server.requests)], speaker


def by_batch(problems: ProblemSet, setting: Setting, out: Path) -> tuple[list[Sent], Speaker]:
    """What a batch file holds."""
    base, batch = "http://127.0.0.1:9/v1", out.with_suffix(".batch")
    solver = Solver("s", Endpoint(f"openai/{SOLVER}", base), {"max_tokens": 99}, vision=True)
    request = planned(problems, setting, out, solver, base)
    request = replace(request, plan=replace(request.plan, conditions=WAITING_FOR_NOTHING), reader=None)
    run(request, Batch(request, batch, ()))
    return [*map(put_into_batch, batch.read_bytes().splitlines())], Speaker()


def _has_ended(state: RunState) -> None:
    """A run that fails shows nothing; it is no leak that is found."""
    if not state.complete:
        raise RuntimeError(state.failures)


WAYS: Mapping[str, tuple[Any, Sequence[Condition]]] = {
    "server": (by_server, CONDITIONS),
    "program": (by_program, CONDITIONS),
    "batch": (by_batch, WAITING_FOR_NOTHING),
}
"""How something leaves, and under which conditions."""


def send(folder: Path, seed: int, count: int, settings: Sequence[Setting], way: str = "server") -> None:
    """Run a set of problems in all conditions under each setting, and look at all that was sent."""
    root, made = write_set(folder, seed, count)
    problems, (sent_by, conditions) = load_set(root), WAYS[way]
    for number, setting in enumerate(settings):
        sent, speaker = sent_by(problems, setting, folder / f"{number}.jsonl")
        check(sent, speaker, made, setting, str(folder), conditions)


@pytest.mark.parametrize(
    "setting",
    [
        Setting("plain"),
        Setting("plain", "all", "shared", descriptions=True),
        Setting("parity", "all"),
        Setting("parity", "none", "shared"),
    ],
)
def test_a_model_is_sent_what_it_should_see_and_nothing_else(tmp_path: Path, setting: Setting) -> None:
    send(tmp_path, 900 + len(setting.scope), 5, [setting])


@pytest.mark.parametrize(
    ("way", "setting"),
    [
        ("program", Setting("plain")),
        ("program", Setting("parity", "all", "shared", descriptions=True)),
        ("batch", Setting("plain", "all")),
        ("batch", Setting("parity")),
    ],
)
def test_programs_read_and_batches_hold_what_they_should_and_nothing_else(
    tmp_path: Path, way: str, setting: Setting
) -> None:
    send(tmp_path, 900 + len(setting.scope), 4, [setting], way)


@pytest.mark.slow
@pytest.mark.parametrize("descriptions", [False, True])
@pytest.mark.parametrize("session", ["isolated", "shared"])
@pytest.mark.parametrize("scope", ["previous", "all", "none"])
def test_two_hundred_problems_are_sent_so_in_nine_conditions_under_both_profiles(
    tmp_path: Path, scope: Any, session: Any, descriptions: bool
) -> None:
    seed = [*product(("previous", "all", "none"), ("isolated", "shared"), (False, True))].index(
        (scope, session, descriptions)
    )
    settings = [Setting(profile, scope, session, descriptions) for profile in ("plain", "parity")]
    send(tmp_path, seed, 17, settings)


# The test of the test: what it has to notice

QUICK = {
    "server": ("a rubric line", "metadata", "a sub_id under plain", "a name in a header"),
    "program": ("a result that isn't granted", "a name in a header"),
    "batch": ("a rubric line", "metadata", "anything beside the messages"),
}
"""The others are planted by make test-all."""
NOT_IN_A_BATCH = ("more than a question to the reader", "another figure to the reader")
"""A reader is asked in no batch."""
SEED = 977
"""Makes two problems in which each of the leaks has something to show."""


@pytest.mark.parametrize(
    ("way", "planted"),
    [
        pytest.param(way, name, marks=() if name in QUICK[way] else pytest.mark.slow, id=f"{way}-{name}")
        for way in WAYS
        for name in PLANTED
        if (way, name) not in product(["batch"], NOT_IN_A_BATCH)
    ],
)
def test_a_leak_that_is_planted_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str, planted: str
) -> None:
    PLANTED[planted](monkeypatch)
    with pytest.raises(AssertionError):
        send(tmp_path, SEED, 2, [Setting("plain")], way)


def test_a_conversation_that_names_its_problem_to_a_program_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.protocol.command.conversation", lambda request: request.conversation)
    with pytest.raises(AssertionError):
        send(tmp_path, SEED, 2, [Setting("plain")], "program")
