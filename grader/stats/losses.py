"""Where marks were lost: the lost marks of each answer, shared out among the nodes of its rubric.

A node loses what the best score still possible falls by once it is known: with
v(k) the score where the first k nodes stand as they are and all later ones come
out best, the k-th loses v(k-1) - v(k). So the losses of an answer add up to what
it lost, whatever its groups, deductions and vetoes are. Of an ``any`` group the
last alternative to fail loses the marks, of an ``all`` group the first member.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from grader.problem.model import Deduction, Note, Point, Veto, walk
from grader.score import DIGITS, Award, earned_marks
from grader.stats.by_cell import by_cell
from grader.stats.columns import CELL
from grader.stats.estimate import Estimate, share
from grader.stats.rubrics import Marked, Rubric, Rubrics, by_answer, marked

By = Literal["tag", "kind", "point", "error"]

_Losses = tuple[tuple[float, ...], tuple[float, ...]]
"""Of each node: with open ones taken as best, and as worst."""


def losses(points: pd.DataFrame, rubrics: Rubrics) -> pd.DataFrame:
    """The frame of points with the marks that each node lost, answer by answer in rubric order.

    ``lost``: however the open points will be decided; ``lost_if_open``: were they
    all decided against the answer. ``error`` says what kind of loss it is: a reason
    of the closed list where there is one, ``provisional``, ``inherited`` (it follows rightly from an
    own earlier error), ``penalty`` (a deduction or veto), ``partial``, ``wrong`` (a formal point
    not met) or ``not_shown`` (a flexible one).
    """
    rows = by_answer(points)
    names = pd.MultiIndex.from_frame(rows[["problem_id", "sub_id"]])
    codes, keys = names.factorize()
    plain = np.array([_is_plain(rubrics[key]) for key in keys], bool)[codes]
    award, worth = rows["award"].to_numpy(float), rows["points"].to_numpy(float)
    least = worth * (1 - np.where(np.isnan(award), 1.0, award))
    most = worth * (1 - np.where(np.isnan(award), 0.0, award))
    known: dict[tuple[tuple[str, str], tuple[str, ...], bytes], _Losses] = {}
    offset = np.flatnonzero(~plain)
    for one in marked(rows[~plain]):
        key = (one.key, one.ids, one.awards.tobytes())
        if key not in known:
            rubric = rubrics[one.key]
            known[key] = _shared_out(rubric, one, 1.0), _shared_out(rubric, one, 0.0)
        least[offset[one.rows]], most[offset[one.rows]] = known[key]
    return rows.assign(lost=np.round(least, DIGITS), lost_if_open=np.round(most, DIGITS), error=_errors(rows))


def _is_plain(rubric: Rubric) -> bool:
    """Whether each node's loss is its own: points alone, which add up to the mark."""
    points = [node for node in rubric.nodes if not isinstance(node, Note)]
    if not all(isinstance(node, Point) for node in points):
        return False
    worth = sum(node.points for node in points if isinstance(node, Point))
    return round(worth, DIGITS) == round(rubric.full_mark, DIGITS)


def _shared_out(rubric: Rubric, answer: Marked, open_gain: float) -> tuple[float, ...]:
    """``open_gain``: the award of an open point; open deductions and vetoes have the reverse."""
    penalties = {node.id for node in rubric.nodes if isinstance(node, Deduction | Veto)}
    best = {name: Award(0.0 if name in penalties else 1.0) for name in _leaves(rubric)}
    standing, before, lost = dict(best), rubric.full_mark, []
    for name, award, shape in zip(answer.ids, answer.awards, answer.shapes, strict=True):
        if np.isnan(award):
            award = None if shape == "group" else 1 - open_gain if name in penalties else open_gain
        if award is None or (name in best and best[name].award == award):
            lost.append(0.0)
            continue
        standing[name] = Award(float(award))
        after = earned_marks(rubric.nodes, rubric.full_mark, standing)
        lost.append(before - after)
        before = after
    return tuple(lost)


def _leaves(rubric: Rubric) -> list[str]:
    return [node.id for node in walk(tuple(rubric.nodes)) if isinstance(node, Point | Deduction | Veto)]


def _errors(rows: pd.DataFrame) -> pd.Series[str]:
    return pd.Series(
        np.select(
            [
                rows["reason"].notna(),
                rows["provisional"].astype(bool),
                rows["inherited"].astype(bool),
                rows["shape"].isin(["deduction", "veto"]),
                rows["status"] == "partial",
                rows["kind"].notna(),
            ],
            [rows["reason"].fillna(""), "provisional", "inherited", "penalty", "partial", "wrong"],
            "not_shown",
        ),
        rows.index,
    )


def losses_by(lost: pd.DataFrame, by: By, items: pd.DataFrame | None = None) -> pd.DataFrame:
    """Marks lost in each cell by tag, check kind, point or kind of error, the most first.

    ``lost``: what ``losses`` gave. ``times``: how many nodes lost something. ``share``: of the cell's
    lost marks; a subquestion with several tags counts for each of them, so that shares by tag may
    add up to more than 1. By tag the frame of ``items`` is needed.
    """
    rows = lost[(lost["lost"] > 0) | (lost["lost_if_open"] > 0)]
    total = rows.groupby(CELL, sort=False)["lost"].sum()
    keys: Sequence[str] = [by]
    if by == "tag":
        if items is None:
            raise ValueError("tags are in the frame of items")
        tags = items[["problem_id", "sub_id", "tags"]].explode("tags").rename(columns={"tags": "tag"})
        rows = rows.merge(tags.dropna(subset="tag"), on=["problem_id", "sub_id"])
    elif by == "kind":
        rows = rows.assign(kind=rows["kind"].fillna("flexible"))
    elif by == "point":
        keys = ["problem_id", "sub_id", "point_id"]
    rows = rows.assign(times=rows["lost"] > 0)
    found = rows.groupby([*CELL, *keys], sort=False)[["times", "lost", "lost_if_open"]].sum().reset_index()
    whole = total.reindex(pd.MultiIndex.from_frame(found[CELL])).to_numpy(float)
    found["share"] = found["lost"].to_numpy(float) / np.where(whole > 0, whole, np.nan)
    order = [*CELL, "lost", "lost_if_open", *keys]
    ascending = [True, True, True, False, False, *(True for _ in keys)]
    return found.sort_values(order, ascending=ascending, kind="stable", ignore_index=True)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a cell's lost marks come from, as shares of its full marks."""

    model: str
    protocol: str
    mode: str
    lost: Estimate
    inherited: Estimate
    """What follow-through gives back: right after an own earlier error."""
    fresh: Estimate
    """The rest."""
    of_lost: Estimate | None
    """The inherited share of the lost marks; None where none are lost."""


def origins(subquestions: pd.DataFrame, *, level: float = 0.95) -> list[Origin]:
    """Inherited against fresh errors of each cell.

    Lost is what is lost however the open points will be decided; the bounds hold what they can add.
    Only points that state what they follow from can be seen to be inherited.
    """
    found = []
    for names, cell in by_cell(subquestions):
        lost = cell["full_mark"] - cell["high"]
        inherited = (cell["earned_follow"] - cell["earned"]).clip(lower=0, upper=lost)
        open_marks = cell["high"] - cell["low"]
        parts = [_part(cell, marks, open_marks, level) for marks in (lost, inherited, lost - inherited)]
        if parts[0] is not None and parts[1] is not None and parts[2] is not None:
            of_lost = share(cell.assign(earned=inherited, low=inherited, high=inherited, full_mark=lost))
            found.append(Origin(*names, parts[0], parts[1], parts[2], of_lost))
    return found


def _part(
    cell: pd.DataFrame, marks: pd.Series[float], open_marks: pd.Series[float], level: float
) -> Estimate | None:
    return share(cell.assign(earned=marks, low=marks, high=marks + open_marks), level=level)
