"""A1 of code: how often the formal track is wrong, by its own random sample of people's marks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pandas as pd

from grader.audit.from_archive.labels import FORMAL, Labels, labels, what_to_do
from grader.audit.result import Audit, Case, Measure, NotAudited
from grader.audit.shares import lower_bound, upper_bound
from grader.audit.words import percent
from grader.render.words import counted, listed
from grader.stats.multiple import holm

if TYPE_CHECKING:
    from grader.stats.checked import Checked

ID = "A1"
TOLERATED = 0.02
"""Error rate of a check kind above which, surely, it is said to err: people err too, now and then."""
LEAST, LEAST_PROBLEMS = 100, 30
ENOUGH = 59
"""Marks without an error from which on less than 5 % can be said with 95 % confidence: 1 - 0.05^(1/59)."""

ERRORS = "error rate of code"
_POWER = 0.8
_HALF = 0.5


def formal_track(
    checked: Checked, judge: str = FORMAL, *, level: float = 0.95, seed: int = 0
) -> Audit | NotAudited:
    """The share of code's decisions that people mark otherwise, over all and by check kind.

    Marks count that people gave at random: code's stratum of the spot check, each weighing
    what it stands for. Upper bounds are one-sided, of Clopper and Pearson (1934): with no error among n
    marks 1 - alpha^(1/n); with unequal weights of the effective n (sum w)^2 / sum w^2
    (Korn and Graubard 1998). A kind is flagged where an exact binomial test says,
    adjusted by Holm over kinds, that it errs on more than 2 %. Each disagreement is a case.
    """
    if judge != FORMAL:
        why = "this audit is of code; a judge's agreement with people is an audit of its own"
        return NotAudited(ID, judge, why, "Ask for it with the judge 'formal'.")
    found = labels(checked, FORMAL)
    if not len(found.marked):
        why = "people have marked no random sample of what code decided"
        return NotAudited(ID, judge, why, what_to_do(found, FORMAL, ENOUGH))
    marked = found.marked.assign(error=1 - found.marked["right"], decider=_deciders(found.marked))
    kinds = [_rated(rows, f"kind {name}", level) for name, rows in marked.groupby("decider", sort=True)]
    measures = [_rated(marked, "", level).measure, *_flagged(kinds, level)]
    return Audit(
        ID,
        judge,
        tuple(measures),
        says=tuple(_says(measures, level)),
        notes=tuple(_notes(found, marked)),
        cases=tuple(_cases(marked)),
        level=level,
        indicative=len(marked) < LEAST or found.problems < LEAST_PROBLEMS,
    )


def _deciders(points: pd.DataFrame) -> pd.Series:
    """The check's kind, apart where a judge showed code where to look; of blank answers ``no_answer``."""
    kind = points["by"].astype(str).str.extract(r"^formal:(.+)@", expand=False)
    return kind + points["track"].map({"located": ", located"}).fillna("").astype(str)


@dataclass(frozen=True, slots=True)
class _Rated:
    measure: Measure
    p: float
    """Of no more errors than are tolerated."""


def _rated(rows: pd.DataFrame, of: str, level: float) -> _Rated:
    weight, error = rows["weight"].to_numpy(float), rows["error"].to_numpy(float)
    value = float((weight * error).sum() / weight.sum())
    n = float(weight.sum() ** 2 / (weight**2).sum())
    hits, alpha = value * n, 1 - level
    low = lower_bound(hits, n, alpha) if hits > 0 else None
    measure = Measure(
        *(ERRORS, value, "share", of, None, upper_bound(hits, n, alpha)),
        n=len(rows),
        problems=int(rows["problem_id"].nunique()),
        detectable=1 - (1 - _POWER) ** (1 / n),
        flagged=low is not None and low > TOLERATED,
    )
    return _Rated(measure, _more_than_tolerated(hits, n))


def _more_than_tolerated(hits: float, n: float) -> float:
    """P(at least as many errors among n) if code errs on as many as are tolerated; 1 without an error."""
    from scipy.special import betainc

    # the binomial's upper tail, for effective numbers that aren't whole too
    return 1.0 if hits <= 0 else float(betainc(hits, n - hits + 1, TOLERATED))


def _flagged(kinds: list[_Rated], level: float) -> Iterator[Measure]:
    for one, p in zip(kinds, holm([one.p for one in kinds]), strict=True):
        yield replace(one.measure, p=one.p, p_adjusted=p, flagged=p is not None and p < 1 - level)


def _says(measures: list[Measure], level: float) -> Iterator[str]:
    overall, *kinds = measures
    assert overall.value is not None
    assert overall.high is not None
    for one in kinds:
        if one.flagged and one.value is not None:
            yield f"Code errs on {percent(one.value)} of the points of {one.of} ({one.n} marked)."
    yield (
        f"People contradict {percent(overall.value)} of {overall.n} decisions of code drawn at random: it "
        f"errs on at most {percent(overall.high)} with {100 * level:g} % confidence."
    )


def _notes(found: Labels, marked: pd.DataFrame) -> Iterator[str]:
    yield "the bounds take points to err apart from each other; a check that is wrong errs on many at once"
    yield "a disagreement may be a person's error: look at the cases"
    unseen = sorted(set(_deciders(found.decided)) - set(marked["decider"]))
    if unseen:
        yield f"nothing is said of {listed(unseen, most=10)}: no mark"
    small = marked.groupby("decider").size()
    few = [str(name) for name, count in small.items() if count < ENOUGH]
    if few:
        yield (
            f"fewer than {ENOUGH} marks on {listed(few, most=10)}: even without an error nobody could say "
            "that less than 5 % are wrong"
        )
    if found.waiting:
        yield f"{counted(found.waiting, 'drawn point')} of code's await marks"
    yield from found.notes


def _cases(marked: pd.DataFrame) -> Iterator[Case]:
    for one in marked[marked["error"] > 0].itertuples():
        where = f"{one.problem_id}/{one.sub_id}/{one.point_id}, {str(one.response)[:12]}"
        split = " (people differ)" if one.error != 1 else ""
        yield Case(where, f"{one.by}: {one.award:g}; people: {one.human:g}{split}")
