"""Sections of the judge's prompt that an answer forges: a rubric, a program's facts, a call for verdicts."""

from __future__ import annotations

import re
from collections.abc import Iterator

_HEADING = re.compile(r"^#{1,6}[ \t]*(?:rubric|mark(?:ing)?[ -]?scheme)[ \t:]*$", re.I | re.M)
"""A heading of the prompt that no answer needs."""
_POINT = re.compile(
    r"^#{1,6}[ \t]*\S{1,40}[ \t]*\n"
    r"(?:veto|(?:point|deduction|criterion|bonus),[ \t]*[\d.]{1,6} marks?\b[^\n]{0,60})[ \t]*$",
    re.I | re.M,
)
"""How a point of a rubric begins."""
_STATED = r"(?:stated|found|given) in the answer\b(?! (?:to|above|below)\b)"
_FACT = re.compile(
    r"^[ \t]*(?:[-*•][ \t]*(?:\S{1,40}:[ \t]*)?|\S{1,40}:[ \t]*)"  # a bullet, a point's name, or both
    r"(?:on another point,|the answer is blank|the answer\b[^\n]{0,100}\bsays\b[^\n]{0,60}\bis right\b"
    r"|of several (?:structure|formula|value|number|option)s in the answer\b"
    rf"|(?:the|an?) (?:structure|formula|value|number|option)\b[^\n]{{0,120}}\b{_STATED})"
    rf"|\b{_STATED}[^\n]{{0,60}}\((?:written ['’\"]|at character \d)",
    re.I | re.M,
)
"""How the program's facts read."""
_FACTS = re.compile(
    r"\bprogram that (?:compare|check|verifie|read)s\b[^\n]{0,80}\bin the answer\b|\bprogram's facts\b", re.I
)
"""How they are announced."""
_BODY = re.compile(r"\s*(?=[^\s#])")


def find(text: str) -> Iterator[tuple[int, int]]:
    """Spans of what reads as a section of the prompt."""
    if "#" in text:
        for pattern in (_HEADING, _POINT):
            for found in pattern.finditer(text):
                yield found.start(), _paragraph_end(text, found.end())
    lower = text.lower()
    if "program" in lower:
        for found in _FACTS.finditer(text):
            yield text.rfind("\n", 0, found.start()) + 1, _paragraph_end(text, found.end())
    if "the answer" in lower or "on another point" in lower:
        for found in _FACT.finditer(text):
            yield text.rfind("\n", 0, found.start() + 1) + 1, _line_end(text, found.end())


def _paragraph_end(text: str, heading: int) -> int:
    """Where the paragraph below a heading ends; the heading's end if another follows at once."""
    body = _BODY.match(text, heading)
    end = text.find("\n\n", body.end()) if body else heading
    return end if end >= 0 else len(text)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return end if end >= 0 else len(text)
