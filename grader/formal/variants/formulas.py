"""Other spellings of a formula, and formulas that are close to it and wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from grader.answer.notation import normalise
from grader.formal.formula import depth_of
from grader.formal.formulas.match import shown
from grader.formal.formulas.tree import (
    ATOMIC_NUMBER,
    Atom,
    Charge,
    Formula,
    Group,
    Part,
    Unit,
    read_formula,
)
from grader.formal.formulas.written import written
from grader.formal.variants.variant import Variant
from grader.problem.checks import FormulaCheck

_LOWER = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_RAISE = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")
_SUBSCRIPT = re.compile(r"(?<=[A-Za-z)\]}])([0-9]+)")
_SCRIPT = re.compile(r"\^\(?([0-9]*[+-]|[0-9]+)\)?")
_CHARGE = re.compile(r"\^([0-9]*)([+-])(?=$|\])")
_SYMBOLS = tuple(ATOMIC_NUMBER)


def equivalent_formulas(check: FormulaCheck, seed: int = 0) -> Iterator[Variant]:
    """The expected formula of a check in spellings that its options let pass."""
    return equivalents(check.expected, seed, structure=depth_of(check) == "structure")


def near_formulas(check: FormulaCheck, seed: int = 0) -> Iterator[Variant]:
    """Formulas close to the expected one of a check that are wrong under its options."""
    charges = check.charge == "exact"
    return (one for one in near_misses(check.expected, seed) if charges or "charge" not in one.how)


def spellings(plain: str) -> Iterator[Variant]:
    """A formula in plain spelling as Unicode, LaTeX, mhchem and HTML write it."""
    lowered = _SUBSCRIPT.sub(lambda match: match[1].translate(_LOWER), plain)
    yield Variant(_SCRIPT.sub(lambda match: match[1].translate(_RAISE), lowered), "Unicode scripts")
    braced = _SUBSCRIPT.sub(r"_{\1}", _SCRIPT.sub(r"^{\1}", plain)).replace("·", r"\cdot ")
    yield Variant(rf"$\mathrm{{{braced}}}$", "LaTeX", "latex")
    yield Variant(rf"$\ce{{{plain.replace('·', '.')}}}$", "mhchem", "latex")
    marked = _SUBSCRIPT.sub(r"<sub>\1</sub>", _SCRIPT.sub(r"<sup>\1</sup>", plain))
    yield Variant(marked, "HTML scripts")


def equivalents(expected: str, seed: int = 0, *, structure: bool = False) -> Iterator[Variant]:
    """Spellings of the expected formula that say the same; ``structure``: its bonding counts too.

    Raises Unreadable.
    """
    formula = _read(expected)
    plain = written(formula)
    yield Variant(plain, "plain")
    yield from spellings(plain)
    yield from _charges(plain)
    if "·" in plain:
        yield from (Variant(plain.replace("·", dot), f"hydrate dot as '{dot}'") for dot in (".", "*", " • "))
    if (reordered := _reordered(formula, Random(seed))) != formula:
        yield Variant(written(reordered), "ligands in another order")
    if not structure and not formula.has_square and len(formula.parts) == 1 and not formula.charge:
        yield Variant(shown(formula.composition), "composition in Hill's order")


def _read(expected: str) -> Formula:
    return read_formula(normalise(expected).plain.strip())[0]


def _charges(plain: str) -> Iterator[Variant]:
    """The charge at the end in its other spellings."""
    match = _CHARGE.search(plain)
    if match is None or match.end() != len(plain):
        return
    core, digits, sign = plain[: match.start()], match[1], match[2]
    yield Variant(f"{core}({digits}{sign})", "charge in parentheses")
    yield Variant(f"{core}^{{{sign}{digits}}}" if digits else f"{core}^{{{sign}}}", "sign before the digit")
    if digits and digits != "1":
        yield Variant(f"{core}^{sign * int(digits)}", "sign repeated")


def _reordered(formula: Formula, random: Random) -> Formula:
    """The formula with the groups inside its square brackets in another order."""
    parts = tuple(
        replace(part, units=tuple(_shuffled(unit, random) for unit in part.units)) for part in formula.parts
    )
    return replace(formula, parts=parts)


def _shuffled(unit: Unit, random: Random) -> Unit:
    if not isinstance(unit, Group) or unit.bracket != "[":
        return unit
    groups = [one for one in unit.units if isinstance(one, Group)]
    random.shuffle(groups)
    places = iter(groups)
    return replace(unit, units=tuple(next(places) if isinstance(one, Group) else one for one in unit.units))


def near_misses(expected: str, seed: int = 0) -> Iterator[Variant]:
    """Formulas one step away from the expected one, of another composition or charge. Raises Unreadable."""
    formula = _read(expected)
    random = Random(seed)
    known = {_identity(formula)}
    for changed, how in _changes(formula, random):
        try:
            read = read_formula(written(changed))
        except ValueError:
            continue
        if len(read) == 1 and _identity(read[0]) == _identity(changed) and _identity(changed) not in known:
            known.add(_identity(changed))
            yield Variant(written(changed), how)


def _identity(formula: Formula) -> tuple[object, ...]:
    return frozenset(formula.composition.items()), formula.charge


def _changes(formula: Formula, random: Random) -> Iterator[tuple[Formula, str]]:
    for index, part in enumerate(formula.parts):
        for units, how in _unit_changes(part.units, random):
            yield _with(formula, index, replace(part, units=units)), how
        if index:
            yield _with(formula, index, replace(part, coefficient=part.coefficient + 1)), "one water more"
            yield replace(formula, parts=formula.parts[:index]), "anhydrous"
    if not formula.charge:
        for sign in (1, -1):
            last = replace(formula.parts[-1], units=(*formula.parts[-1].units, Charge(sign)))
            yield _with(formula, len(formula.parts) - 1, last), "a charge added"


def _with(formula: Formula, index: int, part: Part) -> Formula:
    return Formula("", (*formula.parts[:index], part, *formula.parts[index + 1 :]), formula.stereo)


def _unit_changes(units: tuple[Unit, ...], random: Random) -> Iterator[tuple[tuple[Unit, ...], str]]:
    for index, unit in enumerate(units):
        for other, how in _changed(unit, random):
            yield (*units[:index], *other, *units[index + 1 :]), how


def _changed(unit: Unit, random: Random) -> Iterator[tuple[tuple[Unit, ...], str]]:
    """What may stand in the place of a unit to make another formula of it."""
    if isinstance(unit, Charge):
        yield (Charge(-unit.value),), "the sign of the charge turned"
        yield (Charge(unit.value + (1 if unit.value > 0 else -1)),), "one charge more"
        yield (), "the charge left off"
        return
    if not isinstance(unit, Atom | Group):
        return
    yield (replace(unit, count=unit.count + 1),), "one more"
    if unit.count > 1:
        yield (replace(unit, count=unit.count - 1),), "one less"
    if isinstance(unit, Atom):
        number = ATOMIC_NUMBER[unit.symbol] % len(_SYMBOLS)
        other = _SYMBOLS[(number + random.choice((0, 7))) % len(_SYMBOLS)]
        yield (replace(unit, symbol=other, mass=None),), "another element"
    else:
        for inner, how in _unit_changes(unit.units, random):
            yield (replace(unit, units=inner),), how
