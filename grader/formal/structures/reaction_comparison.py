"""Whether two reactions are the same under the options of a check.

Sides are compared as collections of components. What enters must be there,
and the main products; catalysts, solvents and counter-ions that are written
among the reactants count as agents. Where a component could be either, the
balance of the answer's own reaction decides, or the outcome is open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import gcd

from grader.formal.structures.comparison import Comparison, Relation, best
from grader.formal.structures.configuration import mirrored
from grader.formal.structures.equivalence import compare
from grader.formal.structures.reaction import Reaction, Step, joined
from grader.formal.structures.reagents import (
    composition,
    is_agent,
    is_byproduct,
    is_metal_ion,
    key,
)
from grader.formal.structures.structure import Structure
from grader.problem.checks import ReactionCheck

Same = Callable[[Structure, Structure], Relation]


def compare_reactions(expected: Reaction, found: Reaction, check: ReactionCheck) -> Comparison:
    """Compare two reactions under the options of a check; never raises."""
    if check.stereo == "relative":
        # The configuration of one component relative to another counts, so the whole is mirrored.
        exact = check.model_copy(update={"stereo": "exact"})
        images = (found, _mirror(found))
        return best(_compare_lines(expected, image, exact) for image in images)
    return _compare_lines(expected, found, check)


def _compare_lines(expected: Reaction, found: Reaction, check: ReactionCheck) -> Comparison:
    same = _Same(check)
    if len(expected.steps) == len(found.steps):
        outcomes = [
            _compare_step(one, other, check, same)
            for one, other in zip(expected.steps, found.steps, strict=True)
        ]
        outcome = max(outcomes, key=lambda one: _WORST[one.relation])
        return _direction(outcome, expected, found, check, same)
    if len(expected.steps) > 1:
        return Comparison(Relation.UNSURE, "it has another number of steps")
    parts = [*found.steps, joined(found.steps)]
    if all(
        _compare_step(expected.steps[0], one, check, same).relation is Relation.DIFFERENT for one in parts
    ):
        return Comparison(Relation.DIFFERENT, "none of its steps is the expected one")
    return Comparison(Relation.UNSURE, "it is a line of several steps")


_WORST = {Relation.SAME: 0, Relation.UNSURE: 1, Relation.DIFFERENT: 2}


def _direction(
    outcome: Comparison, expected: Reaction, found: Reaction, check: ReactionCheck, same: Same
) -> Comparison:
    """The outcome, open where an equilibrium is written from its other side."""
    if outcome.relation is not Relation.DIFFERENT or not found.both_ways or len(found.steps) > 1:
        return outcome
    step = found.steps[0]
    turned = replace(step, reactants=step.products, products=step.reactants)
    if _compare_step(expected.steps[0], turned, check, same).relation is Relation.SAME:
        return Comparison(Relation.UNSURE, "it is the equilibrium written from its other side")
    return outcome


class _Same:
    """The relation of two components under the options of a check, each pair compared once."""

    def __init__(self, check: ReactionCheck) -> None:
        self._check = check
        self._known: dict[tuple[str, str], Relation] = {}

    def __call__(self, one: Structure, other: Structure) -> Relation:
        pair = (one.text, other.text)
        if pair not in self._known:
            self._known[pair] = compare(one, other, self._check).relation
        return self._known[pair]


@dataclass(frozen=True, slots=True)
class _Matched:
    """The components of one side after pairing: what is missing, what is too many, what may be meant."""

    missing: list[Structure]
    extra: list[Structure]
    open: bool
    """A missing component may be what one of the extra ones draws otherwise."""


def _match(expected: Sequence[Structure], found: Sequence[Structure], same: Same) -> _Matched:
    extra = list(found)
    missing = []
    for one in expected:
        partner = next((other for other in extra if same(one, other) is Relation.SAME), None)
        if partner is None:
            missing.append(one)
        else:
            extra.remove(partner)
    unsure = any(same(one, other) is Relation.UNSURE for one in missing for other in extra)
    return _Matched(missing, extra, unsure)


def _compare_step(expected: Step, found: Step, check: ReactionCheck, same: Same) -> Comparison:
    expected, found = _reduced(expected), _reduced(found)
    ours, theirs = _without_spectators(expected, same), _without_spectators(found, same)
    outcomes = [_compare_products(ours, theirs, check, same), _compare_reactants(ours, theirs, same)]
    if _other_cation(expected, found):
        outcomes.append(Comparison(Relation.UNSURE, "it has the salt of another metal"))
    if check.agents == "required":
        outcomes.append(_compare_agents(ours, theirs, same))
    return max(outcomes, key=lambda one: _WORST[one.relation])


def _reduced(step: Step) -> Step:
    """The step with its smallest whole coefficients."""
    sides = (step.reactants, step.products)
    counts = [sum(key(one) == key(other) for other in side) for side in sides for one in side]
    common = reduce(gcd, counts, 0)
    if common < 2:
        return step
    reactants, products = (_every(side, common) for side in sides)
    return replace(step, reactants=reactants, products=products)


def _every(side: Sequence[Structure], nth: int) -> tuple[Structure, ...]:
    kept: list[Structure] = []
    seen: dict[str, int] = {}
    for one in side:
        if seen.setdefault(key(one), 0) % nth == 0:
            kept.append(one)
        seen[key(one)] += 1
    return tuple(kept)


def _without_spectators(step: Step, same: Same) -> Step:
    """The step with what stands on both sides among the agents, as long as both sides keep something."""
    reactants, products = list(step.reactants), list(step.products)
    agents = list(step.agents)
    for one in step.reactants:
        partner = next((other for other in products if same(one, other) is Relation.SAME), None)
        if partner is not None and is_agent(one) and len(reactants) > 1 and len(products) > 1:
            reactants.remove(one)
            products.remove(partner)
            agents.append(one)
    return replace(step, reactants=tuple(reactants), products=tuple(products), agents=tuple(agents))


def _compare_products(expected: Step, found: Step, check: ReactionCheck, same: Same) -> Comparison:
    matched = _match(main_products(expected, check), found.products, same)
    if matched.missing:
        return _missing(matched, found.unread_products, "product")
    if check.byproducts == "required":
        if matched.extra:
            return Comparison(Relation.DIFFERENT, f"{matched.extra[0].text} is a product too many")
        if found.unread_products:
            return Comparison(Relation.UNSURE, f"the product '{found.unread_products[0]}' can't be read")
    further = [one for one in matched.extra if not is_byproduct(one, found.products)]
    further = [
        one for one in further if all(same(one, other) is not Relation.SAME for other in expected.products)
    ]
    if not further or _balanced(found):
        return Comparison(Relation.SAME, "the products agree")
    if _balanced(expected):
        return Comparison(Relation.DIFFERENT, f"{further[0].text} is a product too many")
    return Comparison(Relation.UNSURE, f"whether {further[0].text} is formed too is not asked")


def main_products(step: Step, check: ReactionCheck) -> list[Structure]:
    """The products that must be there: all, or those that are no by-product beside the others."""
    products = list(step.products)
    if check.byproducts == "required":
        return products
    return [one for one in products if not is_byproduct(one, products)] or products


def _missing(matched: _Matched, unread: Sequence[str], what: str) -> Comparison:
    first = matched.missing[0].text
    if matched.open:
        return Comparison(Relation.UNSURE, f"whether the {what} {first} is there can't be told for certain")
    if unread:
        return Comparison(Relation.UNSURE, f"the {what} {first} may be '{unread[0]}', which can't be read")
    return Comparison(Relation.DIFFERENT, f"the {what} {first} is missing")


def _compare_reactants(expected: Step, found: Step, same: Same) -> Comparison:
    matched = _match(expected.reactants, found.reactants, same)
    missing = [one for one in matched.missing if not is_metal_ion(one)]
    if missing:
        over = all(any(same(one, agent) is Relation.SAME for agent in found.agents) for one in missing)
        if over:
            return Comparison(Relation.UNSURE, f"the reactant {missing[0].text} is written as an agent")
        return _missing(replace(matched, missing=missing), found.unread, "reactant")
    return _compare_extra(matched.extra, expected, found, same)


def _other_cation(expected: Step, found: Step) -> bool:
    """Whether a metal ion of the expected reactants is left out and another one written in its place."""
    ours = {key(one) for one in expected.reactants if is_metal_ion(one)}
    theirs = {key(one) for one in (*found.reactants, *found.agents) if is_metal_ion(one)}
    return bool(ours - theirs and theirs - ours)


def _compare_extra(extra: Sequence[Structure], expected: Step, found: Step, same: Same) -> Comparison:
    """What is written among the reactants beside the expected ones."""
    known = [*expected.agents, *expected.reactants]
    repeated = [
        one for one in extra if any(same(other, one) is Relation.SAME for other in expected.reactants)
    ]
    foreign = [
        one
        for one in extra
        if not is_agent(one) and all(same(other, one) is not Relation.SAME for other in known)
    ]
    if not (repeated or foreign) or _balanced(found):
        return Comparison(Relation.SAME, "the reactants agree")
    if foreign and _balanced(expected):
        return Comparison(Relation.DIFFERENT, f"{foreign[0].text} is a reactant too many")
    if foreign:
        return Comparison(Relation.UNSURE, f"whether {foreign[0].text} takes part is not asked")
    return Comparison(Relation.UNSURE, f"it has more of {repeated[0].text} than is expected")


def _compare_agents(expected: Step, found: Step, same: Same) -> Comparison:
    """The agents, among them what the answer writes beside the expected reactants."""
    beside = _match(expected.reactants, found.reactants, same).extra
    matched = _match(expected.agents, [*found.agents, *beside], same)
    if matched.missing:
        return _missing(matched, found.unread, "agent")
    if matched.extra:
        return Comparison(Relation.DIFFERENT, f"{matched.extra[0].text} is an agent too many")
    if found.unread:
        return Comparison(Relation.UNSURE, f"'{found.unread[0]}' can't be read")
    return Comparison(Relation.SAME, "the agents agree")


def _balanced(step: Step) -> bool:
    """Whether both sides have the same atoms and charge, agents aside."""
    left, right = composition(step.reactants), composition(step.products)
    return left is not None and left == right and not (step.unread or step.unread_products)


def _mirror(reaction: Reaction) -> Reaction:
    """The mirror image of every component."""

    def turned(side: Sequence[Structure]) -> tuple[Structure, ...]:
        return tuple(replace(one, text=f"mirror image of {one.text}", mol=mirrored(one.mol)) for one in side)

    steps = (
        replace(
            step,
            reactants=turned(step.reactants),
            agents=turned(step.agents),
            products=turned(step.products),
        )
        for step in reaction.steps
    )
    return replace(reaction, steps=tuple(steps))
