"""Whether two formulas mean the same: by composition and charge, or by what their writing says of bonding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from grader.formal.formulas.chain import NoStructure
from grader.formal.formulas.condensed import connectivity
from grader.formal.formulas.spheres import same_spheres
from grader.formal.formulas.tree import NONMETALS, Atom, Composition, Formula
from grader.formal.structures.comparison import Comparison, Relation

Depth = Literal["composition", "structure"]


def compare_readings(
    expected: Sequence[Formula], found: Sequence[Formula], depth: Depth, *, charge: bool
) -> Comparison:
    """Compare all readings of two formulas: they must agree on the outcome, else it is open."""
    outcomes = [compare_formulas(a, b, depth, charge=charge) for a in expected for b in found]
    if len({outcome.relation for outcome in outcomes}) == 1:
        return outcomes[0]
    return Comparison(Relation.UNSURE, "it can be read in two ways")


def compare_formulas(expected: Formula, found: Formula, depth: Depth, *, charge: bool) -> Comparison:
    """Compare one reading with another; ``charge`` says whether charges count."""
    if expected.composition != found.composition:
        return Comparison(Relation.DIFFERENT, f"the composition is {shown(found.composition)}")
    if charge and expected.charge != found.charge:
        return Comparison(Relation.DIFFERENT, f"the charge is {found.charge:+d}, not {expected.charge:+d}")
    if expected.stereo and expected.stereo != found.stereo:
        if found.stereo:
            return Comparison(Relation.DIFFERENT, f"it is the {found.stereo} form")
        if _compare_depth(expected, found, depth).relation is Relation.SAME:
            return Comparison(Relation.UNSURE, f"it doesn't say that it is the {expected.stereo} form")
    return _compare_depth(expected, found, depth)


def _compare_depth(expected: Formula, found: Formula, depth: Depth) -> Comparison:
    if depth == "composition":
        return Comparison(Relation.SAME, "composition and charge agree")
    return _compare_bonding(expected, found)


def _organic(formula: Formula) -> bool:
    """Whether it holds no metal: then square brackets only group."""
    return (
        all(symbol in NONMETALS for symbol, _ in formula.composition) and ("C", None) in formula.composition
    )


def is_multiple(larger: Composition, smaller: Composition) -> bool:
    """Whether a composition is twice, thrice ... another one, or clears its fractions."""
    if larger.keys() != smaller.keys() or not larger:
        return False
    factors = {larger[key] / smaller[key] for key in larger}
    broken = any(count.denominator != 1 for count in smaller.values())
    factor = factors.pop()
    return not factors and factor > 1 and (factor.denominator == 1 or broken)


def shown(composition: Composition) -> str:
    """A composition in Hill's order."""
    carbon = any(symbol == "C" for symbol, _ in composition)

    def rank(key: tuple[str, int | None]) -> tuple[int, str, int]:
        first = {"C": 0, "H": 1}.get(key[0], 2) if carbon else 2
        return first, key[0], key[1] or 0

    parts = []
    for symbol, mass in sorted(composition, key=rank):
        count = composition[symbol, mass]
        parts.append(f"{f'^{mass}' if mass else ''}{symbol}{'' if count == 1 else count}")
    return "".join(parts)


def _compare_bonding(expected: Formula, found: Formula) -> Comparison:
    if expected.text == found.text:
        return Comparison(Relation.SAME, "it is written exactly so")
    if (expected.has_square or found.has_square) and not (_organic(expected) and _organic(found)):
        same = same_spheres(expected, found)
        if same is None:
            return Comparison(
                Relation.UNSURE, "the composition agrees, but what is bound to the metal isn't clear"
            )
        if same:
            return Comparison(Relation.SAME, "metal, ligands and counter-ions agree")
        return Comparison(Relation.DIFFERENT, "the composition agrees, but other ligands are bound")
    return _compare_connectivity(expected, found)


def _compare_connectivity(expected: Formula, found: Formula) -> Comparison:
    try:
        same = connectivity(expected) == connectivity(found)
    except NoStructure:
        return Comparison(
            Relation.UNSURE, "the composition agrees, but the formula states no single connectivity"
        )
    if is_molecular(expected) or is_molecular(found):
        return Comparison(
            Relation.UNSURE, "the composition agrees, but a molecular formula states no connectivity"
        )
    if same:
        return Comparison(Relation.SAME, "the atoms are joined alike")
    return Comparison(Relation.DIFFERENT, "the composition agrees, but the atoms are joined otherwise")


def is_molecular(formula: Formula) -> bool:
    """Whether a formula only counts atoms, each element once, with several carbons and heteroatoms."""
    if len(formula.parts) != 1:
        return False
    units = formula.parts[0].units
    symbols = [unit.symbol for unit in units if isinstance(unit, Atom)]
    if len(symbols) != len(units) or len(set(symbols)) != len(symbols):
        return False
    counts = {symbol: count for (symbol, _), count in formula.composition.items()}
    others = sum(count for symbol, count in counts.items() if symbol not in ("C", "H"))
    return counts.get("C", 0) >= 2 and others >= 2
