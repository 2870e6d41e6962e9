"""Whether two nuclear equations are the same: nuclides by mass and atomic number, particles by kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from grader.formal.equations.balance import imbalance
from grader.formal.equations.equation import Equation, Term
from grader.formal.equations.nuclides import GAMMA, NEUTRINO, Particle
from grader.formal.structures.comparison import Comparison, Relation
from grader.problem.checks import EquationCheck

Side = dict[Particle, Fraction]


def compare_nuclear(expected: Equation, found: Equation, check: EquationCheck) -> Comparison:
    """Compare two nuclear equations.

    Neutrinos and gamma photons may be added: they carry energy and change no nuclide.
    Where the expected equation has them, an answer without is open.
    """
    if found.words:
        return Comparison(Relation.UNSURE, f"'{found.words[0]}' is no nuclide that can be read")
    one, two = _sides(expected), _sides(found)
    if (factor := _factor(one, two)) is None:
        return _differing(expected, found, one, two)
    if check.scale == "exact" and factor != 1:
        return Comparison(Relation.DIFFERENT, f"its coefficients are {factor} times the expected ones")
    return _light(expected, found)


def _differing(
    expected: Equation, found: Equation, one: tuple[Side, Side], two: tuple[Side, Side]
) -> Comparison:
    if _factor(one, (two[1], two[0])) is not None:
        return Comparison(Relation.DIFFERENT, "it runs the other way")
    off = imbalance(found, nuclear=True)
    if off and not imbalance(expected, nuclear=True):
        return Comparison(Relation.DIFFERENT, f"it doesn't balance ({off})")
    for side, other in zip(one, two, strict=True):
        for particle in {**side, **other}:
            if side.get(particle) != other.get(particle):
                verb = "doesn't hold" if particle not in other else "holds another number of"
                verb = "also holds" if particle not in side else verb
                return Comparison(Relation.DIFFERENT, f"it {verb} {particle.shown}")
    return Comparison(Relation.DIFFERENT, "the particles differ")


def _sides(equation: Equation) -> tuple[Side, Side]:
    return _side(equation.left), _side(equation.right)


def _side(terms: Sequence[Term]) -> Side:
    total: Counter[Particle] = Counter()
    for term in terms:
        particle = term.species.particle
        if particle is not None and particle.kind not in (GAMMA, NEUTRINO):
            total[particle] += term.count  # type: ignore[assignment]
    return {particle: Fraction(count) for particle, count in total.items()}


def _factor(one: tuple[Side, Side], two: tuple[Side, Side]) -> Fraction | None:
    """What the first equation's counts are multiplied by to give the second's, None if nothing does."""
    if any(a.keys() != b.keys() for a, b in zip(one, two, strict=True)):
        return None
    factors = {b[key] / a[key] for a, b in zip(one, two, strict=True) for key in a}
    return factors.pop() if len(factors) == 1 else None


def _light(expected: Equation, found: Equation) -> Comparison:
    """What the equations say of neutrinos and photons."""
    wanted, given = _massless(expected), _massless(found)
    for particle in wanted:
        if particle in given:
            continue
        others = [other for other in given if other.kind == particle.kind]
        if others and None not in (particle.anti, others[0].anti):
            return Comparison(Relation.DIFFERENT, f"it holds {others[0].shown}, not {particle.shown}")
        return Comparison(Relation.UNSURE, f"it leaves out {particle.shown}")
    return Comparison(Relation.SAME, "nuclides, particles and coefficients agree")


def _massless(equation: Equation) -> set[Particle]:
    return {
        particle
        for term in equation.terms
        if (particle := term.species.particle) is not None and particle.kind in (GAMMA, NEUTRINO)
    }
