"""A response is flagged for what it is, by whomever it was made, and an ordinary answer never."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.record import Response
from grader.record.flags import FLAGS, flags
from grader.record.loop import WINDOW, is_looping

SENTENCE = "The lone pair of the nitrogen then attacks the carbonyl carbon once more. "
PASSAGE = (
    "Wait, the product has to be checked again, because the stereochemistry at the third carbon depends on "
    "which face of the double bond is attacked by the borane. The bulky group blocks the upper face, so the "
    "attack comes from below, and the oxidation keeps what it finds. "
)


def response(text: str = "", **more: Any) -> Response:
    return Response("m", "p", "p-1", "sequential_carry", "text_only", 0, text, **more)


def test_an_answer_has_no_flags_and_a_response_can_have_several():
    assert flags(response("CCO", finish_reason="stop")) == ()
    cut = response(finish_reason="length", meta={"reasoning": SENTENCE * 20})
    assert flags(cut) == ("empty", "truncated", "looping")
    assert set(flags(cut)) <= set(FLAGS)


@pytest.mark.parametrize("blank", ["", " \n\t"])
def test_a_completed_reply_without_text_is_empty_and_a_failed_call_is_not(blank):
    assert flags(response(blank, finish_reason="stop")) == ("empty",)
    assert flags(response(blank, error="timeout: too slow")) == ()


@pytest.mark.parametrize(
    "reason", ["length", "max_tokens", "MAX_TOKENS", "model_length", "model_context_window_exceeded"]
)
def test_a_reply_cut_off_at_the_limit_is_truncated_under_every_name_of_it(reason):
    assert flags(response("The answer is", finish_reason=reason)) == ("truncated",)


@pytest.mark.parametrize(
    "reason", ["refusal", "content_filter", "SAFETY", "RECITATION", "guardrail_intervened"]
)
def test_a_refusal_that_the_provider_marks_is_one_whatever_the_text(reason):
    assert flags(response("The first half of", finish_reason=reason)) == ("refused",)


def test_a_refusal_field_of_a_run_made_elsewhere_is_a_mark_too():
    assert flags(response("No.", meta={"refusal": "No."})) == ("refused",)


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't help with that.",
        "I’m sorry, but I can’t assist with that request.",
        "I cannot fulfill this request. If you have any other question, let me know!",
        "I must decline to answer this question.",
        "I apologize, but I am not able to provide instructions for the synthesis of nerve agents.",
        "Sorry, that's beyond my current scope. Let's talk about something else.",
        "I am unable to comply with this request. This request violates our usage policies.",
        "抱歉，我无法协助完成这个请求。",
    ],
)
def test_a_text_that_is_nothing_but_a_refusal_is_one(text):
    assert flags(response(text, finish_reason="stop")) == ("refused",)


@pytest.mark.parametrize(
    "text",
    [
        "I can't help with that; the answer is CCO.",
        "I can't help but notice that the answer is 5.",
        "I can't determine the structure without the figure.",
        "I'm sorry, but I can't see the image.",
        "I cannot answer this question because Figure 2 is missing.",
        "We cannot continue the chain since no monomer is left.",
        "The reaction can't proceed.",
        "Unfortunately, the yield is 5 %.",
        "I'm sorry for the confusion. The answer is B.",
        "I can't help with that. The answer is B.",
        "抱歉，由于图缺失，我无法回答这个问题。",
        "I can't assist with that request. " + "But here is what is known of it. " * 20,
    ],
)
def test_an_answer_and_one_that_lacks_something_are_no_refusals(text):
    assert flags(response(text, finish_reason="stop")) == ()


OVERFLOWS = {
    "openai": "litellm.ContextWindowExceededError: OpenAIException - This model's maximum context length is"
    " 128000 tokens. However, your messages resulted in 130001 tokens.",
    "openai code": '{"error": {"code": "context_length_exceeded", "param": "messages"}}',
    "openai responses": "Your input exceeds the context window of this model. Please adjust your input.",
    "openai gpt-5": "Input tokens exceed the configured limit of 272000 tokens.",
    "anthropic": "AnthropicException - prompt is too long: 213462 tokens > 200000 maximum",
    "anthropic with the reply": "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
    "bedrock": "BedrockException - Input is too long for requested model.",
    "vllm": "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
    "vllm max_tokens": "'max_tokens' is too large: 2000. This model's maximum context length is 4096 tokens "
    "and your request has 2104 input tokens (2000 > 4096 - 2104).",
    "vllm model length": "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
    "sglang": "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
    "gemini": "The input token count (1196265) exceeds the maximum number of tokens allowed (1048576).",
    "llama.cpp": "the request exceeds the available context size, try increasing it",
    "llama.cpp type": '{"code": 400, "type": "exceed_context_size_error", "n_prompt_tokens": 14429}',
    "llama.cpp counts": "request (25837 tokens) exceeds the available context size (25088 tokens)",
    "lm studio": "The number of tokens to keep from the initial prompt is greater than the context length.",
    "mistral": "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
    "xai": "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    "groq": "Please reduce the length of the messages or completion.",
    "openrouter": "This endpoint's maximum context length is 32768 tokens.",
    "poolside": "Input length 131393 exceeds the maximum allowed input length of 131040 tokens.",
    "moonshot": "Your request exceeded model token limit: 8192 (requested: 9000)",
    "minimax": "invalid params, context window exceeds limit (2013)",
    "cerebras": "Current length is 9001 while limit is 8192",
    "together": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000",
}


@pytest.mark.parametrize("provider", OVERFLOWS)
def test_a_conversation_too_long_is_an_overflow_in_every_providers_words(provider):
    assert flags(response(error=f"bad_request: {OVERFLOWS[provider]}")) == ("overflow",)


@pytest.mark.parametrize(
    "error",
    [
        "rate_limit: Too many tokens, please wait before trying again.",
        "rate_limit: Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 50000.",
        "timeout: Request timed out.",
        "bad_request: unknown parameter: 'context'",
        "bad_request: Invalid 'user': string too long. Expected a string with maximum length 64",
        "connection: the context manager was closed",
    ],
)
def test_another_failure_is_no_overflow(error):
    assert flags(response(error=error)) == ()


@pytest.mark.parametrize(
    "error",
    [
        "bad_request: filtered due to the prompt triggering Azure OpenAI's content management policy.",
        "bad_request: Output blocked by content filtering policy",
        "bad_request: Your request was rejected as a result of our safety system.",
    ],
)
def test_a_question_that_the_provider_did_not_let_through_is_refused(error):
    assert flags(response(error=error)) == ("refused",)


def test_whatever_overflows_or_fails_says_nothing_else():
    failed = response(SENTENCE * 50, finish_reason="length", error="prompt is too long: 9 tokens > 8 maximum")
    assert flags(failed) == ("overflow",)


# Loops


@given(st.integers(10, 60), st.integers(0, len(SENTENCE)), st.text(max_size=200), st.booleans())
def test_a_sentence_again_and_again_is_a_loop_wherever_it_breaks_off(times, more, before, truncated):
    assert is_looping(before + SENTENCE * times + SENTENCE[:more], truncated=truncated)


@pytest.mark.parametrize("truncated", [True, False])
def test_a_whole_passage_is_a_loop_by_its_fourth_time(truncated):
    assert is_looping("First. " + PASSAGE * 4, truncated=truncated)
    assert not is_looping("First. " + PASSAGE * 2, truncated=truncated)


@pytest.mark.parametrize("piece", ["C", "CC(C)", "0 ", "\n", "the ", "| 0 | 0 |\n", "- no reaction\n", "哈"])
def test_what_is_cut_off_amid_a_thousand_equal_pieces_loops_whatever_they_are(piece):
    assert is_looping("The answer is " + piece * 1000, truncated=True)


EQUAL = st.sampled_from(
    [
        "C",
        "CC(C)",
        "OCC(=O)NC(C)",
        "[C@@H](O)",
        "C2H4/",
        "Gly-Pro-Hyp-",
        "ATG",
        "| 0.00 | 0.00 | 0.00 |\n",
        "| no reaction was observed under these conditions |\n",
        "no reaction & was observed & under & these & conditions \\\\\n",
        "- no reaction was observed under these conditions\n",
        "1. no reaction was observed under these conditions\n",
        "7.26 (d, J = 8.1 Hz, 2H, aromatic), ",
        "1715 cm-1 (strong, carbonyl)\n",
        "7.26\n",
        "C   0.000   0.000   1.540\n",
        "-",
        "\n",
        "\\quad ",
        "&nbsp;",
    ]
)


@given(EQUAL, st.integers(1, 2000), st.text(max_size=100))
def test_equal_rows_entries_and_units_that_end_by_themselves_are_no_loop(piece, times, before):
    assert not is_looping(before + piece * times, truncated=False)


@given(st.lists(st.integers(0, 9999), min_size=1, max_size=300, unique=True), st.booleans())
def test_rows_that_differ_are_no_loop_even_if_cut_off(numbers, truncated):
    rows = "".join(
        f"The signal of the proton at carbon {number} is a clear doublet here. " for number in numbers
    )
    assert not is_looping(rows, truncated=truncated)


@given(st.text(max_size=400), st.booleans())
def test_a_short_text_is_never_a_loop(text, truncated):
    assert not is_looping(text, truncated=truncated)


def test_a_text_that_went_in_circles_and_found_its_way_out_is_an_answer():
    assert not is_looping(SENTENCE * 40 + "So the product is the amide.", truncated=False)


def test_what_stands_before_the_end_costs_nothing():
    once = is_looping("x" * 10 * WINDOW + SENTENCE * 20, truncated=False)
    assert once == is_looping(SENTENCE * 20, truncated=False)
    assert not is_looping(("a" * 47 + "b") * 100_000, truncated=False)


def test_an_answer_is_looked_at_for_loops_before_the_reasoning_is():
    looped = {"reasoning": SENTENCE * 30}
    assert flags(response("CCO", finish_reason="stop", meta=looped)) == ()
    assert flags(response("", finish_reason="stop", meta=looped)) == ("empty", "looping")
