"""The numbers of A18: code's verdicts beside a judge's on the same points, one basis at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pandas as pd

from grader.audit.result import Measure
from grader.audit.shares import coefficient, share
from grader.stats.agreement.additive import cohen_kappa
from grader.stats.agreement.resampling import cluster_bootstrap
from grader.stats.flips import detectable_share, exceeds, upper_bound
from grader.stats.multiple import holm

CONFLICT = "conflict of code and judge"
KAPPA = "kappa of code and judge"
TOLERATED = 0.05
"""A share of conflicts above which, surely, code and judge are said to differ."""
_DUST = 1e-9
"""One conflict of one point has a p of just 5 %, and is no evidence."""
WORDS = {1.0: "met", 0.0: "not met"}


def overall(rows: pd.DataFrame, of: str, level: float) -> Measure:
    """The share of conflicts among points that both decided: see ``_tested``."""
    found = _tested(rows, of, level)
    return replace(found, p_adjusted=found.p, flagged=_surely(found, found.p, level))


def kinds(rows: pd.DataFrame, level: float) -> Iterator[Measure]:
    """The share of conflicts by kind of check with its upper bound, Holm over kinds.

    The bound is the exact one-sided one (Clopper and Pearson 1934), which takes points to err apart.
    """
    several = [_tested(some, f"kind {name}", level) for name, some in rows.groupby("kind", sort=True)]
    for found, p in zip(several, holm([one.p for one in several]), strict=True):
        hits = round((found.value or 0.0) * found.n)
        flagged, high = _surely(found, p, level), upper_bound(hits, found.n, level)
        yield replace(found, low=None, high=high, p_adjusted=p, flagged=flagged)


def _tested(rows: pd.DataFrame, of: str, level: float) -> Measure:
    """Its interval is over problems; p is that of no more than is tolerated (exact binomial, one-sided)."""
    found, n = share(rows, CONFLICT, of=of, level=level), len(rows)
    p = exceeds(int(rows["hit"].sum()), n, TOLERATED)
    return replace(found, p=p, detectable=detectable_share(n, TOLERATED, level=level))


def _surely(found: Measure, p: float | None, level: float) -> bool:
    """The test takes points for independent: an interval over problems, where there is one, must agree."""
    return p is not None and p < 1 - level - _DUST and (found.low is None or found.low > TOLERATED)


def kappa(rows: pd.DataFrame, of: str, level: float, seed: int) -> Measure:
    """Cohen's kappa (1960) of verdicts (not met, partial, met), its interval by a bootstrap of problems."""
    said = (_verdicts(rows[name]) for name in ("code", "judge"))
    problem, _ = pd.factorize(rows["problem_id"], sort=True)
    (found,) = cluster_bootstrap([cohen_kappa(*said)], problem.astype(np.intp), level=level, seed=seed)
    return coefficient(KAPPA, found, of=of, n=len(rows), level=level)


def _verdicts(awards: pd.Series) -> pd.Series:
    """0 not met, 1 partial, 2 met."""
    return awards.map(lambda award: 2.0 if award == 1 else float(award > 0))


def table(rows: pd.DataFrame, of: str) -> Iterator[Measure]:
    """The confusion table, its cells as counts; what the judge left open only where there is any."""
    awards = {"met": rows["judge"] == 1, "partial": rows["judge"].between(0, 1, "neither")}
    awards |= {"not met": rows["judge"] == 0}
    if rows["judge"].isna().any():
        awards["undetermined"] = rows["judge"].isna()
    for code, word in WORDS.items():
        for said, given in awards.items():
            count = int((given & (rows["code"] == code)).sum())
            yield Measure(f"code {word}, judge {said}", count, "count", of, n=len(rows))
