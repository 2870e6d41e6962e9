"""Names of pages and places in them: the same each time, safe on every file system and in every link."""

from __future__ import annotations

import re

from grader.record import digest

_PLAIN = re.compile(r"[a-z0-9](?:[a-z0-9_-]{0,78}[a-z0-9])?")
_UNSAFE = re.compile(r"[^a-z0-9_-]+")


def file_name(problem_id: str) -> str:
    """The file of a problem's page.

    An id that isn't lower-case letters, digits, ``-`` and ``_`` gets a piece of its digest, as two ids
    may differ only in what file systems don't tell apart.
    """
    return f"{_safe(problem_id)}.html"


def anchor(*parts: str | int) -> str:
    """A place in a page."""
    return "-".join(_safe(str(part)) for part in parts)


def answer_anchor(sub_id: str, response: str) -> str:
    """Where the page of its problem has an answer; ``response``: the digest of the response that holds it."""
    return anchor(sub_id, response[:12])


def _safe(name: str) -> str:
    if _PLAIN.fullmatch(name):
        return name
    simple = _UNSAFE.sub("-", name.lower()).strip("-_")[:60]
    return f"{simple or 'x'}-{digest(name)[:8]}"
