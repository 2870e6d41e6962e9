"""Numbers and units written otherwise, and numbers that are wrong by a factor, a sign or a unit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from grader.audit.metamorphic.entities import Entity, entities
from grader.audit.metamorphic.kind import Edit, Place, Unfit
from grader.audit.metamorphic.measured import Measured, is_whole
from grader.formal.values.units import Factors, conversion, pint_unit
from grader.formal.variants.numbers import scaled, with_unit

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_LARGEST_PLAIN = 6
_SMALLEST_PLAIN = -3
"""Powers of ten between which a number is written without one."""
_ENTHALPY = re.compile(r"(?:Δ|∆|\\Delta\s?|delta[ _]?)[^\n=:]{0,14}?H|enthalp|\bheat of\b", re.I)
_CLAUSE = re.compile(r"[;.!?\n](?=\s|$)")
_SAID_IN_WORDS = re.compile(r"exo|endo|releas|absorb|evolv|liberat|gives? off|takes? up", re.I)
_ENERGY: tuple[Factors, ...] = ((("joule", 1),), (("joule", 1), ("mole", -1)))


# Invariance


def unit_rescaled(place: Place) -> Iterator[Edit]:
    """The same quantity in another unit: a power of ten apart, so that its digits stay."""
    measured = _measured(place)
    if not measured.factors:
        raise Unfit("the number has no unit")
    fit = False
    for factors in _other_units(place, measured):
        slope = _slope(measured.factors, factors)
        factor = Decimal(repr(slope)) if slope else Decimal(0)
        if not factor or factor == 1 or factor.normalize().as_tuple().digits != (1,):
            continue
        text = _number(place, measured.value * factor, measured.figures) + _spelled(place, factors)
        _assert_value(place, text, float(measured.value), equal=True)
        fit = True
        yield Edit(text, f"{place.entity.text}: the same in another unit, {text}")
    if not fit:
        raise Unfit("the unit has no other that is a power of ten apart")


def power_respelled(place: Place) -> Iterator[Edit]:
    """The same number with its power of ten in another type, or with one."""
    measured = _measured(place)
    if not measured.value:
        raise Unfit("the number is zero")
    styles = (
        ["e", "caret"] if place.in_code else ["latex", "dot"] if place.in_math else ["e", "caret", "unicode"]
    )
    own = place.entity.text.removesuffix(measured.tail)
    if not measured.value.adjusted():
        raise Unfit("the number has no power of ten")
    texts = [_scientific(measured.value, measured.figures, style) for style in styles]
    fit = False
    for text in place.chance.sample(texts, len(texts)):
        if text == own:
            continue
        _assert_value(place, text + measured.tail, float(measured.value), equal=True)
        fit = True
        yield Edit(text + measured.tail, f"{place.entity.text}: respelled, {text + measured.tail}")
    if not fit:
        raise Unfit("the number is written so already")


# Sensitivity


def tenfold(place: Place) -> Iterator[Edit]:
    """Ten times the number, or a tenth of it, in the same unit."""
    measured = _measured(place)
    if not measured.value:
        raise Unfit("the number is zero")
    for factor in place.chance.sample([Decimal(10), Decimal("0.1")], 2):
        yield _changed(place, measured.value * factor, "ten times" if factor > 1 else "a tenth")


def enthalpy_sign(place: Place) -> Iterator[Edit]:
    """An enthalpy with the other sign."""
    measured = _measured(place)
    low = max((one.end() for one in _CLAUSE.finditer(place.raw, 0, place.entity.start)), default=0)
    if not any(_slope(measured.factors, energy) for energy in _ENERGY):
        raise Unfit("the quantity is no energy")
    if not _ENTHALPY.search(place.raw, low, place.entity.start):
        raise Unfit("the answer doesn't call the quantity an enthalpy")
    if not measured.value:
        raise Unfit("the number is zero")
    if _SAID_IN_WORDS.search(place.raw):
        raise Unfit("the answer gives the sign in words too")
    yield _changed(place, -measured.value, "the other sign")


def unit_only(place: Place) -> Iterator[Edit]:
    """The same number in another unit of its dimension."""
    measured = _measured(place)
    if not measured.factors:
        raise Unfit("the number has no unit")
    fit = False
    for factors in _other_units(place, measured):
        slope = _slope(measured.factors, factors)
        if not slope or slope == 1:
            continue
        text = place.entity.text.removesuffix(measured.tail) + _spelled(place, factors)
        _assert_value(place, text, float(measured.value), equal=False)
        fit = True
        yield Edit(text, f"{place.entity.text}: the number kept, the unit changed, {text}")
    if not fit:
        raise Unfit("the unit has no other of its dimension")


def _changed(place: Place, value: Decimal, what: str) -> Edit:
    """Another number with the unit as it is written."""
    measured = _measured(place)
    text = _number(place, value, measured.figures) + measured.tail
    _assert_value(place, text, float(measured.value), equal=False)
    return Edit(text, f"{place.entity.text}: {what}, {text}")


# Reading and writing


def _measured(place: Place) -> Measured:
    """The number of an entity; Unfit where it can't be cut out of its LaTeX."""
    if not is_whole(place.entity.text):
        raise Unfit("the number is set in LaTeX that can't be cut out")
    measured = place.entity.value
    assert isinstance(measured, Measured)
    return measured


def _other_units(place: Place, measured: Measured) -> list[Factors]:
    """The unit with one factor replaced by another of its dimension, factors over the line first."""
    made: list[tuple[bool, Factors]] = []
    for at, (name, power) in enumerate(measured.factors):
        for other in scaled(name):
            factors = (*measured.factors[:at], (other, power), *measured.factors[at + 1 :])
            made.append((power < 0, factors))
    return [factors for _, factors in sorted(place.chance.sample(made, len(made)), key=lambda one: one[0])]


def _slope(factors: Factors, target: Factors) -> float | None:
    """What brings a value to another unit, to the digits that pint's binary arithmetic holds.

    None for another dimension, and for a scale with another zero.
    """
    known = conversion(factors, pint_unit(target), False) if factors else None
    return None if known is None or known[1] else float(f"{known[0]:.12g}")


def _spelled(place: Place, factors: Factors) -> str:
    """A unit, its factors in the given order, with the space before it."""
    style = "latex" if place.in_math else "plain" if place.raw.isascii() or place.in_code else "unicode"
    spelled = [with_unit("", pint_unit(((name, power),)), style).strip() for name, power in factors]
    return (
        r"\ " + r"\,".join(one.removeprefix("\\ ") for one in spelled)
        if place.in_math
        else " " + " ".join(spelled)
    )


def _number(place: Place, value: Decimal, figures: int) -> str:
    """A number with that many significant figures, with a power of ten where it needs one."""
    exponent = value.adjusted()
    if _SMALLEST_PLAIN <= exponent < min(figures, _LARGEST_PLAIN):
        text = f"{value:.{figures - 1 - exponent}f}"
        return text if place.raw.isascii() or place.in_math or place.in_code else text.replace("-", "\u2212")
    style = "e" if place.in_code else "latex" if place.in_math else _power(place.raw)
    return _scientific(value, figures, style)


def _power(raw: str) -> str:
    return "caret" if raw.isascii() else "unicode"


def _scientific(value: Decimal, figures: int, style: str) -> str:
    mantissa, _, exponent = f"{value:.{figures - 1}e}".partition("e")
    power = str(int(exponent))
    return (
        mantissa
        + {
            "e": f"e{power}",
            "caret": f" x 10^{power}",
            "unicode": f" × 10{power.translate(_RAISED)}",
            "latex": rf" \times 10^{{{power}}}",
            "dot": rf" \cdot 10^{{{power}}}",
        }[style]
    )


def _assert_value(place: Place, text: str, value: float, *, equal: bool) -> None:
    """Unfit unless the rewritten answer states the same value (or another) there, in the same dimension."""
    start = place.entity.start
    after = place.raw[:start] + text + place.raw[place.entity.end :]
    found = next((one for one in entities(after, "quantity") if one.start == start), None)
    if found is None:
        raise Unfit("the rewritten number can't be read back")
    same = same_quantity(place.entity, found, 1e-9)
    if same is None or same is not equal:
        raise Unfit("the rewriting isn't proved to be " + ("the same value" if equal else "another value"))


def same_quantity(one: Entity, two: Entity, tolerance: float) -> bool | None:
    """Whether two quantities are equal within a relative tolerance; None for different dimensions."""
    ours, theirs = one.value.factors, two.value.factors
    value, other = float(one.value.value), float(two.value.value)
    if bool(ours) != bool(theirs):
        return None
    if ours:
        known = conversion(theirs, pint_unit(ours), False)
        if known is None:
            return None
        other = other * known[0] + known[1]
    return abs(value - other) <= tolerance * max(abs(value), abs(other))
