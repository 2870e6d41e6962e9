"""Whether two species of equations are the same: composition and charge, bonding where both say it."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from grader.formal.equations.equation import Species
from grader.formal.formulas.chain import NoStructure
from grader.formal.formulas.condensed import connectivity
from grader.formal.formulas.match import compare_formulas, is_molecular
from grader.formal.formulas.tree import NONMETALS, Formula
from grader.formal.structures.comparison import Relation

Key = tuple[tuple[tuple[str, int | None, Fraction], ...], int]
ELECTRON: Key = ((), -1)
PROTON: Key = ((("H", None, Fraction(1)),), 1)
HYDRONIUM: Key = ((("H", None, Fraction(3)), ("O", None, Fraction(1))), 1)
HYDROXIDE: Key = ((("H", None, Fraction(1)), ("O", None, Fraction(1))), -1)
WATER: Key = ((("H", None, Fraction(2)), ("O", None, Fraction(1))), 0)


def key_of(species: Species) -> Key:
    """Composition and charge, by the first reading."""
    if species.electron or not species.readings:
        return ELECTRON if species.electron else ((), 0)
    return _key(species.readings[0])


@lru_cache(maxsize=4096)
def _key(formula: Formula) -> Key:
    parts = sorted(((s, m, n) for (s, m), n in formula.composition.items()), key=lambda p: (p[0], p[1] or 0))
    return tuple(parts), formula.charge


def same_species(one: Species, two: Species, *, strict: bool) -> Relation:
    """Whether two species of one composition and charge are the same.

    ``strict``: isomers stand on both sides of the equation, so that composition alone settles nothing.
    """
    if one.electron or two.electron or one.text == two.text or not (one.readings and two.readings):
        return Relation.SAME
    return _relation(one.readings[0], two.readings[0], strict)


@lru_cache(maxsize=4096)
def _relation(one: Formula, two: Formula, strict: bool) -> Relation:
    if one.has_square and _has_metal(one):
        return compare_formulas(one, two, "structure", charge=True).relation
    if _is_condensed(one) and _is_condensed(two):
        try:
            return Relation.SAME if connectivity(one) == connectivity(two) else Relation.DIFFERENT
        except NoStructure:
            pass
    return Relation.UNSURE if strict else Relation.SAME


def _has_metal(formula: Formula) -> bool:
    return any(symbol not in NONMETALS for symbol, _ in formula.composition)


def _is_condensed(formula: Formula) -> bool:
    """Whether a formula of several carbons says how its atoms are joined."""
    return (
        formula.composition.get(("C", None), 0) > 1 and not _has_metal(formula) and not is_molecular(formula)
    )
