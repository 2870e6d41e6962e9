"""Numbers in words, rewritten in digits where no other reading is possible.

``4.3 times ten to the minus nine`` is ``4.3×10^-9``, ``1 million`` is ``1×10^6``,
``zero point five`` is ``0.5`` and ``1½`` is ``1.5``. Single words ("three") stay:
whether they count anything is for the readers of each kind.
"""

from __future__ import annotations

import re

from grader.answer.number_words import CARDINALS, ORDINALS
from grader.answer.traced import Piece, Traced

_TENS = ("twenty", "thirty", "forty")
_VALUES = {
    **{word: place for place, word in enumerate(CARDINALS)},
    **{word: place for place, word in enumerate(ORDINALS)},
    **{word: 10 * place for place, word in enumerate(_TENS, 2)},
    **{word[:-1] + "ieth": 10 * place for place, word in enumerate(_TENS, 2)},
}
_DIGIT = "|".join(CARDINALS[:10])
_WORD = "|".join(sorted(_VALUES, key=len, reverse=True))
_SPOKEN = re.compile(
    r"\b(?:10|ten)[ ]to[ ]|illion\b|\bthousand\b|[a-z][ ]point[ ][a-z]|[0-9][ ][1-9]/[1-9]|multiplied|"
    r"times[ ]10[ ]?\^",
    re.I,
)
"""Something of the kind; most texts hold none."""
_POWER = re.compile(
    rf"(?:\b(?P<count>{_DIGIT}|ten)(?=[ ](?:times|multiplied)\b))?"
    r"(?P<times>[ ]?(?:\btimes|\bmultiplied[ ]by|[xX×·*])[ ]?)?(?<![\w.,])(?:10|ten)[ ]to(?P<the>[ ]the)?"
    r"(?P<power>[ ]power)?(?:[ ]of)?[ ](?P<sign>minus[ ]|negative[ ]|plus[ ]|[-+])?"
    rf"(?:(?P<digits>[0-9]{{1,3}})(?:st|nd|rd|th)?|(?P<words>(?:{_WORD})(?:[- ](?:{_WORD}))?))\b"
    r"(?:[ ]power\b)?",
    re.I,
)
_LARGE = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_MULTIPLE = re.compile(
    rf"(?:(?<=[0-9])|\b(?P<count>{_DIGIT}|ten|an?))[ ](?P<large>{'|'.join(_LARGE)})\b(?![- ](?:fold|times))",
    re.I,
)
_POINT = re.compile(
    rf"(?<!\bat )\b(?P<whole>(?:{_WORD}|nought|oh))[ ]point(?P<rest>(?:[ ](?:{_DIGIT}|nought|oh)\b){{1,8}})",
    re.I,
)
_MIXED = re.compile(
    r"(?<![\w.,/^])(?P<whole>[0-9]{1,3})[ ](?P<up>[1-9])/(?P<down>[2-9]|10)(?![0-9/]|\.[0-9]|[ ]of\b)"
)
_BY = re.compile(r"(?<=[0-9)])[ ](?:times|multiplied[ ]by)[ ](?=10[ ]?\^)", re.I)


def rewrite(traced: Traced) -> None:
    """Rewrite numbers in words in place."""
    if _SPOKEN.search(traced.text) is None:
        return
    traced.sub(_POINT, _decimal)
    traced.sub(_POWER, _power)
    traced.sub(_MULTIPLE, _multiple)
    traced.sub(_MIXED, _mixed)
    traced.sub(_BY, lambda match: ("×",))


def _value(words: str) -> int:
    """A number below fifty in words, cardinal or ordinal."""
    return sum(_VALUES[word] for word in re.split("[- ]", words.casefold()))


def _power(match: re.Match[str]) -> tuple[Piece, ...]:
    negative = (match["sign"] or "").strip().casefold() in ("minus", "negative", "-")
    if not (match["power"] or (match["the"] and (match["times"] or negative))):
        return (match.span(),)
    count = str(_VALUES[match["count"].casefold()]) if match["count"] else ""
    exponent = int(match["digits"]) if match["digits"] else _value(match["words"])
    return (f"{count}{'×' if match['times'] else ''}10^{'-' if negative else ''}{exponent}",)


def _multiple(match: re.Match[str]) -> tuple[Piece, ...]:
    count = (match["count"] or "").casefold()
    digits = "1" if count in ("a", "an") else str(_VALUES[count]) if count else ""
    return (f"{digits}×10^{_LARGE[match['large'].casefold()]}",)


def _decimal(match: re.Match[str]) -> tuple[Piece, ...]:
    digits = [0 if word in ("nought", "oh") else _VALUES[word] for word in match["rest"].casefold().split()]
    whole = match["whole"].casefold()
    return (f"{_VALUES.get(whole, 0)}.{''.join(map(str, digits))}",)


def _mixed(match: re.Match[str]) -> tuple[Piece, ...]:
    return (f"{int(match['whole']) + int(match['up']) / int(match['down']):.8g}",)
