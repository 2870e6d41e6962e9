"""Other ways to write an equation, and equations that are close to it and wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random

from grader.formal.equations.balance import settled
from grader.formal.equations.equation import Arrow, Equation, Term
from grader.formal.equations.nuclides import SYMBOL, Particle
from grader.formal.equations.reader import read_equation
from grader.formal.equations.species import key_of
from grader.formal.formulas.tree import Unreadable
from grader.formal.formulas.written import written
from grader.formal.variants import formulas
from grader.formal.variants.variant import Variant
from grader.problem.checks import EquationCheck

_ARROWS = {"→": "an arrow", "⟶": "a long arrow", "-->": "two dashes", "=": "an equals sign"}
_LATEX_ARROW = {Arrow.FORWARD: r"\rightarrow", Arrow.EQUILIBRIUM: r"\rightleftharpoons", Arrow.EQUALS: "="}
_UNICODE_ARROW = {Arrow.FORWARD: "→", Arrow.EQUILIBRIUM: "⇌", Arrow.EQUALS: "="}
_HALVES = {Fraction(1, 2): "½", Fraction(3, 2): "1½", Fraction(1, 4): "¼", Fraction(3, 4): "¾"}

Spell = Callable[[str], str]


def equivalent_equations(check: EquationCheck, seed: int = 0) -> Iterator[Variant]:
    """The expected equation of a check in ways that its options let pass."""
    for one in equivalents(check.expected, seed, nuclear=check.nuclear):
        scaled = check.scale == "exact" and one.how.startswith("multiplied")
        if not scaled and not (check.arrow == "exact" and one.how == "an equals sign"):
            yield one


def near_equations(check: EquationCheck, seed: int = 0) -> Iterator[Variant]:
    """Equations close to the expected one of a check that are wrong under its options."""
    yield from near_misses(check.expected, seed, nuclear=check.nuclear)
    if check.scale == "exact":
        doubled = _scaled(_settled(check.expected, check.nuclear), Fraction(2))
        yield Variant(_spelled(doubled, _plain), "multiplied by 2")


def equivalents(expected: str, seed: int = 0, *, nuclear: bool = False) -> Iterator[Variant]:
    """The expected equation in other orders, multiples and spellings. Raises Unreadable."""
    equation = _settled(expected, nuclear)
    random = Random(seed)
    yield Variant(_spelled(equation, _plain), "plain")
    for name, spell in _SPELLINGS.items():
        arrow = _LATEX_ARROW if name in ("LaTeX", "mhchem") else _UNICODE_ARROW
        text = _spelled(equation, spell, arrow[equation.arrow])
        yield Variant(f"${text}$" if name == "LaTeX" else text, name, "latex" if "$" in text else "")
    yield Variant(_mhchem(equation), "mhchem", "latex")
    yield Variant(_spelled(_shuffled(equation, random), _unicode), "terms in another order")
    for factor in (Fraction(2), Fraction(3), Fraction(1, 2)):
        yield Variant(_spelled(_scaled(equation, factor), _plain), f"multiplied by {factor}")
    if equation.arrow is Arrow.FORWARD:
        yield from (Variant(_spelled(equation, _plain, arrow), how) for arrow, how in _ARROWS.items())
    if not nuclear:
        yield Variant(_spelled(_with_states(equation), _unicode), "states added")


def _settled(expected: str, nuclear: bool) -> Equation:
    equation = read_equation(expected, nuclear=nuclear)
    return equation if nuclear else settled(equation)


def _plain(text: str) -> str:
    return text


def _spelled_as(how: str) -> Spell:
    return lambda text: next(one.text for one in formulas.spellings(text) if one.how == how)


_unicode = _spelled_as("Unicode scripts")


def _latex(text: str) -> str:
    return _spelled_as("LaTeX")(text).strip("$")


_SPELLINGS: dict[str, Spell] = {"Unicode": _unicode, "LaTeX": _latex, "HTML": _spelled_as("HTML scripts")}


def _mhchem(equation: Equation) -> str:
    arrow = "<=>" if equation.arrow is Arrow.EQUILIBRIUM else "->"
    text = _spelled(equation, lambda plain: plain.replace("·", "."), arrow)
    return rf"\ce{{{text}}}"


def _spelled(equation: Equation, spell: Spell, arrow: str = "") -> str:
    left, right = (
        " + ".join(_term(term, spell) for term in side) for side in (equation.left, equation.right)
    )
    return f"{left} {arrow or equation.arrow.value} {right}"


def _term(term: Term, spell: Spell) -> str:
    state = f"({term.state})" if term.state else ""
    return f"{_count(term.count, spell)}{_species(term, spell)}{state}"


def _count(count: Fraction, spell: Spell) -> str:
    if count == 1:
        return ""
    half = _HALVES.get(count) if spell is _unicode else None
    return f"{half or count} "


def _species(term: Term, spell: Spell) -> str:
    if term.species.particle is not None:
        return _nuclide(term.species.particle, spell)
    if term.species.electron:
        return spell("e^-")
    return spell(written(term.species.readings[0]) if term.species.readings else term.species.text)


_LOWER = str.maketrans("0123456789-", "₀₁₂₃₄₅₆₇₈₉₋")
_RAISE = str.maketrans("0123456789-m", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻ᵐ")


def _nuclide(particle: Particle, spell: Spell) -> str:
    """A nuclide with both numbers; a particle of no mass by its letter."""
    if particle.kind in ("ν", "γ"):
        return particle.kind
    names = {(1, 0): "n", (0, -1): "e", (0, 1): "e"}
    symbol = names.get((particle.mass, particle.number)) or SYMBOL[particle.number]
    mass, number = f"{particle.mass}{particle.kind}", str(particle.number)
    if spell is _unicode:
        return f"{mass.translate(_RAISE)}{number.translate(_LOWER)}{symbol}"
    if spell is _latex:
        return f"{{}}^{{{mass}}}_{{{number}}}\\mathrm{{{symbol}}}"
    return f"^{mass}_{number}{symbol}"


def _shuffled(equation: Equation, random: Random) -> Equation:
    left, right = list(equation.left), list(equation.right)
    random.shuffle(left)
    random.shuffle(right)
    return replace(equation, left=tuple(left), right=tuple(right))


def _scaled(equation: Equation, factor: Fraction) -> Equation:
    left, right = (
        tuple(replace(term, count=term.count * factor) for term in side)
        for side in (equation.left, equation.right)
    )
    return replace(equation, left=left, right=right)


def _with_states(equation: Equation) -> Equation:
    """The equation with a state after each term that has none: (aq) for ions, (s) for the rest."""

    def stated(term: Term) -> Term:
        if term.state or term.species.electron or not term.species.readings:
            return term
        return replace(term, state="aq" if term.species.readings[0].charge else "s")

    left, right = (tuple(map(stated, side)) for side in (equation.left, equation.right))
    return replace(equation, left=left, right=right)


def near_misses(expected: str, seed: int = 0, *, nuclear: bool = False) -> Iterator[Variant]:
    """Equations one step away from the expected one, each with other species, ratios or direction.

    Raises Unreadable.
    """
    equation = _settled(expected, nuclear)
    random = Random(seed)
    known = {identity(equation)}
    for changed, how in _changes(equation, random, nuclear):
        if not changed.left or not changed.right:
            continue
        text = _spelled(changed, _plain)
        try:
            made = identity(_settled(text, nuclear))
        except Unreadable:
            continue
        if made not in known:
            known.add(made)
            yield Variant(text, how)


def identity(equation: Equation) -> tuple[object, ...]:
    """Species with their counts as fractions of the first: equal for multiples and other orders alone."""
    sides = []
    total = sum(term.count for term in equation.terms)
    for side in (equation.left, equation.right):
        counts: dict[object, Fraction] = {}
        for term in side:
            key = term.species.particle or key_of(term.species)
            counts[key] = counts.get(key, Fraction(0)) + term.count / total
        sides.append(frozenset(counts.items()))
    return tuple(sides)


def _changes(equation: Equation, random: Random, nuclear: bool) -> Iterator[tuple[Equation, str]]:
    yield replace(equation, left=equation.right, right=equation.left), "sides swapped"
    for name in ("left", "right"):
        side: Sequence[Term] = getattr(equation, name)
        for index, term in enumerate(side):
            for other, how in _term_changes(term, random, nuclear):
                kept = (*side[:index], *other, *side[index + 1 :])
                yield replace(equation, **{name: kept}), how  # type: ignore[arg-type]


def _term_changes(term: Term, random: Random, nuclear: bool) -> Iterator[tuple[tuple[Term, ...], str]]:
    yield (replace(term, count=term.count + 1),), "a coefficient one more"
    if term.count > 1:
        yield (replace(term, count=term.count - 1),), "a coefficient one less"
    yield (), "a species left out"
    if nuclear:
        yield from _nuclide_changes(term)
    elif not term.species.electron and term.species.readings:
        plain = written(term.species.readings[0])
        for miss in formulas.near_misses(plain, random.randrange(1000)):
            yield (replace(term, species=replace(term.species, text=miss.text, readings=())),), miss.how


def _nuclide_changes(term: Term) -> Iterator[tuple[tuple[Term, ...], str]]:
    particle = term.species.particle
    if particle is None or particle.mass < 3 or particle.kind:
        return
    for changed, how in (
        (replace(particle, mass=particle.mass + 1), "a mass number one more"),
        (replace(particle, number=particle.number + 1), "the next element"),
    ):
        yield (replace(term, species=replace(term.species, particle=changed)),), how
