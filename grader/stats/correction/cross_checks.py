"""Older estimators, to be printed beside a corrected score, never in its place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grader.errors import AuditError
from grader.stats.jackknife import NO_SPREAD, Floats


@dataclass(frozen=True, slots=True)
class Independent:
    """A mean by plain prediction-powered inference, points taken as independent."""

    value: float
    low: float
    high: float
    weight: float
    """Lambda."""


def independent_ppi(
    people: Floats, machine: Floats, unlabelled: Floats, *, tune: bool = False, level: float = 0.95
) -> Independent:
    """PPI (Angelopoulos et al. 2023), or with ``tune`` PPI++ with lambda from the same data.

    ``people`` and ``machine``: of the marked points, parallel; ``unlabelled``: the
    machine's of all others. With problems as clusters its normal interval holds
    68 to 80 % instead of 95 %: it is here to be compared with other programs.
    """
    from scipy.special import ndtri

    count, others = len(people), len(unlabelled)
    if len(machine) != count or count < 2 or others < 2:
        raise AuditError(
            "prediction-powered inference needs marked and unmarked points",
            got=f"{count} and {others}",
            expected="at least 2 of each, and an award of the machine for each",
        )
    weight = 1.0
    if tune:
        across = ((people - people.mean()) * (machine - machine.mean())).mean()
        spread = np.concatenate([machine, unlabelled]).var(ddof=1)
        weight = float(np.clip(across / ((1 + count / others) * spread), 0, 1)) if spread > 0 else 1.0
    left = people - weight * machine
    value = float(weight * unlabelled.mean() + left.mean())
    variance = weight**2 * unlabelled.var() / others + left.var() / count
    reach = float(ndtri((1 + level) / 2) * np.sqrt(variance))
    return Independent(value, value - reach, value + reach, weight)


@dataclass(frozen=True, slots=True)
class RoganGladen:
    """A share of met points, corrected by how often the machine is right on either kind."""

    value: float | None
    """Clipped to [0, 1]; None where the machine can't tell the kinds apart, or one has no marked point."""
    sensitivity: float | None
    """Share of points met by people that the machine calls met."""
    specificity: float | None
    """Share of points not met by people that the machine calls not met."""


def rogan_gladen(
    people: Floats, machine: Floats, wanted: Floats, stands_for: Floats | None = None
) -> RoganGladen:
    """Rogan and Gladen 1978, of awards 0 and 1: a cross-check only.

    ``people`` and ``machine``: of the marked points, parallel; ``stands_for``: how
    many points each of them speaks of, one by default; ``wanted``: the machine's of
    the points whose share is estimated. It takes the two error rates for constants.
    Where errors gather at the boundary between met and not met, and the marked
    points come from elsewhere, it is off by 0.16 and its interval holds in 22 % of
    cases.
    """
    values = np.concatenate([people, machine, wanted])
    if not np.isin(values, (0.0, 1.0)).all():
        raise AuditError("this cross-check is for awards of all or nothing", expected="awards 0 and 1 only")
    met = people == 1
    if not met.any() or met.all() or not len(wanted):
        return RoganGladen(None, None, None)
    weight = np.ones(len(people)) if stands_for is None else stands_for
    sensitivity = float(np.average(machine[met], weights=weight[met]))
    specificity = float(1 - np.average(machine[~met], weights=weight[~met]))
    apart = sensitivity + specificity - 1
    if apart < NO_SPREAD:
        return RoganGladen(None, sensitivity, specificity)
    value = (float(wanted.mean()) + specificity - 1) / apart
    return RoganGladen(float(np.clip(value, 0, 1)), sensitivity, specificity)
