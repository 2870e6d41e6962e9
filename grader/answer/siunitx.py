r"""Unit macros of the LaTeX package siunitx: ``\kilo\joule\per\mole`` as ``kJ·mol^-1``."""

from __future__ import annotations

import re

_PREFIXES = {
    "femto": "f", "pico": "p", "nano": "n", "micro": "μ", "milli": "m", "centi": "c", "deci": "d",
    "hecto": "h", "kilo": "k", "mega": "M", "giga": "G", "tera": "T",
}  # fmt: skip
_UNITS = {
    "gram": "g", "metre": "m", "meter": "m", "second": "s", "litre": "L", "liter": "L", "mole": "mol",
    "joule": "J", "electronvolt": "eV", "pascal": "Pa", "bar": "bar", "volt": "V", "ampere": "A",
    "kelvin": "K", "hertz": "Hz", "newton": "N", "watt": "W", "coulomb": "C", "molar": "M", "dalton": "Da",
    "tesla": "T", "ohm": "Ω", "siemens": "S", "becquerel": "Bq", "farad": "F", "minute": "min", "hour": "h",
    "day": "d", "year": "yr", "celsius": "°C", "degreeCelsius": "°C", "angstrom": "Å", "percent": "%",
    "degree": "°", "atomicmassunit": "u", "atmosphere": "atm", "calorie": "cal", "debye": "D", "kg": "kg",
    "mol": "mol", "kJ": "kJ", "eV": "eV", "cm": "cm", "nm": "nm", "pm": "pm",
}  # fmt: skip
_POWERS = {"squared": 2, "cubed": 3}
_POWERS_BEFORE = {"square": 2, "cubic": 3}
_NAMES = "|".join(sorted((*_PREFIXES, *_UNITS, *_POWERS, *_POWERS_BEFORE, "per"), key=len, reverse=True))
_UNCERTAINTY = r"(?!pm(?:[ ~{(]|\\[,;!:> ])*[.0-9])"
r"""Before a number ``\pm`` is plus or minus, and no picometre."""
_MACRO = rf"\\{_UNCERTAINTY}(?:{_NAMES})(?![A-Za-z])[ ]?|\\(?:tothe|raiseto)\{{-?[0-9]\}}[ ]?"
RUN = re.compile(rf"(?<=[{{ 0-9~])(?:{_MACRO}){{1,24}}")
"""A run of unit macros behind a brace, a space or a number."""
_ONE = re.compile(r"\\([A-Za-z]+)(?:\{(-?[0-9])\})?")


def spelled(run: str) -> str:
    """A run of unit macros as symbols with exponents, joined by dots."""
    parts: list[tuple[str, int]] = []
    prefix, sign, power = "", 1, 1
    for name, exponent in _ONE.findall(run):
        if name == "per":
            sign = -1
        elif name in _POWERS_BEFORE:
            power = _POWERS_BEFORE[name]
        elif name in _PREFIXES:
            prefix = _PREFIXES[name]
        elif name in _UNITS:
            parts.append((prefix + _UNITS[name], sign * power))
            prefix, sign, power = "", 1, 1
        elif parts:
            symbol, last = parts[-1]
            parts[-1] = (symbol, last * (int(exponent) if exponent else _POWERS[name]))
    return "·".join(symbol if power == 1 else f"{symbol}^{power}" for symbol, power in parts)
