"""Electron configurations, compared set by set with their cores written out."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from grader.answer.answer import Answer
from grader.answer.binding import Bound
from grader.answer.candidates import Candidate, Reading, candidate, settle
from grader.answer.marks import Rank
from grader.answer.notation import Text, normalise
from grader.answer.steps import is_left
from grader.formal import outcome
from grader.formal.configurations.diagrams import diagrams
from grader.formal.configurations.occupation import (
    Configuration,
    Family,
    Relation,
    Written,
    compare,
    d_counts,
    read,
)
from grader.formal.formulas.tree import ATOMIC_NUMBER
from grader.formal.registry import by
from grader.formal.species.mentions import Mention
from grader.formal.species.owner import NO_OWNERS, NO_SUBJECT, Owners, Subject
from grader.problem.checks import CheckModel, ElectronConfigurationCheck
from grader.record import Finding, Reason

BY = by("electron_configuration")

_STEPS = re.compile(
    r"\b(?:neutral|from|parent|starting|start|removing|remove|loses|losing|atom(?:ic)? (?:has|is)|"
    r"expect\w*|predict\w*|suggest\w*|would (?:be|have|give)|instead of|"
    r"(?:some|many|most|other) (?:\w+ )?(?:give|list|report|write|show|state|say|have))\b"
    r"(?:(?!\b(?:gives?|giving|leav\w+|becomes?|so|thus|hence|forms?|but|gets?)\b|->|[1-8][spdf][\^0-9])"
    r"[^.;\n]){0,40}$",
    re.I,
)


_IS_EXPECTED = re.compile(
    r"[ ](?:is|was|would (?:be|have been)|might be)[ ](?:the )?(?:expected|predicted|naive)\b"
)
"""What is only expected of a configuration."""
_PREDICTED = re.compile(
    r"\b(?:expect\w*|predict\w*|suggest\w*|naive\w*|aufbau|madelung)\b"
    r"(?:(?![1-8][spdf][\^0-9])[^.;\n]){0,60}$",
    re.I,
)
"""What a rule says, which another configuration may overrule."""
_MORE_THAN = re.compile(r"\b(?:more|fewer|less|short|away)\b(?: electrons?)? (?:than|of|from) $", re.I)
_AND_MORE = re.compile(
    r"[ ]?(?:plus|minus)\b|[+-][0-9]|[ ]with (?:one|two|three) (?:more|fewer|less|extra)\b"
)
"""Words before and behind a configuration that add to it or take from it."""
_IS_A_CORE = re.compile(r"\bcore\b\W{0,4}$", re.I)
_BARE_CORE = 6
"""A configuration so short is a noble gas in brackets."""
_IS_A_SHELL = re.compile(r"\b(?:valence|outer(?:most)?)\b[^.;\n]{0,40}$", re.I)
_TURNS = re.compile(r"[ ]?(?:->|→)[ ]?(?:[\[(](?:He|Ne|Ar|Kr|Xe|Rn)[\])]|[1-8][spdf][\^0-9])")
"""An arrow from one configuration to another."""
_GIVES = re.compile(
    r"\b(?:gives?|giving|leav(?:es|ing)|becomes?|to get|we get|obtain\w*|yields?|forms?|it is|"
    r"this is)[ ](?:the )?$",
    re.I,
)
_IS_OF = re.compile(r"[ ](?:is|belongs to|would be)[ ](?:(?:that|the one) of[ ])?")
"""What stands between a configuration and whose it is."""
_LIKE_AFTER = re.compile(r"[ ](?:electron )?(?:configuration|core|structure)\b")
_LIKE_BEFORE = re.compile(
    r"\b(?:isoelectronic (?:with|to)|same (?:configuration )?as|like)[ ](?:the |that of )?(?:noble gas )?$",
    re.I,
)
_REACH = 120
_BOTH = re.compile(r"\b(?:both|all)\b[^.;\n]{0,30}$", re.I)
_ION = re.compile(r"\b(?:ion|cation|anion)\b[^.;\n]{0,30}$", re.I)
_ATOM = re.compile(r"\b(?:neutral|free|metal)\b[^.;\n]{0,20}$|\batom\b[^.;\n]{0,20}$", re.I)


@lru_cache(maxsize=256)
def _expected(text: str) -> Configuration | None:
    found = read(normalise(text).plain)
    return found[0].value if len(found) == 1 else None


@dataclass(frozen=True)
class ConfigurationReading(Reading):
    """The front end's reading, with each configuration tied to the atom or ion it belongs to."""

    subject: Subject = NO_SUBJECT
    owners: Owners = NO_OWNERS
    stated: Sequence[Candidate[Configuration]] = ()
    electrons: int = 0
    """How many electrons the expected configuration holds; 0 where it isn't written whole."""

    def placed(self, item: Candidate[Configuration]) -> Candidate[Configuration]:  # type: ignore[override]
        """The candidate with its rank and its tie."""
        placed = super().placed(item)
        start = item.plain[0]
        if (
            not item.aside
            and placed.rank < Rank.OBTAINED
            and (
                _GIVES.search(self.text.plain, max(0, start - 24), start)
                or (self._is_last(item) and is_left(self.text.plain, *item.plain))
            )
        ):
            placed = replace(placed, rank=Rank.OBTAINED)
        if placed.bound is Bound.OTHER:
            return placed
        if not (self.subject.keys or self.subject.element):
            placed = replace(placed, bound=Bound.FREE) if placed.bound is Bound.FOREIGN else placed
            return self._counted(placed)
        owner = self._owner(*item.plain)
        if owner is None:
            return placed
        bound = Bound.FREE if self._overruled(item) else self._bound(owner, *item.plain)
        return replace(placed, bound=bound, label=self.text.plain[owner.start : owner.end])

    def _overruled(self, item: Candidate[Configuration]) -> bool:
        """Whether a rule only predicts it, and another with as many electrons follows."""
        start = item.plain[0]
        if not item.aside or not _PREDICTED.search(self.text.plain, max(0, start - _REACH), start):
            return False
        return any(
            one.plain[0] > start
            and not one.aside
            and sum(one.value.counts.values()) == sum(item.value.counts.values())
            and compare(one.value, item.value) is not Relation.SAME
            for one in self.stated
        )

    def _is_last(self, item: Candidate[Configuration]) -> bool:
        """Whether no other configuration follows."""
        return all(
            one.plain[0] <= item.plain[0] or compare(one.value, item.value) is Relation.SAME
            for one in self.stated
        )

    def _counted(self, placed: Candidate[Configuration]) -> Candidate[Configuration]:
        """The candidate, tied by its owner's electrons where another owner has as many as are expected."""
        owner = self._owner(*placed.plain)
        if owner is None or self.electrons not in self._owned:
            return placed
        count = _electrons_of(owner)
        if count is None or count == self.electrons:
            return placed
        return replace(placed, bound=Bound.OTHER, label=self.text.plain[owner.start : owner.end])

    @cached_property
    def _owned(self) -> frozenset[int | None]:
        """How many electrons the atoms and ions have for which a configuration is stated."""
        owners = (self._owner(*one.plain) for one in self.stated)
        return frozenset(_electrons_of(one) for one in owners if one)

    def _owner(self, start: int, end: int) -> Mention | None:
        """The atom or ion that a configuration is stated for."""
        after = self.owners.respective(start) or self.owners.after(end)
        if after:
            return after[0]
        if said := _IS_OF.match(self.text.plain, end):
            own = self.owners.within(said.end(), said.end() + 1)
            if own:
                return own[0]
        low = max(start - _REACH, self.discourse.sentences.at(start)[0])
        if _BOTH.search(self.text.plain, low, start):
            own = [one for one in self.owners.within(low, start) if one.keys & self.subject.keys]
            return own[-1] if own else None
        return self.owners.column(start) or self.owners.before(start, taken=self._compared)

    @cached_property
    def _compared(self) -> frozenset[Mention]:
        """The mentions that only say what a configuration is like: "the xenon configuration"."""
        plain = self.text.plain
        return frozenset(
            one for one in self.owners.found
            if _LIKE_AFTER.match(plain, one.end)
            or _LIKE_BEFORE.search(plain, max(0, one.start - 30), one.start)
        )  # fmt: skip

    def _bound(self, owner: Mention, start: int, end: int) -> Bound:
        """Whether the owner is the subject; an element as such is its atom, unless an ion of it is meant."""
        between = self.text.plain[owner.start : start]
        elements = frozenset(symbol for atoms, _ in self.subject.keys for symbol, _ in atoms)
        if owner.substance:
            return Bound.NAMED if owner.keys & self.subject.keys else Bound.OTHER
        if not self.subject.keys:
            left = owner.start < start and is_left(self.text.plain, start, end)
            ionic = left or _ION.search(between) or self.subject.element not in owner.elements
            return Bound.OTHER if ionic else Bound.NAMED
        return Bound.OTHER if owner.elements != elements or _ATOM.search(between) else Bound.FREE


def _electrons_of(owner: Mention) -> int | None:
    """The electrons of an atom or a monatomic ion; None for any other species."""
    if len(owner.elements) != 1 or (owner.substance and owner.ion is None):
        return None
    (element,) = owner.elements
    return ATOMIC_NUMBER[element] - (owner.ion or 0)


def decide(check: CheckModel, answer: Answer) -> Finding:
    """Decide whether an answer states the expected electron configuration."""
    assert isinstance(check, ElectronConfigurationCheck)
    if not answer.text.strip():
        return outcome.blank(BY)
    expected = _expected(check.expected)
    if expected is None:
        return outcome.undetermined(BY, Reason.NOT_COMPARABLE, "the expected configuration can't be read")
    text = normalise(answer.text)
    found = _candidates(text, expected)
    atomic = expected.family is Family.ATOM and expected.whole
    reading = ConfigurationReading(
        text, check.asked, answer.others, Subject.of(None, check.subject), Owners.of(text.plain),
        found, sum(expected.counts.values()) if atomic else 0,
    )  # fmt: skip
    settled = settle(
        text, found, same=lambda one, two: compare(one, two) is Relation.SAME,
        asked=check.asked, others=answer.others, cut=answer.cut, reading=reading,
    )  # fmt: skip
    taken = settled.candidate
    if taken is None:
        return outcome.unsettled(BY, settled, "electron configuration")
    relation = compare(expected, taken.value)
    shown = " ".join(taken.quote.split())
    if relation is Relation.UNSURE:
        detail = f"{shown} can't be compared with {check.expected} as it is written"
        return outcome.undetermined(
            BY, Reason.NOT_COMPARABLE, detail, (*settled.rejected, taken.rejected("is written in part only"))
        )
    right = relation is Relation.SAME
    detail = f"{shown} {'agrees with' if right else 'differs from'} {check.expected}"
    return outcome.decided(BY, right, taken, detail, shown, settled.rejected)


def spans(check: CheckModel, answer: Answer) -> list[tuple[int, int]]:
    """The raw spans of the configurations that an answer writes."""
    text = normalise(answer.text)
    return [text.raw_span(one.start, one.end) for one in _written(text.plain)]


def _written(plain: str) -> list[Written]:
    """The configurations of a text, as sets with counts or as diagrams."""
    drawn = diagrams(plain)
    starts = [one.start for one in drawn]
    beside = []
    for one in read(plain):
        before = bisect_left(starts, one.end)
        if not before or drawn[before - 1].end <= one.start:
            beside.append(one)
    return sorted([*drawn, *beside], key=lambda one: one.start)


def _candidates(text: Text, expected: Configuration) -> list[Candidate[Configuration]]:
    """The configurations of the expected sort; d counts only where there is none."""
    found = _written(text.plain)
    sort = [one for one in found if one.value.family is expected.family]
    return [_candidate(text, one, expected) for one in sort or d_counts(text.plain)]


def _candidate(text: Text, one: Written, expected: Configuration) -> Candidate[Configuration]:
    before = text.plain[max(0, one.start - 60) : one.start]
    core = _IS_A_CORE.search(before) and one.end - one.start < _BARE_CORE
    shell = expected.whole and not one.value.whole and _IS_A_SHELL.search(before)
    after = _TURNS.match(text.plain, one.end) or _IS_EXPECTED.match(text.plain, one.end)
    step = after or (_STEPS.search(before) and not is_left(text.plain, one.start, one.end))
    changed = _MORE_THAN.search(before) or _AND_MORE.match(text.plain, one.end)
    doubt = "something is added or taken away" if changed else ""
    return candidate(text, one.value, one.start, one.end, aside=bool(core or shell or step), doubt=doubt)
