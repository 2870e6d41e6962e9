"""Units as chemists write them, read into pint units.

pint alone raises on ``kJ mol-1`` and silently misreads ``℃``, ``R`` and
``a.u.``, so the spelling is read here, against a closed table, and pint only
converts. One registry serves a process.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from grader.answer.notation import normalise

if TYPE_CHECKING:
    import pint

_PREFIXES = {
    "f": "femto", "p": "pico", "n": "nano", "μ": "micro", "u": "micro", "m": "milli", "c": "centi",
    "d": "deci",
    "k": "kilo", "M": "mega", "G": "giga", "T": "tera", "h": "hecto",
}  # fmt: skip
_PREFIXABLE = {
    "g": "gram", "m": "meter", "s": "second", "L": "liter", "l": "liter", "mol": "mole", "J": "joule",
    "eV": "electron_volt", "Pa": "pascal", "bar": "bar", "V": "volt", "A": "ampere", "K": "kelvin",
    "Hz": "hertz",
    "N": "newton", "W": "watt", "C": "coulomb", "cal": "calorie", "M": "molar", "Da": "dalton", "T": "tesla",
    "Ω": "ohm", "S": "siemens", "Bq": "becquerel", "F": "farad", "sec": "second", "Wh": "watt_hour",
}  # fmt: skip
_WHOLE = {
    "min": "minute", "h": "hour", "hr": "hour", "hrs": "hour", "d": "day", "yr": "year",
    "atm": "standard_atmosphere",
    "torr": "torr", "Torr": "torr", "mmHg": "millimeter_Hg", "cmHg": "centimeter_Hg", "psi": "psi",
    "Å": "angstrom",
    "%": "percent", "‰": "permille", "ppm": "ppm", "μB": "bohr_magneton", "μ_B": "bohr_magneton",
    "uB": "bohr_magneton", "BM": "bohr_magneton", "B.M.": "bohr_magneton", "D": "debye", "u": "dalton",
    "amu": "dalton",
    "°C": "degree_Celsius", "°F": "degree_Fahrenheit", "degC": "degree_Celsius", "degF": "degree_Fahrenheit",
    "deg": "degree", "°": "degree", "rad": "radian", "Eh": "hartree", "E_h": "hartree", "Ha": "hartree",
    "cc": "centimeter**3", "kcals": "kilocalorie", "Cal": "kilocalorie", "mins": "minute", "secs": "second",
    "gm": "gram", "gms": "gram", "t": "metric_ton", "y": "year", "yrs": "year", "ltr": "liter", "ppb": "ppb",
    "P": "poise", "cP": "centipoise", "Oe": "oersted", "Ci": "curie", "e": "elementary_charge",
}  # fmt: skip
_WORDS = {
    "gram": "gram", "meter": "meter", "metre": "meter", "second": "second", "liter": "liter",
    "litre": "liter",
    "mole": "mole", "joule": "joule", "pascal": "pascal", "volt": "volt", "ampere": "ampere", "amp": "ampere",
    "kelvin": "kelvin", "hertz": "hertz", "newton": "newton", "watt": "watt", "coulomb": "coulomb",
    "calorie": "calorie", "molar": "molar", "dalton": "dalton", "tesla": "tesla", "ohm": "ohm", "bar": "bar",
    "molal": "mole/kilogram", "electronvolt": "electron_volt", "siemens": "siemens", "farad": "farad",
    "becquerel": "becquerel",
}  # fmt: skip
_WHOLE_WORDS = {
    "minute": "minute", "hour": "hour", "day": "day", "year": "year", "week": "week",
    "atmosphere": "standard_atmosphere",
    "percent": "percent", "wavenumber": "1/centimeter", "debye": "debye", "angstrom": "angstrom",
    "ångström": "angstrom",
    "celsius": "degree_Celsius", "fahrenheit": "degree_Fahrenheit", "degree": "degree", "hartree": "hartree",
    "radian": "radian", "gauss": "gauss", "tonne": "metric_ton", "curie": "curie",
    "poise": "poise", "faraday": "faraday_constant",
}  # fmt: skip
_LONG_PREFIXES = tuple(_PREFIXES.values())
_LOOSE = {
    "kj": "kilojoule", "kcal": "kilocalorie", "kpa": "kilopascal", "ev": "electron_volt", "mol": "mole",
    "mmol": "millimole", "kg": "kilogram", "atm": "standard_atmosphere", "torr": "torr",
    "mmhg": "millimeter_Hg", "hz": "hertz", "min": "minute",
}  # fmt: skip
"""Symbols that mean one thing in any case (unlike mPa and MPa)."""
_PHRASES = (
    (re.compile(r"e\^?-(?![0-9A-Za-z])"), "elementary_charge"),
    (re.compile(r"(?:°|deg(?:rees?)?\.?)\s?(?:C\b|Celsius\b|centigrade\b)", re.I), "degree_Celsius"),
    (re.compile(r"(?:°|deg(?:rees?)?\.?)\s?(?:F\b|Fahrenheit\b)", re.I), "degree_Fahrenheit"),
    (re.compile(r"mm\s?(?:of\s)?Hg\b"), "millimeter_Hg"),
    (re.compile(r"cm\s?Hg\b"), "centimeter_Hg"),
    (re.compile(r"Bohr\s?magnetons?\b", re.I), "bohr_magneton"),
    (re.compile(r"B\.\s?M\.?"), "bohr_magneton"),
    (re.compile(r"μ_?B\b"), "bohr_magneton"),
    (re.compile(r"electron[ -]?volts?\b", re.I), "electron_volt"),
    (re.compile(r"per\s?cent\b", re.I), "percent"),
    (re.compile(r"(?:reciprocal|inverse) (?:centimet(?:er|re)s?|cm)\b", re.I), "1/centimeter"),
    (re.compile(r"(?:reciprocal|inverse) seconds?\b", re.I), "1/second"),
)
_ANY_PHRASE = re.compile(
    "|".join(
        f"(?i:{phrase.pattern})" if phrase.flags & re.I else f"(?:{phrase.pattern})" for phrase, _ in _PHRASES
    )
)
_RUN = re.compile(r"[A-Za-zμΩÅå]+|[%‰°]")
_COUNTED_DEGREES = re.compile(r"degrees?\sof\s(?!arc\b)", re.I)
"""Degrees of freedom, of unsaturation: no unit."""
_EXPONENT = re.compile(
    r"\s?\^\s?(?:\(\s?([-+]?[0-9])\s?\)|([-+]?[0-9])(?![0-9]|\.[0-9]))|([-+]?[1-4])(?![0-9.,]*[0-9A-Za-z])|"
    r"(-[1-4])(?=[A-Za-z]{1,4}\^?-)"
)
_SEPARATOR = re.compile(r"[ ]?[·*×][ ]?(?=[A-Za-zμΩÅ°])|\.(?=[A-Za-zμΩÅ])|[ ]{1,2}|-(?=[A-Za-zμ])")
_NOTHING = re.compile(r"(?<=[0-9)])(?=[A-Za-zμ])")
_SLASH = re.compile(r"[ ]?/[ ]?(?=[(A-Za-zμΩÅ°%])|[ ]?\bper\b(?![ ]?cent\b)[ ]?")
_SPLIT_TAILS = ("mol", "dm", "cm", "kg", "K", "s", "L", "M", "m", "V")
_OFFSETS = {"degree_Celsius": "delta_degree_Celsius", "degree_Fahrenheit": "delta_degree_Fahrenheit"}
"""Units with an offset, and what they are in a compound unit or a difference."""
UNIT_WORDS = (
    *(word + "s" for word in (*_WORDS, *_WHOLE_WORDS) if len(word) > 3),
    *(
        prefix + word + "s"
        for prefix in ("kilo", "milli", "micro", "nano", "pico", "centi")
        for word in _WORDS
    ),
)
"""Unit words, to know one with a slip again."""
_MOST_FACTORS = 8
_ENTITIES = frozenset(("molecule", "atom", "photon", "particle", "ion"))
"""What an amount is counted in below a slash: "eV per molecule"."""
_SINGLE = re.compile(r"\w*(?:electron_volt|hartree)")
"""Units of energy that are used for one particle."""
_ELEMENTS = frozenset("CNKVWFSHPIBUD")
"""One-letter units that may be an element symbol after another unit ("12 g C")."""
_MEANINGS = {"m": "mole/kilogram", "C": "degree_Celsius", "F": "degree_Fahrenheit"}
"""What a lone symbol means too, if only that fits: molality, a temperature."""

Factors = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit as read: pint names with exponents, and where it stands in the plain text."""

    factors: Factors
    start: int
    end: int
    alternatives: tuple[Factors, ...] = ()


@cache
def registry() -> pint.UnitRegistry[Any]:
    """The process's one registry."""
    import pint

    units: pint.UnitRegistry[Any] = pint.UnitRegistry()
    units.define("ppb = 1e-9")
    return units


@lru_cache(maxsize=4096)
def _symbol(run: str) -> str | None:
    """The pint name of one unit symbol or word."""
    if run in _WHOLE:
        return _WHOLE[run]
    if run in _PREFIXABLE:
        return _PREFIXABLE[run]
    if run[1:] in _PREFIXABLE and run[0] in _PREFIXES and run not in ("ms.", "cd"):
        return _PREFIXES[run[0]] + _PREFIXABLE[run[1:]]
    word = run.lower()
    if word in _LOOSE:
        return _LOOSE[word]
    if len(run) < 3:
        return None
    for stem in (word, word[:-1] if word.endswith("s") else word):
        if stem in _WHOLE_WORDS:
            return _WHOLE_WORDS[stem]
        if stem in _WORDS:
            return _WORDS[stem]
        for prefix in _LONG_PREFIXES:
            if stem.startswith(prefix) and stem[len(prefix) :] in _WORDS:
                return prefix + _WORDS[stem[len(prefix) :]]
    return None


@lru_cache(maxsize=4096)
def _names(run: str) -> tuple[str, ...] | None:
    """The pint names of a run of letters, which may be two symbols run together ("kJmol")."""
    whole = _symbol(run)
    if whole is not None:
        return (whole,)
    for tail in _SPLIT_TAILS:
        head = run[: -len(tail)]
        if head and run.endswith(tail) and (name := _symbol(head)) and (last := _symbol(tail)):
            return (name, last)
    return None


class _Reader:
    """Reads one unit from a position on."""

    def __init__(self, plain: str, at: int) -> None:
        self.plain = plain
        self.at = at
        self.factors: list[tuple[str, int]] = []
        self.bare_tail: tuple[int, int] | None = None
        self.lone = ""

    def factor(self, sign: int) -> bool:
        """Read one symbol with its exponent; False and no move if there is none."""
        start = self.at
        for phrase, name in _PHRASES if _ANY_PHRASE.match(self.plain, start) else ():
            if match := phrase.match(self.plain, start):
                self._add((name,), sign, match.end())
                return True
        run = _RUN.match(self.plain, start)
        names = _names(run.group()) if run and not _COUNTED_DEGREES.match(self.plain, start) else None
        if run and sign < 0 and run.group() in _ENTITIES:
            names = ("particle",)
        if run is None or names is None:
            return False
        self.lone = run.group()
        return self._add(names, sign, run.end())

    def _add(self, names: tuple[str, ...], sign: int, end: int) -> bool:
        match = _EXPONENT.match(self.plain, end)
        power = int(match[match.lastindex or 0]) if match else 1
        after = match.end() if match else end
        following = self.plain[after : after + 1]
        if following == "_" or following.isdigit() or (following.isalpha() and match is None):
            return False
        self.factors.extend((name, sign) for name in names[:-1])
        self.factors.append((names[-1], sign * power if power > 0 or sign > 0 else power))
        self.at = after
        self.bare_tail = None if match else (end, len(self.factors))
        return True

    def group(self) -> bool:
        """Read "(...)" below a slash."""
        start, count = self.at, len(self.factors)
        self.at += 1
        if not self.factor(-1):
            self.at = start
            return False
        while True:
            if self.plain[self.at : self.at + 1] == ")":
                self.at += 1
                return True
            if not self._next(-1):
                self.at = start
                del self.factors[count:]
                return False

    def _next(self, sign: int) -> bool:
        at = self.at
        match = _SLASH.match(self.plain, at) or _SEPARATOR.match(self.plain, at)
        if match is None:
            return False
        self.at = match.end()
        if self.factor(sign):
            return True
        self.at = at
        return False


def read_unit(plain: str, at: int) -> Unit | None:
    """The unit that starts at a plain position, as far as it reaches; None if there is none."""
    reader = _Reader(plain, at)
    leading = _SLASH.match(plain, at)
    sign = 1
    if leading:
        reader.at = leading.end()
        sign = -1
    elif plain.startswith("1/", at):
        reader.at, sign = at + 2, -1
    first = reader.group() if sign < 0 and plain[reader.at : reader.at + 1] == "(" else reader.factor(sign)
    if not first:
        return None
    lone = reader.lone if len(reader.factors) == 1 and reader.bare_tail else ""
    alternatives: list[Factors] = [((_MEANINGS[lone], 1),)] if lone in _MEANINGS else []
    while len(reader.factors) < _MOST_FACTORS:
        before, end = tuple(reader.factors), reader.at
        slash = _SLASH.match(plain, reader.at)
        if slash:
            reader.at, sign = slash.end(), -1
            grouped = plain[reader.at : reader.at + 1] == "("
            if not (reader.group() if grouped else reader.factor(-1)):
                reader.at = end
                break
            if grouped:
                sign = 1
            continue
        separator = _SEPARATOR.match(plain, reader.at) or _NOTHING.match(plain, reader.at)
        if separator is None:
            break
        reader.at = separator.end()
        if not reader.factor(sign):
            reader.at = end
            break
        symbol = plain[separator.end() : reader.at]
        if separator.group().isspace() and symbol in _ELEMENTS and sign > 0:
            alternatives.append(before)
    factors = tuple(reader.factors)
    return Unit(factors, at, reader.at, (*alternatives, *_other_amounts(factors)))


def _other_amounts(factors: Factors) -> Iterator[Factors]:
    """The same energy for one particle and for a mole of them."""
    if ("particle", -1) in factors:
        yield tuple(factor for factor in factors if factor != ("particle", -1))
    elif len(factors) == 1 and _SINGLE.fullmatch(factors[0][0]) and factors[0][1] == 1:
        yield (*factors, ("particle", -1))


@lru_cache(maxsize=1024)
def unit_name(unit: pint.Unit | None) -> str:
    """pint's name of a unit; spelling it takes pint longer than a conversion."""
    return "" if unit is None else str(unit)


def for_one(factors: Factors, target: pint.Unit) -> Iterator[Factors]:
    """A molar energy as that of one particle, where the target is a unit used for one."""
    if _SINGLE.fullmatch(unit_name(target)):
        yield (*factors, ("particle", 1))


@lru_cache(maxsize=4096)
def pint_unit(factors: Factors) -> pint.Unit:
    """The pint unit of factors; dimensionless if there are none."""
    units = registry()
    compound = len(factors) > 1 or any(power != 1 for _, power in factors)
    product = units.Quantity(1.0)
    for name, power in factors:
        if not compound and name in _OFFSETS:
            return units.Unit(name)
        product = product * units.Unit(_OFFSETS.get(name, name)) ** power
    return units.Unit(product.units)


@lru_cache(maxsize=1024)
def expected_unit(text: str | None) -> pint.Unit | None:
    """The unit of a check: as pint reads it, else as chemists write it.

    None for no unit; ValueError if neither reading succeeds.
    """
    if text is None or not text.strip():
        return None
    units = registry()
    spelled = text.strip().replace("℃", "degC").replace("%", "percent")
    if "a.u." not in spelled and not re.search(r"[A-Za-z]-?[0-9]", spelled):
        try:
            return units.Unit(spelled)
        except Exception:  # pint raises errors of many unrelated kinds; our own reader comes next
            units = registry()
    plain = normalise(text.strip()).plain
    unit = read_unit(plain, 0)
    if unit is None or unit.end != len(plain):
        raise ValueError(f"unknown unit {text!r}")
    return pint_unit(unit.factors)


@lru_cache(maxsize=8192)
def conversion(factors: Factors, target: pint.Unit, difference: bool) -> tuple[float, float] | None:
    """Slope and offset that bring a value to the target unit; None for another dimension.

    A difference (of temperatures) has no offset.
    """
    unit = pint_unit(factors)
    if unit.dimensionality != target.dimensionality:
        return None
    if difference:
        unit, target = _without_offset(unit), _without_offset(target)
    quantity = registry().Quantity
    offset = float(quantity(0.0, unit).to(target).magnitude)
    return float(quantity(1.0, unit).to(target).magnitude) - offset, offset


def _without_offset(unit: pint.Unit) -> pint.Unit:
    name = str(unit)
    return registry().Unit("delta_" + name) if name in _OFFSETS else unit
