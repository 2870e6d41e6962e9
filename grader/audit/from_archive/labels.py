"""A judge's decided points that people marked at random, and what each stands for.

An estimate over them speaks of all decisions of the judge: each marked point weighs the inverse of the
probability with which it came to be marked (Horvitz and Thompson 1952). That is the rate of its stratum;
where some drawn points still await marks, the marked ones of the same stratum and rate stand for them.
Where every point of a stratum is marked, there is nothing to infer: each weighs 1, drawn or not.
Marks on doubtful points that nobody drew are no random sample and stand for nothing but themselves: they
are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from grader.archive.review_entry import FINAL
from grader.render.words import counted
from grader.stats.checked.columns import PLACE
from grader.stats.jackknife import Floats

if TYPE_CHECKING:
    from grader.stats.checked import Checked

FORMAL = "formal"
FLEXIBLE = "flexible"
STATUSES = ("not_met", "partial", "met")
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Labels:
    """What people's random marks say of one judge."""

    asked: pd.DataFrame
    """All points that came before the judge, undetermined ones too: rows of ``Checked.points``."""
    decided: pd.DataFrame
    """Those of ``asked`` that it decided."""
    marked: pd.DataFrame
    """Those of ``decided`` that count, with

    - ``weight``: the number of decided points each stands for;
    - ``right``: the share of people who gave the judge's award, 0 or 1 unless they differ and nobody settled;
    - ``human_not_met``, ``human_partial``, ``human_met``: the shares of people who said so;
    - ``type``: of the point, its check's kind or ``flexible``, and its shape where it isn't a plain point.
    """
    waiting: int
    """Decided points that were drawn and that nobody marked yet."""
    unseen: int
    """Decided points of strata without a random mark: no estimate speaks of them."""
    notes: tuple[str, ...]
    """How marks were chosen, what they stand for, and what is left out."""

    @property
    def problems(self) -> int:
        """Problems with a marked point."""
        return int(self.marked["problem_id"].nunique())


def labels(checked: Checked, judge: str) -> Labels:
    """The random marks on one judge's decisions; ``judge`` is ``<card>@<hash>`` or ``formal``."""
    asked = _of(checked.points, judge)
    decided = asked[asked["award"].notna() & asked["status"].isin(STATUSES)]
    weights, notes, unseen = _weights(decided)
    marked = decided[weights > 0].assign(weight=weights[weights > 0], type=_types)
    marked = _with_shares(marked, checked.ratings)
    waiting = int((decided["drawn"].astype(bool) & decided["human"].isna()).sum())
    return Labels(asked, decided, marked, waiting, unseen, tuple(notes))


def what_to_do(found: Labels, judge: str, least: int) -> str:
    """How to get to ``least`` random marks on a judge's decisions."""
    short = least - len(found.marked)
    if found.waiting >= short > 0:
        return f"Mark the spot check: {counted(found.waiting, 'drawn point')} await marks (argus review)."
    setting = "formal" if judge == FORMAL else "confident and doubtful"
    rate = least / max(len(found.decided), 1)
    if rate <= 1:
        return (
            f"Raise the rates {setting} under [spot_check] of the judge card to about {min(1.0, rate):.2g}, "
            "grade again, and mark what is drawn (argus review)."
        )
    return "Grade more answers with this judge, draw a spot check of them, and mark it (argus review)."


def problem_sums(marked: pd.DataFrame, *columns: npt.ArrayLike) -> list[Floats]:
    """Sums over the points of each problem, problems sorted by id: each [problems]."""
    codes, names = pd.factorize(marked["problem_id"], sort=True)
    return [np.bincount(codes, np.asarray(one, float), len(names)).astype(float) for one in columns]


def _of(points: pd.DataFrame, judge: str) -> pd.DataFrame:
    by = points["by"].astype("object").fillna("").astype(str)
    return points[by.str.startswith("formal:") if judge == FORMAL else by == f"judge:{judge}"]


def _types(marked: pd.DataFrame) -> pd.Series:
    kind = marked["kind"].astype("object").where(marked["kind"].notna(), FLEXIBLE).astype(str)
    return kind.where(marked["shape"] == "point", kind + " " + marked["shape"].astype(str))


def _weights(decided: pd.DataFrame) -> tuple[Floats, list[str], int]:
    """What each decided point stands for (0: it isn't used), sentences, and how many nothing stands for."""
    weights = np.zeros(len(decided))
    has_mark, drawn = decided["human"].notna().to_numpy(), decided["drawn"].to_numpy(bool)
    notes, unseen = [], 0
    for key, group in decided.reset_index(drop=True).groupby(["stratum", "rate"], dropna=False, sort=True):
        stratum, rate = cast("tuple[Any, float]", key)
        rows = group.index.to_numpy()
        own, random = has_mark[rows], has_mark[rows] & drawn[rows]
        name = "no stratum" if pd.isna(stratum) else f"stratum {stratum}"
        if own.all():
            weights[rows] = 1.0
            notes.append(f"{name}: all {counted(len(rows), 'point')} marked.")
        elif pd.isna(rate) or not random.any():
            unseen += len(rows)
            how = "of unknown rate" if pd.isna(rate) else f"drawn at rate {rate:g}"
            notes.append(f"{name} {how}: no random mark on {counted(len(rows), 'point')}; not spoken of.")
        else:
            taken = drawn[rows].sum()
            weights[rows[random]] = taken / random.sum() / rate
            notes.append(f"{name}: drawn at rate {rate:g}, {random.sum()} of {taken} drawn points marked.")
    selective = int((has_mark & (weights == 0)).sum())
    if selective:
        notes.append(
            f"{counted(selective, 'marked point')} left out: marked for being doubtful or fragile, not drawn."
        )
    if weights.any():
        notes.append("Each marked point weighs the inverse of its probability of being drawn and marked.")
    return weights, notes, unseen


def _with_shares(marked: pd.DataFrame, ratings: pd.DataFrame) -> pd.DataFrame:
    """Adds ``right`` and the shares of people by status."""
    human, award = marked["human"].to_numpy(float), marked["award"].to_numpy(float)
    right = (np.abs(human - award) < _SAME).astype(float)
    shares = _statuses(human)
    for place, given in _unsettled(marked, ratings):
        right[place] = float(np.mean(np.abs(given - award[place]) < _SAME))
        shares[place] = _statuses(given).mean(axis=0)
    said = {f"human_{status}": shares[:, place] for place, status in enumerate(STATUSES)}
    return marked.assign(right=right, **said)


def _statuses(awards: Floats) -> Floats:
    """[awards, 3]: not met, partial, met."""
    ends = np.stack([awards < _SAME, awards > 1 - _SAME], axis=1).astype(float)
    return np.stack([ends[:, 0], 1 - ends.sum(axis=1), ends[:, 1]], axis=1)


def _unsettled(marked: pd.DataFrame, ratings: pd.DataFrame) -> list[tuple[int, Floats]]:
    """Places in ``marked`` where people's blind marks differ and nobody settled it, with these marks."""
    open_places = np.flatnonzero(marked["disagree"].to_numpy(bool))
    if not len(open_places):
        return []
    wanted = pd.MultiIndex.from_frame(marked.iloc[open_places][PLACE])
    # a mark from a file that isn't blind is an adjudicated one
    settles = ratings["kind"].isin(FINAL) | ((ratings["kind"] == "file") & ~ratings["blind"].astype(bool))
    settled = wanted.isin(pd.MultiIndex.from_frame(ratings.loc[settles, PLACE]))
    given = blind_ratings(ratings)
    groups = given.groupby(PLACE, sort=False)["award"].indices
    awards = given["award"].to_numpy(float)
    return [
        (int(place), awards[groups[name]])
        for place, name, over in zip(open_places, wanted, settled, strict=True)
        if not over and name in groups
    ]


def blind_ratings(ratings: pd.DataFrame) -> pd.DataFrame:
    """What each person said last of each point before seeing what stood; seeded items and blanks left out."""
    kept = ratings["blind"].astype(bool) & ratings["award"].notna() & ratings["gold"].isna()
    blind = ratings[kept & ~ratings["kind"].isin(FINAL)]
    return blind.drop_duplicates([*PLACE, "person"], keep="last")
