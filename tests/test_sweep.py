"""A sweep says how far it is, goes on where it ended, and pays everybody from one purse."""

from __future__ import annotations

import json
import shlex
import sys
from itertools import pairwise

import pytest

from grader.errors import UsageError
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


MARK = {"point_id": "copper-r1", "by": "Ada", "points": 1}

# How far it is


def test_cells_say_how_far_they_are(sweep, server):
    broken = True

    def reply(body):
        fails = broken and "6 letters" in str(body["messages"])
        return Answer(400, {"error": "no"}) if fails else speak(body)

    server.reply = reply
    alone = sweep(judged=False)
    assert states(look(alone)) == ["missing"]
    assert not look(alone).complete
    made = run(alone)
    assert (states(made), states(look(alone))) == (["failed"], ["failed"])
    assert any("1 calls failed; the same command asks again" in note for note in made.notes())
    broken = False
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


PROGRAM = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    reply = {"request": asked["request"], "text": "42", "cost": 0.25}
    if asked.get("tools") and asked["messages"][-1]["role"] != "tool":
        figure = asked["tools"][0]["function"]["parameters"]["properties"]["figure"]["enum"][-1]
        arguments = json.dumps({"figure": figure, "question": "What is it?"})
        call = {"id": "c1", "type": "function", "function": {"name": "read_image", "arguments": arguments}}
        reply = {"request": asked["request"], "tool_calls": [call], "cost": 0.25}
    print(json.dumps(reply), flush=True)
"""
"""Asks the reader what the models of ``tests.sweeping`` ask."""


@pytest.fixture
def program(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    cmd = shlex.join([sys.executable, "-ISE", str(tmp_path / "program.py")])
    return {"cmd": cmd, "name": "program"}


def test_programs_and_models_share_the_reader_and_its_purse(sweep, server, program):
    models = [program, solver(server), {**program, "name": "another", "cmd": program["cmd"] + " x"}]
    shown = {"modes": ["text_reader"], "reader": reader(server)}
    whole = run(sweep(*models, out="whole", **shown))
    assert whole.complete
    assert set(server.counts.received.values()) == {1}
    assert sum(row.cell.reader_calls for row in whole.rows()) == 3 * 4
    assert server.counts.cost < 1  # what programs say they cost is in no purse
    before = server.counts.cost
    limit = before / 2
    made = run(sweep(*models, max_cost=limit, **shown))
    assert 0 < server.counts.cost - before <= limit
    assert not made.complete
    assert run(sweep(*models, max_cost=2 * before, **shown)).complete


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
    unpriced = write_judge(tmp_path, server, price=None)
    run(load_sweep(sweep_file(tmp_path, [solver(server)], judge=unpriced)))
    asked = server.counts.received.total()
    with pytest.raises(UsageError, match="calls to openai/judge of unknown price were made"):
        run(sweep(judged=False, max_cost=1.0))
    assert run(sweep(max_cost=1.0)).complete  # its card says the price now
    assert server.counts.received.total() == asked
