"""The arithmetic around the numbers of an answer, with the unit behind it.

``read_terms`` finds in plain text every maximal arithmetic expression of
numbers: ``52.4 ± 1.1 kJ/mol``, ``10^7/575``, ``sqrt(8.5e-17 x 1.6e7)``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from grader.formal.values.numbers import Number, european, power_of_ten, read_number
from grader.formal.values.units import Unit, read_unit

_LIMIT = 400
"""Characters an expression may span."""
_DEPTH = 6


@dataclass(frozen=True, slots=True)
class Term:
    """An arithmetic expression of numbers and the unit behind it, in plain offsets."""

    value: float
    start: int
    end: int
    number: Number | None = None
    """The number, if the term is one number with a sign at most."""
    unit: Unit | None = None
    sum: bool = False
    """It adds or subtracts at top level (or is a range written with a hyphen)."""
    mixed: bool = False
    """More than one of its numbers has a unit."""
    first: str = ""
    """The first number as written."""
    power: bool = False
    """It is a bare power."""
    scale: float = 1.0
    """What its heading says it is to be multiplied by."""
    unread: str = ""
    """The unit its heading gives, if that can't be read."""


_SPACES = re.compile(r"[ ]{0,3}")
_ADD = re.compile(r"[ ]{0,2}([-+])[ ]{0,2}")
_MULTIPLY = re.compile(r"[ ]{0,2}([*×·/]|x(?=[ ]?[-+0-9.(\[√]))[ ]{0,2}")
_SIGN = re.compile(r"[-+][ ]?")
_FUNCTION = re.compile(r"(sqrt|√|ln|log_?10|log|lg|exp|e\^)[ ]?")
_CARET = re.compile(r"[ ]?\^[ ]?")
_PLUS_MINUS = re.compile(r"[ ]{0,2}(?:±|\+/-|\+-)[ ]?")
_GOES_ON = re.compile(r"[ ]{0,2}[=≈*×·/^+-]")
_BRACKETED_UNIT = re.compile(r"[ ]?[(\[](?:in[ ]|[ ])?(?=[A-Za-zμΩ%°])")
_CLOSERS = {"(": ")", "[": "]"}


class Unreadable(Exception):
    """No expression stands here."""


def _function(name: str, value: float) -> float:
    if name in ("sqrt", "√"):
        return math.sqrt(value)
    if name == "ln":
        return math.log(value)
    if name in ("exp", "e^"):
        return math.exp(value)
    return math.log10(value)


def _below(unit: Unit) -> Unit:
    """The unit of a quotient: ``1/2 mol`` is half a mole, ``0.693/60 s`` a rate constant."""
    inverse = tuple((name, -power) for name, power in unit.factors)
    return replace(unit, alternatives=(*unit.alternatives, inverse))


class TooMany(Exception):
    """A text holds more arithmetic than an answer needs."""


@dataclass(slots=True)
class _Budget:
    """How many numbers and brackets may still be read from one text."""

    left: int = 8_000

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise TooMany


class _Parser:
    """A recursive-descent reader of one expression; stops where it can't go on."""

    def __init__(self, plain: str, at: int, units: bool, comma: bool, budget: _Budget) -> None:
        self.budget = budget
        self.plain = plain
        self.at = at
        self.stop = min(len(plain), at + _LIMIT)
        self.units = units
        self.comma = comma

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        return pattern.match(self.plain, self.at, self.stop)

    def _after_spaces(self) -> int:
        """Where the next sign stands; the last number may reach beyond the limit."""
        space = self._match(_SPACES)
        return space.end() if space else self.at

    def sum(self, depth: int = 0) -> Term:
        """Products joined by plus and minus; what can't be joined is left unread."""
        left = self.product(depth)
        while match := self._match(_ADD):
            mark = self.at
            self.at = match.end()
            try:
                right = self.product(depth)
            except Unreadable:
                self.at = mark
                break
            value = left.value + (right.value if match.group(1) == "+" else -right.value)
            mixed = (
                left.mixed or right.mixed or (left.unit is not None and right.unit is not None and depth > 0)
            )
            left = replace(
                left,
                value=value,
                end=self.at,
                number=None,
                sum=True,
                mixed=mixed,
                unit=right.unit or left.unit,
            )
        return left

    def product(self, depth: int) -> Term:
        """Powers multiplied and divided, in the order in which they stand."""
        left = self.power(depth)
        while True:
            mark = self.at
            match = self._match(_MULTIPLY)
            if match is None and not self._implicit():
                return left
            self.at = match.end() if match else self.at
            try:
                right = self.power(depth)
            except Unreadable:
                self.at = mark
                return left
            if match is None and self.plain[right.start - 1] == " " and not self._computes_on(right):
                self.at = mark
                return left
            left = self._multiplied(left, right, "/" in match.group() if match else False)

    def _implicit(self) -> bool:
        """Whether a bracket or a function follows as a factor: ``2(17391)``, ``0.059 log(...)``."""
        at = self._after_spaces()
        if self.plain[self.at - 1] in ")]0123456789" and self.plain[at : at + 1] in ("(", "["):
            self.at = at
            return True
        if at == self.at or _FUNCTION.match(self.plain, at, self.stop) is None:
            return False
        self.at = at
        return True

    def _computes_on(self, right: Term) -> bool:
        """Whether a bracket after a space is a factor, not a remark: the calculation goes on."""
        return right.number is None and _GOES_ON.match(self.plain, self.at) is not None

    def _multiplied(self, left: Term, right: Term, divide: bool) -> Term:
        if divide and right.value == 0:
            raise Unreadable
        value = left.value / right.value if divide else left.value * right.value
        if not math.isfinite(value):
            raise Unreadable
        fraction = left.number is not None and right.number is not None
        below = divide and right.unit is not None
        mixed = left.mixed or right.mixed or left.unit is not None or (below and not fraction)
        return replace(
            left,
            value=value,
            end=self.at,
            number=None,
            unit=_below(right.unit) if below and right.unit else right.unit or left.unit,
            mixed=mixed,
            power=False,
        )

    def power(self, depth: int) -> Term:
        """A primary with its sign and its exponent."""
        start = self.at
        sign = self._match(_SIGN)
        self.at = sign.end() if sign else self.at
        base = self.primary(depth)
        negative = sign is not None and sign.group().startswith("-")
        caret = self._match(_CARET) if base.unit is None else None
        if caret:
            mark = self.at
            self.at = caret.end()
            try:
                exponent = self.exponent(depth)
                base = replace(
                    base, value=self._raised(base.value, exponent), number=None, power=True, end=self.at
                )
            except Unreadable:
                self.at = mark
            if self.units:
                base = self._with_unit(base)
        if sign is None:
            return base
        value = -base.value if negative else base.value
        return replace(base, value=value, start=start, first="-" * negative + base.first)

    def exponent(self, depth: int) -> float:
        sign = self._match(_SIGN)
        self.at = sign.end() if sign else self.at
        units, self.units = self.units, False
        try:
            value = self.primary(depth).value
        finally:
            self.units = units
        return -value if sign and sign.group().startswith("-") else value

    @staticmethod
    def _raised(base: float, exponent: float) -> float:
        try:
            value = base**exponent
        except (OverflowError, ZeroDivisionError) as error:
            raise Unreadable from error
        if isinstance(value, complex) or not math.isfinite(value):
            raise Unreadable
        return float(value)

    def primary(self, depth: int) -> Term:
        """A number with its unit, or a sum in brackets."""
        start = self.at
        self.budget.spend()
        if depth > _DEPTH or start >= self.stop:
            raise Unreadable
        if self.plain[start] in _CLOSERS:
            return self._bracket(depth)
        if function := self._match(_FUNCTION):
            return self._call(function, depth)
        number = read_number(self.plain, start, self.comma) if self.plain[start] in "0123456789." else None
        if number is None:
            raise Unreadable
        self.at = number.end
        written = self.plain[number.start : number.end]
        term = Term(number.value, start, number.end, number, first=written)
        return self._with_unit(self._without_error(term)) if self.units else term

    def _without_error(self, term: Term) -> Term:
        """Pass over an uncertainty: ``± 1.1``."""
        match = self._match(_PLUS_MINUS)
        error = read_number(self.plain, match.end(), self.comma) if match else None
        if error is None:
            return term
        self.at = error.end
        return replace(term, end=error.end)

    def _with_unit(self, term: Term) -> Term:
        after = self._after_spaces()
        if after - self.at > 2:
            return term
        if bracket := self._match(_BRACKETED_UNIT):
            return self._bracketed_unit(term, bracket.end())
        unit = read_unit(self.plain, after)
        attached = after == self.at
        if unit is None or (attached and self.plain[unit.start : unit.end] in _NOT_ATTACHED):
            return term
        if term.unit is not None:
            return term
        self.at = unit.end
        return replace(term, unit=unit, end=unit.end)

    def _bracketed_unit(self, term: Term, at: int) -> Term:
        """A unit in brackets: ``52.4 [kJ/mol]``."""
        unit = read_unit(self.plain, at)
        if unit is None or term.unit is not None or self.plain[unit.end : unit.end + 1] not in (")", "]"):
            return term
        self.at = unit.end + 1
        return replace(term, unit=unit, end=self.at)

    def _bracket(self, depth: int) -> Term:
        start = self.at
        self.at += 1
        self.at = self._after_spaces()
        inner = self.sum(depth + 1)
        if self.plain[self.at : self.at + 1] != _CLOSERS[self.plain[start]]:
            raise Unreadable
        self.at += 1
        scaled = power_of_ten(self.plain, self.at) if inner.number else None
        if scaled:
            exponent, self.at = scaled
            if abs(exponent) > 300:
                raise Unreadable
            inner = replace(inner, value=inner.value * 10.0**exponent)
        term = replace(inner, start=start, end=self.at, sum=False)
        return self._with_unit(term) if self.units and inner.unit is None else term

    def _call(self, function: re.Match[str], depth: int) -> Term:
        start = self.at
        self.at = function.end()
        units, self.units = self.units, self.units and function.group(1) != "e^"
        argument = self.power(depth + 1)
        self.units = units
        try:
            value = _function(function.group(1), argument.value)
        except (ValueError, OverflowError) as error:
            raise Unreadable from error
        logarithm = function.group(1) in ("ln", "log", "log10", "log_10", "lg")
        term = Term(value, start, self.at, first=argument.first, mixed=logarithm or argument.mixed)
        return self._with_unit(term) if units else term


_NOT_ATTACHED = frozenset(("S", "R", "E", "Z", "F", "T", "D", "H", "P", "e", "d", "p", "s", "u", "C"))
"""Letters that right behind a digit are a descriptor, an orbital or a label."""
_START = re.compile(
    r"[0-9√]|[-+(\[](?=[ ]?[-+(\[]{0,4}[ ]?[-+]?[ ]?[.0-9√sle])|\.[0-9]|(?<![A-Za-z])(?:sqrt|ln|log|lg|exp)"
    r"\b|(?<![A-Za-z0-9])e\^"
)
_NOT_BEFORE = frozenset("._^'%°#@\\")


def _opens(plain: str, at: int) -> bool:
    """Whether an expression may start here: not inside a word, a formula or another number."""
    before = plain[at - 1] if at else " "
    if plain[at] in "+-":
        return not (before.isalnum() or (before in ")]^_=+-" and before != "="))
    if before.isalnum() or before in _NOT_BEFORE or (before in ")]" and plain[at].isdigit()):
        return False
    if before in "-+" and at > 1 and (plain[at - 2].isalnum() or plain[at - 2] in ")]^"):
        return False
    return not (before == "," and at > 1 and plain[at - 2].isdigit())


def read_terms(plain: str, *, units: bool = True) -> Iterator[Term]:
    """Every expression of numbers in a plain text, left to right, without overlaps.

    Raises TooMany for a text with more of them than a budget allows.
    """
    comma = european(plain)
    budget = _Budget()
    at = 0
    while match := _START.search(plain, at):
        at = match.start()
        if not _opens(plain, at):
            at += 1
            continue
        parser = _Parser(plain, at, units, comma, budget)
        try:
            term = parser.sum()
        except (Unreadable, OverflowError):
            at += 1
            continue
        yield term if (term.start, term.end) == (at, parser.at) else replace(term, start=at, end=parser.at)
        at = max(parser.at, at + 1)
