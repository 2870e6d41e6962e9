"""Numbers that head what follows: the "5" of "## 5" above a line is no value."""

from __future__ import annotations

import re
from collections.abc import Iterator

_LINE = re.compile(
    r"^[ \t]{0,3}(?P<hash>#{1,6}[ \t]+)?(?P<bold>\*\*|__)?[ \t]*"
    r"(?P<number>[0-9]{1,2}(?P<part>\.[0-9]{1,2})?)[.):]{0,2}(?(bold)(?P=bold))[.):]{0,2}[ \t]*$",
    re.M,
)
_BELOW = re.compile(r"\n[^\n]{0,200}?[^\W\d_]{2}|\n[^\n]{0,200}?[^\W\d_][ \t]{0,3}[=:≈]")
"""A line right below that says something."""
_FURTHER = re.compile(r"\s*[^\n]{0,200}?[^\W\d_]")
_LEADS = re.compile(
    r"(?:[=:≈~,]|->|\b(?:is|are|was|were|equals?|gives?|answer|result|solution|value|number|of|to|the|about))"
    r"[*_#\s]*\Z",
    re.I,
)
"""The end of a line whose value follows on the next."""
_OPENS = re.compile(r"\A\s*\Z|\n[ \t]*\n\Z")
"""What stands before the first line of a paragraph."""
_REACH = 60


def numberings(raw: str) -> Iterator[tuple[int, int]]:
    """The raw spans of numbers that stand alone on a line and number what is below.

    A value may stand so too: after a line that leads to it, at the end, or
    below text that it belongs to; and a heading with a decimal point numbers
    only as a Markdown heading.
    """
    for line in _LINE.finditer(raw):
        before = raw[max(0, line.start() - _REACH) : line.start()]
        if _LEADS.search(before) or (line["part"] and not line["hash"]):
            continue
        marked = line["hash"] or line["bold"]
        below = (_FURTHER if line["hash"] else _BELOW).match(raw, line.end())
        if below and (marked or _OPENS.search(before)):
            yield line.span("number")
