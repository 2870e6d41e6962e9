"""Which decisions people look at, and why: reasons are data. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from grader.judge.card import Thresholds
from grader.judge.flags import Flag
from grader.record import Finding, Reason, Status, Verdict


class Doubt(StrEnum):
    """Why a decision is doubted: a closed list, in the order it is printed."""

    UNDETERMINED = "undetermined"
    """Nobody decided."""
    NOT_LOCATED = "not_located"
    """Nor did the judge find where the answer states the value."""
    SPLIT_VOTES = "split_votes"
    LOW_CONFIDENCE = "low_confidence"
    """Below the card's threshold, or never stated."""
    BOUNDARY_AWARD = "boundary_award"
    """A partial award close to none or all."""
    EVIDENCE_MISSING = "evidence_missing"
    EVIDENCE_ABSENT = "evidence_absent"
    """The quote isn't in the answer, or is from a passage the judge wasn't shown."""
    FINDING_CONFLICT = "finding_conflict"
    INJECTION_SUSPECTED = "injection_suspected"
    TRUNCATED = "truncated"
    """The answer, or a reply of the judge, ended at its token limit."""
    SAME_FAMILY = "same_family"
    """Judge and answering model are kin. It informs, and routes nothing by itself."""


_OF_FLAG = {
    Flag.EVIDENCE_MISSING: Doubt.EVIDENCE_MISSING,
    Flag.EVIDENCE_ABSENT: Doubt.EVIDENCE_ABSENT,
    Flag.EVIDENCE_WITHHELD: Doubt.EVIDENCE_ABSENT,
    Flag.FINDING_CONFLICT: Doubt.FINDING_CONFLICT,
    Flag.INJECTION_SUSPECTED: Doubt.INJECTION_SUSPECTED,
    Flag.TRUNCATED: Doubt.TRUNCATED,
}


def doubts(
    decided: Finding | Verdict | None,
    thresholds: Thresholds,
    *,
    not_located: bool = False,
    same_family: bool = False,
    answer_truncated: bool = False,
) -> tuple[Doubt, ...]:
    """What speaks against taking a decision as it is, in the order of Doubt.

    ``decided`` is what stands for a point: a finding, a verdict, or None where
    there is neither. What people decided is never doubted here, what code
    decided neither: the spot check measures both. ``not_located``: the judge
    was asked where the answer states the value and named no place.
    ``same_family``: judge and answering model are kin. ``answer_truncated``:
    the response ended at its token limit, so the answer may lack its end.
    """
    if decided is not None and decided.by.startswith("human:"):
        return ()
    raised: set[Doubt] = set()
    is_open = decided is None or decided.award is None
    if is_open:
        raised.add(Doubt.UNDETERMINED)
        if not_located:
            raised.add(Doubt.NOT_LOCATED)
    if answer_truncated and (is_open or isinstance(decided, Verdict)):
        raised.add(Doubt.TRUNCATED)
    if isinstance(decided, Verdict):
        raised |= _of_verdict(decided, thresholds)
        if same_family:
            raised.add(Doubt.SAME_FAMILY)
    return tuple(doubt for doubt in Doubt if doubt in raised)


def is_routed(doubts: Iterable[Doubt]) -> bool:
    """Whether the doubts send a decision to people."""
    return any(doubt is not Doubt.SAME_FAMILY for doubt in doubts)


def _of_verdict(verdict: Verdict, thresholds: Thresholds) -> set[Doubt]:
    raised = {_OF_FLAG[Flag(flag)] for flag in verdict.flags}
    if verdict.reason is Reason.SPLIT_VOTES:
        raised.add(Doubt.SPLIT_VOTES)
    if verdict.award is None:
        return raised
    if verdict.confidence is None or verdict.confidence < thresholds.confidence:
        raised.add(Doubt.LOW_CONFIDENCE)
    if verdict.status is Status.PARTIAL and min(verdict.award, 1 - verdict.award) < thresholds.boundary:
        raised.add(Doubt.BOUNDARY_AWARD)
    return raised
