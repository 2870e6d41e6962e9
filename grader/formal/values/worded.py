"""Numbers in words: counts ("thirty-six percent"), and fractions ("half a mole", "two and a half")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from grader.answer.guard import may_match
from grader.answer.number_words import CARDINALS
from grader.formal.values.units import Unit, read_unit

_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_WORDS: dict[str, int] = {
    **{word: value for value, word in enumerate(CARDINALS)},
    **{word: 10 * value for value, word in enumerate(_TENS.split(), start=2)},
    "half a dozen": 6,
    "dozen": 12,
    "single": 1,
    "none": 0,
    "hundred": 100,
}
COUNT = re.compile(
    rf"(?<![A-Za-z-])(?P<sign>(?:minus|negative) )?"
    rf"(?:(?P<tens>{'|'.join(_TENS.split())})[- ](?P<units>{'|'.join(CARDINALS[1:10])})"
    rf"|(?:a |one )?(?P<word>{'|'.join(_WORDS)}))(?![A-Za-z]|-[A-Za-z])",
    re.I,
)
_PARTS = {
    "half": 1 / 2, "halve": 1 / 2, "third": 1 / 3, "quarter": 1 / 4, "fourth": 1 / 4, "fifth": 1 / 5,
    "sixth": 1 / 6, "eighth": 1 / 8, "tenth": 1 / 10,
}  # fmt: skip
_COUNTS = {"one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "seven": 7.0}
_FRACTION = re.compile(
    rf"(?P<minus>\b(?:minus|negative)[ ]|(?<![\w)])-[ ]?)?"
    rf"(?:\b(?P<whole>{'|'.join(_COUNTS)})[ ]and[ ](?P<and>an?|one|two|three)[ -]|"
    rf"\b(?P<count>{'|'.join(_COUNTS)})[ -]|\ban?[ ])?"
    rf"\b(?P<part>{'|'.join(_PARTS)})s?\b(?![-'])(?P<of>[ ](?:of[ ])?an?[ ])?",
    re.I,
)
_WORD_STEMS, _PART_STEMS = tuple(_WORDS), tuple(_PARTS)
_SAID = re.compile(
    r"(?:\b(?:is|equals?|of|be|to|exactly|about|just|only)[ ]{1,2}|[=:≈][ ]{1,2}|\A[ ]?)$", re.I
)
_SAID_ALL = re.compile(r"[ ]?(?:[.,;)\n]|$)")
_COUNTED = re.compile(
    r"(?:\b(?:is|are|equals?|gives?|get|obtain|exactly|about|approximately|roughly|around)[ ]{1,2}"
    r"|[=:≈][ ]{1,2}|\A[ ]?)$",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Worded:
    """A number in words with the unit behind it, in plain offsets."""

    value: float
    start: int
    end: int
    unit: Unit | None = None


def count(match: re.Match[str]) -> int:
    """The whole number that a match of ``COUNT`` says."""
    tens = match["tens"]
    value = _WORDS[tens.lower()] + _WORDS[match["units"].lower()] if tens else _WORDS[match["word"].lower()]
    return -value if match["sign"] else value


def counts(plain: str) -> Iterator[Worded]:
    """Whole numbers with a unit, where something is said to be as much: "is thirty-six percent"."""
    for match in COUNT.finditer(plain) if may_match(plain, _WORD_STEMS) else ():
        unit = read_unit(plain, match.end() + 1) if plain.startswith(" ", match.end()) else None
        if unit and unit.end - unit.start > 1 and _COUNTED.search(plain, 0, match.start()):
            yield Worded(float(count(match)), match.start(), unit.end, unit)


def fractions(plain: str) -> Iterator[Worded]:
    """Fractions: "half a mole", "one half", "two and a half", "a tenth of 2.0 M"."""
    for match in _FRACTION.finditer(plain) if may_match(plain, _PART_STEMS) else ():
        unit = read_unit(plain, match.end()) if match["of"] else None
        if unit or _whole_fraction(plain, match):
            end = unit.end if unit else match.end("part")
            yield Worded(_fraction(match), match.start(), end, unit)


def _fraction(match: re.Match[str]) -> float:
    """The value of a fraction in words."""
    times = _COUNTS.get((match["count"] or match["and"] or "").lower(), 1.0)
    whole = _COUNTS[match["whole"].lower()] if match["whole"] else 0.0
    value = whole + times * _PARTS[match["part"].lower()]
    return -value if match["minus"] else value


def _whole_fraction(plain: str, match: re.Match[str]) -> bool:
    """Whether a fraction without a unit is a value by itself: counted, or all that is said."""
    if match["count"] or match["whole"]:
        return not plain.startswith(" of", match.end("part"))
    said = _SAID.search(plain, max(0, match.start() - 12), match.start()) is not None
    return said and _SAID_ALL.match(plain, match.end("part")) is not None
