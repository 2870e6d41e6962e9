"""Doubts are reasons: each is raised by what it names, and by nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.judge.card import Thresholds
from grader.judge.flags import Flag
from grader.judge.routing import Doubt, doubts, is_routed
from grader.record import Finding, Reason, Status, Verdict

LIMITS = Thresholds(confidence=0.7, boundary=0.25)
SURE = Verdict("1#1", Status.MET, "judge:careful@0123456789ab", award=1.0, confidence=0.9)
FOUND = Finding(Status.MET, "formal:quantity@3", "as expected")
OPEN = Finding(Status.UNDETERMINED, "formal:quantity@3", "no value", Reason.NO_CANDIDATE)


def partial(award: float) -> Verdict:
    return replace(SURE, status=Status.PARTIAL, award=award)


def undetermined(reason: Reason) -> Verdict:
    return replace(SURE, status=Status.UNDETERMINED, award=None, reason=reason, confidence=None)


@pytest.mark.parametrize(
    ("decided", "raised"),
    [
        (SURE, ()),
        (replace(SURE, confidence=0.7), ()),
        (replace(SURE, confidence=0.69), (Doubt.LOW_CONFIDENCE,)),
        (replace(SURE, confidence=None), (Doubt.LOW_CONFIDENCE,)),
        (replace(SURE, status=Status.NOT_MET, award=0.0), ()),
        (partial(0.5), ()),
        (partial(0.25), ()),
        (partial(0.75), ()),
        (partial(0.2), (Doubt.BOUNDARY_AWARD,)),
        (partial(0.9), (Doubt.BOUNDARY_AWARD,)),
        (undetermined(Reason.SPLIT_VOTES), (Doubt.UNDETERMINED, Doubt.SPLIT_VOTES)),
        (undetermined(Reason.CALL_FAILED), (Doubt.UNDETERMINED,)),
        (undetermined(Reason.REPLY_UNREADABLE), (Doubt.UNDETERMINED,)),
        (undetermined(Reason.CANNOT_ASSESS), (Doubt.UNDETERMINED,)),
        (FOUND, ()),
        (OPEN, (Doubt.UNDETERMINED,)),
        (None, (Doubt.UNDETERMINED,)),
    ],
)
def test_each_doubt_is_raised_by_what_it_names(
    decided: Finding | Verdict | None, raised: tuple[Doubt, ...]
) -> None:
    assert doubts(decided, LIMITS) == raised


@pytest.mark.parametrize(
    ("flag", "doubt"),
    [
        (Flag.EVIDENCE_MISSING, Doubt.EVIDENCE_MISSING),
        (Flag.EVIDENCE_ABSENT, Doubt.EVIDENCE_ABSENT),
        (Flag.EVIDENCE_WITHHELD, Doubt.EVIDENCE_ABSENT),
        (Flag.FINDING_CONFLICT, Doubt.FINDING_CONFLICT),
        (Flag.INJECTION_SUSPECTED, Doubt.INJECTION_SUSPECTED),
        (Flag.TRUNCATED, Doubt.TRUNCATED),
    ],
)
def test_every_flag_is_a_doubt_however_sure_the_judge(flag: Flag, doubt: Doubt) -> None:
    assert doubts(replace(SURE, flags=(flag.value,)), LIMITS) == (doubt,)


def test_no_flag_is_left_out_of_routing() -> None:
    everything = doubts(replace(SURE, flags=tuple(Flag)), LIMITS)
    assert len(everything) == len(Flag) - 1  # absent and withheld quotes are one doubt


def test_doubts_come_once_each_in_a_fixed_order() -> None:
    decided = replace(
        partial(0.1), confidence=0.3, flags=(Flag.TRUNCATED, Flag.EVIDENCE_WITHHELD, Flag.EVIDENCE_ABSENT)
    )
    assert doubts(decided, LIMITS, same_family=True) == (
        Doubt.LOW_CONFIDENCE,
        Doubt.BOUNDARY_AWARD,
        Doubt.EVIDENCE_ABSENT,
        Doubt.TRUNCATED,
        Doubt.SAME_FAMILY,
    )


@pytest.mark.parametrize("status", list(Status))
def test_what_people_decided_is_never_doubted(status: Status) -> None:
    mark = Verdict("1#1", status, "human:ada", flags=(Flag.INJECTION_SUSPECTED,))
    assert doubts(mark, LIMITS, not_located=True, same_family=True, answer_truncated=True) == ()


def test_a_value_that_was_not_located_is_doubted_only_while_nobody_decided() -> None:
    assert doubts(OPEN, LIMITS, not_located=True) == (Doubt.UNDETERMINED, Doubt.NOT_LOCATED)
    assert doubts(FOUND, LIMITS, not_located=True) == ()


@pytest.mark.parametrize("decided", [None, OPEN, SURE, undetermined(Reason.CANNOT_ASSESS)])
def test_an_answer_that_was_cut_off_is_doubted(decided: Finding | Verdict | None) -> None:
    assert doubts(decided, LIMITS, answer_truncated=True) == (*doubts(decided, LIMITS), Doubt.TRUNCATED)


def test_a_cut_off_answer_speaks_against_nothing_that_code_found_in_it() -> None:
    assert doubts(FOUND, LIMITS, answer_truncated=True) == ()


def test_kinship_informs_and_routes_nothing() -> None:
    raised = doubts(SURE, LIMITS, same_family=True)
    assert raised == (Doubt.SAME_FAMILY,)
    assert not is_routed(raised)
    assert is_routed((*raised, Doubt.TRUNCATED))
    assert doubts(FOUND, LIMITS, same_family=True) == ()
