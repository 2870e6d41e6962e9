"""Where a text may be cut without cutting a number, a word or a formula."""

from __future__ import annotations

import re
import unicodedata

_MINUS = "-−–—‐‑±"
_SUPERSCRIPT = "⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹"
_APOSTROPHE = "'’"
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"
)
"""Scripts that put no space between words."""
_POWER = re.compile(r"\s?(?:[x×·⋅*]|\\times|\\cdot)\s?10\s?(?:\^|\*\*|[⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹])")
_BEFORE_POWER = re.compile(r"[0-9]\s?(?:[x×·⋅*]|\\times|\\cdot)\s?$")
_POWER_OF_TEN = re.compile(r"10\s?(?:\^|\*\*|[⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹])")
_EXPONENT = re.compile(r"[eE][-+−]?[0-9]")
_TOKEN_BEFORE = re.compile(r"[^\W_]*$")
_EQUALS = "=≈~<>≤≥"
_NEAR = 40
"""Characters before a cut that are looked at."""


def inside(text: str, at: int) -> bool:
    """Whether a cut at this place falls inside a number, a word, a formula or a character."""
    if at in (0, len(text)):
        return False
    before, after = text[at - 1], text[at]
    if before.isspace() and not after.isdigit():
        return False
    return (
        unicodedata.combining(after) != 0
        or (before.isalnum() and after.isalnum() and _in_token(text, at))
        or _in_number(text, at)
        or _at_script(text, at)
        or _at_apostrophe(text, at)
    )


def _in_token(text: str, at: int) -> bool:
    """Between two letters or digits only a number and its unit, or a coefficient and its formula, part."""
    if _UNSPACED.match(text[at - 1]) or _UNSPACED.match(text[at]):
        return False
    token = _TOKEN_BEFORE.search(text[max(0, at - _NEAR) : at])
    number = token is not None and token[0].isdecimal()
    return not number or text[at].isdigit() or _EXPONENT.match(text, at) is not None


def _in_number(text: str, at: int) -> bool:
    before, after = text[at - 1], text[at]
    if before.isdigit():
        return (after in ".," and text[at + 1 : at + 2].isdigit()) or _POWER.match(text, at) is not None
    if not after.isdigit():
        return False
    if before in ".,":
        return text[max(0, at - 2) : at - 1].isdigit()
    return _signed(text, at) or _is_power(text, at)


def _signed(text: str, at: int) -> bool:
    """The number that begins here has a sign before it."""
    head = text[max(0, at - _NEAR) : at]
    close = head.rstrip()
    if not close or close[-1] not in _MINUS:
        return False
    further = close[:-1].rstrip()
    if close == head:
        return not further or not (further[-1].isalnum() or further[-1] in ")]}")
    return bool(further) and further[-1] in _EQUALS


def _is_power(text: str, at: int) -> bool:
    """The power of ten that begins here has its factor before it."""
    if not _POWER_OF_TEN.match(text, at):
        return False
    return _BEFORE_POWER.search(text[max(0, at - _NEAR) : at]) is not None


def _at_script(text: str, at: int) -> bool:
    """A subscript, exponent or charge begins here, or just began."""
    before, after = text[at - 1], text[at]
    if after in _SUPERSCRIPT:
        return before.isalnum() or before in ")]}" + _SUPERSCRIPT
    if after in "^_":
        follows = text[at + 1 : at + 2]
        return (before.isalnum() or before in ")]}") and (follows.isalnum() or follows in tuple("{\\-+−"))
    return before in "^_" and after.isalnum() and text[max(0, at - 2) : at - 1].isalnum()


def _at_apostrophe(text: str, at: int) -> bool:
    """A word goes on before or behind its apostrophe."""
    if text[at] in _APOSTROPHE:
        return text[at - 1].isalpha() and text[at + 1 : at + 2].isalpha()
    return text[at - 1] in _APOSTROPHE and text[at].isalpha() and text[max(0, at - 2) : at - 1].isalpha()
