"""Labels of subquestions as responses write them, and which subquestion each means."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from grader.answer.number_words import SMALL

Path = tuple[str, ...]
"""A label part by part, in lower case: ``7.3(1)`` is ``("7", "3", "1")``."""

Naming = Literal["id", "tail", "number", "letter", "roman"]
"""How labels name subquestions: by sub_id, by its last part, by their place in the problem."""
NAMINGS: tuple[Naming, ...] = ("id", "tail", "number", "letter", "roman")

_MOST = 40
"""A higher number is a value, not a label."""
_TOKEN = re.compile(
    r"(?P<open>[(\[][ ]?)?(?P<body>[^\W_]{1,60}(?:[-./–_][^\W_]{1,60}|"
    r"[)\]]?[ ]?[(\[](?:[0-9]{1,2}|[A-Za-z]|[ivxIVX]{1,5})(?=[)\]])|[)\]][^\W_]{1,4}(?![^\W_])){0,9})"
    r"(?P<close>[ ]?[)\]])?"
)
_SPAN = re.compile(r"[0-9]{1,2}[-–][0-9]{1,2}|[a-z][-–][a-z]")
_PART = re.compile(r"[0-9]+|[^\W\d_]+|[①-⑳]")
_JOIN = re.compile(
    r"(?:,?[ ]and[ ]|,[ ]?|[ ]?[&+/][ ]?|[ ](?:to|through)[ ]|[–-])(?:parts?[ ]|questions?[ ])?"
    r"(?=[(\[]?[0-9a-z]{1,4}\b)",
    re.I,
)
_RANGE = re.compile(r"to|through|–|-", re.I)
_SUBPART = re.compile(r",?[ ](?:sub-?)?(?:part|question)[ ](?=[(\[]?[0-9a-z]{1,4}\b)", re.I)
_ROMAN = {"i": 1, "v": 5, "x": 10}
_DECIMAL = re.compile(r"[0-9]+[.][0-9]+")


@dataclass(frozen=True, slots=True)
class ReadLabel:
    """A label, or several joined by "and", where a line starts."""

    end: int
    paths: tuple[Path, ...]
    bracket: str
    kind: str
    """What it starts with: a number, a decimal, a letter, a word."""
    upper: bool
    """It is one capital letter, as compounds have for names."""


def read_paths(
    content: str, at: int, *, worded: bool, joined: bool = False, plural: bool = False
) -> ReadLabel | None:
    """The label at a place.

    ``worded``: a word such as "Part" stands before it, ``plural``: "Parts";
    ``joined``: bare labels may be joined, as in the heading "1 & 2".
    """
    first = _one(content, at, worded)
    if first is None:
        return None
    paths, end, body = [first[0]], first[1], first[3]
    if plural and _SPAN.fullmatch(body):
        one, two = first[0][:1], first[0][1:]
        paths = [one, *_between(one, two), two]
    while worded and (deeper := _SUBPART.match(content, end)):
        further = _one(content, deeper.end(), worded)
        if further is None:
            break
        paths, end = [(*paths[0], *further[0])], further[1]
    while (joint := _JOIN.match(content, end)) and len(paths) < _MOST:
        further = _one(content, joint.end(), worded)
        alike = further is not None and _like(first[0], further[0])
        if further is None or not alike or not (worded or joined or (first[2] and further[2])):
            break
        between = _between(paths[-1], further[0]) if _RANGE.search(joint.group()) else []
        paths, end = [*paths, *between, further[0]], further[1]
    upper = len(body) == 1 and body.isupper() and body not in "IVX"
    return ReadLabel(end, tuple(paths), first[2], _kind(body, paths[0]), upper)


def _one(content: str, at: int, worded: bool) -> tuple[Path, int, str, str] | None:
    """One label: its path, its end, its brackets, its text."""
    match = _TOKEN.match(content, at)
    if match is None:
        return None
    body, end = match["body"], match.end()
    if worded and body.casefold() in SMALL[1:]:
        return (str(SMALL.index(body.casefold())),), end, "", body
    opened, closed = match["open"] is not None, match["close"] is not None
    if opened and not closed:
        return None
    circled = "①" <= body[0] <= "⑳"
    bracket = "paren" if opened or circled else "rparen" if closed else ""
    path = tuple(_normal(part) for part in _PART.findall(body))
    return (path, end, bracket, body) if path else None


def _normal(part: str) -> str:
    """A part in lower case; numbers without leading zeros."""
    if part.isdecimal():
        return str(int(part[:6]))
    return str(ord(part) - 0x245F) if "①" <= part <= "⑳" else part.casefold()


def _like(one: Path, two: Path) -> bool:
    """Whether two labels can stand in one list."""
    return plausible(two) and one[0].isdecimal() == two[0].isdecimal()


def _between(first: Path, last: Path) -> list[Path]:
    """The labels that a range leaves out: of "1 to 4", 2 and 3."""
    if len(first) == len(last) == 1 and first[0].isdecimal() and last[0].isdecimal():
        return [(str(number),) for number in range(int(first[0]) + 1, min(int(last[0]), _MOST))]
    if len(first) == len(last) == 1 and len(first[0]) == len(last[0]) == 1:
        return [(chr(code),) for code in range(ord(first[0]) + 1, ord(last[0]))]
    return []


def _kind(body: str, path: Path) -> str:
    if _DECIMAL.match(body):
        return "decimal"
    if path[0].isdecimal():
        return "number"
    return "letter" if len(path[0]) == 1 or ordinal_roman(path[0]) else "word"


def ordinal_roman(word: str) -> int:
    """The value of a roman numeral up to 39, 0 for other words."""
    if not word or len(word) > 7 or set(word) - set(_ROMAN):
        return 0
    digits = [_ROMAN[letter] for letter in word]
    total = sum(-one if one < two else one for one, two in zip(digits, [*digits[1:], 0], strict=True))
    return total if roman(total) == word else 0


def roman(number: int) -> str:
    """A number up to 39 in lower-case roman numerals."""
    ones = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
    return "x" * (number // 10) + ones[number % 10] if 0 < number < 40 else ""


def parts(sub_id: str) -> Path:
    """A sub_id part by part."""
    return tuple(_normal(part) for part in _PART.findall(sub_id))


@dataclass(frozen=True)
class Labels:
    """What the labels of a response can mean."""

    sub_ids: tuple[str, ...]

    @cached_property
    def _paths(self) -> tuple[Path, ...]:
        return tuple(parts(sub_id) for sub_id in self.sub_ids)

    @cached_property
    def _stem(self) -> int:
        """How many leading parts all sub_ids share."""
        shared = 0
        shortest = min(len(path) for path in self._paths)
        while shared < shortest - 1 and len({path[shared] for path in self._paths}) == 1:
            shared += 1
        return shared

    @cached_property
    def tails(self) -> tuple[Path, ...]:
        """What tells the sub_ids apart: the parts after their common stem."""
        return tuple(path[self._stem :] for path in self._paths)

    @cached_property
    def _of_tail(self) -> dict[Path, int]:
        return {tail: index for index, tail in enumerate(self.tails)}

    @cached_property
    def _of_id(self) -> dict[Path, int]:
        """Ids with as much of their stem as a label writes, at least one part of it."""
        found: dict[Path, int] = {}
        for index, path in enumerate(self._paths):
            for first in range(self._stem):
                found[path[first:]] = index
        return found

    @cached_property
    def simple(self) -> bool:
        """Whether the sub_ids only count: one part after a common stem."""
        return all(len(tail) == 1 for tail in self.tails) and len(set(self.tails)) == len(self.tails)

    @cached_property
    def deep(self) -> bool:
        """Whether some sub_ids differ in two parts: ``1a`` and ``1b``."""
        return any(len(tail) > 1 for tail in self.tails)

    @cached_property
    def counted(self) -> bool:
        """Whether the last parts of the sub_ids are 1, 2, 3, ... themselves."""
        return self.tails == tuple((str(place + 1),) for place in range(len(self.tails)))

    def meant(self, path: Path, naming: Naming) -> int | None:
        """The subquestion that a label means, by its first parts; None if it means none."""
        if naming in ("id", "tail"):
            names = self._of_id if naming == "id" else self._of_tail
            return next((names[path[:end]] for end in range(len(path), 0, -1) if path[:end] in names), None)
        place = _place(path[0], naming)
        return place - 1 if 0 < place <= len(self.sub_ids) else None

    def opens(self, path: Path) -> bool:
        """Whether a label is the common first part of several tails: ``1`` of ``1a`` and ``1b``."""
        return any(tail[: len(path)] == path and len(tail) > len(path) for tail in self.tails)

    def namings(self) -> Iterator[Naming]:
        """The namings that can tell these sub_ids apart."""
        numbered = set(self.tails) == {(str(place + 1),) for place in range(len(self.tails))}
        for naming in NAMINGS:
            if naming in ("id", "tail") or (self.simple and not (naming == "number" and numbered)):
                yield naming


def _place(word: str, naming: Naming) -> int:
    """The place that a word counts to."""
    if naming == "number":
        return int(word) if word.isdecimal() else 0
    if naming == "roman":
        return ordinal_roman(word)
    return ord(word) - ord("a") + 1 if len(word) == 1 and "a" <= word <= "z" else 0


def plausible(path: Path) -> bool:
    """Whether a label could be one at all: small numbers, single letters, roman numerals."""
    return all(
        (part.isdecimal() and 0 < int(part) <= _MOST)
        or (not part.isdecimal() and (len(part) == 1 or ordinal_roman(part) > 0))
        for part in path
    )
