"""Whether stated confidences are the shares of right verdicts: scores of pairs of confidence and outcome.

Arrays are parallel [verdicts]: ``confidence`` in [0, 1]; ``right`` in [0, 1], between the ends where people
differ; ``weight``, what each stands for. Brier's score is split as Murphy (1973) does; what differs within
a bin is a part of its own (Stephenson, Coelho and Jolliffe 2008), 0 where bins hold one confidence each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from grader.stats.agreement.resampling import Additive, cluster_sums
from grader.stats.jackknife import Floats

Ints = npt.NDArray[np.intp]

BINS = 10
SIMULATIONS = 2000
FOLDS = 5
DUST = 12
"""Digits beyond which a difference of sums is rounding."""
AT_ONCE = 4_000_000
"""Numbers that are drawn together: 32 MB."""


@dataclass(frozen=True, slots=True)
class Murphy:
    """Brier's score and what it is made of: reliability - resolution + uncertainty + within."""

    brier: float
    reliability: float
    """Mean squared distance of confidence and share right: 0 if calibrated."""
    resolution: float
    """How far the shares right of the bins lie apart: more is better."""
    uncertainty: float
    """Of the outcome: right (1 - right)."""
    within: float


def losses(confidence: Floats, right: Floats) -> Floats:
    """Brier's loss of each verdict; where people differ its mean over them."""
    found: Floats = right * (1 - confidence) ** 2 + (1 - right) * confidence**2
    return found


def equal_bins(confidence: Floats, count: int = BINS) -> Ints:
    """The bin of each verdict, at most ``count`` of about equal size; equal confidences share one."""
    _, code, sizes = np.unique(confidence, return_inverse=True, return_counts=True)
    middle = np.cumsum(sizes) - sizes / 2
    place = np.floor(middle / len(confidence) * count).astype(np.intp)
    return np.unique(place, return_inverse=True)[1][code]


def width_bins(confidence: Floats, count: int = BINS) -> Ints:
    """The bin of each verdict, of equal width on [0, 1] and closed on the right (Guo et al. 2017)."""
    return np.clip(np.ceil(confidence * count).astype(np.intp) - 1, 0, count - 1)


def murphy(confidence: Floats, right: Floats, weight: Floats, bins: Ints) -> Murphy:
    """Brier's score and its parts over these bins."""
    size, stated, hit = _by_bin(bins, weight, weight * confidence, weight * right)
    whole, mean = size.sum(), hit.sum() / size.sum()
    reliability = float((size * ((stated - hit) / size) ** 2).sum() / whole)
    resolution = float((size * (hit / size - mean) ** 2).sum() / whole)
    uncertainty = float(mean * (1 - mean))
    brier = float((weight * losses(confidence, right)).sum() / whole)
    within = round(brier - reliability + resolution - uncertainty, DUST) + 0.0  # no minus zero
    return Murphy(brier, reliability, resolution, uncertainty, within)


def ece(confidence: Floats, right: Floats, weight: Floats, bins: Ints) -> float:
    """Expected calibration error: mean distance of confidence and share right over bins (Naeini 2015)."""
    apart = _by_bin(bins, weight * (confidence - right))[0]
    return float(np.abs(apart).sum() / weight.sum())


def ece_if_calibrated(
    confidence: Floats,
    weight: Floats,
    bins: Ints,
    *,
    quantile: float = 0.95,
    simulations: int = SIMULATIONS,
    seed: int = 0,
) -> float:
    """A quantile of the ECE where each verdict is right with just the probability that is stated.

    Verdicts are simulated independently of each other, with these confidences, weights and bins.
    """
    rng = np.random.default_rng(seed)
    held = (bins[:, None] == np.arange(bins.max() + 1)) * weight[:, None]
    size = max(1, AT_ONCE // len(confidence))
    found = []
    for start in range(0, simulations, size):
        hits = rng.random((min(size, simulations - start), len(confidence))) < confidence
        found.append(np.abs((hits - confidence) @ held).sum(axis=1) / weight.sum())
    return float(np.quantile(np.concatenate(found), quantile))


def ece_p(
    confidence: Floats,
    right: Floats,
    weight: Floats,
    bins: Ints,
    problem: Ints,
    *,
    simulations: int = SIMULATIONS,
    seed: int = 0,
) -> float:
    """One-sided p of calibration that holds though verdicts of one problem err together.

    The signs of all residuals of a problem are turned at random (wild bootstrap
    by clusters, Cameron, Gelbach and Miller 2008).
    """
    parts = (bins[:, None] == np.arange(bins.max() + 1)) * (weight * (right - confidence))[:, None]
    sums = cluster_sums(parts, problem)
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], (simulations, len(sums)))
    reached = np.abs(signs @ sums).sum(axis=1) >= np.abs(sums.sum(axis=0)).sum() * (1 - 1e-12)
    return float((1 + reached.sum()) / (1 + simulations))


def auroc(confidence: Floats, right: Floats, weight: Floats, problem: Ints) -> Additive:
    """The chance that a right verdict is stated with more confidence than a wrong one, ties as a half.

    Sums by problem: an item of the statistic is a problem, in the order of its number.
    """
    values, code = np.unique(confidence, return_inverse=True)
    sums = np.zeros((int(problem.max()) + 1, 2 * len(values)))
    np.add.at(sums, (problem, code), weight * right)
    np.add.at(sums, (problem, code + len(values)), weight * (1 - right))

    def of(totals: Floats) -> Floats:
        good, bad = totals[..., : len(values)], totals[..., len(values) :]
        below = np.cumsum(bad, axis=-1) - bad / 2
        both = good.sum(axis=-1) * bad.sum(axis=-1)
        found: Floats = np.where(both > 0, (good * below).sum(axis=-1) / np.where(both > 0, both, 1), np.nan)
        return found

    return Additive(sums, of)


def recalibrated(confidence: Floats, right: Floats, weight: Floats, problem: Ints) -> Floats:
    """Each confidence as other problems' outcomes would have it: isotonic regression, cross-fitted.

    Problems are dealt into ``FOLDS``; those of a fold are read off the curve of
    the others. Needs two problems.
    """
    from sklearn.isotonic import IsotonicRegression
    from sklearn.model_selection import GroupKFold

    found = np.empty_like(confidence)
    folds = GroupKFold(n_splits=min(FOLDS, len(np.unique(problem))))
    for others, own in folds.split(confidence, groups=problem):
        curve = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip")
        curve.fit(confidence[others], right[others], sample_weight=weight[others])
        found[own] = curve.predict(confidence[own])
    return found


def _by_bin(bins: Ints, *values: Floats) -> list[Floats]:
    return [np.bincount(bins, one).astype(float) for one in values]
