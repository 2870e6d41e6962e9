"""The value of an expression at a point, with 40 digits and within bounds.

Two expressions that agree at several random rational points are the same one:
a non-zero polynomial of degree d vanishes at a random point of a set of n
values with probability d/n at most (Schwartz 1980, Zippel 1979), and the
analytic functions of the grammar vanish on a set of measure zero. That is
decided in microseconds, where symbolic simplification neither always ends
nor always succeeds. Symbols are positive, as the quantities of chemistry are.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache, reduce
from typing import TYPE_CHECKING, Any

from grader.formal.expressions.tree import Call, Node, Number, Power, Product, Sum, Symbol

if TYPE_CHECKING:
    import mpmath

DIGITS = 40
LARGEST_EXPONENT = 20_000
"""Beyond this, and beyond 10 to the power of ten times this, nothing is evaluated."""
_NEAR = 12
"""Up to this seed values are of the order of one."""
Point = Mapping[str, Any]


class OutOfBounds(ArithmeticError):
    """A value or an exponent that is too large to be compared."""


class NotReal(ArithmeticError):
    """A root or logarithm of a negative number, or a division by zero."""


@cache
def context() -> mpmath.MPContext:
    """The arithmetic that everything is evaluated in."""
    import mpmath

    own = mpmath.mp.clone()
    own.dps = DIGITS
    return own


def point(names: Iterable[str], seed: int) -> dict[str, Any]:
    """Random positive rational values, the same for the same name and seed; later seeds spread further."""
    values = {}
    spread = max(0, seed - _NEAR) // 2
    for name in names:
        chance = random.Random(f"{seed}:{name}".encode("utf-8", "surrogatepass"))  # a name may be half a pair
        near = Fraction(chance.randint(500_000, 3_000_000), 1_000_003)
        values[name] = exact(near * Fraction(10) ** (chance.randint(-spread, spread) if spread else 0))
    return {**values, "π": context().pi} if "π" in values else values


def signed(at: Point, names: Iterable[str], seed: int) -> dict[str, Any]:
    """A point with some of the named values negative, all of them at seed 0."""
    turned = {name for name in names if not seed or random.Random(f"{seed}-{name}").random() < 0.5}
    return {name: -value if name in turned else value for name, value in at.items()}


def exact(value: Fraction) -> Any:
    """A rational number in the context."""
    return context().mpf(value.numerator) / value.denominator


def evaluate(node: Node, at: Point) -> Any:
    """The value of a tree at a point. Raises OutOfBounds and NotReal."""
    match node:
        case Number(value):
            return exact(value)
        case Symbol(name):
            return at[name]
        case Sum(terms):
            return reduce(lambda a, b: a + b, [evaluate(one, at) for one in terms])
        case Product(factors):
            return _bounded(reduce(lambda a, b: a * b, [evaluate(one, at) for one in factors]))
        case Power(base, exponent):
            return _power(evaluate(base, at), evaluate(exponent, at))
        case Call(function, argument):
            return _call(function, evaluate(argument, at))


def _bounded(value: Any) -> Any:
    if value and abs(context().mag(value)) > 40 * LARGEST_EXPONENT:
        raise OutOfBounds("a value is too large")
    return value


def _power(base: Any, exponent: Any) -> Any:
    if abs(exponent) > LARGEST_EXPONENT:
        raise OutOfBounds("an exponent is too large")
    if base == 0 and exponent <= 0:
        raise NotReal("a division by zero")
    if base < 0 and exponent != int(exponent):
        raise NotReal("a root of a negative number")
    if base and abs(context().mag(base) * float(exponent)) > 40 * LARGEST_EXPONENT:
        raise OutOfBounds("a value is too large")
    return context().mpf(base) ** (int(exponent) if exponent == int(exponent) else exponent)


def _call(function: str, value: Any) -> Any:
    own = context()
    if function == "exp":
        if abs(value) > LARGEST_EXPONENT:
            raise OutOfBounds("an exponent is too large")
        return own.exp(value)
    if function in ("ln", "log10"):
        if value <= 0:
            raise NotReal("a logarithm of a negative number")
        return own.log(value) if function == "ln" else own.log10(value)
    if function == "abs":
        return abs(value)
    if abs(value) > LARGEST_EXPONENT:
        raise OutOfBounds("an angle is too large")
    return {"sin": own.sin, "cos": own.cos, "tan": own.tan}[function](value)
