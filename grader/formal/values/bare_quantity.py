"""A quantity that is all an answer holds: its number is read at once, its unit once for all answers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from grader.answer.notation import normalise
from grader.formal.values.arithmetic import TooMany, read_terms
from grader.formal.values.numbers import significant_figures
from grader.formal.values.statements import Stated
from grader.formal.values.units import Unit

_STOPS = r"\n$`*{}\\"
VALUE = (
    r"(?P<mantissa>[-\u2212]?[0-9]{1,9}(?:\.[0-9]{1,12})?)(?![0-9])"
    rf"(?P<tail>[ ]?[^\s.,{_STOPS}](?:[^{_STOPS}]{{0,60}}[^\s.{_STOPS}])?)?"
)
"""A mantissa without separators, and whatever scales it and gives its unit."""

_ANY = "1.5"
"""Stands for the mantissa while a tail is read."""


@dataclass(frozen=True, slots=True)
class _Tail:
    """What follows a mantissa: a power of ten, a unit."""

    exponent: int
    unit: Unit | None
    written_unit: str


@lru_cache(maxsize=4096)
def _tail(tail: str) -> _Tail | None:
    """What a tail says; None where it is anything but a power of ten and a unit."""
    text = normalise(_ANY + tail)
    try:
        terms = list(read_terms(text.plain))
    except TooMany:
        return None
    if len(terms) != 1 or (terms[0].start, terms[0].end) != (0, len(text.plain)):
        return None
    (term,) = terms
    number = term.number
    if number is None or number.other is not None or term.mixed:
        return None
    scale = number.value / float(_ANY)
    exponent = round(math.log10(scale))
    if number.value != float(f"{_ANY}e{exponent}"):
        return None
    unit = term.unit
    return _Tail(exponent, unit, "" if unit is None else text.quote(unit.start, unit.end))


def read_bare(mantissa: str, tail: str) -> Stated | None:
    """The quantity of a mantissa and its tail; None where it must be read at length."""
    read = _tail(tail)
    if read is None:
        return None
    plain = mantissa.replace("\u2212", "-")
    value = float(f"{plain}e{read.exponent}")
    figures = significant_figures(plain, "." in plain)
    return Stated(value, read.unit, read.written_unit, figures, tied=True)
