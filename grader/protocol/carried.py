"""What stays in a conversation of a reply: all of it while it is under way, and no reasoning afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grader.model.request import Message
from grader.protocol.spoken import SEALED, Spoken, ToolCall

_WANTS_REASONING = ("deepseek", "moonshot")
"""Providers that refuse a message with tool calls and without the reasoning before them."""
_BLANK = " "
"""In place of reasoning, for who refuses a conversation without: the least that is accepted."""


def within_turn(spoken: Spoken, model: str) -> Message:
    """A reply that uses tools, as its model gets it back with what the tools said.

    Of its reasoning it holds what the provider wants back: signed or sealed
    blocks (Anthropic, OpenRouter), signatures of calls (Gemini), or the text
    itself (DeepSeek, Moonshot).
    """
    kept: dict[str, Any] = {
        "role": "assistant",
        # no provider takes a text of white space alone
        "content": spoken.text if spoken.text.strip() else None,
        "tool_calls": [_call(call) for call in spoken.calls],
        **spoken.sealed,
    }
    if spoken.reasoning and model.partition("/")[0] in _WANTS_REASONING:
        kept["reasoning_content"] = spoken.reasoning
    return kept


def after_turn(exchanged: Sequence[Message], text: str) -> list[Message]:
    """What later turns see of a turn: what was read in it, and its answer.

    Nothing where there is no answer, not even what was read: some providers
    take no question right behind a tool's result, and one would take the turn
    to be under way still and ask for its reasoning.
    """
    if not text.strip():
        return []
    later = [_unreasoned(message) for message in exchanged]
    answer = {"role": "assistant", "content": text}
    if any("reasoning_content" in message for message in later):
        answer["reasoning_content"] = _BLANK
    return [*later, answer]


def _call(call: ToolCall) -> dict[str, Any]:
    function = {"name": call.name or "unnamed", "arguments": call.written}
    return {"id": call.id, "type": "function", "function": function, **call.signatures}


def _unreasoned(message: Message) -> Message:
    kept = {one: value for one, value in message.items() if one not in SEALED}
    return {**kept, "reasoning_content": _BLANK} if "reasoning_content" in kept else kept
