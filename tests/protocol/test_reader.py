"""A text model reads figures through another model and nothing else, within a bound that it knows."""

from __future__ import annotations

import asyncio
import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from grader.model.reply import Attempt, Reply
from grader.model.request import Endpoint, ModelRequest
from grader.problem.visible import Figure
from grader.protocol.exchange import Asked, exchange
from grader.protocol.inputs import inputs
from grader.protocol.reader import Reader
from grader.record import RunReader
from grader.render.inputs import inputs_table
from tests.model_server import Answer
from tests.protocol.conversing import once, roles, strict
from tests.protocol.providers import calling, refused, saying, turn_of
from tests.protocol.running import tries

NONE_LEFT = "error: no calls are left"


def told(body: dict[str, Any]) -> list[str]:
    """What the tools of the last reply said."""
    return [message["content"] for message in turn_of(body) if message["role"] == "tool"]


def asking(*questions: str, figure: str = "Figure 1") -> dict[str, Any]:
    calls = [
        {"id": f"c{number}", "arguments": {"figure": figure, "question": one}}
        for number, one in enumerate(questions)
    ]
    return calling(*calls)


# What is asked, and how often


def test_the_reader_gets_the_image_and_the_question_and_nothing_else(made):
    run = made(once(asking("What colour?")))
    assert run.go().complete
    (read,) = run.read
    assert roles(read) == ["user"]
    image, question = read["messages"][0]["content"]
    assert image["image_url"]["url"].startswith("data:image/png;base64,")
    assert question == {"type": "text", "text": "What colour?"}
    assert set(read) == {"model", "messages", "max_tokens"}


def test_the_model_knows_the_figures_and_the_bound_and_the_run_says_it(made):
    run = made(once(asking("What colour?")), reader={"calls": 3})
    assert run.go().complete
    (tool,) = run.asked[0]["tools"]
    assert tool["function"]["name"] == "read_image"
    assert "at most 3" in tool["function"]["description"]
    assert [
        body["tools"][0]["function"]["parameters"]["properties"]["figure"]["enum"] for body in run.asked
    ] == [
        ["Figure 1"],
        ["Figure 1"],
        ["Figure 1", "Figure 2"],
        ["Figure 1", "Figure 2"],
    ]
    assert RunReader(run.out).header.parameters["reader"]["most_calls"] == 3


def test_a_problem_without_figures_has_no_tool(made):
    run = made(strict(lambda body: "An answer."), images=False)
    assert run.go().complete
    assert not any("tools" in body for body in run.asked)


def test_a_model_that_asks_more_than_it_may_is_told_so_once_and_then_answers(made):
    def model(body):
        return "An answer." if NONE_LEFT in told(body) else asking(f"Question {len(turn_of(body))}?")

    run = made(strict(model), reader={"calls": 2})
    assert run.go().complete
    assert [len(response.meta["reader_calls"]) for response in run.responses] == [2, 2]
    assert told(run.asked[3]) == ["A blue line.", "A blue line.", NONE_LEFT]
    assert [response.text for response in run.responses] == ["An answer."] * 2
    assert len(run.asked) == 8


def test_a_model_that_does_nothing_but_ask_comes_to_an_end_without_an_answer(made):
    run = made(strict(lambda body: asking(f"Question {len(turn_of(body))}?")), reader={"calls": 2})
    state = run.go()
    assert state.complete
    (cell,) = state.cells.values()
    assert (cell.flags["empty"], len(run.asked)) == (2, 8)


def test_of_several_calls_in_one_reply_those_within_the_bound_are_read(made):
    run = made(once(asking("a?", "b?", "c?", "d?")), reader={"calls": 3})
    assert run.go().complete
    assert told(run.asked[1]) == ["A blue line."] * 3 + [NONE_LEFT]
    assert [call["question"] for call in run.responses[0].meta["reader_calls"]] == ["a?", "b?", "c?"]


def test_the_calls_of_one_reply_are_read_at_the_same_time():
    both_there = asyncio.Event()
    there: list[str] = []

    class Both:
        """Reads when it has been asked twice."""

        async def ask(self, request: ModelRequest) -> Reply:
            if request.endpoint.model == "eye":
                there.append("asked")
                if len(there) == 2:
                    both_there.set()
                await both_there.wait()
                return _reply(request, saying("A blue line."))
            return _reply(request, saying("An answer.") if len(request.messages) > 1 else asking("a?", "b?"))

    async def work():
        reader = Reader(Endpoint("eye"), {"max_tokens": 10})
        asked = Asked(Both(), Endpoint("m"), {"max_tokens": 10}, 0, lambda figure: figure.file, reader)
        async with asyncio.timeout(10):
            return await exchange(
                [{"role": "user", "content": "?"}], [Figure("Figure 1", "a.png", "")], asked
            )

    done = asyncio.run(work())
    assert (done.text, len(done.reader_calls)) == ("An answer.", 2)


def _reply(request: ModelRequest, message: dict[str, Any]) -> Reply:
    raw = {"choices": [{"message": message, "finish_reason": "stop"}]}
    return Reply(request.key, Attempt(datetime.now(UTC), 0.0, status=200, raw=raw))


def test_the_same_question_twice_is_asked_and_paid_once(made):
    run = made(once(asking("a?", "a?")))
    assert run.go().complete
    assert len(run.read) == 1
    costs = [response.meta["cost"] for response in run.responses]
    assert [len(response.meta["reader_calls"]) for response in run.responses] == [2, 2]
    # the second turn asks what the first has asked, so its calls cost what is paid already
    read = next(iter(run.responses)).meta["reader_calls"][0]["cost"]
    assert sum(costs) == pytest.approx(run.server.counts.cost + read)


# What can't be asked, and who doesn't answer


@pytest.mark.parametrize(
    "call",
    [
        {"arguments": {"figure": "Figure 9", "question": "?"}},
        {"arguments": {"figure": "Figure 1", "question": "  "}},
        {"arguments": {"question": "?"}},
        {"arguments": {"figure": 1, "question": "?"}},
        {"name": "look_at", "arguments": {"figure": "Figure 1", "question": "?"}},
        {"name": ""},
    ],
)
def test_a_call_that_can_not_be_read_is_told_so_and_counts(made, call):
    run = made(once(calling(call)))
    assert run.go().complete
    assert run.read == []
    assert told(run.asked[1]) == ["error: read_image takes a figure (Figure 1) and a question"]
    assert [len(response.meta["reader_calls"]) for response in run.responses] == [1, 1]


def test_a_figure_is_found_however_its_name_is_capitalised(made):
    run = made(once(asking("a?", figure=" figure 1")))
    assert run.go().complete
    assert run.responses[0].meta["reader_calls"][0]["figure"] == "Figure 1"


FILTERED = "The response was filtered due to the prompt triggering our content management policy."


@pytest.mark.parametrize(
    ("answer", "heard", "error"),
    [
        (refused(FILTERED), "error: the reader refuses to answer", "the reader refuses to answer"),
        ({"role": "assistant", "content": None, "refusal": "I can't help."}, "I can't help.", None),
        (saying(""), "error: the reader gave no answer", "the reader gave no answer"),
        (saying("<think>A line?</think>A blue line."), "A blue line.", None),
    ],
)
def test_what_the_reader_refuses_is_told_and_recorded(made, answer, heard, error):
    run = made(once(asking("a?"), reader=lambda body: answer))
    assert run.go().complete
    assert told(run.asked[1]) == [heard]
    (call,) = run.responses[0].meta["reader_calls"]
    assert (call["figure"], call["question"], call.get("error")) == ("Figure 1", "a?", error)
    assert call["answer"] == (None if error else heard)


@pytest.mark.parametrize(
    "broken", [Answer(500, {"error": {"message": "down"}}), refused("Unsupported parameter: 'max_tokens'")]
)
def test_a_reader_that_fails_fails_the_turn_and_the_same_command_asks_again_for_nothing_else(made, broken):
    run = made(once(asking("a?", "b?"), reader=lambda body: _unless(body, "b?", broken)))
    state = run.go()
    (cell,) = state.cells.values()
    assert (cell.done, cell.failed, cell.flags.total()) == (0, 1, 0)
    (failed,) = run.responses
    assert "the reader failed" in str(failed.error)
    assert [call["question"] for call in failed.meta["reader_calls"]] == ["a?"]
    run.server.reply = once(asking("a?", "b?"))
    assert run.go().complete
    assert set(run.server.counts.completed.values()) == {1}
    assert [response.text for response in run.responses] == ["An answer."] * 2


def _unless(body: dict[str, Any], question: str, broken: Answer) -> Any:
    return broken if body["messages"][0]["content"][1]["text"] == question else "A blue line."


def test_a_turn_whose_reader_is_too_dear_is_not_asked_and_goes_on_with_more_money(made):
    run = made(once(asking("a?")), reader={"image_tokens": 10_000_000})
    state = run.go(max_cost=5.0)
    assert (state.complete, dict(state.unasked)) == (False, {"budget": 2})
    assert run.responses == []
    assert run.go(max_cost=50.0).complete
    assert set(run.server.counts.completed.values()) == {1}


def test_reader_calls_stand_in_the_run_with_all_they_took(made):
    run = made(once(asking("a?")))
    run.go()
    (call,) = run.responses[0].meta["reader_calls"]
    assert set(call) == {"figure", "question", "answer", "model", "request", "finish_reason", "usage", "cost"}
    assert (call["model"], call["answer"], call["finish_reason"]) == ("openai/eye", "A blue line.", "stop")
    assert len(tries(run.out)) == 2 * 2 + 1
    assert "base64" not in json.dumps([response.meta for response in run.responses])


def test_the_audit_names_each_call_and_what_it_failed_for(made):
    run = made(
        once(calling({"id": "a"}, {"id": "b", "arguments": {"figure": "Figure 9", "question": "What?"}}))
    )
    run.go()
    for one in inputs(run.out):
        assert [call["question"] for call in one.reader_calls] == ["What does it show?", "What?"]
    printed = audit(run.out)
    assert printed.count("Figure 1: What does it show? A blue line. ($") == 2
    assert "Figure 9: What? (read_image takes a figure (Figure 1, Figure 2) and a question)" in printed


def audit(out: Path) -> str:
    """What ``argus inputs`` prints."""
    screen = io.StringIO()
    Console(file=screen, width=200).print(inputs_table(out.name, [*inputs(out)]))
    return screen.getvalue()


def test_the_audit_shows_what_was_read_and_what_it_cost(made):
    """In full as JSON; shortened, and as text that is no markup, in the table."""
    answer = "[bold]A curve[/bold] " + "that rises " * 40
    run = made(once(asking("a?"), reader=lambda body: answer))
    run.go()
    [first, *_] = [one.as_json() for one in inputs(run.out)]
    [call] = first["reader_calls"]
    assert call["answer"] == answer
    printed = audit(run.out)
    assert "[bold]A curve[/bold] that rises" in printed
    assert printed.count("that rises") < 40
    # both turns ask the same, which is paid once
    assert f"2 reader calls: ${call['cost']:.4f}" in " ".join(printed.split())
