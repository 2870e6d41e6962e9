"""Other ways of writing a reaction, and reactions close to it that are wrong."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice

from grader.formal.structures.reaction import Reaction, Step, read_reaction
from grader.formal.structures.reaction_comparison import main_products
from grader.formal.structures.structure import Structure, Unreadable, read_structure
from grader.formal.variants import structures
from grader.formal.variants.variant import Variant
from grader.problem.checks import ReactionCheck


def equivalent_reactions(check: ReactionCheck, seed: int = 0) -> Iterator[Variant]:
    """The expected reaction in other spellings."""
    step = _step(check.expected)
    if step is None:
        return
    chance = random.Random(seed)
    yield Variant(f"`{check.expected}`", "as it is")
    mixed = [chance.sample(side, len(side)) for side in _texts(step)]
    yield Variant(f"`{_line(mixed)}`", "components in another order")
    respelled = [[_respelled(one, seed) for one in side] for side in _sides(step)]
    yield Variant(f"`{_line(respelled)}`", "structures in other spellings")
    if not step.agents:
        left, _, right = (" + ".join(f"`{text}`" for text in side) for side in _texts(step))
        yield Variant(f"{left} → {right}", "with plus signs and an arrow")


def near_reactions(check: ReactionCheck, seed: int = 0) -> Iterator[Variant]:
    """Reactions close to the expected one that a check must refuse under its options."""
    step = _step(check.expected)
    if step is None:
        return
    reactants, agents, products = _texts(step)
    yield Variant(f"`{_line([products, agents, reactants])}`", "turned round")
    if len(reactants) > 1:
        largest = max(range(len(reactants)), key=lambda index: step.reactants[index].mol.GetNumAtoms())
        rest = [text for index, text in enumerate(reactants) if index != largest]
        yield Variant(f"`{_line([rest, agents, products])}`", "a reactant left out")
    yield from islice(_other_products(check, step, seed), 4)


def _other_products(check: ReactionCheck, step: Step, seed: int) -> Iterator[Variant]:
    """The main product edited."""
    reactants, agents, products = _texts(step)
    main = max(main_products(step, check), key=lambda one: one.mol.GetNumAtoms())
    place = step.products.index(main)
    for miss in structures.near_misses(main.mol, seed):
        if structures.refused(check, main.mol, read_structure(miss.text).mol, miss.how):
            other = [*products[:place], miss.text, *products[place + 1 :]]
            yield Variant(f"`{_line([reactants, agents, other])}`", f"in the product: {miss.how}")


def _step(text: str) -> Step | None:
    """The one step of a reaction of plain structures; None where it is anything else."""
    try:
        reaction: Reaction = read_reaction(text)
    except Unreadable:
        return None
    step = reaction.steps[0]
    plain = all(
        not (one.labels or one.lost or one.mol.GetStereoGroups() or " in " in one.text)
        for side in _sides(step)
        for one in side
    )
    return step if plain and len(reaction.steps) == 1 else None


def _sides(step: Step) -> tuple[Sequence[Structure], ...]:
    return step.reactants, step.agents, step.products


def _texts(step: Step) -> list[list[str]]:
    return [[one.text for one in side] for side in _sides(step)]


def _line(sides: Sequence[Sequence[str]]) -> str:
    return ">".join(".".join(side) for side in sides)


def _respelled(structure: Structure, seed: int) -> str:
    spellings = list(islice(structures.equivalents(structure.mol, seed), 2))
    return spellings[-1].text if spellings else structure.text
