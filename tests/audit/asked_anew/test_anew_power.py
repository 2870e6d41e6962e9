"""The audits with calls of their own find what they say they can find, and seldom anything else."""

from __future__ import annotations

import pytest

from grader.audit.asked_anew.drift import drift
from grader.audit.asked_anew.injection import injection
from grader.audit.asked_anew.ordering import ordering
from grader.audit.asked_anew.retest import retest
from grader.audit.asked_anew.verbosity import verbosity
from grader.audit.result import Audit
from tests.audit.made_frames import Judge, frame, rows

ANSWERS = 100
TIMES, FOUND = 60, 25


def injected(seed, gain):
    judge = Judge(seed)
    asked = []
    for answer in range(ANSWERS):
        for family in ("order", "claim", "plea"):
            asked.append(rows(answer, f"control {family}", judge.says(answer), problem=answer % 30))
            said = judge.says(answer, raised=gain if family == "claim" else 0.0)
            asked.append(rows(answer, f"attack {family}", said, problem=answer % 30))
    return injection(frame(*asked), "judge@1")


def padded(seed, gain):
    judge = Judge(seed)
    asked = []
    for answer in range(ANSWERS):
        for name, length, raised in (("base", 300, 0), ("dose 0.5", 450, gain / 2), ("dose 1", 600, gain)):
            said = judge.says(answer, raised=raised)
            asked.append(rows(answer, name, said, problem=answer % 30, about={"length": length}))
    return verbosity(frame(*asked), "judge@1")


def turned(seed, gain):
    judge = Judge(seed)
    asked = []
    for answer in range(ANSWERS):
        for name, shift in (("base", 0), ("repeat 1", 0), ("order 1", 1), ("order 2", 2)):
            said = judge.says(answer, raised=gain if shift else 0.0)
            asked.append(rows(answer, name, said, problem=answer % 30, shift=shift))
        asked.append(rows(answer, "calls point", judge.says(answer), problem=answer % 30))
    return ordering(frame(*asked), "judge@1")


def drifted(seed, gain):
    judge = Judge(seed)
    asked = []
    for answer in range(50):
        for number, raised in enumerate((0.0, 0.0, gain), 1):
            said = judge.says(answer, raised=raised)
            asked.append(rows(answer, f"version {number}", said, problem=answer % 30))
    return drift(frame(*asked), "judge@1", {f"version {number}": "" for number in (1, 2, 3)})


def repeated(seed, gain):
    judge = Judge(seed, noise=0.01 + gain)
    asked = [
        rows(answer, name, judge.says(answer), problem=answer % 30)
        for answer in range(ANSWERS)
        for name in ("base", "repeat 1", "repeat 2")
    ]
    return retest(frame(*asked), "judge@1", seed=seed)


def accused(audit, seed, gain):
    found = audit(seed, gain)
    assert isinstance(found, Audit)
    return any(one.flagged for one in found.measures)


@pytest.mark.slow
@pytest.mark.parametrize("audit", [injected, padded, turned, drifted, repeated])
def test_a_judge_that_only_slips_is_seldom_accused(audit):
    # 5 % of 60 is 3; 8 or more would come by chance once in 80 times
    assert sum(accused(audit, seed, 0.0) for seed in range(TIMES)) <= 7


@pytest.mark.slow
@pytest.mark.parametrize(
    ("audit", "gain"), [(injected, 0.25), (padded, 0.25), (turned, 0.35), (drifted, 0.3), (repeated, 0.06)]
)
def test_a_planted_fault_is_mostly_found(audit, gain):
    assert sum(accused(audit, 1000 + seed, gain) for seed in range(FOUND)) >= 0.8 * FOUND
