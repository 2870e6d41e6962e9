"""Whether two chemical equations are the same: species, coefficients up to a factor, direction, marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.formal.equations.agents import compare_agents
from grader.formal.equations.balance import imbalance, settled
from grader.formal.equations.equation import Arrow, Equation, Species, Term
from grader.formal.equations.species import HYDRONIUM, PROTON, WATER, Key, key_of, same_species
from grader.formal.structures.comparison import Comparison, Relation
from grader.problem.checks import EquationCheck


@dataclass(frozen=True, slots=True)
class Entry:
    """A species of one side, with all of it that the side holds."""

    key: Key
    count: Fraction
    species: Species
    state: str


Side = tuple[Entry, ...]


def compare_equations(expected: Equation, found: Equation, check: EquationCheck) -> Comparison:
    """Compare an equation with the expected one, under the liberties of a check."""
    if found.words:
        return Comparison(Relation.UNSURE, f"'{found.words[0]}' is named by a word")
    expected, found = settled(expected), settled(found)
    phases = check.states == "required" or _changes_phase(expected)
    one, two = _sides(expected, check, phases), _sides(found, check, phases)
    outcome = _compare(one, two, check)
    if outcome.relation is Relation.SAME:
        return _compare_marks(expected, found, check, outcome)
    off = imbalance(found, nuclear=False)
    if outcome.relation is Relation.DIFFERENT and off and not imbalance(expected, nuclear=False):
        return Comparison(Relation.DIFFERENT, f"it doesn't balance ({off})")
    return outcome


def _changes_phase(equation: Equation) -> bool:
    """Whether a species stands on both sides in different states, so that they say what happens."""
    states = [
        {(key_of(term.species), term.state) for term in side} for side in (equation.left, equation.right)
    ]
    keys = [{key for key, _ in side} for side in states]
    return bool(keys[0] & keys[1]) and all(state for side in states for _, state in side)


def _sides(equation: Equation, check: EquationCheck, phases: bool) -> tuple[Side, Side]:
    left, right = _entries(equation.left, phases), _entries(equation.right, phases)
    return _without_hydronium(left, right) if check.proton_form == "any" else (left, right)


def _entries(terms: Sequence[Term], phases: bool) -> Side:
    """The terms of a side, those of the same species and state taken together."""
    found: dict[tuple[Key, str, str], Entry] = {}
    for term in terms:
        key = key_of(term.species)
        place = (key, term.species.text, term.state if phases else "")
        before = found[place].count if place in found else Fraction(0)
        found[place] = Entry(key, before + term.count, term.species, term.state)
    return _merged(list(found.values()), phases)


def _merged(entries: list[Entry], phases: bool) -> Side:
    """Entries of one composition that no structure tells apart are one."""
    merged: list[Entry] = []
    for entry in entries:
        for index, other in enumerate(merged):
            alike = entry.key == other.key and (not phases or entry.state == other.state)
            if alike and same_species(other.species, entry.species, strict=False) is Relation.SAME:
                merged[index] = replace(other, count=other.count + entry.count)
                break
        else:
            merged.append(entry)
    return tuple(merged)


def _without_hydronium(left: Side, right: Side) -> tuple[Side, Side]:
    """H3O+ as H+ and water; the water that this leaves on both sides is cancelled."""
    if not any(entry.key == HYDRONIUM for entry in (*left, *right)):
        return left, right
    water = Species("H2O", ())
    pair = [_protons(side, water) for side in (left, right)]
    waters = [sum((entry.count for entry in side if entry.key == WATER), Fraction(0)) for side in pair]
    shared = min(waters)
    return _less_water(pair[0], shared), _less_water(pair[1], shared)


def _protons(side: Side, water: Species) -> Side:
    counts: dict[Key, Fraction] = {PROTON: Fraction(0), WATER: Fraction(0)}
    rest, seen = [], {}
    for entry in side:
        if entry.key == HYDRONIUM:
            counts[PROTON] += entry.count
            counts[WATER] += entry.count
        elif entry.key in counts:
            counts[entry.key] += entry.count
            seen[entry.key] = entry
        else:
            rest.append(entry)
    names = {PROTON: Species("H^+", ()), WATER: water}
    made = [
        replace(seen[key], count=count) if key in seen else Entry(key, count, names[key], "")
        for key, count in counts.items()
        if count
    ]
    return (*rest, *made)


def _less_water(side: Side, amount: Fraction) -> Side:
    less = (replace(entry, count=entry.count - amount) if entry.key == WATER else entry for entry in side)
    return tuple(entry for entry in less if entry.count)


def _compare(expected: tuple[Side, Side], found: tuple[Side, Side], check: EquationCheck) -> Comparison:
    outcome = _match(expected, found, check)
    if outcome.relation is not Relation.DIFFERENT:
        return outcome
    if _match(expected, found[::-1], check).relation is Relation.SAME:
        return Comparison(Relation.DIFFERENT, "it runs the other way")
    return _uncancelled(expected, found, check) or outcome


def _uncancelled(
    expected: tuple[Side, Side], found: tuple[Side, Side], check: EquationCheck
) -> Comparison | None:
    """The outcome where the sides differ from the expected ones only by what stands on both."""
    keys = {entry.key for entry in found[0]} & {entry.key for entry in found[1]}
    if not keys or len(found[0]) == len(found[1]) == len(keys):
        return None
    less = _cancelled(found, keys)
    if _match(expected, less, check).relation is not Relation.SAME:
        return None
    names = [entry.species.text for entry in found[0] if entry.key in keys]
    detail = f"{' and '.join(names)} left on both sides"
    if any(key[1] for key in keys):
        return Comparison(Relation.DIFFERENT, detail)
    return Comparison(Relation.UNSURE, detail)


def _cancelled(sides: tuple[Side, Side], keys: set[Key]) -> tuple[Side, Side]:
    shared = {
        key: min(sum((e.count for e in side if e.key == key), Fraction(0)) for side in sides) for key in keys
    }
    left, right = (
        tuple(
            replace(entry, count=entry.count - shared.get(entry.key, Fraction(0)))
            for entry in side
            if entry.count > shared.get(entry.key, Fraction(0))
        )
        for side in sides
    )
    return left, right


def _match(expected: tuple[Side, Side], found: tuple[Side, Side], check: EquationCheck) -> Comparison:
    """Match the species of both sides one to one and compare their coefficients."""
    strict = bool({e.key for e in expected[0]} & {e.key for e in expected[1]})
    unsure = ""
    factors: list[tuple[Fraction, str]] = []
    for wanted, given in zip(expected, found, strict=True):
        rest = list(given)
        for entry in wanted:
            relation, partner = _partner(entry, rest, check, strict)
            if partner is None:
                return Comparison(Relation.DIFFERENT, f"it doesn't hold {entry.species.text} where it should")
            if relation is Relation.UNSURE:
                unsure = f"{partner.species.text} may or may not be {entry.species.text}"
            rest.remove(partner)
            factors.append((partner.count / entry.count, partner.species.text))
        if rest:
            return Comparison(Relation.DIFFERENT, f"it holds {rest[0].species.text} where it shouldn't")
    scaled = _compare_factors(factors, check)
    if scaled.relation is Relation.SAME and unsure:
        return Comparison(Relation.UNSURE, unsure)
    return scaled


def _partner(
    entry: Entry, given: Sequence[Entry], check: EquationCheck, strict: bool
) -> tuple[Relation, Entry | None]:
    """The entry that a species of the expected side best agrees with."""
    unsure = None
    for other in given:
        if other.key != entry.key or (entry.state and not _same_state(entry, other, check, strict)):
            continue
        relation = same_species(entry.species, other.species, strict=strict and entry.state == "")
        if relation is Relation.SAME:
            return relation, other
        if relation is Relation.UNSURE:
            unsure = other
    return Relation.UNSURE, unsure


def _same_state(entry: Entry, other: Entry, check: EquationCheck, strict: bool) -> bool:
    return entry.state == other.state or not (check.states == "required" or strict)


def _compare_factors(factors: Sequence[tuple[Fraction, str]], check: EquationCheck) -> Comparison:
    first = factors[0][0]
    for factor, name in factors:
        if factor != first:
            return Comparison(Relation.DIFFERENT, f"the coefficient of {name} is another")
    if check.scale == "exact" and first != 1:
        return Comparison(Relation.DIFFERENT, f"its coefficients are {first} times the expected ones")
    return Comparison(Relation.SAME, "species and coefficients agree")


def _compare_marks(
    expected: Equation, found: Equation, check: EquationCheck, outcome: Comparison
) -> Comparison:
    """What the arrow says, where it counts."""
    if check.arrow == "exact" and expected.arrow is not found.arrow:
        if Arrow.EQUALS in (expected.arrow, found.arrow):
            return Comparison(Relation.UNSURE, "an equals sign is neither arrow")
        return Comparison(Relation.DIFFERENT, f"the arrow is {found.arrow}, not {expected.arrow}")
    return compare_agents(expected, found) or outcome if check.agents == "required" else outcome
