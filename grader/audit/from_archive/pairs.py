"""Pairs of verdicts on the same points, of judge and people or of people and people, with weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from grader.audit.from_archive.labels import STATUSES, blind_ratings
from grader.audit.result import Measure, Unit
from grader.stats.agreement import additive
from grader.stats.agreement.resampling import Additive, cluster_bootstrap
from grader.stats.checked.columns import PLACE
from grader.stats.jackknife import NO_SPREAD, Floats
from grader.stats.power import detectable

KAPPA = "kappa"
BEHIND = "kappa minus people's"
ALPHA_VERDICT = "Krippendorff's alpha, nominal (verdict)"
ALPHA_CREDIT = "Krippendorff's alpha, interval (credit)"
JUDGE = "judge and one person, points marked twice"
PEOPLE = "people among themselves, points marked twice"
_UNITS: dict[str, Unit] = {"same award": "share", "same verdict": "share"}
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Pairs:
    """Two awards a row; a point may have several rows, whose weights add up to what it stands for."""

    of: str
    first: Floats
    second: Floats
    first_status: Floats
    second_status: Floats
    equal: Floats
    """Whether the awards are the same; of a point in several rows the share, in each."""
    weight: Floats
    problem: npt.NDArray[np.intp]
    points: int
    problems: int


def judge_pairs(marked: pd.DataFrame, of: str = "") -> Pairs:
    """The judge and people: of each point a row for each verdict that people gave."""
    shares = marked[[f"human_{status}" for status in STATUSES]].to_numpy(float)
    place, status = np.nonzero(shares > 0)
    problem = pd.factorize(marked["problem_id"], sort=True)[0].astype(np.intp)
    judged = marked["status"].map({name: n for n, name in enumerate(STATUSES)}).to_numpy(float)
    award, human, weight = (marked[name].to_numpy(float) for name in ("award", "human", "weight"))
    return Pairs(
        of=of,
        first=award[place],
        second=human[place],
        first_status=judged[place].astype(float),
        second_status=status.astype(float),
        equal=marked["right"].to_numpy(float)[place],
        weight=weight[place] * shares[place, status],
        problem=problem[place],
        points=len(marked),
        problems=int(problem.max(initial=-1)) + 1,
    )


def twice_marked(marked: pd.DataFrame, ratings: pd.DataFrame) -> tuple[Pairs, Pairs] | None:
    """On points marked blind by several: the judge and each of them, and every two of them, both ways.

    Rows of the two are of the same points and weigh the same in sum. None where there is no such point.
    """
    given = _by_several(marked, ratings)
    if given.empty:
        return None
    both = given.merge(given[[*PLACE, "person", "said"]], on=PLACE, suffixes=("", "_other"))
    both = both[both["person"] != both["person_other"]]
    single = _pairs(JUDGE, given, "award", "said", given["people"])
    return single, _pairs(PEOPLE, both, "said", "said_other", both["people"] * (both["people"] - 1))


def people_alphas(marked: pd.DataFrame, ratings: pd.DataFrame, level: float, seed: int) -> Iterator[Measure]:
    """Krippendorff's alpha (2011) of people on points that several marked blind: of verdicts, of credit.

    However many marked a point, and whoever they are, it weighs what it stands for; weights add up to the
    number of points, so that alike they change nothing. Intervals by problem bootstrap.
    """
    given = _by_several(marked, ratings)
    if given.empty:
        return
    wide = given.pivot(index=[*PLACE, "weight"], columns="person", values="said")
    awards, weight = wide.to_numpy(float), wide.index.get_level_values("weight").to_numpy(float)
    problem = pd.factorize(wide.index.get_level_values("problem_id"), sort=True)[0].astype(np.intp)
    statuses = np.where(np.isnan(awards), np.nan, _status(awards))
    statistics = [
        Additive(one.parts * (weight / weight.mean())[:, None], one.of)
        for one in (
            additive.krippendorff_alpha(statuses, "nominal"),
            additive.krippendorff_alpha(awards, "interval"),
        )
    ]
    found = cluster_bootstrap(statistics, problem, level=level, seed=seed)
    for name, one in zip((ALPHA_VERDICT, ALPHA_CREDIT), found, strict=True):
        ends = (one.low, one.high)
        yield Measure(name, one.value, "correlation", PEOPLE, *ends, len(wide), int(problem.max()) + 1)


def _by_several(marked: pd.DataFrame, ratings: pd.DataFrame) -> pd.DataFrame:
    """A row a blind mark (``said``) of the marked points that two or more ``people`` marked blind."""
    blind = blind_ratings(ratings)[[*PLACE, "person", "award"]].rename(columns={"award": "said"})
    given = marked[[*PLACE, "award", "weight"]].merge(blind, on=PLACE, how="inner")
    given = given.assign(people=given.groupby(PLACE, sort=False)["person"].transform("size"))
    return given[given["people"] > 1]


def _pairs(of: str, rows: pd.DataFrame, first: str, second: str, shared: pd.Series) -> Pairs:
    one, two = (rows[name].to_numpy(float) for name in (first, second))
    problem = pd.factorize(rows["problem_id"], sort=True)[0].astype(np.intp)
    return Pairs(
        of=of,
        first=one,
        second=two,
        first_status=_status(one),
        second_status=_status(two),
        equal=(np.abs(one - two) < _SAME).astype(float),
        weight=(rows["weight"] / shared).to_numpy(float),
        problem=problem,
        points=len(rows[PLACE].drop_duplicates()),
        problems=int(problem.max()) + 1,
    )


def _status(awards: Floats) -> Floats:
    return np.where(awards < _SAME, 0.0, np.where(awards > 1 - _SAME, 2.0, 1.0))


def coefficients(
    several: Sequence[Pairs], level: float, seed: int, *, behind: bool = False
) -> Iterator[Measure]:
    """All coefficients of each, over the same resamples of problems.

    ``behind``: and the kappa of the first minus that of the second, flagged where it is surely below 0.
    """
    named = [(pairs, *one) for pairs in several for one in _statistics(pairs).items()]
    joined = _side_by_side([pairs for pairs, _, _ in named], [one for _, _, one in named])
    found = cluster_bootstrap(joined[0], joined[1], level=level, seed=seed)
    for (pairs, name, _), one in zip(named, found, strict=True):
        unit = _UNITS.get(name, "correlation")
        yield Measure(name, one.value, unit, pairs.of, one.low, one.high, pairs.points, pairs.problems)
    if behind:
        kappas = [one for one, (_, name, _) in zip(joined[0], named, strict=True) if name == KAPPA]
        yield _gap(kappas, joined[1], several[0], level, seed)


def _gap(
    kappas: list[Additive], problem: npt.NDArray[np.intp], pairs: Pairs, level: float, seed: int
) -> Measure:
    (gap,) = cluster_bootstrap([kappas[0].minus(kappas[1])], problem, level=level, seed=seed)
    known = gap.se is not None and gap.se > NO_SPREAD
    return Measure(
        *(BEHIND, gap.value, "correlation", "", gap.low, gap.high, pairs.points, pairs.problems),
        detectable=detectable(gap.se or 0.0, gap.problems, level=level) if known else None,
        flagged=gap.high is not None and gap.high < 0,
    )


def _statistics(pairs: Pairs) -> dict[str, Additive]:
    said = (pairs.first_status, pairs.second_status)
    found = {
        "same award": additive.ratio(pairs.equal),
        "same verdict": additive.agreement(*said),
        KAPPA: additive.cohen_kappa(*said),
        "quadratic kappa": additive.quadratic_kappa(pairs.first, pairs.second),
        "AC1": additive.gwet_ac1(np.stack(said, axis=1), categories=len(STATUSES)),
        "MCC": additive.mcc(*said),
    }
    return {name: Additive(one.parts * pairs.weight[:, None], one.of) for name, one in found.items()}


def _side_by_side(
    several: Sequence[Pairs], statistics: Sequence[Additive]
) -> tuple[list[Additive], npt.NDArray[np.intp]]:
    """The statistics as sums by problem: an item is a problem."""
    count = max(pairs.problems for pairs in several)
    found = []
    for pairs, one in zip(several, statistics, strict=True):
        sums = np.zeros((count, one.parts.shape[1]))
        np.add.at(sums, pairs.problem, one.parts)
        found.append(Additive(sums, one.of))
    return found, np.arange(count)
