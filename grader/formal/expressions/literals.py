"""Numbers and derivatives as nodes of a tree."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from grader.formal.expressions.tree import Node, Number, Symbol, symbols

_LONGEST = 40
_LARGEST = 400


class Unreadable(ValueError):
    """Text that is no expression."""


def is_differential(above: Sequence[Node], below: Sequence[Node]) -> bool:
    """Whether two products are ``d[A]`` and ``dt``."""
    if len(above) < 2 or not isinstance(above[-2], Symbol):
        return False
    if above[-2].name == "d":
        return len(below) == 2 and below[0] == Symbol("d") and isinstance(below[1], Symbol)
    return above[-2].name == "Δ" and len(below) == 1 and below[0] == Symbol("Δt")


def derivative(of: Node, by: Node) -> Node:
    """``d[A]/dt`` as one symbol."""
    name = of.name if isinstance(of, Symbol) else "(" + "".join(sorted(symbols(of))) + ")"
    return Symbol(f"d{name}/d{by.name if isinstance(by, Symbol) else ''}")


def literal(text: str) -> Number:
    """A number as it is written, with how precise a decimal is. Raises Unreadable."""
    if len(text) > _LONGEST:
        raise Unreadable("a number is too long")
    text = text.replace("{,}", ".").replace(",", ".").replace("\u2212", "-")
    mantissa, _, exponent = text.lower().partition("e")
    if abs(int(exponent or 0)) > _LARGEST:
        raise Unreadable("a number is too large")
    value = Fraction(text)
    if "." not in mantissa and not exponent:
        return Number(value)
    places = len(mantissa.partition(".")[2])
    slack = Fraction(1, 2) * Fraction(10) ** (int(exponent or 0) - places)
    figures = len(mantissa.replace(".", "").lstrip("0")) or 1
    return Number(value, slack, figures)
