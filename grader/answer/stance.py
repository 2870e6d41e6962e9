"""What a response does with a value: asserts it, doubts it, denies it, or takes it back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from grader.answer.discourse import Spans, clauses, sentences


class Stance(StrEnum):
    """How a response stands to one candidate."""

    ASSERTED = "asserted"
    HEDGED = "hedged"
    NEGATED = "negated"
    RETRACTED = "retracted"


_DETERMINERS = (
    r"(?:(?:the|a|an|be|is|are|option|answer|choice|equal|to|compound|structure|formula|letter|value|of|at|as|in|"
    r"exactly|just|only|simply|it|[A-Za-z]{1,3}\s?=)\s{0,3}){0,4}"
)
_NOT_BEFORE = re.compile(
    rf"(?:\b(?:not|never|neither|nor|cannot|rather than|instead of|in place of|other than|unlike|except|"
    rf"as opposed to|excluding|eliminates?|eliminating|rules? out|ruling out|ruled out|reject|rejecting|rejected|discard)"
    rf"|n't|≠|!=)[\s\"'(\[*]{{0,4}}{_DETERMINERS}[\"'(\[*$]{{0,3}}$",
    re.I,
)
_NOT_ONLY = re.compile(r"\bnot\s+only\s+\S*$", re.I)
_WRONG_AFTER = re.compile(
    r"^[\"')\]*.,:]{0,3}\s{0,2}(?:[(,-]\s?)?(?:(?:which|that|this|it|and)\s+)?"
    r"(?:(?:is|was|are|were|would be|looks|seems|has been|have been|can be|must be|turns out to be)\s+)?"
    r"(?:(?:clearly|obviously|therefore|thus|also|definitely|certainly|just|simply|plainly)\s+)?"
    r"(?:wrong|incorrect|false|mistaken|impossible|ruled out|excluded|eliminated|rejected|discarded|not (?:correct|right|"
    r"possible|the answer|it|valid|true|accurate|quite right)|isn't (?:correct|right|possible)|no longer|"
    r"cannot be (?:right|correct)|can't be|cannot be|an error|a mistake|too (?:high|low|large|small|big)|unphysical|implausible)\b",
    re.I,
)
_FIRST_GUESS = re.compile(
    r"\b(?:first|initial|initially|originally|earlier|previous|previously|naive|naively|tempting|at first|"
    r"mistakenly|wrongly|incorrectly|erroneously|one might|you might|a common (?:mistake|error)|without (?:the )?correction)\b"
    r"[^.;\n]{0,60}?\b(?:guess(?:ed)?|thought|answer(?:ed)?|estimated?|attempt|value|result|wrote|said|gave|got|had|obtained|"
    r"think|assume[d]?|expect(?:ed)?|read|calculated|took|was|is|be|say|write|look(?:s|ed)?)\b[^.;\n]{0,40}$",
    re.I,
)
_MODAL = re.compile(
    r"\b(?:could|might|may|possibly|perhaps|maybe|can't decide|cannot decide|unsure|not sure|uncertain|"
    r"unclear|undecided|conceivably|i guess|guessing|hard to say|whether|between)\b[^;.\n]{0,60}$",
    re.I,
)
_MODAL_AFTER = re.compile(
    r"^[^;.\n]{0,40}\b(?:perhaps|maybe|possibly|i guess|(?:but )?(?:i am|i'm) not (?:sure|certain)|not sure|unsure|"
    r"or so i think|is also possible|are both possible|seems? possible|could be|might be|may be)\b|^\s?\?",
    re.I,
)
_MIGHT_THINK = re.compile(
    r"\b(?:one|you|we|some)\s+(?:might|could|may)\s+(?:be tempted|think|expect|assume|guess)\b", re.I
)
_EITHER = re.compile(r"\beither\b[^;.\n]{0,60}$", re.I)
_REFUSAL = re.compile(
    r"\b(?:(?:i|we)\s+(?:am|are|'m|'re)?\s?(?:not able|unable|cannot|can't|can not|could not|couldn't|do not|don't|won't)"
    r"\s+(?:to\s+)?(?:be\s+)?(?:say|tell|know|determine|compute|calculate|decide|answer|give|provide|help|solve|find|choose)"
    r"|impossible to (?:say|tell|know|determine|decide|answer)|cannot be (?:determined|decided|calculated|answered|known)"
    r"|can't be (?:determined|decided|calculated|answered|known)|not enough (?:information|data)|insufficient (?:information|data))\b",
    re.I,
)
_TAKEN_BACK = re.compile(
    r"\b(?:scratch that|that(?: is|'s| was) (?:wrong|incorrect|not right|a mistake|an error)|this is (?:wrong|incorrect)|"
    r"i (?:made|have made) (?:a|an) (?:mistake|error|slip)|i was wrong|strike that|disregard that|correct(?:ing|ed) (?:that|this|myself)|"
    r"my mistake|let me (?:correct|redo|fix|restart|start over)|i take (?:that|it) back|correction)\b",
    re.I,
)
_TURN = re.compile(
    r"(?:^|(?<=[.!?\n;—,(:*-])\s{0,3})\W{0,3}(?:wait|hold on|hmm+|oops|actually|no,? (?:wait|that|actually|sorry)|sorry|on reflection|on second thoughts?|"
    r"rather,|let me re\w+|re-?check\w*|re-?consider\w*|re-?calculat\w*|re-?examin\w*|but wait|corrected|correction|revised|"
    r"i mean|in fact)\b"
    r"|\b(?:on reflection|on second thoughts?|i now (?:think|believe|see|get)|changed my mind|corrected (?:answer|value|to)|"
    r"should (?:instead|actually) be|should have been|it is actually|is actually|revised (?:answer|value|to)|more carefully)\b",
    re.I,
)
_STRUCK = re.compile(r"~~[^~\n]{1,400}~~")
_NO_PAREN = re.compile(r"^\s?\(\s?(?:no|wrong|incorrect|rejected|not)\b", re.I)
_REACH = 120
"""How many characters before or after a candidate a cue may stand."""


@dataclass(frozen=True)
class Discourse:
    """The cues of one plain text, found once."""

    plain: str

    @cached_property
    def sentences(self) -> Spans:
        """Its sentences."""
        return sentences(self.plain)

    @cached_property
    def clauses(self) -> Spans:
        """Its clauses."""
        return clauses(self.plain)

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """Where the response changes its mind: what follows replaces what stood before."""
        found = {match.start() for pattern in (_TURN, _TAKEN_BACK) for match in pattern.finditer(self.plain)}
        return tuple(sorted(found))

    @cached_property
    def withdrawals(self) -> tuple[int, ...]:
        """Where the response calls what it said before wrong."""
        return tuple(match.start() for match in _TAKEN_BACK.finditer(self.plain))

    @cached_property
    def struck(self) -> tuple[tuple[int, int], ...]:
        """Struck-through spans."""
        return tuple(match.span() for match in _STRUCK.finditer(self.plain))

    def around(self, start: int, end: int) -> tuple[str, str]:
        """What stands before and after a span in its sentence, within reach."""
        low, _ = self.sentences.at(start)
        _, high = self.sentences.at(max(start, end - 1))
        return self.plain[max(low, start - _REACH) : start], self.plain[end : min(high, end + _REACH)]

    def clause_before(self, start: int) -> str:
        """What stands before a position in its clause, within reach."""
        low, _ = self.clauses.at(start)
        return self.plain[max(low, start - _REACH) : start]

    def stance(self, start: int, end: int) -> tuple[Stance, str]:
        """How the text stands to a plain span, and the cue that says so."""
        before, after = self.around(start, end)
        if any(low <= start and end <= high for low, high in self.struck):
            return Stance.RETRACTED, "struck through"
        if (_NOT_BEFORE.search(before) and not _NOT_ONLY.search(before)) or _NO_PAREN.search(after):
            return Stance.NEGATED, "denied"
        if _WRONG_AFTER.search(after):
            return Stance.NEGATED, "called wrong"
        if _MIGHT_THINK.search(before) or _FIRST_GUESS.search(before):
            return Stance.RETRACTED, "an earlier or mistaken thought"
        clause = self.clause_before(start)
        if _EITHER.search(clause) or _MODAL.search(clause) or _MODAL_AFTER.search(after):
            return Stance.HEDGED, "hedged"
        if _REFUSAL.search(before) or _REFUSAL.search(after):
            return Stance.HEDGED, "the answer declines to decide"
        return Stance.ASSERTED, ""

    def refuses(self) -> bool:
        """Whether the text declines to answer."""
        return _REFUSAL.search(self.plain) is not None
