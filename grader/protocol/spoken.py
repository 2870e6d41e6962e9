"""What one reply of a model says: its text, its reasoning, and the tools it wants to use."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

REFUSED = "refusal"
"""The finish reason of a reply that its provider marks as a refusal."""

SEALED = ("thinking_blocks", "reasoning_details")
"""Fields of a message that hold reasoning as its provider signed or sealed it, to be given back."""

_OPEN = re.compile(r"\s*(?:<think(?:ing)?>|\[THINK\]|◁think▷)")
_CLOSE = re.compile(r"</think(?:ing)?>|\[/THINK\]|◁/think▷")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""What providers take for the name of a tool."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that the model wants to use."""

    id: str
    name: str
    """Without what models put before and behind it (``functions.read_image``); empty where there is none."""
    arguments: Mapping[str, Any] | None
    """None where they are no JSON object."""
    signatures: Mapping[str, Any] = field(default_factory=dict)
    """What the provider bound to the call and wants back with it."""
    written: str = "{}"
    """The arguments as the model wrote them; none where no server could read them again."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """One reply."""

    text: str
    """Empty where there is none; what a refusal says, where the provider tells refusals apart."""
    reasoning: str | None
    finish_reason: str | None
    calls: tuple[ToolCall, ...]
    sealed: Mapping[str, Any] = field(default_factory=dict)
    """What ``SEALED`` names."""
    files: tuple[str, ...] = ()
    """Paths of files that a program gave with its answer."""


def spoken_in(raw: Mapping[str, Any]) -> Spoken:
    """Read a reply's body in OpenAI's shape; whatever is missing is empty.

    Reasoning that a server left in the text is taken out of it, so that it is
    neither graded nor carried, whoever serves the model.
    """
    choice = _first(raw.get("choices"))
    message = _mapping(choice.get("message"))
    thought, text = _unthought(_text(message.get("content")))
    refusal = "" if text.strip() else _refusal(message)
    reasoning = _text(message.get("reasoning_content")) or _text(message.get("reasoning"))
    finish = choice.get("finish_reason")
    return Spoken(
        text=refusal or text,
        reasoning="\n\n".join(filter(None, (reasoning, thought))) or None,
        finish_reason=REFUSED if refusal else finish if isinstance(finish, str) else None,
        calls=tuple(_calls(message.get("tool_calls"))),
        sealed=dict(_sealed(message)),
        files=tuple(_files(message.get("files"))),
    )


def _unthought(text: str) -> tuple[str, str]:
    """Reasoning and answer: servers that don't part them leave the tags, or the closing one alone."""
    opening = _OPEN.match(text)
    closing = _CLOSE.search(text, opening.end() if opening else 0)
    if closing is None:  # reasoning that was cut off has no answer behind it
        return (text[opening.end() :].strip(), "") if opening else ("", text)
    thought = text[opening.end() if opening else 0 : closing.start()]
    return thought.strip(), text[closing.end() :]


def _sealed(message: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    thinking = message.get("thinking_blocks")
    signed = [block for block in thinking if _is_signed(block)] if isinstance(thinking, list) else []
    if signed:
        yield "thinking_blocks", signed
    # the client puts what it doesn't know of a message among the provider's own fields
    own = _mapping(message.get("provider_specific_fields"))
    if details := message.get("reasoning_details") or own.get("reasoning_details"):
        yield "reasoning_details", details


def _is_signed(block: Any) -> bool:
    return bool(_mapping(block).get("signature") or _mapping(block).get("data"))


def _calls(calls: Any) -> Iterator[ToolCall]:
    seen: set[str] = set()
    for number, call in enumerate(calls if isinstance(calls, list) else ()):
        call = _mapping(call)
        function = _mapping(call.get("function"))
        name = _NAME.match(str(function.get("name") or "").rpartition(".")[2])
        # some servers name no call, or all calls alike; nine letters and digits suit every one of them
        own = str(call.get("id") or "")
        call_id = own if own and own not in seen else f"call{number:05d}"
        seen.add(call_id)
        arguments = _arguments(function.get("arguments"))
        yield ToolCall(
            call_id,
            name.group() if name else "",
            arguments,
            {one: call[one] for one in ("provider_specific_fields", "extra_content") if call.get(one)},
            _written(function.get("arguments"), arguments),
        )


def _arguments(given: Any) -> Mapping[str, Any] | None:
    if isinstance(given, Mapping):
        return given
    try:
        read = json.loads(given, parse_constant=_no_json) if isinstance(given, str) else None
    except (ValueError, RecursionError):
        return None
    return read if isinstance(read, Mapping) else None


def _no_json(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _written(given: Any, read: Mapping[str, Any] | None) -> str:
    if read is None:
        return "{}"
    return given if isinstance(given, str) else json.dumps(read)


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
