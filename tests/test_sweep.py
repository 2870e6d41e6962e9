"""A sweep finds what is wrong before it asks, goes on where it ended, and pays everybody from one purse."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from grader.errors import ArgusError, DataError, SetupError, UsageError
from grader.sweep import load_sweep, look, run_sweep
from tests.grade.judged import at_once
from tests.model_server import Answer, Faults, model_server
from tests.sweeping import JUDGE, reader, solver, speak, sweep_file, write_judge

NINE = {
    "protocols": ["full_problem", "sequential_carry", "oracle_scaffolded"],
    "modes": ["multimodal", "text_only", "text_reader"],
}


@pytest.fixture
def server():
    with model_server(speak) as running:
        yield running


@pytest.fixture
def sweep(tmp_path, server):
    """The sweep of a file that says so."""

    def loaded(*models, judged=True, **fields):
        judge = write_judge(tmp_path, server) if judged else None
        return load_sweep(sweep_file(tmp_path, list(models or (solver(server),)), judge=judge, **fields))

    return loaded


def run(sweep):
    return run_sweep(sweep, wait=at_once)


def states(made):
    return [row.progress for row in made.rows()]


# What is wrong is found before anything is sent

PLACE = {"api_base": "http://127.0.0.1:9/v1"}
A = {"model": "openai/a", **PLACE, "vision": True}
MARK = {"point_id": "copper-r1", "by": "Ada", "points": 1}


@pytest.mark.parametrize(
    ("models", "fields", "where", "what"),
    [
        ([A], {"descripton": "d"}, ":4 /descripton", "Did you mean 'description'?"),
        ([A], {"protocols": ["full"]}, ":2 /protocols/0", "expected one of full_problem"),
        ([A], {"modes": []}, ":3 /modes", "has too few entries"),
        ([A], {"modes": ["text_reader"]}, ":3 /modes", "text_reader needs a reader"),
        ([A], {"samples": 0}, ":4 /samples", "at least 1"),
        ([A], {"max_cost": -1.0}, ":4 /max_cost", "at least 0"),
        ([A], {"oracle": {"scope": "prev"}}, ":4 /oracle/scope", "expected one of previous, all, none"),
        ([A], {"problems": "sets"}, ":1 /problems", "there is no such problem set"),
        ([A], {"only": ["copper", "zinc"]}, ":4 /only/1", "no such problem in the set"),
        ([A], {"profile": "plane"}, ":4 /profile", "no such prompt profile"),
        ([A], {"judge": "opneai"}, ":4 /judge", "no judge card of that name"),
        ([A], {"marks": ["m.csv"]}, ":4 /marks/0", "there is no such file of marks"),
        ([], {}, " /models", "the field is missing"),
        ([{**A, "temperature": 1.0}], {}, ":9 /models/0/temperature", "unknown field"),
        ([{**A, "cmd": "cat"}], {}, ":5 /models/0", "a solver is one of model, cmd and human"),
        (
            [A, {**A, "name": "b", "vision": False}],
            {"modes": ["multimodal"]},
            ":10 /models/1",
            "vision = true",
        ),
        ([{**A, "vision": False}], {"modes": ["multimodal"]}, ":5 /models/0", "openai/a sees no images"),
        (
            [{"model": "openai/a", **PLACE}],
            {"modes": ["multimodal"]},
            ":5 /models/0",
            "vision = true or false",
        ),
        ([A, A], {}, ":10 /models/1/name", "two solvers have one name"),
        ([A, {"human": "Ana"}], {}, ":11 /models/1/human", "Use argus run --human"),
        ([A, {"cmd": "no-such-program"}], {}, ":10 /models/1", "there is no such program"),
        ([{"cmd": "cat"}], {"max_cost": 1.0}, ":7 /models/0/cmd", "nobody knows what a command costs"),
        ([A], {"max_cost": 1.0}, ":6 /models/0/price", "the price of openai/a isn't known"),
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
    (tmp_path / "mine.toml").write_text((Path("profiles") / "plain.toml").read_text())
    (tmp_path / "cards").mkdir()
    write_judge(tmp_path / "cards", server)
    path = sweep_file(
        tmp_path, [solver(server)], judge=f"cards/{JUDGE}.toml", profile="mine.toml", out="there"
    )
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert run(load_sweep(Path("..") / path.name)).complete
    assert (tmp_path / "there" / "openai-m.jsonl").exists()
    assert not list((tmp_path / "elsewhere").iterdir())


def test_a_model_without_its_key_or_a_provider_is_named_before_any_other_is_asked(
    tmp_path, server, monkeypatch
):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    models = [solver(server), {"model": "openai/b"}, {"model": "gpt-nobody-knows"}]
    path = sweep_file(tmp_path, models)
    assert states(look(load_sweep(path))) == ["missing"] * 3  # looking needs no keys
    with pytest.raises(SetupError) as wrong:
        run(load_sweep(path))
    said = [str(fault) for fault in wrong.value.faults]
    assert said[0].startswith(
        f"{path}:14 /models/1: no key for openai/b: the environment variable OPENAI_API_KEY"
    )
    assert said[1].startswith(f"{path}:17 /models/2: no provider for the model")
    assert not server.counts.received


def test_a_judge_without_a_price_is_found_before_the_solvers_are_paid(tmp_path, server):
    write_judge(tmp_path, server, price={"input": 1.0, "output": 4.0})
    card = tmp_path / f"{JUDGE}.toml"
    card.write_text("\n".join(line for line in card.read_text().splitlines() if "price" not in line))
    path = sweep_file(tmp_path, [solver(server)], judge=card.name, max_cost=1.0)
    with pytest.raises(DataError, match=r"/judge: the price of the judge's model openai/judge isn't known"):
        load_sweep(path)


def test_a_folder_that_cant_be_made_is_said_in_one_line(tmp_path, server):
    path = sweep_file(tmp_path, [solver(server)], out="sweep.toml")
    with pytest.raises(UsageError, match="the folder of the sweep can't be made"):
        run(load_sweep(path))
    assert not server.counts.received


# How far it is


def test_cells_say_how_far_they_are(sweep, server):
    broken = {"copper"}

    def reply(body):
        failing = any(f"{len(name)} letters" in str(body["messages"][0]) for name in broken)
        return Answer(400, {"error": "no"}) if failing and body["model"] != JUDGE else speak(body)

    server.reply = reply
    alone = sweep(judged=False)
    assert states(look(alone)) == ["missing"]
    assert not look(alone).complete
    made = run(alone)
    assert (states(made), states(look(alone))) == (["failed"], ["failed"])
    assert any("1 calls failed; the same command asks again" in note for note in made.notes())
    broken.clear()
    made = run(alone)
    assert (states(made), made.complete) == (["open points"], False)
    assert any("name a judge card (judge) or files of human marks" in note for note in made.notes())
    judged = sweep()
    assert states(look(judged)) == ["answered"]  # graded, but not by this judge
    assert states(look(sweep(samples=1))) == ["answered"]
    made = run(judged)
    assert (states(made), made.complete) == (["complete"], True)
    seen = look(judged)
    assert (states(seen), seen.complete) == (["complete"], True)
    assert [row.score for row in seen.rows()] == [row.score for row in made.rows()]


def test_whatever_is_there_is_graded(sweep, server):
    def reply(body):
        at_once = body["model"] != JUDGE and "(1)" in str(body["messages"])
        return Answer(400, {"error": "no"}) if at_once else speak(body)

    server.reply = reply
    made = run(sweep(protocols=["full_problem", "sequential_carry"]))
    coverage = [(row.progress, row.score["coverage"]) for row in made.rows() if row.score]
    assert coverage == [("failed", 0.0), ("complete", 1.0)]


def test_looking_asks_nobody_and_changes_nothing(sweep, server, tmp_path):
    whole = sweep(solver(server), solver(server, "n"))
    run(whole)
    out = whole.requests[0].out
    out.write_bytes(out.read_bytes()[:-20])
    files = {path: path.read_bytes() for path in whole.folder.glob("*.jsonl")}
    asked = server.counts.received.total()
    made = look(whole)
    # a run that has lost a line is another than the one that was graded
    assert states(made) == ["partial", "complete"]
    assert {path: path.read_bytes() for path in whole.folder.glob("*.jsonl")} == files
    assert server.counts.received.total() == asked


def test_looking_shows_every_solver_after_one_grading_of_them_all(sweep, server):
    made = run(sweep(*(solver(server, name) for name in "abc")))
    seen = look(made.sweep)
    assert [(row.progress, row.score) for row in seen.rows()] == [
        (row.progress, row.score) for row in made.rows()
    ]
    assert seen.as_json()["gaps"] == made.as_json()["gaps"]
    assert seen.judged == made.judged


def test_scores_are_not_shown_of_marks_that_have_changed(sweep, tmp_path):
    marks = tmp_path / "marks.jsonl"
    given = [{**MARK, "point_id": f"{name}-r{n}"} for name in ("copper", "iron") for n in (1, 2)]
    marks.write_text("".join(json.dumps(one) + "\n" for one in given))
    marked = sweep(judged=False, marks=["marks.jsonl"])
    made = run(marked)
    assert states(made) == ["complete"]
    assert next(made.rows()).score["share"] == 1
    marks.write_text(marks.read_text().replace('"points": 1', '"points": 0', 1))
    assert states(look(marked)) == ["answered"]
    assert next(run(marked).rows()).score["share"] == 0.75
    assert states(look(marked)) == ["complete"]


def test_a_file_of_marks_may_speak_of_every_solver_and_of_answers_that_are_still_missing(
    sweep, server, tmp_path
):
    names = ("openai/a", "openai/b")
    given = [
        {**MARK, "model": model, "point_id": f"{name}-r{n}"}
        for model in names
        for name in ("copper", "iron")
        for n in (1, 2)
    ]
    (tmp_path / "marks.jsonl").write_text("".join(json.dumps(one) + "\n" for one in given))
    server.reply = lambda body: Answer(400, {"error": "no"}) if "4 letters" in str(body) else speak(body)
    both = sweep(solver(server, "a"), solver(server, "b"), judged=False, marks=["marks.jsonl"])
    assert states(run(both)) == ["failed"] * 2
    server.reply = speak
    assert states(run(both)) == ["complete"] * 2


def test_solvers_that_are_called_alike_or_like_a_file_of_the_sweep_are_kept_apart(sweep, server):
    names = ["calls", "Calls", "a/b", "a b", "..", "argus.db"]
    models = [solver(server, f"m{n}", name=name) for n, name in enumerate(names)]
    outs = [request.out.name for request in sweep(*models).requests]
    assert outs == [
        "calls-.jsonl",
        "Calls--.jsonl",
        "a-b.jsonl",
        "a-b-.jsonl",
        "solver.jsonl",
        "argus.db.jsonl",
    ]
    made = run(sweep(*models[:2]))
    assert [(row.model, row.progress) for row in made.rows()] == [
        ("calls", "complete"),
        ("Calls", "complete"),
    ]


def test_a_sweep_that_asks_for_less_than_before_says_what_its_scores_count(sweep, server):
    whole = run(sweep(protocols=["full_problem", "sequential_carry"]))
    assert not [note for note in whole.notes() if "holds answers to more" in note]
    part = run(sweep(protocols=["full_problem"]))
    assert (states(part), part.ladders()) == (["complete"], [])
    assert not [note for note in part.notes() if "holds answers to more" in note]
    part = run(sweep(only=["copper"]))
    assert any("its run holds answers to more than the sweep asks now" in note for note in part.notes())


# Whole, and gone on with


def test_several_models_in_nine_conditions_are_answered_judged_and_booked_to_the_cent(sweep, server):
    two = (solver(server, "a"), solver(server, "b"))
    made = run(sweep(*two, reader=reader(server), only=["iron"], max_cost=5.0, **NINE))
    assert made.complete
    assert set(states(made)) == {"complete"}
    assert [row.cell.done for row in made.rows()] == [1, 1, 1, *[2] * 6] * 2
    assert [row.cell.reader_calls for row in made.rows()] == [0, 0, 1, 0, 0, 2, 0, 0, 2] * 2
    assert not any(row.cell.flags for row in made.rows())
    assert set(server.counts.received.values()) == {1}
    assert made.runs[0].paid.cost + made.judged.cost == pytest.approx(server.counts.cost, abs=1e-9)
    assert made.judged.cost > 0
    said = made.as_json()
    assert (said["paid"]["cost"], said["judged"]["cost"]) == (
        pytest.approx(made.runs[0].paid.cost),
        pytest.approx(made.judged.cost),
    )
    assert len(said["gaps"]) == 2 * (3 * 3 + 3 * 2)
    asked = server.counts.received.total()
    assert run(made.sweep).as_json() == said
    assert server.counts.received.total() == asked


# Money


KINDS = ("429", "500", "broken", "truncated", "html", "empty", "prose", "refusal")
LIMITS = (0.0, 0.01, 0.03, 1.0)


def check_limits(tmp_path, seed, **fields):
    """Raise the limit step by step, and look into the server's books at each."""
    with model_server(speak, Faults(share=0.3, kinds=KINDS, seed=seed)) as server:
        models, judge = [solver(server, "a"), solver(server, "b")], write_judge(tmp_path, server)
        spent = []
        for limit in LIMITS:
            shown = {"judge": judge, "reader": reader(server), "max_cost": limit, **fields}
            made = run(load_sweep(sweep_file(tmp_path, models, **shown)))
            spent.append(server.counts.cost)
            assert server.counts.cost <= limit
            assert made.runs[0].paid.cost + made.judged.cost == pytest.approx(server.counts.cost, abs=1e-9)
        assert all(row.cell.done == row.cell.expected for row in made.rows())
        assert all(earlier < later for earlier, later in pairwise(spent)), spent  # each limit was of use
        assert set(server.counts.completed.values()) == {1}


def test_one_purse_pays_solvers_reader_and_judge_and_is_never_passed(tmp_path):
    check_limits(tmp_path, 0, modes=["text_reader"])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 13))
def test_one_purse_is_never_passed_in_nine_conditions_whatever_fails(tmp_path, seed):
    check_limits(tmp_path, seed, **NINE)


def test_a_limit_that_the_solvers_use_up_leaves_nothing_for_the_judge(sweep, server):
    most = (100 * 4 + 1000) / 1e6
    made = run(sweep(max_cost=2 * most))
    assert server.counts.cost <= 2 * most
    assert not made.judged.cost
    assert any("answers were not judged: the rest of max_cost would not do" in note for note in made.notes())


def test_the_judge_of_a_second_solver_has_what_the_first_one_left(sweep, server, tmp_path):
    models, shown = [solver(server, "a"), solver(server, "b")], {"protocols": NINE["protocols"]}
    whole = run(sweep(*models, out="whole", **shown))
    paid, judged = whole.runs[0].paid.cost, whole.judged.cost
    run(sweep(*models, judged=False, **shown))
    before = server.counts.cost
    made = run(sweep(*models, max_cost=paid + 0.75 * judged, **shown))  # enough for either, and not for both
    assert made.runs[0].paid.cost == pytest.approx(paid)
    assert 0 < server.counts.cost - before <= 0.75 * judged
    assert run(sweep(*models, max_cost=1.0, **shown)).complete


def test_what_a_judge_was_paid_counts_when_the_file_names_it_no_more(sweep, server):
    run(sweep(max_cost=1.0))
    spent = server.counts.cost
    made = run(sweep(solver(server), solver(server, "n"), judged=False, max_cost=spent))
    assert server.counts.cost == spent
    assert states(made) == ["open points", "missing"]


def test_a_limit_after_calls_of_unknown_price_is_refused_and_not_guessed(sweep, server, tmp_path):
    card = tmp_path / write_judge(tmp_path, server)
    card.write_text("\n".join(line for line in card.read_text().splitlines() if "price" not in line))
    run(load_sweep(sweep_file(tmp_path, [solver(server)], judge=card.name)))
    asked = server.counts.received.total()
    with pytest.raises(UsageError, match="calls to openai/judge of unknown price were made"):
        run(sweep(judged=False, max_cost=1.0))
    assert run(sweep(max_cost=1.0)).complete  # its card says the price now
    assert server.counts.received.total() == asked
