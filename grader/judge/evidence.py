"""Where a judge's quote stands in an answer: verbatim up to typography, or not at all.

Dashes, quotation marks, white space, composition (NFC), unseen characters and
the look-alikes that the judge was shown are the same on both sides. Beyond
that a quote may be cut short by ellipses, and set in quotation marks or
emphasis. Changed words, numbers or signs are never found, nor is a piece of a
number, a word, a name or a formula: ``5`` isn't evidence in ``0.15``, nor
``H2`` in ``H2O``, nor ``57`` in ``-57``, nor ``polar`` in ``non-polar``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from grader.judge.boundaries import inside
from grader.judge.folding import Folded, fold

GAP = 400
"""Characters that an ellipsis within a quote may stand for."""
_ADDED = 100
"""Characters a judge may have put around a quote."""
_LAYERS = 5
"""Ellipses, emphasis and quotation marks, one in the other."""
_PLACES = 5000
"""Places tried for a quote that is inside a word each time."""
_STARTS = 200
"""Places tried for the first piece of a quote with an ellipsis."""

_SAYS = re.compile(r"[^\W_]")
"""A letter or a digit: without one nothing is said."""
_ELLIPSIS = re.compile(r" ?[\[(]?(?:\.{3,}|…)[\])]? ?")
_EMPHASIS = ("**", "__", '"', "'", "*", "_")


@dataclass(frozen=True, slots=True)
class Found:
    """A passage of a text: ``text[start:end]``, in code points."""

    start: int
    end: int
    exact: bool
    """It is the quote, character by character."""


def locate(quote: str, text: str) -> Found | None:
    """The first passage of a text that a quote is of, None if it is of none.

    A verbatim passage goes before one that is equal up to typography.
    """
    wanted = quote.strip()
    if not _SAYS.search(wanted) or len(wanted) > 2 * len(text) + _ADDED:
        return None
    if (start := _find(wanted, text)) is not None:
        end = start + len(wanted)
        return Found(start, end, wanted == quote)
    folded = _answer(text)
    for form in _forms(fold(wanted).text.strip()):
        if span := _span(form, folded.text):
            start, end = folded.start(span[0]), folded.end(span[1])
            return Found(start, end, text[start:end] == quote)
    return None


def occurs(quote: str, text: str) -> bool:
    """Whether a text has a quote up to typography, cut through a word or not: no evidence, but a reading.

    White space at its ends has to be there too, or the text to end.
    """
    wanted, there = fold(quote).text, _answer(text).text
    return bool(wanted.strip()) and wanted in f" {there} "


@lru_cache(maxsize=64)
def _answer(text: str) -> Folded:
    """A request has many quotes of the same answer."""
    return fold(text)


def _find(wanted: str, text: str, at: int = 0) -> int | None:
    """The first place from ``at`` on where the text has it, whole."""
    for _ in range(_PLACES):
        at = text.find(wanted, at)
        if at < 0:
            return None
        if not inside(text, at) and not inside(text, at + len(wanted)):
            return at
        at += 1
    return None


def _forms(wanted: str) -> Iterator[str]:
    """A folded quote, then without what a judge may have put around it."""
    for _ in range(_LAYERS):
        if wanted:
            yield wanted
        wanted = _bare(wanted)


def _bare(wanted: str) -> str:
    """Without one layer of ellipses at its ends, quotation marks or emphasis around it."""
    cut = re.sub(rf"^(?:{_ELLIPSIS.pattern})+|(?:{_ELLIPSIS.pattern})+$", "", wanted)
    if cut != wanted:
        return cut
    for mark in _EMPHASIS:
        if len(wanted) > 2 * len(mark) and wanted.startswith(mark) and wanted.endswith(mark):
            return wanted[len(mark) : -len(mark)].strip()
    return wanted


def _span(wanted: str, text: str) -> tuple[int, int] | None:
    if (start := _find(wanted, text)) is not None:
        return start, start + len(wanted)
    pieces = _ELLIPSIS.split(wanted)
    if len(pieces) < 2 or not all(map(_SAYS.search, pieces)):
        return None
    return _pieces(pieces, text)


def _pieces(pieces: list[str], text: str) -> tuple[int, int] | None:
    """The shortest way to have all pieces in order, from the first place where there is one."""
    start = _find(pieces[0], text)
    for _ in range(_STARTS):
        if start is None:
            return None
        end: int | None = start + len(pieces[0])
        for piece in pieces[1:]:
            end = end and _next(piece, text, end)
        if end:
            return start, end
        start = _find(pieces[0], text, start + 1)
    return None


def _next(piece: str, text: str, after: int) -> int | None:
    """The end of the next piece, if it comes soon enough."""
    start = _find(piece, text[: after + GAP + len(piece)], after)
    return None if start is None else start + len(piece)
