"""Providers that refuse what the real ones refuse, each in its own shape.

Every one of them lets its model ask about a figure once in each turn, and then
answer. What is refused is answered with status 400, as it would be.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.model_server import Answer
from tests.scripted_judge import Body

QUESTION = {"figure": "Figure 1", "question": "What does it show?"}
THOUGHT = "A secret thought."


def calling(*calls: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """A message that uses the reader; each call overrides parts of the usual one."""
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [_call(**call) for call in calls or ({},)],
    } | more


def _call(arguments: Any = None, name: str = "read_image", **more: Any) -> dict[str, Any]:
    written = arguments if isinstance(arguments, str) else json.dumps(arguments or QUESTION)
    return {"id": "call_1", "type": "function", "function": {"name": name, "arguments": written}} | more


def saying(text: str, **more: Any) -> dict[str, Any]:
    """A message that answers."""
    return {"role": "assistant", "content": text} | more


def turn_of(body: Body) -> Sequence[Mapping[str, Any]]:
    """The messages from the last question on."""
    at = max(index for index, message in enumerate(body["messages"]) if message["role"] == "user")
    return list(body["messages"][at:])


def answers(body: Body) -> bool:
    """Whether the model has asked in this turn, and may answer."""
    return len(turn_of(body)) > 1


def refused(why: str) -> Answer:
    """What a provider answers to what it doesn't take."""
    return Answer(400, {"error": {"message": why, "type": "invalid_request_error"}})


def faults(body: Body) -> Iterator[str]:
    """What strict chat templates and servers find wrong with messages in OpenAI's shape."""
    before = None
    for message in body["messages"]:
        role = message["role"]
        if role == "user" and before in ("user", "tool"):
            yield f"Unexpected role 'user' after role '{before}'"
        if role == "assistant":
            if not message.get("tool_calls") and not (message.get("content") or "").strip():
                yield "Assistant message must have either content or tool_calls"
            yield from _call_faults(message.get("tool_calls") or ())
        before = role
    yield from _unanswered(body["messages"])


def _call_faults(calls: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if len({call["id"] for call in calls}) < len(calls) or not all(call["id"] for call in calls):
        yield "Tool call ids must be there and unique"
    for call in calls:
        try:
            assert isinstance(json.loads(call["function"]["arguments"]), dict)
        except (ValueError, AssertionError):
            yield "Tool call arguments must be a JSON object"
        if not call["function"]["name"].replace("_", "").isalnum():
            yield "Tool names match [A-Za-z0-9_-]+"


def _unanswered(messages: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    open_calls: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            if message["tool_call_id"] not in open_calls:
                yield "A tool's result must answer a call"
            else:
                open_calls.remove(message["tool_call_id"])
        elif open_calls:
            yield "Every tool call needs its result"
        open_calls += [call["id"] for call in message.get("tool_calls") or ()]


def deepseek(body: Body) -> Any:
    """Reasoning has to come back with each message of a turn that used tools, in all later requests."""
    if body["model"] == "eye":
        return "A blue line."
    for at, message in enumerate(body["messages"]):
        if message.get("tool_calls") and not message.get("reasoning_content"):
            return refused(
                f"Missing `reasoning_content` field in the assistant message at message index {at}"
            )
    if not answers(body):
        return calling(reasoning_content=THOUGHT)
    return saying("An answer.", reasoning_content=THOUGHT)


def anthropic(body: Body) -> Answer:
    """Signed thinking has to stand first in the turn under way; no text may be blank."""
    for at, message in enumerate(body["messages"]):
        blocks = message["content"]
        if any(block["type"] == "text" and not block["text"].strip() for block in blocks):
            return refused(f"messages.{at}: text content blocks must contain non-whitespace text")
    *_, last = body["messages"]
    if last["content"][-1]["type"] != "tool_result":
        thinking = {"type": "thinking", "thinking": THOUGHT, "signature": "c2lnbmVk"}
        redacted = {"type": "redacted_thinking", "data": "c2VhbGVk"}
        call = {"type": "tool_use", "id": "toolu_1", "name": "read_image", "input": QUESTION}
        return _anthropic([thinking, redacted, {"type": "text", "text": "\n\n"}, call], "tool_use")
    first, second = body["messages"][-2]["content"][:2]
    if (first["type"], second["type"]) != ("thinking", "redacted_thinking") or first[
        "signature"
    ] != "c2lnbmVk":
        return refused(f"Expected `thinking` or `redacted_thinking`, but found `{first['type']}`")
    return _anthropic([{"type": "text", "text": "An answer."}], "end_turn")


def _anthropic(content: list[dict[str, Any]], stop_reason: str) -> Answer:
    usage = {"input_tokens": 10, "output_tokens": 5}
    body = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude", "content": content}
    return Answer(200, {**body, "stop_reason": stop_reason, "usage": usage})


def gemini(body: Body) -> Answer:
    """A call of the turn under way has to come back with its signature."""
    call, last = [{}, *body["contents"]][-2:]
    if not any("function_response" in part for part in last["parts"]):
        parts: list[dict[str, Any]] = [
            {"text": THOUGHT, "thought": True},
            {"functionCall": {"name": "read_image", "args": QUESTION}, "thoughtSignature": "c2lnbmVk"},
        ]
        return _gemini(parts)
    if call["parts"][0].get("thoughtSignature") != "c2lnbmVk":
        return refused("Function call is missing a thought_signature in functionCall parts.")
    return _gemini([{"text": "An answer."}])


def _gemini(parts: list[dict[str, Any]]) -> Answer:
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
    return Answer(200, {"candidates": [candidate], "usageMetadata": usage})
