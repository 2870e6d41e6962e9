"""Spans that are asked often: which cover a place, which touch it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import accumulate


class Cover:
    """A set of spans, which may overlap, with logarithmic look-up."""

    __slots__ = ("_reach", "_starts")

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        ordered = sorted(spans)
        self._starts = [start for start, _ in ordered]
        self._reach = list(accumulate((end for _, end in ordered), max))

    def holds(self, start: int, end: int) -> bool:
        """Whether one of the spans contains ``[start, end)``."""
        index = bisect_right(self._starts, start)
        return index > 0 and self._reach[index - 1] >= end

    def touches(self, start: int, end: int) -> bool:
        """Whether one of the spans overlaps ``[start, end)``."""
        index = bisect_left(self._starts, end)
        return index > 0 and self._reach[index - 1] > start
