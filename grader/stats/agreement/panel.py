"""Several judges on the same items: how far their errors go together, and what a panel of them is worth."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from grader.stats.agreement import additive
from grader.stats.agreement.coefficients import krippendorff_alpha
from grader.stats.agreement.ratings import reference
from grader.stats.agreement.resampling import Additive, Interval, cluster_bootstrap
from grader.stats.jackknife import NO_SPREAD, Floats


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel against people."""

    items: int
    """That every judge decided and people gave a verdict on."""
    problems: int
    judges: int
    correlation: Floats
    """[judges, judges], Pearson's of their errors; nan where those of one are all the same, or none."""
    mean_correlation: Interval
    """Over the pairs that have one."""
    undefined_pairs: int
    effective: float | None
    """k / (1 + (k - 1) r), how many judges with errors apart from each other theirs are worth (Kish 1965)."""
    alpha: float | None
    """Krippendorff's, nominal, of the judges among themselves."""
    accuracy: tuple[Interval, ...]
    """Of each judge alone: share of items with people's value."""
    majority: Interval
    """The same of the value that most judges gave; an even split is not right."""
    gain: Interval
    """Majority minus the best judge, who was chosen on the same items, so a little too good."""


def effective_number(judges: int, correlation: float) -> float | None:
    """Of judges with that mean correlation of errors; None where it is as low as no k judges can be."""
    bottom = 1 + (judges - 1) * correlation
    return judges / bottom if bottom > NO_SPREAD else None


def panel(
    votes: npt.ArrayLike,
    truth: npt.ArrayLike,
    cluster: npt.NDArray[np.intp],
    *,
    level: float = 0.95,
    seed: int = 0,
) -> Panel | None:
    """Of votes [items, judges] against people's values [items]; items with a gap (nan) are left out.

    A judge's error is how far its value is from people's, without a sign: of verdicts, whether it is wrong.
    (A verdict of 0 errs upwards only, and one of 1 downwards, so signs would go together of judges that
    know nothing of each other.) None of fewer than two judges, or where no item is complete.
    """
    given, right = np.asarray(votes, float), np.asarray(truth, float)
    held = ~(np.isnan(given).any(axis=1) | np.isnan(right))
    given, right, cluster = given[held], right[held], cluster[held]
    judges = given.shape[1]
    if judges < 2 or not len(given):
        return None
    errors = np.abs(given - right[:, None])
    pairs = list(combinations(range(judges), 2))
    defined = [(one, two) for one, two in pairs if _spreads(errors[:, [one, two]])]
    majority = additive.ratio((reference(given).verdict == right).astype(float))
    alone = [additive.agreement(given[:, place], right) for place in range(judges)]
    best = max(range(judges), key=lambda place: alone[place].value() or 0.0)
    statistics = [*alone, majority, majority.minus(alone[best]), _mean_correlation(errors, defined)]
    *accuracy, of_majority, gain, r = cluster_bootstrap(statistics, cluster, level=level, seed=seed)
    return Panel(
        items=len(given),
        problems=len(np.unique(cluster)),
        judges=judges,
        correlation=correlations(errors),
        mean_correlation=r,
        undefined_pairs=len(pairs) - len(defined),
        effective=None if r.value is None else effective_number(judges, r.value),
        alpha=krippendorff_alpha(given),
        accuracy=tuple(accuracy),
        majority=of_majority,
        gain=gain,
    )


def correlations(errors: npt.ArrayLike) -> Floats:
    """Pearson's between columns of errors [items, judges]; nan where a column doesn't spread."""
    given = np.asarray(errors, float)
    centred = given - given.mean(axis=0)
    size = np.sqrt((centred**2).sum(axis=0))
    size = np.where(size < NO_SPREAD, np.nan, size)
    found: Floats = (centred.T @ centred) / np.outer(size, size)
    return found


def _spreads(errors: Floats) -> bool:
    return bool((np.ptp(errors, axis=0) > NO_SPREAD).all())


def _mean_correlation(errors: Floats, pairs: list[tuple[int, int]]) -> Additive:
    """The mean of Pearson's over these pairs, from sums of products."""
    judges = errors.shape[1]
    products = (errors[:, :, None] * errors[:, None, :]).reshape(len(errors), -1)
    one, two = np.array(pairs, dtype=np.intp).reshape(-1, 2).T

    def of(sums: Floats) -> Floats:
        n, first = sums[..., :1], sums[..., 1 : judges + 1]
        square = sums[..., judges + 1 :].reshape(*sums.shape[:-1], judges, judges)
        covariance = square - first[..., :, None] * first[..., None, :] / n[..., None]
        variance = np.einsum("...jj->...j", covariance)
        bottom = np.sqrt(np.maximum(variance[..., one] * variance[..., two], 0.0))
        defined = bottom > NO_SPREAD
        each = np.where(defined, covariance[..., one, two] / np.where(defined, bottom, 1.0), 0.0)
        count = defined.sum(axis=-1)
        found: Floats = np.where(count > 0, each.sum(axis=-1) / np.maximum(count, 1), np.nan)
        return found

    return Additive(np.column_stack([np.ones(len(errors)), errors, products]), of)
