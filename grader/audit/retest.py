"""A6: does the judge say the same when it is asked the same again?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from grader.audit.result import Audit, Case, Measure, NotAudited
from grader.audit.words import counted, percent
from grader.record import Reason
from grader.stats.agreement.additive import fleiss_kappa
from grader.stats.agreement.additive import ratio as ratio_of
from grader.stats.agreement.resampling import Additive, Interval, cluster_bootstrap
from grader.stats.flips import detectable_share, exceeds, upper_bound
from grader.stats.jackknife import Floats

LEAST_POINTS = 100
TOLERATED = 0.05
"""A share of points with changing verdicts that is not yet called a fault."""
DO = "Make the suite's calls first: argus audit run SUITE --judge CARD."


def retest(
    frame: pd.DataFrame,
    judge: str,
    *,
    level: float = 0.95,
    seed: int = 0,
    notes: Sequence[str] = (),
) -> Audit | NotAudited:
    """How often the same request gets the same verdict; ``frame``: see ``grader.audit.asked``.

    Every outcome is a category, replies that can't be read among them. Points
    that weren't asked as often as the others are left out and counted.
    """
    asked = frame[(frame["variant"] == "base") | frame["variant"].str.startswith("repeat ")]
    said = asked.pivot(index=["answer", "point_id"], columns="variant", values="said")
    whole = said.dropna()
    if whole.empty or whole.shape[1] < 2:
        why = "no answer was judged twice" if said.empty else "no point has all its repeats"
        return NotAudited("A6", judge, why, DO)
    place = asked.drop_duplicates(["answer", "point_id"]).set_index(["answer", "point_id"]).loc[whole.index]
    codes = _coded(whole)
    changing = (codes != codes[:, :1]).any(axis=1)
    measures = tuple(_measures(asked, whole, place, codes, changing, level, seed))
    times = f"Each of {counted(len(whole), 'point')} was asked about {whole.shape[1]} times."
    gaps = len(said) - len(whole)
    return Audit(
        "A6",
        judge,
        measures,
        (_says(measures[0], measures[1], changing),),
        (times, *((f"{counted(gaps, 'point')} without all repeats left out.",) if gaps else ()), *notes),
        tuple(_cases(asked, whole, changing)),
        level,
        len(whole) < LEAST_POINTS,
    )


def _measures(
    asked: pd.DataFrame,
    whole: pd.DataFrame,
    place: pd.DataFrame,
    codes: npt.NDArray[np.intp],
    changing: npt.NDArray[np.bool_],
    level: float,
    seed: int,
) -> Iterator[Measure]:
    n, count = len(codes), int(changing.sum())
    problem, names = pd.factorize(place["problem_id"], sort=True)
    cluster = problem.astype(np.intp)
    spread, entropy = _spread(asked, whole), _entropy(codes)
    statistics = [
        ratio_of(changing.astype(float)),
        fleiss_kappa(codes.astype(float)),
        Additive(ratio_of(spread**2).parts, lambda sums: np.sqrt(sums[..., 0] / sums[..., 1])),
        ratio_of(entropy),
    ]
    found = cluster_bootstrap(statistics, cluster, level=level, seed=seed)
    p = exceeds(count, n, TOLERATED)
    yield Measure(
        "points whose verdict changes",
        count / n,
        "share",
        low=found[0].low,
        high=found[0].high if found[0].high is not None else upper_bound(count, n, level),
        n=n,
        problems=len(names),
        p=p,
        p_adjusted=p,
        detectable=detectable_share(n, TOLERATED, level=level),
        flagged=p < 1 - level and (found[0].low is None or found[0].low > TOLERATED),
    )
    yield _interval("Fleiss' kappa of the repeats", "correlation", found[1], n)
    yield _interval("spread of credit (SD)", "points", found[2], n)
    yield _interval("entropy of verdicts, bits", "number", found[3], n)
    rows = asked.set_index(["answer", "point_id"]).loc[whole.index]
    yield _replies(rows, "unreadable replies", rows["said"] == str(Reason.REPLY_UNREADABLE), level)
    yield _replies(rows, "undetermined verdicts", rows["award"].isna(), level)


def _replies(rows: pd.DataFrame, name: str, hit: pd.Series, level: float) -> Measure:
    count, n = int(hit.sum()), len(rows)
    high = upper_bound(count, n, level)
    return Measure(name, count / n, "share", high=high, n=n, problems=int(rows["problem_id"].nunique()))


def _interval(name: str, unit: str, found: Interval, n: int) -> Measure:
    return Measure(name, found.value, unit, low=found.low, high=found.high, n=n, problems=found.problems)  # type: ignore[arg-type]  # a literal of its callers


def _coded(whole: pd.DataFrame) -> npt.NDArray[np.intp]:
    """[points, repeats]: the outcomes as numbers."""
    values = whole.to_numpy(dtype=object)
    codes, _ = pd.factorize(values.ravel(), sort=True)
    return codes.reshape(values.shape).astype(np.intp)


def _spread(asked: pd.DataFrame, whole: pd.DataFrame) -> Floats:
    """[points]: the standard deviation of each point's credit over its decided repeats; nan of one alone."""
    credit = asked.pivot(index=["answer", "point_id"], columns="variant", values="credit").loc[whole.index]
    return credit.std(axis=1, ddof=1).to_numpy(float)


def _entropy(codes: npt.NDArray[np.intp]) -> Floats:
    """[points]: Shannon's entropy of each point's outcomes, in bits."""
    from scipy.stats import entropy

    counts = np.stack([(codes == code).sum(axis=1) for code in range(int(codes.max()) + 1)])
    return np.asarray(entropy(counts, base=2, axis=0), float)


def _says(changes: Measure, kappa: Measure, changing: npt.NDArray[np.bool_]) -> str:
    said = f"{int(changing.sum())} of {counted(len(changing), 'point')}"
    if changes.flagged:
        return f"Asked the same again, the judge changes its mind on {said}: more than chance slips would."
    told = "" if kappa.value is None else f" (Fleiss' kappa {kappa.value:.2f})"
    if changes.detectable is None:
        return f"The verdicts of {said} changed on asking again{told}; so few points can't show a fault."
    return (
        f"The verdicts of {said} changed on asking again{told}; "
        f"a share of {percent(changes.detectable)} would have been found to be too much."
    )


def _cases(asked: pd.DataFrame, whole: pd.DataFrame, changing: npt.NDArray[np.bool_]) -> Iterator[Case]:
    rows = asked.set_index(["answer", "point_id"]).sort_index()
    for key in whole.index[changing]:
        several = rows.loc[[key]]
        said = ", ".join(several["said"])
        calls = tuple(key for keys in several["keys"] for key in keys)
        yield Case(str(several["where"].iloc[0]), f"the same request got: {said}", calls)
