"""Checks of kind label: is the term that an answer states the expected one?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from grader.answer.answer import Answer
from grader.answer.binding import Bound
from grader.answer.candidates import Candidate, Reading, Settled, candidate, settle
from grader.answer.marks import EXPLICIT, Rank
from grader.answer.notation import Text, normalise
from grader.answer.stance import Stance
from grader.formal.outcome import blank, decided, undetermined, unsettled
from grader.formal.registry import by
from grader.formal.structures.comparison import Relation
from grader.formal.terms.passing import is_aside, is_passing
from grader.formal.terms.phrases import presented
from grader.formal.terms.subjects import Subjects
from grader.formal.terms.vocabulary import GENERIC, Found, Meaning, Vocabulary, vocabulary_of
from grader.problem.checks import CheckModel, LabelCheck
from grader.record import Finding, Reason, Rejected

BY = by("label")

V = TypeVar("V")

_REACH = 120
_NOT = re.compile(
    r"(?:\b(?:is|are|was|were|be|'s|it|does|being)(?:n't|\s(?:not|never))\s"
    r"(?:an?\s|at all\s|really\s|actually\s|considered\s|be\s)?|(?:^|(?<=[.;\n]\s))not\s(?:an?\s)?)[\"'(*]?$",
    re.I,
)
_JOINED = re.compile(r",?\s(?:or|and|nor)\s(?:the\s|an?\s)?")
_ASKS = r"(?:question|problem|task) (?:asks|wants|is about)"
"""How a text turns from another case to the one that is asked for."""
_STEP = re.compile(r"\s(?:of|to|across|onto|by)\s")
_LONGEST = 60
"""A mark with more characters holds more than a term."""
_MOST = 400
"""More terms than this are not weighed."""


def decide(check: CheckModel, answer: Answer) -> Finding:
    """Decide a label check on one answer."""
    assert isinstance(check, LabelCheck)
    if not answer.text.strip():
        return blank(BY)
    return _Case(check, answer, normalise(answer.text)).finding()


def spans(check: LabelCheck, answer: Answer) -> list[tuple[int, int]]:
    """The raw spans of the terms that an answer names."""
    text = normalise(answer.text)
    return [text.raw_span(one.start, one.end) for one in _Case(check, answer, text).found]


@dataclass(frozen=True)
class TermReading(Reading):
    """A reading whose terms are tied to subjects by clauses, not by equations."""

    subjects: Subjects | None = None
    places: tuple[tuple[int, str], ...] = ()
    """The locant that a descriptor is written with, by its plain start."""

    def placed(self, item: Candidate[V]) -> Candidate[V]:
        """The candidate with its rank and the subject that it is stated for."""
        assert self.subjects is not None
        rank = max(self.marked.rank(item.start, item.end), self._line_rank(item))
        bound, label = self._located(item.plain[0]) or self.subjects.bind(*item.plain)
        return replace(item, rank=rank, bound=bound, label=label)

    def _located(self, start: int) -> tuple[Bound, str | None] | None:
        """The tie by the locant of a descriptor: ``(2R,3S)`` states R for C2."""
        place = dict(self.places).get(start)
        wanted = [digits[0] for label in self.asked if (digits := re.findall(r"[0-9]{1,2}", label))]
        if not place or not wanted:
            return None
        return (Bound.NAMED if place in wanted else Bound.OTHER), f"C{place}"


@dataclass(frozen=True)
class _Case:
    """One check on one answer."""

    check: LabelCheck
    answer: Answer
    text: Text

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        """The vocabulary of the check with its own term and aliases, those that it doesn't know already."""
        known = vocabulary_of(self.check.label_kind, self.check.expected) or Vocabulary("", (), "")
        own = [
            spelling for spelling in (self.check.expected, *self.check.aliases) if not known.holds(spelling)
        ]
        return (
            known.with_terms({spelling: (spelling, GENERIC.sub("", spelling)) for spelling in own})
            if own
            else known
        )

    @cached_property
    def _right(self) -> frozenset[str]:
        meanings = (
            self._vocabulary.read(spelling) for spelling in (self.check.expected, *self.check.aliases)
        )
        return frozenset(meaning.name for meaning in meanings if meaning and not meaning.turned)

    def _relation(self, meaning: Meaning) -> Relation:
        return self._vocabulary.relation(meaning, self._right)

    @property
    def _labels(self) -> tuple[str, ...]:
        subject = (self.check.subject,) if self.check.subject else ()
        return (*self.check.asked, *subject)

    def finding(self) -> Finding:
        """The finding by the terms of the vocabulary, else by a phrase that is presented as the term."""
        found = self.found
        if len(found) > _MOST:
            return undetermined(
                BY, Reason.CONFLICTING_CANDIDATES, "the answer names more terms than can be weighed"
            )
        reading = self._reading(found)
        terms = self._candidates(self._narrowest(found), reading)
        candidates = sorted([*self._turned(terms), *self._phrases(found, reading)], key=lambda one: one.start)
        settled = self._settle(candidates, reading)
        if settled.candidate is None:
            return (
                self._denied(settled, candidates)
                or self._all_wrong(settled, candidates)
                or unsettled(BY, settled, "term")
            )
        return self._judge(settled.candidate, settled.rejected)

    @cached_property
    def found(self) -> list[Found]:
        """The terms of the text; one that fills a mark needs no cue that it is a term."""
        found = self._vocabulary.find(self.text.plain)
        for mark in Reading(self.text).marked.marks:
            low, high = self.text.plain_span(mark.start, mark.end)
            if (
                mark.rank < Rank.BOLD
                or high - low > _LONGEST
                or any(low < one.end and one.start < high for one in found)
            ):
                continue
            meaning = self._vocabulary.read(self.text.plain[low:high])
            if meaning is not None:
                found.append(Found(meaning, low, high))
        return sorted(found, key=lambda one: one.start)

    def _narrowest(self, found: Sequence[Found]) -> list[Found]:
        """The terms without the broader ones that a narrower one of the text makes definite."""
        names = {one.meaning.name for one in found}
        return [
            one for one in found if not self._vocabulary.broader.get(one.meaning.name, frozenset()) & names
        ]

    def _reading(self, found: Sequence[Found]) -> TermReading:
        spans = tuple((one.start, one.end) for one in found)
        kind = " ".join((self.check.label_kind or "", *self.check.asked)).replace("_", " ").lower()
        facets = sorted(self._vocabulary.facets, key=lambda phrases: not _names(kind, phrases))
        subjects = Subjects(self.text.plain, self._labels, self.answer.others, spans, tuple(facets))
        places = tuple((one.start, one.place) for one in found if one.place)
        return TermReading(self.text, self._labels, self.answer.others, subjects, places)

    def _candidates(self, found: Sequence[Found], reading: TermReading) -> list[Candidate[Meaning]]:
        terms: list[Candidate[Meaning]] = []
        passing: Found | None = None
        for item in found:
            joined = passing is not None and _JOINED.fullmatch(self.text.plain, passing.end, item.start)
            one = None if joined else self._candidate(item, reading)
            passing = item if one is None else None
            terms += [one] if one else []
        return terms

    def _candidate(self, found: Found, reading: TermReading) -> Candidate[Meaning] | None:
        """A term as a candidate, none where it is only named in passing."""
        before, after = reading.discourse.around(found.start, found.end)
        start, meaning = found.start, found.meaning
        if self._vocabulary.opposites and not meaning.turned and (denial := _NOT.search(before)):
            start -= len(before) - denial.start()
            meaning = Meaning(self._vocabulary.opposite(meaning.name))
        step = meaning.name in self._vocabulary.broader and _STEP.match(after)
        item = candidate(self.text, meaning, start, found.end, aside=bool(step) or is_aside(before, after))
        explicit = reading.marked.rank(item.start, item.end) >= EXPLICIT
        return None if is_passing(before, after) and not explicit else item

    def _turned(self, terms: list[Candidate[Meaning]]) -> list[Candidate[Meaning]]:
        """The terms without those that the text reads off and then turns round."""
        cue = re.compile(rf"\b(?:{'|'.join(filter(None, (self._vocabulary.turned, _ASKS)))})\b", re.I)
        kept: list[Candidate[Meaning]] = []
        for index, one in enumerate(terms):
            later = [two for two in terms[index + 1 :] if two.value != one.value]
            end = later[0].plain[0] if later else min(len(self.text.plain), one.plain[1] + _REACH)
            turned = cue.search(self.text.plain, one.plain[1], end)
            if turned and end - one.plain[1] < 3 * _REACH and not (later or self._opens(one)):
                # a word for the case that is asked for leaves open which of several terms it has
                cases = kept if re.match(_ASKS, turned.group(), re.I) else []
                kept = [replace(two, doubt="is turned round") for two in (*cases, one)] + kept[len(cases) :]
            elif not (turned and later and end - one.plain[1] < 3 * _REACH):
                kept.append(one)
        return kept

    def _opens(self, one: Candidate[Meaning]) -> bool:
        """Whether a term stands before any reasoning."""
        return not self.text.plain[: one.plain[0]].strip(" (*\n\"'")

    def _phrases(self, found: Sequence[Found], reading: TermReading) -> list[Candidate[Meaning]]:
        """Presented phrases that hold no known term: another term, or one that can't be compared."""
        labels = (*self._labels, *([self.check.label_kind] if self.check.label_kind else []))
        known = bool(vocabulary_of(self.check.label_kind, self.check.expected))
        items = []
        for low, high in dict.fromkeys(presented(self.text, reading.marked, labels, told=not known)):
            if not any(low < one.end and one.start < high for one in found):
                meaning = Meaning(
                    self.text.plain[low:high].lower(),
                    "unread" if known or self._shares(low, high) else "other",
                )
                items.append(candidate(self.text, meaning, low, high))
        return items

    def _shares(self, low: int, high: int) -> bool:
        """Whether a phrase has a word in common with the expected term, other than its head noun."""
        words = set(re.findall(r"[a-z]{4,}", self.text.plain[low:high].lower()))
        names = [re.findall(r"[a-z]{4,}", name.lower()) for name in self._right]
        own = {word for name in names for word in (name[:-1] if len(name) > 1 else name)}
        return bool(words & (own - _COMMON))

    def _settle(self, candidates: Sequence[Candidate[Meaning]], reading: TermReading) -> Settled[Meaning]:
        return settle(
            self.text,
            candidates,
            same=self._same,
            asked=self.check.asked,
            others=self.answer.others,
            cut=self.answer.cut,
            reading=reading,
        )

    def _same(self, one: Meaning, two: Meaning) -> bool:
        return one == two or self._relation(one) is self._relation(two) is Relation.SAME

    def _denied(self, settled: Settled[Meaning], candidates: Sequence[Candidate[Meaning]]) -> Finding | None:
        """Not met where the answer denies the expected term and states no other."""
        if settled.reason is not Reason.NO_CANDIDATE or not self.answer.cut:
            return None
        whys = {(one.start, one.end): one.why for one in settled.rejected}
        denials = [one for one in candidates if whys.get((one.start, one.end)) in ("denied", "called wrong")]
        if len(denials) != len(candidates) or not denials:
            return None
        wrong = [one for one in denials if self._relation(one.value) is Relation.SAME]
        if not wrong or Reading(self.text).discourse.stance(*wrong[-1].plain)[0] is not Stance.NEGATED:
            return None
        detail = f"the answer denies {self.check.expected}"
        return decided(BY, False, wrong[-1], detail, f"not {wrong[-1].value.name}", settled.rejected)

    def _all_wrong(
        self, settled: Settled[Meaning], candidates: Sequence[Candidate[Meaning]]
    ) -> Finding | None:
        """Not met where every term that the answer names is wrong, whichever of them it means."""
        rivals = settled.rivals
        if settled.reason is not Reason.CONFLICTING_CANDIDATES or not self.answer.cut or not rivals:
            return None
        if any(self._relation(one.value) is not Relation.DIFFERENT for one in candidates):
            return None
        return self._judge(rivals[-1], settled.rejected)

    def _judge(self, taken: Candidate[Meaning], rejected: tuple[Rejected, ...]) -> Finding:
        relation = self._relation(taken.value)
        name = taken.value.name
        shown = {"": name, "not": f"not {name}"}.get(taken.value.turned, taken.quote.strip())
        if relation is Relation.UNSURE:
            why = f"'{taken.quote}' leaves open whether {self.check.expected} is meant"
            found = undetermined(BY, Reason.NOT_COMPARABLE, why, rejected)
            return replace(found, found=shown, evidence=taken.evidence)
        right = relation is Relation.SAME
        detail = f"{shown} {'is' if right else 'is not'} {self.check.expected}"
        return decided(BY, right, taken, detail, shown, rejected)


_COMMON = frozenset(
    [
        "reaction",
        "rearrangement",
        "condensation",
        "addition",
        "effect",
        "rule",
        "method",
        "process",
        "type",
        "order",
        "group",
        "acid",
        "base",
        "synthesis",
    ]
)
"""Words that phrases share without meaning the same."""


def _names(kind: str, phrases: Sequence[str]) -> bool:
    """Whether a label kind or label is one of the phrases of a property."""
    return any(phrase in kind for phrase in phrases)
