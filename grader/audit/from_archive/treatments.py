"""A score under each way to treat what a judge left open: left out, as zero, at its worst, at its best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from grader.audit.result import Measure
from grader.grade.plan import PlannedSubquestion
from grader.score import Award, Open, earned_marks
from grader.stats.jackknife import ratio, share_interval

TREATMENTS = {
    "excluded": "score, open points left out",
    "zero": "score, open points as zero",
    "worst": "score, open points at their worst",
    "best": "score, open points at their best",
}
"""Names of measures. ``excluded`` takes the marks that open points could still earn out of the full marks;
``zero`` gives and takes nothing for them; the worst case also meets open deductions and vetoes."""

Awards = tuple[tuple[str, float | None, bool], ...]
"""Of each node that isn't a group: its id, what code or judge awarded, and whether the judge left it open."""


@dataclass(frozen=True, slots=True)
class Treated:
    """The marks of an answer by treatment, and the full marks they are of."""

    excluded: float
    excluded_full: float
    zero: float
    worst: float
    best: float
    full: float


@dataclass(slots=True)
class Treating:
    """Scores answers; most answers to a question are alike in what was decided."""

    _known: dict[tuple[str, str, Awards], Treated] = field(default_factory=dict)

    def treated(self, sub: PlannedSubquestion, awards: Awards) -> Treated:
        """What else is open (by code, or because nobody was asked) counts as zero throughout."""
        key = (sub.problem_id, sub.sub_id, awards)
        if key not in self._known:
            self._known[key] = _treated(sub, awards)
        return self._known[key]


def _treated(sub: PlannedSubquestion, awards: Awards) -> Treated:
    given = {name: Award(None if left else award or 0.0) for name, award, left in awards}

    def earned(open_as: Open) -> float:
        return earned_marks(sub.nodes, sub.full_mark, given, open_as=open_as)

    zero, worst, best = earned("ignored"), earned("worst"), earned("best")
    could = (
        earned_marks(sub.nodes, sub.full_mark, given | _penalties_settled(sub, given), open_as="best") - zero
    )
    return Treated(zero, sub.full_mark - could, zero, worst, best, sub.full_mark)


def _penalties_settled(sub: PlannedSubquestion, given: Mapping[str, Award]) -> dict[str, Award]:
    """Open deductions and vetoes as not met: they take marks, and no mark is to be earned by them."""
    names = [point.node.id for point in sub.points if point.shape in ("deduction", "veto")]
    return {name: Award(0.0) for name in names if name in given and given[name].award is None}


def scores(rows: pd.DataFrame, *, of: str, level: float) -> Iterator[Measure]:
    """The four scores of answers: ``rows`` with ``problem_id`` and the fields of Treated."""
    codes, names = pd.factorize(rows["problem_id"], sort=True)

    def sums(column: str) -> np.ndarray:
        return np.bincount(codes, rows[column].to_numpy(float), len(names)).astype(float)

    for treatment, name in TREATMENTS.items():
        full = sums("excluded_full" if treatment == "excluded" else "full")
        found = ratio(sums(treatment), full)
        if not full.sum():
            yield Measure(name, None, "share", of)
            continue
        low, high = (None if np.isnan(end) else float(end) for end in share_interval(found, level))
        yield Measure(name, float(found.value), "share", of, low, high, len(rows), int(found.problems))


def frame(rows: Sequence[tuple[str, str, str, Treated]]) -> pd.DataFrame:
    """Of answers: model, protocol, problem and their treated marks."""
    columns = list(Treated.__slots__)
    values = [(*names, *(getattr(one, name) for name in columns)) for *names, one in rows]
    return pd.DataFrame(values, columns=["model", "protocol", "problem_id", *columns])
