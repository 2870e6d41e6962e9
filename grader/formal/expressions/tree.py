"""Expressions as trees, small enough to be evaluated whatever an answer writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Number:
    """A number; ``slack`` is half a unit of the last digit of a decimal, 0 for whole numbers."""

    value: Fraction
    slack: Fraction = Fraction(0)
    figures: int = 0
    """Significant figures of a decimal, 0 for whole numbers."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """A quantity, a constant or a concentration, by its canonical spelling."""

    name: str


@dataclass(frozen=True, slots=True)
class Sum:
    """Terms that are added."""

    terms: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Product:
    """Factors that are multiplied."""

    factors: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Power:
    """A base raised to an exponent."""

    base: Node
    exponent: Node


@dataclass(frozen=True, slots=True)
class Call:
    """A function of one argument: ``exp, ln, log10, abs, sin, cos, tan``."""

    function: str
    argument: Node


Node = Number | Symbol | Sum | Product | Power | Call

ONE = Number(Fraction(1))
MINUS_ONE = Number(Fraction(-1))
HALF = Number(Fraction(1, 2))


def number(value: int) -> Number:
    """A whole number."""
    return Number(Fraction(value))


def negative(node: Node) -> Node:
    """The node times minus one."""
    return (
        Number(-node.value, node.slack, node.figures)
        if isinstance(node, Number)
        else product(MINUS_ONE, node)
    )


def product(*factors: Node) -> Node:
    """A product, flat."""
    flat = [part for one in factors for part in (one.factors if isinstance(one, Product) else (one,))]
    return flat[0] if len(flat) == 1 else Product(tuple(flat))


def quotient(above: Node, below: Node) -> Node:
    """One node over another."""
    return product(above, Power(below, MINUS_ONE))


def parts(node: Node) -> tuple[Node, ...]:
    """The nodes right below a node."""
    match node:
        case Sum(terms):
            return terms
        case Product(factors):
            return factors
        case Power(base, exponent):
            return (base, exponent)
        case Call(_, argument):
            return (argument,)
        case _:
            return ()


def walk(node: Node) -> Iterator[Node]:
    """Every node of a tree."""
    yield node
    for part in parts(node):
        yield from walk(part)


def symbols(node: Node) -> frozenset[str]:
    """The names a tree holds."""
    return frozenset(one.name for one in walk(node) if isinstance(one, Symbol))


def replaced(node: Node, change: Callable[[Symbol], Node]) -> Node:
    """The tree with every symbol changed."""
    match node:
        case Symbol():
            return change(node)
        case Sum(terms):
            return Sum(tuple(replaced(one, change) for one in terms))
        case Product(factors):
            return product(*(replaced(one, change) for one in factors))
        case Power(base, exponent):
            return Power(replaced(base, change), replaced(exponent, change))
        case Call(function, argument):
            return Call(function, replaced(argument, change))
        case _:
            return node


def renamed(node: Node, names: Mapping[str, str]) -> Node:
    """The tree with symbols renamed."""
    return replaced(node, lambda symbol: Symbol(names.get(symbol.name, symbol.name)))


def substituted(node: Node, values: Mapping[str, Node]) -> Node:
    """The tree with symbols replaced by what they stand for."""
    return replaced(node, lambda symbol: values.get(symbol.name, symbol))


def decimals(node: Node) -> list[Number]:
    """The numbers with a decimal point."""
    return [one for one in walk(node) if isinstance(one, Number) and one.figures]
