"""Whether a value shows every part of an expression, or hides one in its last digits."""

from __future__ import annotations

from typing import Any

from grader.formal.expressions.evaluate import Point, evaluate
from grader.formal.expressions.tree import Call, Node, Power, Sum, parts

_LOST = 1e-12
"""A part this much smaller than its sum is not seen in a comparison of 26 digits for sure."""
_ZERO = 1e-30
"""A sum this much smaller than its terms is zero but for rounding."""


def shows(node: Node, at: Point, *, cancelled: bool = True) -> bool:
    """Whether the value at a point depends visibly on every part of a tree.

    In ``13.6 + 6.6e-34*nu`` and in ``1 - exp(-3000/T)`` a term is lost at most points: an answer with
    its sign wrong would agree there. ``cancelled``: a small difference of large terms is refused, too.
    Raises OutOfBounds and NotReal.
    """
    if isinstance(node, Sum) and not _adds(node, at, cancelled):
        return False
    raised = node.exponent if isinstance(node, Power) else node.argument if isinstance(node, Call) else None
    if raised is not None and 0 < abs(evaluate(raised, at)) < _LOST:
        return False
    return all(shows(part, at, cancelled=cancelled) for part in parts(node))


def _adds(node: Sum, at: Point, cancelled: bool) -> bool:
    values: list[Any] = [abs(value) for one in node.terms if (value := evaluate(one, at)) != 0]
    if not values:
        return True
    largest = max(values)
    total = abs(evaluate(node, at))
    lost = cancelled and _ZERO * largest < total < _LOST * largest
    return not lost and min(values) > _LOST * largest
