"""Names with what is written below, above and behind them: subscripts, marks, species in brackets."""

from __future__ import annotations

import re
from dataclasses import dataclass

from grader.formal.expressions.names import concentration, plain, subscripted
from grader.formal.expressions.patterns import (
    ARGUMENT,
    BEHIND_BRACKET,
    BELOW,
    BRACKETS,
    HAS_STANDARD,
    IN_WORDS,
    MARK,
    MOST_INSIDE,
    OF_WORD,
    REVERSE,
    STANDARD,
)
from grader.formal.expressions.segment import Segmenter

Ended = tuple[str, int]
"""A name, and where in the text it ends."""


@dataclass(frozen=True, slots=True)
class Scripts:
    """Reads what belongs to names in one text."""

    raw: str
    segmenter: Segmenter

    def scripted(self, name: str, at: int, *, math: bool) -> Ended:
        """A name with the subscripts and marks that follow it, in this order; ``math``: in LaTeX."""
        marks = ""
        for _ in range(4):
            if mark := MARK.match(self.raw, at) or self._standard(name, at):
                at = mark.end()
                marks += "°" if STANDARD.fullmatch(mark.group()) else plain(mark.group()).replace("^", "")
                continue
            below = BELOW.match(self.raw, at)
            if below is None:
                break
            text, at = self._below(name, below, math)
            name = subscripted(name, text)
        if "°" in marks and (word := IN_WORDS.match(self.raw, at)):
            name, at = name + word.group(), word.end()
        return name + marks, at

    def _standard(self, name: str, at: int) -> re.Match[str] | None:
        """A raised zero or o, which marks a standard state and is no exponent: ``E^0``."""
        return STANDARD.match(self.raw, at) if HAS_STANDARD.fullmatch(name) else None

    def _below(self, name: str, below: re.Match[str], math: bool) -> Ended:
        """What a subscript says, and where it ends."""
        one = below["one"]
        if not one:
            return plain(below["group"] or below["lowered"] or below["html"] or ""), below.end()
        if one[0] == "\\" or not one[0].isalpha() or len(one) == 1:
            return plain(one), below.end()
        if not self.segmenter.knows(subscripted(name, one)) and (math or self._splits(name, one)):
            # an underscore of LaTeX lowers one letter only
            return one[0], below.start("one") + 1
        return one, below.end()

    def _splits(self, name: str, below: str) -> bool:
        """Whether a subscript is one letter of a known name and then known symbols: ``k_BT``."""
        pieces = self.segmenter.pieces(below[1:], scripted=False, powered=False)
        return (
            self.segmenter.names(subscripted(name, below[0]))
            and pieces is not None
            and all(kind == "symbol" and self.segmenter.names(piece) for kind, piece in pieces)
        )

    def bracketed(self, at: int, *, math: bool) -> Ended | None:
        """The concentration whose bracket has just opened; None where it only groups."""
        inside, end = self._inside(at)
        name = (concentration(inside) or self._multiplied(inside)) if inside else None
        if name is None:
            return None
        name, end = self.scripted(name, end, math=math)
        behind = BEHIND_BRACKET.match(self.raw, end)
        if behind and (behind.group() != "t" or self.segmenter.knows(name + "t")):
            return subscripted(name, behind.group()), behind.end()
        return name, end

    def _multiplied(self, inside: str) -> str | None:
        """A known concentration with a coefficient inside of its bracket, which is none: ``[2Ag+]``."""
        species = concentration(inside[1:]) if inside[0].isdigit() else None
        known = species is not None and self.segmenter.names(species)
        return f"[{inside[0]}{species[1:]}" if species and known else None

    def _inside(self, at: int) -> Ended:
        """What stands between the bracket that has just opened and its own end, and where that ends."""
        depth = 0
        for match in BRACKETS.finditer(self.raw, at, min(len(self.raw), at + MOST_INSIDE)):
            if match.group() == "\n":
                break
            depth += 1 if match["open"] else -1
            if depth < 0:
                return self.raw[at : match.start()], match.end()
        return "", at

    def of_species(self, name: str, at: int) -> Ended:
        """A name with what it is of in brackets: ``p(NH3)``, ``c(H+)``, and what a check spells so."""
        said = OF_WORD.match(self.raw, at)
        if said and f"{name}({said['word']})" in self.segmenter.vocabulary.spellings:
            return f"{name}({said['word']})", said.end()
        inside = ARGUMENT.match(self.raw, at) if name in tuple("pPcCanNmMVxwX") else None
        if inside is None:
            return name, at
        species = plain(inside["species"])
        for known in (name + species, f"[{species}]" if name in "cC" else ""):
            if known and self.segmenter.names(known):
                return known, inside.end()
        return name, at

    def reversed(self, name: str, at: int) -> Ended:
        """The constant of a reverse step, written ``k-1`` on the line, where ``k1`` is known beside it."""
        step = REVERSE.match(self.raw, at) if name in ("k", "K") else None
        if step is None:
            return name, at
        reverse = f"{name}-{step[1]}"
        if reverse not in self.segmenter.vocabulary.spellings and not self.segmenter.names(name + step[1]):
            return name, at
        return reverse, step.end()
