"""Whether people follow a judge once they see what it said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pandas as pd

from grader.audit.from_archive.reviewers import PLACE, SAME, Marks
from grader.audit.result import Measure
from grader.audit.shares import difference, share
from grader.stats.multiple import holm

AGREES = "agrees with the judge"
_KEYS = [*PLACE, "reviewer"]
LEAST = 10
"""Marks of each kind before they are compared."""


def anchoring(marks: Marks, awards: pd.DataFrame, level: float) -> list[Measure]:
    """Agreement with the judge, its verdict hidden and shown, of all and of each reviewer.

    ``awards``: response, sub_id, point_id and ``judge``, the judge's award of each point it
    decided. *Shown minus hidden* compares first marks, on different points. *After minus before* is of
    points marked blindly: a mark left as it was counts the same after as before. Holm over all
    comparisons; only a shift towards the judge is flagged. Who adjudicates is shown people's marks and
    not the judge's, so these marks are left out, as are adjudicated ones from files.
    """
    ratings = marks.ratings[marks.ratings["gold"].isna() & marks.ratings["award"].notna()]
    known = ratings["blind"].astype(bool) | ~ratings["kind"].isin(["adjudication", "file"])
    both = ratings[known].merge(awards, on=PLACE, how="inner")
    both["hit"] = (both["award"] - both["judge"]).abs() < SAME
    both["shown"] = ~both["blind"].astype(bool)
    rates, tests = [], []
    for of in ("", *marks.reviewers):
        own = both if not of else both[both["reviewer"] == of]
        hidden = own[~own["shown"]].drop_duplicates(_KEYS, keep="last")
        later = own[own["shown"]].drop_duplicates(_KEYS, keep="last")
        again = pd.MultiIndex.from_frame(later[_KEYS]).isin(pd.MultiIndex.from_frame(hidden[_KEYS]))
        rates += list(_rates(hidden, later[~again], of, level))
        tests += list(_first(hidden, later[~again], of, level))
        tests += list(_changed(hidden, later[again], of, level))
    return [*rates, *_flagged(tests, level)]


def _rates(hidden: pd.DataFrame, shown: pd.DataFrame, of: str, level: float) -> Iterator[Measure]:
    for rows, word in ((hidden, "hidden"), (shown, "shown")):
        if len(rows):
            yield share(rows, f"{AGREES}, its verdict {word}", of=of, level=level)


def _first(hidden: pd.DataFrame, shown: pd.DataFrame, of: str, level: float) -> Iterator[Measure]:
    if min(len(hidden), len(shown)) >= LEAST:
        yield difference(shown, hidden, f"{AGREES}, shown minus hidden", of=of, level=level)


def _changed(hidden: pd.DataFrame, again: pd.DataFrame, of: str, level: float) -> Iterator[Measure]:
    if len(again) >= LEAST:
        after = hidden.merge(again[[*_KEYS, "hit"]], on=_KEYS, how="left", suffixes=("", "_after"))
        after["hit"] = after["hit_after"].where(after["hit_after"].notna(), after["hit"]).astype(float)
        name = f"{AGREES}, after seeing its verdict minus before"
        yield replace(difference(after, hidden, name, of=of, paired=True, level=level), n=len(hidden))


def _flagged(tests: list[Measure], level: float) -> Iterator[Measure]:
    for one, p in zip(tests, holm([one.p for one in tests]), strict=True):
        surely = p is not None and p < 1 - level and (one.value or 0.0) > 0
        yield replace(one, p_adjusted=p, flagged=surely)
