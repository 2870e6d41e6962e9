"""How ballots become an outcome. Pure: no model, no clock, no chance.

A ballot's *stance* is its status, or cannot_assess. A stance held by more
than half of the planned ballots is the outcome; ballots that failed hold none
and are not replaced. Where no stance can get there, nobody guesses: the
outcome is undetermined. Stopping early therefore changes no status, it only
leaves out ballots that could not have changed it.

Confidence of an outcome = the share of the cast ballots that agree with it,
failed ones counted among the cast, times the mean of the confidences those
gave (None if none gave any). Two of two at 0.9 have 0.9, two of three 0.6.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median_low

from grader.judge.flags import Flag
from grader.record import Evidence, Reason, Status, Vote

Stance = Status | Reason


@dataclass(frozen=True, slots=True)
class Ballot:
    """What one reply said of one criterion; or, with a vote that failed, why it said nothing."""

    vote: Vote
    evidence: Evidence | None = None
    rationale: str = ""
    """The judge's; of a failed ballot, what went wrong."""
    flags: tuple[Flag, ...] = ()

    @property
    def stance(self) -> Stance | None:
        """Met, not met, partial or cannot_assess; None where the ballot failed."""
        if self.vote.status is not Status.UNDETERMINED:
            return self.vote.status
        return Reason.CANNOT_ASSESS if self.vote.reason is Reason.CANNOT_ASSESS else None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the ballots say together of one criterion."""

    status: Status
    award: float | None = None
    """In [0, 1]; None while undetermined."""
    reason: Reason | None = None
    confidence: float | None = None
    evidence: Evidence | None = None
    rationale: str = ""
    flags: tuple[Flag, ...] = ()


def first_round(planned: int) -> int:
    """How many of the planned ballots are cast at once: the fewest that can settle anything."""
    return planned // 2 + 1


def settled(ballots: Sequence[Ballot], planned: int) -> bool:
    """Whether the ballots still to be cast could not change the status."""
    most = max(_stances(ballots).values(), default=0)
    still_possible = most + planned - len(ballots)
    return 2 * most > planned or 2 * still_possible <= planned


def aggregate(ballots: Sequence[Ballot], planned: int) -> Outcome:
    """The outcome of ``ballots``, of which ``planned`` were to be cast at most.

    Raises ValueError while it is not settled: then more have to be cast.
    """
    if not settled(ballots, planned):
        raise ValueError(f"{len(ballots)} of {planned} ballots settle nothing")
    stances = _stances(ballots)
    for stance, count in stances.items():
        if 2 * count > planned:
            return _agreed([ballot for ballot in ballots if ballot.stance == stance], len(ballots))
    failed = [ballot for ballot in ballots if ballot.stance is None]
    if failed and len(stances) <= 1:
        return _failed(failed)
    return Outcome(Status.UNDETERMINED, reason=Reason.SPLIT_VOTES)


def _stances(ballots: Sequence[Ballot]) -> Counter[Stance]:
    return Counter(ballot.stance for ballot in ballots if ballot.stance is not None)


def _agreed(agreeing: Sequence[Ballot], cast: int) -> Outcome:
    """The outcome of a majority: spoken for by its most confident ballot, the earliest of equals."""
    spokesman = max(agreeing, key=lambda ballot: ballot.vote.confidence or 0.0)
    awards = [ballot.vote.award for ballot in agreeing if ballot.vote.award is not None]
    given = [ballot.vote.confidence for ballot in agreeing if ballot.vote.confidence is not None]
    return Outcome(
        status=spokesman.vote.status,
        # The lower of two middles: an award that some ballot gave, and in doubt not the better one.
        award=median_low(awards) if awards else None,
        reason=spokesman.vote.reason,
        confidence=len(agreeing) / cast * fmean(given) if given else None,
        evidence=spokesman.evidence,
        rationale=spokesman.rationale,
        flags=spokesman.flags,
    )


def _failed(failed: Sequence[Ballot]) -> Outcome:
    """Failed calls before unreadable replies: asking again mends those."""
    first = next((ballot for ballot in failed if ballot.vote.reason is Reason.CALL_FAILED), failed[0])
    return Outcome(
        Status.UNDETERMINED, reason=first.vote.reason, rationale=first.rationale, flags=first.flags
    )
