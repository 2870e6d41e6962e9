"""Estimators as others print them, points taken as independent: to say what the reference values are."""

from __future__ import annotations

import numpy as np

NORMAL = 1.959963984540054
"""The 97.5 % point of the normal distribution."""


def ppi(marked, graded, unmarked, power):
    """Prediction-powered mean and its normal interval (Angelopoulos et al. 2023); ``power``: lambda."""
    residual = marked - power * graded
    value = power * unmarked.mean() + residual.mean()
    se = np.sqrt(power**2 * unmarked.var() / len(unmarked) + residual.var() / len(marked))
    return value, (value - NORMAL * se, value + NORMAL * se)


def tuned_power(marked, graded, unmarked):
    """The lambda of least variance (Angelopoulos, Duchi and Zrnic 2023), clipped to [0, 1]."""
    together = np.mean((marked - marked.mean()) * (graded - graded.mean()))
    spread = np.concatenate([graded, unmarked]).var(ddof=1)
    return float(np.clip(together / ((1 + len(marked) / len(unmarked)) * spread), 0, 1))


def rogan_gladen(positive, sensitivity, specificity):
    """Prevalence from a share of positives and known error rates (Rogan and Gladen 1978), clipped."""
    return float(np.clip((positive + specificity - 1) / (sensitivity + specificity - 1), 0, 1))
