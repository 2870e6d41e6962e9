"""A16: is today's judge the one of last time? A frozen set of answers before every version of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from grader.audit.asked_anew.paired import SAME, adjusted, beside, cases, decided, moved
from grader.audit.result import Audit, Case, Measure, NotAudited
from grader.audit.words import percent, signed
from grader.render.words import counted

LEAST_POINTS = 150
ALLOWANCE, LIMIT = 0.5, 4.0
"""Of the CUSUM, in standard errors: half of a shift of one, and where it says so."""


def drift(
    frame: pd.DataFrame,
    judge: str,
    versions: Mapping[str, str],
    *,
    level: float = 0.95,
    notes: Sequence[str] = (),
) -> Audit | NotAudited:
    """Changed verdicts from each version to the next, and from the first to the last.

    ``frame``: its ``variant`` names the version. ``versions``: what is to be known of each (card, round,
    served model, date), in the order of time. McNemar's exact test of raised against lowered points,
    Holm over steps; CUSUM (Page 1954) of the net change since the first version, in standard errors.
    """
    names = [name for name in versions if (frame["variant"] == name).any()]
    steps = [(one, two) for one, two in pairwise(names) if len(decided(beside(frame, one, two)))]
    if not steps:
        return NotAudited(
            "A16",
            judge,
            f"only one version of the judge has judged the anchors: {'; '.join(versions.values()) or 'none'}",
            "Run the suite again after the card changes, or with --again when the model behind it may have.",
        )
    if len(names) > 2 and len(decided(beside(frame, names[0], names[-1]))):
        steps.append((names[0], names[-1]))
    tested = [_step(frame, one, two, level, len(steps)) for one, two in steps]
    family = adjusted([measure for measure, _ in tested], level)
    changed = [share for _, share in tested]
    reached, highest = _cusum(frame, names)
    n = len(decided(beside(frame, names[0], names[-1])))
    control = Measure("CUSUM of the net change", highest, "number", n=n, flagged=reached)
    return Audit(
        "A16",
        judge,
        (*family, control, *changed),
        tuple(_says(family, changed, control)),
        (
            *(f"{name}: {said}" for name, said in versions.items()),
            f"CUSUM: allowance {ALLOWANCE:g}, limit {LIMIT:g} standard errors.",
            *notes,
        ),
        tuple(_cases(frame, steps)),
        level,
        n < LEAST_POINTS,
    )


def _step(frame: pd.DataFrame, one: str, two: str, level: float, family: int) -> tuple[Measure, Measure]:
    points = decided(beside(frame, one, two)).rename(columns={"problem_id_1": "problem_id"})
    of, n = f"{one} to {two}", len(points)
    count = int((points["change"].abs() > SAME).sum())
    problems = int(points["problem_id"].nunique())
    share = Measure("verdicts that changed", count / n, "share", of, n=n, problems=problems)
    return moved(points, "credit gained since", of, level, family), share


def _cusum(frame: pd.DataFrame, names: Sequence[str]) -> tuple[bool, float]:
    """Whether either sum passed the limit, and the highest of both."""
    high = low = highest = 0.0
    for name in names[1:]:
        change = decided(beside(frame, names[0], name))["change"].to_numpy(float)
        up, down = int((change > SAME).sum()), int((change < -SAME).sum())
        z = (up - down) / np.sqrt(up + down) if up + down else 0.0
        high, low = max(0.0, high + z - ALLOWANCE), max(0.0, low - z - ALLOWANCE)
        highest = max(highest, high, low)
    return highest > LIMIT, float(highest)


def _says(family: Sequence[Measure], changed: Sequence[Measure], control: Measure) -> Iterator[str]:
    for one, share in zip(family, changed, strict=True):
        assert one.value is not None
        assert share.value is not None
        told = f"{percent(share.value)} of {counted(share.n, 'verdict')} changed"
        if one.flagged:
            yield f"The judge drifted from {one.of}: {signed(one.value)} points of credit; {told}."
        else:
            least = "" if one.detectable is None else f" ({percent(one.detectable)} would have been found)"
            yield f"No drift was found from {one.of}{least}; {told}."
    if control.flagged:
        yield "Small changes in one direction have added up: the CUSUM passed its limit."


def _cases(frame: pd.DataFrame, steps: Sequence[tuple[str, str]]) -> Iterator[Case]:
    for one, two in steps:
        yield from cases(decided(beside(frame, one, two)), f"{one} to {two}")
