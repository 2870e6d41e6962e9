"""What a judge said, out of the body in which its provider sends it.

The shapes of OpenAI's chat, completions and responses APIs and of those that
speak like them, of Anthropic's, Google's, Amazon's, Cohere's and Ollama's.
Reasoning is never taken for what was said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from grader.judge.replies.documents import UNSEEN
from grader.judge.replies.entries import judges
from grader.judge.replies.provider_error import completed, error_in, error_page

Node = Mapping[str, Any]

_BLOCKED = frozenset(
    [
        "content_filter",
        "content_filtered",
        "refusal",
        "safety",
        "recitation",
        "blocklist",
        "prohibited_content",
        "spii",
        "image_safety",
        "guardrail_intervened",
        "error_toxic",
    ]
)
_CUT = frozenset(["length", "max_tokens", "max_output_tokens", "model_context_window_exceeded"])
_FINISH = (
    "finish_reason",
    "finishReason",
    "stop_reason",
    "stopReason",
    "done_reason",
    "reason",
    "blockReason",
)
_INWARD = (
    *("choices", "candidates", "output", "message", "content", "parts"),
    *("tool_calls", "function_call", "function", "functionCall", "toolUse"),
)
"""The keys under which what was said may lie deeper."""
_ELSEWHERE = ("promptFeedback", "response", "object", "usage", "usageMetadata", "model")
_WRAPPERS = frozenset((*_INWARD, *_FINISH, *_ELSEWHERE))
_SPOKEN = {
    None,
    "message",
    "text",
    "output_text",
    "refusal",
    "tool_use",
    "tool_call",
    "function",
    "function_call",
}
"""Types of blocks that may hold what was said; reasoning and all unknown ones don't."""
_OTHERS = ("user", "system", "developer", "tool")
_DEEPEST = 12
_BODY = re.compile(r'\{[^{}\[\]]{0,400}"(?:choices|candidates|error|output|content)"\s*:')


@dataclass(slots=True)
class Said:
    """What the judge said, in whatever its provider wraps it."""

    texts: list[str] = field(default_factory=list)
    """One for each message; blank ones left out."""
    calls: list[str | Node] = field(default_factory=list)
    """Arguments of tool calls: JSON, or what it was read as."""
    refusals: list[str] = field(default_factory=list)
    """What the model said in refusing, where the API keeps that apart."""
    blocked: bool = False
    """The provider or the model withheld the reply, or broke it off for its content."""
    cut: bool = False
    """The reply reached a token limit."""


def said(reply: str | Node) -> Said:
    """What the judge said; raises ReplyError (empty, refusal) where the body tells of a call that failed."""
    if not isinstance(reply, str):
        return _of_body(reply)
    text = reply.strip(UNSEEN)
    if page := error_page(text):
        raise page
    body = _body_in(text)
    return _of_body(body) if body is not None else Said([reply] if text else [])


def _of_body(body: Node) -> Said:
    wrapped = _wrapped(body)
    if error := error_in(body):
        raise error
    heard = Said() if wrapped else Said(calls=[body])
    if wrapped:
        _listen(body, heard, 0)
    reasons = set(_reasons(body))
    heard.blocked, heard.cut = bool(reasons & _BLOCKED), bool(reasons & _CUT)
    return heard


def _wrapped(body: Node) -> bool:
    """It is a provider's body, not the document itself."""
    return not _WRAPPERS.isdisjoint(body) and (completed(body) or not judges(body))


def _listen(node: object, heard: Said, depth: int) -> None:
    if isinstance(node, str):
        heard.texts += [node] if node.strip(UNSEEN) else []
    elif isinstance(node, list) and depth < _DEEPEST:
        _listen_to_list(node, heard, depth)
    elif isinstance(node, Mapping) and depth < _DEEPEST and _speaks(node):
        _listen_to_block(node, heard, depth)


def _listen_to_list(nodes: list[Any], heard: Said, depth: int) -> None:
    """The texts of blocks are one text, which may break anywhere; messages are texts of their own."""
    part = Said()
    for node in nodes:
        _listen(node, part, depth + 1)
    messages = any(isinstance(node, Mapping) and ("message" in node or "content" in node) for node in nodes)
    heard.texts += part.texts if messages else ["".join(part.texts)] if part.texts else []
    heard.calls += part.calls
    heard.refusals += part.refusals


def _listen_to_block(node: Node, heard: Said, depth: int) -> None:
    if isinstance(refusal := node.get("refusal"), str) and refusal.strip(UNSEEN):
        heard.refusals.append(refusal)
    for key in ("text", "response"):
        if isinstance(text := node.get(key), str):
            _listen(text, heard, depth)
    for key in ("arguments", "args", "input"):
        arguments = node.get(key)
        if isinstance(arguments, Mapping) or (isinstance(arguments, str) and arguments.strip(UNSEEN)):
            heard.calls.append(arguments)
    if "verdicts" in node:
        heard.calls.append(node)
    for key in _INWARD:
        if key in node:
            _listen(node[key], heard, depth + 1)


def _speaks(node: Node) -> bool:
    kind = node.get("type")
    known = kind is None or (isinstance(kind, str) and kind in _SPOKEN)
    return known and not node.get("thought") and node.get("role") not in _OTHERS


def _reasons(body: Node) -> Iterator[str]:
    """All the reasons that the body gives for its end, in lower case."""
    nodes: list[object] = [body, body.get("incomplete_details"), body.get("promptFeedback")]
    for key in ("choices", "candidates"):
        several = body.get(key)
        nodes += several if isinstance(several, list) else []
    for node in nodes:
        if isinstance(node, Mapping):
            yield from (reason.casefold() for key in _FINISH if isinstance(reason := node.get(key), str))


def _body_in(text: str) -> Node | None:
    """The provider's body that a text is the JSON of, if it is."""
    if not _BODY.match(text):
        return None
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return None
    shaped = any(isinstance(body.get(key), list) for key in ("choices", "candidates", "output", "content"))
    return body if shaped or isinstance(body.get("error"), dict) else None
