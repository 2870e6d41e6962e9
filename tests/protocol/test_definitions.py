"""Each protocol and mode is what its definition says, shown by models that are right under it alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from grader.archive.store import open_archive
from grader.grade import GradeRequest, grade
from grader.problem.set import load_set
from grader.protocol.asking import Provider
from grader.protocol.request import RunRequest
from grader.protocol.run import run_all
from grader.protocol.turns import MODES, PROTOCOLS
from tests.model_server import ModelServer, model_server
from tests.protocol.definitions import EYE, Definition, Exam, Strict, exam_of, eye
from tests.protocol.running import request_for, responses

DEMO = Path(__file__).resolve().parents[2] / "problems" / "demo"
SET = load_set(DEMO)

CONDITIONS = [Definition(protocol, mode) for protocol, mode in product(PROTOCOLS, MODES)]


@pytest.fixture(scope="module")
def exams() -> dict[str, Exam]:
    """The problems of the demo, with the replies of its strong solver."""
    lines = [json.loads(line) for line in (DEMO / "run.jsonl").read_text().splitlines()[1:]]
    replies = {line["sub_id"]: line["text"] for line in lines if line["model"] == "demo-strong"}
    return {task.name: exam_of(task, replies) for task in sorted((DEMO / "tasks").iterdir())}


class Models:
    """The models of some definitions behind one server."""

    def __init__(self, exams: Sequence[Exam]) -> None:
        self._exams = exams
        self._models: dict[str, Strict] = {}

    def name(self, definition: Definition) -> str:
        name = "-".join(definition)
        self._models.setdefault(name, Strict(self._exams, definition))
        return name

    def __call__(self, body):
        return eye(body) if body["model"] == EYE else self._models[body["model"]](body)


def request(server: ModelServer, out: Path, model: str, name: str, **shown) -> RunRequest:
    """A run of the demo by a model of the server."""
    solver = {"model": f"openai/{model}", "name": name, "api_base": server.base_url, "vision": True}
    reader = {"model": f"openai/{EYE}", "api_base": server.base_url}
    return request_for(SET, out, solver, reader=reader, **shown)


def under(definition: Definition) -> dict[str, Any]:
    protocol, mode, scope, session = definition
    return {"protocols": [protocol], "modes": [mode], "oracle": {"scope": scope, "session": session}}


def make(requests: Sequence[RunRequest], folder: Path) -> None:
    provider = Provider(requests[0], beside=requests[1:])
    states = run_all([(one, provider) for one in requests], folder / "calls.jsonl")
    assert all(state.complete for state in states), [state.failures for state in states]


OTHERS = [
    Definition("oracle_scaffolded", mode, scope, session)
    for mode, (scope, session) in zip(
        ("text_only", "multimodal", "text_reader", "text_only", "text_reader"),
        [
            ("all", "isolated"),
            ("none", "isolated"),
            ("previous", "shared"),
            ("all", "shared"),
            ("none", "shared"),
        ],
        strict=True,
    )
]


def test_models_are_right_in_their_own_condition(tmp_path, exams):
    problem = "seed-kinetics-01"  # a figure in the header, and one of a question
    exam = exams[problem]
    models = Models([exam])
    with model_server(models) as server:
        requests = [
            request(server, tmp_path / f"{n}.jsonl", models.name(one), f"m{n}", only=[problem], **under(one))
            for n, one in enumerate([*CONDITIONS, *OTHERS])
        ]
        make(requests, tmp_path)
    right: dict[str | None, str] = {None: exam.whole_reply}
    right |= {f"{problem}-{n}": one.reply for n, one in enumerate(exam.questions, start=1)}
    for one, made in zip([*CONDITIONS, *OTHERS], requests, strict=True):
        texts = {response.sub_id: response.text for response in responses(made.out)}
        assert texts == {sub: right[sub] for sub in texts}, one
        assert len(texts) == (1 if one.protocol == "full_problem" else 5)


# What is earned elsewhere

FORMAL = {
    "seed-coord-01": [3, 2, 1, 4, 2, 2],
    "seed-electro-01": [2, 3, 4, 3, 4],
    "seed-kinetics-01": [3, 2, 3, 3, 2],
    "seed-orgsyn-01": [3, 2, 2, 2, 3, 1],
}
"""The marks that code alone grants the strong solver's replies, question by question."""
ALL = 56
FIRST = 11
"""Of the first questions: nothing stands before them, so they are asked alike one by one."""
SECOND = 9


def test_the_marks_are_added_up_right():
    assert sum(map(sum, FORMAL.values())) == ALL
    assert (sum(one[0] for one in FORMAL.values()), sum(one[1] for one in FORMAL.values())) == (FIRST, SECOND)


def earned(requests: Sequence[RunRequest], folder: Path) -> dict[tuple[str, str, str], float]:
    """The marks of runs by model, protocol and mode, as code alone decides; a blank answer earns none."""
    header, *_ = requests[0].out.read_text().splitlines()
    lines = [line for one in requests for line in one.out.read_text().splitlines()[1:]]
    merged = folder / "merged.jsonl"
    merged.write_text("\n".join([json.dumps({**json.loads(header), "model": None}), *lines, ""]))
    with open_archive(str(folder / "argus.db")) as archive:
        result = grade(GradeRequest(merged, SET), archive)
    assert result.failures == []
    return {(one["model"], one["protocol"], one["mode"]): one["earned"] for one in result.summary["scores"]}


@pytest.mark.slow
def test_nine_models_earn_all_marks_in_their_own_condition_and_none_in_the_others(tmp_path, exams):
    models = Models(list(exams.values()))
    with model_server(models) as server:
        requests = [
            request(
                server, tmp_path / f"{n}.jsonl", models.name(one), str(n), protocols=PROTOCOLS, modes=MODES
            )
            for n, one in enumerate(CONDITIONS)
        ]
        make(requests, tmp_path)

    def wanted(model: Definition, condition: Definition) -> int:
        if model == condition:
            return ALL
        whole = "full_problem" in (model.protocol, condition.protocol)
        return 0 if whole or model.mode != condition.mode else FIRST

    assert earned(requests, tmp_path) == {
        (str(n), condition.protocol, condition.mode): wanted(model, condition)
        for n, model in enumerate(CONDITIONS)
        for condition in CONDITIONS
    }


SETTINGS = [
    Definition("oracle_scaffolded", "text_only", scope, session)
    for session in ("isolated", "shared")
    for scope in ("previous", "all", "none")
]
CARRY = Definition("sequential_carry", "text_only")
SAME = [
    {Definition("oracle_scaffolded", "text_only", scope, "shared") for scope in ("previous", "all")},
    {Definition("oracle_scaffolded", "text_only", "none", "shared"), CARRY},
]
"""One conversation holds what was granted earlier; without any grant it is sequential_carry."""


@pytest.mark.slow
def test_what_an_oracle_grants_and_to_whom_makes_conditions_of_their_own(tmp_path, exams):
    models = Models(list(exams.values()))
    pairs = list(product([*SETTINGS, CARRY], repeat=2))
    with model_server(models) as server:
        requests = [
            request(server, tmp_path / f"{n}.jsonl", models.name(model), str(n), **under(condition))
            for n, (model, condition) in enumerate(pairs)
        ]
        make(requests, tmp_path)

    def wanted(model: Definition, condition: Definition) -> int:
        if model == condition or {model, condition} in SAME:
            return ALL
        # of one question all before are the previous one
        alike = {model.scope, condition.scope} == {"previous", "all"} and CARRY not in (model, condition)
        alone = model.session == condition.session == "isolated"
        return FIRST + SECOND if alike and alone else FIRST

    found = {int(name): marks for (name, _, _), marks in earned(requests, tmp_path).items()}
    assert found == {n: wanted(*pair) for n, pair in enumerate(pairs)}
