"""Judges asked anew, of known faults: verdicts by chance, and what the audits say of them.

Each audit is given as much as it asks for: 100 answers of three points over 30 problems (150 points of an
anchor set), 200 pairs of A7, 60 of a kind of A8. A judge without a fault slips now and then, alike
whatever it is asked. ``gain`` is the chance that a point which isn't met is awarded for the wrong reason.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from grader.audit.asked_anew.drift import drift
from grader.audit.asked_anew.injection import injection
from grader.audit.asked_anew.ordering import ordering
from grader.audit.asked_anew.retest import retest
from grader.audit.asked_anew.verbosity import verbosity
from grader.audit.metamorphic.audits import invariance, sensitivity
from grader.audit.metamorphic.pair import Law, Outcome, Pair
from grader.audit.result import Audit, NotAudited
from tests.audit.made_frames import Judge, frame, rows

Found = Audit | NotAudited
ANSWERS = 100
PAIRS = 200
OF_A_KIND = 60
SLIPS = 0.03
VERSIONS = ("version 1", "version 2", "version 3")


def injected(seed: int, gain: float) -> Found:
    """A9: one of three families of passages is obeyed."""
    judge = Judge(seed, SLIPS)
    asked = []
    for answer in range(ANSWERS):
        for family in ("order", "claim", "plea"):
            asked.append(rows(answer, f"control {family}", judge.says(answer), problem=answer % 30))
            said = judge.says(answer, raised=gain if family == "claim" else 0.0)
            asked.append(rows(answer, f"attack {family}", said, problem=answer % 30))
    return injection(frame(*asked), "judge@1")


def padded(seed: int, gain: float) -> Found:
    """A10: an answer of twice the length gains that much, one of half as much again half of it."""
    judge = Judge(seed, SLIPS)
    asked = []
    for answer in range(ANSWERS):
        for name, length, raised in (("base", 300, 0), ("dose 0.5", 450, gain / 2), ("dose 1", 600, gain)):
            said = judge.says(answer, raised=raised)
            asked.append(rows(answer, name, said, problem=answer % 30, about={"length": length}))
    return verbosity(frame(*asked), "judge@1")


def turned(seed: int, gain: float) -> Found:
    """A11: other orders of the rubric than its own gain."""
    judge = Judge(seed, SLIPS)
    asked = []
    for answer in range(ANSWERS):
        for name, shift in (("base", 0), ("repeat 1", 0), ("order 1", 1), ("order 2", 2)):
            said = judge.says(answer, raised=gain if shift else 0.0)
            asked.append(rows(answer, name, said, problem=answer % 30, shift=shift))
        asked.append(rows(answer, "calls point", judge.says(answer), problem=answer % 30))
    return ordering(frame(*asked), "judge@1")


def drifted(seed: int, gain: float) -> Found:
    """A16: three versions of the judge; from the second on it is more lenient."""
    judge = Judge(seed, SLIPS)
    asked = []
    for answer in range(ANSWERS // 2):
        for number, version in enumerate(VERSIONS):
            said = judge.says(answer, raised=gain if number else 0.0)
            asked.append(rows(answer, version, said, problem=answer % 30))
    return drift(frame(*asked), "judge@1", dict.fromkeys(VERSIONS, ""))


def repeated(seed: int, flips: float) -> Found:
    """A6: the same request three times; 1 % of verdicts flip at random, and ``flips`` more."""
    judge = Judge(seed, 0.01 + flips)
    asked = [
        rows(answer, name, judge.says(answer), problem=answer % 30)
        for answer in range(ANSWERS)
        for name in ("base", "repeat 1", "repeat 2")
    ]
    return retest(frame(*asked), "judge@1", seed=seed)


def rewritten(seed: int, rise: float, base: float = SLIPS) -> Found:
    """A7: so many more verdicts flip after a rewriting than when asked again."""
    return invariance(flipping(np.random.default_rng(seed), PAIRS, base, base + rise), "judge@1")


def random_flips(seed: int, flips: float) -> Found:
    """A7 of a judge that flips that often whatever it is asked: no fault of rewritings."""
    return rewritten(seed, 0.0, base=flips)


def flipping(rng: np.random.Generator, n: int, base: float, raised: float) -> list[Outcome]:
    """Verdicts of a judge that flips so often when asked again, and so often after a rewriting."""
    before = rng.integers(0, 2, n)
    again = before ^ (rng.random(n) < base)
    after = before ^ (rng.random(n) < raised)
    given = zip(before.tolist(), again.tolist(), after.tolist(), strict=True)
    return [outcome(at, *map(float, each)) for at, each in enumerate(given)]


def blind(seed: int, overlooked: float) -> Found:
    """A8: so many inverted stereocentres are overlooked; of all else only what slips."""
    rng = np.random.default_rng(seed)
    found = []
    for kind in ("stereocentre_inverted", "methylene_added", "element_replaced"):
        missed = rng.random(OF_A_KIND) < SLIPS
        if kind == "stereocentre_inverted":
            missed |= rng.random(OF_A_KIND) < overlooked
        found += [
            outcome(at, 1.0, None, float(one), law="sensitive", kind=kind)
            for at, one in enumerate(missed.tolist())
        ]
    return sensitivity(found, "judge@1")


def outcome(
    number: int,
    before: float | None,
    repeat: float | None,
    after: float | None,
    *,
    law: Law = "invariant",
    kind: str = "random_smiles",
    problems: int = 40,
) -> Outcome:
    """What one pair got."""
    problem = f"p{number % problems}"
    keys = (f"before-{number}", f"after-{number}")
    return Outcome(_pair(kind, law), problem, f"{problem}/a/{number}", before, repeat, after, calls=keys)


@cache
def _pair(kind: str, law: Law) -> Pair:
    return Pair(kind, law, "CCO", "OCC", (0, 3), "CCO: random SMILES OCC")


def accused(audit: Callable[[int, float], Found], seed: int, fault: float) -> bool:
    """Whether anything is flagged."""
    found = audit(seed, fault)
    assert isinstance(found, Audit)
    return any(one.flagged for one in found.measures)
