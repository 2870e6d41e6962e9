"""Whether people follow a judge once they see what it said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pandas as pd

from grader.audit.result import Measure
from grader.audit.reviewers import PLACE, SAME, Marks
from grader.audit.shares import difference, share
from grader.stats.multiple import holm

AGREES = "agrees with the judge"
LEAST = 10
"""Marks of each kind before they are compared."""


def anchoring(marks: Marks, awards: pd.DataFrame, level: float) -> list[Measure]:
    """Agreement with the judge, its verdict hidden and shown, of all and of each reviewer.

    ``awards``: response, sub_id, point_id and ``judge``, the judge's award of each point it
    decided. *Shown minus hidden* compares marks on different points. *After minus before* is of the same
    marks: those that a reviewer left as they were count as agreeing as before. Holm over all
    comparisons; only a shift towards the judge is flagged.
    """
    ratings = marks.ratings[marks.ratings["gold"].isna() & marks.ratings["award"].notna()]
    both = ratings.merge(awards, on=PLACE, how="inner")
    both["hit"] = (both["award"] - both["judge"]).abs() < SAME
    both["shown"] = ~both["blind"].astype(bool)
    rates, tests = [], []
    for of in ("", *marks.reviewers):
        own = both if not of else both[both["reviewer"] == of]
        rates += list(_rates(own, of, level))
        tests += list(_tests(own, of, level))
    return [*rates, *_flagged(tests, level)]


def _rates(own: pd.DataFrame, of: str, level: float) -> Iterator[Measure]:
    for shown, word in ((False, "hidden"), (True, "shown")):
        rows = own[own["shown"] == shown]
        if len(rows):
            yield share(rows, f"{AGREES}, its verdict {word}", of=of, level=level)


def _tests(own: pd.DataFrame, of: str, level: float) -> Iterator[Measure]:
    hidden, shown = own[~own["shown"]], own[own["shown"]]
    if min(len(hidden), len(shown)) >= LEAST:
        yield difference(shown, hidden, f"{AGREES}, shown minus hidden", of=of, level=level)
    keys = [*PLACE, "reviewer"]
    before = hidden.drop_duplicates(keys, keep="last")
    changed = shown.drop_duplicates(keys, keep="last")[[*keys, "hit"]]
    after = before.merge(changed, on=keys, how="left", suffixes=("", "_after"))
    if after["hit_after"].notna().sum() >= LEAST:
        after["hit"] = after["hit_after"].where(after["hit_after"].notna(), after["hit"]).astype(float)
        name = f"{AGREES}, after seeing its verdict minus before"
        yield replace(difference(after, before, name, of=of, paired=True, level=level), n=len(before))


def _flagged(tests: list[Measure], level: float) -> Iterator[Measure]:
    for one, p in zip(tests, holm([one.p for one in tests]), strict=True):
        surely = p is not None and p < 1 - level and (one.value or 0.0) > 0
        yield replace(one, p_adjusted=p, flagged=surely)
