"""The share of points met in full by an older estimator, beside A3's: never in its place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from grader.audit.words import percent
from grader.stats.checked.samples import designed, in_score
from grader.stats.correction.cross_checks import rogan_gladen
from grader.stats.jackknife import Floats

if TYPE_CHECKING:
    from grader.audit.card.scores import CellName
    from grader.stats.checked import Checked

_SAME = 1e-9


def cross_check(checked: Checked, cells: Sequence[CellName]) -> str | None:
    """Rogan and Gladen 1978 over the points of cells that can be corrected; None where it says nothing.

    Of single points of a rubric, met in full or not; each mark counts for what it stands for.
    """
    points = designed(pd.concat([in_score(checked, cell) for cell in cells]))
    points = points[points["shape"] == "point"]
    marked = points[points["counts"] & points["human"].notna()]
    given = _in_full(points["award"])
    people, machine = _in_full(marked["human"]), _in_full(marked["award"])
    found = rogan_gladen(people, machine, given, 1 / marked["probability"].to_numpy(float))
    if found.value is None or found.sensitivity is None or found.specificity is None:
        return None
    return (
        f"Checked after Rogan and Gladen: {percent(float(given.mean()))} of the points are met in full as "
        f"graded, and {percent(found.value)} if on every kind of point alike {percent(found.sensitivity)} of "
        f"what people call met is taken for met and {percent(found.specificity)} of the rest for not met. "
        "Errors gather where a point is barely met, so it is no more than a check."
    )


def _in_full(awards: pd.Series) -> Floats:
    return (awards.to_numpy(float) > 1 - _SAME).astype(float)
