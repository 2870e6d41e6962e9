"""From what a reply said of a criterion to a ballot: its award, its evidence and what that is worth."""

from __future__ import annotations

from dataclasses import dataclass, replace

from grader.judge.flags import Flag
from grader.judge.quoting import Passages, prove
from grader.judge.reply import ReplyVerdict
from grader.judge.task import Criterion
from grader.judge.votes import Ballot
from grader.record import Evidence, Reason, Status, Vote

UNPROVEN = 0.3
"""No verdict whose evidence is missing or not in the answer is more confident than this."""


@dataclass(frozen=True, slots=True)
class Source:
    """The reply a ballot is read from."""

    by: str
    """``<card>@<hash>`` of the judge that was asked."""
    vote: int
    request: str
    """The request's key."""
    truncated: bool = False
    """The reply reached its token limit."""

    @property
    def flags(self) -> tuple[Flag, ...]:
        """What is to be noted about every ballot of the reply."""
        return (Flag.TRUNCATED,) if self.truncated else ()

    def says(
        self,
        status: Status,
        *,
        award: float | None = None,
        confidence: float | None = None,
        reason: Reason | None = None,
    ) -> Vote:
        """The vote for one criterion."""
        return Vote(self.by, self.vote, self.request, status, award, confidence, reason)


def failed(source: Source, reason: Reason, detail: str) -> Ballot:
    """A ballot that says nothing, and why."""
    return Ballot(source.says(Status.UNDETERMINED, reason=reason), rationale=detail, flags=source.flags)


def ballot(
    source: Source, criterion: Criterion, said: ReplyVerdict, answer: str, withheld: Passages
) -> Ballot:
    """What ``said`` is worth as a vote; ``withheld``: the passages of the answer the judge wasn't shown."""
    vote = _vote(source, criterion, said)
    proof = prove(said.evidence, answer, withheld)
    if isinstance(proof, Evidence):
        return Ballot(vote, proof, said.rationale, source.flags)
    if proof is Flag.EVIDENCE_MISSING and not vote.award:
        # Nothing can be quoted for what isn't there, nor for what can't be told.
        return Ballot(vote, None, said.rationale, source.flags)
    capped = None if vote.confidence is None else min(vote.confidence, UNPROVEN)
    return Ballot(replace(vote, confidence=capped), None, said.rationale, (proof, *source.flags))


def _vote(source: Source, criterion: Criterion, said: ReplyVerdict) -> Vote:
    match said.verdict:
        case "met":
            return source.says(Status.MET, award=1.0, confidence=said.confidence)
        case "not_met":
            return source.says(Status.NOT_MET, award=0.0, confidence=said.confidence)
        case "partial":
            assert said.points is not None
            award = said.points / criterion.marks
            return source.says(Status.PARTIAL, award=award, confidence=said.confidence)
        case "cannot_assess":
            reason = Reason.CANNOT_ASSESS
            return source.says(Status.UNDETERMINED, confidence=said.confidence, reason=reason)
