"""The check of a formal point on the one passage that somebody quoted as stating its value."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from grader.answer.answer import Answer
from grader.answer.discourse import sentences
from grader.answer.notation import normalise
from grader.answer.stance import Discourse
from grader.formal import registry
from grader.formal.pieces import Crowded, comparable, disowned, shifted, stated_apart
from grader.formal.task import parsed_check
from grader.problem.checks import CheckModel
from grader.record import Evidence, Finding, Reason, Status

VERSION = 1
"""Raised whenever a finding on a quoted passage could come out differently."""

LOCATED = "located"
"""The flag of a finding on a quoted passage."""

_UNSURE = re.compile(
    r"\b(?:if|unless|otherwise|or|either|whether|maybe|perhaps|possibl\w+|possibilit\w+|might|may|could|would|"
    r"considered|at first|initially|first (?:thought|guess\w*|idea)|naive\w*|depend\w*|one of|yes and no|"
    r"somewhere|something|assum\w+|suppos\w+|guess\w*|unsure|uncertain|unclear|doubt\w*|conceivabl\w*|tentative\w*|"
    r"(?:not|isn't|aren't|never) (?:quite |entirely )?(?:sure|certain|clear)|can't|cannot|don't know|"
    r"options?|candidates?|alternativ\w*|(?:was|were|is|are|as) (?:given|stated|quoted|reported)|by others|"
    r"the (?:question|problem|task|text)|literature|students?|textbooks?)\b|\?|~~",
    re.I,
)
"""Words by which a sentence leaves its value open, or only reports it."""
_TURNS = re.compile(
    r"\W*(?:however|but|yet|hmm+|wait|actually|no\b|alternatively|on (?:second|the other)|unfortunately|or\b|"
    r"still|then again|although|though)\b",
    re.I,
)
"""How a sentence opens that turns from the one before."""


def decide_located(check: CheckModel, answer: Answer, start: int, end: int) -> Finding:
    """Decide a check on ``answer.text[start:end]``; offsets of the finding count from the answer's start.

    The passage is read like an answer cut out for this point, but what the
    whole answer says of it holds: a value stated for another point, denied or
    taken back, left open by its sentence, or beside another one there decides
    nothing. Which of several sentences speaks of the point is for whoever quotes.
    """
    text = answer.text[start:end]
    if not text.strip():
        return nowhere(check.kind)
    found = shifted(registry.decide(check, Answer(text, answer.others)), start)
    at = found.evidence
    why = _why_open(check, answer, found, at, (start, end)) if at and found.award is not None else ""
    if why:
        found = Finding(Status.UNDETERMINED, found.by, why, Reason.NO_CANDIDATE, rejected=found.rejected)
    return replace(found, flags=(*found.flags, LOCATED))


def _why_open(
    check: CheckModel, answer: Answer, found: Finding, at: Evidence, passage: tuple[int, int]
) -> str:
    """Why the answer as a whole leaves open what a passage says; empty if it doesn't."""
    if not comparable(found):
        return f"'{at.quote}' is no value of the asked kind by itself"
    if why := disowned(check, answer, at):
        return why
    low, high = _sentences(answer.text, *passage)
    if cue := _UNSURE.search(answer.text, low, high):
        return f"'{cue[0]}' leaves '{at.quote}' open"
    if _turned(answer.text, high):
        return f"the answer turns from '{at.quote}' later"
    alone = shifted(registry.decide(check, Answer(answer.text[low:high], answer.others)), low)
    if alone.award not in (None, found.award) or _refused(alone, at):
        return f"its sentence doesn't state '{at.quote}' as the value"
    return _contradicted(check, answer, found, at, (low, high))


def _sentences(raw: str, start: int, end: int) -> tuple[int, int]:
    """The raw span of the sentences that a raw span touches."""
    text = normalise(raw)
    first, last = text.plain_span(start, end)
    spans = sentences(text.plain)
    low, high = spans.at(first)[0], spans.at(max(first, last - 1))[1]
    return text.raw_span(low, high)


def _turned(raw: str, at: int) -> bool:
    """Whether the next sentence turns from what stands before it, or a later one takes it back."""
    text = normalise(raw)
    plain = text.plain_span(at, len(raw))[0]
    later = Discourse(text.plain)
    return _TURNS.match(raw, at) is not None or any(turn >= plain for turn in later.turns)


def _refused(alone: Finding, at: Evidence) -> bool:
    """Whether the sentence by itself has a reason not to take the value, other than its symbol."""
    return any(
        one.start < at.end and at.start < one.end and one.why != "is stated for another symbol"
        for one in alone.rejected
    )


def _contradicted(
    check: CheckModel, answer: Answer, found: Finding, at: Evidence, within: tuple[int, int]
) -> str:
    """Whether another value of the kind stands within a raw span."""
    try:
        stated = stated_apart(check, answer, *within)
    except Crowded:
        return "the answer states more values than can be weighed"
    others = (
        one.evidence.quote
        for one in stated
        if one.evidence
        and (one.status is not found.status or one.found != found.found)
        and not (one.status is found.status is Status.MET)
        and not (one.evidence.start < at.end and at.start < one.evidence.end)
    )
    rival = next(others, None)
    return f"'{rival}' contradicts '{at.quote}'" if rival else ""


def nowhere(kind: str) -> Finding:
    """The finding where no passage of an answer was found to state the value."""
    detail = "no passage of the answer states a value for this point"
    return Finding(Status.UNDETERMINED, registry.by(kind), detail, Reason.NO_CANDIDATE, flags=(LOCATED,))


@dataclass(frozen=True, slots=True)
class LocatedTask:
    """A check (as JSON), the answer, and the passage of it that was quoted: ``text[start:end]``."""

    check: str
    answer: Answer
    start: int
    end: int
    key: object = None

    @classmethod
    def of(cls, check: CheckModel, answer: Answer, start: int, end: int, key: object = None) -> LocatedTask:
        """A task from a check model."""
        return cls(check.model_dump_json(exclude_defaults=True), answer, start, end, key)

    def __reduce__(self) -> tuple[type[LocatedTask], tuple[str, Answer, int, int]]:
        return LocatedTask, (self.check, self.answer, self.start, self.end)

    @property
    def kind(self) -> str:
        """The check's kind."""
        return parsed_check(self.check).kind

    @property
    def by(self) -> str:
        """Who signs."""
        return registry.by(self.kind)

    def decide(self) -> Finding:
        """The finding."""
        return decide_located(parsed_check(self.check), self.answer, self.start, self.end)
