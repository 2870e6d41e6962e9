"""Expressions that differ, and whether that may be a matter of symbols only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import permutations
from itertools import product as product_of

from grader.formal.expressions.compared import DIFFERENT, Compared, unsure
from grader.formal.expressions.equality import Equal, compare
from grader.formal.expressions.names import CONSTANTS, may_be_renamed
from grader.formal.expressions.tree import (
    HALF,
    Node,
    Power,
    Symbol,
    decimals,
    number,
    quotient,
    renamed,
    replaced,
    substituted,
    symbols,
    walk,
)  # fmt: skip

_MOST_RENAMED = 4
_MOST_OPEN = 3
_ORDERS = (number(0), HALF, number(1), number(2))
_LOST_EXPONENT = re.compile(r"\][1-9]$")


def explained(expected: Node, stated: Node, tolerance: float) -> Compared:
    """What to make of an expression that isn't equal to the expected one, by the symbols it holds."""
    unknown = sorted(symbols(stated) - symbols(expected))
    missing = sorted(symbols(expected) - symbols(stated))
    if not unknown:
        constant = any(name in CONSTANTS or name == "T" for name in missing)
        return unsure("a constant is replaced by a number") if constant and decimals(stated) else DIFFERENT
    if any(_LOST_EXPONENT.search(name) for name in unknown):
        return unsure("a number behind a bracket may be an exponent")
    if _left_open(expected, stated, unknown, tolerance):
        return unsure("it leaves an exponent open")
    if names := _renaming(expected, stated, unknown, missing):
        return unsure(f"it holds {', '.join(unknown)} in the place of {', '.join(names)}")
    if _lumped(expected, stated, unknown, missing):
        return unsure(f"it holds {unknown[0]}, which is not explained")
    return DIFFERENT


def _left_open(expected: Node, stated: Node, unknown: Sequence[str], tolerance: float) -> bool:
    """Whether unknown exponents could be such that the two agree: ``[A]^x``."""
    raised = {one.exponent for one in walk(stated) if isinstance(one, Power)}
    if len(unknown) > _MOST_OPEN or not all(Symbol(name) in raised for name in unknown):
        return False
    tries = (
        substituted(stated, dict(zip(unknown, orders, strict=True)))
        for orders in product_of(_ORDERS, repeat=len(unknown))
    )
    return any(compare(expected, one, tolerance) is Equal.YES for one in tries)


def _renaming(expected: Node, stated: Node, unknown: Sequence[str], missing: Sequence[str]) -> Sequence[str]:
    """The missing symbols for which the unknown ones may stand so that the two agree."""
    if not len(unknown) <= len(missing) <= _MOST_RENAMED:
        return ()
    for names in permutations(missing, len(unknown)):
        pairs = dict(zip(unknown, names, strict=True))
        allowed = all(may_be_renamed(one, two) for one, two in pairs.items())
        if allowed and compare(expected, renamed(stated, pairs)) is Equal.YES:
            return names
    return ()


def _lumped(expected: Node, stated: Node, unknown: Sequence[str], missing: Sequence[str]) -> bool:
    """Whether one unexplained constant may stand for several of the expected ones: ``k'``."""
    if len(unknown) != 1 or len(missing) < 2 or unknown[0] in CONSTANTS:
        return False
    if any(name.startswith("[") for name in (*unknown, *missing)):
        return False
    ratio = quotient(expected, stated)
    moved = replaced(ratio, lambda one: one if one.name in (*unknown, *missing) else Symbol(one.name + "'"))
    return compare(ratio, moved) is Equal.YES
