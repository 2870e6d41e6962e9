"""Several equations in one answer: drafts of one another, rivals for one reaction, or parts of a whole."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from grader.formal.equations.balance import balanced
from grader.formal.equations.compare import compare_equations
from grader.formal.equations.equation import Equation, Term
from grader.formal.equations.nuclides import Particle
from grader.formal.equations.places import Place
from grader.formal.equations.species import ELECTRON, HYDROXIDE, PROTON, WATER, Key, key_of
from grader.formal.structures.comparison import Relation
from grader.problem.checks import EquationCheck

PARTS = frozenset(
    [
        Place.STEP,
        Place.OXIDATION,
        Place.REDUCTION,
        Place.NET_IONIC,
        Place.FULL_IONIC,
        Place.MOLECULAR,
        Place.OVERALL,
    ]
)
"""Names of equations that stand beside one another without contradiction."""


def completes(better: Equation, draft: Equation, check: EquationCheck, *, later: bool) -> bool:
    """Whether an equation says what another one only begins to say: in formulas, balanced, or with states."""
    if draft.words:
        return not better.words
    if better.words:
        return False
    if later and _kinds(better) == _kinds(draft):
        return balanced(better, nuclear=check.nuclear) and not balanced(draft, nuclear=check.nuclear)
    if later and not check.nuclear and _cancels(draft, better):
        return True
    if check.nuclear or check.states != "required" or _has_states(draft) or not _has_states(better):
        return False
    loose = check.model_copy(update={"states": "ignored"})
    return compare_equations(better, draft, loose).relation is Relation.SAME


def _cancels(draft: Equation, better: Equation) -> bool:
    """Whether an equation is left of another when water, its ions or electrons are cancelled."""
    left, right = _kinds(draft)
    shared = left & right
    if not shared or not shared <= _WATERS or shared <= frozenset.intersection(*_kinds(better)):
        return False
    return _parallel(_net(draft), _net(better))


def turns_basic(draft: Equation, better: Equation) -> bool:
    """Whether an equation is another one with as much OH- added as it holds H+."""
    if draft.words or better.words:
        return False
    before, after = _net(draft), _net(better)
    added = {name: after.get(name, 0) - before.get(name, 0) for name in {*before, *after}}
    made = added.get(WATER, 0)
    return bool(made) and added == {**dict.fromkeys(added, 0), WATER: made, PROTON: -made, HYDROXIDE: -made}


def _has_states(equation: Equation) -> bool:
    return any(term.state for term in equation.terms)


_Kinds = frozenset[Key | Particle]
_WATERS: _Kinds = frozenset([ELECTRON, HYDROXIDE, PROTON, WATER])


def _side(terms: Sequence[Term]) -> _Kinds:
    return frozenset(term.species.particle or key_of(term.species) for term in terms)


def _kinds(equation: Equation) -> tuple[_Kinds, _Kinds]:
    return _side(equation.left), _side(equation.right)


def are_rivals(one: Equation, two: Equation) -> bool:
    """Whether two equations that differ can't both hold as parts of an answer: they start from the same,
    end with the same, or one is the other turned round."""
    (a, b), (c, d) = _kinds(one), _kinds(two)
    return a == c or b == d or (a == d and b == c) or bool(one.words or two.words)


MOST_PARTS = 12


def is_sum(total: Equation, parts: Sequence[Equation]) -> bool:
    """Whether an equation is what two or more others add up to, each taken some times."""
    if total.words:
        return False
    rows = [_net(part) for part in parts[:MOST_PARTS] if not part.words]
    goal = _net(total)
    rows = [row for row in rows if row and not _parallel(row, goal)]
    if len(rows) < 2 or not goal:
        return False
    names = sorted({name for row in (*rows, goal) for name in row}, key=repr)
    matrix = [[row.get(name, Fraction(0)) for row in rows] + [goal.get(name, Fraction(0))] for name in names]
    return _consistent(matrix, len(rows))


def _net(equation: Equation) -> dict[object, Fraction]:
    """What an equation makes (positive) and uses up (negative)."""
    total: dict[object, Fraction] = {}
    for sign, side in ((-1, equation.left), (1, equation.right)):
        for term in side:
            key = term.species.particle or key_of(term.species)
            total[key] = total.get(key, Fraction(0)) + sign * term.count
    return {key: count for key, count in total.items() if count}


def _parallel(one: dict[object, Fraction], two: dict[object, Fraction]) -> bool:
    return one.keys() == two.keys() and len({one[key] / two[key] for key in one}) == 1


def _consistent(matrix: list[list[Fraction]], unknowns: int) -> bool:
    """Whether linear equations, their right sides last, have a solution (Gauss elimination)."""
    rows = [row[:] for row in matrix]
    top = 0
    for column in range(unknowns):
        pivot = next((at for at in range(top, len(rows)) if rows[at][column]), None)
        if pivot is None:
            continue
        rows[top], rows[pivot] = rows[pivot], rows[top]
        for at in range(top + 1, len(rows)):
            factor = rows[at][column] / rows[top][column]
            rows[at] = [x - factor * y for x, y in zip(rows[at], rows[top], strict=True)]
        top += 1
    return not any(row[-1] for row in rows[top:])
