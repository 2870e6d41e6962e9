"""Whether two expressions are the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from functools import lru_cache

from grader.formal.expressions.evaluate import (
    DIGITS,
    NotReal,
    OutOfBounds,
    Point,
    evaluate,
    point,
    signed,
)
from grader.formal.expressions.rounding import rounds, within
from grader.formal.expressions.tree import Call, Node, decimals, symbols, walk
from grader.formal.expressions.visible import shows

POINTS = 6
"""At so many points two expressions have to agree."""
TRIES = 40
_SIGNED_POINTS = 3
_EQUAL = 10.0 ** -(DIGITS - 14)
_CLEARLY = 1e-6
"""No loss of digits makes so large a difference."""
_ROUNDED_FIGURES = 3
"""A decimal of fewer figures is too coarse to stand for an exact number."""
_EITHER_SIGN = re.compile(r"Δ.*|z[0-9A-Za-z+-]?|q|w")
"""Changes, charge numbers, heat and work may be negative."""


class Equal(Enum):
    """How two expressions compare."""

    YES = "equal"
    COARSE = "equal only within the rounding of few digits"
    NO = "different"
    UNKNOWN = "not comparable"


@lru_cache(maxsize=4096)
def compare(one: Node, two: Node, tolerance: float = 0.0) -> Equal:
    """Compare two expressions; ``tolerance`` is relative and holds at every point."""
    if one == two:
        return Equal.YES
    names = sorted((symbols(one) | symbols(two)) - {"π"})
    coarse = decimals(one) + decimals(two)
    exact, tolerable, rounded = True, tolerance > 0, bool(coarse)
    found = 0
    try:
        for at in _points(one, two):
            found += 1
            if _agree(one, two, at):
                continue
            exact = False
            tolerable = tolerable and within(tolerance, one, two, at, names)
            rounded = rounded and rounds(one, two, at, names)
            if not (tolerable or rounded):
                return Equal.NO
    except OutOfBounds:
        return Equal.UNKNOWN
    if found < POINTS:
        return Equal.UNKNOWN
    if exact:
        return Equal.YES if _agree_in_sign(one, two) else Equal.NO
    fine = min((number.figures for number in coarse), default=0) >= _ROUNDED_FIGURES
    return Equal.YES if tolerable or fine else Equal.COARSE


def _points(one: Node, two: Node) -> Iterator[Point]:
    """Points at which both are real, and differ clearly or hide nothing. Raises OutOfBounds."""
    names = symbols(one) | symbols(two)
    found = 0
    for seed in range(TRIES):
        at = point(names, seed)
        try:
            informative = not _agree(one, two, at, _CLEARLY) or (shows(one, at) and shows(two, at))
        except NotReal:
            continue
        except OutOfBounds:
            if seed < POINTS:
                raise
            continue
        if informative:
            found += 1
            yield at
        if found == POINTS:
            return


def _agree(one: Node, two: Node, at: Point, share: float = _EQUAL) -> bool:
    a, b = evaluate(one, at), evaluate(two, at)
    return bool(abs(a - b) <= share * max(abs(a), abs(b)))


def _agree_in_sign(one: Node, two: Node) -> bool:
    """Whether two that agree for positive quantities do so for negative ones: ``|z|`` isn't ``z``."""
    names = symbols(one) | symbols(two)
    within_bars = {
        name
        for node in (one, two)
        for call in walk(node)
        if isinstance(call, Call) and call.function == "abs"
        for name in symbols(call)
        if not name.startswith("[")
    }
    either = within_bars | {name for name in names if _EITHER_SIGN.fullmatch(name)}
    for seed in range(_SIGNED_POINTS if either else 0):
        at = signed(point(names, seed), either, seed)
        try:
            if not _agree(one, two, at):
                return False
        except (NotReal, OutOfBounds):
            continue
    return True
