"""The cues of an answer read with its structures or formulas masked out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

from grader.answer.binding import Bound
from grader.answer.candidates import Candidate, Reading
from grader.answer.marks import EXPLICIT, Rank
from grader.formal.reading.label_layout import tied
from grader.formal.reading.lettered import TAIL, letters
from grader.formal.reading.presentation import Presented
from grader.formal.reading.roles import MASK, Role, is_unread, names_result, refuses

V = TypeVar("V")

_BEFORE = re.compile(r"(?<![A-Za-z0-9_])(?P<label>[A-Z][0-9]?'?)\s{0,2}(?:[(:=]\s{0,2})?$")
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
_OF = re.compile(r"\b(?:of|to|for)\s(?:the\s)?(?:[\w-]{1,20}\s){0,3}\W{0,4}$")
_IS_OTHER = re.compile(rf"[\s)\"'*`,]{{0,4}}(?:is|are|must be)\s[^.;\n{MASK}]{{0,40}}{MASK}")
_IS_SAID = re.compile(
    r"[\s)\"'*`,]{0,4}(?:is|are|must be)\s"
    r"(?!(?:\w{2,12}ed|found|given|seen|shown|correct|right|the|what|thus)\b)"
)
_THEREFORE = re.compile(
    r"\b(?:so|hence|thus|therefore|must be|is thus)\b[^.;\n]{0,60}$|[=:]\s{0,2}\W{0,3}$", re.I
)


_ASIDE = (Role.CONTEXT, Role.SETTING, Role.SOURCE)
"""Roles of what only explains a result that stands before it."""


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
        if self.asked and (laid := self._laid_out.get(item.plain[0])) is not None:
            bound = Bound.NAMED if self._is_own(laid) else Bound.OTHER
            return replace(placed, bound=bound, label=laid)
        label = self._touching(*item.plain)
        if label is not None:
            bound = Bound.NAMED if label in letters(self.asked) else Bound.OTHER
            return replace(placed, bound=bound, label=label)
        if self.asked and self._role(item) in (Role.PART, Role.SETTING) and placed.rank < EXPLICIT:
            return replace(placed, bound=Bound.OTHER, label="another role")
        if self._is_named_of(item) and placed.rank < EXPLICIT:
            return replace(placed, bound=Bound.OTHER, label="what is said of it")
        if letters(self.asked) and self._derived(item.plain[0], placed.bound):
            return replace(placed, bound=Bound.OTHER, label="what the compound turns into")
        return placed

    def _is_named_of(self, item: Candidate[V]) -> bool:
        """Whether something else is said of the candidate: "the conjugate acid of □ is □"."""
        low, high = item.plain
        plain = self.text.plain
        before = plain[max(0, low - 80) : low]
        if self._role(item) is Role.CONTEXT and _IS_OTHER.match(plain, high) and _OF.search(before):
            return True
        return _IS_SAID.match(plain, high) is not None and any(
            re.search(
                rf"\b{re.escape(label)}\sof\s(?:the\s)?(?:[\w-]{{1,20}}\s){{0,3}}\W{{0,4}}$", before, re.I
            )
            for label in self.asked
            if "formula" not in label.lower()
        )

    def _ranked(self, item: Candidate[V]) -> Candidate[V]:
        """The rank by how the text presents it: type alone is outranked by a later result."""
        shown = self.presented.get(item.plain[0], Presented(Role.STATED))
        if item.rank >= EXPLICIT and not (shown.role in _ASIDE and self._follows_stated(item)):
            return item
        if shown.role is not Role.STATED:
            return replace(item, rank=Rank.PLAIN)
        rivalled = (
            before.rank
            for start, before, typed in self._typed
            if start < item.plain[0]
            and before.rank
            and item.rank >= (typed if before.rank is Rank.OBTAINED else max(typed, Rank.BOLD))
        )
        rank = max(item.rank, shown.rank, *rivalled)
        last = all(start <= item.plain[0] for start, _, _ in self._typed)
        if rank is Rank.OBTAINED and last and item.rank >= Rank.BOLD:
            rank = Rank.PRESENTED
        return replace(item, rank=rank)

    def _follows_stated(self, item: Candidate[V]) -> bool:
        """Whether another candidate stated before it in its sentence is marked as clearly: "□ via □"."""
        low, _ = self.discourse.sentences.at(item.plain[0])
        return any(
            low <= start < item.plain[0]
            and self.presented[start].role is Role.STATED
            and self.marked.rank(*self.text.raw_span(start, end)) >= item.rank
            for start, end in self.spans
        )

    @cached_property
    def _typed(self) -> list[tuple[int, Presented, Rank]]:
        """The candidates that sentences present, with the rank that their type alone gives them."""
        return [
            (low, shown, self.marked.rank(*self.text.raw_span(low, high)))
            for low, high in self.spans
            if (shown := self.presented[low]).rank
        ]

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
        """Whether the text says in words what was asked for, beside a candidate that nothing ties to it."""
        if item.bound >= Bound.NAMED:
            return False
        plain = self.text.plain
        start = item.plain[1] if role is Role.STATED else 0
        if self.asked and is_unread(plain, start, self.asked):
            return True
        if item.rank >= Rank.PRESENTED:
            return False
        nouns = (*_ANSWERS, *self.asked, *(_THINGS if role is not Role.STATED else ()))
        low, high = plain.rfind("\n", 0, item.plain[0]) + 1, plain.find("\n", item.plain[1])
        rest = plain[low : item.plain[0]] + plain[item.plain[1] : high if high >= 0 else len(plain)]
        alone = role is Role.STATED and not re.search(r"[a-z]{3}", rest)
        if role is not Role.STATED and (refuses(plain) or names_result(plain, 0, copula=True)):
            return True
        after = item.plain[1]
        return not alone and (is_unread(plain, after, nouns) or names_result(plain, after))

    def _derived(self, start: int, bound: Bound) -> bool:
        """Whether the sentence makes the candidate from the compound asked for: "A is oxidised to ..."."""
        low, _ = self.discourse.sentences.at(start)
        before = self.text.plain[max(low, start - 160) : start]
        own = [
            match
            for match in _ANY_LETTER.finditer(before)
            if match["label"] in letters(self.asked) and match["label"] != "I"
        ]
        if not own:
            return bound <= Bound.FREE and _INTO.search(before) is not None
        between = before[own[-1].end() :]
        return _TURNS.search(between) is not None and _THEREFORE.search(between) is None

    def _touching(self, start: int, end: int) -> str | None:
        known = letters((*self.asked, *self.others))
        plain = self.text.plain
        after = TAIL.match(plain, max(start, end - 1))
        before = _BEFORE.search(plain, max(0, start - 12), start)
        found = {match["label"] for match in (after, before) if match and match["label"] in known}
        return found.pop() if len(found) == 1 else None


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
