"""A conversation holds what its provider takes and wants, and no reasoning of earlier turns."""

from __future__ import annotations

import json

import pytest

from grader.protocol.spoken import spoken_in
from tests.model_server import Faults
from tests.protocol import providers
from tests.protocol.conversing import once, roles, strict
from tests.protocol.providers import THOUGHT, calling, saying

# What later turns see


def test_reasoning_is_recorded_and_never_carried(made):
    run = made(lambda body: saying("An answer.", reasoning_content=THOUGHT), modes=["text_only"])
    assert run.go().complete
    assert [response.meta["reasoning"] for response in run.responses] == [THOUGHT] * 2
    assert [roles(body) for body in run.asked] == [["user"], ["user", "assistant", "user"]]
    assert run.asked[1]["messages"][1] == {"role": "assistant", "content": "An answer."}
    assert THOUGHT not in json.dumps(run.asked)


@pytest.mark.parametrize(
    "content",
    [
        f"<think>{THOUGHT}</think>\n\nAn answer.",
        f"{THOUGHT}\n</think>\n\nAn answer.",
        f"[THINK]{THOUGHT}[/THINK]An answer.",
    ],
)
def test_reasoning_that_a_server_leaves_in_the_text_is_no_answer_either(made, content):
    run = made(lambda body: content, modes=["text_only"])
    assert run.go().complete
    assert [(one.text.strip(), one.meta["reasoning"]) for one in run.responses] == [
        ("An answer.", THOUGHT)
    ] * 2
    assert THOUGHT not in json.dumps(run.asked)


def test_an_empty_reply_is_carried_as_nothing_and_the_questions_stand_in_one_message(made):
    run = made(strict(lambda body: " \n"), modes=["text_only"])
    assert run.go().complete
    first, second = run.asked
    assert roles(second) == ["user"]
    assert second["messages"][0]["content"].startswith(first["messages"][0]["content"] + "\n\n")


def test_an_empty_reply_between_two_questions_with_images_loses_none_of_them(made):
    run = made(lambda body: "", modes=["multimodal"], solver={"vision": True})
    assert run.go().complete
    first, second = (body["messages"][0]["content"] for body in run.server.bodies.values())
    assert [part["type"] for part in first] == ["text", "image_url", "text"]
    assert [part["type"] for part in second] == ["text", "image_url", "text", "image_url", "text"]
    assert second[:2] == first[:2]
    assert second[2]["text"].startswith(first[2]["text"] + "\n\n")


def test_what_was_read_stays_in_the_conversation(made):
    run = made(once(calling()))
    assert run.go().complete
    last = run.asked[-1]
    assert roles(last) == ["user", "assistant", "tool", "assistant", "user", "assistant", "tool"]
    assert last["messages"][2] == {"role": "tool", "tool_call_id": "call_1", "content": "A blue line."}
    assert run.asked[2]["messages"] == last["messages"][:5]


def test_an_empty_answer_after_reading_leaves_no_result_behind_which_a_question_would_stand(made):
    run = made(once(calling(), then=""))
    assert run.go().complete
    assert [roles(body) for body in run.asked] == [["user"], ["user", "assistant", "tool"]] * 2
    assert [response.meta["carried"] for response in run.responses] == [[], []]


def test_a_run_that_goes_on_sees_of_earlier_turns_what_it_saw_before(made):
    run = made(once(calling(reasoning_content=THOUGHT)))
    assert run.go().complete
    asked, lines = run.asked, run.out.read_text().splitlines(keepends=True)
    run.out.write_text("".join(lines[:2]))
    run.out.with_suffix(".calls.jsonl").unlink()
    run.server.bodies.clear()
    assert run.go().complete
    assert run.asked == asked[2:]


# What providers want back within a turn


def test_signed_and_sealed_thinking_goes_back_to_anthropic_within_the_turn_and_not_after_it(made):
    run = made(
        lambda body: "A blue line.",
        {"native": providers.anthropic},
        solver={"model": "anthropic/claude-sonnet-4-5", "parameters": {"reasoning_effort": "low"}},
    )
    assert run.go().complete
    assert [response.text for response in run.responses] == ["An answer."] * 2
    assert THOUGHT in json.dumps(run.asked[1])
    later = json.dumps(run.asked[2])
    assert "A blue line." in later
    assert THOUGHT not in later
    assert "c2VhbGVk" not in later


def test_the_signature_of_a_call_goes_back_to_gemini_and_its_thought_does_not(made):
    run = made(
        lambda body: "A blue line.",
        {"native": providers.gemini},
        solver={"model": "gemini/gemini-3-pro-preview"},
    )
    assert run.go().complete
    assert [response.text for response in run.responses] == ["An answer."] * 2
    assert [response.meta["reasoning"] for response in run.responses] == [THOUGHT] * 2
    assert THOUGHT not in json.dumps(run.asked)


@pytest.mark.parametrize("model", ["deepseek/deepseek-reasoner", "moonshot/kimi-k2-thinking"])
def test_who_wants_reasoning_with_every_call_gets_it_within_the_turn_and_a_blank_after_it(made, model):
    run = made(providers.deepseek, solver={"model": model})
    assert run.go().complete
    within, later = run.asked[1]["messages"], run.asked[2]["messages"]
    assert within[1]["reasoning_content"] == THOUGHT
    assert [message.get("reasoning_content") for message in later] == [None, " ", None, " ", None]
    assert [response.meta["reasoning"] for response in run.responses] == [f"{THOUGHT}\n\n{THOUGHT}"] * 2


def test_nobody_else_gets_reasoning_back(made):
    run = made(once(calling(reasoning_content=THOUGHT)))
    assert run.go().complete
    assert THOUGHT not in json.dumps(run.asked)


def test_sealed_reasoning_and_signatures_in_openais_shape_go_back_within_the_turn(made):
    sealed = [{"type": "reasoning.encrypted", "data": "c2VhbGVk"}]
    signed = {"extra_content": {"google": {"thought_signature": "c2lnbmVk"}}}
    run = made(once(calling(signed, reasoning_details=sealed)))
    assert run.go().complete
    within, later = run.asked[1]["messages"][1], run.asked[2]["messages"][1]
    assert within["reasoning_details"] == sealed
    assert "reasoning_details" not in later
    # a signature is bound to its call, which stays
    assert within["tool_calls"] == later["tool_calls"]
    assert within["tool_calls"][0]["extra_content"] == signed["extra_content"]


# What servers refuse to see again


@pytest.mark.parametrize("arguments", ['{"figure": "Fig', "[]", '"Figure 1"', "", '{"figure": NaN}', "null"])
def test_arguments_that_no_server_could_read_again_are_not_sent_again(made, arguments):
    run = made(once(calling({"arguments": arguments} if arguments else {"function": {"name": "read_image"}})))
    assert run.go().complete
    message, told = run.asked[1]["messages"][1:]
    assert message["tool_calls"][0]["function"]["arguments"] == "{}"
    assert told["content"].startswith("error: read_image takes a figure (Figure 1) and a question")


@pytest.mark.parametrize("ids", [("", ""), ("call_0", "call_0"), (None, "a")])
def test_calls_without_ids_of_their_own_get_some(made, ids):
    run = made(once(calling(*({"id": one} for one in ids))))
    assert run.go().complete
    assistant, *told = run.asked[1]["messages"][1:]
    assert [one["tool_call_id"] for one in told] == [call["id"] for call in assistant["tool_calls"]]


@pytest.mark.parametrize("name", ["functions.read_image", "read_image<|channel|>commentary"])
def test_a_name_that_a_model_dresses_up_is_understood_and_sent_back_plain(made, name):
    run = made(once(calling({"name": name})))
    assert run.go().complete
    message, told = run.asked[1]["messages"][1:]
    assert message["tool_calls"][0]["function"]["name"] == "read_image"
    assert told["content"] == "A blue line."


def test_blank_text_beside_a_call_is_left_out(made):
    run = made(once(calling(content="\n\n")))
    assert run.go().complete
    assert run.asked[1]["messages"][1].get("content") is None


def test_a_reply_without_a_choice_is_no_empty_answer_but_a_failed_call(made):
    run = made(lambda body: {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 1}})
    state = run.go()
    assert not state.complete
    assert [response.error for response in run.responses] == ["unreadable_body: the body holds no choice"]


def test_a_model_that_asks_no_reader_answers_in_one_request(made):
    run = made(strict(lambda body: "An answer."))
    assert run.go().complete
    assert len(run.asked) == 2
    assert all(response.meta["reader_calls"] == [] for response in run.responses)


def test_with_thirty_percent_faults_the_turns_are_those_of_an_undisturbed_run(made):
    run = made(once(calling()), {"faults": Faults(share=0.6, most=2, kinds=("429", "500", "broken", "html"))})
    assert run.go().complete
    assert [response.text for response in run.responses] == ["An answer."] * 2
    assert set(run.server.counts.completed.values()) == {1}
    assert sum(run.server.counts.faults.values()) > 0


@pytest.mark.parametrize(
    ("content", "text", "reasoning"),
    [
        ("<think>It never ends", "", "It never ends"),
        ("◁think▷So.◁/think▷CCO", "CCO", "So."),
        ("<thinking>\nSo.\n</thinking>CCO", "CCO", "So."),
        ("CCO", "CCO", None),
        ("x < y and <b>CCO</b>", "x < y and <b>CCO</b>", None),
        (
            [
                {"type": "thinking", "thinking": [{"type": "text", "text": "So."}]},
                {"type": "text", "text": "CCO"},
            ],
            "CCO",
            None,
        ),
    ],
)
def test_an_answer_and_the_reasoning_before_it_are_told_apart(content, text, reasoning):
    spoken = spoken_in({"choices": [{"message": {"content": content}}]})
    assert (spoken.text, spoken.reasoning) == (text, reasoning)


@pytest.mark.parametrize(
    "message",
    [
        {"content": None, "refusal": "I can't."},
        {"content": "", "provider_specific_fields": {"refusal": "I can't."}},
        {"content": " ", "refusal": "I can't."},
    ],
)
def test_what_a_refusal_says_is_the_text_and_its_mark_the_reason(message):
    spoken = spoken_in({"choices": [{"message": message, "finish_reason": "stop"}]})
    assert (spoken.text, spoken.finish_reason) == ("I can't.", "refusal")


@pytest.mark.parametrize(
    "raw", [{}, {"choices": None}, {"choices": ["?"]}, {"choices": [{"message": {"tool_calls": "?"}}]}]
)
def test_a_reply_of_any_shape_is_read(raw):
    spoken = spoken_in(raw)
    assert (spoken.text, spoken.calls, spoken.finish_reason) == ("", (), None)
