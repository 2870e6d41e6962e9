"""Bodies and pages that a provider, or a server on the way, sends in place of a reply."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from grader.judge.replies.replied import ReplyError

_TRANSIENT = re.compile(
    r"rate.?limit|overload|too.?many.?requests|resource.?exhausted|unavailable|time.?out|timed.?out"
    r"|server.?error|internal|bad.?gateway|api_error|try again",
    re.I,
)
_LASTING = re.compile(r"insufficient.?quota|billing|credit balance", re.I)
_WITHHELD = re.compile(r"content.?filter|content.?policy|content.?management|responsible.?ai", re.I)
_PAGE = re.compile(
    r"<!doctype html|<html\b|<head>|<body>|HTTP/[\d.]+ [45]\d\d\b|(?:error|status)(?: code)?:? ?[45]\d\d\b"
    r"|(?:[45]\d\d:? )?(?:internal server error|bad gateway|service (?:temporarily )?unavailable"
    r"|gateway time-?out|too many requests|upstream (?:connect|request)|rate limit exceeded)\b",
    re.I,
)
_STATUS = re.compile(r"\b[45]\d\d\b")
_TOLD = ("type", "code", "status", "message", "detail")


def error_page(text: str) -> ReplyError | None:
    """The error, where a text is a server's page or one line of it."""
    page = _PAGE.match(text)
    if not page:
        return None
    status = _STATUS.search(text[:2000])
    passes = _passes(int(status[0]) if status else None, text[:2000])
    return ReplyError("empty", f"a server's page came in place of a reply: {page[0]}", retry=passes)


def error_in(body: Mapping[str, Any], wrapped: bool) -> ReplyError | None:
    """The error that a body reports; ``wrapped`` tells that it has the shape of a reply."""
    choices = body.get("choices")
    for node in [body, *(choices if isinstance(choices, list) else ())]:
        if isinstance(node, Mapping) and (error := node.get("error")):
            return _error(error, body)
    named = "error" in (body.get("type"), body.get("object")) or body.get("status") == "failed"
    bare = not wrapped and not {"detail", "status_code", "errors"}.isdisjoint(body)
    return _error(body, body) if named or bare else None


def _error(error: object, body: Mapping[str, Any]) -> ReplyError:
    node = error if isinstance(error, Mapping) else {"message": error}
    told = " ".join(str(said) for key in _TOLD if isinstance(said := node.get(key), (str, int)))[:200]
    if _WITHHELD.search(told):
        return ReplyError("refusal", f"the provider withheld the reply: {told}")
    detail = f"the provider sent an error in place of a reply: {told}"
    return ReplyError("empty", detail, retry=_passes(_status(node, body), told))


def _status(*nodes: Mapping[str, Any]) -> int | None:
    """The HTTP status that an error states."""
    for node in nodes:
        for key in ("status", "status_code", "code", "http_status"):
            value = node.get(key)
            if isinstance(value, (int, str)) and _STATUS.fullmatch(str(value)[:9]):
                return int(value)
    return None


def _passes(status: int | None, told: str) -> bool:
    """The same request may succeed later."""
    if _LASTING.search(told):
        return False
    if status is not None:
        return status in (408, 425, 429) or status >= 500
    return _TRANSIENT.search(told) is not None
