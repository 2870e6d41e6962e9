"""Whose property a value is: the element and the substance that its place in the text ties it to."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from grader.answer.discourse import Spans, sentences
from grader.answer.respectively import partner
from grader.formal.species.mentions import Key, Mention, elements_of, mentions

_FOLLOWS = re.compile(
    r"[)\]\"'*`]{0,3}(?:[ ](?:oxidation )?state)?[ ]?(?:\([ ]?)?(?:(?:in|for|of|on|as in)[ ])?"
    r"(?:(?:the|each|every|neutral|free|an?|both|all|atomic)[ ]){0,2}"
)
_SAYS_WHERE = re.compile(r"\b(?:in|for|of|on)\b|\(")
_AND = re.compile(r",?[ ]and[ ](?:in |for )?|,[ ]")
_CLOSES = re.compile(r"[ ]?[),;]|[ ](?:and|state|ion)\b")
_FARTHEST = 60
"""So many mentions back a value may still belong to one."""
_RULE = re.compile(r"[|: -]*-{2,}[|: -]*")


@dataclass(frozen=True)
class Subject:
    """What a check asks about: an element, and a substance where it names one."""

    element: str | None
    keys: frozenset[Key]

    @classmethod
    def of(cls, element: str | None, subject: str | None) -> Subject:
        """Read the options of a check."""
        symbol = elements_of(element) if element else None
        found = mentions(subject) if subject else []
        keys = next((one.keys for one in found if one.substance), frozenset())
        own = next((next(iter(one.elements)) for one in found if len(one.elements) == 1), None)
        return cls(symbol or (own if not keys or found else None), keys)


@dataclass(frozen=True)
class Owners:
    """The mentions of one plain text, for look-up."""

    plain: str
    found: Sequence[Mention] = field(default_factory=tuple)

    @classmethod
    def of(cls, plain: str) -> Owners:
        """Find the mentions of a text."""
        return cls(plain, tuple(mentions(plain)))

    @cached_property
    def _starts(self) -> list[int]:
        return [one.start for one in self.found]

    @cached_property
    def _sentences(self) -> Spans:
        return sentences(self.plain)

    def within(self, low: int, high: int) -> Sequence[Mention]:
        """The mentions that start in a span."""
        return self.found[bisect_left(self._starts, low) : bisect_left(self._starts, high)]

    def after(self, end: int) -> tuple[Mention, ...]:
        """What a value is said to belong to right behind it: ``+7 in MnO4-``, ``+6 in both A and B``."""
        link = _FOLLOWS.match(self.plain, end)
        if link is None or not _SAYS_WHERE.search(link.group()):
            return ()
        listed: list[Mention] = []
        at = link.end()
        bracketed = "(" in link.group()
        while following := next((one for one in self.within(at, at + 1) if one.start == at), None):
            if bracketed and not _CLOSES.match(self.plain, following.end):
                break
            listed.append(following)
            joined = _AND.match(self.plain, following.end)
            at = joined.end() if joined else len(self.plain)
        return tuple(listed)

    def respective(self, start: int) -> tuple[Mention, ...]:
        """The mentions that "respectively" pairs with a value."""
        if "respectively" not in self.plain:
            return ()
        item = partner(self.plain, *self._sentences.at(start), start)
        return tuple(self.within(*item)[-1:]) if item else ()

    def before(
        self,
        start: int,
        *,
        substance: bool | None = None,
        low: int | None = None,
        taken: Container[Mention] = (),
    ) -> Mention | None:
        """The nearest mention before a place in its sentence, of a sort if asked, none of ``taken``."""
        low = self._sentences.at(start)[0] if low is None else low
        last = bisect_left(self._starts, start)
        for one in reversed(self.found[max(0, last - _FARTHEST) : last]):
            if one.start < low:
                break
            if one.end <= start and (substance is None or one.substance is substance) and one not in taken:
                return one
        return None

    def column(self, start: int) -> Mention | None:
        """What the heading of its column in a table names."""
        low = self.plain.rfind("\n", 0, start) + 1
        cell = self.plain.count("|", low, start) - self.plain.startswith("|", low)
        if cell < 0 or "|" not in self.plain[low:start]:
            return None
        lines = self.plain[max(0, low - 2000) : low].rstrip("\n").split("\n")
        at = low - 1 - len(lines[-1])
        for index in range(len(lines) - 1, 0, -1):
            if _RULE.fullmatch(lines[index].strip()):
                head_at = at - 1 - len(lines[index - 1])
                return self._in_cell(head_at, lines[index - 1], cell)
            if "|" not in lines[index]:
                return None
            at -= 1 + len(lines[index - 1])
        return None

    def _in_cell(self, at: int, line: str, cell: int) -> Mention | None:
        offset = at + line.startswith("|")
        cells = line[line.startswith("|") :].split("|")
        if cell >= len(cells):
            return None
        low = offset + sum(len(one) + 1 for one in cells[:cell])
        return next(iter(self.within(low, low + len(cells[cell]))), None)


NO_SUBJECT = Subject(None, frozenset())
NO_OWNERS = Owners("")
