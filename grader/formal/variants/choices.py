"""Other ways of picking an option or of saying yes, and other picks."""

from __future__ import annotations

from collections.abc import Iterator

from grader.formal.variants.variant import Variant
from grader.problem.checks import BooleanCheck, ChoiceCheck

_LETTERS = "ABCDE"


def equivalent_choices(check: ChoiceCheck, seed: int = 0) -> Iterator[Variant]:
    """The expected options in other spellings, and by their text where that is known."""
    chosen = _chosen(check)
    joined = ", ".join(chosen)
    yield Variant(joined, "as it is")
    yield Variant(f"**{' and '.join(f'({letter})' for letter in chosen)}**", "bold, in brackets")
    yield Variant(rf"$\boxed{{\text{{{joined}}}}}$", "boxed", "latex")
    yield Variant(f"The correct answer is {' and '.join(chosen)}.", "in a sentence")
    if len(chosen) == 1 and check.texts.get(chosen[0]):
        yield Variant(f"{chosen[0]}. {check.texts[chosen[0]]}", "with its text")


def near_choices(check: ChoiceCheck, seed: int = 0) -> Iterator[Variant]:
    """Each other option; where several are right, one left out and one too many."""
    chosen = _chosen(check)
    known = check.choices or tuple(check.texts) or tuple(_LETTERS)
    others = [letter for letter in known if letter not in chosen]
    if len(chosen) == 1:
        yield from (Variant(f"The correct answer is {letter}.", "another option") for letter in others)
        return
    yield Variant(", ".join(chosen[:-1]), "one left out")
    yield from (Variant(", ".join((*chosen, letter)), "one too many") for letter in others[:2])


def _chosen(check: ChoiceCheck) -> list[str]:
    return (
        [part.strip() for part in check.expected.split(",")] if check.multiple else [check.expected.strip()]
    )


def equivalent_booleans(check: BooleanCheck, seed: int = 0) -> Iterator[Variant]:
    """The verdict in other words."""
    yield from (Variant(word, "in other words") for word in _words(check.expected))


def near_booleans(check: BooleanCheck, seed: int = 0) -> Iterator[Variant]:
    """The opposite verdict."""
    yield from (Variant(word, "the opposite") for word in _words(not check.expected))


def _words(verdict: bool) -> tuple[str, ...]:
    return (
        ("Yes.", "**True**", r"\boxed{\text{True}}")
        if verdict
        else ("No.", "**False**", r"\boxed{\text{False}}")
    )
