"""Whose term an answer states: the subject, label or property that governs a place of the text."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from grader.answer.binding import Bound
from grader.answer.discourse import Spans, sentences
from grader.answer.labels import occurrences
from grader.answer.notation import normalise
from grader.answer.respectively import partner
from grader.formal.terms.spelling import spelled

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Mention:
    """A subject as the text names it."""

    start: int
    end: int
    name: str
    own: bool


_SPECIES = re.compile(
    r"(?<![\w\]^])(?:(?:cis|trans|fac|mer|[ΔΛ])-)?(?:\[[A-Z][^\[\]\s]{1,40}\](?:\^?[0-9]?[+-])?|"
    r"(?:[A-Z][a-z]?[0-9]{0,3}|"
    r"\((?:[A-Z][a-z]?[0-9]{0,2}){1,4}\)[0-9]{0,2}){1,8}(?:\^?[0-9]?[+-])?)(?![\w^(])"
)
_FORMULA = re.compile(r"[0-9\[]|[A-Z][a-z]?[A-Z]|[+-]$")
_LETTER = re.compile(
    r"(?<![A-Za-z0-9])(?:(?:compound|complex|molecule|product|structure|isomer)\s"
    r")?(?P<name>[A-Z])(?![A-Za-z0-9'])"
)
_NUMBERED = re.compile(
    r"(?<![A-Za-z0-9])(?:C-?[0-9]{1,2}|[NO]-[0-9]{1,2}|(?:carbon|position|compound|step)\s[0-9]{1,2})"
    r"(?![A-Za-z0-9])",
    re.I,
)
_NAME = (
    r"[a-z0-9][\w,'()-]{0,40}(?:ane|ene|yne|ol|[^n]one|nal|ide|ate|ite|ine|ium|gen|nitrile|ether|acid|ylic|"
    r"water|ammonia|bon)"
)
_NAMED = re.compile(
    rf"(?:^|[.;,:\n(|]\s{{0,3}}|\b(?:whereas|while|but|and|unlike|though|although)\s)(?:the\s|tub-shaped\s"
    rf")?(?P<name>{_NAME})"
    r"(?:\s(?:acid|ion|anion|cation|ring|atom|molecule))?\s?(?:(?:is|are|was|were|has|shows|appears|gives|"
    r"being|undergoes|reacts|behaves|acts)\b|[:|]|->|\()",
    re.I | re.M,
)
_OF_SEVERAL = re.compile(r"(?:the\s)?[a-z]{3,14}\s(?P<noun>[a-z]{3,14}?)s?")
"""A subject such as "central carbon", beside which there are others."""
_OTHER_ONES = (
    r"\b(?P<name>(?!(?:the|a|an|each|both|all|this|that|two|its|every|one)\s)[a-z]{{3,14}}\s(?:{noun}s?|"
    r"ones?))\b"
)
_OVERALL = re.compile(r"[\s,]{0,2}\(?overall\b", re.I)
_COMPARED = re.compile(
    r"\b(?:unlike|than|like|(?:compared|contrast|comparison) (?:with|to)|relative to|opposed to|from|"
    r"similar(?:ly)? to|with|by|analogous to|instead of|not)\s(?:the\s|that of\s)?$",
    re.I,
)
_RELATIVE = re.compile(r",?\s(?:which|who|that)\b")
_AFTER = re.compile(
    r"[\"')*\]]{0,3}(?:\s[a-z-]{2,16}){0,3}?\s?(?:\(|\b(?:in|at|of|for|on|around|about|with respect to|wrt|"
    r"from|arises? from|due to)\b)"
    r"\s?(?:the\s|its\s)?(?:case of\s)?|[\"')*]{0,2}[ ]"
)
_PRONOUN = re.compile(
    r"\W{0,4}(?:it|they|this|its|these|the (?:molecule|compound|complex|ion|species|substance|reaction))\b",
    re.I,
)
_BOUNDARY = re.compile(r"[,;()\n]|\b(?:and|but|while|whereas|so|giving|which|hence|thus)\b")
_REACH = 400


@dataclass(frozen=True)
class Subjects:
    """The subjects of one text; ``spans`` are its terms, which are no subjects."""

    plain: str
    own: tuple[str, ...]
    others: tuple[str, ...]
    spans: tuple[Span, ...]
    facets: tuple[tuple[str, ...], ...] = ()
    """The phrases of the property asked for, then those of other properties."""

    def bind(self, start: int, end: int) -> tuple[Bound, str | None]:
        """The tie of a term at a plain span."""
        facet = self._facet(start, end)
        if facet is not None and not facet.own:
            return Bound.OTHER, facet.name
        if (
            self.own
            and _OVERALL.match(self.plain, end)
            and not any("overall" in label.lower() for label in self.own)
        ):
            return Bound.OTHER, "overall"
        subject = self._subject(start, end)
        if subject is not None:
            return (Bound.NAMED if subject.own else Bound.OTHER), subject.name
        return (Bound.NEAR, facet.name) if facet is not None else (Bound.FREE, None)

    @cached_property
    def _sentences(self) -> Spans:
        return sentences(self.plain)

    # -- subjects ---------------------------------------------------------------------------------------

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """Every subject that the text names, in order; labels before what only looks like a species."""
        found = [
            Mention(one.start, one.end, one.label, one.side != "other")
            for one in occurrences(self.plain, self.own, self.others)
        ]
        for one in self._species() if self.own else ():
            if not any(one.start < kept.end and kept.start < one.end for kept in found):
                found.append(one)
        return tuple(sorted(found, key=lambda one: one.start))

    def _species(self) -> Iterator[Mention]:
        """Other species than the one asked for, of the same manner of naming."""
        for pattern in self._manners():
            for match in pattern.finditer(self.plain):
                span = match.span("name") if "name" in pattern.groupindex else match.span()
                text = self.plain[slice(*span)]
                if pattern is _SPECIES and not _FORMULA.search(text):
                    continue
                if not any(low < span[1] and span[0] < high for low, high in self.spans):
                    yield Mention(*span, text, _squashed(text) in {_squashed(label) for label in self.own})

    def _manners(self) -> list[re.Pattern[str]]:
        found = (
            [_SPECIES]
            if any(_FORMULA.search(label) and not _NUMBERED.fullmatch(label) for label in self.own)
            else []
        )
        if any(_LETTER.fullmatch(label) for label in self.own):
            found.append(_LETTER)
        if any(_NUMBERED.fullmatch(label) for label in self.own):
            found.append(_NUMBERED)
        if any(re.fullmatch(r"[a-z][\w,' ()-]{3,}", label) for label in self.own):
            found.append(_NAMED)
        nouns = {match["noun"] for label in self.own if (match := _OF_SEVERAL.fullmatch(label))}
        return [*found, *(re.compile(_OTHER_ONES.format(noun=noun), re.I) for noun in sorted(nouns))]

    @cached_property
    def _starts(self) -> list[int]:
        return [one.start for one in self.mentions]

    def _within(self, low: int, high: int) -> Sequence[Mention]:
        return self.mentions[bisect_left(self._starts, low) : bisect_left(self._starts, high)]

    def _subject(self, start: int, end: int) -> Mention | None:
        if not self.mentions:
            return None
        low, high = self._sentences.at(start)
        low, high = max(low, start - _REACH), min(high, end + _REACH)
        return (
            self._in_table(start)
            or self._directly_after(end, high)
            or self._respective(low, high, start)
            or self._before(low, start)
            or self._heading(low, start)
            or self._earlier(low)
        )

    def _directly_after(self, end: int, high: int) -> Mention | None:
        for one in self._within(end, high)[:1]:
            if _AFTER.fullmatch(self.plain, end, one.start):
                return one
        return None

    def _respective(self, low: int, high: int, start: int) -> Mention | None:
        span = partner(self.plain, low, high, start) if "respectively" in self.plain else None
        inside = self._within(*span) if span else ()
        return inside[0] if inside else None

    def _before(self, low: int, start: int) -> Mention | None:
        """The nearest subject before a place that isn't only compared with or in closed brackets."""
        for one in reversed(self._within(low, start)):
            between = self.plain[one.end : start]
            if (
                ")" in between
                and "(" not in between.split(")")[0]
                and "(" in self.plain[max(low, one.start - 60) : one.start]
            ):
                continue
            compared = _COMPARED.search(self.plain, max(low, one.start - 40), one.start)
            if compared and not _RELATIVE.match(between):
                continue
            return one
        return None

    def _heading(self, low: int, start: int) -> Mention | None:
        """The subject that a line before names alone."""
        at = self.plain.rfind("\n", 0, start)
        for _ in range(12):
            if at <= 0:
                return None
            above = self.plain.rfind("\n", 0, at)
            line = self.plain[above + 1 : at]
            inside = self._within(above + 1, at)
            rest = line
            for one in inside:
                rest = rest.replace(self.plain[one.start : one.end], "", 1)
            if inside and not rest.strip(" :.-*#)(0123456789"):
                return inside[0]
            at = above
        return None

    def _earlier(self, low: int) -> Mention | None:
        """The subject of the sentence before, where this one begins with a pronoun."""
        if low == 0 or not _PRONOUN.match(self.plain, low):
            return None
        before = self._sentences.at(max(0, low - 1))[0]
        inside = self._within(max(before, low - _REACH), low)
        return inside[0] if inside else None

    def _in_table(self, start: int) -> Mention | None:
        """The subject of the row of a table, or of the head of the column."""
        low, high = self.plain.rfind("\n", 0, start) + 1, self.plain.find("\n", start)
        row = self.plain[low : high if high >= 0 else len(self.plain)]
        if row.count("|") < 2:
            return None
        inside = self._within(low, low + len(row))
        if inside:
            return inside[0]
        top = low
        while top and "|" in self.plain[(above := self.plain.rfind("\n", 0, top - 1) + 1) : top - 1]:
            top = above
        cells = self.plain[top : self.plain.find("\n", top)].split("|")
        column = self.plain[low:start].count("|")
        at = top + sum(len(cell) + 1 for cell in cells[:column])
        headed = self._within(at, at + len(cells[column])) if column < len(cells) else ()
        return headed[0] if headed else None

    # -- properties -------------------------------------------------------------------------------------

    @cached_property
    def _properties(self) -> tuple[Mention, ...]:
        found = [
            Mention(*match.span(), phrase, index == 0)
            for index, phrases in enumerate(self.facets)
            for phrase in phrases
            for match in spelled(phrase).finditer(self.plain)
        ]
        found.sort(key=lambda one: (one.start - one.end, one.start))
        kept: list[Mention] = []
        for one in found:
            if not any(one.start < other.end and other.start < one.end for other in kept):
                kept.append(one)
        return tuple(sorted(kept, key=lambda one: one.start))

    def _facet(self, start: int, end: int) -> Mention | None:
        """The property that a term is stated for: named right behind it, or before it and not yet used."""
        for one in self._properties:
            if end <= one.start <= end + 3 and not self.plain[end : one.start].strip(" -*"):
                return one
        low = max(self._sentences.at(start)[0], start - _REACH)
        opened = self.plain.rfind("(", low, start)
        inside = opened >= 0 and ")" not in self.plain[opened:start]
        for one in reversed(self._properties):
            if one.end > start or one.start < low:
                continue
            if inside and one.start < opened:
                near = not self.plain[one.end : opened].strip()
                return one if near else None
            used = any(one.end <= first and last <= start for first, last in self.spans)
            between = self.plain[one.end : start]
            if ")" in between and "(" not in between:
                continue
            return None if used and _BOUNDARY.search(between) else one
        return None


def _squashed(name: str) -> str:
    """A species without the signs that its spellings differ in."""
    return re.sub(r"[\s^_{}$]", "", normalise(name).plain)
