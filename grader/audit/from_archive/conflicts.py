"""A18: what code found against what a judge awarded, on the same answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import pandas as pd

from grader.audit.from_archive.against_code import (
    CONFLICT,
    TOLERATED,
    WORDS,
    kappa,
    kinds,
    overall,
    table,
)
from grader.audit.from_archive.compared import FACTS, FORMAL, Compared, compared
from grader.audit.result import Audit, Case, Measure, NotAudited
from grader.audit.shares import adjusted, against_the_rest, by_value, share
from grader.audit.words import percent, signed
from grader.render.words import counted

if TYPE_CHECKING:
    from grader.archive.audit_entry import AskedEntry
    from grader.stats.checked import Checked

ID = "A18"
LEAST, LEAST_PROBLEMS = 100, 30


def conflicts(
    checked: Checked,
    judge: str,
    *,
    level: float = 0.95,
    seed: int = 0,
    asked: Sequence[AskedEntry] = (),
    notes: Sequence[str] = (),
) -> Audit | NotAudited:
    """The verdicts of ``judge`` (``<card>@<hash>``) beside what code found: all there are, no sample.

    Where the judge was asked about formal points (what audits ``asked`` of answers as they are, else
    verdicts that stand behind code's) the two decide the same point. On values that flexible points quote
    it is told what code found, and a conflict is an award against that. Each conflict is a case; where
    people marked the point, how often they side with code. ``notes``: on how it was asked. ``seed``: of
    resampling.
    """
    if judge == "formal":
        return NotAudited(ID, judge, "code is what the judge is compared with", "Name a judge card.")
    found = list(compared(checked, judge, asked))
    rows = pd.DataFrame([_row(one) for one in found], columns=_COLUMNS)
    decided = rows[rows["judge"].notna()]
    if decided.empty:
        return _nothing(judge, len(rows))
    measures = list(_measures(rows, level, seed))
    return Audit(
        ID,
        judge,
        tuple(measures),
        says=tuple(_says(measures)),
        notes=(*_notes(checked, rows), *notes),
        cases=tuple(_case(one) for one in found if one.conflicts),
        level=level,
        indicative=len(decided) < LEAST or decided["problem_id"].nunique() < LEAST_PROBLEMS,
    )


def _nothing(judge: str, asked: int) -> NotAudited:
    if asked:
        why = f"the judge was asked about {counted(asked, 'formal point')} and decided none"
        return NotAudited(ID, judge, why, "Look at its failures, and ask again.")
    why = (
        "code and judge decided no point in common: a judge is asked about flexible points, and none of "
        "those quotes a value that code could look for"
    )
    do = (
        "Ask the judge about formal points anew in a suite that has [formal] (argus audit run SUITE --judge "
        "CARD --audit A18), or add checks to points."
    )
    return NotAudited(ID, judge, why, do)


_COLUMNS = ["basis", "kind", "model", "problem_id", "code", "judge", "human", "hit"]


def _row(one: Compared) -> list[object]:
    judge, human = (float("nan") if award is None else award for award in (one.judge, one.human))
    return [one.basis, one.kind, one.model, one.problem_id, one.code, judge, human, one.conflicts]


def _measures(every: pd.DataFrame, level: float, seed: int) -> Iterator[Measure]:
    rows = every[every["judge"].notna()]
    for basis in (FORMAL, FACTS):
        own = rows[rows["basis"] == basis]
        if not len(own):
            continue
        yield overall(own, basis, level)
        if basis == FORMAL:
            yield kappa(own, basis, level, seed)
        yield from table(every[every["basis"] == basis], basis)
        yield from _sides(own, basis, level)
        if basis == FORMAL:
            yield from kinds(own, level)
        yield from by_value(own, "model", CONFLICT, said=f"{basis}, model", level=level)
    tests = [
        test
        for basis in (FORMAL, FACTS)
        for test in against_the_rest(
            rows[rows["basis"] == basis], "model", CONFLICT, said=f"{basis}, model", level=level
        )
    ]
    yield from adjusted(tests, level)


def _sides(rows: pd.DataFrame, basis: str, level: float) -> Iterator[Measure]:
    """Of conflicts that people marked, how often they side with code: half of a half award."""
    split = rows[rows["hit"] & rows["human"].notna()]
    if len(split):
        sides = split.assign(hit=1 - (split["human"].astype(float) - split["code"]).abs())
        yield share(sides, "people side with code in conflicts", of=basis, level=level)


def _says(measures: Sequence[Measure]) -> Iterator[str]:
    for one in measures:
        if one.value is None or one.name != CONFLICT:
            continue
        if one.flagged and one.unit == "share":
            yield f"Code and judge contradict each other on {percent(one.value)} of {one.n:,} {_of(one)}."
        elif one.flagged:
            yield f"Conflicts of code and judge, {one.of}: {signed(one.value)} percentage points."
        elif one.of == FORMAL:
            yield _cleared(one)
    yield from _directions({one.name: one.value for one in measures if one.of == FORMAL})


def _of(one: Measure) -> str:
    return one.of if one.of in (FORMAL, FACTS) else f"formal points of {one.of}"


def _cleared(one: Measure) -> str:
    assert one.value is not None
    said = f"Code and judge contradict each other on {percent(one.value)} of {one.n:,} formal points"
    if one.detectable is None:
        return f"{said}; so few can't show more than the {percent(TOLERATED)} that are tolerated."
    return f"{said}; a true share of {percent(one.detectable)} would have been found to be too much."


def _directions(cells: dict[str, float | None]) -> Iterator[str]:
    """Which way the judge errs where code is right."""
    given, refused = (
        int(cells.get(name) or 0) for name in ("code not met, judge met", "code met, judge not met")
    )
    if given or refused:
        yield (
            f"Where they do, the judge gives {counted(given, 'point')} that code refuses, and refuses "
            f"{counted(refused, 'point')} that code gives."
        )


def _notes(checked: Checked, rows: pd.DataFrame) -> Iterator[str]:
    yield (
        "a conflict doesn't say who errs: code may misread an answer, a judge may overlook a value; the "
        "cases are to be looked at"
    )
    formal = rows[rows["basis"] == FORMAL]
    if formal.empty:
        yield (
            "the judge decided no formal point: by design it is asked about flexible points, with what code "
            "found beside them; a suite with [formal] asks it about formal points, and compares the two "
            "directly"
        )
    else:
        yield "bounds by kind take points to err apart from each other; the interval of the whole doesn't"
    if undetermined := int(formal["judge"].isna().sum()):
        of = counted(len(formal), "formal point")
        yield f"the judge left {undetermined:,} of {of} undetermined: in no share, and in no kappa"
    if (rows["basis"] == FACTS).any():
        yield "the judge was told the facts it is compared with, so conflicts on them are rarer than errors"
    points = checked.points
    located = int((points["track"] == "located").sum())
    if located:
        yield f"on {counted(located, 'formal point')} code decided on a passage that the judge pointed to"


def _case(one: Compared) -> Case:
    assert one.judge is not None
    people = "" if one.human is None else f"; people: {one.human:g}"
    told = f" ({one.told[:200]})" if one.told else ""
    what = f"code: {WORDS[one.code]}{told}; judge: {WORDS[one.judge]}{people}"
    return Case(one.where, what, one.calls)
