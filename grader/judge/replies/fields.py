"""The fields of one verdict: what each may hold, and that they agree with each other."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, NoReturn

from grader.judge.replies.documents import UNSEEN
from grader.judge.replies.entries import Entry, fields
from grader.judge.replies.replied import ReplyError, ReplyVerdict, Word

_WORDS: Mapping[str, Word] = {
    **{"met": "met", "not_met": "not_met", "partial": "partial", "cannot_assess": "cannot_assess"},
    **{
        "not met": "not_met",
        "unmet": "not_met",
        "partially met": "partial",
        "cannot assess": "cannot_assess",
    },
}
_BETWEEN_WORDS = re.compile(r"[\s_-]+")
_NUMBER = r"[-+−]?(?:[0-9]+(?:\.[0-9]*|,(?![0-9]{3}(?![0-9]))[0-9]+)?|[.,][0-9]+)(?:[eE][-+]?[0-9]+)?"
"""With a decimal point or comma; three digits after a comma might be thousands."""
_POINTS = re.compile(
    rf"({_NUMBER}|[-+−]?(?:inf|infinity|nan))"
    rf"(?:\s*(?:/|of|out of)\s*({_NUMBER}))?(?:\s*(?:points?|pts?|marks?))?",
    re.I,
)
_CONFIDENCE = re.compile(rf"({_NUMBER})\s*(%?)")
_NONE = frozenset({None})
_DUST = 1e-14
"""What binary arithmetic leaves of a sum of tenths, relative to the marks; 0.9999999999999 of 1 is a part."""
_ROUNDED = range(5, 16)
"""Decimals of a third that stands for the third itself: judges are shown six digits."""


def verdict_of(entry: Entry, worth: float) -> ReplyVerdict:
    """The verdict of an entry on a point worth so many marks.

    Raises ReplyError: unparseable for words and types that mean nothing here,
    out_of_range for numbers that can't be, or that contradict the verdict.
    """
    said = fields(entry.said)
    point = entry.point
    words = {_word_of(point, value) for value in said.get("verdict") or said.get("judged") or ()}
    points = {_points(point, value, worth) for value in said.get("points", ())} - _NONE
    confidences = {_confidence_of(point, value) for value in said.get("confidence", ())} - _NONE
    if not words:
        _unparseable(point, "has no verdict")
    if len(words) > 1 or len(points) > 1 or len(confidences) > 1:
        _unparseable(point, "has values that contradict each other")
    word = words.pop()
    return ReplyVerdict(
        word,
        _awarded(point, word, points.pop() if points else None, worth),
        text_of(said.get("evidence", ()), " … "),
        text_of(said.get("rationale", ()), " "),
        _confidence(point, confidences.pop() if confidences else None),
    )


def text_of(values: Any, between: str) -> str:
    """The text of a field; several passages are joined, and what is no text is left out.

    Half a surrogate pair becomes U+FFFD: no archive could write it.
    """
    if isinstance(values, str):
        return (
            values
            if values.isascii()
            else values.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        )
    if isinstance(values, (list, tuple)):
        if len(values) == 1:
            return text_of(values[0], between)
        return between.join(text for value in values if (text := text_of(value, between)))
    return ""


def _word_of(point: str, value: object) -> Word:
    if isinstance(value, bool):
        return "met" if value else "not_met"
    if isinstance(value, str):
        word = _WORDS.get(value) or _WORDS.get(_BETWEEN_WORDS.sub(" ", value.strip(UNSEEN)).casefold())
        if word:
            return word
    _unparseable(point, f"has no verdict of the list: {_brief(value)}")


def _points(point: str, value: object, worth: float) -> float | None:
    """A number of points as it was given; None for none."""
    if isinstance(value, str):
        text = value.strip(UNSEEN)
        if not text:
            return None
        found = _POINTS.fullmatch(text)
        if not found:
            _unparseable(point, f"has no number of points: {_brief(value)}")
        if found[2] and not _whole(_float(found[2]), worth):
            _out_of_range(point, f"{_brief(value)} isn't out of {worth:g}")
        return _float(found[1])
    return _number(point, value)


def _awarded(point: str, word: Word, given: float | None, worth: float) -> float | None:
    if given is not None and not (0 < given < worth or _none(given, worth) or _whole(given, worth)):
        _out_of_range(point, f"{given!r} points aren't from 0 to {worth:g}")
    if word == "partial":
        if given is None:
            _unparseable(point, "is partial, without a number of points")
        if _none(given, worth) or _whole(given, worth):
            _out_of_range(point, f"is partial with {given!r} of {worth:g} points")
        return given
    # A schema that demands a number gets a 0 with what can't be assessed.
    award = worth if word == "met" else 0.0
    if given is not None and not (_whole if word == "met" else _none)(given, worth):
        _out_of_range(point, f"is {word} with {given!r} of {worth:g} points")
    return None if word == "cannot_assess" else award


def _confidence(point: str, given: float | None) -> float | None:
    if given is not None and not 0 <= given <= 1:
        _out_of_range(point, f"has the confidence {given:g}, which isn't from 0 to 1")
    return given


def _confidence_of(point: str, value: object) -> float | None:
    if not isinstance(value, str):
        return _number(point, value)
    text = value.strip(UNSEEN)
    if not text:
        return None
    found = _CONFIDENCE.fullmatch(text)
    if not found:
        _unparseable(point, f"has no number as its confidence: {_brief(value)}")
    return _float(found[1]) / 100 if found[2] else _float(found[1])


def _number(point: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        _unparseable(point, f"has no number where one belongs: {_brief(value)}")
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _brief(value: object) -> str:
    return repr(value)[:60] if isinstance(value, (str, float, bool)) else type(value).__name__


def _float(text: str) -> float:
    return float(text.replace(",", ".").replace("−", "-"))


def _none(given: float, worth: float) -> bool:
    return abs(given) <= _DUST * worth


def _whole(given: float, worth: float) -> bool:
    """It is the point's marks, as the machine adds them up or as people round them."""
    return abs(given - worth) <= _DUST * worth or any(round(worth, digits) == given for digits in _ROUNDED)


def _unparseable(point: str, what: str) -> NoReturn:
    raise ReplyError("unparseable", f"{point} {what}")


def _out_of_range(point: str, what: str) -> NoReturn:
    raise ReplyError("out_of_range", f"{point}: {what}", point=point)
