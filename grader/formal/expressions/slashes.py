"""What a slash divides where brackets are left out: the usual reading, and the other one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grader.formal.expressions.token import Token
from grader.formal.expressions.tree import Node, Number, Sum, Symbol


@dataclass(frozen=True, slots=True)
class Factor:
    """A factor, whether a space stands before it, and whether it stands in brackets."""

    node: Node
    spaced: bool
    bracketed: bool = False


def divided_by(
    chain: Sequence[Factor], above: Sequence[Node], below: Sequence[Node], slash: Token, *, other: bool
) -> int:
    """How many factors of a chain a slash divides by; the rest multiplies."""
    whole = len(chain)
    first = isinstance(chain[0].node, Number) and len(above) == 1 and isinstance(above[0], Number)
    usual = _of_numbers(chain) if first and not below else _tight(chain, slash)
    if not other:
        return usual
    return whole if usual < whole else 1


def _of_numbers(chain: Sequence[Factor]) -> int:
    """``3/2 R`` is a coefficient; but nobody halves π: 1/2π is one over two π."""
    return len(chain) if len(chain) > 1 and chain[1].node == Symbol("π") else 1


def _tight(chain: Sequence[Factor], slash: Token) -> int:
    """The factors up to one that stands apart, or to a sum in brackets."""
    loose = (
        index
        for index in range(1, len(chain))
        if (not slash.spaced and chain[index].spaced)
        or (chain[index].bracketed and isinstance(chain[index].node, Sum))
    )
    return next(loose, len(chain))


def is_order(base: Node, above: Node, below: str) -> bool:
    """Whether a ratio is one exponent: ``x^1/2``, ``[A]^3/2``; ``x^3/2`` is half of a cube."""
    if below not in ("2", "3", "4") or not isinstance(above, Number):
        return False
    concentration = isinstance(base, Symbol) and base.name.startswith("[")
    return above.value == 1 or (concentration and above.value == 3)


def alike(factors: Sequence[Node], following: Token | None) -> bool:
    """Whether an argument and what it is divided by are of one sort, so that the ratio is meant."""
    if len(factors) != 1 or following is None or following.kind != "symbol":
        return False
    node = factors[0]
    return isinstance(node, Symbol) and node.name[0] == following.text[0]
