"""Findings as the kinds report them."""

from __future__ import annotations

from typing import TypeVar

from grader.answer.candidates import Candidate, Settled
from grader.record import Evidence, Finding, Reason, Rejected, Status

V = TypeVar("V")


def blank(by: str) -> Finding:
    """A completed blank answer."""
    return Finding(Status.NOT_MET, by, "the answer is blank", Reason.NO_ANSWER)


def undetermined(
    by: str, reason: Reason, detail: str, rejected: tuple[Rejected, ...] = (), flags: tuple[str, ...] = ()
) -> Finding:
    """A finding that decides nothing."""
    return Finding(Status.UNDETERMINED, by, detail, reason, rejected=rejected, flags=flags)


def unsettled(by: str, settled: Settled[V], what: str) -> Finding:
    """The finding where an answer settles on no value of the kind (``what``: "a quantity")."""
    if settled.reason is Reason.CONFLICTING_CANDIDATES:
        quotes = " and ".join(sorted({f"'{item.quote}'" for item in settled.rivals})[:3])
        rejected = (*settled.rejected, *(item.rejected("in conflict") for item in settled.rivals))
        return undetermined(by, Reason.CONFLICTING_CANDIDATES, f"{quotes} contradict each other", rejected)
    return undetermined(
        by, Reason.NO_CANDIDATE, f"the answer states no {what} for this point", settled.rejected
    )


def decided(
    by: str,
    right: bool,
    taken: Candidate[V],
    detail: str,
    found: str,
    rejected: tuple[Rejected, ...] = (),
    flags: tuple[str, ...] = (),
    value: str | None = None,
) -> Finding:
    """A point that is met or not met by the candidate taken."""
    return stated(by, right, taken.evidence, detail, found, rejected, flags, value)


def stated(
    by: str,
    right: bool,
    evidence: Evidence,
    detail: str,
    found: str,
    rejected: tuple[Rejected, ...] = (),
    flags: tuple[str, ...] = (),
    value: str | None = None,
) -> Finding:
    """A point that is met or not met by what stands at a place of the answer.

    ``value``, in full (``Finding.value``), is what later points may follow from.
    """
    status = Status.MET if right else Status.NOT_MET
    return Finding(status, by, detail, None, found, evidence, 1.0, flags, rejected, value)
