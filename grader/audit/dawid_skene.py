"""The accuracy of voters without any truth, if they err apart from each other (Dawid and Skene 1979)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from grader.stats.jackknife import Floats

ROUNDS = 500
_STILL = 1e-9
_PRIOR = 0.01
"""Of a vote in every cell of a voter's table, so that none is impossible."""


@dataclass(frozen=True, slots=True)
class DawidSkene:
    """What expectation and maximisation settle on."""

    prevalence: Floats
    """[classes]."""
    tables: Floats
    """[voters, true class, class said], rows adding up to 1."""
    posterior: Floats
    """[items, classes]."""

    @property
    def accuracy(self) -> Floats:
        """[voters], the chance that each says the true class."""
        found: Floats = np.einsum("c,vcc->v", self.prevalence, self.tables)
        return found


def dawid_skene(said: npt.NDArray[np.intp], classes: int) -> DawidSkene:
    """Fit to ``said`` [items, voters], classes from 0, -1 where a voter said nothing.

    Begins with the shares of votes. Votes may be missing for what others said before, as where
    voting ends early: the likelihood is the same. Voters that err together look
    better than they are, so this is a diagnostic and no measurement.
    """
    votes = (said[:, :, None] == np.arange(classes)).astype(float)
    posterior = votes.sum(axis=1) + 1e-12
    posterior /= posterior.sum(axis=1, keepdims=True)
    prevalence, tables = _maximised(votes, posterior)
    for _ in range(ROUNDS):
        chances = np.log(prevalence) + np.einsum("ivs,vcs->ic", votes, np.log(tables))
        chances = np.exp(chances - chances.max(axis=1, keepdims=True))
        found = chances / chances.sum(axis=1, keepdims=True)
        still = np.abs(found - posterior).max(initial=0.0) < _STILL
        posterior = found
        prevalence, tables = _maximised(votes, posterior)
        if still:
            break
    return DawidSkene(prevalence, tables, posterior)


def _maximised(votes: Floats, posterior: Floats) -> tuple[Floats, Floats]:
    tables = np.einsum("ivs,ic->vcs", votes, posterior) + _PRIOR
    prevalence = posterior.sum(axis=0) + _PRIOR
    return prevalence / prevalence.sum(), tables / tables.sum(axis=2, keepdims=True)
