"""What pairs of answers say of a judge: whether it minds spelling (A7), whether it minds chemistry (A8)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grader.audit.metamorphic.measures import (
    adjusted,
    by_kind,
    credit_shift,
    flipped,
    left_open,
    miss_rate,
    missed,
    problems_of,
    rates_of,
    rise,
    unstable,
)
from grader.audit.metamorphic.pair import Outcome
from grader.audit.metamorphic.sentences import notes_missed, notes_rise, says_missed, says_rise
from grader.audit.result import Audit, Case, NotAudited

LEAST_INVARIANT = 200
"""Pairs that find ten points over a base of 3 % with a power of 0.96."""
LEAST_SENSITIVE = 60
"""Pairs of which none missed bounds the miss rate at 4.9 %."""
LEAST_PROBLEMS = 20
_RUN = "Run the suite's calls first: argus audit run."


def invariance(outcomes: Iterable[Outcome], judge: str, level: float = 0.95) -> Audit | NotAudited:
    """A7: how often rewritings that say the same change the verdict, over what asking again changes.

    Needs the verdict on the answer, on the same answer asked again, and on the
    rewriting; outcomes that lack one are counted in a note. A rise is flagged
    where McNemar's p (of kinds: Holm's) is below 1 - ``level`` and the interval with
    problems as clusters, where it can be given, lies above 0. NotAudited without a complete outcome.
    """
    given = [one for one in outcomes if one.pair.law == "invariant"]
    whole = [one for one in given if None not in (one.before, one.repeat, one.after)]
    if not whole:
        return NotAudited("A7", judge, _why_none(given, "asked before, again and after"), _RUN)
    kinds = by_kind(whole)
    overall = rise(whole, "", level)
    parts = adjusted([rise(some, f"kind {kind}", level) for kind, some in kinds.items()], level)
    measures = (
        *rates_of(whole, "", level),
        overall,
        credit_shift(whole, level),
        *left_open(given, "after a rewriting"),
    )
    for kind, some in kinds.items():
        measures += rates_of(some, f"kind {kind}", level)
    return Audit(
        "A7",
        judge,
        (*measures, *parts),
        tuple(says_rise(overall, parts, whole)),
        tuple(notes_rise(given, whole)),
        tuple(_case(one, "changed") for one in whole if flipped(one) and not unstable(one)),
        level,
        len(whole) < LEAST_INVARIANT or problems_of(whole) < LEAST_PROBLEMS,
    )


def sensitivity(outcomes: Iterable[Outcome], judge: str, level: float = 0.95) -> Audit | NotAudited:
    """A8: how often an answer that earned the point still earns as much with one thing wrong.

    Counts the outcomes whose answer earned something as it was; the others are
    counted in a note. A miss rate is flagged where it exceeds ``TOLERATED`` by the exact
    binomial test (of kinds: Holm's). NotAudited where no answer earned anything.
    """
    given = [one for one in outcomes if one.pair.law == "sensitive"]
    asked = [one for one in given if one.before is not None and one.after is not None]
    earned = [one for one in asked if one.before]
    if not earned:
        why = _why_none(given, "earned the point and was asked again with one thing wrong")
        return NotAudited("A8", judge, why, _RUN)
    overall = miss_rate(earned, "", level)
    parts = adjusted(
        [miss_rate(some, f"kind {kind}", level) for kind, some in by_kind(earned).items()], level
    )
    return Audit(
        "A8",
        judge,
        (overall, *left_open([one for one in given if one.before], "with one thing wrong"), *parts),
        tuple(says_missed(overall, parts)),
        tuple(notes_missed(given, asked, earned)),
        tuple(_case(one, "did not change") for one in earned if missed(one)),
        level,
        len(earned) < LEAST_SENSITIVE or problems_of(earned) < LEAST_PROBLEMS,
    )


def _why_none(given: Sequence[Outcome], what: str) -> str:
    return f"of {len(given)} pairs none {what}" if given else "there are no pairs of this law"


def _case(one: Outcome, verb: str) -> Case:
    what = (
        f"{one.pair.kind}: {one.pair.what}; the award {verb}: {_award(one.before)} before, "
        f"{_award(one.after)} after"
    )
    return Case(one.where, what, one.calls)


def _award(award: float | None) -> str:
    return "undetermined" if award is None else f"{award:g}"
