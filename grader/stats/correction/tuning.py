"""How much weight the machine's marks get: lambda between 0 (people alone) and 1 (the full correction)."""

from __future__ import annotations

import numpy as np

from grader.stats.correction.sums import Sums
from grader.stats.jackknife import Floats

FOLDS = 5
LEAST_PROBLEMS, LEAST_LABELLED = 30, 10
"""With fewer problems, or fewer of them with marks, lambda is 1: there is too little to choose it by."""


def tuned(sums: Sums, seed: int) -> Floats:
    """Lambda of each problem [problems], chosen on the other folds (PPI++, Angelopoulos et al. 2023b).

    It minimises the variance of A - lambda B between problems, A about the other
    folds' mean. Chosen on the same problems it would follow their noise: intervals get too short (with 20
    problems they cover 92 % instead of 95 %).
    """
    held = sums.full > 0
    if held.sum() < LEAST_PROBLEMS or sums.labelled < LEAST_LABELLED:
        return np.ones(len(sums.full))
    fold = np.zeros(len(held), dtype=np.intp)
    fold[held] = np.random.default_rng(seed).permutation(held.sum()) % FOLDS

    def others(values: Floats) -> Floats:
        """[folds], the sum over all problems but those of the fold."""
        return np.asarray(values.sum() - np.bincount(fold, values, FOLDS))

    people, surplus = sums.rest + sums.people, sums.surplus
    mean = others(people) / others(sums.full)
    across = others(surplus * people) - mean * others(surplus * sums.full)
    square = others(surplus**2)
    chosen = np.divide(across, square, out=np.ones(FOLDS), where=square > 0)
    return np.asarray(np.clip(chosen, 0.0, 1.0)[fold])
