"""Oxidation states of an element in a substance."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from grader.answer.answer import Answer
from grader.answer.binding import Bound
from grader.answer.candidates import Candidate, Reading, candidate, settle
from grader.answer.marks import Rank
from grader.answer.notation import Text, normalise
from grader.answer.steps import is_left
from grader.formal import outcome
from grader.formal.oxidation.states import State, states
from grader.formal.registry import by
from grader.formal.species.mentions import Mention
from grader.formal.species.owner import NO_OWNERS, NO_SUBJECT, Owners, Subject
from grader.problem.checks import CheckModel, OxidationStateCheck
from grader.record import Finding, Reason

BY = by("oxidation_state")

_UNKNOWN = re.compile(r"(?<![A-Za-z])[nxyz][ ]?=[ ]?\(?$")
"""The unknown of an equation for the state that is asked for."""

_PRONOUN = re.compile(r"\bit (?:is|was|has|must be|has to be|should be)(?: in)?(?: the| a)? $")
_REACH = 120
_ARROW = re.compile("->|=>|[→⟶⇌]")
"""Across an arrow stands another substance."""
_ACTUALLY = re.compile(r"\b(?:actually|in fact|in reality|must (?:therefore )?be)\b[^.;\n]{0,30}$", re.I)
"""What a first thought gives way to."""
_FINALLY = re.compile(r"\binitial(?:ly)?\b[^.;\n]*\bfinal(?:ly)?\b[^.;,\n]{0,12}$", re.I)
"""The second of two states between which something changes is no conclusion."""


def expected_state(expected: int | str) -> Fraction:
    """The state that a check expects: ``3``, ``"+3"``, ``"8/3"``. Raises ValueError."""
    if isinstance(expected, int):
        return Fraction(expected)
    return Fraction(normalise(expected).plain.replace(" ", "").lstrip("+"))


_CHANGED = re.compile(r"(?:^|[:(,;]|\bfrom)[ ]?[-+]?[0-9][+-]?[ ]?->[ ]?[-+]?$")
"""Nor is the second of two states that an arrow joins: "Mn: +7 -> +2"."""


@dataclass(frozen=True)
class StateReading(Reading):
    """The front end's reading, with each state tied to the element and the substance it belongs to."""

    subject: Subject = NO_SUBJECT
    owners: Owners = NO_OWNERS
    found: tuple[State, ...] = ()

    def placed(self, item: Candidate[State]) -> Candidate[State]:  # type: ignore[override]
        """The candidate with its rank and its tie."""
        placed = self._tied(item)
        # what only stands beside a state is tied to nothing, so that it never rivals one
        return replace(placed, bound=min(placed.bound, Bound.FREE)) if item.aside else placed

    def _tied(self, item: Candidate[State]) -> Candidate[State]:
        placed = super().placed(item)
        start = item.plain[0]
        low = max(start - _REACH, self.discourse.sentences.at(start)[0])
        if _FINALLY.search(self.text.plain, low, start) or _CHANGED.search(self.text.plain, low, start):
            placed = replace(placed, rank=Rank.PLAIN)
        elif placed.rank < Rank.CONCLUDED and _ACTUALLY.search(self.text.plain, low, start):
            placed = replace(placed, rank=Rank.CONCLUDED)
        if placed.rank < Rank.OBTAINED and self._is_last(item) and is_left(self.text.plain, *item.plain):
            placed = replace(placed, rank=Rank.OBTAINED)
        owner, tie = self._tie(item.value)
        if tie is None:
            free = placed.bound is Bound.FOREIGN
            return replace(placed, bound=Bound.FREE) if free else placed
        if placed.bound is Bound.OTHER:
            return placed
        label = self.text.plain[owner.start : owner.end] if owner else placed.label
        return replace(placed, bound=max(placed.bound, tie) if tie > Bound.FREE else tie, label=label)

    def _is_last(self, item: Candidate[State]) -> bool:
        """Whether no other state follows."""
        return all(one.charge or one.start <= item.plain[0] or _same(one, item.value) for one in self.found)

    def _tie(self, state: State) -> tuple[Mention | None, Bound | None]:
        """The mention that a state belongs to, and whether that is what the check asks about."""
        element = self.subject.element
        if element and state.element:
            if state.element != element:
                return None, Bound.OTHER
        elif element and (other := self._other_element(state)) is not None:
            return other, Bound.OTHER
        if not self.subject.keys:
            return None, Bound.NEAR if state.element and not state.charge else None
        owners = self._substances(state)
        if not owners:
            return None, None
        if any(one.keys & self.subject.keys for one in owners):
            return owners[0], Bound.NAMED
        said = owners[0].start >= state.end
        return owners[0], Bound.FREE if not said and self._is_in_subject(owners[0]) else Bound.OTHER

    @cached_property
    def _taken(self) -> frozenset[Mention]:
        """The mentions that a state in front of them has for its own."""
        return frozenset(one for state in self.found for one in self.owners.after(state.end))

    def _other_element(self, state: State) -> Mention | None:
        """The mention of something else whose state it is."""
        element = self.subject.element
        plain = self.text.plain
        if _UNKNOWN.search(plain, max(0, state.start - 8), state.start):
            return None
        low = self.discourse.sentences.at(state.start)[0]
        named = any(element in one.elements for one in self.owners.within(low, state.start))
        if named and _PRONOUN.search(plain, max(low, state.start - 24), state.start):
            return None
        if after := self.owners.respective(state.start) or self.owners.after(state.end):
            return None if any(element in one.elements for one in after) else after[0]
        column = self.owners.column(state.start)
        before = self.owners.before(state.start, taken=self._taken)
        if before is None or (column is not None and not column.substance):
            before = column
        return before if before is not None and element not in before.elements else None

    def _substances(self, state: State) -> tuple[Mention, ...]:
        """The substances that a state is stated for, where they hold the element."""
        if paired := self.owners.respective(state.start):
            return paired
        if state.charge:
            return tuple(one for one in self.owners.within(state.start, state.end) if one.substance)
        after = tuple(one for one in self.owners.after(state.end) if one.substance and self._holds(one))
        if after:
            return after
        column = self.owners.column(state.start)
        if column is not None and column.substance:
            return (column,)
        for low in (None, 0):
            owner = self.owners.before(state.start, substance=True, low=low, taken=self._taken)
            if owner is not None and self._holds(owner):
                return (owner,)
        return ()

    def _is_in_subject(self, mention: Mention) -> bool:
        """Whether a monatomic ion only says again what the element is in the compound asked about."""
        if mention.ion is None:
            return False
        subjects = [one for one in self.owners.found if one.keys & self.subject.keys]
        low, high = self.discourse.sentences.at(mention.start)
        return not subjects or any(
            low <= one.start < high and not _ARROW.search(self.text.plain, *sorted((one.end, mention.start)))
            for one in subjects
        )

    def _holds(self, mention: Mention) -> bool:
        return self.subject.element is None or self.subject.element in mention.elements


def decide(check: CheckModel, answer: Answer) -> Finding:
    """Decide whether an answer states the expected oxidation state."""
    assert isinstance(check, OxidationStateCheck)
    if not answer.text.strip():
        return outcome.blank(BY)
    try:
        expected = expected_state(check.expected)
    except (ValueError, ZeroDivisionError):
        return outcome.undetermined(BY, Reason.NOT_COMPARABLE, f"{check.expected!r} is no oxidation state")
    text = normalise(answer.text)
    owners = Owners.of(text.plain)
    subject = Subject.of(check.element, check.subject)
    found = tuple(states(text.plain, list(owners.found)))
    reading = StateReading(text, check.asked, answer.others, subject, owners, found)
    settled = settle(
        text, _candidates(text, found, expected),
        same=_same, asked=check.asked, others=answer.others, cut=answer.cut, reading=reading,
    )  # fmt: skip
    taken = settled.candidate
    if taken is None:
        return outcome.unsettled(BY, settled, "oxidation state")
    right = _agrees(taken.value, expected)
    if taken.value.rough and not right and abs(taken.value.value - expected) < 1:
        detail = f"'{taken.quote}' is called approximate"
        return outcome.undetermined(
            BY, Reason.NOT_COMPARABLE, detail, (*settled.rejected, taken.rejected("is rounded"))
        )
    shown = f"{'+' if taken.value.value > 0 else ''}{taken.value.value}"
    detail = f"{shown} {'agrees with' if right else 'differs from'} {'+' if expected > 0 else ''}{expected}"
    return outcome.decided(BY, right, taken, detail, shown, settled.rejected)


def spans(check: CheckModel, answer: Answer) -> list[tuple[int, int]]:
    """The raw spans of the oxidation states that an answer writes."""
    text = normalise(answer.text)
    found = states(text.plain, list(Owners.of(text.plain).found))
    return [text.raw_span(one.start, one.end) for one in found if not one.charge and not one.aside]


def _candidates(text: Text, found: Sequence[State], expected: Fraction) -> list[Candidate[State]]:
    """The states as candidates: charges behind states, an asked mean before its parts."""
    plainly = any(not one.charge for one in found)
    averaged = expected.denominator > 1 and any(one.average for one in found)
    items = []
    for one in found:
        aside = (
            one.aside
            or (one.charge and plainly)
            or (averaged and not one.average)
            or _is_remark(text.plain, found, one)
        )
        item = candidate(text, one, one.start, one.end, aside=aside)
        items.append(item)
    return items


def _is_remark(plain: str, found: Sequence[State], state: State) -> bool:
    """Whether a state stands in a bracket with other words, behind a state outside of it."""
    opened = plain.rfind("(", max(0, state.start - 60), state.start)
    closed = plain.find(")", state.end, state.end + 80)
    if opened < 0 or closed < 0 or ")" in plain[opened : state.start] or "\n" in plain[opened:closed]:
        return False
    alone = (
        not re.sub(r"\b(?:i\.e\.|or|that is)", "", plain[opened + 1 : state.start]).strip()
        and state.end == closed
    )
    line = plain.rfind("\n", 0, opened) + 1
    return not alone and any(line <= one.start and one.end <= opened for one in found)


def _same(one: State, two: State) -> bool:
    return abs(one.value - two.value) <= one.slack + two.slack


def _agrees(state: State, expected: Fraction) -> bool:
    """Whether a state is the expected one, or its decimal rounded from it."""
    return abs(state.value - expected) <= state.slack if expected.denominator > 1 else state.value == expected
