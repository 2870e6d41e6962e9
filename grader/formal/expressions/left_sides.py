"""What left sides of equations are: ratios, rates, and what is added up."""

from __future__ import annotations

from grader.formal.expressions.names import is_later
from grader.formal.expressions.tree import MINUS_ONE, Node, Number, Power, Product, Sum, Symbol, symbols, walk


def is_ratio(node: Node) -> bool:
    """Whether a tree is a later value over an earlier one of one quantity: ``k2/k1``, ``[A]/[A]0``."""
    match node:
        case Product((Symbol(above), Power(Symbol(below), exponent))):
            return exponent == MINUS_ONE and is_later(above, below)
        case _:
            return False


def terms(node: Node) -> tuple[Node, ...]:
    """What is added up in a tree, without factors."""
    terms = node.terms if isinstance(node, Sum) else (node,)
    return tuple(
        one for term in terms for one in (walk(term) if isinstance(term, Product | Power) else (term,))
    )


def is_negative(node: Node) -> bool:
    """Whether a tree is written with a minus sign before it."""
    return isinstance(node, Product) and any(
        isinstance(one, Number) and one.value < 0 for one in node.factors
    )


def is_rate(left: Node) -> bool:
    """Whether a left side is a derivative with a sign or a coefficient: ``-1/2 d[A]/dt``."""
    names = symbols(left)
    return len(names) == 1 and all(name.startswith("d") and "/d" in name for name in names)
