"""Samples for estimators, from checked points: which marks count, and what they stand for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np
import numpy.typing as npt
import pandas as pd

from grader.errors import AuditError
from grader.judge.spot_check import Stratum
from grader.score import DIGITS
from grader.stats.checked.columns import PLACE
from grader.stats.checked.reading import Checked, Places
from grader.stats.correction.sample import Sample
from grader.stats.reading import Cell

QUESTION = ["problem_id", "sub_id"]
_WHO = {
    Stratum.FORMAL: "code decided",
    Stratum.CONFIDENT: "the judge decided and nobody doubts",
    Stratum.DOUBTFUL: "the judge decided and that are doubted",
}
_MARK = "Mark the spot check: argus review."
_DRAW = (
    "Raise the stratum's rate under [spot_check] of the judge card, grade the run again (nothing is asked "
    "twice) and mark what is drawn: argus review."
)


def sample_of(checked: Checked, model: str, protocol: str, mode: str) -> Sample:
    """The points of one cell that code or judge decided; marks count as ``designed`` says.

    Problems are in the order of their ids. What is still open adds nothing; what
    people settled where neither code nor judge decided is in ``rest``. Raises
    AuditError where the cell isn't there, and where what was marked says nothing
    of a part of it.
    """
    cell = (model, protocol, mode)
    points, answers = _points(checked, cell), _answers(checked, cell)
    problems = sorted(answers["problem_id"].unique())
    return _sample(points, answers, problems, np.ones(len(points)), np.ones(len(answers)))


def samples_of(checked: Checked, cells: Sequence[Cell]) -> list[Sample]:
    """Samples of several cells over the subquestions they have in common; index k is one problem in all.

    A subquestion weighs its full mark in every cell, and its samples share that
    weight equally, however many there are. AuditError as ``sample_of``, and
    where nothing is common.
    """
    answers = [_answers(checked, cell) for cell in cells]
    questions = [_questions(frame) for frame in answers]
    common: pd.MultiIndex = reduce(lambda one, other: one.intersection(other), questions)
    if not len(common):
        raise AuditError(
            "these have no subquestion in common, so there is no difference to estimate",
            got=" and ".join(", ".join(cell) for cell in cells),
        )
    problems = sorted(common.get_level_values(0).unique())
    found = []
    for cell, frame in zip(cells, answers, strict=True):
        held = frame[_questions(frame, unique=False).isin(common)]
        counts = held.groupby(QUESTION).size()
        points = _points(checked, cell)
        points = points[_places(points).isin(counts.index)]
        weights = [1 / counts.reindex(_places(one)).to_numpy(float) for one in (points, held)]
        found.append(_sample(points, held, problems, *weights))
    return found


def together(checked: Checked, cells: Sequence[Cell]) -> list[Sample]:
    """Samples of several cells whose marks are used together, cells without marks of their own included.

    Index k is one problem in all; a problem that a cell lacks has no full marks
    there. A stratum is drawn and marked over all cells: what is drawn of it in one
    stands for it in all. AuditError as ``sample_of``, for the cells taken together.
    """
    points = designed(pd.concat([in_score(checked, cell) for cell in cells]))
    answers = [_answers(checked, cell) for cell in cells]
    problems = sorted({name for frame in answers for name in frame["problem_id"]})
    found = []
    for cell, frame in zip(cells, answers, strict=True):
        own = points[(points[PLACE[:3]] == list(cell)).all(axis=1)]
        found.append(_sample(own, frame, problems, np.ones(len(own)), np.ones(len(frame))))
    return found


def samples_by_cell(checked: Checked) -> tuple[dict[Cell, Sample], dict[Cell, AuditError]]:
    """The sample of each model, protocol and mode, and why there is none of the others."""
    samples: dict[Cell, Sample] = {}
    refused: dict[Cell, AuditError] = {}
    for cell in checked.cells:
        try:
            samples[cell] = sample_of(checked, *cell)
        except AuditError as error:
            refused[cell] = error
    return samples, refused


def designed(points: pd.DataFrame) -> pd.DataFrame:
    """The same points of one cell (or of several taken together) with what their marks stand for.

    ``counts``: it was drawn, or all of its stratum is marked, so that nothing is
    left to chance. ``probability``: of counting and being marked, the stratum's
    rate times the share marked of what was drawn; 1 where all is marked. Raises
    AuditError where marks that count say nothing of a stratum.
    """
    drawn, marked = points["drawn"].to_numpy(bool), points["human"].notna().to_numpy()
    rates, strata = points["rate"].to_numpy(float), points["stratum"].to_numpy(str)
    worth = np.abs(points["points"].fillna(0.0).to_numpy(float))
    counts, probability = drawn.copy(), np.full(len(points), np.nan)
    if points.empty:
        raise AuditError(
            "neither code nor a judge decided anything of this score, so nothing can be corrected"
        )
    names = [name for name in Stratum if (strata == name).any()]
    whole = [name for name in names if marked[strata == name].all()]
    if not (marked & (drawn | np.isin(strata, whole))).any():
        raise _nothing(int(drawn.sum()), int(marked.sum()), len(points))
    for name in names:
        own = strata == name
        of_drawn, rate = marked[own & drawn], np.nanmax(rates[own], initial=0.0)
        if name in whole:
            counts[own], probability[own] = True, 1.0
        elif len(of_drawn) and of_drawn.any():
            probability[own] = rates[own] * of_drawn.mean()
        elif not len(of_drawn) and rate > 0:
            probability[own] = rate  # drawn at that rate, and chance took none
        else:
            raise _unmeasured(name, len(of_drawn), float(worth[own].sum() / (worth.sum() or 1.0)))
    return points.assign(counts=counts, probability=probability)


def _nothing(drawn: int, marked: int, points: int) -> AuditError:
    selected = f"marks on {marked} of {points} points, none of them drawn at random" if marked else None
    if drawn:
        return AuditError(f"none of {drawn} drawn points is marked yet", got=selected, do=_MARK)
    return AuditError("no spot check was drawn of this score", got=selected, do=_DRAW)


def _unmeasured(name: Stratum, drawn: int, share: float) -> AuditError:
    which = f"points that {_WHO[name]} (stratum {name}, {100 * share:.1f} % of the marks)"
    if drawn:
        return AuditError(f"none of the {drawn} drawn {which} is marked yet", do=_MARK)
    return AuditError(f"nothing was drawn of the {which}, nor is it known at what rate", do=_DRAW)


def in_score(checked: Checked, cell: Cell) -> pd.DataFrame:
    """The points of a cell that code or judge decided, and whose marks are in its score."""
    points = checked.points.take(_cell(checked, cell)[1])
    return points[points["graded"].notna()]


def _points(checked: Checked, cell: Cell) -> pd.DataFrame:
    return designed(in_score(checked, cell))


def _answers(checked: Checked, cell: Cell) -> pd.DataFrame:
    return checked.answers.take(_cell(checked, cell)[0])


def _cell(checked: Checked, cell: Cell) -> tuple[Places, Places]:
    if cell not in checked.cells:
        raise AuditError(
            "there are no answers of this model under these conditions",
            got=", ".join(cell),
            expected="; ".join(", ".join(one) for one in checked.cells),
        )
    return checked.cells[cell]


def _places(frame: pd.DataFrame) -> pd.MultiIndex:
    return pd.MultiIndex.from_frame(frame[QUESTION])


def _questions(answers: pd.DataFrame, *, unique: bool = True) -> pd.MultiIndex:
    """A subquestion with another full mark is another question."""
    marks = answers["full_mark"].round(DIGITS)
    found = pd.MultiIndex.from_arrays([answers["problem_id"], answers["sub_id"], marks])
    return found.unique() if unique else found


def _sample(
    points: pd.DataFrame,
    answers: pd.DataFrame,
    problems: Sequence[str],
    of_points: npt.NDArray[np.float64],
    of_answers: npt.NDArray[np.float64],
) -> Sample:
    """Points and answers that weigh so much each."""
    graded = points["graded"].to_numpy(float)
    counted = points["counts"].to_numpy(bool)
    marked = np.where(counted, points["marked"].to_numpy(float), np.nan)
    human, award = points["human"].to_numpy(float), points["award"].to_numpy(float)
    index = pd.Index(problems)
    answered = index.get_indexer(pd.Index(answers["problem_id"]))

    def by_problem(marks: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return np.bincount(answered, marks * of_answers, len(problems)).astype(float)

    return Sample(
        graded=graded * of_points,
        marked=marked * of_points,
        probability=points["probability"].to_numpy(float),
        problem=index.get_indexer(pd.Index(points["problem_id"])).astype(np.intp),
        full=by_problem(answers["full_mark"].to_numpy(float)),
        rest=by_problem((answers["rest"] + answers["settled"]).to_numpy(float)),
        disagrees=~np.isnan(marked) & (np.abs(human - award) > 10**-DIGITS),
        worth=points["points"].abs().fillna(0.0).to_numpy(float) * of_points,
    )
