"""Many comparisons in one table."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """p adjusted over the family (Holm 1979), in the same order; what has no p is outside of it."""
    from statsmodels.stats.multitest import multipletests

    family = [p for p in p_values if p is not None]
    adjusted = iter(multipletests(family, method="holm")[1] if family else ())
    return [None if p is None else float(next(adjusted)) for p in p_values]
