"""Labels within a line: ``(a) 3.2 (b) No (c) two``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grader.answer.segments.headings import Heading, Style, Tier
from grader.answer.segments.labels import Labels, Path
from grader.answer.segments.stretches import Layout, layouts

_SHORT = 1500
"""A longer response isn't written so."""
_PAREN = re.compile(
    r"(?:(?<=^)|(?<=[.;,:\n|])[ ]?|(?<=[.;,)][*_])[ ]?)[*_]{0,2}"
    r"\((?P<label>[0-9]{1,2}|[a-z]|[ivx]{2,4})\)[*_:]{0,3}(?=\s)"
)
_DOT = re.compile(r"(?:(?<=^)|(?<=[.;,:\n|])[ ])[*_]{0,2}(?P<label>[0-9]{1,2})[.):][*_]{0,2}(?=\s)")


def inline(text: str, labels: Labels, begin: int) -> Iterator[Layout]:
    """The complete layouts that labels within the lines of a short response make."""
    if len(text) - begin > _SHORT or "```" in text:
        return
    for style, pattern in (("within lines (1)", _PAREN), ("within lines 1.", _DOT)):
        found = [_heading(match, style) for match in pattern.finditer(text, begin)]
        for one in layouts(found, labels, len(text)) if found else ():
            if isinstance(one, Layout) and one.complete and one.ordered:
                yield one


def _heading(match: re.Match[str], style: str) -> Heading:
    label = match["label"]
    kind = "number" if label.isdecimal() else "letter"
    path: Path = (str(int(label)) if label.isdecimal() else label,)
    return Heading(match.start(), match.end(), (path,), Tier.PLAIN, 0, Style("", style, kind, ""))
