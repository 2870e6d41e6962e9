"""Numbers with units as a text writes them, and where what is written ends."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from grader.answer.candidates import Candidate
from grader.answer.notation import Text, normalise
from grader.formal.values.numbers import european, read_number
from grader.formal.values.statements import Stated
from grader.formal.values.units import Factors
from grader.formal.values.worded import counts, fractions


@dataclass(frozen=True, slots=True)
class Measured:
    """A number with its sign, and the unit behind it, as a text writes them."""

    stated: Stated
    number: str
    """In the plain spelling: ``-5.23 ×10^4``."""
    value: Decimal
    tail: str
    """What is written behind the number: a space and the unit."""
    figures: int

    @property
    def factors(self) -> Factors:
        """pint's names of the unit with their powers; empty for a bare number."""
        return self.stated.unit.factors if self.stated.unit else ()


_SIGN = re.compile(r"[-+]?[ ]?")


def measured_of(text: Text, item: Candidate[Stated]) -> Measured | None:
    """The parts of one number with a unit behind it; None where a calculation or a sum stands there."""
    low, high = item.plain
    sign = _SIGN.match(text.plain, low)
    assert sign is not None
    number = read_number(text.plain, sign.end(), european(text.plain))
    if number is None or number.other is not None or number.end > high or item.value.other is not None:
        return None
    unit = item.value.unit
    size = Decimal(repr(number.value))
    value = -size if sign[0].startswith("-") else size
    apart = unit is not None and not number.end <= unit.start < unit.end <= high
    if apart or float(value) != item.value.value or (unit is None and number.end != high):
        return None
    end = closed(text.raw, item.start, item.end)
    tail = text.raw[closed(text.raw, item.start, text.raw_span(number.end - 1, number.end)[1]) : end]
    return Measured(item.value, text.plain[low : number.end], value, tail, number.figures[1])


def numbers_in_words(raw: str) -> frozenset[float]:
    """The numbers that a text states in words: ``a dozen``, ``half a mole``."""
    plain = normalise(raw).plain
    return frozenset(one.value for one in (*fractions(plain), *counts(plain)))


def closed(raw: str, start: int, end: int) -> int:
    """The end of a span with the braces and tags that it opened: readers leave the last ones outside."""
    for opening, closing in _BRACKETS:
        while raw.startswith(closing, end) and raw.count(closing, start, end) < raw.count(
            opening, start, end
        ):
            end += len(closing)
    return end


def is_whole(text: str) -> bool:
    """Whether a stretch of LaTeX or HTML closes all that it opens."""
    balanced = all(text.count(opening) == text.count(closing) for opening, closing in _BRACKETS)
    return balanced and text.count("$") % 2 == 0


_BRACKETS = (("{", "}"), ("<sub>", "</sub>"), ("<sup>", "</sup>"))
