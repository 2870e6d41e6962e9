"""Where chains broke: the first lost point of each, and how many are unbroken so far.

A chain is what one sample answers to a problem's subquestions, in order. It is
broken at the first node, in rubric order, that costs marks. While a point before
that is undetermined (or a subquestion has no answer), the chain is *open*: it
may have broken there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from grader.stats.by_cell import by_cell
from grader.stats.columns import CELL
from grader.stats.estimate import Estimate
from grader.stats.jackknife import Floats, Jackknife, share_interval

CHAIN = [*CELL, "problem_id", "sample"]
NEVER = 1_000_000
"""The position at which an unbroken chain breaks."""


def chains(lost: pd.DataFrame, items: pd.DataFrame) -> pd.DataFrame:
    """One row a chain, from the rows that ``losses`` gave.

    Columns: model, protocol, mode, problem_id, sample; ``length`` (subquestions of the problem);
    ``state`` (whole, broken, open); ``earliest`` and ``latest``, between which it broke (``NEVER``:
    perhaps not at all; equal unless open); ``sub_id``, ``point_id``, ``kind`` and ``error`` of the first lost
    point (of an open chain the first that may have been lost; ``point_id`` is None where an open point of
    the same subquestion comes before it, or the answer is missing).
    """
    length = items.groupby("problem_id").size().rename("length")
    found = lost[CHAIN].drop_duplicates().merge(length, on="problem_id").set_index(CHAIN)
    ordered = lost.sort_values(["position", "place"], kind="stable")
    sure = _first(ordered, "lost").reindex(found.index)
    maybe = _first(ordered, "lost_if_open").reindex(found.index)
    missing = _first_missing(lost).reindex(found.index, fill_value=0)
    missing = missing.where(missing < found["length"], NEVER)
    latest = sure["position"].fillna(NEVER).astype(int)
    earliest = np.minimum(maybe["position"].fillna(NEVER).astype(int), missing)
    unanswered = missing < maybe["position"].fillna(NEVER)
    told = maybe["place"].eq(sure["place"]) | (earliest != latest)
    found["state"] = np.select([earliest == NEVER, earliest == latest], ["whole", "broken"], "open")
    found["earliest"], found["latest"] = earliest, latest
    for name in ("sub_id", "point_id", "kind", "error"):
        known = ~unanswered & maybe[name].notna() & (told if name == "point_id" else True)
        found[name] = maybe[name].astype(object).where(known, None)
    return found.reset_index()


def _first(ordered: pd.DataFrame, marks: str) -> pd.DataFrame:
    """The first row of each chain that loses marks."""
    rows = ordered[ordered[marks] > 0].drop_duplicates(CHAIN)
    return rows.set_index(CHAIN)[["position", "place", "sub_id", "point_id", "kind", "error"]]


def _first_missing(lost: pd.DataFrame) -> pd.Series[int]:
    """The first position of each chain that has no answer; its length where none is missing."""
    answered = lost[[*CHAIN, "position"]].drop_duplicates().sort_values("position", kind="stable")
    place = answered.groupby(CHAIN, sort=False).cumcount()
    in_order = answered[answered["position"] == place]
    return in_order.groupby(CHAIN, sort=False).size()


def first_losses(found: pd.DataFrame, by: str = "earliest") -> pd.DataFrame:
    """How many chains of each cell broke where: by ``earliest`` (place), ``kind``, ``error``, ``point_id``.

    ``broken``: chains that surely broke there; ``open``: that may have; ``chains``: of the cell;
    ``share``: broken by all chains. Whole chains are in no row.
    """
    keys = ["problem_id", "sub_id", "point_id"] if by == "point_id" else [by]
    total = found.groupby(CELL, sort=False).size().rename("chains")
    lost = found[found["state"] != "whole"]
    lost = lost.assign(broken=lost["state"] == "broken", open=lost["state"] == "open")
    rows = lost.groupby([*CELL, *keys], sort=False, dropna=False)[["broken", "open"]].sum().reset_index()
    rows = rows.merge(total, on=CELL)
    rows["share"] = rows["broken"] / rows["chains"]
    if by == "earliest":
        return rows.sort_values([*CELL, by], kind="stable", ignore_index=True)
    return rows.sort_values([*CELL, "broken", "open"], ascending=[True] * 3 + [False] * 2, ignore_index=True)


@dataclass(frozen=True, slots=True)
class Step:
    """The chains of a cell after one more subquestion."""

    position: int
    """The place of the subquestion in its problem, from 0."""
    unbroken: Estimate
    """The share of chains with all marks so far. Open chains count as broken at the earliest place; its
    bounds, and the interval that holds them, say what it is if they broke at the latest, or not at all."""
    at_risk: int
    """Chains that had all marks before, and have such a subquestion."""
    broken: int
    """Of these, chains that broke here."""
    open: int
    """Chains that may have."""
    ended: int
    """Chains that are whole and have no further subquestion."""


@dataclass(frozen=True, slots=True)
class Survival:
    """How long the chains of a cell stay unbroken."""

    model: str
    protocol: str
    mode: str
    steps: tuple[Step, ...]


def survival(found: pd.DataFrame, *, level: float = 0.95) -> list[Survival]:
    """The curve of each cell, from the frame that ``chains`` gave.

    Problems differ in length, so the share is Kaplan and Meier's product (1958): a chain that ends
    unbroken says nothing of later places. Where all are equally long it is the plain share.
    Intervals by delete-one-problem jackknife on the log odds, with as many degrees of freedom as
    problems reach the place, less one.
    """
    return [Survival(*names, tuple(_steps(cell, level))) for names, cell in by_cell(found)]


def _steps(cell: pd.DataFrame, level: float) -> Sequence[Step]:
    problem, names = pd.factorize(cell["problem_id"])
    length, state = cell["length"].to_numpy(int), cell["state"].to_numpy()
    earliest, latest = cell["earliest"].to_numpy(int), cell["latest"].to_numpy(int)
    curves = [_kaplan_meier(problem, len(names), length, end, level) for end in (earliest, latest)]
    steps = []
    for place in range(int(length.max())):
        reached = length > place
        counts = len(np.unique(problem[reached])), int(reached.sum())
        estimate = _estimate(curves[0], curves[1], place, counts, level)
        if estimate is None:
            break
        here = earliest == place
        steps.append(
            Step(
                place,
                estimate,
                int((reached & (earliest >= place)).sum()),
                int((here & (state == "broken")).sum()),
                int((here & (state == "open")).sum()),
                int(((length == place + 1) & (state == "whole")).sum()),
            )
        )
    return steps


@dataclass(frozen=True, slots=True)
class _Curve:
    """By place: the share, and the ends of its interval (nan where there is none)."""

    value: Floats
    low: Floats
    high: Floats
    se: Floats


def _kaplan_meier(
    problem: npt.NDArray[np.intp],
    count: int,
    length: npt.NDArray[np.int_],
    end: npt.NDArray[np.int_],
    level: float,
) -> _Curve:
    places = np.arange(int(length.max()))
    held = (length[:, None] > places) & (end[:, None] >= places)
    at_risk, broken = np.zeros((count, len(places))), np.zeros((count, len(places)))
    np.add.at(at_risk, problem, held)
    np.add.at(broken, problem, held & (end[:, None] == places))
    value = _product(at_risk.sum(axis=0), broken.sum(axis=0))
    without = _product(at_risk.sum(axis=0) - at_risk, broken.sum(axis=0) - broken)
    spread = ((without - without.mean(axis=0)) ** 2).sum(axis=0)
    se = np.sqrt((count - 1) / count * spread) if count > 1 else np.full(len(places), np.nan)
    reaching = np.zeros((count, len(places)), bool)
    np.logical_or.at(reaching, problem, length[:, None] > places)
    clusters = reaching.sum(axis=0).astype(float)
    se = np.where(clusters > 1, se, np.nan)
    low, high = share_interval(Jackknife(value, se, clusters), level)
    return _Curve(value, low, high, se)


def _product(at_risk: Floats, broken: Floats) -> Floats:
    """The share left after each place; nan once nobody is left that could go on."""
    with np.errstate(divide="ignore", invalid="ignore"):
        left = np.cumprod(np.where(at_risk > 0, 1 - broken / at_risk, np.nan), axis=-1)
    gone = np.cumsum((at_risk > 0) & (broken >= at_risk), axis=-1) > 0
    return np.where(gone, 0.0, left)


def _estimate(
    worst: _Curve, best: _Curve, place: int, counts: tuple[int, int], level: float
) -> Estimate | None:
    if np.isnan(worst.value[place]):
        return None
    problems, answers = counts
    ends = worst.low[place], worst.high[place], best.low[place], best.high[place]
    known = not np.isnan(ends).any()
    return Estimate(
        value=float(worst.value[place]),
        low=float(ends[0]) if known else None,
        high=float(ends[1]) if known else None,
        se=float(worst.se[place]) if known else None,
        df=problems - 1,
        level=level,
        problems=problems,
        subquestions=problems,
        answers=answers,
        bounds=(float(worst.value[place]), _last_known(best.value[: place + 1])),
        widened=(float(min(ends)), float(max(ends))) if known else None,
    )


def _last_known(values: Floats) -> float:
    """A share can't rise: where nobody is left that could go on, it is at most what it was."""
    return float(values[~np.isnan(values)][-1])
