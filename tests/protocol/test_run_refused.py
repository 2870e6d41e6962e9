"""A run that can't be made is refused before anything is asked, and leaves no file behind."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from grader.errors import ArgusError, UsageError
from grader.problem.set import load_set
from grader.protocol.answering import Answering, who_answers
from grader.protocol.asking import Provider
from grader.protocol.run import run, run_all
from grader.protocol.solver import SolverSpec
from grader.protocol.spec import ShownSpec
from tests.grade.judged import at_once
from tests.model_server import model_server
from tests.protocol.running import request_for, responses, small_set

HERE = {"model": "openai/m", "api_base": "http://127.0.0.1:9/v1"}
EYE = {"model": "openai/eye", "api_base": "http://127.0.0.1:9/v1"}
READER = {"modes": ["text_reader"], "reader": EYE}
BLIND: dict[str, Any] = {**READER, "reader": {**EYE, "model": "openai/gpt-3.5-turbo"}}
"""The list of models says that it sees nothing."""


@pytest.fixture
def problems(tmp_path):
    return small_set(tmp_path / "set", images=True)


@pytest.fixture
def runs(tmp_path, monkeypatch):
    """The folder that commands are typed in; only the runs' own files come there."""
    folder = tmp_path / "runs"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name in ("OPENAI_API_KEY", "NO_SUCH_KEY"):
        monkeypatch.delenv(name, raising=False)
    return folder


def go(problems, folder, solver, shown=None, **how):
    spec = SolverSpec.model_validate(solver)
    request = ShownSpec.model_validate(shown or {}).request(problems, spec, folder / "run.jsonl")
    return run(request, who_answers(request, spec, Answering(**how), lambda text: None))


@pytest.mark.parametrize(
    ("solver", "shown", "how", "said"),
    [
        ({"model": "openai/gpt-4o"}, {}, {}, "OPENAI_API_KEY is not set"),
        ({**HERE, "key_env": "NO_SUCH_KEY"}, {}, {}, "NO_SUCH_KEY is not set"),
        ({**HERE, "model": "mind"}, {}, {}, "no provider for the model"),
        ({**HERE, "api_base": "http://u:p@h/v1"}, {}, {}, "holds a user, a password or a key"),
        (HERE, {**READER, "reader": {"model": "openai/gpt-4o"}}, {}, "OPENAI_API_KEY is not set"),
        (HERE, BLIND, {}, "openai/gpt-3.5-turbo sees no images, so it can't read figures"),
        (HERE, {**READER, "reader": {**EYE, "vision": False}}, {}, "openai/eye sees no images"),
        (
            {**HERE, "limits": {"concurrency": 4}},
            {**READER, "reader": {**HERE, "limits": {"concurrency": 2}}},
            {},
            "asked on two terms at one endpoint; got limits.concurrency = 2; expected 4",
        ),
        (
            {**HERE, "price": {"input": 1.0, "output": 2.0}},
            {**READER, "reader": {**HERE, "price": {"input": 1.0, "output": 3.0}}},
            {},
            "got price = {'input': 1.0, 'output': 3.0",
        ),
        (HERE, {}, {"max_cost": 1.0}, "the price of openai/m isn't known"),
        ({"cmd": "no-such-program"}, {}, {}, "there is no such program"),
        ({"cmd": "cat"}, READER, {"max_cost": 1.0}, "the price of openai/eye isn't known"),
        (
            {"cmd": "cat"},
            {"modes": ["text_reader"], "reader": {"model": "eye"}},
            {},
            "no provider for the mod",
        ),
        (HERE, {}, {"batch_out": "gone/batch.jsonl"}, "the batch can't be written"),
        (HERE, {}, {"batch_out": "file/batch.jsonl"}, "the batch can't be written"),
        (HERE, {}, {"batch_in": ["gone.jsonl"]}, "gone.jsonl"),
        (HERE, {}, {"batch_in": ["file"]}, "file:1"),
        ({"human": "Ann"}, {}, {"answers": "gone/sheet.md"}, "can't write the questions"),
        ({"human": "Ann"}, {}, {"answers": "file"}, "a file without a place for an answer"),
    ],
)
def test_what_can_be_checked_is_checked_before_a_file_is_opened(problems, runs, solver, shown, how, said):
    (runs / "file").write_text("mine")
    paths = {
        name: [runs / one for one in value] if isinstance(value, list) else runs / value
        for name, value in how.items()
        if name != "max_cost"
    }
    with pytest.raises(ArgusError, match=said):
        go(problems, runs, solver, shown, **{**how, **paths})
    assert [one.name for one in runs.iterdir()] == ["file"]
    assert (runs / "file").read_text() == "mine"


@pytest.mark.parametrize(
    ("solver", "how"), [({"cmd": "cat"}, {"max_cost": 1.0}), ({"human": "Ann"}, {"max_cost": 1.0})]
)
def test_a_limit_where_nothing_costs_is_refused(problems, runs, solver, how):
    with pytest.raises(UsageError, match="about models behind an API, and none is asked"):
        go(problems, runs, solver, **how)
    assert not list(runs.iterdir())


def test_a_reader_that_the_list_calls_blind_may_be_said_to_see(problems, runs):
    eye = {**EYE, "model": "openai/gpt-3.5-turbo"}
    seeing = {"modes": ["text_reader"], "reader": {**eye, "vision": True}}
    assert request_for(problems, runs / "run.jsonl", HERE, **seeing).reader
    # one that nobody can ask is no part of the run
    assert request_for(problems, runs / "run.jsonl", HERE, reader=eye).reader is None


def test_a_reader_at_the_solvers_endpoint_is_asked_on_the_terms_said_of_the_solver(problems, runs):
    solver = {**HERE, "limits": {"concurrency": 3}, "price": {"input": 1.0, "output": 2.0}}
    request = request_for(problems, runs / "run.jsonl", solver, modes=["text_reader"], reader=HERE)
    assert request.reader is not None
    assert request.reader.terms == request.solver.terms
    elsewhere = request_for(problems, runs / "run.jsonl", solver, **READER)
    assert elsewhere.reader is not None
    assert elsewhere.reader.terms != request.solver.terms


def test_a_journal_that_is_none_leaves_no_run_behind(problems, runs):
    (runs / "run.calls.jsonl").write_text("a diary\n")
    with pytest.raises(ArgusError, match="no line of a journal"):
        go(problems, runs, HERE)
    assert [one.name for one in runs.iterdir()] == ["run.calls.jsonl"]


def test_of_runs_made_at_once_none_is_begun_where_one_is_refused(problems, runs):
    requests = [request_for(problems, runs / f"{name}.jsonl", HERE) for name in ("a", "b")]
    (runs / "b.jsonl").write_text("mine")
    asked = [(one, Provider(one, wait=at_once)) for one in requests]
    with pytest.raises(ArgusError, match=r"b\.jsonl: the file is there, and is no run"):
        run_all(asked, runs / "calls.jsonl")
    assert [one.name for one in runs.iterdir()] == ["b.jsonl"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_is_refused_first(problems, runs):
    runs.chmod(0o500)
    with pytest.raises(UsageError, match="can't write the run: Permission denied"):
        go(problems, runs, HERE)


def test_a_run_that_is_complete_needs_no_key_and_no_program(problems, runs, monkeypatch):
    monkeypatch.setenv("MY_KEY", "a-key-to-be-lost")
    with model_server(lambda body: "An answer.") as server:
        solver = {"model": "openai/m", "api_base": server.base_url, "key_env": "MY_KEY"}
        assert go(problems, runs, solver).complete
        monkeypatch.delenv("MY_KEY")
        assert go(problems, runs, solver).complete


# An oracle without results


def without_results(folder, *names):
    """The set, whose problems of these names have no rubric and no result."""
    small_set(folder)
    for name in names:
        path = folder / "tasks" / name / "problem.json"
        raw = json.loads(path.read_text())
        for sub in raw["subquestions"]:
            del sub["rubric"], sub["standard_result"]
        path.write_text(json.dumps(raw))
    return load_set(folder)


@pytest.mark.parametrize("protocols", [["oracle_scaffolded"], ["full_problem", "oracle_scaffolded"]])
def test_an_oracle_that_has_nothing_to_grant_is_refused(tmp_path, runs, protocols):
    problems = without_results(tmp_path / "set", "copper", "iron")
    with pytest.raises(UsageError, match="none of the problems asked has one"):
        go(problems, runs, HERE, {"protocols": protocols})
    shown = ShownSpec.model_validate({"protocols": protocols, "oracle": {"scope": "none"}})
    assert shown.request(problems, SolverSpec.model_validate(HERE), runs / "run.jsonl")


def test_an_answer_without_the_result_it_should_have_had_is_recorded_and_counted(tmp_path, runs):
    problems = without_results(tmp_path / "set", "iron")
    with model_server(lambda body: "An answer.") as server:
        solver = {**HERE, "api_base": server.base_url}
        state = go(problems, runs, solver, {"protocols": ["oracle_scaffolded"]})
    assert state.complete
    lacking = {one.sub_id: one.meta["input"].get("ungranted") for one in responses(runs / "run.jsonl")}
    assert lacking == {"copper-1": None, "copper-2": None, "iron-1": None, "iron-2": ["iron-1"]}
    note = "1 answers were given without a standard result, as the set has none to grant"
    assert note in list(state.notes())
    assert [cell["ungranted"] for cell in state.as_json(runs, "m")["cells"]] == [1]
