"""From a token to a counted species: formulas, electrons, nuclides, letters that stand for any of a kind."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from grader.formal.equations.equation import Species, Term
from grader.formal.equations.nuclides import read_particle
from grader.formal.equations.tokens import Kind, Token
from grader.formal.formulas.tree import MANY, Unreadable, read_formula

GENERIC = {"A": "Og", "M": "Ts", "X": "Lv", "R'": "Rg", "R": "Mc", "L": "Fl", "Q": "Nh", "E": "Cn"}
"""Letters that stand for any metal, ligand, group or conjugate base, as elements that no answer means."""
_LETTER = re.compile(r"\(?(?P<times>\d{0,2})n\s?(?P<more>[+-]\s?\d)?\)?")
_GENERIC = re.compile(r"(?:R'|[AMXRLQE])(?![a-z])")


def read_term(token: Token, sign: int, *, nuclear: bool) -> Term:
    """A token as a term; its count is negative where ``sign`` is. What can't be read is kept as a word."""
    if token.kind is Kind.WORD:
        return Term(Fraction(sign), Species(token.text, word=True))
    count = _count(token.count)
    if nuclear:
        return _nuclear_term(token, sign * count)
    return Term(sign * count, _species(token.text), token.state)


def _nuclear_term(token: Token, count: Fraction) -> Term:
    """A counted nuclide; digits that touch an element are its mass number."""
    if token.glued and token.text[:1].isupper():
        try:
            return Term(Fraction(1), _nuclide(f"^{token.count}{token.text}"), token.state)
        except Unreadable:
            pass
    try:
        return Term(count, _nuclide(token.text), token.state)
    except Unreadable:
        return Term(count, Species(token.text, word=True))


def _nuclide(text: str) -> Species:
    return Species(text, particle=read_particle(text))


def _count(written: str) -> Fraction:
    if not written:
        return Fraction(1)
    if letter := _LETTER.fullmatch(written):
        return Fraction(int(letter["times"] or 1) * MANY + int((letter["more"] or "0").replace(" ", "")))
    whole, _, part = written.replace("+", " ").rpartition(" ")
    if whole.strip() and "/" in part and "/" not in whole:
        return Fraction(int(whole)) + _count(part)
    try:
        return Fraction(written.replace(" ", "").replace(",", ".")) or Fraction(1)
    except (ValueError, ZeroDivisionError):
        return Fraction(1)


@lru_cache(maxsize=4096)
def _species(text: str) -> Species:
    if (text.startswith("e") and not text[1:2].isalnum()) or text.startswith("electron"):
        return Species("e^-", electron=True)
    bare = _bare(text)
    for spelled in (bare, _GENERIC.sub(lambda match: GENERIC[match[0]], bare)):
        try:
            return Species(text, read_formula(spelled))
        except Unreadable:
            continue
    return Species(text, word=True)


def _bare(text: str) -> str:
    """A species without the dots of radicals and square brackets around a lone atom: ``[O]``."""
    text = text.strip("•·")
    return text[1:-1] if text.startswith("[") and text.endswith("]") and text[1:-1].isalpha() else text
