"""The check of a formal point on the one passage that somebody quoted as stating its value."""

from __future__ import annotations

from dataclasses import dataclass, replace

from grader.answer.answer import Answer
from grader.answer.binding import Binder, Bound
from grader.answer.candidates import raw_candidate, settle
from grader.answer.notation import normalise
from grader.formal import registry
from grader.formal.task import parsed_check
from grader.problem.checks import CheckModel
from grader.record import Evidence, Finding, Reason, Rejected, Status

LOCATED = "located"
"""The flag of a finding on a quoted passage."""


def decide_located(check: CheckModel, answer: Answer, start: int, end: int) -> Finding:
    """Decide a check on ``answer.text[start:end]``; offsets of the finding count from the answer's start.

    The passage is read like an answer cut out for this point, but what the
    whole answer says of it holds: a value stated for another point, denied or
    taken back around the passage, or in text aimed at a grader decides nothing.
    """
    text = answer.text[start:end]
    if not text.strip():
        return nowhere(check.kind)
    found = _shifted(registry.decide(check, Answer(text, answer.others)), start)
    why = _disowned(check, answer, found.evidence) if found.evidence is not None else ""
    if why:
        found = Finding(Status.UNDETERMINED, found.by, why, Reason.NO_CANDIDATE, rejected=found.rejected)
    return replace(found, flags=(*found.flags, LOCATED))


def nowhere(kind: str) -> Finding:
    """The finding where no passage of an answer was found to state the value."""
    detail = "no passage of the answer states a value for this point"
    return Finding(Status.UNDETERMINED, registry.by(kind), detail, Reason.NO_CANDIDATE, flags=(LOCATED,))


def _shifted(finding: Finding, by: int) -> Finding:
    evidence = finding.evidence and Evidence(
        finding.evidence.quote, finding.evidence.start + by, finding.evidence.end + by
    )
    rejected = tuple(Rejected(one.quote, one.start + by, one.end + by, one.why) for one in finding.rejected)
    return replace(finding, evidence=evidence, rejected=rejected)


def _disowned(check: CheckModel, answer: Answer, evidence: Evidence) -> str:
    """Why the answer as a whole doesn't state for this point what it says at a place; empty if it does."""
    text = normalise(answer.text)
    value = raw_candidate(text, None, evidence.start, evidence.end)
    tie = Binder(text.plain, check.asked, answer.others).bind(*value.plain)
    if tie.bound is Bound.OTHER:
        return f"'{evidence.quote}' is stated for {tie.label}"
    settled = settle(text, [value], same=lambda one, two: True)
    return f"'{evidence.quote}' {settled.rejected[-1].why}" if settled.candidate is None else ""


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
