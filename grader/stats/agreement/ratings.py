"""Ratings of items by people and judges: one tidy table, missing ratings kept apart and counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from grader.stats.jackknife import Floats

COLUMNS = ["item", "problem", "rater", "kind", "run", "value"]
"""Of the tidy table: a row a rating; ``value`` nan: asked for, and not given."""
HUMAN, JUDGE, ADJUDICATED = "human", "judge", "adjudicated"
KINDS = (HUMAN, JUDGE, ADJUDICATED)


@dataclass(frozen=True, slots=True)
class Reference:
    """What people make of each item."""

    value: Floats
    """[items]: the adjudicated value, else that of most people, else (split) their mean; nan: nobody's."""
    verdict: Floats
    """[items]: the same, nan where people are split: there is no verdict to agree with."""
    people: npt.NDArray[np.intp]
    """[items], how many rated it."""

    @property
    def split(self) -> int:
        """Items that people are split on."""
        return int((~np.isnan(self.value) & np.isnan(self.verdict)).sum())


@dataclass(frozen=True)
class Ratings:
    """Items, the problem of each, and who gave what; ``runs`` of a rater count from its smallest."""

    items: tuple[str, ...]
    problems: tuple[str, ...]
    cluster: npt.NDArray[np.intp]
    """[items], the place of its problem in ``problems``."""
    table: pd.DataFrame
    """The tidy table with ``place``, the item's place in ``items``, and ``turn``, its run counted from 0."""

    @classmethod
    def of(cls, table: pd.DataFrame) -> Ratings:
        """The ratings of a tidy table, rows in any order.

        ValueError for a kind that isn't one, an item in two problems, or a rater twice on an item in one run.
        """
        if unknown := sorted(set(table["kind"]) - set(KINDS)):
            raise ValueError(f"no kind of rater: {unknown[0]!r}")
        if table.duplicated(["item", "rater", "kind", "run"]).any():
            raise ValueError("a rater rated an item twice in one run")
        places = table.groupby("item", sort=True)["problem"]
        if (places.nunique() > 1).any():
            raise ValueError("an item stands in two problems")
        first = places.first()
        cluster, problems = pd.factorize(first, sort=True)
        turn = table.groupby(["kind", "rater"])["run"].rank(method="dense").astype(int) - 1
        placed = table.assign(place=first.index.get_indexer(pd.Index(table["item"])), turn=turn)
        return cls(tuple(first.index), tuple(problems), cluster, placed.reset_index(drop=True))

    @cached_property
    def judges(self) -> tuple[str, ...]:
        """Names in order."""
        return self._names(JUDGE)

    @cached_property
    def people(self) -> tuple[str, ...]:
        """Names in order, those who only adjudicated left out."""
        return self._names(HUMAN)

    def judge(self, name: str) -> Floats:
        """[items, runs] of a judge, nan where it gave nothing."""
        return self._wide(JUDGE, name)

    def person(self, name: str) -> Floats:
        """[items] of a person's first run."""
        return self._wide(HUMAN, name)[:, 0]

    def asked(self, judge: str) -> tuple[int, int]:
        """How many items a judge was asked about in its first run, and for how many of them nothing came."""
        rows = self._rows(JUDGE, judge)
        first = rows[rows["turn"] == 0]
        return len(first), int(first["value"].isna().sum())

    def asked_in(self, judge: str) -> npt.NDArray[np.bool_]:
        """[items, runs], whether a judge was asked, answered or not."""
        rows = self._rows(JUDGE, judge)
        asked = np.zeros((len(self.items), int(rows["turn"].max()) + 1), bool)
        asked[rows["place"].to_numpy(), rows["turn"].to_numpy()] = True
        return asked

    def panel(self, names: Sequence[str]) -> Floats:
        """[items, judges] of first runs."""
        return np.stack([self.judge(name)[:, 0] for name in names], axis=1)

    @cached_property
    def crowd(self) -> Floats:
        """[items, most people on one]: first runs of people by item, whoever they are; nan: no more."""
        rows = self.table
        rows = rows[(rows["kind"] == HUMAN) & (rows["turn"] == 0) & rows["value"].notna()]
        rows = rows.sort_values(["place", "rater"], kind="stable")
        seat = rows.groupby("place").cumcount().to_numpy()
        crowd = np.full((len(self.items), int(seat.max(initial=0)) + 1), np.nan)
        crowd[rows["place"].to_numpy(), seat] = rows["value"].to_numpy(float)
        return crowd

    @cached_property
    def reference(self) -> Reference:
        """People's value of each item."""
        return reference(self.crowd, self._adjudicated())

    def _adjudicated(self) -> Floats:
        rows = self.table
        rows = rows[(rows["kind"] == ADJUDICATED) & rows["value"].notna()].sort_values("turn", kind="stable")
        values = np.full(len(self.items), np.nan)
        values[rows["place"].to_numpy()] = rows["value"].to_numpy(float)
        return values

    def _names(self, kind: str) -> tuple[str, ...]:
        return tuple(sorted(self.table.loc[self.table["kind"] == kind, "rater"].unique()))

    def _rows(self, kind: str, name: str) -> pd.DataFrame:
        return self.table[(self.table["kind"] == kind) & (self.table["rater"] == name)]

    def _wide(self, kind: str, name: str) -> Floats:
        rows = self._rows(kind, name)
        wide = np.full((len(self.items), int(rows["turn"].max()) + 1), np.nan)
        wide[rows["place"].to_numpy(), rows["turn"].to_numpy()] = rows["value"].to_numpy(float)
        return wide


def reference(crowd: Floats, adjudicated: Floats | None = None) -> Reference:
    """What people make of each item: ``crowd`` [items, people] with nan for nobody.

    A value counts as that of most people if more gave it than any other value.
    """
    known = ~np.isnan(crowd)
    people = known.sum(axis=1)
    values = np.unique(crowd[known])
    counts = (crowd[..., None] == values).sum(axis=1)
    most = counts.max(axis=1, initial=0)
    clear = (counts == most[:, None]).sum(axis=1) == 1
    verdict = np.full(len(crowd), np.nan)
    if len(values):
        verdict = np.where(clear & (most > 0), values[counts.argmax(axis=1)], np.nan)
    mean = np.nansum(crowd, axis=1) / np.where(people, people, np.nan)
    value = np.where(np.isnan(verdict), mean, verdict)
    if adjudicated is not None:
        settled = ~np.isnan(adjudicated)
        verdict, value = np.where(settled, adjudicated, verdict), np.where(settled, adjudicated, value)
    return Reference(value, verdict, people)
