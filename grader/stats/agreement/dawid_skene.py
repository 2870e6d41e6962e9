"""The model of Dawid and Skene (1979): true classes and every rater's confusion, from ratings alone.

A diagnostic and no reference: it takes raters' errors as independent given the
true class. Judges that share a habit agree with each other, so the model takes what they
share for the truth. Print the correlation of errors first (``panel``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from grader.stats.jackknife import Floats


@dataclass(frozen=True, slots=True)
class DawidSkene:
    """What the model takes for true."""

    classes: Floats
    """[classes], the values that occur, sorted."""
    prevalence: Floats
    """[classes]."""
    confusion: Floats
    """[raters, true class, given class], rows that add up to 1."""
    posterior: Floats
    """[items, classes]; the prevalence where nobody rated the item."""
    iterations: int
    converged: bool

    @property
    def accuracy(self) -> Floats:
        """[raters], the probability of giving the true class."""
        diagonal = np.einsum("rcc->rc", self.confusion)
        found: Floats = diagonal @ self.prevalence
        return found


def dawid_skene(
    ratings: npt.ArrayLike, *, iterations: int = 500, tolerance: float = 1e-8, prior: float = 0.01
) -> DawidSkene | None:
    """Expectation-maximisation from the shares of votes, of ratings [items, raters] with nan for none.

    ``prior`` is added to every cell of a confusion, so that none is 0 for want of items. None
    where fewer than two values occur. The iteration ends when no posterior moves by more than ``tolerance``.
    """
    matrix = np.asarray(ratings, float)
    classes = np.unique(matrix[~np.isnan(matrix)])
    if len(classes) < 2:
        return None
    given = (matrix[..., None] == classes).astype(float)
    votes = given.sum(axis=1)
    posterior = np.where(
        votes.sum(axis=1, keepdims=True) > 0,
        votes / np.maximum(votes.sum(axis=1, keepdims=True), 1),
        1 / len(classes),
    )
    for step in range(1, iterations + 1):
        prevalence, confusion = _maximised(posterior, given, prior)
        before, posterior = posterior, _expected(prevalence, confusion, given)
        if np.abs(posterior - before).max() < tolerance:
            return DawidSkene(classes, prevalence, confusion, posterior, step, True)
    return DawidSkene(classes, prevalence, confusion, posterior, iterations, False)


def _maximised(posterior: Floats, given: Floats, prior: float) -> tuple[Floats, Floats]:
    """Prevalence and confusions, given who is what."""
    confusion = np.einsum("ic,irg->rcg", posterior, given) + prior
    return posterior.mean(axis=0), confusion / confusion.sum(axis=2, keepdims=True)


def _expected(prevalence: Floats, confusion: Floats, given: Floats) -> Floats:
    """Who is what, given prevalence and confusions; in logarithms, since many raters multiply."""
    log = np.log(np.maximum(prevalence, 1e-300)) + np.einsum("irg,rcg->ic", given, np.log(confusion))
    weight = np.exp(log - log.max(axis=1, keepdims=True))
    found: Floats = weight / weight.sum(axis=1, keepdims=True)
    return found
