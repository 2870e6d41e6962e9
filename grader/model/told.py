"""Errors that a provider tells of within a body of status 200, in place of a reply or in the midst of one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from grader.model.reply import FailureKind

_RATE = re.compile(r"rate.?limit|too.?many.?requests|resource.?exhausted|slow down", re.IGNORECASE)
_FAILED = re.compile(
    r"overload|unavailable|time.?out|timed.?out|server.?error|internal|bad.?gateway|api_error|try again",
    re.IGNORECASE,
)
_WITHHELD = re.compile(
    r"content.?(?:filter|policy|management)|responsible.?ai|moderation|flagged", re.IGNORECASE
)
_STATUS = re.compile(r"[45]\d\d")
_CODES = ("code", "status", "status_code")
_TOLD = ("type", "code", "status", "message", "detail")


def error_told(body: Mapping[str, Any]) -> tuple[FailureKind, str] | None:
    """The failure that a body or one of its choices tells of; None for a reply.

    A reply that was withheld for what it says is one too: asking again brings
    the same. OpenRouter puts errors into choices, and litellm puts what it
    doesn't know of a choice into ``provider_specific_fields``.
    """
    for error in _errors(body):
        text = _text(error)
        kind = kind_told(next(filter(None, map(error.get, _CODES)), None), text)
        if kind is not None:
            return kind, text
    return None


def withheld(text: str) -> bool:
    """Whether an error says that a reply was withheld for what was asked or answered."""
    return _WITHHELD.search(text) is not None


def kind_told(code: object, text: str) -> FailureKind | None:
    """The kind of failure that an error's code, a status or a word, and its text stand for."""
    if withheld(text):
        return None
    if _STATUS.fullmatch(str(code)):
        return kind_of_status(int(str(code)))
    if _RATE.search(f"{code} {text}"):
        return "rate_limit"
    return "server_error" if _FAILED.search(f"{code} {text}") else None


def kind_of_status(status: int) -> FailureKind:
    """The kind of failure that an HTTP status stands for."""
    if status == 429:
        return "rate_limit"
    if status in (401, 403):
        return "auth"
    # 408 and 409: the server asks to be asked again
    return "server_error" if status >= 500 or status in (408, 409) else "bad_request"


def _errors(body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    choices = body.get("choices")
    for node in (body, *(choices if isinstance(choices, list) else ())):
        if isinstance(node, Mapping):
            yield from _of(node)
            if isinstance(fields := node.get("provider_specific_fields"), Mapping):
                yield from _of(fields)


def _of(node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    # some providers send an empty error beside each reply
    if error := node.get("error"):
        yield error if isinstance(error, Mapping) else {"message": error}


def _text(error: Mapping[str, Any]) -> str:
    return " ".join(str(error[name]) for name in _TOLD if error.get(name))
