"""The expected value of a check in readable form, and whether a text has it in writing.

Letters and digits are compared, not chemistry: what a model is shown must not
hang on whether Java is there, and a value that is written twice does no harm.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from grader.answer.notation import normalise
from grader.answer.number_words import CARDINALS
from grader.formal.values.numbers import read_number
from grader.problem.checks import (
    BooleanCheck,
    CheckModel,
    ChoiceCheck,
    IntegerCheck,
    OxidationStateCheck,
    QuantityCheck,
    SequenceCheck,
    SetCheck,
)

_NEAR = 0.01
"""How far a number may be off that a check without a tolerance is written as."""
_DIGIT = re.compile(r"(?<![\w.,])[0-9.]|(?<=[=<>~≈-])[0-9.]")
_ROMAN = ("0", "I", "II", "III", "IV", "V", "VI", "VII", "VIII")
_DENIED = re.compile(r"\b(?:no|not|never|neither|none|cannot|isn't|doesn't|false|without)\b", re.IGNORECASE)
_AFFIRMED = re.compile(r"\b(?:yes|true)\b", re.IGNORECASE)


def readable(check: CheckModel) -> str:
    """The expected value as a reader writes it."""
    match check:
        case QuantityCheck():
            unit = "" if check.unit in (None, "dimensionless") else check.unit
            return f"{_number(check.expected)} {unit}".strip()
        case BooleanCheck():
            said = f"{check.statement.rstrip('.')}: " if check.statement else ""
            return said + ("yes" if check.expected else "no")
        case ChoiceCheck():
            letters = _letters(check)
            return ", ".join(
                f"{letter} ({check.texts[letter]})" if letter in check.texts else letter for letter in letters
            )
        case SetCheck() | SequenceCheck():
            order = f" ({check.order})" if isinstance(check, SequenceCheck) and check.order else ""
            return ", ".join(_item(item) for item in check.expected) + order
        case OxidationStateCheck():
            return f"{check.expected:+d}" if isinstance(check.expected, int) else check.expected
        case _:
            return str(getattr(check, "expected", ""))


def states(text: str, check: CheckModel) -> bool:
    """Whether the expected value stands in a text."""
    match check:
        case QuantityCheck():
            tolerances = (check.abs_tol or 0.0, (check.rel_tol or 0.0) * abs(check.expected))
            near = max(tolerances) or _NEAR * abs(check.expected)
            return any(abs(abs(value) - abs(check.expected)) <= near for value in _numbers(text))
        case IntegerCheck():
            return _counts(text, check.expected)
        case BooleanCheck():
            return (_AFFIRMED if check.expected else _DENIED).search(text) is not None
        case ChoiceCheck():
            return all(
                _letter(text, one) or _written(text, check.texts.get(one, "")) for one in _letters(check)
            )
        case SetCheck() | SequenceCheck():
            return all(_is_item(text, item) for item in check.expected)
        case OxidationStateCheck():
            return any(_written(text, spelling) for spelling in _oxidation(check.expected))
        case _:
            spellings = (getattr(check, "expected", ""), *getattr(check, "aliases", ()))
            return any(_written(text, one, words=check.kind in ("name", "label")) for one in spellings)


def _number(value: float) -> str:
    """A number in as many digits as it was given, large and small ones with a power of ten."""
    if value == 0 or 1e-3 <= abs(value) < 1e6:
        return f"{value:.12g}"
    mantissa, _, exponent = f"{value:.11e}".partition("e")
    return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"


def _item(item: str | float) -> str:
    return item if isinstance(item, str) else _number(item)


def _is_item(text: str, item: str | float) -> bool:
    if isinstance(item, str):
        return _written(text, item)
    return any(abs(value - item) <= _NEAR * abs(item) for value in _numbers(text))


def _numbers(text: str) -> Iterator[float]:
    plain = normalise(text).plain
    at = 0
    while match := _DIGIT.search(plain, at):
        number = read_number(plain, match.start())
        at = number.end if number else match.end()
        if number:
            yield number.value
            if number.other is not None:
                yield number.other


def _counts(text: str, expected: int) -> bool:
    """Whether a whole number stands by itself, in digits or as a word."""
    if 0 <= expected < len(CARDINALS) and re.search(rf"\b{CARDINALS[expected]}\b", text, re.IGNORECASE):
        return True
    return any(value == abs(expected) for value in _numbers(text))


def _letters(check: ChoiceCheck) -> list[str]:
    return (
        [letter.strip() for letter in check.expected.split(",")]
        if check.multiple
        else [check.expected.strip()]
    )


def _letter(text: str, letter: str) -> bool:
    """Whether an option's letter stands by itself; an ``A`` before a word is an article."""
    article = r"(?! [a-z])" if letter == "A" else ""
    return re.search(rf"(?<!\w){re.escape(letter)}(?!\w){article}", text) is not None


def _oxidation(expected: int | str) -> Iterator[str]:
    if isinstance(expected, str):
        yield expected
        return
    yield f"{expected:+d}"
    yield f"{abs(expected)}{'-' if expected < 0 else '+'}"
    if 0 <= expected < len(_ROMAN):
        yield _ROMAN[expected]


def _written(text: str, spelling: str, *, words: bool = False) -> bool:
    """Whether a spelling stands in a text by itself, blanks and LaTeX aside; ``words`` of any case."""
    return any(
        _stands_in(one, whole, re.IGNORECASE if words else 0)
        for one, whole in ((spelling, text), (_bare(spelling), _bare(text)))
        if one.strip()
    )


def _stands_in(spelling: str, text: str, flags: int) -> bool:
    letters = [char for char in spelling if not char.isspace()]
    first, last = (r"(?<!\w)" if letters[0].isalnum() else ""), (r"(?!\w)" if letters[-1].isalnum() else "")
    return re.search(first + r"\s?".join(map(re.escape, letters)) + last, text, flags) is not None


def _bare(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"[\^_{}$]", "", normalise(text).plain))
