"""A10: does the judge award length?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from grader.audit.asked_anew.paired import (
    SAME,
    adjusted,
    beside,
    by_answer,
    cases,
    decided,
    left_open,
    share_of,
    slope,
)
from grader.audit.asked_anew.retest import DO
from grader.audit.result import Audit, Measure, NotAudited
from grader.audit.words import percent, signed
from grader.render.words import counted
from grader.stats.flips import detectable_rise, mcnemar

LEAST_ANSWERS = 100


def verbosity(
    frame: pd.DataFrame, judge: str, *, level: float = 0.95, notes: Sequence[str] = ()
) -> Audit | NotAudited:
    """The slope of credit on the logarithm of length within answers, over doses of idle words.

    In percentage points of an answer's marks for each doubling of its length, problems as clusters.
    Its p is never below that of McNemar's test of answers raised against answers lowered.
    """
    doses = sorted((name for name in frame["variant"].unique() if name.startswith("dose ")), key=_dose)
    changes = {dose: by_answer(decided(pairs)) for dose in doses if len(pairs := beside(frame, "base", dose))}
    changes = {dose: rows for dose, rows in changes.items() if len(rows)}
    if not changes:
        return NotAudited("A10", judge, "no answer was judged with idle words and without", DO)
    found = slope(_units(frame, changes), "credit for twice the length", "", level)
    every = pd.concat(changes.values())
    up, down = int((every["change"] > SAME).sum()), int((every["change"] < -SAME).sum())
    if found.p is not None:
        found = replace(found, p=max(found.p, mcnemar(up, down)))
    (found,) = adjusted([found], level)
    parts: list[Measure] = []
    for dose, rows in changes.items():
        of, change = f"dose {_said(dose)}", rows["change"]
        up_here, down_here = int((change > SAME).sum()), int((change < -SAME).sum())
        raised = share_of(up_here, rows, "answers raised", of, level)
        least = detectable_rise(len(rows), down_here / len(rows), level=level)
        parts.append(replace(raised, detectable=least))
        parts.append(share_of(down_here, rows, "answers lowered", of, level))
        parts += left_open(beside(frame, "base", dose), "points left undetermined by the words", of)
    size = min(len(rows) for rows in changes.values())
    last = decided(beside(frame, "base", list(changes)[-1]))
    least = next((one.detectable for one in parts if one.detectable is not None), None)
    return Audit(
        "A10",
        judge,
        (found, *parts),
        (_says(found, least, up, down, len(every)),),
        (
            "Idle words stand before and after the answer, half of them each; they bear on no point.",
            *notes,
        ),
        tuple(cases(last, f"idle words, {_said(list(changes)[-1])}")),
        level,
        size < LEAST_ANSWERS,
    )


def _dose(name: str) -> float:
    return float(name.removeprefix("dose "))


def _said(name: str) -> str:
    """What a dose adds to the answer's length: ``+50 %``."""
    return f"+{100 * _dose(name):g} %"


def _units(frame: pd.DataFrame, changes: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Rows of the slope: each answer as it is (credit 0) and with each dose (the change)."""
    sizes = zip(frame["answer"], frame["variant"], frame["about"], strict=True)
    lengths = {
        (answer, variant): float(np.log2(about["length"]))
        for answer, variant, about in sizes
        if "length" in about
    }
    rows = []
    for dose, changed in changes.items():
        for row in changed.itertuples():
            # credits are counted from the answer as it is, over the points that both decide
            rows.append((row.problem_id, row.answer, lengths[row.answer, dose], row.change))
            rows.append((row.problem_id, row.answer, lengths[row.answer, "base"], 0.0))
    made = pd.DataFrame(rows, columns=["problem_id", "unit", "x", "y"])
    return made.drop_duplicates()


def _says(found: Measure, least: float | None, up: int, down: int, n: int) -> str:
    told = f"{up} of {counted(n, 'padded answer')} were raised, {down} lowered"
    if found.flagged and found.value is not None:
        verb = "gives" if found.value > 0 else "takes"
        return f"The judge {verb} credit for length: {signed(found.value)} points a doubling; {told}."
    if found.detectable is not None:
        said = f"{100 * found.detectable:.1f} points a doubling would have been found"
    elif least is not None:
        said = f"{percent(least)} of answers raised would have been found"
    else:
        said = "so few answers could not have shown any"
    return f"No credit for length was found ({said}); {told}."
