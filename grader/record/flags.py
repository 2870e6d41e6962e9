"""What is to be known of a response before its score is read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, get_args

from grader.record.loop import is_looping
from grader.record.refusal import is_refusal
from grader.record.values import Response

Flag = Literal["empty", "refused", "truncated", "looping", "overflow"]
"""``empty``: a completed reply without text. ``refused``: by the provider's mark, or a short text that is
nothing but a refusal. ``truncated``: cut off at the limit of tokens. ``looping``: it ends going in circles.
``overflow``: the conversation is longer than the model takes. Such a call failed, so its points are
undetermined, and so are those of the turns behind it."""
FLAGS: tuple[Flag, ...] = get_args(Flag)

_REFUSED = re.compile(
    "refusal|content_filter(?:ed)?|guardrail_intervened|error_toxic|sensitive"
    "|safety|recitation|blocklist|prohibited_content|spii",
    re.IGNORECASE,
)
_TRUNCATED = re.compile(
    "length|max_tokens|max_output_tokens|model_length|model_context_window_exceeded", re.IGNORECASE
)
"""Finish reasons as providers name them."""

_OVERFLOW = re.compile(
    "|".join(
        (
            "context_?(?:length|window|size)_?exceeded",  # OpenAI's code; the client's own class
            "exceed_context_size",  # llama.cpp's type
            "exceeds? (?:the )?(?:available )?context",  # OpenAI, Anthropic, llama.cpp
            "(?:prompt|input) is too long",  # Anthropic, Bedrock
            "maximum (?:allowed )?(?:context|prompt|input|model) length",  # OpenAI, vLLM, Mistral, xAI
            "context (?:length|window|size) exceed",  # MiniMax
            "(?:longer|greater) than the (?:model's )?context",  # SGLang, LM Studio
            "token count.{0,40} exceeds",  # Gemini, Copilot
            "exceeds the maximum number of tokens",  # Gemini
            "input tokens exceed",  # OpenAI
            "exceeded model token limit",  # Moonshot
            "exceeds max length",  # Zhipu
            "range of input length should be",  # Qwen
            "tokens in the prompt cannot exceed",  # Cohere
            "current length is .{0,40}while limit is",  # Cerebras
            "reduce the length of the (?:messages|input|prompt)",  # Groq
            "`inputs` tokens \\+ `max_new_tokens` must be",  # Together, TGI
        )
    ),
    re.IGNORECASE,
)
_WITHHELD = re.compile(
    r"content.?(?:filter|policy|management)|responsible.?ai|safety system|usage polic", re.IGNORECASE
)


def flags(response: Response) -> tuple[Flag, ...]:
    """What a response is, besides an answer; of runs made elsewhere too, as far as they say it."""
    return tuple(_flags(response))


def _flags(response: Response) -> Iterator[Flag]:
    if response.error is not None:
        if _OVERFLOW.search(response.error):
            yield "overflow"
        elif _WITHHELD.search(response.error):
            yield "refused"
        return
    finish = response.finish_reason or ""
    truncated = _TRUNCATED.fullmatch(finish) is not None
    if not response.text.strip():
        yield "empty"
    if _REFUSED.fullmatch(finish) or response.meta.get("refusal") or is_refusal(response.text):
        yield "refused"
    if truncated:
        yield "truncated"
    if is_looping(response.text if response.text.strip() else _reasoning(response), truncated=truncated):
        yield "looping"


def _reasoning(response: Response) -> str:
    reasoning = response.meta.get("reasoning")
    return reasoning if isinstance(reasoning, str) else ""
