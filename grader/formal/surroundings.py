"""What stands around a structure or a formula: letters that name other compounds, marks that hold only it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol, TypeVar

from grader.answer.binding import Bound
from grader.answer.candidates import Candidate, Reading
from grader.answer.marks import EXPLICIT, Mark, Rank
from grader.answer.notation import Text
from grader.formal.label_layout import tied
from grader.formal.presentation import Presented, presentations
from grader.formal.roles import MASK, Role, is_unread

V = TypeVar("V")

_LETTER = re.compile(r"[A-Z][0-9]?'?")
_HEAD = re.compile(
    r"(?<![A-Za-z0-9_])(?P<label>[A-Z][0-9]?'?)"
    r"(?=[*_ )\]]{0,4}(?::|=(?!=)|\s(?:is|was)\s)[^\n□.;,]{0,30}□|\s?\(?□)"
)


_TAIL = re.compile(r"□\s{0,2}\(\s?(?:compound |product |structure )?(?P<label>[A-Z][0-9]?'?)\s?[),]", re.I)
_BEFORE = re.compile(r"(?<![A-Za-z0-9_])(?P<label>[A-Z][0-9]?'?)\s{0,2}(?:[(:=]\s{0,2})?$")


_NUMBERED = re.compile(r"(?:(?:compound|product|structure|substance) )?([0-9]{1,2}[a-z]?)", re.I)
_NUMBER_HEAD = re.compile(
    r"\b(?P<label>(?:compound|product|structure|substance) [0-9]{1,2}[a-z]?)\b(?=[^\n.;,□]{0,40}□)", re.I
)


def with_unasked(plain: str, asked: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """The labels of siblings and, where a lettered compound is asked, other letters that head candidates.

    ``plain`` has its candidates masked. Siblings that ask for nothing formal
    hand no labels down, but their values stand in the same answer.
    """
    if numbered := {match[1] for label in asked if (match := _NUMBERED.fullmatch(label.strip()))}:
        found = dict.fromkeys(match["label"] for match in _NUMBER_HEAD.finditer(plain))
        return (*others, *(label for label in found if label.split()[-1] not in numbered))
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

    presented: dict[int, Presented] = field(default_factory=dict)
    """How each candidate is presented, by its plain start."""
    spans: tuple[tuple[int, int], ...] = ()
    """The plain spans of all candidates."""

    def placed(self, item: Candidate[V]) -> Candidate[V]:
        """The candidate with its rank and its tie, the touching letter first."""
        placed = self._ranked(super().placed(item))
        label = self._touching(*item.plain)
        if label is not None:
            bound = Bound.NAMED if label in _letters(self.asked) else Bound.OTHER
            return replace(placed, bound=bound, label=label)
        if self.asked and (laid := self._laid_out.get(item.plain[0])) is not None:
            bound = Bound.NAMED if self._is_own(laid) else Bound.OTHER
            return replace(placed, bound=bound, label=laid)
        if self.asked and self._role(item) in (Role.PART, Role.SETTING) and placed.rank < EXPLICIT:
            return replace(placed, bound=Bound.OTHER, label="another role")
        if _letters(self.asked) and self._derived(item.plain[0], placed.bound):
            return replace(placed, bound=Bound.OTHER, label="what the compound turns into")
        return placed

    def _ranked(self, item: Candidate[V]) -> Candidate[V]:
        """The rank by how the text presents it: type alone is outranked by a later result."""
        shown = self.presented.get(item.plain[0], Presented(Role.STATED))
        if item.rank >= EXPLICIT:
            return item
        if shown.role is not Role.STATED:
            return replace(item, rank=min(item.rank, Rank.LINE))
        return replace(item, rank=max(item.rank, shown.rank))

    def _role(self, item: Candidate[V]) -> Role:
        return self.presented.get(item.plain[0], Presented(Role.STATED)).role

    @cached_property
    def _laid_out(self) -> dict[int, str]:
        return tied(self.text.plain, self.spans, (*self.asked, *self.others))

    def _is_own(self, label: str) -> bool:
        """Whether a label of the layout is the one asked for."""
        own = {one.strip() for one in self.asked}
        last = label.split()[-1] if label.split() else label
        if len(last) <= 3 and last[:1].isupper():
            return last in {one.split()[-1] for one in own if one}
        return label.casefold() in {one.casefold() for one in own}

    def says_in_words(self, item: Candidate[V]) -> bool:
        """Whether the text says in words only what a label asked for, or the product, is."""
        plain = self.text.plain
        return bool(self.asked and is_unread(plain, 0, self.asked)) or is_unread(
            plain, item.plain[1], _ANSWERS
        )

    def says_otherwise(self, role: Role, item: Candidate[V]) -> bool:
        """Whether the text says in words, after a candidate that nothing presents, what was asked for."""
        if item.rank >= Rank.PRESENTED or item.bound >= Bound.NAMED:
            return False
        plain = self.text.plain
        if self.asked and is_unread(plain, 0, self.asked):
            return True
        nouns = (*_ANSWERS, *self.asked, *(_THINGS if role is not Role.STATED else ()))
        low, high = plain.rfind("\n", 0, item.plain[0]) + 1, plain.find("\n", item.plain[1])
        rest = plain[low : item.plain[0]] + plain[item.plain[1] : high if high >= 0 else len(plain)]
        alone = role is Role.STATED and not re.search(r"[a-z]{3}", rest)
        return not alone and is_unread(plain, item.plain[1], nouns)

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
    masked = _soften("".join(plain), len({item.value.text for item in candidates}))
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
    r"abbreviated|given as)\b)|(?<=notation )would (?=be\b)|(?<=SMILES )would (?=be\b)",
    re.I,
)
_LOOSE = re.compile(r"(?:^|(?<=[.:\n] ))(?:perhaps|maybe|possibly|probably|presumably)\b", re.I)
_FIRM = re.compile(r"\b(?:but|however|although|or|if|wait|don't know|no idea)\b|\?", re.I)
_UNSURE = re.compile(r"\b(?:I am|I'm) not (?:\w+ )?(?:certain|sure)\b", re.I)
_ARTICLE = re.compile(
    r"(?:^|(?<=[.!?\n]\s))A(?=\s(?!(?:can|must|may|could|would|and|or|to|with|in|on|from|by|for|has|then|"
    r"also|must|should)\b)[a-z]{3,}(?<!s)\s)"
)


def _soften(masked: str, different: int) -> str:
    """The masked text without modal verbs of notation, a lone hedge, and the article A; nothing moves."""

    def blanked(match: re.Match[str]) -> str:
        return " " * len(match[0])

    masked = _NOTED.sub(lambda match: "is".ljust(len(match[0])), masked)
    masked = _ARTICLE.sub("a", masked)
    if different == 1 and len(_LOOSE.findall(masked)) == 1 and not _FIRM.search(masked):
        masked = _UNSURE.sub(blanked, _LOOSE.sub(blanked, masked))
    return masked


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


_THINGS = (
    "gas",
    "ion",
    "salt",
    "solid",
    "precipitate",
    "compound",
    "complex",
    "anion",
    "cation",
    "formula",
    "oxide",
)
_ANSWERS = ("product", "answer", "final product", "major product", "target")


def states_nothing(role: Role, item: Candidate[V], reading: MaskedReading) -> bool:
    """Whether the candidate left over is only what the text starts from: then it states no answer."""
    if item.rank >= EXPLICIT:
        return False
    if role is Role.SETTING or (role is Role.SOURCE and item.bound < Bound.NAMED):
        return True
    if role is Role.CONSUMED and item.bound <= Bound.FREE:
        return True
    return reading.says_otherwise(role, item)


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
