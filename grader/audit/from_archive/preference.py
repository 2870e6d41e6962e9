"""A13: does the judge favour one graded model over the others, its own family above all?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from grader.audit.from_archive.kinship import judge_families, kin_of
from grader.audit.from_archive.labels import FORMAL, Labels, labels, what_to_do
from grader.audit.result import Audit, Measure, NotAudited
from grader.audit.words import bracket, number
from grader.render.words import listed
from grader.stats.leniency import Leniency, leniency, leniency_difference
from grader.stats.multiple import holm

if TYPE_CHECKING:
    from grader.stats.checked import Checked

MIN_POINTS = 50
"""Marked points of a graded model (and of all others together) below which it isn't tested."""
MIN_PROBLEMS = 20
SAME_FAMILY = "same family as the judge"


class _Marks(NamedTuple):
    """Marked points, and which problems were judged of whom."""

    rows: pd.DataFrame
    """What leniency is worked out from; ``problem_id`` is the row of ``judged``."""
    model: npt.NDArray[np.intp]
    """[rows], the column of ``judged``."""
    judged: npt.NDArray[np.bool_]
    """[problems, models], true where the judge decided a point."""
    models: pd.Index

    @classmethod
    def of(cls, found: Labels) -> _Marks:
        (problem, problems), (model, models) = (
            pd.factorize(found.decided[name], sort=True) for name in ("problem_id", "model")
        )
        judged = np.zeros((len(problems), len(models)), bool)
        judged[problem, model] = True
        rows = found.marked[["points", "award", "human", "weight"]].assign(
            problem_id=pd.Index(problems).get_indexer(pd.Index(found.marked["problem_id"]))
        )
        of = pd.Index(models).get_indexer(pd.Index(found.marked["model"]))
        return cls(rows, of, judged, pd.Index(models))

    def of_any(self, names: list[str]) -> npt.NDArray[np.bool_]:
        """[models]"""
        return np.asarray(self.models.isin(names))


class _Side(NamedTuple):
    """One comparison: marked points of a model or a family, and those it is held against."""

    of: str
    rows: pd.DataFrame
    rest: pd.DataFrame
    found: Leniency | None
    tested: bool


class _Without(NamedTuple):
    """Comparisons of a model with all but one of the others."""

    p: float
    """The largest, adjusted."""
    detectable: float
    """The largest: what each of them would find with a power of 0.8."""


def preference(checked: Checked, judge: str, *, level: float = 0.95, seed: int = 0) -> Audit | NotAudited:
    """Leniency towards each graded model minus that towards the others, on problems both were judged on.

    A leniency that all models enjoy alike cancels out. Holm over the models, step by step: a model that is
    found to be favoured is no measure for the rest, so the next step leaves it out of the others. It must
    also be found without any one of the others, lest one model's favour count against the rest. Two models
    are one comparison. The judge's own family against all others is a test of its own. Nothing is drawn:
    ``seed`` has no effect.
    """
    found = labels(checked, judge)
    models = sorted(found.marked["model"].unique())
    if len(models) < 2:
        return _refused(found, judge)
    own = frozenset() if judge == FORMAL else judge_families(checked.archive, judge)
    kin = [model for model in models if kin_of(own, model)]
    marks = _Marks.of(found)
    against, untested = _steps(marks, models, kin, level)
    family = list(_family(marks, models, kin, level))
    levels = _levels(marks, models, kin, level)
    return Audit(
        "A13",
        judge,
        (*against, *family, *levels),
        tuple(_says([*family, *against], level)),
        (*_notes(judge, own, kin, untested), *found.notes),
        level=level,
        indicative=all(one.p is None for one in against),
    )


def _refused(found: Labels, judge: str) -> NotAudited:
    if found.decided["model"].nunique() < 2:
        do = "Grade a second model's answers to the same problems with this judge."
        return NotAudited("A13", judge, "the judge decided answers of fewer than two models", do)
    why = "people marked random points of fewer than two graded models"
    return NotAudited("A13", judge, why, what_to_do(found, judge, 2 * MIN_POINTS))


def _steps(marks: _Marks, models: list[str], kin: list[str], level: float) -> tuple[list[Measure], list[str]]:
    """Each model against the others, the one with the smallest p first; and what could not be tested."""
    left, reached, told = list(models), 0.0, []
    while True:
        sides = {model: _side(marks, model, left, kin, level) for model in _worth_telling(left, kin)}
        tested = {model: side for model, side in sides.items() if side.tested}
        adjusted = holm([_p(side) for side in tested.values()])
        without = {model: _without_one(marks, model, left, kin, level) for model in tested}
        p_of = {
            model: max(reached, p or 0.0, without[model].p) for model, p in zip(tested, adjusted, strict=True)
        }
        first = min(p_of, key=lambda model: p_of[model], default=None)
        if first is None or p_of[first] >= 1 - level or len(left) == 2:
            told += [
                _measure(side, p_of.get(model), len(tested), level, without.get(model))
                for model, side in sides.items()
            ]
            return told, [side.of for side in sides.values() if not side.tested]
        told.append(_measure(sides[first], p_of[first], len(tested), level, without[first]))
        reached = p_of[first]
        left.remove(first)


def _without_one(marks: _Marks, model: str, left: list[str], kin: list[str], level: float) -> _Without:
    """A model against the others without one of them: the hardest to find, over whom to leave out.

    A model that is favoured makes each other one seem disfavoured against the others among which it is. An
    accused model must differ whichever one other is left out: if one alone is favoured, the comparisons
    without it are free of it, and one of them stands in the way (intersection-union test, Berger 1982). Of
    the models that are then compared each is one test, two are one. p is 0 where nothing can be tested.
    """
    if len(left) < 3:
        return _Without(0.0, 0.0)
    tests = len(left) - 1 if len(left) > 3 else 1
    sides = (
        _side(marks, model, [one for one in left if one != out], kin, level) for out in left if out != model
    )
    found = [side.found for side in sides if side.tested and side.found is not None]
    return _Without(
        min(1.0, tests * max((one.p or 0.0 for one in found), default=0.0)),
        max((one.detectable(1 - (1 - level) / tests) or 0.0 for one in found), default=0.0),
    )


def _worth_telling(left: list[str], kin: list[str]) -> list[str]:
    """All of them; of two one, the kin if there is one: the other's difference is the same turned round."""
    return left if len(left) > 2 else sorted(left, key=lambda model: model not in kin)[:1]


def _side(marks: _Marks, model: str, left: list[str], kin: list[str], level: float) -> _Side:
    others = [one for one in left if one != model]
    names = [f"model {one}{_mark(one, kin)}" for one in (model, *others)]
    return _compared(
        marks, f"{names[0]} against {names[1] if len(others) == 1 else 'the others'}", [model], others, level
    )


def _compared(marks: _Marks, of: str, models: list[str], others: list[str], level: float) -> _Side:
    """Marked points of these models and of the others, on problems on which the judge decided both."""
    inside, outside = marks.of_any(models), marks.of_any(others)
    both = (marks.judged @ inside) & (marks.judged @ outside)
    shared = both[marks.rows["problem_id"].to_numpy()]
    rows, rest = (marks.rows[shared & side[marks.model]] for side in (inside, outside))
    one = leniency_difference(rows, rest, level=level)
    enough = all(
        len(side) >= MIN_POINTS and side["problem_id"].nunique() >= MIN_PROBLEMS for side in (rows, rest)
    )
    return _Side(of, rows, rest, one, enough and one is not None and one.p is not None)


def _mark(model: str, kin: list[str]) -> str:
    return f" ({SAME_FAMILY})" if model in kin else ""


def _p(side: _Side) -> float | None:
    return None if side.found is None else side.found.p


def _measure(
    side: _Side, adjusted: float | None, tests: int, level: float, without: _Without | None = None
) -> Measure:
    name, n, one = "leniency against others", len(side.rows) + len(side.rest), side.found
    if one is None:
        return Measure(name, None, "points", side.of, n=n)
    least = one.detectable(1 - (1 - level) / tests) if side.tested else None
    return Measure(
        *(name, one.value, "points", side.of, one.low, one.high, one.n, one.problems),
        p=one.p if side.tested else None,
        p_adjusted=adjusted,
        detectable=max(least, without.detectable) if least is not None and without else least,
        flagged=adjusted is not None and adjusted < 1 - level,
    )


def _family(marks: _Marks, models: list[str], kin: list[str], level: float) -> Iterator[Measure]:
    """The judge's family as a whole, where it is more than one model and not all."""
    if 1 < len(kin) < len(models):
        others = [model for model in models if model not in kin]
        side = _compared(marks, f"models of the {SAME_FAMILY} against the others", kin, others, level)
        yield _measure(side, _p(side) if side.tested else None, 1, level)


def _levels(marks: _Marks, models: list[str], kin: list[str], level: float) -> Iterator[Measure]:
    for model in models:
        one = leniency(marks.rows[marks.of_any([model])[marks.model]], level=level)
        if one is not None:
            of = f"model {model}{_mark(model, kin)}"
            yield Measure("leniency", one.value, "points", of, one.low, one.high, one.n, one.problems)


def _says(measures: list[Measure], level: float) -> Iterator[str]:
    flagged = [one for one in measures if one.flagged]
    for one in sorted(flagged, key=lambda one: -abs(one.value or 0)):
        assert one.value is not None
        word = "Favours" if one.value > 0 else "Disfavours"
        yield f"{word} {one.of}: {number(one.value, one)} {bracket(one, level)}."
    detectable = [one.detectable for one in measures if one.detectable is not None]
    if not flagged and detectable:
        yield (
            "No preference for a graded model was found; one of "
            f"{100 * max(detectable):.1f} points or more would have been with a power of 0.8."
        )


def _notes(judge: str, own: frozenset[str], kin: list[str], untested: list[str]) -> Iterator[str]:
    yield (
        "Leniency towards a model minus leniency towards the others, on problems where the judge decided "
        "both. A model that was found favoured or disfavoured is left out of the others of those below it, "
        "and none is found that does not also differ when any one of the others is left out."
    )
    if judge != FORMAL and not own:
        yield "The judge's family isn't known, so kinship with a graded model can't be told."
    elif own:
        yield f"The judge's family: {listed(sorted(own))}; graded models of it: {listed(kin) or 'none'}."
    if untested:
        yield (
            f"Not tested, as under {MIN_POINTS} marked points or {MIN_PROBLEMS} problems on a side: "
            f"{listed(untested)}."
        )
