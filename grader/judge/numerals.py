"""Where a number goes on: its sign, fraction, groups of thousands, and power of ten."""

from __future__ import annotations

import re

_MINUS = "-−–—‐‑±⁻﹣－➖˗"
_DASH = "[-−–‐‑⁻﹣－]"
_TIMES = r"(?:[x×·⋅∙*✕⨯]|\\times|\\cdot)"
_GAP = r"[\s$]{0,3}"
_RAISED = rf"(?:\$?\^|\*\*|[⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹]|<sup>|{_DASH}\s?[0-9])"
_POWER = re.compile(rf"{_GAP}{_TIMES}{_GAP}10\s?{_RAISED}")
_BEFORE_POWER = re.compile(rf"[0-9]{_GAP}{_TIMES}{_GAP}$")
_POWER_OF_TEN = re.compile(rf"10\s?{_RAISED}")
_IN_POWER = re.compile(rf"{_TIMES}{_GAP}10\s?{_DASH}?$")
_REST_OF_POWER = re.compile(rf"\s?{_DASH}?\s?[0-9]")

_SPACE = r"(?:[^\S\n\r\v\f]|['’_]|\\[,;: ]|\{,\}|~)"
"""What may part the thousands of a number, beside commas and points."""
_GROUPED = re.compile(
    rf"(?<![\w.,])(?:[0-9]{{1,3}}(?:{_SPACE}[0-9]{{3}})*|[0-9]+[.,][0-9]{{3}}(?:{_SPACE}[0-9]{{3}})*)({_SPACE}?)$"
)
_NEXT_GROUP = re.compile(rf"({_SPACE}?)[0-9]{{3}}(?![0-9])")

_SLASH = r"(?:\s?[/⁄∕]\s?|:)"
_BEFORE_SLASH = re.compile(rf"[0-9]{_SLASH}$")
_SLASHED = re.compile(rf"{_SLASH}[0-9]")
_WHOLE = re.compile(r"(?<![\w.,])[0-9]+\s?$")
_FRACTION = re.compile(r"[0-9]+[/⁄∕][0-9]|[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]")
_FRACTION_NEXT = re.compile(rf"\s(?:{_FRACTION.pattern})")

_DRESSING = " \t\n\r\xa0\u2000\u2009\u200a\u202f\u3000*_`'\"${}(\\"
"""What may stand between a sign and its number, beside commas and the like behind a backslash."""
_EQUALS = "=≈~<>≤≥∝(:,;[{"
_LEADING = frozenset(
    {"is", "was", "are", "be", "of", "to", "by", "at", "from", "than", "or", "and", "equal", "equals", "give"}
    | {"gives", "about", "around", "roughly", "approximately"}
)
"""Words behind which a minus apart from its number is a sign."""


def last_word(text: str) -> str:
    """The letters and digits that a text ends with."""
    at = len(text)
    while at and text[at - 1].isalnum():
        at -= 1
    return text[at:]


def divides(head: str, tail: str) -> bool:
    """Whether a cut between two pieces of text falls inside a number."""
    before, after = head[-1], tail[0]
    if before.isdigit() and _goes_on(head, tail):
        return True
    if not after.isdigit():
        return False
    if before in ".,":
        return head[-2:-1].isdigit() or not head[-2:-1].isalnum()
    return _signed(head) or _began(head, tail)


def _goes_on(head: str, tail: str) -> bool:
    """The number that ends here has decimals, a denominator, more groups or a power of ten behind it."""
    if tail[0] in ".," and tail[1:2].isdigit():
        return True
    if _POWER.match(tail) or _SLASHED.match(tail) or _grouped(head, tail):
        return True
    if _REST_OF_POWER.match(tail) and _IN_POWER.search(head):
        return True
    return _FRACTION_NEXT.match(tail) is not None and _WHOLE.search(head) is not None


def _began(head: str, tail: str) -> bool:
    """With what is before it, the number that begins here is a fraction, a group of digits or a power."""
    if head.rstrip()[-1:] in tuple("/⁄∕:") and _BEFORE_SLASH.search(head):
        return True
    if _grouped(head, tail) or ("10" in head[-6:] and _IN_POWER.search(head)):
        return True
    if _POWER_OF_TEN.match(tail) and _BEFORE_POWER.search(head):
        return True
    return _FRACTION.match(tail) is not None and _WHOLE.search(head) is not None


def _grouped(head: str, tail: str) -> bool:
    """A cut before, behind or between the spaces of ``10 000``."""
    behind = _NEXT_GROUP.match(tail)
    before = _GROUPED.search(head) if behind else None
    return behind is not None and before is not None and bool(before[1]) != bool(behind[1])


def _signed(head: str) -> bool:
    """The number that begins here has a sign before it."""
    close = _undressed(head)
    if not close or close[-1] not in _MINUS:
        return last_word(close).casefold() in ("minus", "negative")
    spaced = any(char.isspace() for char in head[len(close) :])
    further = close[:-1].rstrip() if spaced else _undressed(close[:-1])
    if not spaced:
        return not further or not (further[-1].isalnum() or further[-1] in ")]}")
    if not further or further[-1] in _EQUALS or last_word(further) in _LEADING:
        return True
    # A hyphen at the start of a line is an item of a list, a true minus isn't.
    return close[-1] in "−⁻﹣－" and close[:-1].rstrip(" \t").endswith("\n")


def _undressed(head: str) -> str:
    close = head.rstrip(_DRESSING)
    while close[-2:-1] == "\\":
        close = close[:-2].rstrip(_DRESSING)
    return close
