"""What stands around a structure or a formula: suppositions, hedges, marks that hold only it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from grader.answer.candidates import Candidate
from grader.answer.marks import Mark, Rank
from grader.answer.notation import Text
from grader.formal.reading.lettered import with_unasked
from grader.formal.reading.masked_reading import MaskedReading
from grader.formal.reading.presentation import presentations
from grader.formal.reading.roles import MASK, Role


class Roled(Protocol):
    """What both kinds write of a candidate."""

    @property
    def text(self) -> str:
        """How the answer spells it."""

    @property
    def role(self) -> Role:
        """What the text does with it."""


R = TypeVar("R", bound=Roled)


def in_context(
    text: Text, candidates: Sequence[Candidate[R]], asked: Sequence[str], others: Sequence[str]
) -> tuple[list[Candidate[R]], MaskedReading]:
    """The candidates with the role that the text gives each, and the cues of the text with them masked."""
    plain = list(text.plain)
    for item in candidates:
        low, high = item.plain
        plain[low:high] = MASK * (high - low)
    short = [label.capitalize() for label in asked if len(label) == 3 and label.isalpha() and label.islower()]
    asked = (*asked, *short)
    masked = _soften("".join(plain))
    spans = tuple(item.plain for item in candidates)
    shown = presentations(masked, spans, [item.value.role for item in candidates], asked)
    kept = [
        replace(item, value=with_role(item.value, one.role), aside=one.role is not Role.STATED)
        for item, one in zip(candidates, shown, strict=True)
        if one.role is not Role.REJECTED
    ]
    reading = MaskedReading(
        replace(text, plain=masked),
        tuple(asked),
        with_unasked(masked, asked, others),
        {item.plain[0]: one for item, one in zip(candidates, shown, strict=True)},
        spans,
    )
    return kept, reading


def with_role(value: R, role: Role) -> R:
    """The value in a role."""
    return value if value.role is role else replace(value, role=role)  # type: ignore[type-var]


_NOTED = re.compile(
    r"\b(?:may|can|could|might) (?:also )?(?=be (?:drawn|written|formulated|represented|depicted|expressed|"
    r"abbreviated|given as)\b)"
    r"|(?:(?<=notation )|(?<=SMILES )|(?<=InChI )|(?<=InChIKey )|(?<=\bkey )|(?<=SMILES this )|"
    r"(?<=SMILES it )|(?<=SMILES, this )|(?<=SMILES, it ))would (?=be\b)",
    re.I,
)
_ARTICLE = re.compile(
    r"(?:^|(?<=[.!?\n]\s))A(?=\s(?!(?:can|must|may|could|would|and|or|to|with|in|on|from|by|for|has|then|"
    r"also|must|should)\b)[a-z]{3,}(?<!s)\s)"
)


def _soften(masked: str) -> str:
    """The masked text without modal verbs of notation and the article A; nothing moves."""
    masked = _NOTED.sub(lambda match: "is".ljust(len(match[0])), masked)
    return _ARTICLE.sub("a", masked)


_SUPPOSED = re.compile(r"\b(?:if|suppose|supposing|imagine|assuming)\b[^.;,:\n]{0,60}$", re.I)
_NAME = (
    r"(?:[a-z]{2,20}(?:\([ivx]{1,4}\))?\s){0,2}[a-z]{1,20}(?:ate|ite|ide|ium|ane|ene|yne|ine|ol|one|acid)"
    r"(?:\([ivx]{1,4}\))?(?: acid| ions?)?"
)
_DENIED_BY_NAME = re.compile(
    r"\b(?:not|rather than|instead of|nor)\s{1,2}(?:the |a |an )?"
    r"[A-Za-z0-9,'()\[\]-]{2,40}(?: acid)?\s?\(\W{0,3}$"
    rf"|\b(?:not|rather than|instead of|nor)\s{{1,2}}(?:the |a |an )?{_NAME}\s{{1,2}}\W{{0,3}}$"
    rf"|(?:\b(?:and|but)|[,;)])\snot\s{{1,2}}(?:the |a |an )?{_NAME},\s{{1,2}}\W{{0,3}}$",
    re.I,
)
"""The name of what is denied before its formula: "not nitrate (NO3-)", "and not nitrate, NO3-"."""


_ABSENT = re.compile(
    r"(?:\b(?:no|without(?: any)?|lacks?|absence of)|"
    r"\b(?:wrong|incorrect|a mistake|tempting) to\b[^.;,\n]{0,30})\s{1,2}\W{0,3}$",
    re.I,
)


def is_unreal(before: str) -> bool:
    """Whether what stands before a candidate supposes it, denies its name, or says that there is none."""
    return any(cue.search(before) for cue in (_SUPPOSED, _DENIED_BY_NAME, _ABSENT))


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
