"""A2: does the judge award more than people do, and where?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pandas as pd

from grader.audit.from_archive.labels import Labels, labels, what_to_do
from grader.audit.result import Audit, Measure, NotAudited
from grader.audit.words import bracket, number
from grader.render.words import counted, listed
from grader.stats.leniency import FEW, Leniency, at_stake, opposite
from grader.stats.leniency import leniency as leniency_of
from grader.stats.multiple import holm

if TYPE_CHECKING:
    from grader.stats.checked import Checked

MIN_POINTS = 50
MIN_PROBLEMS = 20
"""Below either nothing is claimed: of all points (the audit is indicative) or of a part (it isn't tested)."""
FAMILIES = {
    "model": "model",
    "mode": "mode",
    "protocol": "protocol",
    "type": "point type",
    "tags": "tag",
}
"""Parts by columns; the parts of one column are one family of tests."""
_NEEDED = ["problem_id", "points", "award", "human", "weight"]


def leniency(checked: Checked, judge: str, *, level: float = 0.95, seed: int = 0) -> Audit | NotAudited:
    """The mean of judge minus people, weighted by marks and inverse probabilities; overall and by part.

    Tests of no leniency, adjusted (Holm) within models, modes, protocols, point types and tags. By verdict
    there is no test: a met verdict can only be too lenient. Nothing is drawn: ``seed`` has no effect.
    """
    found = labels(checked, judge)
    overall = leniency_of(found.marked, level=level)
    if overall is None:
        return NotAudited(
            "A2",
            judge,
            "people marked no random point that this judge decided",
            what_to_do(found, judge, MIN_POINTS),
        )
    whole = _measure("leniency", "", overall, level, flagged=_enough(overall) and _claims(overall.p, level))
    parts = [one for column, name in FAMILIES.items() for one in _family(found.marked, column, name, level)]
    measures = (whole, *_signs(found.marked, overall), *_verdicts(found.marked, level), *parts)
    return Audit(
        "A2",
        judge,
        measures,
        tuple(_says(whole, parts, level)),
        (*_notes(found, overall, parts), *found.notes),
        level=level,
        indicative=not _enough(overall),
    )


def _enough(one: Leniency) -> bool:
    return one.n >= MIN_POINTS and one.problems >= MIN_PROBLEMS


def _claims(p: float | None, level: float) -> bool:
    return p is not None and p < 1 - level


def _measure(
    name: str,
    of: str,
    one: Leniency,
    level: float,
    *,
    tested: bool = True,
    adjusted: float | None = None,
    family: int = 1,
    flagged: bool = False,
) -> Measure:
    # The first step of Holm's takes the whole family's share of the error.
    detectable = one.detectable(1 - (1 - level) / family) if tested else None
    p = one.p if tested else None
    return Measure(
        *(name, one.value, "points", of, one.low, one.high, one.n, one.problems),
        *(p, adjusted, detectable, flagged),
    )


def _signs(marked: pd.DataFrame, overall: Leniency) -> Iterator[Measure]:
    against, problems = opposite(marked, overall.value)
    share = None if overall.value == 0 else against / problems
    yield Measure("problems of the opposite sign", share, "share", n=overall.n, problems=problems)


def _verdicts(marked: pd.DataFrame, level: float) -> Iterator[Measure]:
    for status, rows in marked[[*_NEEDED, "status"]].groupby("status", sort=True):
        one = leniency_of(rows, level=level)
        if one is not None:
            yield _measure("leniency", f"verdict {status}", one, level, tested=False)


def _family(marked: pd.DataFrame, column: str, name: str, level: float) -> list[Measure]:
    rows = marked[[*_NEEDED, column]]
    rows = rows.explode(column) if column == "tags" else rows
    if rows[column].nunique() < 2:  # all there is: told already
        return []
    parts = {
        f"{name} {value}": one
        for value, own in rows.groupby(column, sort=True)
        if (one := leniency_of(own, level=level)) is not None
    }
    if len(parts) < 2:
        return []
    tested = [part for part, one in parts.items() if _enough(one)]
    adjusted = dict(zip(tested, holm([parts[name].p for name in tested]), strict=True))
    return [
        _measure(
            "leniency",
            part,
            one,
            level,
            tested=part in adjusted,
            adjusted=adjusted.get(part),
            family=max(1, len(tested)),
            flagged=_claims(adjusted.get(part), level),
        )
        for part, one in parts.items()
    ]


def _says(whole: Measure, parts: list[Measure], level: float) -> Iterator[str]:
    assert whole.value is not None
    word = "lenient" if whole.value > 0 else "strict"
    told = f"{number(whole.value, whole)} {bracket(whole, level)}"
    if whole.flagged:
        yield f"The judge is {word}: {told}."
    elif _claims(whole.p, level):
        yield f"It seems {word}, by too few marks or problems to say so: {told}."
    else:
        yield f"No evidence of leniency or strictness overall: {told}."
    for one in sorted((one for one in parts if one.flagged), key=lambda one: -abs(one.value or 0)):
        assert one.value is not None
        word = "Lenient" if one.value > 0 else "Strict"
        yield f"{word} with {one.of}: {number(one.value, one)} {bracket(one, level)}."


def _notes(found: Labels, overall: Leniency, parts: list[Measure]) -> Iterator[str]:
    yield "The judge's award minus people's, weighted by marks, in points of 100: above 0 is lenient."
    yield "By verdict no test: a met verdict can only be too lenient, one of not met only too strict."
    if overall.disagreements < FEW:
        yield f"Fewer than {FEW} points disagree: intervals are widened."
    untested = [one.of for one in parts if one.p is None and not (one.n >= MIN_POINTS and _many(one))]
    if untested:
        yield (
            f"Not tested, as under {MIN_POINTS} marked points or {MIN_PROBLEMS} problems: {listed(untested)}."
        )
    worthless = int((at_stake(found.marked) == 0).sum())
    if worthless:
        yield f"{counted(worthless, 'marked veto', 'marked vetoes')} left out: they carry no marks."


def _many(one: Measure) -> bool:
    return (one.problems or 0) >= MIN_PROBLEMS
