"""What is wrong with a sweep is said with its place before anybody is asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.errors import ArgusError, DataError, SetupError, UsageError
from grader.problem.content import content_root
from grader.sweep import load_sweep, look, run_sweep
from tests.grade.judged import at_once
from tests.model_server import model_server
from tests.sweeping import JUDGE, solver, speak, sweep_file, write_judge

PLACE = {"api_base": "http://127.0.0.1:9/v1"}
A = {"model": "openai/a", **PLACE, "vision": True}
MARK = {"point_id": "copper-r1", "by": "Ada", "points": 1}


@pytest.fixture
def server():
    with model_server(speak) as running:
        yield running


@pytest.mark.parametrize(
    ("models", "fields", "where", "what"),
    [
        ([A], {"descripton": "d"}, ":4 descripton", "Did you mean 'description'?"),
        ([A], {"protocols": ["full"]}, ":2 protocols[0]", "expected one of full_problem"),
        ([A], {"modes": []}, ":3 modes", "has too few entries"),
        ([A], {"modes": ["text_reader"]}, ":3 modes", "text_reader needs a reader"),
        ([A], {"samples": 0}, ":4 samples", "at least 1"),
        ([A], {"max_cost": -1.0}, ":4 max_cost", "at least 0"),
        ([A], {"oracle": {"scope": "prev"}}, ":4 oracle.scope", "expected one of previous, all, none"),
        ([A], {"problems": "sets"}, ":1 problems", "there is no such problem set"),
        ([A], {"only": ["copper", "zinc"]}, ":4 only[1]", "no such problem in the set"),
        ([A], {"profile": "plane"}, ":4 profile", "no such prompt profile"),
        ([A], {"judge": "opneai"}, ":4 judge", "no judge card of that name"),
        ([A], {"marks": ["m.csv"]}, ":4 marks[0]", "there is no such file of marks"),
        ([], {}, " models", "the field is missing"),
        ([{**A, "temperature": 1.0}], {}, ":9 models[0].temperature", "unknown field"),
        ([{**A, "cmd": "cat"}], {}, ":5 models[0]", "exactly one of model, cmd and human"),
        (
            [A, {**A, "name": "b", "vision": False}],
            {"modes": ["multimodal"]},
            ":10 models[1]",
            "vision = true",
        ),
        ([{**A, "vision": False}], {"modes": ["multimodal"]}, ":5 models[0]", "openai/a sees no images"),
        (
            [{"model": "openai/a", **PLACE}],
            {"modes": ["multimodal"]},
            ":5 models[0]",
            "vision = true or false",
        ),
        ([A, A], {}, ":10 models[1].name", "two solvers have one name"),
        ([A, {"human": "Ana"}], {}, ":11 models[1].human", "Use argus run --human"),
        ([A, {"cmd": "no-such-program"}], {}, ":10 models[1]", "there is no such program"),
        (
            [A],
            {"modes": ["text_reader"], "reader": {"cmd": "no-such-program"}},
            ":4 reader",
            "there is no such program",
        ),
        (
            [{"cmd": "cat"}],
            {"max_cost": 1.0},
            ":4 max_cost",
            "about models behind an API, and none is asked",
        ),
        (
            [A],
            {"modes": ["text_reader"], "reader": {"model": "openai/gpt-3.5-turbo"}},
            ":4 reader",
            "openai/gpt-3.5-turbo sees no images",
        ),
        (
            [{**A, "limits": {"concurrency": 4}}],
            {
                "modes": ["text_reader"],
                "reader": {"model": "openai/a", **PLACE, "limits": {"concurrency": 2}},
            },
            ":4 reader",
            "got limits.concurrency = 2; expected 4, as elsewhere",
        ),
        (
            [A, {**A, "name": "b", "price": {"input": 1.0, "output": 1.0}}],
            {},
            ":10 models[1]",
            "expected not given, as elsewhere",
        ),
        ([A], {"max_cost": 1.0}, ":6 models[0].price", "the price of openai/a isn't known"),
    ],
)
def test_a_mistake_in_the_file_is_named_with_its_line_and_field(tmp_path, models, fields, where, what):
    path = sweep_file(tmp_path, models, **fields)
    with pytest.raises(DataError) as wrong:
        load_sweep(path)
    (fault,) = wrong.value.faults
    assert str(fault).startswith(f"{path}{where}: ")
    assert what in str(fault)
    assert {one.name for one in tmp_path.iterdir()} == {"set", "sweep.toml"}


def test_all_mistakes_are_named_at_once(tmp_path):
    path = sweep_file(tmp_path, [A, {"human": "Ana"}], only=["zinc"], profile="plane", judge="opneai")
    with pytest.raises(DataError) as wrong:
        load_sweep(path)
    assert [fault.pointer for fault in wrong.value.faults] == [
        "/only/0",
        "/profile",
        "/judge",
        "/models/1/human",
    ]


@pytest.mark.parametrize(
    ("mark", "what"),
    [
        ({"model": "openai/b"}, "the sweep has no response that this mark is for"),
        ({"protocol": "full_problem"}, "the sweep has no response that this mark is for"),
        ({"sample": 2}, "the sweep has no response that this mark is for"),
        ({}, "fits 2 responses of the sweep; expected one; it fits openai/a sequential_carry text_only 0, "),
        ({"sample": 0, "point_id": "zinc-r1"}, "unknown point"),
    ],
)
def test_marks_that_can_fit_nothing_are_refused_before_anybody_is_asked(tmp_path, mark, what):
    (tmp_path / "marks.jsonl").write_text(json.dumps({**MARK, **mark}))
    with pytest.raises(ArgusError, match=r"marks\.jsonl:1.*" + what):
        load_sweep(sweep_file(tmp_path, [A], marks=["marks.jsonl"], samples=2))


def test_what_a_file_names_is_looked_for_beside_it_wherever_the_command_is_typed(
    tmp_path, server, monkeypatch
):
    (tmp_path / "mine.toml").write_text((content_root() / "profiles" / "plain.toml").read_text())
    (tmp_path / "cards").mkdir()
    write_judge(tmp_path / "cards", server)
    path = sweep_file(
        tmp_path, [solver(server)], judge=f"cards/{JUDGE}.toml", profile="mine.toml", out="there"
    )
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert run_sweep(load_sweep(Path("..") / path.name), wait=at_once).complete
    assert (tmp_path / "there" / "openai-m.jsonl").exists()
    assert not list((tmp_path / "elsewhere").iterdir())


def test_a_model_without_its_key_or_a_provider_is_named_before_any_other_is_asked(
    tmp_path, server, monkeypatch
):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    models = [solver(server), {"model": "openai/b"}, {"model": "gpt-nobody-knows"}]
    path = sweep_file(tmp_path, models)
    assert [row.progress for row in look(load_sweep(path)).rows()] == ["missing"] * 3  # looking needs no keys
    with pytest.raises(SetupError) as wrong:
        run_sweep(load_sweep(path), wait=at_once)
    said = [str(fault) for fault in wrong.value.faults]
    assert said[0].startswith(
        f"{path}:14 models[1]: no key for openai/b: the environment variable OPENAI_API_KEY"
    )
    assert said[1].startswith(f"{path}:17 models[2]: no provider for the model")
    assert not server.counts.received


def test_a_judge_without_a_price_is_found_before_the_solvers_are_paid(tmp_path, server):
    judge = write_judge(tmp_path, server, price=None)
    path = sweep_file(tmp_path, [solver(server)], judge=judge, max_cost=1.0)
    with pytest.raises(DataError, match=r"judge: the price of the judge's model openai/judge isn't known"):
        load_sweep(path)


def test_a_folder_that_cant_be_made_is_said_in_one_line(tmp_path, server):
    path = sweep_file(tmp_path, [solver(server)], out="sweep.toml")
    with pytest.raises(UsageError, match="the folder of the sweep can't be made"):
        run_sweep(load_sweep(path), wait=at_once)
    assert not server.counts.received
