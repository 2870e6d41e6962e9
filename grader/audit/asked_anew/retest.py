"""A6: does the judge say the same when it is asked the same again?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from grader.audit.result import Audit, Case, Measure, NotAudited, Unit
from grader.audit.words import percent
from grader.record import Reason
from grader.render.words import counted
from grader.stats.agreement.repeats import Repeats, repeats
from grader.stats.agreement.resampling import Interval
from grader.stats.flips import detectable_share, exceeds, upper_bound

LEAST_POINTS, LEAST_TIMES = 100, 3
TOLERATED = 0.05
"""A share of points with changing verdicts that is not yet called a fault."""
DO = "See what can be asked by argus audit plan SUITE --judge CARD, and ask by argus audit run."


def retest(
    frame: pd.DataFrame,
    judge: str,
    *,
    level: float = 0.95,
    seed: int = 0,
    notes: Sequence[str] = (),
) -> Audit | NotAudited:
    """How often the same request gets the same verdict; ``frame``: see ``grader.audit.asked_anew.asked``.

    Every outcome is a category, and being undetermined (an unreadable reply among others) is one.
    Points that weren't asked as often as the others are left out and counted.
    """
    asked = frame[(frame["variant"] == "base") | frame["variant"].str.startswith("repeat ")]
    table = asked.pivot(index=["answer", "point_id"], columns="variant", values="said")
    whole = table.dropna()
    if whole.empty or whole.shape[1] < 2:
        why = "no point was judged as often as the suite says" if len(table) else "no answer was judged again"
        return NotAudited("A6", judge, why, DO)
    rows = asked.set_index(["answer", "point_id"]).loc[whole.index]
    credit = asked.pivot(index=["answer", "point_id"], columns="variant", values="credit").loc[whole.index]
    said = whole.to_numpy(dtype=object)
    changing = (said != said[:, :1]).any(axis=1)
    problem, _ = pd.factorize(rows.loc[~rows.index.duplicated(), "problem_id"].loc[whole.index], sort=True)
    found = repeats(credit.to_numpy(dtype=float), problem.astype(np.intp), level=level, seed=seed)
    assert found is not None
    measures = (*_measures(found, changing, level), *_replies(rows, level))
    gaps = len(table) - len(whole)
    return Audit(
        "A6",
        judge,
        measures,
        (_says(measures[0], found.fleiss.value, changing),),
        (
            f"Each of {counted(len(whole), 'point')} was asked about {found.runs} times.",
            *((f"{counted(gaps, 'point')} without all repeats left out.",) if gaps else ()),
            *notes,
        ),
        tuple(_cases(rows, whole, changing)),
        level,
        len(whole) < LEAST_POINTS or found.runs < LEAST_TIMES,
    )


def _measures(found: Repeats, changing: npt.NDArray[np.bool_], level: float) -> Iterator[Measure]:
    n, count, equal = len(changing), int(changing.sum()), found.all_equal
    p = exceeds(count, n, TOLERATED)
    low, high = (None if one is None else 1 - one for one in (equal.high, equal.low))
    yield Measure(
        "points whose verdict changes",
        count / n,
        "share",
        low=low,
        high=upper_bound(count, n, level) if high is None else high,
        n=n,
        problems=equal.problems,
        p=p,
        p_adjusted=p,
        detectable=detectable_share(n, TOLERATED, level=level),
        flagged=p < 1 - level and (low is None or low > TOLERATED),
    )
    yield _interval("all repeats equal", "share", equal, n)
    yield _interval("Fleiss' kappa of the repeats", "correlation", found.fleiss, n - found.incomplete)
    yield _interval("spread of a point's credit (SD)", "share", found.sd, n)
    yield _interval("entropy of a point's verdicts, bits", "number", found.entropy, n)


def _interval(name: str, unit: Unit, found: Interval, n: int) -> Measure:
    return Measure(name, found.value, unit, low=found.low, high=found.high, n=n, problems=found.problems)


def _replies(rows: pd.DataFrame, level: float) -> Iterator[Measure]:
    """How many of all outcomes are no verdicts."""
    hits = {
        "unreadable replies": rows["said"] == str(Reason.REPLY_UNREADABLE),
        "undetermined verdicts": rows["award"].isna(),
    }
    n, problems = len(rows), int(rows["problem_id"].nunique())
    for name, hit in hits.items():
        count = int(hit.sum())
        yield Measure(name, count / n, "share", high=upper_bound(count, n, level), n=n, problems=problems)


def _says(changes: Measure, kappa: float | None, changing: npt.NDArray[np.bool_]) -> str:
    said = f"{int(changing.sum())} of {counted(len(changing), 'point')}"
    if changes.flagged:
        return f"Asked the same again, the judge changes its mind on {said}: more than slips."
    told = "" if kappa is None else f" (Fleiss' kappa {kappa:.2f})"
    if changes.detectable is None:
        return f"The verdicts of {said} changed on asking again{told}; so few can't show a fault."
    return (
        f"The verdicts of {said} changed on asking again{told}; "
        f"a share of {percent(changes.detectable)} would have been found to be too much."
    )


def _cases(rows: pd.DataFrame, whole: pd.DataFrame, changing: npt.NDArray[np.bool_]) -> Iterator[Case]:
    for key in whole.index[changing]:
        several = rows.loc[[key]]
        calls = tuple(one for keys in several["keys"] for one in keys)
        said = f"the same request got: {', '.join(several['said'])}"
        yield Case(str(several["where"].iloc[0]), said, calls)
