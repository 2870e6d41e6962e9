"""What one reply of a model says: its text, its reasoning, and the tools it wants to use."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from grader.model.request import Message

REFUSED = "refusal"
"""The finish reason of a reply that its provider marks as a refusal."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that the model wants to use."""

    id: str
    name: str
    arguments: Mapping[str, Any] | None
    """None where they are no JSON object."""


@dataclass(frozen=True, slots=True)
class Said:
    """One reply."""

    text: str
    """Empty where there is none; what a refusal says, where the provider tells refusals apart."""
    reasoning: str | None
    finish_reason: str | None
    calls: tuple[ToolCall, ...]
    carried: Message
    """The reply as a message of its conversation while it uses tools: reasoning only where the provider
    wants it back, as signed blocks."""
    files: tuple[str, ...] = ()
    """Paths of files that a program gave with its answer."""


def said(raw: Mapping[str, Any]) -> Said:
    """Read a reply's body in OpenAI's shape; whatever is missing is empty."""
    choice = _first(raw.get("choices"))
    message = _mapping(choice.get("message"))
    text, refusal = _text(message.get("content")), _refusal(message)
    finish = choice.get("finish_reason")
    return Said(
        text=text or refusal,
        reasoning=_text(message.get("reasoning_content")) or _text(message.get("reasoning")) or None,
        finish_reason=REFUSED if refusal and not text else finish if isinstance(finish, str) else None,
        calls=tuple(_calls(message.get("tool_calls"))),
        carried=_carried(message, text),
        files=tuple(_files(message.get("files"))),
    )


def _carried(message: Mapping[str, Any], text: str) -> Message:
    kept: dict[str, Any] = {"role": "assistant", "content": text or None}
    for name in ("tool_calls", "thinking_blocks"):
        if message.get(name):
            kept[name] = message[name]
    return kept


def _calls(calls: Any) -> Iterator[ToolCall]:
    for call in calls if isinstance(calls, list) else ():
        function = _mapping(_mapping(call).get("function"))
        yield ToolCall(
            str(_mapping(call).get("id") or ""), str(function.get("name") or ""), _arguments(function)
        )


def _arguments(function: Mapping[str, Any]) -> Mapping[str, Any] | None:
    given = function.get("arguments")
    if isinstance(given, Mapping):
        return given
    try:
        read = json.loads(given) if isinstance(given, str) else None
    except (ValueError, RecursionError):
        return None
    return read if isinstance(read, Mapping) else None


def _files(given: Any) -> Iterator[str]:
    yield from (name for name in (given if isinstance(given, list) else ()) if isinstance(name, str))


def _refusal(message: Mapping[str, Any]) -> str:
    own = _text(message.get("refusal"))
    return own or _text(_mapping(message.get("provider_specific_fields")).get("refusal"))


def _text(content: Any) -> str:
    """Content as text: a string, or the text parts of a list."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else ()
    return "".join(str(part.get("text") or "") for part in parts if isinstance(part, Mapping))


def _first(choices: Any) -> Mapping[str, Any]:
    return _mapping(choices[0]) if isinstance(choices, list) and choices else {}


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
