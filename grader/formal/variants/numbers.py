"""Other spellings and units of a number, and numbers that are close to it and wrong."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from grader.answer.number_words import SMALL
from grader.formal.values.target import Target
from grader.formal.values.units import conversion, expected_unit
from grader.formal.variants.variant import Variant
from grader.problem.checks import IntegerCheck, QuantityCheck

if TYPE_CHECKING:
    import pint

_SCALED = {
    "joule": ("kilojoule", "joule", "calorie", "kilocalorie"),
    "meter": ("meter", "centimeter", "nanometer", "picometer"),
    "gram": ("gram", "milligram", "kilogram"),
    "liter": ("liter", "milliliter"),
    "mole": ("mole", "millimole"),
    "molar": ("molar", "millimolar"),
    "second": ("second", "minute", "millisecond"),
    "volt": ("volt", "millivolt"),
    "pascal": ("pascal", "kilopascal"),
    "ampere": ("ampere", "milliampere"),
    "bar": ("bar", "millibar"),
}
"""Units of the same dimension that differ by a factor."""
_SYMBOLS = {"µ_B": "μB", "l": "L", "ml": "mL", "µ": "μ"}
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_DIGITS = 6
_MINUS = "\u2212"


# Quantities


def equivalent_quantities(check: QuantityCheck, seed: int = 0) -> Iterator[Variant]:
    """The expected quantity in other spellings and, where it has a unit, in other units."""
    unit = expected_unit(check.unit)
    figures = check.sig_figs or _DIGITS
    plain = _written(check.expected, figures)
    yield from _spellings(check.expected, figures, unit)
    if check.sign == "either" and check.expected:
        yield Variant(
            with_unit(_written(-check.expected, figures), unit), "the other sign, which is conventional"
        )
    if check.abs_tol or check.rel_tol:
        inside = _written(check.expected + 0.5 * Target(check, unit).tolerance, _DIGITS)
        if check.sig_figs is None and inside != plain:
            yield Variant(with_unit(inside, unit), "half the tolerance above")
    for other, name in _other_units(unit):
        value = _converted(check, unit, other)
        if value is not None:
            yield Variant(with_unit(_written(value, figures), other), f"in {name}")


def near_quantities(check: QuantityCheck, seed: int = 0) -> Iterator[Variant]:
    """Quantities that the tolerance doesn't reach, of another size, sign or dimension."""
    unit = expected_unit(check.unit)
    target = Target(check, unit)
    figures = check.sig_figs or _DIGITS
    for value, how in _near_values(check, target):
        if not target.within(value) and abs(value - check.expected) > target.slack:
            yield Variant(with_unit(_written(value, figures), unit), how)
    for other, name in _other_units(unit):
        meant = _converted(check, unit, other)
        if meant is not None and check.expected and abs(check.expected - meant) > 2 * target.slack:
            yield Variant(with_unit(_written(check.expected, figures), other), f"the number, but in {name}")
    if unit is not None and not unit.dimensionless and check.expected != 0:
        yield Variant(
            with_unit(_written(check.expected, figures), expected_unit(_foreign(unit))),
            "in a unit of something else",
        )


def _near_values(check: QuantityCheck, target: Target) -> Iterator[tuple[float, str]]:
    step = 2.0 * max(target.slack, target.tolerance)
    yield check.expected + step, "twice the tolerance above"
    yield check.expected - step, "twice the tolerance below"
    if check.expected:
        yield check.expected * 10, "ten times as much"
        yield check.expected / 10, "a tenth"
        if check.sign == "exact":
            yield -check.expected, "the other sign"


def _spellings(value: float, figures: int, unit: pint.Unit | None) -> Iterator[Variant]:
    plain = _written(value, figures)
    yield Variant(with_unit(plain, unit), "as it is")
    yield Variant(
        f"**{with_unit(plain.replace('-', _MINUS), unit, power='unicode')}**", "bold, Unicode signs"
    )
    mantissa, exponent = _scientific(value, figures)
    yield Variant(with_unit(f"{mantissa}e{exponent}", unit), "with a power of ten")
    raised = str(exponent).translate(_SUPERSCRIPTS)
    yield Variant(with_unit(f"{mantissa} × 10{raised}", unit, power="unicode"), "with a Unicode power of ten")
    latex = with_unit(rf"{mantissa} \times 10^{{{exponent}}}", unit, power="latex")
    yield Variant(rf"\boxed{{{latex}}}", "boxed", "latex")


def _written(value: float, figures: int) -> str:
    """A number with that many significant digits, without a power of ten where that is natural."""
    if value and not 1e-4 <= abs(value) < 10**figures:
        mantissa, exponent = _scientific(value, figures)
        return f"{mantissa}e{exponent}"
    if value == 0:
        return "0"
    places = max(0, figures - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:.{places}f}"
    return text if figures < _DIGITS or "." not in text else text.rstrip("0").rstrip(".")


def _scientific(value: float, figures: int) -> tuple[str, int]:
    mantissa, _, exponent = f"{value:.{figures - 1}e}".partition("e")
    if figures == _DIGITS:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return mantissa, int(exponent)


def _factors(unit: pint.Unit | None) -> tuple[tuple[str, int], ...]:
    """The factors of a unit with their whole powers."""
    return () if unit is None else tuple((name, int(f"{n:g}")) for name, n in unit._units.items())


def with_unit(number: str, unit: pint.Unit | None, power: str = "plain") -> str:
    """A number and its unit in one type: ``plain``, ``unicode`` or ``latex``."""
    factors = _factors(unit)
    if not factors:
        return number
    if power == "latex":
        spelled = r"\,".join(rf"\mathrm{{{_symbol(name)}}}{_raised(n, power)}" for name, n in factors)
        return rf"{number}\ {spelled}".replace("%", r"\%")
    return f"{number} " + " ".join(f"{_symbol(name)}{_raised(n, power)}" for name, n in factors)


def _raised(power: int, style: str) -> str:
    text = str(power)
    if text == "1":
        return ""
    return {"plain": f"^{text}", "unicode": text.translate(_SUPERSCRIPTS), "latex": f"^{{{text}}}"}[style]


def _symbol(name: str) -> str:
    unit = expected_unit(name)
    symbol = f"{unit:~P}"
    return _SYMBOLS.get(symbol, symbol.replace("µ", "μ"))


def scaled(name: str) -> tuple[str, ...]:
    """Other units than one, by pint's names, that measure the same and differ by a factor."""
    family = next((names for names in _SCALED.values() if name in names), ())
    return tuple(other for other in family if other != name)


def _other_units(unit: pint.Unit | None) -> Iterator[tuple[pint.Unit, str]]:
    """The unit with one of its factors replaced by another of the same dimension."""
    written = _factors(unit)
    for name, power in written:
        for family in _SCALED.values():
            if name not in family:
                continue
            for other in family:
                if other == name:
                    continue
                factors = {**dict(written), name: 0, other: power}
                made = expected_unit(" * ".join(f"({one})**{n}" for one, n in factors.items() if n))
                assert made is not None
                yield made, with_unit("", made).strip()
                break


def _converted(check: QuantityCheck, unit: pint.Unit | None, other: pint.Unit) -> float | None:
    known = conversion(_factors(unit), other, check.quantity_type == "difference")
    return None if known is None else check.expected * known[0] + known[1]


def _foreign(unit: pint.Unit) -> str:
    return "second" if "[time]" not in unit.dimensionality else "gram"


# Whole numbers


def equivalent_integers(check: IntegerCheck, seed: int = 0) -> Iterator[Variant]:
    """The expected count as digits, as a word, boxed."""
    value = check.expected
    yield Variant(str(value), "as it is")
    yield Variant(f"**{value}**".replace("-", _MINUS), "bold")
    yield Variant(rf"$\boxed{{{value}}}$", "boxed", "latex")
    if 0 <= value < len(SMALL):
        yield Variant(SMALL[value].capitalize(), "as a word")


def near_integers(check: IntegerCheck, seed: int = 0) -> Iterator[Variant]:
    """The neighbours, the double, the other sign."""
    value = check.expected
    near = {value + 1: "one more", value - 1: "one less", 2 * value: "the double", -value: "the other sign"}
    yield from (Variant(str(other), how) for other, how in near.items() if other != value)
