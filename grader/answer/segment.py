"""Cutting a response to a whole problem into the answers of its subquestions.

No cut is better than a wrong one: every subquestion needs exactly one heading,
all in one style and in order, or there is no cut at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_LINE = re.compile(r"^[^\n]*$", re.M)
_DECORATION = re.compile(r"^[ \t]{0,3}(?:#{1,6}[ \t]+|>[ \t]?)?(?:\*{1,3}|__)?[ \t]*")
_PREFIX = r"(?:(?:sub-?question|question|part|problem|answer(?:[ ]to)?|task|item|q)[ .:#]*)?"
_SUFFIX = r"(?=$|[\s.:)\]*_—–-])"
_STYLES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "word",
        re.compile(
            rf"(?:sub-?question|question|part|problem|task|q)[ .#]*\(?(?P<n>[0-9]{{1,2}}){_SUFFIX}", re.I
        ),
    ),
    ("parenthesis", re.compile(r"\((?P<n>[0-9]{1,2})\)(?=\s|$|\*|:)")),
    ("number", re.compile(r"(?P<n>[0-9]{1,2})[.)](?=\s|$|\*)")),
)


def _headings(text: str) -> Iterator[tuple[int, str]]:
    """The start and the undecorated content of each line."""
    for match in _LINE.finditer(text):
        line = match.group()
        decoration = _DECORATION.match(line)
        yield match.start(), line[decoration.end() if decoration else 0 :][:200]


def _by_id(lines: Sequence[tuple[int, str]], sub_ids: Sequence[str]) -> list[int] | None:
    """Headings that name the sub_ids themselves."""
    starts = []
    for sub_id in sub_ids:
        pattern = re.compile(rf"{_PREFIX}[(\[]?{re.escape(sub_id)}(?![0-9A-Za-z])(?!-[0-9]){_SUFFIX}", re.I)
        at = [start for start, line in lines if pattern.match(line)]
        if len(at) != 1:
            return None
        starts.append(at[0])
    return starts


def _by_number(lines: Sequence[tuple[int, str]], count: int, style: re.Pattern[str]) -> list[int] | None:
    """Headings numbered 1 to ``count`` in one style, and no other number in that style."""
    found = [(int(match["n"]), start) for start, line in lines if (match := style.match(line))]
    if [number for number, _ in found] != list(range(1, count + 1)):
        return None
    return [start for _, start in found]


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
    lines = list(_headings(text))
    cuts = [_by_id(lines, sub_ids)]
    if cuts[0] is None and _tails(sub_ids) == [str(number + 1) for number in range(len(sub_ids))]:
        cuts = [_by_number(lines, len(sub_ids), style) for _, style in _STYLES]
    clear = [cut for cut in cuts if cut is not None and cut == sorted(cut)]
    if len(clear) != 1 or not sub_ids:
        return None
    ends = [*clear[0][1:], len(text)]
    return dict(zip(sub_ids, zip(clear[0], ends, strict=True), strict=True))
