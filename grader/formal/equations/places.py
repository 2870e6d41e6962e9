"""What an answer calls each of its equations: overall, net ionic, a half-reaction, a step, unbalanced."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeVar

from grader.answer.binding import Bound
from grader.answer.candidates import Candidate, Reading
from grader.answer.marks import EXPLICIT, Rank
from grader.formal.reading.roles import MASK

V = TypeVar("V")


class Place(StrEnum):
    """What an equation is called."""

    OVERALL = "overall"
    NET_IONIC = "net ionic"
    FULL_IONIC = "complete ionic"
    MOLECULAR = "molecular"
    OXIDATION = "oxidation"
    REDUCTION = "reduction"
    STEP = "step"
    BALANCED = "balanced"
    UNBALANCED = "unbalanced"
    REVERSE = "reverse"
    OPTION = "option"


_WORDS: dict[Place, str] = {
    Place.UNBALANCED: r"unbalanced|un-balanced|(?:not|isn't) (?:yet )?balanced|skeleton|before balancing",
    Place.REVERSE: r"revers(?:e|ed|al)|backward",
    Place.OPTION: r"option|possibilit(?:y|ies)|alternative(?:ly)?|candidates?|either|possible|competing|"
    r"side reaction",
    Place.NET_IONIC: r"net[- ]ionic|net equation|ionic net|"
    r"(?<!with )(?<!with the )(?<!including )(?<!including the )spectators?",
    Place.FULL_IONIC: r"(?:complete|full|total|overall)[- ]ionic",
    Place.MOLECULAR: r"molecular|formula unit|conventional",
    Place.OVERALL: r"overall|in total|total|net|sum(?:med|ming)?|combin(?:ed|ing|e)|add(?:ing|ed)?|full|"
    r"complete|cell reaction|altogether",
    Place.OXIDATION: r"oxidation|anode|anodic|oxidi[sz]ed|loses electrons",
    Place.REDUCTION: r"reduction|cathode|cathodic|reduced|gains electrons",
    Place.STEP: r"steps?|stage|first(?:ly)?|then|second(?:ly)?|third|next|after(?:wards)?|when|once|"
    r"subsequently|initially|followed|finally|later|initiation|propagation|termination",
    Place.BALANCED: r"balanced?|balancing",
}
_NUMBERED = r"(?:^|\n)\s*\(?(?:[0-9]{1,2}|[ivx]{1,4}|[a-h])[.)]\s"
_CALLED = tuple(
    (place, re.compile(rf"\b(?:{words})\b" + (f"|{_NUMBERED}" if place is Place.STEP else ""), re.I))
    for place, words in _WORDS.items()
)
_NUMBER_ENDS = re.compile(rf"{_NUMBERED}*$")
_SENTENCE_END = re.compile(r"[.!?;](?=\s)")
_AFTER = re.compile(
    rf"[\s\"'*)\]]{{0,4}}\((?P<note>[^()\n{MASK}]{{2,50}})\)|\s{{0,3}}(?:\.\s*)?(?:—|-|\||:)\s?(?P<tail>[^\n{MASK}]{{2,40}})"
)
_JOINT = re.compile(r"[ ]{0,3}(?:[;,&]|,? ?and)[ ]{0,3}")
"""What joins equations of one name on a line."""
_REACH = 200


def places(masked: str, spans: Sequence[tuple[int, int]]) -> dict[int, frozenset[Place]]:
    """What the text around each masked equation calls it, by where it starts."""
    found: dict[int, frozenset[Place]] = {}
    last = before = 0
    for start, end in spans:
        joined = last and _JOINT.fullmatch(masked, last, start)
        found[start] = found[before] if joined else _called(masked, start, end)
        last, before = end, start
    return found


def _called(masked: str, start: int, end: int) -> frozenset[Place]:
    before, after = _label_before(masked, start), _label_after(masked, end)
    found = []
    for place, called in _CALLED:
        if called.search(before) or (place is not Place.STEP and called.search(after)):
            found.append(place)
    if Place.NET_IONIC in found or Place.FULL_IONIC in found:
        found = [place for place in found if place is not Place.OVERALL]
    return frozenset(found)


def _label_before(masked: str, start: int) -> str:
    """What stands before an equation since the last one: in its sentence, or in the line above it."""
    last = masked.rfind(MASK, 0, start) + 1
    note = _AFTER.match(masked, last) if last else None
    before = masked[max(0, start - _REACH, note.end() if note and note.end() <= start else last) : start]
    head = before.rstrip(" \n*_#>`|:-(")
    ends = [match.end() for match in _SENTENCE_END.finditer(head)]
    number = re.search(
        r"(?:^|\n)\s*\(?(?:[0-9]{1,2}|[ivx]{1,4}|[a-h])[.)]\s*$", before[: ends[-1] + 1] if ends else ""
    )
    if ends and not number:
        before = before[ends[-1] :]
    lines = [line for line in before.split("\n") if line.strip(" *_#>`|:-(")]
    return "\n" + lines[-1] if lines else ""


def _label_after(masked: str, end: int) -> str:
    match = _AFTER.match(masked, end)
    return (match["note"] or match["tail"] or "") if match else ""


@dataclass(frozen=True)
class EquationReading(Reading):
    """The cues of an answer whose equations are masked, with what each is called."""

    wanted: frozenset[Place] = frozenset()
    """What the equation asked for would be called."""
    called: dict[int, frozenset[Place]] = field(default_factory=dict)
    """What each equation is called, by its plain start."""

    def placed(self, item: Candidate[V]) -> Candidate[V]:
        """The candidate with its tie, and with a rank where it is called what is asked for."""
        item = super().placed(item)
        if item.rank >= EXPLICIT:
            return item
        if (label := self._touching(item.plain[0])) is not None:
            item = replace(item, bound=Bound.NAMED if label in self.asked else Bound.OTHER, label=label)
        called = self.called.get(item.plain[0], frozenset())
        if called & self.wanted:
            return replace(item, rank=Rank.PRESENTED)
        if item.rank is Rank.LINE:
            return replace(item, rank=Rank.PLAIN)
        return item

    def _touching(self, start: int) -> str | None:
        """The label that stands right before an equation: "while at the anode □"."""
        before = self.text.plain[max(0, start - 60) : start]
        for label in sorted({*self.asked, *self.others}, key=len, reverse=True):
            if re.search(rf"\b(?:at|on) the {re.escape(label)}[\s:,$\\(]{{0,5}}$", before, re.I):
                return label
        return None


_PARTS = (
    ("anode", "oxidation"),
    ("cathode", "reduction"),
    ("overall", "overall reaction", "cell reaction", "net reaction"),
    ("net ionic",),
    ("complete ionic", "full ionic"),
    ("molecular",),
)
_NOUN = re.compile(r"[- ](?:equation|reaction|half[- ](?:reaction|equation)|process)s?$", re.I)


def labels(asked: Sequence[str]) -> tuple[str, ...]:
    """The labels of a check, also without the noun that answers leave out: "net ionic"."""
    short = [bare for label in asked if (bare := _NOUN.sub("", label.strip())) and bare != label.strip()]
    return (*asked, *short)


def counterparts(asked: Sequence[str]) -> tuple[str, ...]:
    """The other parts that answers write beside the one asked for."""
    text = " ".join(asked).lower()
    own = [part for part in _PARTS if any(label in text for label in part)]
    if not own:
        return ()
    return tuple(label for part in _PARTS if part not in own for label in part)
