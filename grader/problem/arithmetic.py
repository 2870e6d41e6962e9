"""The arithmetic of follow-through: an expression over named numbers, read by a lark grammar.

Nothing of it is ever handed to Python: what isn't in ``follow.lark`` doesn't exist.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput, UnexpectedToken

MOST = 500
"""Characters of an expression at most."""
DEEPEST = 100
"""Operations within each other at most; an expression is evaluated by recursion."""

_OPERATORS: dict[str, Callable[..., float]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "negate": operator.neg,
    "power": math.pow,
}
FUNCTIONS: dict[str, Callable[..., float]] = {
    "exp": math.exp,
    "ln": math.log,
    "log10": math.log10,
    "sqrt": math.sqrt,
    "abs": abs,
    "min": min,
    "max": max,
}
"""By name; ``log`` is missing because it means ``ln`` to some and ``log10`` to others."""
_SEVERAL = frozenset({"min", "max"})


class Unreadable(ValueError):
    """A text that is no expression; the message says why, as the end of a sentence."""


class NoValue(ValueError):
    """An expression that has no value for these numbers: a division by zero, the logarithm of -1."""


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression as read."""

    text: str
    names: frozenset[str]
    """The names whose values it needs."""
    tree: Tree[Token]

    def value(self, values: Mapping[str, float]) -> float:
        """Its value, a finite number; raises NoValue where there is none."""
        try:
            found = float(_value(self.tree, values))
        except KeyError as error:
            raise NoValue(f"{error} has no value") from error
        except (ValueError, ArithmeticError) as error:
            raise NoValue(str(error)) from error
        if not math.isfinite(found):
            raise NoValue("the result is too large")
        return found


@lru_cache(maxsize=1024)
def read_expression(text: str) -> Expression:
    """Read an expression; raises Unreadable."""
    if len(text) > MOST:
        raise Unreadable(f"it is longer than {MOST} characters")
    try:
        tree = _parser().parse(text)
    except UnexpectedInput as error:
        raise Unreadable(_trouble(error, text)) from error
    for call in tree.find_data("call"):
        _check_call(str(call.children[0]), len(call.children) - 1)
    if _depth(tree) > DEEPEST:
        raise Unreadable("it is nested too deeply")
    names = frozenset(str(name.children[0]) for name in tree.find_data("name"))
    return Expression(text, names, tree)


def _trouble(error: UnexpectedInput, text: str) -> str:
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return "it breaks off"
    return f"unexpected {text[error.pos_in_stream or 0 :][:12]!r}"


def _depth(tree: Tree[Token]) -> int:
    depths: dict[int, int] = {}
    for part in tree.iter_subtrees():  # children before parents
        depths[id(part)] = 1 + max((depths.get(id(child), 0) for child in part.children), default=0)
    return depths[id(tree)]


def _check_call(name: str, count: int) -> None:
    if name not in FUNCTIONS:
        hint = "; write ln or log10" if name == "log" else ""
        raise Unreadable(f"there is no function {name!r} among {', '.join(FUNCTIONS)}{hint}")
    if (name in _SEVERAL) != (count > 1):
        wanted = "two or more values" if name in _SEVERAL else "one value"
        raise Unreadable(f"{name} takes {wanted}, not {count}")


def _value(tree: Tree[Token], values: Mapping[str, float]) -> float:
    if tree.data == "number":
        return float(str(tree.children[0]))
    if tree.data == "name":
        return values[str(tree.children[0])]
    function = FUNCTIONS[str(tree.children[0])] if tree.data == "call" else _OPERATORS[tree.data]
    return function(*(_value(part, values) for part in tree.children if isinstance(part, Tree)))


@cache
def _parser() -> Lark:
    return Lark.open("follow.lark", rel_to=__file__, parser="lalr")
