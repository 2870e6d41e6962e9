"""The structures and formulas that a rubric's text quotes."""

from __future__ import annotations

import re
from typing import Literal

from grader.answer.notation import normalise
from grader.formal.formulas.tree import (
    NONMETALS,
    Atom,
    Formula,
    Group,
    Part,
    Short,
    Unreadable,
    read_formula,
)
from grader.formal.structures.structure import Unreadable as UnreadableStructure
from grader.formal.structures.structure import read_structure
from grader.problem.checks import FormulaCheck, SmilesCheck

_LETTERS = re.compile(r"[A-Za-z]+")
_CHAIN = re.compile(r"(?:Cl|Br|[BCNOPSFI])+")
_STRUCTURED = re.compile(r"[=#\[(]|[A-Za-z\]]\d.*[A-Za-z\]]\d")
_RELATION = re.compile(r"[=<>|→⇌≈~]|->|\s\+\s|\bto\b|:")
_COUNTED = re.compile(r"[A-Z)\]][a-z]?_?\{?\d")
_MOLECULAR = frozenset(("H", "N", "O", "F", "Cl", "Br", "I", "S", "P"))
"""Elements whose counted symbol is a molecule and no numbered label."""
_DEBRIS = re.compile(r"^\d|\]\d+$|\^\d*$")
"""A coefficient, or the size of a charge without its sign: no formula by itself."""
_CE = re.compile(r"\\(?:ce|mathrm|text|mathbf|rm)\{(?P<inner>.*)\}")


def structure(quote: str, label: tuple[str, ...], stereo: str | None) -> SmilesCheck | None:
    """The check that a quotation asks for, where it is written as SMILES and can be read."""
    if not quote or any(sign.isspace() for sign in quote) or ">" in quote:
        return None
    if _LETTERS.fullmatch(quote):
        if not _CHAIN.fullmatch(quote) or quote.replace("Cl", "").count("C") < 2 or len(quote) < 3:
            return None  # a word, a formula or a label as well
    elif not _STRUCTURED.search(quote):
        return None
    try:
        read_structure(quote)
    except UnreadableStructure:
        return None
    options = {} if stereo is None else {"stereo": stereo}
    return SmilesCheck.model_validate({"kind": "smiles", "expected": quote, "asked": label, **options})


def ambiguous(quote: str) -> bool:
    """Whether a quotation of a few letters can be a SMILES as well as a formula: ``CO``."""
    return _CHAIN.fullmatch(quote) is not None


def formula(quote: str, label: tuple[str, ...], *, sure: bool) -> FormulaCheck | None:
    """The check that a stretch asks for, where it is one formula; ``sure``: it is marked as one."""
    inner = _CE.fullmatch(quote.strip())
    bare = inner["inner"] if inner else quote.strip()
    if _RELATION.search(bare) or len(bare) > 80:
        return None
    try:
        readings = read_formula(normalise(quote.strip()).plain.strip())
    except Unreadable:
        return None
    if not _telling(bare, readings[0], sure) or _DEBRIS.search(bare):
        return None
    compare: Literal["structure"] | None = "structure" if shows_bonding(readings[0]) else None
    return FormulaCheck(kind="formula", expected=quote.strip(), asked=label, compare=compare)


def shows_bonding(read: Formula) -> bool:
    """Whether a formula of nonmetals says more than its composition: an element written twice, a group."""
    if any(symbol not in NONMETALS for symbol, _ in read.composition):
        return False
    return any(
        any(isinstance(unit, Group | Short) for unit in part.units) or _repeats(part) for part in read.parts
    )


def _repeats(part: Part) -> bool:
    symbols = [unit.symbol for unit in part.units if isinstance(unit, Atom)]
    return len(set(symbols)) < len(symbols)


def _telling(bare: str, read: Formula, sure: bool) -> bool:
    """Whether a formula is more than a symbol, a label or a word."""
    atoms = sum(read.composition.values())
    if read.charge:
        return True
    if len(read.composition) < 2:
        return atoms > 1 and {symbol for symbol, _ in read.composition} <= _MOLECULAR
    return sure or _COUNTED.search(bare) is not None or any(sign.islower() for sign in bare)
