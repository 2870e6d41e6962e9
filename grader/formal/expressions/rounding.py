"""Whether two expressions agree as far as their decimals are exact, or within a tolerance.

A tolerance on the value alone would let a term that is small beside another have any sign:
``1.10 - 0.0257 ln(Q)`` is 1.1 within 5 % at most Q. So what each symbol changes is compared as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from grader.formal.expressions.evaluate import Point, evaluate, exact
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
    expected, stated = _profile(one, at, names), _profile(two, at, names)
    noise = _NOISE * abs(expected[0])
    for index, (a, b) in enumerate(zip(expected, stated, strict=True)):
        share = tolerance * (_SLOPES if index else 1) * (1 + 1e-9)
        if abs(a - b) > share * max(abs(a), abs(b)) + (noise if index else 0):
            return False
    return True


def rounds(one: Node, two: Node, at: Point, names: Iterable[str]) -> bool:
    """Whether two values, and their responses, differ by no more than the last digits of decimals allow."""
    names = list(names)
    ours, theirs = _profile(one, at, names), _profile(two, at, names)
    room = [exact(Fraction(0)) + _NOISE * abs(ours[0])] * len(ours)
    room[0] = exact(Fraction(0))
    for node, profile in ((one, ours), (two, theirs)):
        for other in _nudged(node):
            moved = _profile(other, at, names)
            room = [old + abs(a - b) for old, a, b in zip(room, moved, profile, strict=True)]
    return all(abs(a - b) <= 1.02 * free for a, b, free in zip(ours, theirs, room, strict=True))


def _profile(node: Node, at: Point, names: Iterable[str]) -> Sequence[Any]:
    """The value at a point, and by how much it changes with the logarithm of each symbol."""
    return [evaluate(node, at), *(_slope(node, at, name) for name in names)]


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
