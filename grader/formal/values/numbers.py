"""Numbers as chemists write them: ``1.8 × 10^-5``, ``6.022E23``, ``12 345,6``, ``0.0999(9)``, ``.36``."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SPACE_GROUPS = re.compile(r"[1-9][0-9]{0,2}(?:[ ][0-9]{3})+(?![0-9])(?:[.,][0-9]+)?")
_MIXED_GROUPS = re.compile(r"[1-9][0-9]{0,2}(?:(?:,[0-9]{3})+\.[0-9]+|(?:\.[0-9]{3})+,[0-9]+)(?![0-9])")
_COMMA_GROUPS = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?![0-9,])")
_DOT_GROUPS = re.compile(r"[1-9][0-9]{0,2}(?:\.[0-9]{3}){2,}(?![0-9.])")
_QUOTE_GROUPS = re.compile(r"[1-9][0-9]{0,2}(?:'[0-9]{3})+(?![0-9])(?:\.[0-9]+)?")
_SIMPLE = re.compile(r"(?:[0-9]+(?:[.,][0-9]+)?|[.][0-9]+)")
_POWER_OF_TEN = re.compile(
    r"[eE]([-+]?[0-9]{1,4})(?![0-9A-Za-z])|[ ][eE]([-+][0-9]{1,4})(?![0-9A-Za-z])"
    r"|(?:[ ]?[×xX·* ][ ]?|[ ]\.[ ](?=10[ ]?\^))10"
    r"(?:[ ]?\^[ ]?(?:\([ ]?([-+]?[ ]?[0-9]{1,4})[ ]?\)|([-+]?[ ]?[0-9]{1,4}))|"
    r"([-+][0-9]{1,3}))(?![0-9A-Za-z])"
)
_FLAT_POWER = re.compile(r"[ ]?[×x][ ]?(10[0-9]{1,2})(?![0-9.,])")
"""A power of ten whose exponent may have sunk to the line: 6.02 x 1023."""
_CONCISE = re.compile(r"\([0-9]{1,2}\)(?![0-9])")
_CONCISE_WHOLE = re.compile(r"\([1-9][0-9]?\)(?=[ ]?(?:[A-Za-zμΩ%°]|$|[.;,\n](?![0-9])|[×x*][ ]?10\^))")
"""An uncertainty of the last digits of a whole number; before an operator it is a factor."""
_NEVER = re.compile(r"(?!)")
_DECIMAL_COMMA = re.compile(r"(?<![0-9,.])(?:0,[0-9]+|[0-9]+,(?:[0-9]{1,2}|[0-9]{4,}))(?![0-9,]|-?[A-Za-z])")
_HUGE = 300
"""The greatest power of ten that is read."""


@dataclass(frozen=True, slots=True)
class Number:
    """One number as written."""

    value: float
    start: int
    end: int
    figures: tuple[int, int]
    """The least and the greatest count of significant figures it can be read with."""
    other: float | None = None
    """A second reading: ``2,500`` as 2.5."""


def significant_figures(digits: str, decimal: bool) -> tuple[int, int]:
    """How many significant figures a mantissa has, at least and at most."""
    bare = re.sub("[^0-9]", "", digits).lstrip("0")
    if decimal:
        return (max(len(bare), 1),) * 2
    return max(len(bare.rstrip("0")), 1), max(len(bare), 1)


def european(plain: str) -> bool:
    """Whether a text writes decimal commas."""
    return _DECIMAL_COMMA.search(plain) is not None


def _mantissa(plain: str, at: int, comma: bool) -> tuple[str, str, str | None] | None:
    """The mantissa at a position: as written, as a Python float, and its other reading."""
    if match := _MIXED_GROUPS.match(plain, at):
        text = match.group()
        thousands, decimal = (",", ".") if text.rfind(".") > text.rfind(",") else (".", ",")
        return text, text.replace(thousands, "").replace(decimal, "."), None
    if (
        match := _SPACE_GROUPS.match(plain, at)
        or _QUOTE_GROUPS.match(plain, at)
        or _DOT_GROUPS.match(plain, at)
    ):
        text = match.group()
        grouped = text.count(".") > 1
        return text, re.sub("[ ']", "", text.replace(".", "") if grouped else text.replace(",", ".")), None
    if match := _COMMA_GROUPS.match(plain, at):
        text = match.group()
        single = text.count(",") == 1
        point = text.replace(",", ".") if single else None
        whole = text.replace(",", "")
        if single and (comma or _POWER_OF_TEN.match(plain, match.end())):
            return text, text.replace(",", "."), None
        return text, whole, point
    match = _SIMPLE.match(plain, at)
    return (match.group(), match.group().replace(",", "."), None) if match else None


def read_number(plain: str, at: int, comma: bool = False) -> Number | None:
    """The unsigned number that starts at a plain position."""
    read = _mantissa(plain, at, comma)
    if read is None:
        return None
    text, value, second = read
    end = at + len(text)
    figures = significant_figures(text, "." in value)
    if concise := (_CONCISE if "." in value else _CONCISE_WHOLE if len(value) > 1 else _NEVER).match(
        plain, end
    ):
        end = concise.end()
    if (flat := _FLAT_POWER.match(plain, end)) and second is None and 1 <= float(value) < 10:
        product = float(value) * float(flat.group(1))
        return Number(product, at, flat.end(), figures, float(value) * 10.0 ** int(flat.group(1)[2:]))
    power = power_of_ten(plain, end)
    exponent, end = power if power else (0, end)
    if abs(exponent) > _HUGE or len(value) > _HUGE:
        return None
    number = float(f"{value}e{exponent}")
    return Number(number, at, end, figures, float(second) * 10.0**exponent if second else None)


def power_of_ten(plain: str, at: int) -> tuple[int, int] | None:
    """The exponent of a power of ten that scales what ends at a position, and where it ends itself."""
    match = _POWER_OF_TEN.match(plain, at)
    if match is None:
        return None
    written = next(group for group in match.groups() if group)
    return int(written.replace(" ", "")), match.end()
