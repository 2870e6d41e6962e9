"""A rubric's text as stretches that quote something, and what its words say of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from grader.answer.notation import CODE
from grader.problem.rubric.mask import MATH, QUOTED, Region, mask

MASK = "\ue000"
"""Stands for each character of a quoted stretch."""

_GUIDANCE = re.compile(r" \[(?P<said>[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*)\]$")
_CONNECTIVE = re.compile(r"\b(?:for|then|and|so|thus|hence|of|the|is|are|giving|gives)\b", re.I)
"""What only leads from one part of a line to the next."""
_CLAUSE_END = re.compile(r"[.;!?](?=\s|$)|\n|,? but\b|[()]")
_LABEL = re.compile(
    r"(?:^|[\s,;(\[])[\[(]?(?P<label>[A-Z][a-z]?\d{0,2}'{0,2}|[IVX]{1,4}|[ivx]{1,4})[\])]?\s?[:=]\s*$"
    r"|(?:^|\s)[\[(](?P<bracketed>[A-Z]|[ivx]{1,4})[\])]\s?$"
)
_HEADS = re.compile(r"\s?[:=](?=\s|\ue000)")
_REFUSED_BEFORE = re.compile(
    r"\b(?:not|no|nor|never|without|instead of|rather than|unlike|than|wrong|incorrect|except|but|deduct|"
    r"minus|take off|los(?:es|ing)|forfeits?|reject(?:ed|s)?|nothing|zero|isn't|don't|doesn't|avoid|"
    r"fails?)\b",
    re.I,
)
_REFUSED_AFTER = re.compile(
    r"\W{0,3}\s?(?:(?:is|are|was|does|do|earns?|gets?|scores?|receives?|costs?|loses?|would|cannot|counts?)\b"
    r"[^.;]{0,40}?\b(?:not|no|nothing|wrong|incorrect|zero|only|half|less|rejected)\b|(?:is|are) (?:un|in)"
    r"|isn't)",
    re.I,
)
_AMOUNT = re.compile(
    r"\b(?:[\d.]+|half|an?|one|two|three|four|five)\s?(?:points?|pts?|marks?)\b"
    r"|\b(?:partial|full|half) credit\b|\b(?:earns?|gets?|scores?|worth)\s[\d.]+\b",
    re.I,
)
_PASSING = re.compile(
    r"\b(?:from|of|with|by|via|using|over|on|in|into|between|excess|add(?:ing|ed)?|treat(?:ing|ed)?|if|when|given|"
    r"where|at|taking|assuming|like|per|as)\s(?:(?:the|a|an|its)\s)?(?:[\w-]+\s)?['\"$`(]*$",
    re.I,
)
_JOINED = re.compile(rf"(?:{MASK}+(?:,? and |,? or |, | \+ ))+$")
_CONSUMED = re.compile(
    r"\s(?:(?:is|are|was|were)\s\w+ed\s(?:to|by|with|into|from)|reacts?|undergoes|attacks)\b"
)
_ALSO = re.compile(
    r"\b(?:also|accept\w*|allow\w*|tolera\w+|credited|counts?\b|suffic\w+|enough|will do|may be|"
    r"alternativ\w*|either|any (?:\w+ )?(?:values?|answers?|wordings?|other|reasonable|sensible|structures?|"
    r"isomers?|salts?|form)|reasonable|equivalent|similar|carried|follow\w*|ecf|consistent|approx\w*|about|"
    r"roughly|around|tautomer\w*|resonance|mesomer\w*|protonat\w*|units?|(?:an|cat|counter-?)ions?|e\.g|"
    r"for (?:example|instance)|such as|and so on|etc|within|tolerance)\b|≈|~|±|\+/-|\\pm\b",
    re.I,
)
_ANOTHER = re.compile(r"\b(?:also|accept\w*|allow\w*|tolera\w+|counts?|alternativ\w*)\b", re.I)
_ALTERNATIVE = re.compile(r"\b(?:or|alternatively)\b", re.I)
_LESSER = re.compile(
    r"\b(?:if|unless|wrong\w*|incorrect\w*|missing|forg[eo]t\w*|half|partial\w*|deduct\w*|minus|costs?|"
    r"los(?:e|es|ing|t)|penal\w*|otherwise|only|signs?|errors?|mistakes?|without|omit\w*|lacks?|lacking|"
    r"zero)\b",
    re.I,
)
"""Words of an award for a flawed answer, or of a deduction."""
_KEY = r"(?:stereo\w*|configurations?|geometr(?:y|ies)|wedges?)"
_STEREO = re.compile(
    rf"\b(?:{_KEY}|enantiomer\w*|diastere\w*|racem\w*|mirror|optical\w*|chiral\w*|configured|"
    r"epimer\w*|meso|inver(?:sion|ted)|retention)\b",
    re.I,
)
_WAIVED = re.compile(
    rf"\b{_KEY}\b[^.;]{{0,40}}\b(?:not (?:be )?(?:required|needed|necessary|marked|judged|assessed|"
    rf"considered)|ignored?|irrelevant|need not|needn't|optional|waived|immaterial)"
    rf"|\b(?:ignor(?:e|ing)|regardless of|irrespective of|disregard(?:ing)?) (?:the )?{_KEY}"
    rf"|\bno {_KEY} (?:is |are )?(?:required|needed|necessary|demanded)"
    rf"|\bany {_KEY} (?:is |are )?(?:accepted|allowed|fine|right)",
    re.I,
)
_NO_WAIVER = re.compile(
    r"\b(?:if|unless|when|half|points?|marks?|partial\w*|deduct\w*|costs?|only|wrong\w*|zero|lose\w*|penal\w*)\b",
    re.I,
)
_RELATIVE = re.compile(
    r"\bonly (?:the )?relative (?:configurations?|stereo\w*)"
    r"|\brelative (?:configurations?|stereo\w*) (?:only|alone|(?:is|are) (?:enough|sufficient)|suffices?)"
    r"|\b(?:either|both|any) enantiomers?"
    r"|\b(?:mirror images?|enantiomers?) (?:(?:is|are|will|can be) )?(?:also |equally |just as )?"
    r"(?:accepted|allowed|counts?|right|correct|fine|do)\b",
    re.I,
)
_NO_RELATIVE = re.compile(
    r"\b(?:not|no|wrong\w*|zero|nothing|half|points?|if|deduct\w*|costs?|lose\w*)\b|n't", re.I
)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch that quotes something: ``text[start:end]``, its delimiters outside."""

    start: int
    end: int
    outer: tuple[int, int]
    math: bool
    """It stands in LaTeX."""


@dataclass(frozen=True)
class Line:
    """The text of a point, its words told apart from what it quotes."""

    text: str

    @cached_property
    def body(self) -> str:
        """The answer part: what the marks said beside it is left off."""
        found = _GUIDANCE.search(self.text)
        if found is None or not (" " in found["said"] or found["said"].islower()):
            return self.text
        return self.text[: found.start()]

    @cached_property
    def stretches(self) -> tuple[Stretch, ...]:
        """What the body quotes, in order."""
        regions = [region for region in mask(self.body).regions if region.kind in (QUOTED, MATH)]
        for code in CODE.finditer(self.body):
            if not any(region.start < code.end() and code.start() < region.end for region in regions):
                regions.append(Region(QUOTED, *code.span(), code.span(code.lastindex or 0)))
        regions.sort(key=lambda region: region.start)
        return tuple(Stretch(*one.inner, (one.start, one.end), one.kind == MATH) for one in regions)

    @cached_property
    def words(self) -> str:
        """The body with what it quotes masked; as long as the body."""
        shown = list(self.body)
        for one in self.stretches:
            shown[slice(*one.outer)] = MASK * (one.outer[1] - one.outer[0])
        return "".join(shown)

    def clause(self, at: int) -> tuple[int, int]:
        """The clause of the body that a place stands in."""
        ends = [match.span() for match in _CLAUSE_END.finditer(self.words)]
        low = max((end for _, end in ends if end <= at), default=0)
        high = min((start for start, _ in ends if start >= at), default=len(self.words))
        return low, high

    def refused(self, start: int, end: int) -> bool:
        """Whether the words around a stretch say that it isn't, or isn't fully, the right answer."""
        low, high = self.clause(start)
        before, after = self.words[low:start], self.words[end : max(end, high)]
        said = self.words[low : max(end, high)]
        if _AMOUNT.search(said) or _ANOTHER.search(said):
            return True
        return bool(_REFUSED_BEFORE.search(before) or _REFUSED_AFTER.match(after))

    def passing(self, start: int, end: int) -> bool:
        """Whether a stretch only stands for what the answer is made from, by or under."""
        low, _ = self.clause(start)
        before = _JOINED.sub("", self.words[max(low, start - 200) : start])
        return _PASSING.search(before) is not None or _CONSUMED.match(self.words, end) is not None

    def heads(self, end: int) -> bool:
        """Whether a stretch is itself the label of what follows."""
        return _HEADS.match(self.words, end) is not None

    def label(self, start: int) -> tuple[str, ...]:
        """The short label right before a place: ``K:``, ``F1 =``."""
        found = _LABEL.search(self.words, max(0, start - 12), start)
        return (found["label"] or found["bracketed"],) if found else ()

    def alternatives(self) -> list[int]:
        """Where the text says "or"."""
        words = self.words + self.text[len(self.body) :]
        return [found.start() for found in _ALTERNATIVE.finditer(words)]

    def _clauses(self, beside: tuple[int, int] | None = None) -> Iterator[str]:
        """The clauses of the text without what it quotes and without the stretch ``beside``."""
        words = self.words + self.text[len(self.body) :]
        if beside is not None:
            low, high = beside
            words = words[:low] + " " * (high - low) + words[high:]
        return (clause for clause in re.split(r"[.;](?=\s|$)|\n|\s\[|\)", words) if clause)

    @cached_property
    def stereo(self) -> str | None:
        """``ignore`` or ``relative`` where the text says so outright."""
        if any(_waives(clause) for clause in self._clauses()):
            return "ignore"
        return "relative" if any(_is_relative(clause) for clause in self._clauses()) else None

    @cached_property
    def speaks_of_stereo(self) -> bool:
        """Whether the text says more of the configuration than what ``stereo`` makes of it."""
        return any(
            _STEREO.search(clause) and not _waives(clause) and not _is_relative(clause)
            for clause in self._clauses()
        )

    @cached_property
    def grants_less(self) -> bool:
        """Whether the text speaks of a flawed answer or of marks taken off."""
        return any(_LESSER.search(clause) for clause in self._clauses())

    def open(self, beside: tuple[int, int] | None = None) -> bool:
        """Whether the text accepts more than it quotes, or gives part of the marks for less.

        Then another value isn't wrong yet. ``beside`` is a stretch that is told apart: a tolerance.
        """
        said = _CONNECTIVE.sub("", self.text[len(self.body) :])
        if said.strip(" [];,") and beside is None and not self.stereo:
            return True
        return any(
            (_ALSO.search(clause) or _LESSER.search(clause) or _AMOUNT.search(clause))
            and not _waives(clause)
            and not _is_relative(clause)
            for clause in self._clauses(beside)
        )


def _waives(clause: str) -> bool:
    return _WAIVED.search(clause) is not None and _NO_WAIVER.search(clause) is None


def _is_relative(clause: str) -> bool:
    return _RELATIVE.search(clause) is not None and _NO_RELATIVE.search(clause) is None
