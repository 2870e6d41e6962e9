"""People's marks, reviewer by reviewer: numbered in the order of their first marks, named only on request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pandas as pd

from grader.archive.review_entry import FINAL
from grader.audit.result import Measure
from grader.audit.shares import exact
from grader.stats.flips import detectable_share
from grader.stats.multiple import holm

if TYPE_CHECKING:
    from grader.archive.store import Archive
    from grader.stats.checked import Checked

PLACE = ["response", "sub_id", "point_id"]
EXPECTED = 0.9
"""Accuracy on seeded items below which, surely, a reviewer is said to err."""
GOLD = "right on seeded items"
SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Marks:
    """What the audit of people looks at."""

    ratings: pd.DataFrame
    """Those of ``Checked`` with ``reviewer`` (as printed) in place of ``person``."""
    blind: pd.DataFrame
    """Of these the blind awards, seeded items and what settles differences left out."""
    seconds: pd.DataFrame
    """A row an item that a person marked at the desk: reviewer, seconds."""
    items: Counter[tuple[str, str]]
    """How many items of each kind are in each state."""
    reviewers: tuple[str, ...]
    """As printed, in the order of first marks."""


def marks_of(checked: Checked, *, names: bool) -> Marks:
    """Read them; ``names``: say who it was."""
    times = _seconds(checked.archive)
    people = dict.fromkeys([*(person for person, _ in times), *checked.ratings["person"]])
    printed = {person: person if names else f"reviewer {n}" for n, person in enumerate(people, 1)}
    ratings = checked.ratings.assign(reviewer=checked.ratings["person"].map(printed)).drop(columns="person")
    random = ratings["blind"].astype(bool) & ratings["gold"].isna() & ~ratings["kind"].isin(FINAL)
    blind = ratings[random & ratings["award"].notna()].drop_duplicates([*PLACE, "reviewer"], keep="last")
    seconds = pd.DataFrame(
        [(printed[person], taken) for person, taken in times], columns=["reviewer", "seconds"]
    )
    items = Counter((str(one.entry.kind), str(one.state)) for one in checked.archive.items())
    return Marks(ratings, blind, seconds[seconds["seconds"] > 0], items, tuple(printed.values()))


def _seconds(archive: Archive) -> list[tuple[str, float]]:
    """Of each item and person the seconds of all their marks on it, in the order of first marks."""
    taken: dict[tuple[int, str], float] = {}
    for mark in archive.marks():
        if mark.entry.undoes is None:
            key = (mark.entry.item_id, mark.entry.reviewer)
            taken[key] = taken.get(key, 0.0) + mark.entry.seconds
    return [(person, seconds) for (_, person), seconds in taken.items()]


def gold_accuracy(marks: Marks, level: float) -> list[Measure]:
    """Of each reviewer the share of seeded items whose first mark was right, with exact intervals.

    p: of so few right marks or fewer, if 9 in 10 are (exact binomial), adjusted by Holm. ``detectable``: the
    accuracy from which downwards that test finds a reviewer who errs.
    """
    from scipy.special import bdtr

    gold = marks.ratings[marks.ratings["gold"].notna()].sort_values("blind", ascending=False, kind="stable")
    gold = gold.drop_duplicates([*PLACE, "reviewer"])
    found = []
    for reviewer in marks.reviewers:
        own = gold[gold["reviewer"] == reviewer]
        n, right = len(own), int(((own["award"] - own["gold"]).abs() < SAME).sum())
        if n:
            low, high = exact(right, n, level)
            p = float(bdtr(right, n, EXPECTED))
            errors = detectable_share(n, 1 - EXPECTED, level=level)
            least = None if errors is None else 1 - errors
            ends = (reviewer, low, high, n)
            found.append(Measure(GOLD, right / n, "share", *ends, p=p, detectable=least))
    return list(_flagged(found, level))


def _flagged(found: list[Measure], level: float) -> Iterator[Measure]:
    for one, p in zip(found, holm([one.p for one in found]), strict=True):
        yield replace(one, p_adjusted=p, flagged=p is not None and p < 1 - level)


def times(marks: Marks) -> Iterator[Measure]:
    """The median time of an item and its quartiles, of each reviewer and of all."""
    groups = [("", marks.seconds)]
    groups += [(one, marks.seconds[marks.seconds["reviewer"] == one]) for one in marks.reviewers]
    for of, rows in groups:
        if len(rows):
            low, middle, high = (float(rows["seconds"].quantile(part)) for part in (0.25, 0.5, 0.75))
            n = len(rows)
            yield Measure("median time of an item", middle, "seconds", of, n=n)
            yield Measure("lower quartile of times", low, "seconds", of, n=n)
            yield Measure("upper quartile of times", high, "seconds", of, n=n)


def settled(marks: Marks) -> Iterator[Measure]:
    """How many adjudications and disputes there are, and how many of them are done."""
    for kind, name in (("adjudication", "adjudications"), ("dispute", "disputes")):
        done, still = marks.items[kind, "done"], marks.items[kind, "open"]
        yield Measure(f"{name} settled", done, "count", n=done + still)
        yield Measure(f"{name} open", still, "count", n=done + still)
