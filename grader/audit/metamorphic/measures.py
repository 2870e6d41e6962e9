"""The numbers of A7 and A8, each with what bounds it and what could have been found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from grader.audit.metamorphic.pair import Outcome
from grader.audit.result import Measure
from grader.stats.flips import (
    Flips,
    detectable_rise,
    detectable_share,
    exceeds,
    flips,
    lower_bound,
    shift,
    upper_bound,
)
from grader.stats.multiple import holm

TOLERATED = 0.05
"""A miss rate that is not yet called a fault: readers misread now and then."""
_SAME = 1e-9
"""Awards closer than this are one verdict."""


def _differs(one: float | None, other: float | None) -> bool:
    assert one is not None
    assert other is not None
    return abs(one - other) > _SAME


def flipped(one: Outcome) -> bool:
    """Whether the rewriting got another verdict."""
    return _differs(one.before, one.after)


def unstable(one: Outcome) -> bool:
    """Whether the same answer got another verdict when asked again."""
    return _differs(one.before, one.repeat)


def missed(one: Outcome) -> bool:
    """Whether the wrong answer kept all the credit that the right one had."""
    assert one.before is not None
    assert one.after is not None
    return one.after > one.before - _SAME


def problems_of(outcomes: Iterable[Outcome]) -> int:
    """How many problems outcomes are of."""
    return len({one.problem_id for one in outcomes})


def by_kind(outcomes: Sequence[Outcome]) -> Mapping[str, list[Outcome]]:
    """The outcomes of each kind, kinds by name."""
    kinds = sorted({one.pair.kind for one in outcomes})
    return {kind: [one for one in outcomes if one.pair.kind == kind] for kind in kinds}


def left_open(given: Sequence[Outcome], when: str) -> tuple[Measure, ...]:
    """The share of verdicts that got undetermined, where it isn't none."""
    decided = [one for one in given if one.before is not None]
    count = sum(one.after is None for one in decided)
    if not count:
        return ()
    return (
        Measure(
            f"undetermined {when}",
            count / len(decided),
            "share",
            n=len(decided),
            problems=problems_of(decided),
        ),
    )


def counted(outcomes: Sequence[Outcome]) -> Flips:
    """The flips of outcomes that have all three verdicts."""
    repeated = np.array([unstable(one) for one in outcomes])
    return flips(repeated, np.array([flipped(one) for one in outcomes]))


def rates_of(outcomes: Sequence[Outcome], of: str, level: float) -> tuple[Measure, ...]:
    """The flip rates under rewriting and repeat, each with its upper bound."""
    found = counted(outcomes)
    return tuple(
        Measure(
            name,
            count / found.n,
            "share",
            of,
            high=upper_bound(count, found.n, level),
            n=found.n,
            problems=problems_of(outcomes),
        )
        for name, count in (
            ("flip rate, rewritten", found.transformed),
            ("flip rate, repeated", found.repeated),
        )
    )


def rise(outcomes: Sequence[Outcome], of: str, level: float) -> Measure:
    """How much more often a rewriting flips than a repeat."""
    found = counted(outcomes)
    change = np.array([float(flipped(one)) - float(unstable(one)) for one in outcomes])
    clustered = shift(change, np.ones(len(change)), [one.problem_id for one in outcomes], level)
    rise = found.rate - found.base
    above = clustered.low is None or clustered.low > 0
    return Measure(
        "rise of the flip rate",
        rise,
        "points",
        of,
        clustered.low,
        clustered.high,
        found.n,
        clustered.problems,
        found.p,
        found.p,
        detectable_rise(found.n, found.base, level=level),
        found.p < 1 - level and rise > 0 and above,
    )


def credit_shift(outcomes: Sequence[Outcome], level: float) -> Measure:
    """The mean credit after a rewriting minus before, weighted by points."""
    change = np.array([float(one.after or 0) - float(one.before or 0) for one in outcomes])
    points = np.array([one.points for one in outcomes])
    found = shift(change, points, [one.problem_id for one in outcomes], level)
    return Measure(
        "credit shift",
        found.value,
        "points",
        low=found.low,
        high=found.high,
        n=len(outcomes),
        problems=found.problems,
        p=found.p,
    )


def miss_rate(outcomes: Sequence[Outcome], of: str, level: float) -> Measure:
    """The share of wrong answers that lost nothing, with its bounds and the test of a tolerated share."""
    n, count = len(outcomes), sum(map(missed, outcomes))
    p = exceeds(count, n, TOLERATED)
    return Measure(
        "miss rate",
        count / n,
        "share",
        of,
        lower_bound(count, n, level) if count else None,
        upper_bound(count, n, level),
        n,
        problems_of(outcomes),
        p,
        p,
        detectable_share(n, TOLERATED, level=level),
        p < 1 - level,
    )


def adjusted(parts: Sequence[Measure], level: float) -> list[Measure]:
    """The measures of the kinds with Holm's p, flagged only where that is small too."""
    adjusted = holm([one.p for one in parts])
    return [
        replace(one, p_adjusted=p, flagged=one.flagged and p is not None and p < 1 - level)
        for one, p in zip(parts, adjusted, strict=True)
    ]
