"""Other ways to write an oxidation state, and states that are close to it and wrong."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from grader.formal.oxidation_state import expected_state
from grader.formal.variants.variant import Variant
from grader.problem.checks import OxidationStateCheck

_ROMAN = {1: "I", 2: "II", 3: "III", 4: "IV", 5: "V", 6: "VI", 7: "VII", 8: "VIII"}
_WORDS = {0: "zero", 1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}


def equivalents(expected: int | str, seed: int = 0) -> Iterator[Variant]:
    """The expected state in signs, Roman numerals, words and scripts. Raises ValueError."""
    return _spelled(expected_state(expected))


def near_misses(expected: int | str, seed: int = 0) -> Iterator[Variant]:
    """Neighbouring states and the opposite one, in the same spellings. Raises ValueError."""
    right = expected_state(expected)
    for how, other in (("one more", right + 1), ("one less", right - 1), ("the opposite", -right)):
        if other != right and abs(other) <= 8:
            yield from (Variant(one.text, f"{how}, {one.how}", one.notation) for one in _spelled(other))


def equivalent_states(check: OxidationStateCheck, seed: int = 0) -> Iterator[Variant]:
    """Right answers to a check. Raises ValueError."""
    return equivalents(check.expected, seed)


def near_states(check: OxidationStateCheck, seed: int = 0) -> Iterator[Variant]:
    """Wrong answers to a check. Raises ValueError."""
    return near_misses(check.expected, seed)


def _spelled(state: Fraction) -> Iterator[Variant]:
    size = abs(state)
    sign, minus = ("-", "\u2212") if state < 0 else ("+", "+")
    if not state:
        yield from (Variant("0", "a digit"), Variant("zero", "a word"), Variant("**0**", "bold"))
        return
    yield Variant(f"{sign}{size}", "a sign before")
    yield Variant(f"{minus}{size}", "a Unicode sign")
    yield Variant(f"oxidation state: {sign}{size}", "a labelled line")
    if size.denominator > 1:
        yield Variant(rf"${sign}\frac{{{size.numerator}}}{{{size.denominator}}}$", "LaTeX", "latex")
        yield Variant(f"{sign}{float(size):.3f}", "a decimal")
        return
    yield Variant(f"{size}{minus}", "a sign behind")
    yield Variant(rf"$\boxed{{{sign}{size}}}$", "a box", "latex")
    yield Variant(f"{'minus' if state < 0 else 'plus'} {_WORDS[int(size)]}", "words")
    yield Variant(f"{minus}{_ROMAN[int(size)]}", "a Roman numeral")
