"""How ballots become an outcome. Pure: no model, no clock, no chance.

A ballot's *stance* is its status, or cannot_assess. Ballots *agree* that have
one stance and whose awards are no further apart than WIDEST. More than half of
the planned ballots, agreeing, are the outcome; ballots that failed agree with
none and are not replaced. Where no more than half can agree, nobody guesses:
the outcome is undetermined. Stopping early therefore changes no status, it
only leaves out ballots that could not have changed it.

Confidence of an outcome = the confidences of the agreeing ballots, added up,
divided by the number of ballots cast, times 1 - the spread of the agreeing
awards. So a ballot that failed, says otherwise or states no confidence counts
as 0 (only where none states any, there is none). Two of two at 0.9 have 0.9,
two of three 0.6; awards of 0.3 and 0.7, both at 0.9, have 0.54.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import median_low

from grader.judge.flags import Flag
from grader.record import Evidence, Reason, Status, Vote

WIDEST = 0.5
"""Partial awards further apart than half of the marks don't agree."""
_ROUNDING = 1e-9

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

    @property
    def award(self) -> float:
        """The award; 0 where there is none."""
        return self.vote.award or 0.0


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
    most = len(_agreeing(ballots))
    still_possible = most + planned - len(ballots)
    return 2 * most > planned or 2 * still_possible <= planned


def aggregate(ballots: Sequence[Ballot], planned: int) -> Outcome:
    """The outcome of ``ballots``, of which ``planned`` were to be cast at most.

    Raises ValueError while it is not settled: then more have to be cast.
    """
    if not settled(ballots, planned):
        raise ValueError(f"{len(ballots)} of {planned} ballots settle nothing")
    agreeing = _agreeing(ballots)
    if 2 * len(agreeing) > planned:
        return _agreed(agreeing, len(ballots))
    failed = [ballot for ballot in ballots if ballot.stance is None]
    if failed and len(agreeing) + len(failed) == len(ballots):
        return _failed(failed)
    return Outcome(Status.UNDETERMINED, reason=Reason.SPLIT_VOTES)


def _agreeing(ballots: Sequence[Ballot]) -> list[Ballot]:
    """The most ballots that agree, as they were cast; of as many the closest, of as close the lowest."""

    def strength(agreement: Sequence[Ballot]) -> tuple[int, float, float]:
        return len(agreement), -_spread(agreement), -min(ballot.award for ballot in agreement)

    return max(_agreements(ballots), key=strength, default=[])


def _agreements(ballots: Sequence[Ballot]) -> Iterator[list[Ballot]]:
    """For each ballot those that agree with it, itself included, and award no less."""
    for lowest in ballots:
        if lowest.stance is not None:
            yield [
                ballot
                for ballot in ballots
                if ballot.stance == lowest.stance and 0 <= ballot.award - lowest.award <= WIDEST + _ROUNDING
            ]


def _spread(agreement: Sequence[Ballot]) -> float:
    awards = [ballot.award for ballot in agreement]
    return max(awards) - min(awards)


def _agreed(agreeing: Sequence[Ballot], cast: int) -> Outcome:
    """The outcome of a majority.

    It is spoken for by the most confident of the ballots with its award, the
    earliest of equals; what is noted of any agreeing ballot is noted of it.
    """
    awards = [ballot.vote.award for ballot in agreeing if ballot.vote.award is not None]
    # The lower of two middles: an award that some ballot gave, and in doubt not the better one.
    award = median_low(awards) if awards else None
    spokesman = max(
        (ballot for ballot in agreeing if ballot.vote.award == award),
        key=lambda ballot: ballot.vote.confidence or 0.0,
    )
    given = [ballot.vote.confidence for ballot in agreeing if ballot.vote.confidence is not None]
    return Outcome(
        status=spokesman.vote.status,
        award=award,
        reason=spokesman.vote.reason,
        confidence=sum(given) / cast * (1 - _spread(agreeing)) if given else None,
        evidence=spokesman.evidence,
        rationale=spokesman.rationale,
        flags=_flags(agreeing),
    )


def _failed(failed: Sequence[Ballot]) -> Outcome:
    """Failed calls before unreadable replies: asking again mends those."""
    first = next((ballot for ballot in failed if ballot.vote.reason is Reason.CALL_FAILED), failed[0])
    return Outcome(
        Status.UNDETERMINED, reason=first.vote.reason, rationale=first.rationale, flags=_flags(failed)
    )


def _flags(ballots: Iterable[Ballot]) -> tuple[Flag, ...]:
    """All that is noted of any of them: a quote that was made up is a doubt even beside a good one."""
    noted = set(chain.from_iterable(ballot.flags for ballot in ballots))
    return tuple(flag for flag in Flag if flag in noted)
