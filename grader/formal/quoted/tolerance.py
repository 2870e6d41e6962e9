"""The tolerance that a rubric's text writes behind a value."""

from __future__ import annotations

import re
from dataclasses import dataclass

from grader.answer.notation import Text, normalise
from grader.formal.values.units import Unit, read_unit

_NUMBER = r"-?\d+(?:\.\d+)?(?:\s?[x×*·]\s?10\^-?\d+|e-?\d+)?"
_OPENS = r"[\s,;:]{0,3}[(\[]?\s?"
_BY = rf"(?P<by>{_NUMBER})\s?(?P<share>%|percent\b|per cent\b)?"
_WITHIN = r"(?:accept\w*|allow\w*|tolerance|within|to within)"
_PLUS_MINUS = re.compile(rf"(?:{_OPENS}(?:{_WITHIN}:?\s)?)?(?:±|\+/-|\+-)\s?{_BY}", re.I)
_STATED = re.compile(rf"{_OPENS}(?:accept\w*\s|allow\w*\s)?(?:within|tolerance:?(?:\sof)?)\s{_BY}", re.I)
_TO = r"\s?(?:-|to|and|\.\.\.?)\s?"
_ENDS = rf"(?P<low>{_NUMBER})(?P<unit>\s?[^\d\s,;()^]{{0,8}}){_TO}(?P<high>{_NUMBER})"
_ACCEPTED = re.compile(
    rf"{_OPENS}(?:accept\w*|allow\w*|tolerance|any(?:thing| value| answer))[:\s](?:\s?(?:values?|answers?|"
    rf"anything|results?|a|the|range|in|of|from|between|are|is))*\s?{_ENDS}",
    re.I,
)
_BOUNDS = re.compile(
    rf"{_OPENS}{_ENDS}\s?[^\s()]{{0,12}}\s(?:is |are )?(?:also )?(?:accept\w*|allowed|right|correct|"
    r"fine|ok)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Tolerance:
    """The middle and the half width of what is accepted, in the value's unit, and where the text says so."""

    middle: float
    half: float
    span: tuple[int, int]


def tolerance(text: str, start: int, end: int, value: float, unit: Unit | None) -> Tolerance | None:
    """The tolerance of the value at ``text[start:end]``: within it, or right behind it and nowhere else."""
    for low, pattern in ((start, None), (end, _PLUS_MINUS), (end, _STATED), (end, _ACCEPTED), (end, _BOUNDS)):
        plain = normalise(text[low : end if pattern is None else len(text)])
        found = pattern.match(plain.plain) if pattern else _PLUS_MINUS.search(plain.plain)
        if found is None or _elsewhere(plain, found, unit):
            continue
        bounds = _read(found, value)
        if bounds is not None:
            first, last = plain.raw_span(*found.span())
            return Tolerance(*bounds, (low + first, low + last))
    return None


def _elsewhere(plain: Text, found: re.Match[str], unit: Unit | None) -> bool:
    """Whether the tolerance is given in another unit than the value."""
    named = found.groupdict()
    if named.get("share"):
        return False
    end = found.end("high" if named.get("high") else "by")
    written = read_unit(plain.plain, end + (plain.plain[end : end + 1] == " "))
    return written is not None and (unit is None or written.factors != unit.factors)


def _read(found: re.Match[str], value: float) -> tuple[float, float] | None:
    named = found.groupdict()
    if named.get("by"):
        by = abs(_number(named["by"]))
        return value, by / 100 * abs(value) if named["share"] else by
    low, high = sorted((_number(named["low"]), _number(named["high"])))
    return ((low + high) / 2, (high - low) / 2) if low <= value <= high and low < high else None


def _number(written: str) -> float:
    return float(re.sub(r"\s?[x×*·]\s?10\^", "e", written))
