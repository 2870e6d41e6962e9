"""Whether two expressions, or two equations, are the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import Any

from grader.formal.expressions.evaluate import DIGITS, NotReal, OutOfBounds, evaluate, exact, point
from grader.formal.expressions.tree import (
    Call,
    Node,
    Number,
    Power,
    Product,
    Sum,
    decimals,
    negative,
    symbols,
)

POINTS = 6
"""At so many points two expressions have to agree."""
_TRIES = 40
_EQUAL = 10.0 ** -(DIGITS - 14)
_LARGEST = 1e20
"""A value so large may hide a term that differs."""
_ROUNDED_FIGURES = 3
"""A decimal of fewer figures is too coarse to stand for an exact number."""


class Equal(Enum):
    """How two expressions compare."""

    YES = "equal"
    COARSE = "equal only within the rounding of few digits"
    NO = "different"
    UNKNOWN = "not comparable"


Equation = tuple[Node, Node]


def _values(one: Node, two: Node) -> Iterator[tuple[Any, Any, Mapping[str, Any]]]:
    """The values of both at points where both are real. Raises OutOfBounds."""
    names = symbols(one) | symbols(two)
    found = 0
    for seed in range(_TRIES):
        at = point(names, seed)
        try:
            yield evaluate(one, at), evaluate(two, at), at
        except NotReal:
            continue
        found += 1
        if found == POINTS:
            return


def _scale(a: Any, b: Any) -> Any:
    return max(abs(a), abs(b))


@lru_cache(maxsize=4096)
def compare(one: Node, two: Node, tolerance: float = 0.0) -> Equal:
    """Compare two expressions; ``tolerance`` is relative and holds at every point."""
    if one == two:
        return Equal.YES
    try:
        values = list(_values(one, two))
    except OutOfBounds:
        return Equal.UNKNOWN
    if len(values) < POINTS:
        return Equal.UNKNOWN
    limit = max(tolerance * (1 + 1e-9), _EQUAL)
    if all(abs(a - b) <= limit * _scale(a, b) for a, b, _ in values):
        hidden = any(_scale(a, b) > _LARGEST for a, b, _ in values)
        return Equal.UNKNOWN if hidden else Equal.YES
    coarse = decimals(one) + decimals(two)
    if not coarse or not all(_rounds(one, two, a, b, at) for a, b, at in values):
        return Equal.NO
    return Equal.YES if min(number.figures for number in coarse) >= _ROUNDED_FIGURES else Equal.COARSE


def _rounds(one: Node, two: Node, a: Any, b: Any, at: Mapping[str, Any]) -> bool:
    """Whether two values differ by no more than the last digits of the decimals allow."""
    room = sum(
        (abs(evaluate(other, at) - value) for node, value in ((one, a), (two, b)) for other in _nudged(node)),
        start=exact(Fraction(0)),
    )
    return bool(abs(a - b) <= room * 1.02)


def _nudged(node: Node) -> Iterator[Node]:
    """The tree with each decimal raised by half a unit of its last digit."""
    for target in set(decimals(node)):
        yield _changed(node, target, replace(target, value=target.value + target.slack))


def _changed(node: Node, target: Number, by: Number) -> Node:
    match node:
        case Number():
            return by if node == target else node
        case Sum(terms):
            return Sum(tuple(_changed(one, target, by) for one in terms))
        case Product(factors):
            return Product(tuple(_changed(one, target, by) for one in factors))
        case Power(base, exponent):
            return Power(_changed(base, target, by), _changed(exponent, target, by))
        case Call(function, argument):
            return Call(function, _changed(argument, target, by))
        case _:
            return node


def difference(equation: Equation) -> Node:
    """The left side minus the right one."""
    return Sum((equation[0], negative(equation[1])))


@lru_cache(maxsize=512)
def equivalent(one: Equation, two: Equation) -> Equal:
    """Whether two equations hold at the same points: each at solutions of the other."""
    if symbols(difference(one)) != symbols(difference(two)):
        return Equal.NO
    try:
        ways = (_holds(one, two), _holds(two, one))
    except OutOfBounds:
        return Equal.UNKNOWN
    if None in ways:
        return Equal.UNKNOWN
    return Equal.YES if all(ways) else Equal.NO


_SOLUTIONS = 3


def _holds(source: Equation, target: Equation) -> bool | None:
    """Whether an equation holds where another does, and not beside; None where none can be solved."""
    found = 0
    names = sorted(symbols(difference(source)) - {"π"})
    for seed in range(_TRIES):
        if found == _SOLUTIONS:
            return True
        name = names[seed % len(names)] if names else ""
        at = point(names, seed)
        try:
            root = _root(source, at, name) if name else None
            if root is None:
                continue
            if not _vanishes(target, {**at, name: root}) or _vanishes(target, {**at, name: root * 1.37}):
                return False
        except NotReal:
            continue
        found += 1
    return True if found else None


def _vanishes(equation: Equation, at: Mapping[str, Any]) -> bool:
    a, b = evaluate(equation[0], at), evaluate(equation[1], at)
    return bool(abs(a - b) <= 10.0 ** -(DIGITS // 2) * _scale(a, b))


_SIZES = tuple(Fraction(3, 2) ** power for power in range(-24, 25, 2))
_GRIDS = (_SIZES, tuple(-size for size in _SIZES))


def _root(equation: Equation, at: Mapping[str, Any], name: str) -> Any:
    """A value of one symbol for which an equation holds, positive if it can be: a derivative may not."""

    def gap(value: Any) -> Any:
        there = {**at, name: value}
        return evaluate(equation[0], there) - evaluate(equation[1], there)

    return next((root for grid in _GRIDS if (root := _between(gap, grid)) is not None), None)


def _between(gap: Callable[[Any], Any], grid: Sequence[Fraction]) -> Any:
    """The first zero that a change of sign on a grid encloses."""
    last: tuple[Any, Any] | None = None
    for step in grid:
        value = exact(step)
        try:
            here = gap(value)
        except (NotReal, OutOfBounds):
            last = None
            continue
        if here == 0:
            return value
        if last is not None and (last[1] < 0) != (here < 0):
            return _refined(gap, last, (value, here))
        last = (value, here)
    return None


def _refined(gap: Callable[[Any], Any], low: tuple[Any, Any], high: tuple[Any, Any]) -> Any:
    """The zero between two values of opposite sign, by the Illinois variant of false position."""
    for _ in range(200):
        middle = (low[0] * high[1] - high[0] * low[1]) / (high[1] - low[1])
        value = gap(middle)
        if value == 0 or abs(high[0] - low[0]) < 10.0 ** -(DIGITS - 4) * abs(middle):
            return middle
        low = high if (value < 0) != (high[1] < 0) else (low[0], low[1] / 2)
        high = (middle, value)
        if abs(low[0] - high[0]) < 10.0 ** -(DIGITS - 6) * abs(middle):
            return middle
    return None
