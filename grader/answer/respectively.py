"""Pairs that a sentence states side by side: "Ka and Kb are 1e-5 and 1e-9, respectively"."""

from __future__ import annotations

import re

_WORD = re.compile(r",?[ ]respectively\b")
_COPULA = re.compile(r"[ ](?:are|were|is|was|have|equal|=|≈|to be|of)[ ](?!the\b)")
_PREPOSITION = re.compile(r"[ ](?:at|for|in|with)[ ]")
_SEPARATOR = re.compile(r",?[ ](?:and|&)[ ]|,[ ]")
_REACH = 400
"""How far from a value its list reaches at most."""

Span = tuple[int, int]


def partner(plain: str, low: int, high: int, start: int) -> Span | None:
    """The item of the list of labels that goes with a value at ``start`` in the sentence ``[low, high)``.

    None where no "respectively" follows or the two lists differ in length.
    """
    low, high = max(low, start - _REACH), min(high, start + _REACH)
    word = _WORD.search(plain, start, high)
    if word is None:
        return None
    copulas = [match.span() for match in _COPULA.finditer(plain, low, start)]
    for first, last in reversed(copulas):
        if found := _paired((low, first), (last, word.start()), start, plain):
            return found
    after = _PREPOSITION.search(plain, start, word.start())
    if after is None:
        return None
    begins = copulas[-1][1] if copulas else low
    return _paired((after.end(), word.start()), (begins, after.start()), start, plain)


def _paired(labels: Span, values: Span, start: int, plain: str) -> Span | None:
    named, stated = _items(plain, labels), _items(plain, values)
    if len(named) != len(stated) or len(named) < 2:
        return None
    return next((name for name, (low, high) in zip(named, stated, strict=True) if low <= start < high), None)


def _items(plain: str, span: Span) -> list[Span]:
    """The items of a list."""
    cuts = [match.span() for match in _SEPARATOR.finditer(plain, *span)]
    starts = [span[0], *(end for _, end in cuts)]
    return list(zip(starts, [*(start for start, _ in cuts), span[1]], strict=True))
