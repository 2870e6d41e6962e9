"""A judge's agreement with people, beside that of people with each other: the ceiling."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from grader.stats.agreement import additive, coefficients
from grader.stats.agreement.rates import Share, share
from grader.stats.agreement.ratings import Reference
from grader.stats.agreement.resampling import Interval, cluster_bootstrap
from grader.stats.jackknife import Floats

LEAST_ITEMS = 100
LEAST_PROBLEMS = 30
"""Below either an agreement is indicative only."""


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """One judge against what people make of the same items."""

    items: int
    """With a value of the judge and a verdict of people."""
    problems: int
    split: int
    """Further ones with a value of the judge on which people are split: no verdict to agree with."""
    several: int
    """With a value of the judge and of two or more people."""
    prevalence: float | None
    """Mean of people's verdicts on the items with a verdict."""
    equal: Interval
    equal_wilson: Share
    """The same with items as independent."""
    kappa: Interval
    quadratic: Interval
    """Against people's value, which is their mean where they are split."""
    mcc: Interval
    ac1: Interval
    alpha: float | None
    """Krippendorff's for intervals, against people's value."""
    sensitivity: Share
    """Of verdicts 0 and 1: share of people's 1 that the judge gave 1; n 0 where there are others."""
    specificity: Share
    with_people: Interval
    """Kappa with single people, on the items that two or more rated: comparable with ``ceiling``."""
    ceiling: Interval
    """Kappa of these people with each other, on the same items."""
    gap: Interval
    """The former minus the latter, on the same resamples."""

    @property
    def indicative(self) -> bool:
        """Too few items or problems for more."""
        return self.items < LEAST_ITEMS or self.problems < LEAST_PROBLEMS


@dataclass(frozen=True, slots=True)
class PeopleAgreement:
    """People with each other."""

    items: int
    """Rated by two or more."""
    problems: int
    prevalence: float | None
    """Mean value of these items."""
    unanimous: Interval
    """Share of them with one value from all."""
    kappa: Interval
    """Over all pairs of people on an item."""
    fleiss: float | None
    """Of the items that as many rated as any."""
    alpha: Interval
    """Krippendorff's, nominal."""
    alpha_interval: Interval
    ac1: Interval

    @property
    def indicative(self) -> bool:
        """Too few items or problems for more."""
        return self.items < LEAST_ITEMS or self.problems < LEAST_PROBLEMS


def judge_agreement(
    judge: npt.ArrayLike,
    people: Reference,
    crowd: npt.ArrayLike,
    cluster: npt.NDArray[np.intp],
    *,
    level: float = 0.95,
    seed: int = 0,
) -> JudgeAgreement:
    """Of a judge's values [items], nan where it gave none.

    ``crowd`` [items, people] are single people's values and ``cluster`` [items] the problems, which the
    intervals draw (see ``resampling.cluster_bootstrap``).
    """
    given, several = np.asarray(judge, float), np.asarray(crowd, float)
    verdict, value = people.verdict, people.value
    held = ~(np.isnan(given) | np.isnan(verdict))
    one, two = given[held], verdict[held]
    doubly = (~np.isnan(several)).sum(axis=1, keepdims=True) > 1
    several = np.where(doubly & ~np.isnan(given)[:, None], several, np.nan)
    single, ceiling = additive.crowd_kappa(given, several), additive.pair_kappa(several)
    statistics = [
        additive.agreement(given, verdict),
        additive.cohen_kappa(given, verdict),
        additive.quadratic_kappa(given, value),
        additive.mcc(given, verdict),
        additive.gwet_ac1(np.where(held[:, None], np.column_stack([given, verdict]), np.nan)),
        single,
        ceiling,
        single.minus(ceiling),
    ]
    equal, kappa, quadratic, mcc, ac1, with_people, among, gap = cluster_bootstrap(
        statistics, cluster, level=level, seed=seed
    )
    both = ~(np.isnan(given) | np.isnan(value))
    return JudgeAgreement(
        items=len(one),
        problems=len(np.unique(cluster[held])),
        split=int((both & ~held).sum()),
        several=int((~np.isnan(several)).any(axis=1).sum()),
        prevalence=float(two.mean()) if len(two) else None,
        equal=equal,
        equal_wilson=share(int((one == two).sum()), len(one), level=level),
        kappa=replace(kappa, value=coefficients.cohen_kappa(one, two)),
        quadratic=replace(quadratic, value=coefficients.quadratic_kappa(given[both], value[both])),
        mcc=replace(mcc, value=coefficients.mcc(one, two)),
        ac1=replace(ac1, value=coefficients.gwet_ac1(np.column_stack([one, two]))),
        alpha=coefficients.krippendorff_alpha(np.column_stack([given[both], value[both]]), "interval"),
        sensitivity=_hit(one, two, 1.0, level),
        specificity=_hit(one, two, 0.0, level),
        with_people=with_people,
        ceiling=among,
        gap=gap,
    )


def people_agreement(
    crowd: npt.ArrayLike, cluster: npt.NDArray[np.intp], *, level: float = 0.95, seed: int = 0
) -> PeopleAgreement | None:
    """Of people's values [items, people], nan for nobody; None where no item was rated by two."""
    matrix = np.asarray(crowd, float)
    people = (~np.isnan(matrix)).sum(axis=1)
    held = people > 1
    if not held.any():
        return None
    matrix, cluster, people = matrix[held], cluster[held], people[held]
    unanimous = np.nanmax(matrix, axis=1) == np.nanmin(matrix, axis=1)
    statistics = [
        additive.ratio(unanimous.astype(float)),
        additive.pair_kappa(matrix),
        additive.krippendorff_alpha(matrix),
        additive.krippendorff_alpha(matrix, "interval"),
        additive.gwet_ac1(matrix),
    ]
    equal, kappa, alpha, by_interval, ac1 = cluster_bootstrap(statistics, cluster, level=level, seed=seed)
    return PeopleAgreement(
        items=len(matrix),
        problems=len(np.unique(cluster)),
        prevalence=float(np.nanmean(matrix, axis=1).mean()),
        unanimous=equal,
        kappa=kappa,
        fleiss=coefficients.fleiss_kappa(matrix[people == people.max()]),
        alpha=replace(alpha, value=coefficients.krippendorff_alpha(matrix)),
        alpha_interval=replace(by_interval, value=coefficients.krippendorff_alpha(matrix, "interval")),
        ac1=replace(ac1, value=coefficients.gwet_ac1(matrix)),
    )


def _hit(judge: Floats, people: Floats, verdict: float, level: float) -> Share:
    """How often the judge gave what people gave, where that was ``verdict``."""
    if not np.isin(np.concatenate([judge, people]), (0.0, 1.0)).all():
        return Share(0, 0, None, None, None)
    held = people == verdict
    return share(int((judge[held] == verdict).sum()), int(held.sum()), level=level)
