"""A run whose texts hold the canary of its set is refused before anything is asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.errors import ProblemError
from grader.model.request import Endpoint
from grader.problem.set import load_set
from grader.protocol.plan import Plan
from grader.protocol.profile import load_profile
from grader.protocol.request import RunRequest
from grader.protocol.solver import Solver
from grader.protocol.turns import ShownProtocol
from tests.problem.valid_set import ValidSet

GUID = "1F0b2f5e-6a44-4c29-9d0e-3c1a7b9d2e55"
CANARY = f"This set is for measuring alone.\ncanary {GUID}\n"


def request(
    valid: ValidSet, protocol: ShownProtocol = "sequential_carry", canary: str | None = CANARY
) -> RunRequest:
    if canary is not None:
        valid.put("canary.txt", canary.encode())
    problems = load_set(valid.write())
    plan = Plan(list(problems.problems.values()), [(protocol, "text_only")])
    solver = Solver("m", Endpoint("openai/m"), {"max_tokens": 10}, vision=True)
    return RunRequest(problems, solver, plan, load_profile("plain"), valid.root / "run.jsonl")


@pytest.fixture
def valid(tmp_path: Path) -> ValidSet:
    return ValidSet(tmp_path)


def _header(valid: ValidSet, text: str) -> None:
    valid.first["header"] = text


def _question(valid: ValidSet, text: str) -> None:
    valid.sub(1)["text_open"] = text


def _description(valid: ValidSet, text: str) -> None:
    valid.first["header_images"][0]["description"] = text


def _input_file(valid: ValidSet, text: str) -> None:
    valid.sub()["files"] = ["data.csv"]
    valid.put("tasks/acid-1/files/data.csv", text.encode() + b"\xff")


@pytest.mark.parametrize(
    ("put", "where"),
    [
        (_header, "the header of acid-1"),
        (_question, "the text of acid-1-2"),
        (_description, "the description of curve.png in acid-1"),
        (_input_file, "the input file data.csv of acid-1-1"),
    ],
)
@pytest.mark.parametrize(
    "text",
    [CANARY, f"See {GUID.upper()}.", "this set  is for\nmeasuring ALONE.", f"x\n{CANARY.strip()}\ny"],
)
def test_a_text_that_holds_the_canary_is_named(
    valid: ValidSet, put: Callable[[ValidSet, str], None], where: str, text: str
) -> None:
    put(valid, text)
    with pytest.raises(ProblemError, match="holds the set's canary") as refused:
        request(valid)
    (fault,) = refused.value.faults
    assert fault.got == where
    assert GUID not in str(fault)


def test_a_standard_result_counts_where_it_is_granted(valid: ValidSet) -> None:
    valid.sub()["standard_result"] = f"It is 4.76 ({GUID})."
    assert request(valid)
    with pytest.raises(ProblemError, match="the standard result of acid-1-1"):
        request(valid, "oracle_scaffolded")


def test_every_text_is_named(valid: ValidSet) -> None:
    _header(valid, GUID)
    _question(valid, GUID)
    with pytest.raises(ProblemError) as refused:
        request(valid)
    assert len(refused.value.faults) == 2


@pytest.mark.parametrize("canary", [None, "", " \n", "canary 1234", CANARY])
def test_a_set_whose_canary_stands_alone_is_run(valid: ValidSet, canary: Any) -> None:
    assert request(valid, "oracle_scaffolded", canary)


def test_a_short_canary_counts_as_a_whole(valid: ValidSet) -> None:
    _header(valid, "Is 1234 the canary 1234?")
    with pytest.raises(ProblemError, match="canary"):
        request(valid, canary="canary 1234")
