"""A run asks each question once, keeps each answer, counts right, and goes on where it ended."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager

import pytest

from grader.errors import UsageError
from grader.protocol.asker import OpenAsker
from grader.protocol.asking import Provider
from grader.protocol.run import run, run_all, state_of
from grader.record.run_log import RunLog
from tests.grade.judged import at_once
from tests.model_server import Answer, model_server
from tests.protocol.running import NAMES, request_for, responses, small_set, tries
from tests.record.full_disk import no_file_beyond

ALL = {
    "protocols": ["full_problem", "sequential_carry", "oracle_scaffolded"],
    "modes": ["multimodal", "text_only", "text_reader"],
}
CARRY = {"protocols": ["sequential_carry"]}

LEFT = pytest.mark.filterwarnings("ignore:coroutine .* was never awaited")
"""What the client leaves of calls that are cancelled before they are sent."""


@pytest.fixture
def problems(tmp_path):
    return small_set(tmp_path / "set", images=True)


@pytest.fixture
def out(tmp_path):
    return tmp_path / "run.jsonl"


@pytest.fixture
def server():
    with model_server(speak) as running:
        yield running


def speak(body):
    """Answers by what it is shown; with a tool it asks about the first figure, once."""
    messages = body["messages"]
    if not body.get("tools") or messages[-1]["role"] == "tool":
        # a mere text would be put into a call of the tool
        return {"role": "assistant", "content": f"I was shown {len(messages)} messages."}
    figure = body["tools"][0]["function"]["parameters"]["properties"]["figure"]["enum"][0]
    arguments = json.dumps({"figure": figure, "question": "What is it?"})
    calls = [{"id": "c1", "type": "function", "function": {"name": "read_image", "arguments": arguments}}]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def asked(problems, out, server, model="m", **shown):
    """What is run at a server, with a reader that sees."""
    where = {"api_base": server.base_url, "price": {"input": 1.0, "output": 4.0}}
    reader = {"model": "openai/eyes", **where}
    solver = {"model": f"openai/{model}", "vision": True, "parameters": {"max_tokens": 100}, **where}
    return request_for(problems, out, solver, reader=reader, **shown)


def go(request, **more):
    return run(request, Provider(request, wait=at_once, **more))


# Whole


def test_every_turn_of_every_condition_is_answered_and_no_request_is_paid_twice(problems, out, server):
    request = asked(problems, out, server, **ALL)
    state = go(request)
    assert state.complete
    assert {one.key for one in responses(out)} == {
        ("openai/m", name, sub, protocol, mode, 0)
        for name in NAMES
        for protocol in ALL["protocols"]
        for sub in ([None] if protocol == "full_problem" else [f"{name}-1", f"{name}-2"])
        for mode in ALL["modes"]
    }
    assert set(server.counts.received.values()) == {1}
    assert [cell.done for cell in state.cells.values()] == [2] * 3 + [4] * 6
    # the first question of a conversation is the same under two protocols
    shared = sum(cell.cost for cell in state.cells.values())
    assert shared > state.paid.cost == pytest.approx(server.counts.cost)
    assert any(f"${state.paid.cost:.6f} were paid" in note for note in state.notes())
    assert state.as_json(out, "m")["paid"] == {"cost": round(server.counts.cost, 9), "unknown": 0}


def test_a_run_that_is_complete_asks_nothing_and_changes_nothing(problems, out, server):
    request = asked(problems, out, server, **ALL)
    first = go(request)
    before = out.read_bytes(), server.counts.received.total()
    again = go(request)
    assert (again.cells, again.paid) == (first.cells, first.paid)
    assert (out.read_bytes(), server.counts.received.total()) == before


def test_a_run_whose_responses_are_lost_is_made_again_from_its_journal(problems, out, server):
    request = asked(problems, out, server, **ALL)
    go(request)
    before = {one.key: (one.text, one.meta["input"], one.meta["usage"]) for one in responses(out)}
    out.unlink()
    go(request)
    assert {one.key: (one.text, one.meta["input"], one.meta["usage"]) for one in responses(out)} == before
    assert set(server.counts.received.values()) == {1}


def test_samples_are_asked_apart(problems, out, server):
    state = go(asked(problems, out, server, samples=3))
    assert [one.sample for one in responses(out)].count(2) == 2
    # nothing on the wire tells them apart without a seed
    assert set(server.counts.received.values()) == {3}
    assert state.complete


# In parts


def test_a_part_is_counted_as_a_part_whatever_else_the_file_holds(problems, out, server):
    go(asked(problems, out, server, only=["copper"], **CARRY))
    for part in ({"only": ["iron"]}, {"only": ["copper"]}):
        state = go(asked(problems, out, server, **part, **CARRY))
        assert [(cell.done, cell.expected) for cell in state.cells.values()] == [(2, 2)]
        assert state.complete
    whole = asked(problems, out, server, **ALL)
    state = go(whole)
    assert state.complete
    assert [cell.done for cell in state_of(whole).cells.values()] == [2] * 3 + [4] * 6
    assert set(server.counts.received.values()) == {1}


def test_a_turn_that_fails_ends_its_conversation_and_is_asked_again_by_the_same_command(
    problems, out, server
):
    broken = True

    def reply(body):
        return Answer(400, {"error": "no"}) if broken and "Question 1" in str(body) else speak(body)

    server.reply = reply
    request = asked(problems, out, server, modes=["text_only", "text_reader"], **CARRY)
    state = go(request)
    assert [(cell.done, cell.failed, cell.unasked) for cell in state.cells.values()] == [(0, 2, 2)] * 2
    assert state.unasked == {"failed": 4}
    assert any("one before them in their conversation has no answer" in note for note in state.notes())
    broken = False
    state = go(request)
    assert state.complete
    assert [one.error for one in responses(out)] == [None] * 8


@pytest.mark.parametrize("mode", ALL["modes"])
def test_a_conversation_that_is_gone_on_with_is_the_one_that_was_interrupted(problems, out, server, mode):
    whole = asked(problems, out.with_stem("whole"), server, modes=[mode], **CARRY)
    go(whole)
    conversations = dict(server.counts.received)
    broken = True

    def reply(body):
        return Answer(400, {"error": "no"}) if broken and "Question 2" in str(body) else speak(body)

    server.reply = reply
    request = asked(problems, out, server, modes=[mode], **CARRY)
    state = go(request)
    assert [(cell.done, cell.failed, cell.unasked) for cell in state.cells.values()] == [(2, 2, 0)]
    broken = False
    go(request)
    assert set(server.counts.received) == set(conversations)
    texts = [{one.key: one.text for one in responses(path)} for path in (whole.out, out)]
    assert texts[0] == texts[1]


def test_half_of_a_surrogate_pair_in_an_answer_does_not_end_its_conversation(problems, out, server):
    server.reply = lambda body: "half \ud83d"
    state = go(asked(problems, out, server, **CARRY))
    assert state.complete
    carried = [body["messages"][1] for body in server.bodies.values() if len(body["messages"]) > 1]
    assert carried == [{"role": "assistant", "content": "half \ufffd"}] * 2


def test_the_state_of_a_run_that_was_killed_is_what_it_holds(problems, out, server):
    request = asked(problems, out, server, **CARRY)
    assert [cell.done for cell in state_of(request).cells.values()] == [0]
    go(request)
    out.write_bytes(out.read_bytes()[:-20])
    assert [cell.done for cell in state_of(request).cells.values()] == [3]


# Ends


class Broken(OpenAsker):
    """Answers a few times, and then has a bug."""

    def __init__(self, request, server, answers):
        self.provider = Provider(request, wait=at_once)
        self.left = answers

    @asynccontextmanager
    async def __call__(self, journal, images):
        async with self.provider(journal, images) as self.client:
            yield self

    async def ask(self, request):
        self.left -= 1
        if self.left < 0:
            raise ZeroDivisionError("a bug")
        return await self.client.ask(request)


@LEFT
def test_a_bug_ends_the_run_with_its_traceback_and_what_was_answered_is_kept(problems, out, server):
    request = asked(problems, out, server, **ALL)
    with pytest.raises(ZeroDivisionError) as ended:
        run(request, Broken(request, server, 10))
    assert ended.traceback[-1].name == "ask"
    go(request)
    assert len(responses(out)) == 30
    completed = server.counts.completed
    # those in flight when it ended may be asked again, those that were answered may not
    kept = [attempt for attempt in tries(out) if "failure" not in attempt]
    assert len(kept) == len(completed)


@LEFT
def test_a_full_disk_ends_the_run_in_words_and_the_same_command_goes_on(problems, out, server):
    request = asked(problems, out, server, **ALL)
    with no_file_beyond(6000), pytest.raises(UsageError, match="the same command goes on where this one"):
        go(request)
    assert go(request).complete
    assert len(responses(out)) == 30


def test_two_processes_cant_make_the_same_run(problems, out, server):
    request = asked(problems, out, server)

    def reply(body):
        with pytest.raises(UsageError, match="another process writes the run"):
            RunLog(request.out, request.header()).__enter__()
        return speak(body)

    server.reply = reply
    assert go(request).complete
    assert server.counts.received.total() == 2


def test_runs_that_are_made_at_once_share_client_reader_and_journal(problems, tmp_path, server):
    shown = {"protocols": ["full_problem", "oracle_scaffolded"], "modes": ["text_reader"]}
    requests = [asked(problems, tmp_path / f"{name}.jsonl", server, name, **shown) for name in ("a", "b")]
    requests.append(asked(problems, tmp_path / "short.jsonl", server, "c", only=["copper"]))
    provider = Provider(requests[0], beside=requests[1:], wait=at_once)
    states = run_all([(one, provider) for one in requests], tmp_path / "calls.jsonl")
    assert all(state.complete for state in states)
    # nobody's connections were closed when the shortest ended, and the reader was asked once by both
    assert set(server.counts.received.values()) == {1}
    paid = states[0].paid
    assert paid is not None
    assert all(state.paid is paid for state in states)
    assert paid.cost == pytest.approx(server.counts.cost)


# Nothing is sent


def test_an_input_file_that_is_no_text_is_refused_before_anything_is_asked(tmp_path, out, server):
    task = tmp_path / "files" / "tasks" / "p"
    task.mkdir(parents=True)
    sub = {"sub_id": "p-1", "text_open": "?", "files": ["x.bin"], "full_mark": 1, "rubric": ["r (1 point)"]}
    later = {**sub, "sub_id": "p-2", "files": []}
    problem = {"problem_id": "p", "header": "h", "subquestions": [later, sub]}
    (task / "problem.json").write_text(json.dumps(problem))
    (task / "files").mkdir()
    (task / "files" / "x.bin").write_bytes(b"\xff\xfe\x00")
    from grader.problem.set import load_set

    request = asked(load_set(tmp_path / "files"), out, server, **CARRY)
    with pytest.raises(UsageError, match=r"x\.bin: an input file is no text"):
        go(request)
    assert not server.counts.received
    assert not out.exists()
