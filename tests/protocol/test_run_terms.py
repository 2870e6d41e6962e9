"""A run goes on only with the scaffolds, endpoints and seeds it was begun with, and may grow otherwise."""

from __future__ import annotations

import json

import pytest

from grader.errors import UsageError
from grader.problem.set import load_set
from grader.protocol.asking import Provider
from grader.protocol.run import run
from grader.record import RunReader
from tests.grade.judged import at_once
from tests.model_server import model_server
from tests.protocol.providers import calling
from tests.protocol.running import request_for, responses, small_set

ORACLE = {"protocols": ["oracle_scaffolded"]}


@pytest.fixture
def folder(tmp_path):
    small_set(tmp_path / "set", images=True)
    return tmp_path / "set"


@pytest.fixture
def out(tmp_path):
    return tmp_path / "run.jsonl"


@pytest.fixture
def server():
    with model_server(lambda body: "An answer.") as running:
        yield running


@pytest.fixture
def go(folder, out, server):
    """Goes on with the run over the set as it is now."""

    def made(solver=None, **shown):
        asked = {"model": "openai/m", "api_base": server.base_url, **(solver or {})}
        request = request_for(load_set(folder), out, asked, **shown)
        return run(request, Provider(request, wait=at_once))

    return made


def parameters(out):
    return RunReader(out).header.parameters


def change(folder, name, **fields):
    """Change the first subquestion of a problem; None takes a field away."""
    path = folder / "tasks" / name / "problem.json"
    raw = json.loads(path.read_text())
    kept = {**raw["subquestions"][0], **fields}
    raw["subquestions"][0] = {field: value for field, value in kept.items() if value is not None}
    path.write_text(json.dumps(raw))


# Scaffolds


@pytest.mark.parametrize(
    "changed",
    [
        {"standard_result": "Another result."},
        {"standard_result": None, "rubric": [{"id": "r", "points": 1, "text": "derived"}]},
    ],
)
def test_a_run_whose_standard_results_changed_is_not_gone_on_with(folder, go, changed):
    assert go(**ORACLE, only=["copper"]).complete
    change(folder, "iron", **changed)
    with pytest.raises(UsageError, match=r"other terms: parameters\.oracle\.scaffolds"):
        go(**ORACLE)


def test_a_rubric_may_change_where_it_scaffolds_nothing(folder, go):
    assert go(**ORACLE, only=["copper"]).complete
    change(folder, "iron", rubric=[{"id": "r", "points": 1, "text": "another mark"}])
    assert go(**ORACLE).complete


def test_what_would_be_granted_does_not_bind_a_run_that_grants_nothing(folder, out, go):
    assert go(protocols=["sequential_carry"], only=["copper"]).complete
    assert "oracle" not in parameters(out)
    change(folder, "iron", standard_result="Another result.")
    assert go(protocols=["sequential_carry"], oracle={"scope": "all"}).complete
    assert go(**ORACLE, oracle={"scope": "none"}).complete
    assert parameters(out)["oracle"] == {"scope": "none", "session": "isolated"}


def test_conditions_that_are_added_bring_their_terms_and_later_ones_keep_them(out, go, server):
    reader = {"model": "openai/eye", "api_base": server.base_url}
    assert go(reader=reader).complete
    assert not {"oracle", "reader"} & parameters(out).keys()
    assert go(modes=["text_reader"], reader=reader, **ORACLE).complete
    added = parameters(out)
    assert added["oracle"]["scope"] == "previous"
    assert added["reader"]["model"] == "openai/eye"
    assert go().complete
    assert parameters(out) == added
    with pytest.raises(UsageError, match=r"parameters\.oracle\.scope = 'all'; expected 'previous'"):
        go(**ORACLE, oracle={"scope": "all"})
    with pytest.raises(UsageError, match=r"parameters\.reader\.most_calls = 3; expected 8"):
        go(modes=["text_reader"], reader={**reader, "calls": 3})
    assert len(responses(out)) == 2 + 4


# Endpoints


def test_a_run_is_not_gone_on_with_at_another_endpoint(out, go, server):
    reader = {"model": "openai/eye", "api_base": server.base_url}
    assert go(modes=["text_reader"], reader=reader).complete
    assert parameters(out)["api_base"] == parameters(out)["reader"]["api_base"] == server.base_url
    with model_server(lambda body: "Another.") as other:
        with pytest.raises(UsageError, match=r"other terms: parameters\.api_base; got"):
            go({"api_base": other.base_url}, modes=["text_reader"], reader=reader)
        with pytest.raises(UsageError, match=r"other terms: parameters\.reader\.api_base; got"):
            go(modes=["text_reader"], reader={**reader, "api_base": other.base_url})
        assert not other.counts.received


def test_no_key_in_a_url_is_recorded(folder, out, monkeypatch):
    monkeypatch.setenv("MY_API_KEY", "an-unmistakable-key")
    url = "https://user:pass@host/an-unmistakable-key/v1?api-version=2&sig=abcdef"
    solver = {"model": "openai/m", "api_base": url}
    reader = {"model": "openai/eye", "api_base": url}
    request = request_for(load_set(folder), out, solver, modes=["text_reader"], reader=reader)
    kept = request.header().parameters
    hidden = "https://[hidden]@host/[hidden]/v1?api-version=2&sig=[hidden]"
    assert kept["api_base"] == kept["reader"]["api_base"] == hidden


# Samples


def test_the_same_command_goes_on_with_more_samples_and_asks_nothing_anew(out, go, server):
    seeded = {"parameters": {"seed": 5}}
    assert go(seeded).complete
    state = go(seeded, samples=3)
    assert [(cell.done, cell.expected) for cell in state.cells.values()] == [(6, 6)]
    assert parameters(out)["samples"] == 3
    assert server.counts.received.total() == 6
    assert sorted(body["seed"] for body in server.bodies.values()) == [5, 5, 6, 6, 7, 7]
    # fewer are a part of what is there
    state = go(seeded, samples=2)
    assert [(cell.done, cell.expected) for cell in state.cells.values()] == [(4, 4)]
    assert parameters(out)["samples"] == 3
    assert server.counts.received.total() == 6


def test_each_sample_asks_its_reader_with_a_seed_of_its_own(go, server):
    call = calling({"arguments": {"figure": "Figure 1", "question": "What?"}})

    def reply(body):
        if body["model"] == "eye" or body["messages"][-1]["role"] == "tool":
            return {"role": "assistant", "content": "A line."}
        return call

    server.reply = reply
    reader = {"model": "openai/eye", "api_base": server.base_url, "parameters": {"seed": 70}}
    assert go({"vision": False}, modes=["text_reader"], reader=reader, samples=3, only=["copper"]).complete
    assert [one["seed"] for one in server.bodies.values() if one["model"] == "eye"] == [70, 71, 72]
