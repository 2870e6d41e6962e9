"""Measures of stated confidences against people's marks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from grader.audit.from_archive.labels import problem_sums
from grader.audit.result import Measure, Unit
from grader.audit.shares import share
from grader.stats.agreement.resampling import cluster_bootstrap
from grader.stats.calibration import (
    Ints,
    auroc,
    ece,
    ece_if_calibrated,
    ece_p,
    losses,
    murphy,
    recalibrated,
)
from grader.stats.jackknife import (
    NO_SPREAD,
    Floats,
    Jackknife,
    difference_interval,
    p_value,
    ratio,
    share_interval,
)
from grader.stats.power import detectable

MIN_ECE = 500
"""Marked verdicts below which an ECE says next to nothing: it isn't given."""
AUROC = "AUROC"
ECE = "ECE"
OVERCONFIDENCE = "confidence minus share right"
CHANGE = "change of the Brier score if recalibrated"
CHANCE = 0.5


@dataclass(frozen=True, slots=True)
class Stated:
    """Marked verdicts with a confidence: parallel arrays, and the rows of ``Labels.marked``."""

    confidence: Floats
    right: Floats
    weight: Floats
    problem: Ints
    rows: pd.DataFrame

    @classmethod
    def of(cls, marked: pd.DataFrame) -> Stated:
        """Those of the marked verdicts that state one."""
        rows = marked[marked["confidence"].notna()]
        confidence, right, weight = (rows[name].to_numpy(float) for name in ("confidence", "right", "weight"))
        problem = pd.factorize(rows["problem_id"], sort=True)[0].astype(np.intp)
        return cls(confidence, right, weight, problem, rows)

    @property
    def n(self) -> int:
        """Verdicts."""
        return len(self.confidence)

    @property
    def problems(self) -> int:
        """Problems that they are of."""
        return int(self.problem.max(initial=-1)) + 1

    def mean(self, values: Floats) -> float:
        """Weighted by what each verdict stands for."""
        return float(np.average(values, weights=self.weight))

    def measure(
        self,
        name: str,
        value: float | None,
        unit: Unit,
        ends: tuple[float | None, float | None] = (None, None),
    ) -> Measure:
        """A measure over all of these verdicts."""
        return Measure(name, value, unit, "", *ends, self.n, self.problems)

    def over_problems(self, values: Floats) -> Jackknife:
        """The weighted mean of a number of each verdict."""
        return ratio(*problem_sums(self.rows, self.weight * values, self.weight))


def brier(stated: Stated, bins: Ints, level: float) -> Iterator[Measure]:
    """Brier's score, with an interval of ``level``, and Murphy's parts."""
    parts = murphy(stated.confidence, stated.right, stated.weight, bins)
    found = stated.over_problems(losses(stated.confidence, stated.right))
    yield stated.measure("Brier score", parts.brier, "number", _ends(share_interval(found, level)))
    for name in ("reliability", "resolution", "uncertainty", "within"):
        said = "within bins" if name == "within" else name
        yield stated.measure(f"Brier score: {said}", float(getattr(parts, name)), "number")


def area(stated: Stated, level: float, seed: int) -> Measure:
    """AUROC of confidence against being right, by problem bootstrap."""
    statistic = auroc(stated.confidence, stated.right, stated.weight, stated.problem)
    (found,) = cluster_bootstrap([statistic], np.arange(stated.problems), level=level, seed=seed)
    if found.value is not None and np.ptp(stated.confidence) < NO_SPREAD:
        # one and the same confidence tells nothing, whatever is resampled
        return stated.measure(AUROC, CHANCE, "number", (CHANCE, CHANCE))
    one = stated.measure(AUROC, found.value, "number", (found.low, found.high))
    if found.se is None or found.se < NO_SPREAD:
        return one
    return replace(one, detectable=min(1.0, CHANCE + detectable(found.se, found.problems, level=level)))


def overconfidence(stated: Stated, level: float, *, tested: bool) -> Measure:
    """Mean confidence minus share right; flagged where it differs from 0 and ``tested``."""
    found = stated.over_problems(stated.confidence - stated.right)
    p, se = _known(p_value(found)), _known(found.se)
    one = stated.measure(
        OVERCONFIDENCE, float(found.value), "points", _ends(difference_interval(found, level))
    )
    return replace(
        one,
        p=p,
        detectable=detectable(se, stated.problems, level=level)
        if se is not None and se > NO_SPREAD
        else None,
        flagged=tested and p is not None and p < 1 - level,
    )


def errors(stated: Stated, bins: Ints, level: float, seed: int) -> Iterator[Measure]:
    """The ECE where there are enough verdicts, and always what it would reach if all were well."""
    arrays = (stated.confidence, stated.right, stated.weight, bins)
    null = ece_if_calibrated(stated.confidence, stated.weight, bins, quantile=level, seed=seed)
    one = stated.measure(ECE, None, "share")
    if stated.n >= MIN_ECE:
        value, p = ece(*arrays), ece_p(*arrays, stated.problem, seed=seed)
        # Verdicts of one problem err together, which the simulated ones don't: p has to agree.
        one = replace(one, value=value, p=p, flagged=value > null and p < 1 - level)
    yield one
    yield stated.measure(f"ECE if perfectly calibrated, {100 * level:g} % quantile", null, "share")


def mended(stated: Stated) -> Floats | None:
    """Recalibrated confidences; None of one problem, which has no others to learn from."""
    if stated.problems < 2:
        return None
    return recalibrated(stated.confidence, stated.right, stated.weight, stated.problem)


def change(stated: Stated, after: Floats | None, level: float) -> Iterator[Measure]:
    """What recalibration would do."""
    if after is None:
        return
    found = stated.over_problems(losses(after, stated.right) - losses(stated.confidence, stated.right))
    yield stated.measure(CHANGE, float(found.value), "number", _ends(difference_interval(found, level)))
    moved = stated.mean(np.abs(after - stated.confidence))
    yield stated.measure("mean change of a confidence if recalibrated", moved, "share")


def reliability(stated: Stated, bins: Ints, after: Floats | None, level: float) -> Iterator[Measure]:
    """The table: of each bin the mean confidence, the share right, and the recalibrated confidence."""
    for place in range(int(bins.max()) + 1):
        own = bins == place
        rows = stated.rows[own].assign(hit=stated.right[own])
        ends = sorted({f"{end:.2f}" for end in (stated.confidence[own].min(), stated.confidence[own].max())})
        of = f"confidence {' to '.join(ends)}"
        right = replace(share(rows, "share right", of=of, level=level), detectable=None)
        for name, values in (
            ("mean confidence", stated.confidence),
            ("mean confidence if recalibrated", after),
        ):
            if values is not None:
                mean = float(np.average(values[own], weights=stated.weight[own]))
                yield Measure(name, mean, "share", of, n=right.n, problems=right.problems)
        yield right


def _ends(ends: tuple[Floats, Floats]) -> tuple[float | None, float | None]:
    return _known(ends[0]), _known(ends[1])


def _known(one: Floats | float) -> float | None:
    return None if np.isnan(one) else float(one)
