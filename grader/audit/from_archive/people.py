"""A17: how far the people can be relied on against whom judges are measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from grader.audit.from_archive.anchoring import anchoring
from grader.audit.from_archive.reviewers import (
    EXPECTED,
    PLACE,
    Marks,
    gold_accuracy,
    marks_of,
    settled,
    times,
)
from grader.audit.result import Audit, Measure, NotAudited
from grader.audit.shares import coefficient, share
from grader.audit.words import percent, signed
from grader.render.words import counted, listed
from grader.stats.agreement.additive import gwet_ac1, krippendorff_alpha, quadratic_kappa
from grader.stats.agreement.resampling import Additive, cluster_bootstrap

if TYPE_CHECKING:
    from grader.stats.checked import Checked

ID = "A17"
LEAST_GOLD = 30
"""Seeded items a reviewer."""
SECOND = 0.1
"""Share of marked points that two people should have marked blindly."""

_TWICE = "marked blindly by two people"


def people(
    checked: Checked, judge: str, *, level: float = 0.95, seed: int = 0, names: bool = False
) -> Audit | NotAudited:
    """The people who marked, compared with each other, with seeded awards, and with ``judge``.

    Second blind marks and agreement of them (alpha, AC1, quadratic kappa of each pair, intervals by
    bootstrap of problems); accuracy on seeded items with exact intervals; time; adjudications;
    whether people follow the verdicts of ``judge`` (``<card>@<hash>`` or ``formal``) once they see
    them. Reviewers are numbered unless ``names``.
    """
    marks = marks_of(checked, names=names)
    if not marks.reviewers:
        do = "Queue what is drawn, and mark it: argus review."
        return NotAudited(ID, judge, "no person has marked anything", do)
    gold = gold_accuracy(marks, level)
    anchored = anchoring(marks, _awards(checked.points, judge), level)
    twice = _twice(marks)
    measures = [
        *twice,
        *_agreement(marks, level, seed),
        *gold,
        *anchored,
        *times(marks),
        *settled(marks),
    ]
    short = [one for one in marks.reviewers if sum(own.n for own in gold if own.of == one) < LEAST_GOLD]
    return Audit(
        ID,
        judge,
        tuple(measures),
        says=tuple(_says(gold, anchored, twice)),
        notes=tuple(_notes(marks, anchored, short)),
        level=level,
        indicative=bool(short),
    )


def _awards(points: pd.DataFrame, judge: str) -> pd.DataFrame:
    by = points["by"].astype("object").fillna("").astype(str)
    own = by.str.startswith("formal:") if judge == "formal" else by == f"judge:{judge}"
    decided = points[own & points["award"].notna()]
    return decided[[*PLACE, "award"]].rename(columns={"award": "judge"})


def _twice(marks: Marks) -> list[Measure]:
    """The share of blindly marked points with two marks, and how often these differ."""
    grouped = marks.blind.groupby([*PLACE, "problem_id"], sort=False)["award"].agg(["count", "min", "max"])
    points = grouped.reset_index()
    if not len(points):
        return []
    n, both = len(points), points[points["count"] >= 2]
    found = [Measure(_TWICE, len(both) / n, "share", n=n, problems=points["problem_id"].nunique())]
    if len(both):
        found.append(share(both.assign(hit=both["max"] > both["min"]), "blind marks that differ"))
    return found


def _agreement(marks: Marks, level: float, seed: int) -> Iterator[Measure]:
    """Coefficients over the points that two or more people marked blindly."""
    table = marks.blind.pivot_table(
        index=["problem_id", *PLACE], columns="reviewer", values="award", sort=False
    ).reindex(columns=list(marks.reviewers))
    table = table[table.notna().sum(axis=1) >= 2]
    if not len(table):
        return
    matrix = table.to_numpy(float)
    cluster = pd.factorize(table.index.get_level_values("problem_id"), sort=True)[0].astype(np.intp)
    named: list[tuple[str, str, Additive, int]] = [
        ("Krippendorff's alpha (nominal)", "", krippendorff_alpha(matrix, "nominal"), len(matrix)),
        ("Krippendorff's alpha (interval)", "", krippendorff_alpha(matrix, "interval"), len(matrix)),
        ("AC1", "", gwet_ac1(matrix), len(matrix)),
    ]
    for one, other in combinations(range(matrix.shape[1]), 2):
        n = int((~np.isnan(matrix[:, [one, other]])).all(axis=1).sum())
        if n:
            of = f"{table.columns[one]} and {table.columns[other]}"
            named.append(("quadratic kappa", of, quadratic_kappa(matrix[:, one], matrix[:, other]), n))
    found = cluster_bootstrap([one for _, _, one, _ in named], cluster, level=level, seed=seed)
    for (name, of, _, n), interval in zip(named, found, strict=True):
        yield coefficient(name, interval, of=of, n=n, level=level)


def _says(gold: Sequence[Measure], anchored: Sequence[Measure], twice: Sequence[Measure]) -> Iterator[str]:
    for one in gold:
        if one.flagged and one.value is not None:
            yield (
                f"{_opening(one.of)} is right on {percent(one.value)} of {counted(one.n, 'seeded item')}: "
                f"less than {percent(EXPECTED)}."
            )
    for one in anchored:
        if one.flagged and one.value is not None:
            when = "after seeing its verdict" if "after" in one.name else "where its verdict is shown"
            who = f"{_opening(one.of)} agrees" if one.of else "Reviewers agree"
            yield f"{who} more often with the judge {when}: {signed(one.value)} percentage points."
    for one in twice:
        if one.name == _TWICE and one.value is not None and one.value < SECOND:
            yield (
                f"Two people marked blindly {percent(one.value)} of {counted(one.n, 'marked point')}: "
                f"{percent(SECOND)} are needed to know how far people agree."
            )


def _opening(reviewer: str) -> str:
    return reviewer[:1].upper() + reviewer[1:]


def _notes(marks: Marks, anchored: Sequence[Measure], short: Sequence[str]) -> Iterator[str]:
    if short:
        yield (
            f"fewer than {LEAST_GOLD} seeded items for {listed(short)}: too few to tell a reviewer who errs "
            "(argus review gold)"
        )
    if any("shown minus hidden" in one.name for one in anchored):
        yield "shown and hidden marks are on different points, and shown ones weren't drawn at random"
    if any("minus before" in one.name for one in anchored):
        yield "who changes a mark once the verdict is seen may have been wrong before: that is no fault"
    if not any("minus" in one.name for one in anchored):
        yield "too few marks were given or changed after the judge's verdict was shown to look for anchoring"
    if not len(marks.seconds):
        yield "no mark was timed: marks from files aren't"
