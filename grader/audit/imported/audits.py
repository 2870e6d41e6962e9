"""Audits of other people's marks: judges against people, on a table that no archive of ours holds.

A1 agreement, A2 leniency, A6 test-retest, A14 the judges as a panel, A17 people among themselves.
Intervals are over problems. What a judge did not give is counted, and never read as 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from grader.audit.imported.groups import GIVE_PEOPLE, Result, panel_of, people_of, retest_of
from grader.audit.imported.measures import (
    GAP,
    coefficient_measures,
    difference_measure,
    measure_named,
    person_measures,
    told,
)
from grader.audit.result import Audit, Measure, NotAudited
from grader.audit.shares import adjusted
from grader.errors import UsageError
from grader.render.words import listed
from grader.stats.agreement.agreement import JudgeAgreement, judge_agreement
from grader.stats.agreement.rates import clustered_se, independent_se
from grader.stats.agreement.ratings import Ratings
from grader.stats.agreement.resampling import cluster_sums
from grader.stats.jackknife import Floats

LENIENCY = "leniency"
LEAST_LENIENCY, LEAST_LENIENCY_PROBLEMS = 50, 20


def chosen(ratings: Ratings, wanted: Sequence[str]) -> tuple[str, ...]:
    """The judges to be audited: those wanted, else all; UsageError for one that the table hasn't."""
    for name in wanted:
        if name not in ratings.judges:
            raise UsageError(
                "the table has no such judge",
                pointer="/judge",
                got=repr(name),
                expected=listed(ratings.judges, most=20) or "none: it holds no marks of a judge",
            )
    return tuple(dict.fromkeys(wanted)) or ratings.judges


def audits(ratings: Ratings, judges: Sequence[str], *, level: float = 0.95, seed: int = 0) -> list[Result]:
    """A1, A2 and A6 of every judge, then A14 of all of them together, and A17 of people."""
    found = _together(
        "A1", [_agreement(ratings, judge, level=level, seed=seed) for judge in judges], GAP, level
    )
    found += _together("A2", [_leniency(ratings, judge, level=level) for judge in judges], LENIENCY, level)
    found += [retest_of(ratings, judge, level=level, seed=seed) for judge in judges]
    found.append(panel_of(ratings, judges, level=level, seed=seed))
    found.append(people_of(ratings, level=level, seed=seed))
    return found


def _agreement(ratings: Ratings, judge: str, *, level: float, seed: int) -> Result:
    """A1."""
    values = ratings.judge(judge)[:, 0]
    found = judge_agreement(values, ratings.reference, ratings.crowd, ratings.cluster, level=level, seed=seed)
    if not found.items:
        return NotAudited(
            "A1", judge, "no item has a value of this judge and a verdict of people", GIVE_PEOPLE
        )
    measures = (
        *coefficient_measures(found),
        *person_measures(ratings, values, level=level, seed=seed),
        *_gaps(ratings, judge, found),
    )
    return Audit(
        "A1",
        judge,
        measures,
        notes=tuple(_notes_agreement(found)),
        level=level,
        indicative=found.indicative,
    )


def _gaps(ratings: Ratings, judge: str, found: JudgeAgreement) -> Iterator[Measure]:
    """What is not in the coefficients."""
    asked, missing = ratings.asked(judge)
    yield Measure("asked and nothing given", missing, "count", n=asked)
    yield Measure("people split, no verdict", found.split, "count", n=found.items + found.split)


def _says_agreement(measures: Sequence[Measure], level: float) -> Iterator[str]:
    named = {one.name: one for one in measures if not one.of}  # kappa with each of few people has one, too
    gap, kappa = named[GAP], named["kappa"]
    if gap.flagged:
        yield f"It agrees with single people less than they do with each other: {told(gap, level)}."
    if kappa.value is not None:
        yield f"Kappa against people's verdict: {told(kappa, level)}."


def _notes_agreement(found: JudgeAgreement) -> Iterator[str]:
    if found.kappa.value is None:
        yield "kappa is undefined: judge and people gave one and the same value throughout"
    if found.ceiling.value is None:
        yield "no ceiling: no item was rated by two people (or all gave one value throughout)"
    if found.problems < 2:
        yield "one problem: no interval over problems can be given"


def _leniency(ratings: Ratings, judge: str, *, level: float) -> Result:
    """A2: mean of judge minus people, every item weighing the same."""
    apart = ratings.judge(judge)[:, 0] - ratings.reference.value
    held = ~np.isnan(apart)
    if not held.any():
        return NotAudited("A2", judge, "no item has a value of this judge and of people", GIVE_PEOPLE)
    values, cluster = apart[held], ratings.cluster[held]
    _, place = np.unique(cluster, return_inverse=True)
    gained, full = cluster_sums(np.stack([values, np.ones_like(values)], axis=1), place).T
    whole = difference_measure(LENIENCY, gained, full, level)
    enough = len(values) >= LEAST_LENIENCY and len(full) >= LEAST_LENIENCY_PROBLEMS
    by_problem, alone = clustered_se(values, place), independent_se(values)
    opposite = float((np.sign(gained) == -np.sign(gained.sum())).mean()) if gained.sum() else None
    measures = (
        whole,
        Measure("standard error by problem", by_problem, "points", n=len(values), problems=len(full)),
        Measure("standard error, items as independent", alone, "points", n=len(values)),
        Measure("problems with the opposite sign", opposite, "share", n=len(full), problems=len(full)),
    )
    return Audit(
        "A2", judge, measures, notes=tuple(_notes_leniency(full)), level=level, indicative=not enough
    )


def _notes_leniency(full: Floats) -> Iterator[str]:
    if len(full) < 2:
        yield "one problem: whether another would show the same can't be told"


def _together(key: str, found: Sequence[Result], name: str, level: float) -> list[Result]:
    """The measure of that name is one family of tests over the judges; what it shows is said then."""
    done = [one for one in found if isinstance(one, Audit)]
    tested = iter(adjusted([measure_named(one, name) for one in done], level))
    return [_tested(key, one, next(tested), level) if isinstance(one, Audit) else one for one in found]


def _tested(key: str, audit: Audit, one: Measure, level: float) -> Audit:
    """With its test adjusted: too much agreement is no fault, and few items show no leniency."""
    if key == "A1":
        one = replace(one, flagged=one.flagged and (one.value or 0.0) < 0)
    else:
        one = replace(one, flagged=one.flagged and not audit.indicative)
    measures = tuple(one if other.name == one.name else other for other in audit.measures)
    says = _says_agreement(measures, level) if key == "A1" else _says_leniency(one, level)
    return replace(audit, measures=measures, says=tuple(says))


def _way(value: float) -> str:
    return "lenient" if value > 0 else "strict"


def _says_leniency(whole: Measure, level: float) -> Iterator[str]:
    if whole.value is None:
        return
    if whole.flagged:
        yield f"It is too {_way(whole.value)}: {told(whole, level)}."
    elif whole.p_adjusted is not None and whole.p_adjusted < 1 - level:
        few = "by too few items or problems to say so"
        yield f"It seems too {_way(whole.value)}, {few}: {told(whole, level)}."
    else:
        yield f"No evidence of leniency or strictness: {told(whole, level)}."
