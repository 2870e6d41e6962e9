"""Whether two expressions agree as far as their decimals are exact, or within a tolerance.

A tolerance on the value alone would let a term that is small beside another have any sign:
``1.10 - 0.0257 ln(Q)`` is 1.1 within 5 % at most Q. So what each symbol changes is compared as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from grader.formal.expressions.evaluate import Point, evaluate
from grader.formal.expressions.tree import (
    Call,
    Node,
    Number,
    Power,
    Product,
    Sum,
    decimals,
)

_STEP = 2.0**-33
"""The relative step of a central difference, exact to 20 of 40 digits."""
_NOISE = 1e-15
_SLOPES = 3
"""A slope may be off by what its value is, by its own factor, and by an exponent."""


def within(tolerance: float, one: Node, two: Node, at: Point, names: Iterable[str]) -> bool:
    """Whether ``two`` agrees with ``one`` within a share, in its value and in its response to each symbol."""
    a, b = evaluate(one, at), evaluate(two, at)
    share = tolerance * (1 + 1e-9)
    if abs(a - b) > share * max(abs(a), abs(b)):
        return False
    noise = _NOISE * abs(a)
    slopes = ((_slope(one, at, name), _slope(two, at, name)) for name in names)
    return all(abs(a - b) <= _SLOPES * share * max(abs(a), abs(b)) + noise for a, b in slopes)


def rounds(one: Node, two: Node, at: Point, names: Iterable[str]) -> bool:
    """Whether two values, and their responses, differ by no more than the last digits of decimals allow."""
    moved = [(node, list(_nudged(node))) for node in (one, two)]
    noise = _NOISE * abs(evaluate(one, at))
    return _near(moved, lambda node: evaluate(node, at), 0) and all(
        _near(moved, partial(_slope, at=at, name=name), noise) for name in names
    )


def _near(moved: Sequence[tuple[Node, Sequence[Node]]], measure: Callable[[Node], Any], noise: Any) -> bool:
    """Whether a measure of two trees differs by no more than it does when their decimals are moved."""
    values = [measure(node) for node, _ in moved]
    room = sum(
        abs(measure(other) - value)
        for (_, others), value in zip(moved, values, strict=True)
        for other in others
    )
    return bool(abs(values[0] - values[1]) <= 1.02 * (room + noise))


def _slope(node: Node, at: Point, name: str) -> Any:
    high, low = ({**at, name: at[name] * (1 + sign * _STEP)} for sign in (1, -1))
    return (evaluate(node, high) - evaluate(node, low)) / (2 * _STEP)


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
