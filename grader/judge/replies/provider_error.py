"""Bodies and pages that a provider, or a server on the way, sends in place of a reply."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from grader.judge.replies.entries import judges, plain
from grader.judge.replies.replied import ReplyError

_CROWDED = re.compile(
    r"throttl|rate.?exceeded|(?:rate|requests?|qps|calls?|concurrency).?(?:limit|quota)"
    r"|too.?many.?(?:\w+ )?(?:requests|calls|connections)|per.(?:minute|second)|overload|slow.?down",
    re.I,
)
"""It was asked too often: some providers say so with the number of a bad request."""
_TRANSIENT = re.compile(
    r"resource.?exhausted|unavailable|time.?out|timed.?out|deadline|server.?error|internal|bad.?gateway"
    r"|api_error|try(?:ing)? again|temporar|busy|\bloading|capacity|not.?ready"
    r"|please (?:wait|retry)|retry (?:later|after|in)"
    r"|upstream request|connection (?:was |is )?(?:reset|refused|closed|aborted|error)|econn"
    r"|(?:^|code|status|error|http)\W{0,4}(?:429|5\d\d)\b",
    re.I,
)
_LASTING = re.compile(
    r"insufficient.?(?:quota|balance|funds)|billing|credit balance|arrear|\bdaily\b|per.day", re.I
)
_WITHHELD = re.compile(r"content.?filter|content.?policy|content.?management|responsible.?ai", re.I)
_PAGE = re.compile(
    r"<!doctype html|<html\b|<head>|<body>|HTTP/[\d.]+ [45]\d\d\b|(?:error|status)(?: code)?:? ?[45]\d\d\b"
    r"|(?:[45]\d\d:? )?(?:internal server error|bad gateway|service (?:temporarily )?unavailable"
    r"|gateway time-?out|too many requests|upstream (?:connect|request)|rate limit exceeded)\b",
    re.I,
)
_STATUS = re.compile(r"\b[45]\d\d\b")
_NUMBERED = frozenset(
    {"status", "statuscode", "code", "errorcode", "httpstatus", "httpcode", "httpstatuscode"}
)
_TOLD = (
    _NUMBERED
    | {"type", "errortype", "title", "name", "reason", "detail", "details", "description", "exception", "raw"}
    | {"message", "msg", "error", "errors", "errormessage", "errormsg", "fault", "faultstring"}
)
"""Keys, without case and punctuation, under which an error tells what it is."""
_COMPLETED = frozenset(
    {"choices", "candidates", "output", "content", "parts", "response", "promptFeedback"}
    | {"tool_calls", "function_call", "functionCall", "toolUse"}
    | {"finish_reason", "finishReason", "stop_reason", "stopReason", "done_reason"}
)
"""Keys that only a completion has; a ``message`` has to be more than text."""
_NAMING = frozenset({"message", "msg", "error", "errors", "errormsg", "errormessage", "fault", "detail"})
_DEEPEST = 5


def error_page(text: str) -> ReplyError | None:
    """The error, where a text is a server's page or one line of it."""
    page = _PAGE.match(text)
    if not page:
        return None
    status = _STATUS.search(text[:2000])
    passes = _passes(int(status[0]) if status else None, text[:2000])
    return ReplyError("empty", f"a server's page came in place of a reply: {page[0]}", retry=passes)


def error_in(body: Mapping[str, Any]) -> ReplyError | None:
    """The error that a body reports, be there a reply beside it or not; a judge's own object reports none."""
    if not completed(body) and judges(body):
        return None
    choices = body.get("choices")
    for node in [body, *(choices if isinstance(choices, list) else ())]:
        if isinstance(node, Mapping) and (error := node.get("error")):
            return _error({"error": error, **_numbers(body)})
    named = "error" in (body.get("type"), body.get("object")) or body.get("status") == "failed"
    return _error(body) if named else None


def no_reply(body: Mapping[str, Any]) -> ReplyError | None:
    """The error that a body must be because it is neither a completion nor has the form of verdicts."""
    if completed(body) or judges(body):
        return None
    said = body.get("message")
    quotes = isinstance(said, str) and "verdict" in said and "{" in said
    return None if quotes and _status(body) is None else _error(body)


def stated(body: Mapping[str, Any]) -> ReplyError | None:
    """The error of a body that came as text: judges write objects too, so it has to say that it is one."""
    error = no_reply(body)
    named = not _NAMING.isdisjoint(plain(str(key)) for key in body)
    return error if error and (_status(body) or (error.retry and named)) else None


def completed(body: Mapping[str, Any]) -> bool:
    """It has the shape of a provider's completion."""
    return isinstance(body.get("message"), Mapping) or any(body.get(key) is not None for key in _COMPLETED)


def _numbers(body: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in body.items() if plain(str(key)) in _NUMBERED}


def _error(body: Mapping[str, Any]) -> ReplyError:
    told = " ".join(str(said)[:200] for _, said in _tellings(body))[:400]
    if _WITHHELD.search(told):
        return ReplyError("refusal", f"the provider withheld the reply: {told[:200]}")
    detail = f"the provider sent an error in place of a reply: {told[:200] or 'it says nothing'}"
    return ReplyError("empty", detail, retry=_passes(_status(body), told))


def _tellings(node: object, name: str = "", depth: int = 0) -> Iterator[tuple[str, str | int]]:
    """What an error tells of itself, by key, from the outside in."""
    if name in _TOLD and isinstance(node, (str, int)) and not isinstance(node, bool):
        yield name, node
    elif isinstance(node, list) and depth < _DEEPEST:
        for item in node[:5]:
            yield from _tellings(item, name, depth + 1)
    elif isinstance(node, Mapping) and depth < _DEEPEST:
        for key, value in node.items():
            yield from _tellings(value, plain(str(key)), depth + 1)


def _status(body: Mapping[str, Any]) -> int | None:
    """The HTTP status that an error states."""
    for name, value in _tellings(body):
        if name in _NUMBERED and (status := _STATUS.match(str(value)[:9])):
            return int(status[0])
    return None


def _passes(status: int | None, told: str) -> bool:
    """The same request may succeed later."""
    if _LASTING.search(told):
        return False
    if status is None or status in (400, 403):
        return bool(_CROWDED.search(told) or (status is None and _TRANSIENT.search(told)))
    return status in (408, 425, 429, 498) or status >= 500
