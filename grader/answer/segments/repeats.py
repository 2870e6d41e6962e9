"""Summaries: where they start, and whether they say anything that the answers don't."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

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
_SEVERAL = re.compile(r"summar|recap|(?:final|all)[ ](?:answers|results)|remarks|take-?aways", re.I)
_SPOKEN = re.compile(
    r"(?:(?:in|to)[ ](?:summary|summari[sz]e|conclusion)|summary|summing up|overall|"
    r"(?:final[ ])?(?:answers|results))[*_]{0,3}[:,]",
    re.I,
)
_NUMBER = re.compile(
    r"(?<![\w.])(?P<digits>(?:[0-9]{1,3}(?:[ ,][0-9]{3})+(?![0-9])|[0-9]+)(?:\.[0-9]+)?|\.[0-9]+)"
    r"(?:[ ]?[×x·*][ ]?10[ ]?\^?\(?[ ]?(?P<power>[-+]?[0-9]{1,3})\)?|[eE](?P<e>[-+]?[0-9]{1,3})(?!\w))?"
)
_TOKEN = re.compile(r"[^\s,;:|]{2,400}")
_SYMBOLIC = re.compile(r"(?=.{0,400}[A-Z])(?=.{0,400}[0-9()\[\]=@+#])[-+A-Za-z0-9()\[\]=@#/\\.^_]+")
_WORDS = re.compile(
    r"(?<![\w-])(?:yes|no|not|true|false|increas|decreas|higher|lower|larger|smaller|endothermic|exothermic|"
    r"cis|trans|left|right|first|second|zero|faster|slower|[RSEZ](?=\)))",
    re.I,
)
_CLOSE = 0.5000001


@dataclass(frozen=True, slots=True)
class Headed:
    """Where the parts of a response are headed, and how."""

    first: int
    """Where the label of the first part ends."""
    last: int
    """Where the label of the last part ends."""
    tier: Tier
    depth: int


def epilogue(lines: Sequence[Line], headed: Headed, rules: Set[int]) -> Line | None:
    """The line that starts a summary of the whole response after the label of the last part.

    A heading of the parts' own level or above it, words below a rule, or words
    that can only mean several answers. "Final answer" below a part is the part's
    own, and so is "Results" where an earlier part has such a line too.
    """
    habits = {
        match["what"].casefold()
        for line in lines
        if headed.first < line.start <= headed.last and (match := _closing(line))
    }
    for line in lines:
        match = _closing(line) if line.start > headed.last else None
        if match is None or match["what"].casefold() in habits:
            continue
        above = line.tier is Tier.HEADING and (headed.tier is not Tier.HEADING or line.depth <= headed.depth)
        several = line.tier < Tier.HEADING and _SEVERAL.search(match.group()) is not None
        if above or several or line.start in rules:
            return line
    return None


def _closing(line: Line) -> re.Match[str] | None:
    """The words of a line that may head a summary: a heading, or a line of its own that ends in a colon."""
    match = _EPILOGUE.match(line.content)
    if match is None:
        return None
    rest = line.content[match.end() :].lstrip(" *_")
    apart = line.tier >= Tier.BOLD or (rest.startswith(":") and len(rest.rstrip()) < 3)
    return match if apart else None


def spoken_summaries(lines: Sequence[Line], after: int) -> Iterator[int]:
    """Where lines start that sum up in running text: "In summary: (1) ... (2) ..."."""
    return (line.start for line in lines if line.start > after and _SPOKEN.match(line.content))


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
        digits = match["digits"].replace(" ", "").replace(",", "")[:40]
        exponent = int(match["power"] or match["e"] or 0)
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
