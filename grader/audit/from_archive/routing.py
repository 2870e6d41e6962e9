"""A5: is what a judge decides by itself right, and is what it sends to people worth their time?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from grader.audit.from_archive.labels import FORMAL, Labels, labels, what_to_do
from grader.audit.from_archive.risk import (
    ABOVE_CHANCE,
    CAUGHT,
    SENT,
    Routed,
    accepted_error,
    at_thresholds,
    caught,
    costs,
    doubted_error,
    unrouted_error,
)
from grader.audit.result import Audit, Measure, NotAudited
from grader.audit.words import percent, signed

if TYPE_CHECKING:
    from grader.stats.checked import Checked

ID = "A5"
MIN_POINTS = 200
MIN_PROBLEMS = 30


def routing(checked: Checked, judge: str, *, level: float = 0.95, seed: int = 0) -> Audit | NotAudited:
    """Error rates of accepted and of doubted verdicts, errors caught and what one costs, and by threshold.

    Accepted is what was decided and not doubted when the runs were graded last. Rates are weighted by inverse
    probabilities; bounds are of Clopper and Pearson, exact for equal weights, else with the effective n. They
    speak of these verdicts: points were drawn apart from each other, so it doesn't matter that the verdicts
    of one problem err together. ``seed`` draws the resamples of problems behind the share of errors caught.
    """
    if judge == FORMAL:
        why = "what code decides isn't routed by confidence"
        return NotAudited(ID, judge, why, "See its error rate instead (A1).")
    found = labels(checked, judge)
    routed = Routed.of(found)
    refused = _refused(found, routed, judge)
    if refused is not None:
        return refused
    accepted = accepted_error(routed, level)
    measures = (
        accepted,
        *unrouted_error(routed, level),
        *doubted_error(routed, level),
        *caught(routed, level, seed),
        *costs(routed, checked.ratings, level),
        *at_thresholds(routed, level),
    )
    return Audit(
        ID,
        judge,
        measures,
        tuple(_says({one.name: one for one in measures if not one.of}, accepted, level, routed.blind)),
        (*_notes(routed), *found.notes),
        level=level,
        indicative=found.problems < MIN_PROBLEMS,
    )


def _refused(found: Labels, routed: Routed, judge: str) -> NotAudited | None:
    if not len(found.decided):
        return NotAudited(ID, judge, "the judge decided nothing", "Grade a run with it.")
    if not routed.accepts.any():
        why = "everything that the judge decided is doubted: nothing is accepted without people"
        return NotAudited(ID, judge, why, "Lower the thresholds under [thresholds] of the judge card.")
    if not routed.accepted.any():
        why = (
            "no mark on a confident verdict was drawn at random: marks on doubted ones say nothing of those "
            "that nobody looks at"
        )
        return NotAudited(ID, judge, why, what_to_do(found, judge, MIN_POINTS))
    if len(found.marked) < MIN_POINTS:
        why = f"{len(found.marked)} random marks are too few: at least {MIN_POINTS} are needed"
        return NotAudited(ID, judge, why, what_to_do(found, judge, MIN_POINTS))
    return None


def _says(named: dict[str, Measure], accepted: Measure, level: float, blind: bool) -> Iterator[str]:
    assert accepted.value is not None
    assert accepted.high is not None
    yield (
        f"Of the verdicts that nobody looks at, {percent(accepted.value)} are wrong, at most "
        f"{percent(accepted.high)} with {100 * level:g} % confidence ({accepted.n} marked at random)."
    )
    share, above, sent = (named.get(name) for name in (CAUGHT, ABOVE_CHANCE, SENT))
    if share is None or share.value is None or sent is None or sent.value is None:
        why = (
            "no doubted verdict is marked at random" if blind else "no wrong verdict is among the marked ones"
        )
        yield f"Whether routing catches errors can't be said: {why}."
        return
    least = (
        f"Routing sends {percent(sent.value)} of the points to people and catches {percent(share.value)} of "
        "the errors"
    )
    if above is None or above.low is None or above.high is None or above.value is None:
        yield f"{least}."
    elif above.low > 0:
        yield f"{least}: {signed(above.value)} points more than a random choice of as many decided points."
    else:
        found = "" if above.detectable is None else f" ({100 * above.detectable:.1f} points would have shown)"
        yield f"{least}; no evidence that a random choice would catch fewer{found}."


def _notes(routed: Routed) -> Iterator[str]:
    yield "A verdict is wrong if people gave another award; where they differ, by the share of them that did."
    yield "Sent to people: doubted or undetermined points. The spot check comes on top."
    if np.ptp(routed.weight[routed.accepted]) > 0:
        yield "Marks on accepted verdicts weigh differently: the bound rests on their effective number."
    yield "By threshold of confidence alone: what states none is sent to people too; each bound stands alone."
