"""Runs of letters as products of symbols (``nRT``, ``k1k2``, ``kobs``), or as words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from grader.answer.latex import GREEK
from grader.formal.expressions.names import FUNCTIONS, MULTI_LETTER, Vocabulary, is_word

Piece = tuple[Literal["symbol", "function"], str]

_LONGEST_PRODUCT = 3
"""A run of more unknown letters is a word."""
_LONGEST_RUN = 24
_ATOM = re.compile(r"(?:Δ|Delta|delta(?=[A-Z]))?(?:[A-Za-zΑ-Ωα-ωħ])[0-9]*")
_WHOLE = re.compile(r"[A-Za-zΑ-Ωα-ωħ]+[0-9]*")
_USUAL = "RT nRT kT kBT kt PV nF nFE hc hν TΔS mc mgh pV mv RTln nRTln"
_PRODUCTS = frozenset(_USUAL.split())
"""Products that are written without a sign even where others have one."""


def greek(name: str) -> str:
    """A name with a Greek letter that is spelled out."""
    for word, letter in GREEK.items():
        if name == word or (name.startswith(word) and name[len(word) :].isdigit()):
            return letter + name[len(word) :]
    if match := re.fullmatch(r"(?:Delta|delta|d)([A-Z])([0-9]*)", name):
        return "Δ" + match[1] + match[2]
    return name


class Segmenter:
    """Cuts runs of letters; ``whole`` keeps each run as one name, as explicit stars demand."""

    def __init__(self, vocabulary: Vocabulary | None = None, *, whole: bool = False) -> None:
        self.vocabulary = vocabulary or Vocabulary(frozenset())
        self.whole = whole
        self._known = self.vocabulary.spellings
        self.pieces = lru_cache(maxsize=512)(self._pieces)

    def names(self, name: str) -> bool:
        """Whether a name is a symbol of the check."""
        return self.vocabulary.known(name) is not None

    def knows(self, name: str) -> bool:
        """Whether a name is a symbol of the check or a usual one."""
        return name in self._known or name in MULTI_LETTER or bool(self.vocabulary.known(name))

    def _pieces(self, run: str, scripted: bool, powered: bool) -> tuple[Piece, ...] | None:
        """The symbols and functions of a run; None where it is a word.

        ``scripted``: a subscript follows; ``powered``: an exponent follows.
        """
        if run in FUNCTIONS:
            return (("function", run),)
        if run in self._known or (greek(run) != run and not is_word(run)) or (len(run) == 1):
            return (("symbol", greek(run)),)
        if self.whole and run not in _PRODUCTS:
            return (
                (("symbol", greek(run)),) if _WHOLE.fullmatch(run) else self._covered(run, scripted, powered)
            )
        if is_word(run) and not (scripted or powered):
            return None
        if len(run) > _LONGEST_RUN:
            return None
        return self._covered(run, scripted, powered)

    def _covered(self, run: str, scripted: bool, powered: bool) -> tuple[Piece, ...] | None:
        """The cheapest way to cut a run into symbols."""
        best: list[tuple[float, tuple[Piece, ...]] | None] = [None] * (len(run) + 1)
        best[0] = (0.0, ())
        for at in range(len(run)):
            here = best[at]
            if here is None:
                continue
            for end, cost, piece in self._from(run, at, powered):
                total = here[0] + cost
                rival = best[end]
                if rival is None or total < rival[0]:
                    best[end] = (total, (*here[1], piece))
        found = best[len(run)]
        if found is None:
            return None
        unknown = int(found[0])
        letters = sum(char.isalpha() for char in run)
        if unknown and letters > _LONGEST_PRODUCT and not (scripted and letters <= _LONGEST_PRODUCT + 1):
            return None
        return found[1]

    def _from(self, run: str, at: int, powered: bool) -> Iterator[tuple[int, float, Piece]]:
        """The pieces that may start at a place of a run, with what they cost: unknown letters, then count."""
        for end in range(at + 1, min(len(run), at + 12) + 1):
            piece = run[at:end]
            if run[end : end + 1].isdigit() and piece[-1].isalnum():
                continue
            if piece in FUNCTIONS and len(piece) > 1:
                yield end, 0.02, ("function", piece)
            elif piece == "e" and powered and end == len(run):
                yield end, 0.01, ("symbol", "e")
            elif piece in self._known or greek(piece) in self._known:
                yield end, 0.01, ("symbol", greek(piece))
            elif piece.removeprefix("Δ") in MULTI_LETTER:
                yield end, 0.03, ("symbol", greek(piece))
            elif piece in ("R", "T", "F", "h", "n", "k", "t"):
                yield end, 0.04, ("symbol", piece)
            elif _ATOM.fullmatch(piece):
                yield end, 1.0, ("symbol", greek(piece))
            elif self.vocabulary.known(piece):
                yield end, 0.05, ("symbol", piece)
