"""Other ways to write an expression, and expressions that are close to it and wrong.

Rearrangements are sympy's, so that they owe nothing to the code that compares
them; near-misses are kept only where they differ at a point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any

from grader.formal.expressions.evaluate import NotReal, OutOfBounds, evaluate, point
from grader.formal.expressions.target import Target
from grader.formal.expressions.tree import (
    HALF,
    Call,
    Node,
    Number,
    Power,
    Product,
    Sum,
    Symbol,
    negative,
    number,
    parts,
    product,
    quotient,
    renamed,
    symbols,
    walk,
)
from grader.formal.expressions.written import LATEX, PLAIN, PYTHON, UNICODE, Style, written
from grader.formal.variants.variant import Variant
from grader.problem.checks import ExpressionCheck

if TYPE_CHECKING:
    import sympy

_STYLES = (
    (PLAIN, "plain", ""), (PYTHON, "as code", ""), (UNICODE, "Unicode scripts", ""),
    (LATEX, "LaTeX", "latex"),
    (Style("unicode", inverse=True), "negative exponents", ""),
)  # fmt: skip
_NAMED = {"exp": "exp", "ln": "log", "abs": "Abs", "sin": "sin", "cos": "cos", "tan": "tan"}


class Inexpressible(ValueError):
    """An expression that the other side has no form for."""


def equivalents(expected: str, seed: int = 0) -> Iterator[Variant]:
    """The expected expression in other notations, orders and arrangements. Raises Unreadable."""
    target = Target.of(ExpressionCheck(kind="expression", expected=expected))
    random = Random(seed)
    seen: set[str] = set()
    for how, tree in [("as it is", target.value.tree), *_rearranged(target.value.tree, random)]:
        for style, name, notation in _STYLES:
            text = _stated(target, tree, style)
            if text not in seen:
                seen.add(text)
                yield Variant(text, name if how == "as it is" else f"{how}, {name}", notation)


def equivalent_expressions(check: ExpressionCheck, seed: int = 0) -> Iterator[Variant]:
    """Right answers to a check. Raises Unreadable."""
    return equivalents(check.expected, seed)


def near_expressions(check: ExpressionCheck, seed: int = 0) -> Iterator[Variant]:
    """Wrong answers to a check. Raises Unreadable."""
    return near_misses(check.expected, seed)


def near_misses(expected: str, seed: int = 0) -> Iterator[Variant]:
    """Expressions with a sign, an exponent, a factor or a symbol changed. Raises Unreadable."""
    target = Target.of(ExpressionCheck(kind="expression", expected=expected))
    random = Random(seed)
    right = target.value.tree
    for how, tree in _changed(right):
        style, _, notation = random.choice(_STYLES)
        if symbols(tree) and not isinstance(tree, Symbol) and _differs(right, tree):
            yield Variant(_stated(target, tree, style), how, notation)


def _stated(target: Target, tree: Node, style: Style) -> str:
    """The text of an answer: the expression, under the left side of an expected equation."""
    text = written(tree, style)
    if target.head is not None:
        text = f"{written(target.head, style)} = {text}"
    return f"${text}$" if style.name == "latex" else text


def _rearranged(tree: Node, random: Random) -> Iterator[tuple[str, Node]]:
    yield "in another order", _shuffled(tree, random)
    yield "with every order turned", _reversed(tree)
    import sympy

    names = {name: f"v{index}" for index, name in enumerate(sorted(symbols(tree)))}
    try:
        expression = to_sympy(renamed(tree, names))
        steps: tuple[tuple[str, Callable[[Any], Any]], ...] = (
            ("expanded", sympy.expand), ("over one line", sympy.together), ("factored", sympy.factor),
        )  # fmt: skip
        for how, step in steps:
            yield how, renamed(from_sympy(step(expression)), {short: name for name, short in names.items()})
    except Inexpressible:
        return


def _shuffled(node: Node, random: Random) -> Node:
    inner = _over(node, lambda one: _shuffled(one, random))
    match inner:
        case Sum(terms):
            return Sum(tuple(random.sample(terms, len(terms))))
        case Product(factors):
            return Product(tuple(random.sample(factors, len(factors))))
        case _:
            return inner


def _reversed(node: Node) -> Node:
    inner = _over(node, _reversed)
    match inner:
        case Sum(terms):
            return Sum(terms[::-1])
        case Product(factors):
            return Product(factors[::-1])
        case _:
            return inner


def _over(node: Node, change: Callable[[Node], Node]) -> Node:
    """A node with each part changed."""
    match node:
        case Sum(terms):
            return Sum(tuple(change(one) for one in terms))
        case Product(factors):
            return product(*(change(one) for one in factors))
        case Power(base, exponent):
            return Power(change(base), change(exponent))
        case Call(function, argument):
            return Call(function, change(argument))
        case _:
            return node


def to_sympy(node: Node) -> sympy.Expr:
    """A tree as a sympy expression in positive symbols. Raises Inexpressible for decadic logarithms."""
    import sympy

    match node:
        case Number(value):
            return sympy.Rational(value.numerator, value.denominator)
        case Symbol(name):
            return sympy.Symbol(name, positive=True)
        case Sum(terms):
            return sympy.Add(*map(to_sympy, terms))
        case Product(factors):
            return sympy.Mul(*map(to_sympy, factors))
        case Power(base, exponent):
            return sympy.Pow(to_sympy(base), to_sympy(exponent))
        case Call(function, argument) if function in _NAMED:
            return getattr(sympy, _NAMED[function])(to_sympy(argument))
    raise Inexpressible(node)


def from_sympy(expression: sympy.Expr) -> Node:
    """A sympy expression as a tree. Raises Inexpressible for what the grammar doesn't hold."""
    import sympy

    if isinstance(expression, sympy.Rational):
        return Number(Fraction(int(expression.p), int(expression.q)))
    if isinstance(expression, sympy.Symbol):
        return Symbol(str(expression.name))
    inner = [from_sympy(one) for one in expression.args]
    if isinstance(expression, sympy.Add):
        return Sum(tuple(inner))
    if isinstance(expression, sympy.Mul):
        return product(*inner)
    if isinstance(expression, sympy.Pow):
        return Power(inner[0], inner[1])
    function = {"exp": "exp", "log": "ln", "Abs": "abs", "sin": "sin", "cos": "cos", "tan": "tan"}
    name = type(expression).__name__
    if name in function:
        return Call(function[name], inner[0])
    raise Inexpressible(name)


def _changed(tree: Node) -> Iterator[tuple[str, Node]]:
    """The tree with one thing wrong."""
    yield "the sign turned", negative(tree)
    yield "doubled", product(number(2), tree)
    yield "halved", product(HALF, tree)
    yield "inverted", quotient(number(1), tree)
    names = sorted(symbols(tree))
    for one, two in pairwise(names):
        yield f"{one} and {two} exchanged", renamed(tree, {one: two, two: one})
    for node in dict.fromkeys(walk(tree)):
        for how, other in _wrong(node):
            yield how, _replaced(tree, node, other)


def _wrong(node: Node) -> Iterator[tuple[str, Node]]:
    """What a mistake makes of one node."""
    match node:
        case Sum(terms):
            for index, term in enumerate(terms[1:], 1):
                yield "a sign turned in a sum", Sum((*terms[:index], negative(term), *terms[index + 1 :]))
            yield "a term lost", Sum(terms[:-1]) if len(terms) > 2 else terms[0]
        case Product(factors) if len(factors) > 1:
            last = factors[-1]
            yield "a factor lost", product(*factors[:-1])
            if isinstance(last, Power):
                yield (
                    "a divisor made a factor",
                    product(*factors[:-1], Power(last.base, negative(last.exponent))),
                )
        case Power(base, Number() as exponent):
            yield "an exponent raised by one", Power(base, replace(exponent, value=exponent.value + 1))
            yield "an exponent lost", base
        case Call("exp", argument):
            yield "the sign of an exponent turned", Call("exp", negative(argument))
        case Call("ln", argument):
            yield "log for ln", Call("log10", argument)
            yield "a logarithm lost", argument
        case Symbol() as symbol if symbol.name.startswith("["):
            yield "a concentration squared", Power(symbol, number(2))
        case _:
            return


def _replaced(tree: Node, node: Node, other: Node) -> Node:
    if tree == node:
        return other
    return _over(tree, lambda one: _replaced(one, node, other)) if parts(tree) else tree


def _differs(one: Node, two: Node) -> bool:
    """Whether two expressions differ at a point by more than rounding: that proves them different."""
    for seed in range(8):
        at = point(symbols(one) | symbols(two), 1000 + seed)
        try:
            a, b = evaluate(one, at), evaluate(two, at)
        except (NotReal, OutOfBounds):
            continue
        return bool(abs(a - b) > 1e-3 * max(abs(a), abs(b)))
    return False
