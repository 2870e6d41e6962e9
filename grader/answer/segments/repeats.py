"""Summaries: where they start, and whether they say anything that the answers don't."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence, Set

from grader.answer.notation import normalise
from grader.answer.segments.headings import Line, Tier

_EPILOGUE = re.compile(
    r"[^\w(]{0,4}(?:(?:in|a|the|to)[ ])?"
    r"(?:(?:overall|final|brief|quick|short|concise|complete|full|compact)[ ])?"
    r"(?P<what>summary|summari[sz]e|conclusions?|concluding remarks|final remarks|recap|results?|answers?|"
    r"take-?aways?)"
    r"(?:[ ](?:of|for)(?:[ ]\w+){1,4}|[ ](?:summary|table|overview|list|at a glance|sheet|key))?"
    r"(?=[ ]?[*_]{0,3}(?:[:.*_<}]|$|[ ]\())",
    re.I,
)
_PLURAL = re.compile(r"summar|recap|answers|results|remarks|take-?aways", re.I)
_NUMBER = re.compile(
    r"(?<![\w.])(?:[0-9]{1,3}(?:[ ,][0-9]{3})+(?![0-9])|[0-9]+)(?:\.[0-9]+)?|(?<![\w.])\.[0-9]+"
)
_POWER = re.compile(r"[ ]?[×x·*][ ]?10[ ]?\^?\(?[ ]?([-+]?[0-9]{1,3})\)?|[eE]([-+]?[0-9]{1,3})(?![\w])")
_TOKEN = re.compile(r"[^\s,;:|]{2,400}")
_SYMBOLIC = re.compile(r"(?=.{0,400}[A-Z])(?=.{0,400}[0-9()\[\]=@+#])[-+A-Za-z0-9()\[\]=@#/\\.^_]+")
_WORDS = re.compile(
    r"(?<![\w-])(?:yes|no|not|true|false|increas|decreas|higher|lower|larger|smaller|endothermic|exothermic|"
    r"cis|trans|left|right|first|second|zero|faster|slower|[RSEZ](?=\)))",
    re.I,
)
_CLOSE = 0.5000001


def epilogue(lines: Sequence[Line], after: int, tier: Tier, depth: int, rules: Set[int]) -> int | None:
    """Where a summary of the whole response starts after a place.

    A heading of the parts' own level or above it, or words that can only mean
    several answers; "Final answer" below a part is the part's own.
    """
    for line in lines:
        if line.start <= after:
            continue
        match = _EPILOGUE.match(line.content)
        if match is None or not _set_apart(line, match):
            continue
        above = line.tier is Tier.HEADING and (tier is not Tier.HEADING or line.depth <= depth)
        ruled = line.start in rules
        several = _PLURAL.search(match["what"]) is not None and line.tier < Tier.HEADING
        if above or ruled or several:
            return line.start
    return None


def _set_apart(line: Line, match: re.Match[str]) -> bool:
    """Whether a line is a heading or ends in a colon after the words."""
    rest = line.content[match.end() :].lstrip(" *_")
    return line.tier >= Tier.BOLD or (rest.startswith(":") and len(rest.rstrip()) < 3)


def nothing_new(said: str, before: str) -> bool:
    """Whether every value, formula and direction of a passage stands in an earlier one, rounded at most."""
    mine, theirs = normalise(said).plain, normalise(before).plain
    known = sorted(value for value, _ in _numbers(theirs))
    return (
        _symbols(mine) <= _symbols(theirs)
        and _polarity(mine) <= _polarity(theirs)
        and all(_rounded(value, unit, known) for value, unit in _numbers(mine))
    )


def says_values(said: str) -> bool:
    """Whether a passage holds anything that can be compared."""
    plain = normalise(said).plain
    return bool(_symbols(plain) or _numbers(plain))


def _numbers(plain: str) -> list[tuple[float, float]]:
    """The magnitudes in a text, each with one unit of its last digit."""
    found: set[tuple[float, float]] = set()
    for match in _NUMBER.finditer(plain):
        digits = match.group().replace(" ", "").replace(",", "")[:40]
        power = _POWER.match(plain, match.end())
        exponent = int(power[1] or power[2]) if power else 0
        unit = exponent - len(digits.partition(".")[2])
        if abs(exponent) < 200:
            found.add((float(f"{digits}e{exponent}"), float(f"1e{unit}")))
    return sorted(found)


def _rounded(value: float, unit: float, known: Sequence[float]) -> bool:
    """Whether one of some sorted magnitudes is the number, or rounds to it."""
    at = bisect_left(known, value - _CLOSE * unit)
    return at < len(known) and known[at] <= value + _CLOSE * unit


def _symbols(plain: str) -> frozenset[str]:
    """Structures and formulas of a text."""
    tokens = (token.group().strip(".*_'\"") for token in _TOKEN.finditer(plain))
    return frozenset(
        token.replace("^", "") for token in tokens if len(token) > 2 and _SYMBOLIC.fullmatch(token)
    )


def _polarity(plain: str) -> frozenset[str]:
    return frozenset(match.group().casefold() for match in _WORDS.finditer(plain))
