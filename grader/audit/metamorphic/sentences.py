"""A7 and A8 in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from grader.audit.metamorphic.measures import TOLERATED, counted
from grader.audit.metamorphic.pair import Outcome
from grader.audit.result import Measure
from grader.audit.words import percent


def says_rise(overall: Measure, parts: Sequence[Measure], outcomes: Sequence[Outcome]) -> list[str]:
    """What was found, the overall rise first."""
    found = counted(outcomes)
    again = f"{percent(found.base)} when asked again"
    rates = f"{percent(found.rate)} of {found.n} rewritten answers got another verdict, {again}"
    if overall.flagged:
        says = [f"Rewritings that say the same change verdicts: {rates}."]
    elif overall.detectable is None:
        says = [f"No rise was found, and so few pairs could not have shown any: {rates}."]
    else:
        says = [f"No rise was found; one of {_points(overall.detectable)} would have been: {rates}."]
    flagged = [f"{one.of.removeprefix('kind ')} ({_points(one.value)})" for one in parts if one.flagged]
    return [*says, f"By kind, after Holm's correction: {', '.join(flagged)}."] if flagged else says


def _points(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f} points"


def notes_rise(given: Sequence[Outcome], whole: Sequence[Outcome]) -> list[str]:
    """How far the numbers of A7 can be trusted."""
    notes = []
    if left := len(given) - len(whole):
        notes.append(f"{left} of {len(given)} pairs lack a verdict before, again or after, and don't count.")
    answers = len({(one.where, one.pair.before) for one in whole})
    if answers < len(whole):
        notes.append(
            f"{len(whole)} pairs share {answers} points of answers. McNemar's test takes pairs as "
            "independent, the interval takes problems as clusters, and a rise is flagged where both find it."
        )
    notes.append("Upper bounds are one-sided; Holm's correction runs over the kinds.")
    return notes


def says_missed(overall: Measure, parts: Sequence[Measure]) -> list[str]:
    """What was found, the overall miss rate first."""
    assert overall.value is not None
    assert overall.high is not None
    missed = round(overall.value * overall.n)
    most = percent(overall.high)
    rates = f"{missed} of {overall.n} answers kept their credit with one thing wrong (at most {most})"
    if overall.flagged:
        says = [f"What is wrong often passes: {rates}."]
    elif overall.detectable is None:
        says = [f"Too few answers to find a miss rate above {percent(TOLERATED)}: {rates}."]
    else:
        would = f"one of {percent(overall.detectable)} would have been"
        says = [f"No miss rate above {percent(TOLERATED)} was found; {would}: {rates}."]
    flagged = [
        f"{one.of.removeprefix('kind ')} ({percent(one.value)} of {one.n})"
        for one in parts
        if one.flagged and one.value is not None
    ]
    return [*says, f"By kind, after Holm's correction: {', '.join(flagged)}."] if flagged else says


def notes_missed(given: Sequence[Outcome], asked: Sequence[Outcome], earned: Sequence[Outcome]) -> list[str]:
    """How far the numbers of A8 can be trusted."""
    notes = []
    if left := len(given) - len(asked):
        notes.append(f"{left} of {len(given)} pairs lack a verdict before or after, and don't count.")
    if left := len(asked) - len(earned):
        notes.append(f"{left} answers earned nothing as they were, so that nothing wrong could cost them.")
    notes.append(
        f"Bounds are one-sided; a miss rate is tested against {percent(TOLERATED)}, over the kinds with "
        "Holm's correction."
    )
    return notes
