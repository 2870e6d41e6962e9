"""Measures of a judge's routing: what is wrong among accepted verdicts, and what people catch of the rest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from grader.audit.from_archive.labels import Labels
from grader.audit.result import Measure
from grader.audit.shares import exact, upper_bound
from grader.stats.agreement.additive import ratio
from grader.stats.agreement.resampling import Additive, cluster_bootstrap
from grader.stats.checked.columns import PLACE
from grader.stats.jackknife import NO_SPREAD, Floats
from grader.stats.power import detectable

ACCEPTED = "error rate of accepted verdicts"
DOUBTED = "error rate of doubted verdicts"
UNROUTED = "error rate of all verdicts"
SENT = "share sent to people"
CAUGHT = "share of errors caught"
ABOVE_CHANCE = "errors caught beyond a random choice"
MOST_THRESHOLDS = 20
"""More confidences than this are thinned out to as many."""
_COST = "points looked at per caught error"
_POWER = 0.8

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Routed:
    """A judge's points, and the marked ones among its verdicts: two sets of parallel arrays."""

    asked: pd.DataFrame
    decided: Flags
    """[asked]."""
    accepts: Flags
    """[asked], decided and not doubted."""
    marked: pd.DataFrame
    wrong: Floats
    """[marked], the share of people who gave another award."""
    weight: Floats
    accepted: Flags
    """[marked]."""

    @classmethod
    def of(cls, found: Labels) -> Routed:
        """From random marks on a judge."""
        decided = found.asked.index.isin(found.decided.index)
        return cls(
            found.asked,
            decided,
            decided & ~found.asked["doubted"].to_numpy(bool),
            found.marked,
            1 - found.marked["right"].to_numpy(float),
            found.marked["weight"].to_numpy(float),
            ~found.marked["doubted"].to_numpy(bool),
        )

    @property
    def blind(self) -> bool:
        """Whether decisions are doubted and none of them is marked at random: nothing is known of them."""
        return bool(self.accepted.all() and (self.decided & ~self.accepts).any())

    @property
    def sent(self) -> float:
        """Share of the points that people get to see: doubted and undetermined ones."""
        return float((~self.accepts).mean())

    def error(self, rows: Flags) -> tuple[float, float, float]:
        """Of some marked verdicts: error rate, effective number of errors, effective number of verdicts."""
        weight = self.weight[rows]
        rate = float((weight * self.wrong[rows]).sum() / weight.sum())
        # Kish's; of equal weights the count itself, so that the bounds are exact
        n = float(weight.sum() ** 2 / (weight**2).sum())
        return rate, rate * n, n


def accepted_error(routed: Routed, level: float) -> Measure:
    """The error rate of what nobody looks at, with its one-sided upper bound."""
    return _bounded(routed, routed.accepted, "", level)


def unrouted_error(routed: Routed, level: float) -> Iterator[Measure]:
    """What would be wrong if nothing were sent to people."""
    if routed.blind:
        yield Measure(UNROUTED, None, "share")
        return
    yield _with_interval(UNROUTED, routed, np.ones(len(routed.wrong), bool), level)


def doubted_error(routed: Routed, level: float) -> Iterator[Measure]:
    """What is wrong among verdicts that are sent; nothing where none of them is marked at random."""
    if not routed.accepted.all():
        yield _with_interval(DOUBTED, routed, ~routed.accepted, level)


def caught(routed: Routed, level: float, seed: int) -> Iterator[Measure]:
    """Share of points sent, share of all errors among them, and by how much more than by chance."""
    yield Measure(SENT, routed.sent, "share", n=len(routed.asked))
    if routed.blind:
        yield Measure(CAUGHT, None, "share")
        return
    errors = routed.weight * routed.wrong
    of_errors = ratio(errors * ~routed.accepted, errors)
    of_decided = ratio(routed.weight * ~routed.accepted, routed.weight)
    problem = pd.factorize(routed.marked["problem_id"], sort=True)[0].astype(np.intp)
    statistics: list[Additive] = [of_errors, of_errors.minus(of_decided)]
    share, above = cluster_bootstrap(statistics, problem, level=level, seed=seed)
    size = len(routed.wrong)
    for name, one in ((CAUGHT, share), (ABOVE_CHANCE, above)):
        unit: Literal["share", "points"] = "share" if name == CAUGHT else "points"
        known = name == ABOVE_CHANCE and one.se is not None and one.se > NO_SPREAD
        least = detectable(one.se or 0.0, one.problems, level=level) if known else None
        ends = (one.low, one.high)
        yield Measure(name, one.value, unit, "", *ends, size, one.problems, detectable=least)


def costs(routed: Routed, ratings: pd.DataFrame, level: float) -> Iterator[Measure]:
    """Points that people look at for each error that they catch, and the time it takes them."""
    doubted = ~routed.accepted
    if not doubted.any():
        return
    sent, decided = int((~routed.accepts).sum()), int((routed.decided & ~routed.accepts).sum())
    rate, hits, n = routed.error(doubted)

    def cost(share: float) -> float | None:
        return sent / (decided * share) if share > 0 else None

    (low, high), rows = exact(hits, n, level), int(doubted.sum())
    looked = Measure(_COST, cost(rate), "number", "", cost(high), cost(low), rows)
    yield looked
    seconds = _seconds(routed, ratings)
    if seconds is not None:
        timed = [None if one is None else one * seconds for one in (looked.value, looked.low, looked.high)]
        yield Measure("time per caught error", timed[0], "seconds", "", timed[1], timed[2], rows)


def at_thresholds(routed: Routed, level: float) -> Iterator[Measure]:
    """Risk against coverage: for every confidence, what is wrong if only that and more were accepted."""
    everybody = np.where(routed.decided, routed.asked["confidence"].to_numpy(float), np.nan)
    stated = routed.marked["confidence"].to_numpy(float)
    for least in _thresholds(everybody[~np.isnan(everybody)]):
        of, rows = f"confidence at least {least:.3g}", stated >= least
        yield Measure(SENT, float((~(everybody >= least)).mean()), "share", of, n=len(everybody))
        unknown = routed.blind and bool((everybody[~routed.accepts] >= least).any())
        if rows.any() and not unknown:
            yield _bounded(routed, rows, of, level)
        else:
            yield Measure(ACCEPTED, None, "share", of)


def _thresholds(confidences: Floats) -> Floats:
    values = np.unique(confidences)
    if len(values) > MOST_THRESHOLDS:
        values = np.unique(np.quantile(confidences, np.linspace(0, 1, MOST_THRESHOLDS), method="lower"))
    return values


def _bounded(routed: Routed, rows: Flags, of: str, level: float) -> Measure:
    rate, hits, n = routed.error(rows)
    problems = int(routed.marked["problem_id"][rows].nunique())
    high, least = upper_bound(hits, n, 1 - level), 1 - (1 - _POWER) ** (1 / n)
    return Measure(ACCEPTED, rate, "share", of, None, high, int(rows.sum()), problems, detectable=least)


def _with_interval(name: str, routed: Routed, rows: Flags, level: float) -> Measure:
    rate, hits, n = routed.error(rows)
    problems = int(routed.marked["problem_id"][rows].nunique())
    return Measure(name, rate, "share", "", *exact(hits, n, level), int(rows.sum()), problems)


def _seconds(routed: Routed, ratings: pd.DataFrame) -> float | None:
    """The mean time of a mark on this judge's points; None where none was timed."""
    own = pd.MultiIndex.from_frame(ratings[PLACE]).isin(pd.MultiIndex.from_frame(routed.asked[PLACE]))
    timed = ratings.loc[own & (ratings["seconds"] > 0), "seconds"]
    return float(timed.mean()) if len(timed) else None
