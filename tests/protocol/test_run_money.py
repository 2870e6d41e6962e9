"""A run never spends more than its limit, whatever fails, ends or is killed, and goes on with more."""

from __future__ import annotations

import json
import shlex
import sys

import pytest

from grader.errors import UsageError
from grader.protocol.asking import Provider, Purse, terms_of
from grader.protocol.command import Command
from grader.protocol.run import run, run_all
from tests.grade.judged import at_once
from tests.model_server import PASSING, SPOKEN, Faults, model_server
from tests.protocol.running import request_for, responses, small_set
from tests.protocol.test_run import ALL, asked, speak
from tests.protocol.test_run_kill import DEMO, IN_FLIGHT, Killing, argus, ended, kept, model

TEXT = {"protocols": ALL["protocols"]}


@pytest.fixture
def problems(tmp_path):
    return small_set(tmp_path / "set", images=True)


@pytest.fixture
def out(tmp_path):
    return tmp_path / "run.jsonl"


def dear(body):
    """A reply that costs what it can cost at most: a token for each byte, and all of its length."""
    usage = {"prompt_tokens": len(json.dumps(body).encode()), "completion_tokens": body["max_tokens"]}
    said = speak(body)
    message = said if isinstance(said, dict) else {"role": "assistant", "content": said}
    return {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": usage}


def go(request, limit):
    return run(request, Provider(request, Purse(limit, terms_of([request])), wait=at_once))


def text_only(problems, out, server, **more):
    return asked(problems, out, server, **TEXT, **more)


@pytest.mark.parametrize("share", [0.0, 0.02, 0.04, 0.06])
def test_no_server_ever_bills_more_than_the_limit_and_the_rest_is_said(problems, out, share):
    limit = share / 10
    with model_server(dear, Faults(share=0.3, kinds=PASSING[:2] + PASSING[3:] + SPOKEN)) as server:
        request = text_only(problems, out, server)
        for _ in range(3):
            state = go(request, limit)
            assert server.counts.cost <= limit
            left = sum(cell.unasked for cell in state.cells.values())
            assert left == state.unasked["budget"] + state.unasked["failed"]
            assert state.complete == (not left and not state.failures)
    assert any("the rest of the most that may be spent" in note for note in state.notes()) == bool(
        state.unasked["budget"]
    )


def test_a_run_whose_money_is_spent_goes_on_with_more_of_it(problems, out):
    with model_server(dear) as server:
        request = text_only(problems, out, server)
        poor = go(request, 0.004)
        assert 0 < len(responses(out)) < 10
        assert poor.unasked == {"budget": 10 - len(responses(out))}
        assert go(request, 1.0).complete
        assert set(server.counts.received.values()) == {1}


def test_runs_that_are_made_at_once_are_paid_from_one_purse(problems, tmp_path):
    with model_server(dear) as server:
        requests = [text_only(problems, tmp_path / f"{name}.jsonl", server, model=name) for name in "abc"]
        purse = Purse(0.012, terms_of(requests))
        provider = Provider(requests[0], purse, beside=requests[1:], wait=at_once)
        states = run_all([(one, provider) for one in requests], tmp_path / "calls.jsonl")
        assert 0 < server.counts.cost <= 0.012
        assert purse.spent == pytest.approx(server.counts.cost)
    assert any(state.unasked["budget"] for state in states)


def test_what_was_paid_for_other_things_counts_too(problems, out):
    with model_server(dear) as server:
        request = text_only(problems, out, server)
        purse = Purse(1.0, terms_of([request]), elsewhere=1.0)
        state = run(request, Provider(request, purse, wait=at_once))
        assert not server.counts.received
    assert state.unasked == {"budget": 10}


def test_a_limit_needs_a_price_and_calls_of_unknown_price_too(problems, out):
    with model_server(speak) as server:
        solver = {"model": "openai/m", "api_base": server.base_url}
        request = request_for(problems, out, solver)
        with pytest.raises(UsageError, match="--price"):
            go(request, 1.0)
        assert not server.counts.received
        state = run(request, Provider(request, wait=at_once))
        assert state.paid is not None
        assert (state.paid.cost, state.paid.unknown) == (0.0, 2)
        # once there is a price, they count as the most they can have cost
        priced = request_for(problems, out, {**solver, "price": {"input": 1.0, "output": 4.0}}, **TEXT)
        state = go(priced, 0.01)
        assert state.unasked == {"budget": 8}
        assert server.counts.received.total() == 2


def test_beside_a_program_the_limit_holds_for_its_reader_alone(problems, out, tmp_path):
    """Whatever the program says it costs, here a dollar a turn."""
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    with model_server(dear) as server:
        reader = {
            "model": "openai/eye",
            "api_base": server.base_url,
            "price": {"input": 1.0, "output": 4.0},
            "parameters": {"max_tokens": 100},
            "image_tokens": 1000,
        }
        cmd = shlex.join([sys.executable, str(program)])
        request = request_for(problems, out, {"cmd": cmd}, modes=["text_reader"], reader=reader)
        assert request.reader is not None
        for limit, read in [(0.001, 0), (0.003, 1), (0.003, 1), (1.0, 2)]:
            purse = Purse(limit, {request.reader.endpoint: request.reader.terms})
            state = run(request, Command(request, Provider(request, purse)))
            assert server.counts.cost <= limit
            assert server.counts.received.total() == read
            assert state.unasked["budget"] == 2 - read
    assert state.complete
    assert state.paid is not None
    assert state.paid.cost == pytest.approx(2 * 2 + server.counts.cost)


PROGRAM = """
import json, sys
for line in map(json.loads, sys.stdin):
    reply = {"request": line["request"], "cost": 1.0}
    if line["messages"][-1]["role"] == "tool":
        reply["text"] = "An answer."
    else:
        asks = {"figure": "Figure 1", "question": "What?"}
        call = {"name": "read_image", "arguments": json.dumps(asks)}
        reply["tool_calls"] = [{"id": "c1", "type": "function", "function": call}]
    print(json.dumps(reply), flush=True)
"""


@pytest.mark.slow
def test_a_run_that_is_killed_again_and_again_never_spends_more_than_its_limit(tmp_path, out):
    killing = Killing(dear)
    limit = 0.12
    with model_server(killing, Faults(share=0.15, kinds=PASSING)) as server:
        killing.server = server
        solver = model(tmp_path / "solver.toml", server, "mind")
        options = ["--protocol", "all", "--model", solver, "--max-cost", limit, "-o", out]
        for ordinal in (1, 9, 17, 25):
            killing.killed(argus(DEMO, *options), ordinal)
            assert server.counts.cost <= limit
        code, said = ended(argus(DEMO, *options))
        assert code == 3, said
        assert "the rest of the most that may be spent" in said
        assert limit / 2 < server.counts.cost <= limit
        # what a kill took was paid for at most by what had been set aside for it
        assert server.counts.completed.total() - len(kept(out)) <= 4 * IN_FLIGHT
