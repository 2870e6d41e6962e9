"""What stands around a structure or a formula: letters that name other compounds, marks that hold only it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from grader.answer.binding import Bound
from grader.answer.candidates import Candidate, Reading
from grader.answer.marks import EXPLICIT, Mark, Rank

V = TypeVar("V")

_LETTER = re.compile(r"[A-Z][0-9]?'?")
MASK = "□"
"""What stands in the place of a candidate while its surroundings are read."""

_HEAD = re.compile(
    r"(?<![A-Za-z0-9_])(?P<label>[A-Z][0-9]?'?)"
    r"(?=[*_ )\]]{0,4}(?::|=(?!=)|\s(?:is|was)\s)[^\n□.;,]{0,30}□|\s?\(?□)"
)


_TAIL = re.compile(r"□\s{0,2}\(\s?(?:compound |product |structure )?(?P<label>[A-Z][0-9]?'?)\s?[),]", re.I)
_BEFORE = re.compile(r"(?<![A-Za-z0-9_])(?P<label>[A-Z][0-9]?'?)\s{0,2}(?:[(:=]\s{0,2})?$")


def with_unasked(plain: str, asked: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """The labels of siblings and, where a lettered compound is asked, other letters that head candidates.

    ``plain`` has its candidates masked. Siblings that ask for nothing formal
    hand no labels down, but their values stand in the same answer.
    """
    if not _letters(asked):
        return tuple(others)
    known = {label.strip() for label in (*asked, *others)}
    matches = (*_HEAD.finditer(plain), *_TAIL.finditer(plain))
    found = dict.fromkeys(match["label"] for match in matches)
    own = {label.split()[-1] for label in known}
    return (*others, *(label for label in found if label not in own and label != "I"))


_ANY_LETTER = re.compile(r"(?<![A-Za-z0-9_])(?P<label>[A-Z][0-9]?'?)(?![A-Za-z0-9_'])")
_MADE = (
    r"converted|transformed|oxidi[sz]ed|reduced|hydroly[sz]ed|dehydrated|hydrogenated|heated|deprotonated|"
    r"protonated|acylated|alkylated|brominated|chlorinated|nitrated"
)
_TURNS = re.compile(
    rf"->|\+|\b(?:{_MADE}|gives?|giving|yields?|affords?|reacts?|decomposes?|turns? into|becomes|"
    r"treat\w{0,5}|leads? to|forms?|produces?|loses|(?:one|we) (?:gets?|obtains?))\b",
    re.I,
)
_INTO = re.compile(
    rf"\b(?:{_MADE}|turns?|decomposes?|reacts?)\b[^.;,\n]{{0,40}}\b(?:to|into)\s{{1,2}}\W{{0,3}}$",
    re.I,
)
_THEREFORE = re.compile(
    r"\b(?:so|hence|thus|therefore|must be|is thus)\b[^.;\n]{0,60}$|[=:]\s{0,2}\W{0,3}$", re.I
)


def _letters(labels: Sequence[str]) -> set[str]:
    """The compound letters among labels: ``B`` of "compound B"."""
    last = (label.strip().split()[-1] for label in labels)
    return {letter for letter in last if _LETTER.fullmatch(letter)}


@dataclass(frozen=True)
class MaskedReading(Reading):
    """The cues of an answer whose candidates are masked; a letter that touches a candidate names it.

    "`CCO` (A) is oxidised to `CC=O` (B)": the letter in parentheses counts, not the nearest one before.
    """

    def placed(self, item: Candidate[V]) -> Candidate[V]:
        """The candidate with its rank and its tie, the touching letter first."""
        placed = super().placed(item)
        label = self._touching(*item.plain)
        if label is not None:
            bound = Bound.NAMED if label in _letters(self.asked) else Bound.OTHER
            return replace(placed, bound=bound, label=label)
        if _letters(self.asked) and self._derived(item.plain[0], placed.bound):
            return replace(placed, bound=Bound.OTHER, label="what the compound turns into")
        return placed

    def _derived(self, start: int, bound: Bound) -> bool:
        """Whether the sentence makes the candidate from the compound asked for: "A is oxidised to ..."."""
        low, _ = self.discourse.sentences.at(start)
        before = self.text.plain[max(low, start - 160) : start]
        own = [
            match
            for match in _ANY_LETTER.finditer(before)
            if match["label"] in _letters(self.asked) and match["label"] != "I"
        ]
        if not own:
            return bound <= Bound.FREE and _INTO.search(before) is not None
        between = before[own[-1].end() :]
        return _TURNS.search(between) is not None and _THEREFORE.search(between) is None

    def _touching(self, start: int, end: int) -> str | None:
        letters = _letters((*self.asked, *self.others))
        plain = self.text.plain
        after = _TAIL.match(plain, max(start, end - 1))
        before = _BEFORE.search(plain, max(0, start - 12), start)
        found = {match["label"] for match in (after, before) if match and match["label"] in letters}
        return found.pop() if len(found) == 1 else None


_SUPPOSED = re.compile(r"\b(?:if|suppose|supposing|imagine|assuming)\b[^.;,:\n]{0,60}$", re.I)
_DENIED_BY_NAME = re.compile(
    r"\b(?:not|rather than|instead of|nor)\s{1,2}(?:the |a |an )?"
    r"[A-Za-z0-9,'()\[\]-]{2,40}(?: acid)?\s?\(\W{0,3}$",
    re.I,
)


_ABSENT = re.compile(
    r"(?:\b(?:no|without(?: any)?|lacks?|absence of)|"
    r"\b(?:wrong|incorrect|a mistake|tempting) to\b[^.;,\n]{0,30})\s{1,2}\W{0,3}$",
    re.I,
)


def is_unreal(before: str) -> bool:
    """Whether what stands before a candidate supposes it, denies its name, or says that there is none."""
    return any(cue.search(before) for cue in (_SUPPOSED, _DENIED_BY_NAME, _ABSENT))


class Role(StrEnum):
    """What a text does with a structure or a formula beside stating it."""

    STATED = "stated"
    SOURCE = "named as a source, a setting or an example"
    CONSUMED = "named as what reacts"
    CONTEXT = "named in passing"


def states_nothing(role: Role, item: Candidate[V]) -> bool:
    """Whether the candidate left over is only what the text starts from: then it states no answer."""
    if item.rank >= EXPLICIT:
        return False
    if role is Role.SOURCE:
        return item.bound < Bound.NAMED
    return role is Role.CONSUMED and item.bound <= Bound.FREE


_WRAPPING = re.compile(
    r"(?:\\(?:text|textbf|mathrm|mathbf|mathtt|texttt|ce|boxed|pu)(?![A-Za-z])|[\s`$*{}\"'.,:;()\[\]\\])*"
)
_ROOM = 60
"""How many characters of wrapping a mark may hold around its token."""


class Covering:
    """The answer marks of a text, to be asked which hold nothing but one token."""

    def __init__(self, marks: Sequence[Mark]) -> None:
        self._marks = sorted(marks, key=lambda mark: mark.start)
        self._starts = [mark.start for mark in self._marks]

    def rank(self, raw: str, start: int, end: int) -> Rank:
        """The highest mark whose whole content, but for wrapping, is a raw span."""
        best = Rank.PLAIN
        first = bisect_left(self._starts, start - _ROOM)
        for mark in self._marks[first : bisect_left(self._starts, start + 1)]:
            around = raw[mark.start : start] + raw[end : min(mark.end, end + _ROOM)]
            if best < mark.rank and end <= mark.end < end + _ROOM and _WRAPPING.fullmatch(around):
                best = mark.rank
        return best
