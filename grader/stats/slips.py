"""Marks that hang on how an answer is written: code couldn't read it, whatever it says.

Of a formal point whose value code didn't read, three things can be known.
*Recovered*: a judge's quotation, a judge or a human found it right after all; such marks are
in the score. *Unread*: it is undetermined for a reason of form (no candidate, conflicting candidates, not
comparable), and nobody has said more. *Contested*: code decided against it, and a judge
awarded more. So what a model loses by form is at least what was recovered, had nobody
but code looked, and at most all three together. In between, an unread point is
taken as the model's own other answers to the same point came out where they
could be read, in whatever form.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from grader.record.values import Reason
from grader.score import DIGITS, Award, earned_marks
from grader.stats.rubrics import Marked, Rubric, Rubrics, by_answer, marked

FORM = (Reason.NO_CANDIDATE.value, Reason.CONFLICTING_CANDIDATES.value, Reason.NOT_COMPARABLE.value)
"""Reasons that say how an answer is written, not what it says."""
SLIPS = ["recovered", "unread", "contested", "imputed"]
_SUB = ["model", "protocol", "mode", "problem_id", "sub_id"]


def slips(points: pd.DataFrame, rubrics: Rubrics) -> pd.DataFrame:
    """Marks by subquestion of a cell, samples added up, that hang on form: those with any.

    Columns: model, protocol, mode, problem_id, sub_id, ``recovered`` (in the score), ``unread``,
    ``contested`` (not in it) and ``imputed`` (how much of the unread marks the model would have earned).
    """
    formal = points["kind"].notna() & (points["shape"] == "point")
    points = points.assign(rate=_elsewhere(points), state=np.where(formal, _states(points), ""))
    names = ["model", "protocol", "mode", "problem_id", "sub_id", "sample"]
    touched = points.loc[points["state"] != "", names].drop_duplicates()
    rows = by_answer(points.merge(touched, on=names))
    if rows.empty:
        return pd.DataFrame(columns=[*_SUB, *SLIPS])
    found = pd.DataFrame(list(_slips(rows, rubrics)), columns=["row", *SLIPS]).set_index("row")
    answers = rows.loc[found.index, _SUB].join(found)
    return answers.groupby(_SUB, sort=False)[SLIPS].sum().round(DIGITS).reset_index()


def _states(points: pd.DataFrame) -> npt.NDArray[Any]:
    award, track = points["award"], points["track"]
    by_others = track.isin(["judge", "human"]) & points["award_code"].isna()
    return np.select(
        [
            (award > 0) & (by_others | (track == "located")),
            award.isna() & points["reason"].isin(FORM),
            (track == "formal") & (points["award_judge"] > award),
        ],
        ["recovered", "unread", "contested"],
        "",
    )


def _elsewhere(points: pd.DataFrame) -> pd.Series[float]:
    """The mean award of the model's answers to the same point under any condition, where decided; else 0."""
    own = points.groupby(["model", "problem_id", "sub_id", "point_id"], sort=False)["award"]
    rate: pd.Series[float] = own.transform("mean").fillna(0.0)
    return rate


def _slips(rows: pd.DataFrame, rubrics: Rubrics) -> Iterator[tuple[int, float, float, float, float]]:
    states, rates = rows["state"].to_numpy(), rows["rate"].to_numpy(float)
    judged, worth = rows["award_judge"].to_numpy(float), rows["points"].to_numpy(float)
    for answer in marked(rows):
        rubric, here = rubrics[answer.key], answer.rows
        state = states[here]
        without, read, best = (
            _changed(rubric, answer, state == name, to)
            for name, to in (("recovered", 0.0), ("unread", 1.0), ("contested", judged[here]))
        )
        stands = earned_marks(rubric.nodes, rubric.full_mark, answer.standing())
        unread = read - stands
        weight = worth[here] * (state == "unread")
        rate = float(weight @ rates[here] / weight.sum()) if weight.sum() else 0.0
        yield here.start, stands - without, unread, best - stands, unread * rate


def _changed(
    rubric: Rubric, answer: Marked, which: npt.NDArray[np.bool_], to: float | npt.NDArray[np.float64]
) -> float:
    """The marks of the answer with other awards for some of its points."""
    awards = np.broadcast_to(np.asarray(to, float), answer.awards.shape)
    changed = {answer.ids[at]: Award(float(awards[at])) for at in np.flatnonzero(which)}
    return earned_marks(rubric.nodes, rubric.full_mark, {**answer.standing(), **changed})
