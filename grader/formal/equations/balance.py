"""Whether an equation balances: atoms and charge, or mass and atomic numbers of a nuclear one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product

from grader.formal.equations.equation import Equation, Term

MOST_READINGS = 64
Totals = dict[str, Fraction]


def balanced(equation: Equation, *, nuclear: bool) -> bool:
    """Whether some reading of the equation balances; False where a term can't be read."""
    if equation.words:
        return False
    return not differences(equation if nuclear else settled(equation), nuclear=nuclear)


def differences(equation: Equation, *, nuclear: bool) -> list[tuple[str, Fraction, Fraction]]:
    """What the sides don't have in common: element, ``charge``, or number, its total left and right."""
    total = _nuclear_totals if nuclear else _totals
    left, right = total(equation.left), total(equation.right)
    names = sorted({*left, *right}, key=lambda name: (name == "charge", name))
    return [
        (name, left.get(name, Fraction(0)), right.get(name, Fraction(0)))
        for name in names
        if left.get(name, 0) != right.get(name, 0)
    ]


def imbalance(equation: Equation, *, nuclear: bool) -> str:
    """The imbalance in words ("O: 3 left, 2 right"), empty if the equation balances."""
    parts = []
    for name, left, right in differences(equation if nuclear else settled(equation), nuclear=nuclear):
        signed = name == "charge"
        parts.append(f"{name}: {_shown(left, signed)} left, {_shown(right, signed)} right")
    return "; ".join(parts)


def _shown(value: Fraction, signed: bool) -> str:
    return f"{'+' if signed and value > 0 else ''}{value}"


def settled(equation: Equation) -> Equation:
    """The equation with one reading a term: those that balance, else the first of each."""
    if all(len(term.species.readings) <= 1 for term in equation.terms):
        return equation
    readings = [_readings(term) for term in equation.terms]
    cut = len(equation.left)
    for chosen in islice(product(*readings), MOST_READINGS):
        one = replace(equation, left=tuple(chosen[:cut]), right=tuple(chosen[cut:]))
        if not differences(one, nuclear=False):
            return one
    first = [options[0] for options in readings]
    return replace(equation, left=tuple(first[:cut]), right=tuple(first[cut:]))


def _readings(term: Term) -> list[Term]:
    options = [replace(term, species=replace(term.species, readings=(one,))) for one in term.species.readings]
    return options or [term]


def _totals(terms: Sequence[Term]) -> Totals:
    total: Counter[str] = Counter()
    for term in terms:
        for name, number in _parts(term):
            total[name] += term.count * number  # type: ignore[assignment]
    return {name: Fraction(count) for name, count in total.items() if count}


def _parts(term: Term) -> Iterator[tuple[str, Fraction]]:
    if term.species.electron:
        yield "charge", Fraction(-1)
    for formula in term.species.readings[:1]:
        yield "charge", Fraction(formula.charge)
        for (symbol, mass), number in formula.composition.items():
            yield f"^{mass}{symbol}" if mass else symbol, number


def _nuclear_totals(terms: Sequence[Term]) -> Totals:
    total: Counter[str] = Counter()
    for term in terms:
        if term.species.particle is not None:
            total["mass number"] += term.count * term.species.particle.mass  # type: ignore[assignment]
            total["atomic number"] += term.count * term.species.particle.number  # type: ignore[assignment]
    return {name: Fraction(count) for name, count in total.items() if count}
