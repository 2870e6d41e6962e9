"""What was found on imported marks, as measures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from grader.audit.result import Audit, Measure, Unit
from grader.audit.words import bracket, number
from grader.stats.agreement import additive
from grader.stats.agreement.agreement import JudgeAgreement, PeopleAgreement
from grader.stats.agreement.dawid_skene import dawid_skene
from grader.stats.agreement.panel import Panel
from grader.stats.agreement.rates import Share
from grader.stats.agreement.ratings import Ratings
from grader.stats.agreement.repeats import Repeats
from grader.stats.agreement.resampling import Interval, cluster_bootstrap, cluster_sums
from grader.stats.calibration import ece, losses, width_bins
from grader.stats.jackknife import NO_SPREAD, Floats, difference_interval, p_value, ratio
from grader.stats.power import detectable

GAP = "kappa with single people minus people's"
MOST_NAMED = 6
"""People up to whom pairs with each of them are listed one by one."""
MOST_PEOPLE = 12
"""People up to whom the severity of each is listed."""


def measure(name: str, one: Interval, unit: Unit = "correlation", *, of: str = "", n: int = 0) -> Measure:
    """An interval over problems as a measure."""
    return Measure(name, one.value, unit, of, one.low, one.high, n, one.problems)


def difference_measure(name: str, gained: Floats, full: Floats, level: float, *, of: str = "") -> Measure:
    """A mean difference of credit from sums and counts by problem: delete-one-problem jackknife."""
    found = ratio(gained, full)
    problems, items = len(full), int(full.sum())
    if problems < 2:
        return Measure(name, float(found.value), "points", of, n=items, problems=problems)
    low, high = difference_interval(found, level)
    se = float(found.se)
    return Measure(
        name,
        float(found.value),
        "points",
        of,
        float(low),
        float(high),
        items,
        problems,
        float(p_value(found)),
        detectable=detectable(se, problems, level=level) if se > NO_SPREAD else None,
    )


def measure_named(audit: Audit, name: str) -> Measure:
    """A measure by its name; one without a value where the audit hasn't it."""
    return next((one for one in audit.measures if one.name == name), Measure(name, None, "number"))


def told(one: Measure, level: float) -> str:
    """A measure in a sentence."""
    return "undefined" if one.value is None else f"{number(one.value, one)} {bracket(one, level)}"


def coefficient_measures(found: JudgeAgreement) -> Iterator[Measure]:
    """Of one judge's agreement with people."""
    n = found.items
    yield measure("kappa", found.kappa, n=n)
    yield measure("quadratic kappa", found.quadratic, n=n + found.split)
    yield measure("MCC", found.mcc, n=n)
    yield measure("AC1", found.ac1, n=n)
    yield Measure("alpha, interval", found.alpha, "correlation", n=n + found.split)
    yield measure("same verdict", found.equal, "share", n=n)
    yield _share("same verdict, items as independent", found.equal_wilson)
    yield _share("sensitivity", found.sensitivity)
    yield _share("specificity", found.specificity)
    yield Measure("people's mean", found.prevalence, "share", n=n, problems=found.problems)
    yield measure("kappa with single people", found.with_people, n=found.several)
    yield measure("kappa of people with each other", found.ceiling, n=found.several)
    yield _gap(found.gap, found.several)


def person_measures(ratings: Ratings, judge: Floats, *, level: float, seed: int) -> Iterator[Measure]:
    """A judge's kappa [items] with each person, where they are few."""
    if len(ratings.people) > MOST_NAMED:
        return
    given = {name: ratings.person(name) for name in ratings.people}
    kappas = [additive.cohen_kappa(judge, values) for values in given.values()]
    intervals = cluster_bootstrap(kappas, ratings.cluster, level=level, seed=seed)
    for (name, values), interval in zip(given.items(), intervals, strict=True):
        both = int((~np.isnan(judge + values)).sum())
        yield measure("kappa", interval, of=f"with {name}", n=both)


def _gap(one: Interval, items: int) -> Measure:
    """How far a judge is from the ceiling: Student's t with the standard error of the resamples."""
    least = p = None
    if one.value is not None and one.se is not None and one.se > NO_SPREAD:
        from scipy.special import stdtr

        least = detectable(one.se, one.problems, level=one.level)
        p = float(2 * stdtr(one.problems - 1, -abs(one.value) / one.se))
    return Measure(
        GAP,
        one.value,
        "correlation",
        low=one.low,
        high=one.high,
        n=items,
        problems=one.problems,
        p=p,
        detectable=least,
    )


def _share(name: str, one: Share) -> Measure:
    return Measure(name, one.value, "share", low=one.low, high=one.high, n=one.n)


def repeat_measures(found: Repeats, values: Floats, verdict: Floats) -> Iterator[Measure]:
    """Of repeats [items, runs], and of their share as a probability against people's verdict."""
    n, full = found.items, found.items - found.incomplete
    yield measure("same outcome in all repeats", found.all_equal, "share", n=n)
    yield Measure("the same, items without a gap", found.complete_equal, "share", n=full)
    yield measure("Fleiss' kappa of repeats", found.fleiss, n=full)
    yield Measure("alpha of repeats", found.alpha, "correlation", n=full)
    yield measure("SD of credit within an item", found.sd, "number", n=n)
    yield measure("entropy of outcomes, bits", found.entropy, "number", n=n)
    yield Measure("repeats that gave nothing", found.missing, "count", n=n * found.runs)
    known = np.isin(verdict, (0.0, 1.0)) & np.isin(values, (0.0, 1.0)).all(axis=1)
    if known.any():
        met, truth = values[known].mean(axis=1), verdict[known]
        right = ((met > 0.5) == (truth > 0.5)).astype(float)
        brier, sure = float(losses(met, truth).mean()), np.maximum(met, 1 - met)
        yield Measure("Brier score of the share of repeats", brier, "number", n=int(known.sum()))
        error = ece(sure, right, np.ones(len(sure)), width_bins(sure))
        yield Measure("calibration error of the majority's share", error, "share", n=int(known.sum()))


def panel_measures(found: Panel, judges: Sequence[str], votes: Floats) -> Iterator[Measure]:
    """Of the judges together, the correlation of errors first."""
    n = found.items
    yield measure("correlation of errors, mean of pairs", found.mean_correlation, n=n)
    for said, (one, two) in _extremes(found.correlation):
        pair = f"{said}: {judges[one]} and {judges[two]}"
        value = float(found.correlation[one, two])
        yield Measure("correlation of errors", value, "correlation", pair, n=n, problems=found.problems)
    yield Measure("pairs without a correlation", found.undefined_pairs, "count")
    yield Measure("effective number of judges", found.effective, "number", n=n, problems=found.problems)
    yield Measure("alpha of judges", found.alpha, "correlation", n=n, problems=found.problems)
    yield measure("same verdict as people, majority", found.majority, "share", n=n)
    best = max(range(len(judges)), key=lambda place: found.accuracy[place].value or 0.0)
    yield measure("same verdict as people, best judge", found.accuracy[best], "share", of=judges[best], n=n)
    yield measure("majority minus best judge", found.gain, "points", n=n)
    model = dawid_skene(votes) if len(judges) > 2 else None  # of two raters it can't be told who errs
    if model is not None:
        for name, accuracy in zip(judges, model.accuracy, strict=True):
            yield Measure("accuracy after Dawid and Skene", float(accuracy), "share", name, n=len(votes))


def _extremes(correlation: Floats) -> Iterator[tuple[str, tuple[int, int]]]:
    """The pairs that go together most and least."""
    pairs = [pair for pair in combinations(range(len(correlation)), 2) if not np.isnan(correlation[pair])]
    if len(pairs) > 1:
        yield "highest", max(pairs, key=lambda pair: correlation[pair])
        yield "lowest", min(pairs, key=lambda pair: correlation[pair])


def people_measures(
    found: PeopleAgreement, ratings: Ratings, *, level: float, seed: int
) -> Iterator[Measure]:
    """Of people together, and of every two of them where they are few."""
    n = found.items
    yield measure("kappa over pairs of people", found.kappa, n=n)
    yield Measure("Fleiss' kappa", found.fleiss, "correlation", n=n, problems=found.problems)
    yield measure("alpha, nominal", found.alpha, n=n)
    yield measure("alpha, interval", found.alpha_interval, n=n)
    yield measure("AC1", found.ac1, n=n)
    yield measure("all of one mind", found.unanimous, "share", n=n)
    yield Measure("people's mean", found.prevalence, "share", n=n, problems=found.problems)
    if len(ratings.people) > MOST_NAMED:
        return
    pairs = list(combinations(ratings.people, 2))
    given = {name: ratings.person(name) for name in ratings.people}
    kappas = [additive.cohen_kappa(given[one], given[two]) for one, two in pairs]
    intervals = cluster_bootstrap(kappas, ratings.cluster, level=level, seed=seed)
    for (one, two), interval in zip(pairs, intervals, strict=True):
        both = int((~np.isnan(given[one] + given[two])).sum())
        if both:
            yield measure("kappa", interval, of=f"{one} and {two}", n=both)


def severity_measures(ratings: Ratings) -> Iterator[tuple[str, tuple[str, Floats, Floats]]]:
    """Of each person where they are few: own value minus the others' mean, its sums and counts by problem."""
    if not 1 < len(ratings.people) <= MOST_PEOPLE:
        return
    given = np.stack([ratings.person(name) for name in ratings.people], axis=1)
    known = ~np.isnan(given)
    others = known.sum(axis=1, keepdims=True) - known
    total = np.nansum(given, axis=1, keepdims=True) - np.where(known, given, 0.0)
    apart = given - total / np.where(others > 0, others, np.nan)
    for place, name in enumerate(ratings.people):
        held = ~np.isnan(apart[:, place])
        if not held.any():
            continue
        values = apart[held, place]
        _, cluster = np.unique(ratings.cluster[held], return_inverse=True)
        gained, full = cluster_sums(np.stack([values, np.ones_like(values)], axis=1), cluster).T
        yield name, ("value minus the others' mean", gained, full)
