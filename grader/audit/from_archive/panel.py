"""A14: whether the judges of a panel err apart from each other, and what their majority is worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from grader.audit.from_archive.labels import labels, what_to_do
from grader.audit.from_archive.voting import Voting, voting
from grader.audit.result import Audit, Measure, NotAudited
from grader.audit.shares import coefficient, difference, share
from grader.audit.words import number
from grader.render.words import counted
from grader.stats.agreement.additive import krippendorff_alpha, pearson
from grader.stats.agreement.dawid_skene import dawid_skene
from grader.stats.agreement.resampling import Additive, Interval, cluster_bootstrap, mean_of
from grader.stats.jackknife import Floats

if TYPE_CHECKING:
    from grader.stats.checked import Checked

ID = "A14"
LEAST_JUDGES, LEAST_POINTS = 3, 200
LEAST_SAME = 10
"""Problems from which on a correlation of exactly 1 counts as evidence."""
_SAME = 1e-9
_PLACE = ["response", "sub_id", "point_id"]


def panel(checked: Checked, judge: str, *, level: float = 0.95, seed: int = 0) -> Audit | NotAudited:
    """How much the several voters of ``judge`` (``<card>@<hash>``) know together.

    Against people's random marks: the correlation of errors of each pair (weighted, interval by
    bootstrap of problems), the effective number of judges k / (1 + (k - 1) r), the
    error rate of the majority minus that of the best single judge. Without
    people: Krippendorff's alpha of the awards, and Dawid and Skene's accuracies.
    """
    votes = voting(checked.source, judge) if judge != "formal" else None
    if votes is None or len(votes.members) < 2:
        why = "it is a single judge, no panel" if votes is not None else "code is no panel"
        return NotAudited(ID, judge, why, "Name a card with a panel of several judges.")
    found = labels(checked, judge)
    settled = found.marked[["human_not_met", "human_partial", "human_met"]].max(axis=1) == 1
    people = found.marked[settled][[*_PLACE, "human", "weight"]]
    measures, notes = measured(votes, people, level=level, seed=seed)
    marked = max((one.n for one in measures if one.name == "error rate of the majority"), default=0)
    if not marked:
        notes += (f"no error can be told without people's marks. {what_to_do(found, judge, LEAST_POINTS)}",)
    return Audit(
        ID,
        judge,
        measures,
        says=tuple(_says(measures)),
        notes=notes,
        level=level,
        indicative=len(votes.members) < LEAST_JUDGES or marked < LEAST_POINTS,
    )


def measured(
    votes: Voting, people: pd.DataFrame, *, level: float, seed: int
) -> tuple[tuple[Measure, ...], tuple[str, ...]]:
    """Measures and notes; ``people``: of marked points the place, ``human`` and ``weight``."""
    marks = votes.points.merge(people, on=_PLACE, how="left", validate="one_to_one")
    human, weight = marks["human"].to_numpy(float), marks["weight"].to_numpy(float)
    errors = np.where(
        np.isnan(votes.first) | np.isnan(human)[:, None], np.nan, _differ(votes.first, human[:, None])
    )
    cluster = pd.factorize(votes.points["problem_id"], sort=True)[0].astype(np.intp)
    names = [_short(one) for one in votes.members]
    pairs = list(combinations(range(len(names)), 2))
    together = [_correlation(errors[:, one], errors[:, other], weight) for one, other in pairs]
    alpha = krippendorff_alpha(votes.first, "interval")
    *found, agreeing = cluster_bootstrap([*together, alpha], cluster, level=level, seed=seed)
    known = [one for one, interval in zip(together, found, strict=True) if interval.value is not None]
    (mean,) = cluster_bootstrap([mean_of(known or together)], cluster, level=level, seed=seed)
    marked = int((~np.isnan(errors)).any(axis=1).sum())
    measures = [
        *_correlations(names, pairs, found, errors, level),
        _mean(mean, marked, level),
        _effective(mean, len(names), marked),
        *_error_rates(marks, errors, names, level),
        coefficient("Krippendorff's alpha (interval)", agreeing, n=len(votes.first), level=level),
        *_diagnostic(votes, names),
    ]
    return tuple(measures), tuple(_notes(votes, found, measures))


def _differ(awards: Floats, human: Floats) -> Floats:
    with np.errstate(invalid="ignore"):
        return (np.abs(awards - human) > _SAME).astype(float)


def _short(member: str) -> str:
    return member.partition("@")[0]


def _correlation(first: Floats, second: Floats, weight: Floats) -> Additive:
    """Pearson's correlation of two voters' errors, weighted: of 0 and 1, so it is phi."""
    found = pearson(first, second)
    return Additive(found.parts * np.nan_to_num(weight)[:, None], found.of)


def _correlations(
    names: Sequence[str],
    pairs: Sequence[tuple[int, int]],
    found: Sequence[Interval],
    errors: Floats,
    level: float,
) -> Iterator[Measure]:
    for (one, other), interval in zip(pairs, found, strict=True):
        n = int((~np.isnan(errors[:, [one, other]])).all(axis=1).sum())
        of = f"{names[one]} and {names[other]}"
        yield coefficient("error correlation", interval, of=of, n=n, level=level)


def _mean(found: Interval, n: int, level: float) -> Measure:
    measure = coefficient("error correlation", found, of="mean of pairs", n=n, level=level)
    # of the very same errors in every problem no resample differs, and there is no interval
    same = found.value is not None and found.value > 1 - _SAME and found.problems >= LEAST_SAME
    return replace(measure, flagged=same or (measure.low is not None and measure.low > 0))


def _effective(mean: Interval, judges: int, n: int) -> Measure:
    """k / (1 + (k - 1) r): as many judges that err apart would be as good; no more than there are."""

    def of(r: float | None) -> float | None:
        return None if r is None else judges / (1 + (judges - 1) * max(r, 0.0))

    name = f"effective number of the {judges} judges"
    return Measure(name, of(mean.value), "number", "", of(mean.high), of(mean.low), n, mean.problems)


def _error_rates(
    marks: pd.DataFrame, errors: Floats, names: Sequence[str], level: float
) -> Iterator[Measure]:
    """Of each judge in the first round, of the majority, and of the majority against the best."""
    wrong = np.abs(marks["majority"] - marks["human"]) > _SAME
    decided = marks["majority"].notna() & marks["human"].notna()
    majority = marks.assign(hit=wrong)
    each = [(marks.assign(hit=errors[:, place]), ~np.isnan(errors[:, place])) for place in range(len(names))]
    singles = [
        share(rows[known], "error rate", of=name, level=level)
        for (rows, known), name in zip(each, names, strict=True)
    ]
    yield from singles
    yield share(majority[decided], "error rate of the majority", level=level)
    rated = [(one.value, place) for place, one in enumerate(singles) if one.value is not None]
    if not rated:
        return
    _, best = min(rated)
    rows, known = each[best]
    both = known & decided.to_numpy(bool)
    name, of = "error rate of the majority minus the best judge's", names[best]
    found = difference(majority[both], rows[both], name, of=of, paired=True, level=level)
    yield replace(found, n=int(both.sum()), flagged=found.low is not None and found.low > 0)


def _diagnostic(votes: Voting, names: Sequence[str]) -> Iterator[Measure]:
    every = votes.every
    said = np.where(every < _SAME, 0.0, np.where(every > 1 - _SAME, 2.0, 1.0))
    said[np.isnan(every)] = np.nan
    fitted = dawid_skene(said)
    if fitted is None:
        return
    for place, name in enumerate(names):
        n = int((~np.isnan(said[:, place])).sum())
        yield Measure("accuracy by Dawid and Skene", float(fitted.accuracy[place]), "share", name, n=n)


def _says(measures: Sequence[Measure]) -> Iterator[str]:
    by_name = {(one.name, one.of): one for one in measures}
    mean = by_name["error correlation", "mean of pairs"]
    effective = next(one for one in measures if one.name.startswith("effective"))
    if mean.flagged and mean.value is not None and effective.value is not None:
        yield (
            f"The judges err on the same points (correlation {mean.value:.2f}): they are worth "
            f"{effective.value:.1f} that err apart."
        )
    for one in measures:
        if one.flagged and one.unit == "points" and one.value is not None:
            more = number(one.value, one).lstrip("+")
            yield f"The majority errs more often than {one.of} alone, by {more}."


def _notes(votes: Voting, found: Sequence[Interval], measures: Sequence[Measure]) -> Iterator[str]:
    yield (
        "errors and agreement are those of the first round of votes: further ones are cast only where the "
        "first differ, so they come from the hard points"
    )
    if any(one.value is None for one in found):
        yield "a correlation can't be given where a judge of the pair never errs on what people marked"
    if any(one.name.endswith("best judge's") for one in measures):
        yield "the best judge is picked by the same marks, so it looks better than it is"
    yield (
        "accuracy by Dawid and Skene takes judges to err apart from each other: a diagnostic, too good where "
        "they err together"
    )
    undetermined = int(votes.points["majority"].isna().sum())
    if undetermined:
        yield f"{counted(undetermined, 'point')} without a majority are in no error rate"
