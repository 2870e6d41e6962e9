"""Other spellings of a term, and other terms of its vocabulary."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from grader.formal.structures.comparison import Relation
from grader.formal.terms.vocabulary import Meaning, Vocabulary, vocabulary_of
from grader.formal.variants.variant import Variant
from grader.problem.checks import LabelCheck

_SYMBOLS: dict[str, tuple[str, ...]] = {
    "point_group": (
        *("C1", "Cs", "Ci", "C2", "C3", "C2v", "C3v", "C4v", "C2h", "C3h", "D2", "D3", "D2d", "D3d", "D4d"),
        *("D2h", "D3h", "D4h", "D5h", "D6h", "S4", "Td", "Th", "Oh", "Ih", "C∞v", "D∞h"),
    ),
    "mechanism": ("SN1", "SN2", "E1", "E2", "E1cB", "SNAr", "SEAr"),
    "centre": ("R", "S"),
    "double_bond": ("E", "Z"),
    "hybrid": ("sp", "sp2", "sp3", "sp3d", "sp3d2"),
    "term": ("3F2", "3P0", "2D5/2", "1S0", "4F9/2", "4A2g", "4T2g", "5Eg", "6A1g", "2T2g"),
    "order": ("zero order", "first order", "second order", "third order", "pseudo first order"),
    "degree": ("primary", "secondary", "tertiary", "quaternary"),
    "sign": ("positive", "negative", "zero"),
}
"""Symbols of the families, to choose others from."""
_SUBSCRIPTS = str.maketrans("0123456789hv∞ad", "₀₁₂₃₄₅₆₇₈₉ₕᵥ∞ₐd")


def equivalents(check: LabelCheck, seed: int = 0) -> Iterator[Variant]:
    """The expected term in other type, other spelling and, where its vocabulary has some, other words."""
    vocabulary = vocabulary_of(check.label_kind, check.expected)
    for text, how in _spellings(check, vocabulary):
        yield from _stated(check, text, how, Random(f"{seed} {text}"))


def near_misses(check: LabelCheck, seed: int = 0) -> Iterator[Variant]:
    """Other terms of the vocabulary, and the expected one denied."""
    vocabulary = vocabulary_of(check.label_kind, check.expected)
    others = _others(check, vocabulary) if vocabulary else []
    random = Random(f"{seed} {check.expected}")
    random.shuffle(others)
    for text in others[:12]:
        yield from _stated(check, text, "another term", random)
    if others:
        yield Variant(f"{_subject(check)} not {check.expected} but {others[0]}.", "the expected term denied")


def _spellings(check: LabelCheck, vocabulary: Vocabulary | None) -> Iterator[tuple[str, str]]:
    expected = check.expected
    yield expected, "as it is"
    if re.fullmatch(r"[A-Za-z][a-z]+(?:[ -][a-z]+)*", expected):
        yield expected.capitalize(), "capitalised"
        if " " in expected:
            yield expected.replace(" ", "-"), "hyphenated"
        if "-" in expected:
            yield expected.replace("-", " "), "without a hyphen"
    if vocabulary is None:
        return
    meaning = vocabulary.read(expected)
    if meaning is not None:
        words = vocabulary.spellings.get(meaning.name, ())
        yield from ((word, "in other words") for word in words if len(word) > 2)
    yield from _typeset(expected, vocabulary.families)


def _typeset(expected: str, families: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """A symbol with its subscripts and superscripts in type."""
    if "point_group" in families:
        letter, rest = expected[0], expected[1:]
        yield f"${letter}_{{{rest.replace('∞', chr(92) + 'infty ')}}}$", "in LaTeX"
        yield f"{letter}_{rest}", "with an underscore"
        yield letter + rest.translate(_SUBSCRIPTS), "with subscripts"
    if "mechanism" in families and re.fullmatch(r"SN[12]", expected):
        yield f"$S_N{expected[-1]}$", "in LaTeX"
        yield rf"$\mathrm{{S_N{expected[-1]}}}$", "in upright LaTeX"
        yield f"S<sub>N</sub>{expected[-1]}", "in HTML"
    if "hybrid" in families:
        yield re.sub(r"(\d)", r"$^\1$", expected), "in LaTeX"
    if "term" in families and (parts := re.fullmatch(r"(\d)([A-Z])(.*)", expected)):
        yield (
            f"$^{{{parts[1]}}}{parts[2]}_{{{parts[3]}}}$" if parts[3] else f"$^{parts[1]}{parts[2]}$",
            "in LaTeX",
        )


def _others(check: LabelCheck, vocabulary: Vocabulary) -> list[str]:
    """Terms of the vocabulary that certainly are others."""
    meanings = (vocabulary.read(spelling) for spelling in (check.expected, *check.aliases))
    right = frozenset(meaning.name for meaning in meanings if meaning)
    names = [words[0] for words in vocabulary.spellings.values() if words]
    names += [symbol for family in vocabulary.families for symbol in _SYMBOLS[family]]
    read = ((name, vocabulary.read(name) or Meaning(name)) for name in dict.fromkeys(names))
    return [name for name, meaning in read if vocabulary.relation(meaning, right) is Relation.DIFFERENT]


def _subject(check: LabelCheck) -> str:
    return f"{check.subject} is" if check.subject else "It is"


def _stated(check: LabelCheck, text: str, how: str, random: Random) -> Iterator[Variant]:
    """A term by itself, marked, or in a sentence; with its subject where the check names one."""
    notation = "latex" if "$" in text else ""
    if check.subject:
        yield Variant(f"{_subject(check)} {text}.", f"{how}, of its subject", notation)
        return
    boxed = text.strip("$")
    frames = (
        (text, ""),
        (f"**{text}**", ", bold"),
        (f"**Answer:** {text}", ", marked"),
        (f"It is {text}.", ", in a sentence"),
        (f"With that, the answer is {text}.", ", announced"),
        (rf"\boxed{{{boxed if '$' in text else chr(92) + 'text{' + boxed + '}'}}}", ", boxed"),
    )
    for frame, added in (frames[0], *random.sample(frames[1:], 3)):
        yield Variant(frame, how + added, notation)
