"""Texts that end going in circles: the same piece over and over, to the last character."""

from __future__ import annotations

import re
from collections.abc import Iterator

WINDOW = 32_768
"""Characters at the end that are looked at."""
_PROBE = 48
"""Characters at the end whose places before it say how long the piece may be."""
_MOST_PLACES = 24
"""Those looked into: a piece may hold its own end several times."""
_LONG = 200
"""Characters of a piece that nobody writes several times on purpose."""
_WORD = re.compile(r"(?<!\S)[(\"'*_]?([A-Za-z][a-z]{2,})(?![^\s.,;:!?)\"'*_])")
_ROW = re.compile(r"^\s*(?:[-*•+#>]|\d+[.)])|[|&\t=\\]", re.MULTILINE)


def is_looping(text: str, *, truncated: bool) -> bool:
    """Whether a text ends going in circles; ``truncated``: it was cut off there.

    What wasn't cut off loops in prose alone: the rows of a table, the entries
    of a list or a spectrum, the units of a polymer's SMILES may well be equal.
    What was cut off amid many equal pieces loops, whatever they are. Linear in
    the text.
    """
    tail = (text if truncated else text.rstrip())[-WINDOW:]
    return any(_is_loop(tail[-period:], covered, truncated) for period, covered in _repeated(tail))


def _is_loop(piece: str, covered: int, truncated: bool) -> bool:
    """Whether a piece that covers so many characters, one behind another, goes in circles."""
    least = 3.5 if len(piece) >= _LONG else 9.5  # the last need not be whole
    if covered < 500 or covered < least * len(piece):
        return False
    return _is_prose(piece) or (truncated and covered >= 1000)


def _is_prose(piece: str) -> bool:
    return _ROW.search(piece) is None and len(set(_WORD.findall(piece))) >= 5


def _repeated(tail: str) -> Iterator[tuple[int, int]]:
    """The lengths of the pieces that the text may end with again and again, and what they cover."""
    probe = tail[-_PROBE:]
    last = at = len(tail) - len(probe)
    for _ in range(_MOST_PLACES):
        at = tail.rfind(probe, 0, at + len(probe) - 1)
        if at < 0:
            return
        yield last - at, _covered(tail, last - at)


def _covered(tail: str, period: int) -> int:
    """Characters at the end of a text that repeat those a period before, and that first period."""
    later, earlier = tail[period:], tail[:-period]
    least, most = 0, len(later)
    while least < most:
        middle = (least + most + 1) // 2
        if later[-middle:] == earlier[-middle:]:
            least = middle
        else:
            most = middle - 1
    return least + period
