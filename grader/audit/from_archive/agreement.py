"""A1: does the judge agree with people, as far as people agree with each other?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

import pandas as pd

from grader.audit.from_archive.formal_track import formal_track
from grader.audit.from_archive.labels import FORMAL, STATUSES, Labels, labels, what_to_do
from grader.audit.from_archive.pairs import (
    BEHIND,
    KAPPA,
    PEOPLE,
    coefficients,
    judge_pairs,
    people_alphas,
    twice_marked,
)
from grader.audit.result import Audit, Case, Measure, NotAudited
from grader.audit.shares import share
from grader.audit.words import percent
from grader.render.words import counted

if TYPE_CHECKING:
    from grader.stats.checked import Checked

ID = "A1"
MIN_TWICE = 100
"""Points marked by two people below which people's own agreement is hardly known."""
MIN_PROBLEMS = 30
MOST_CASES = 50
_SAID = {"not_met": "not met", "partial": "partial", "met": "met"}


def agreement(checked: Checked, judge: str, *, level: float = 0.95, seed: int = 0) -> Audit | NotAudited:
    """Coefficients of judge and people over random marks, and beside them those of people and people.

    Of all verdicts: marked points weigh what they stand for. Where people differ and nobody settled, each
    mark counts for its share. On points that two or more people marked blind, the same coefficients of the
    judge and one of the people, and of two of the people: what a judge can reach; and Krippendorff's alpha of
    all people. Intervals by problem bootstrap, drawn by ``seed``. Of code (``formal``) it is the error rate
    (``formal_track``).
    """
    if judge == FORMAL:
        return formal_track(checked, judge, level=level, seed=seed)
    found = labels(checked, judge)
    if found.marked.empty:
        why = "people marked no random point that this judge decided"
        return NotAudited(ID, judge, why, what_to_do(found, judge, MIN_TWICE))
    whole = judge_pairs(found.marked)
    measures = list(coefficients([whole], level, seed))
    twice = twice_marked(found.marked, checked.ratings)
    if twice is not None:
        measures += coefficients(twice, level, seed, behind=True)
        measures += people_alphas(found.marked, checked.ratings, level, seed)
    measures += [*_verdicts(found.marked), *_types(found, level, seed)]
    points, problems = (twice[0].points, twice[0].problems) if twice is not None else (0, 0)
    return Audit(
        ID,
        judge,
        tuple(measures),
        tuple(_says(measures, level)),
        (*_notes(points, problems), *_one_type(found), *found.notes),
        tuple(_cases(found.marked)),
        level=level,
        indicative=points < MIN_TWICE or problems < MIN_PROBLEMS,
    )


def _verdicts(marked: pd.DataFrame) -> Iterator[Measure]:
    """Prevalence on both sides, and the table of verdicts; one that nobody gave has no row."""
    weight, n, problems = marked["weight"], len(marked), int(marked["problem_id"].nunique())
    judge = {_SAID[one]: (marked["status"] == one).astype(float) for one in STATUSES}
    people = {_SAID[one]: marked[f"human_{one}"] for one in STATUSES}
    given = [one for one in judge if (judge[one] + people[one]).sum() > 0]
    cells = {
        **{("prevalence", f"{one}, the judge"): judge[one] for one in given},
        **{("prevalence", f"{one}, people's marks"): people[one] for one in given},
        **{
            ("verdicts", f"judge {one}, people {other}"): judge[one] * people[other]
            for one, other in product(given, given)
        },
    }
    for (name, of), said in cells.items():
        value = float((said * weight).sum() / weight.sum())
        yield Measure(name, value, "share", of, n=n, problems=problems)


def _types(found: Labels, level: float, seed: int) -> Iterator[Measure]:
    """By point type: share of equal awards, kappa."""
    groups = list(found.marked.groupby("type", sort=True))
    for name, rows in groups if len(groups) > 1 else ():
        of = f"type {name}"
        yield share(rows.assign(hit=rows["right"]), "same award", of=of, level=level)
        pairs = judge_pairs(rows, of)
        yield from (one for one in coefficients([pairs], level, seed) if one.name == KAPPA)


def _says(measures: list[Measure], level: float) -> Iterator[str]:
    by = {(one.name, one.of): one for one in measures}
    kappa = by[KAPPA, ""]
    people = by.get((KAPPA, PEOPLE))
    behind = by.get((BEHIND, ""))
    if behind is not None and behind.flagged:
        yield (
            f"The judge agrees less with people than people do with each other: kappa {_ends(behind)} lower "
            f"on {counted(behind.n, 'point')} marked twice."
        )
    elif behind is not None and behind.low is not None:
        yield f"No evidence that it agrees less with people than they do: kappa {_ends(behind)} lower."
    same = by["same award", ""]
    if kappa.value is None or same.value is None:
        yield "Kappa can't be given: the judge and people gave one and the same verdict throughout."
    else:
        ceiling = (
            "" if people is None or people.value is None else f"; people among themselves {people.value:.2f}"
        )
        yield (
            f"Judge and people give the same award on {percent(same.value)} of the points; kappa "
            f"{kappa.value:.2f}{_interval(kappa, level)}{ceiling}."
        )


def _ends(one: Measure) -> str:
    return "" if one.low is None or one.high is None else f"{-one.high:.2f} to {-one.low:.2f}"


def _interval(one: Measure, level: float) -> str:
    if one.low is None or one.high is None:
        return ""
    return f" ({100 * level:g} % interval {one.low:.2f} to {one.high:.2f})"


def _one_type(found: Labels) -> Iterator[str]:
    """There is no table by type where it would repeat the whole."""
    types = found.marked["type"].unique()
    if len(types) == 1:
        yield f"All marked points are of type {types[0]}: by point type there is nothing to add."


def _notes(points: int, problems: int) -> Iterator[str]:
    yield (
        "Kappa, AC1, MCC and nominal alpha are of verdicts (not met, partial, met), quadratic kappa and "
        "interval alpha of credit; kappa, alpha and MCC fall where one verdict is rare, AC1 doesn't: look at "
        "the prevalence."
    )
    if points < MIN_TWICE or problems < MIN_PROBLEMS:
        yield (
            f"Indicative: {counted(points, 'random point')} of {counted(problems, 'problem')} marked by two "
            f"people, and {MIN_TWICE} of {MIN_PROBLEMS} are needed to know how far people agree."
        )
    yield "Agreement alone is no licence to report the judge's scores: see leniency and corrected scores."


def _cases(marked: pd.DataFrame) -> Iterator[Case]:
    """The gravest disagreements, in marks."""
    apart = (marked["award"] - marked["human"]).abs() * marked["points"].abs().fillna(0.0)
    wrong = marked.assign(apart=apart)[apart > 0].sort_values("apart", ascending=False, kind="stable")
    for row in wrong.head(MOST_CASES).itertuples():
        yield Case(
            f"{row.problem_id}/{row.sub_id}/{row.point_id}, {str(row.response)[:12]}",
            f"The judge awards {row.award:g}, people {row.human:g}.",
        )
