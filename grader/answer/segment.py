"""Cutting a response to a whole problem into the answers of its subquestions.

No cut is better than a wrong one: every subquestion needs exactly one heading,
all in one style and in order, or there is no cut at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

VERSION = 1
"""Raised whenever a response could be cut differently."""

_LINE = re.compile(r"^[^\n]*$", re.M)
_DECORATION = re.compile(r"^[ \t]{0,3}(?:#{1,6}[ \t]+|>[ \t]?)?(?:\*{1,3}|__)?[ \t]*")
_PREFIX = r"(?:(?:sub-?question|question|part|problem|answer(?:[ ]to)?|task|item|q)[ .:#]*)?"
_SUFFIX = r"(?=$|[\s.:)\]*_—–-])"
_STYLES = (
    re.compile(rf"(?:sub-?question|question|part|problem|task|q)[ .#]*\(?(?P<n>[0-9]{{1,2}}){_SUFFIX}", re.I),
    re.compile(r"\((?P<n>[0-9]{1,2})\)(?=\s|$|\*|:)"),
    re.compile(r"(?P<n>[0-9]{1,2})[.)](?=\s|$|\*)"),
)
_BARE = re.compile(r"(?P<n>[0-9]{1,2})[ ]?:?[*_ ]*$")
"""A number by itself: only as a heading or in bold."""


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    content: str
    """Without Markdown decoration."""
    heading: bool
    """Decorated: a Markdown heading or bold."""


def _lines(text: str) -> Iterator[_Line]:
    for match in _LINE.finditer(text):
        line = match.group()
        decoration = _DECORATION.match(line)
        length = decoration.end() if decoration else 0
        heading = bool(line[:length].strip(" \t>"))
        yield _Line(match.start(), line[length:][:200], heading)


def _by_id(lines: Sequence[_Line], sub_ids: Sequence[str]) -> list[int] | None:
    """Headings that name the sub_ids themselves."""
    starts = []
    for sub_id in sub_ids:
        pattern = re.compile(rf"{_PREFIX}[(\[]?{re.escape(sub_id)}(?![0-9A-Za-z])(?!-[0-9]){_SUFFIX}", re.I)
        at = [line.start for line in lines if pattern.match(line.content)]
        if len(at) != 1:
            return None
        starts.append(at[0])
    return starts if starts == sorted(starts) else None


def _by_number(lines: Sequence[_Line], count: int) -> list[int] | None:
    """Headings numbered 1 to ``count`` in one style, with no other number in that style.

    Markdown headings go before plain lines: a list inside an answer is no cut.
    """
    headings = [line for line in lines if line.heading]
    for among, styles in ((headings, (*_STYLES, _BARE)), (lines, _STYLES)):
        cuts = []
        for style in styles:
            found = [(int(match["n"]), line.start) for line in among if (match := style.match(line.content))]
            if [number for number, _ in found] == list(range(1, count + 1)):
                cuts.append([start for _, start in found])
        if cuts:
            return cuts[0] if len(cuts) == 1 else None
    return None


def _tails(sub_ids: Sequence[str]) -> list[str] | None:
    """The part of each sub_id after the longest common prefix that ends at a separator."""
    if len(sub_ids) < 2:
        return None
    stems = {re.sub(r"[^-_.]*$", "", sub_id) for sub_id in sub_ids}
    if len(stems) != 1:
        return None
    stem = stems.pop()
    return [sub_id[len(stem) :] for sub_id in sub_ids]


def segment(text: str, sub_ids: Sequence[str]) -> dict[str, tuple[int, int]] | None:
    """The raw span of each subquestion's answer, or None where no cut is certain.

    A single subquestion owns the whole response.
    """
    if len(sub_ids) == 1:
        return {sub_ids[0]: (0, len(text))}
    lines = list(_lines(text))
    cut = _by_id(lines, sub_ids)
    if cut is None and _tails(sub_ids) == [str(number + 1) for number in range(len(sub_ids))]:
        cut = _by_number(lines, len(sub_ids))
    if not cut:
        return None
    ends = [*cut[1:], len(text)]
    return dict(zip(sub_ids, zip(cut, ends, strict=True), strict=True))
