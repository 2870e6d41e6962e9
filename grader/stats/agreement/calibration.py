"""Whether a probability means what it says: expected calibration error and Brier's score."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def brier(probability: npt.ArrayLike, happened: npt.ArrayLike) -> float:
    """The mean squared difference of a probability and what happened, 0 or 1 (Brier 1950)."""
    said, came = np.asarray(probability, float), np.asarray(happened, float)
    return float(np.mean((said - came) ** 2))


def binned_error(confidence: npt.ArrayLike, right: npt.ArrayLike, *, bins: int = 10) -> float:
    """Expected calibration error over bins of equal width on [0, 1], closed on the right (Guo et al. 2017).

    The mean over items of the distance of their bin's mean confidence from its share of right ones.
    """
    said, came = np.asarray(confidence, float), np.asarray(right, float)
    place = np.clip(np.ceil(said * bins).astype(int) - 1, 0, bins - 1)
    apart = np.bincount(place, said, bins) - np.bincount(place, came, bins)
    return float(np.abs(apart).sum() / len(said))
