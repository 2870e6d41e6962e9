"""Values of sides that lead to a symbol: "n + 1 = 4, n = 3" and "x = 2, y = 1, x + y = 3"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_SYMBOL = r"[A-Za-z]\w?"
_OPENS = r"(?:^|[\s,;:(])"
_EQUALS = r"[ ]?=[ ]?$"
_WORKED_SIDE = re.compile(
    rf"{_OPENS}(?:(?P<one>{_SYMBOL})[ ]?[-+*×/][ ]?[0-9.]{{1,6}}"
    rf"|[0-9.]{{1,6}}[ ]?[*×·+-]?[ ]?(?P<two>{_SYMBOL})){_EQUALS}"
)
"""A side that does one thing to a symbol: ``n + 1 =``, ``2x =``."""
_NEXT = r"[ ]?[,;.]?\s(?:(?:and|so|thus|hence|therefore|i\.e\.|giving|->),?[ ])?"
_ADDED = re.compile(rf"{_OPENS}(?P<sum>{_SYMBOL}(?:[ ]?\+[ ]?{_SYMBOL}){{1,3}}){_EQUALS}")
_ALONE = re.compile(rf"{_OPENS}(?P<symbol>{_SYMBOL}){_EQUALS}")
_REACH = 48


def leading_to_symbols(plain: str, spans: Sequence[tuple[int, int]]) -> Iterator[int]:
    """Which of the values at some spans an equation after them solves or adds up."""
    alone: dict[str, int] = {}
    for index, (start, end) in enumerate(spans):
        before = plain[max(0, start - _REACH) : start]
        if (side := _WORKED_SIDE.search(before)) and _solved_next(plain, end, side["one"] or side["two"]):
            yield index
        if added := _ADDED.search(before):
            yield from (alone[name] for name in re.findall(r"\w+", added["sum"]) if name in alone)
        elif symbol := _ALONE.search(before):
            alone[symbol["symbol"]] = index


def _solved_next(plain: str, end: int, symbol: str) -> bool:
    """Whether the next thing said after a value is what a symbol is."""
    return re.compile(rf"{_NEXT}{symbol}[ ]?=").match(plain, end) is not None
