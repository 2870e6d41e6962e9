"""Whether two equations hold at the same points."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from grader.formal.expressions.equality import TRIES, Equal
from grader.formal.expressions.evaluate import DIGITS, NotReal, OutOfBounds, evaluate, exact, point
from grader.formal.expressions.tree import Node, Sum, negative, symbols
from grader.formal.expressions.visible import shows

Equation = tuple[Node, Node]


def difference(equation: Equation) -> Node:
    """The left side minus the right one."""
    return Sum((equation[0], negative(equation[1])))


@lru_cache(maxsize=512)
def equivalent(one: Equation, two: Equation) -> Equal:
    """Whether two equations hold at the same points: each at solutions of the other."""
    if symbols(difference(one)) != symbols(difference(two)):
        return Equal.NO
    ways = (_holds(one, two), _holds(two, one))
    if None in ways:
        return Equal.UNKNOWN
    return Equal.YES if all(ways) else Equal.NO


_SOLUTIONS = 3


def _holds(source: Equation, target: Equation) -> bool | None:
    """Whether an equation holds where another does, and not beside; None where none can be solved."""
    found = 0
    names = sorted(symbols(difference(source)) - {"π"})
    for seed in range(TRIES):
        if found == _SOLUTIONS:
            return True
        name = names[seed % len(names)] if names else ""
        at = point(names, seed)
        try:
            root = _root(source, at, name) if name else None
            if root is None:
                continue
            there = {**at, name: root}
            if not all(shows(side, there, cancelled=False) for side in (*source, *target)):
                continue
            if not _vanishes(target, there) or _vanishes(target, {**at, name: root * 1.37}):
                return False
        except (NotReal, OutOfBounds):
            continue
        found += 1
    return True if found else None


def _vanishes(equation: Equation, at: Mapping[str, Any]) -> bool:
    gap = evaluate(equation[0], at) - evaluate(equation[1], at)
    return bool(abs(gap) <= 10.0 ** -(DIGITS // 2) * max(_size(side, at) for side in equation))


def _size(side: Node, at: Mapping[str, Any]) -> Any:
    """The largest term of a side, which may itself come to nothing: ``0 = ΔH - T*ΔS``."""
    terms = side.terms if isinstance(side, Sum) else (side,)
    return max(abs(evaluate(one, at)) for one in terms)


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
