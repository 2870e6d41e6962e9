"""A18: what code found against what a judge awarded, on the same answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd

from grader.audit.from_archive.compared import FACTS, FORMAL, Compared, compared
from grader.audit.result import Audit, Case, Measure, NotAudited
from grader.audit.shares import adjusted, against_the_rest, by_value, share
from grader.audit.words import percent, signed
from grader.render.words import counted

if TYPE_CHECKING:
    from grader.archive.audit_entry import AskedEntry
    from grader.stats.checked import Checked

ID = "A18"
TOLERATED = 0.05
"""Share of conflicts above which, surely, code and judge are said to differ."""
LEAST, LEAST_PROBLEMS = 100, 30

_CONFLICT = "conflict of code and judge"
_WORDS = {1.0: "met", 0.0: "not met"}


def conflicts(
    checked: Checked, judge: str, *, level: float = 0.95, seed: int = 0, asked: Sequence[AskedEntry] = ()
) -> Audit | NotAudited:
    """The verdicts of ``judge`` (``<card>@<hash>``) beside what code found: all there are, no sample.

    Where the judge was asked about formal points (verdicts that stand behind
    code's, or the plain variants of ``asked``, what audits asked it) the two decide the same
    point. Else it is told what code found on values that flexible points quote, and a
    conflict is an award against that. Each conflict is a case; where people marked the
    point, how often they side with code.
    """
    if judge == "formal":
        return NotAudited(ID, judge, "code is what the judge is compared with", "Name a judge card.")
    found = list(compared(checked, judge, asked))
    if not found:
        why = (
            "code and judge decided no point in common: a judge is asked about flexible points, and none of "
            "those quotes a value that code could look for"
        )
        do = "Ask the judge about formal points anew in an audit suite, or add checks to points."
        return NotAudited(ID, judge, why, do)
    rows = pd.DataFrame([_row(one) for one in found])
    measures = list(_measures(rows, level))
    return Audit(
        ID,
        judge,
        tuple(measures),
        says=tuple(_says(measures)),
        notes=tuple(_notes(checked, rows)),
        cases=tuple(_case(one) for one in found if one.conflicts),
        level=level,
        indicative=len(rows) < LEAST or rows["problem_id"].nunique() < LEAST_PROBLEMS,
    )


def _row(one: Compared) -> dict[str, object]:
    names = ("basis", "kind", "model", "problem_id", "code", "judge", "human")
    return {name: getattr(one, name) for name in names} | {"hit": one.conflicts}


def _measures(rows: pd.DataFrame, level: float) -> Iterator[Measure]:
    for basis in (FORMAL, FACTS):
        own = rows[rows["basis"] == basis]
        if not len(own):
            continue
        overall = share(own, _CONFLICT, of=basis, level=level)
        yield replace(overall, flagged=overall.low is not None and overall.low > TOLERATED)
        yield from _table(own, basis)
        yield from _sides(own, basis, level)
        if basis == FORMAL:
            yield from by_value(own, "kind", _CONFLICT, level=level)
        yield from by_value(own, "model", _CONFLICT, said=f"{basis}, model", level=level)
    tests = [
        test
        for basis in (FORMAL, FACTS)
        for test in against_the_rest(
            rows[rows["basis"] == basis], "model", _CONFLICT, said=f"{basis}, model", level=level
        )
    ]
    yield from adjusted(tests, level)


def _table(rows: pd.DataFrame, basis: str) -> Iterator[Measure]:
    """The confusion table, its cells as counts."""
    awards = {"met": rows["judge"] == 1, "partial": rows["judge"].between(0, 1, "neither")}
    awards |= {"not met": rows["judge"] == 0}
    for code in (1.0, 0.0):
        for said, given in awards.items():
            count = int((given & (rows["code"] == code)).sum())
            yield Measure(f"code {_WORDS[code]}, judge {said}", count, "count", basis, n=len(rows))


def _sides(rows: pd.DataFrame, basis: str, level: float) -> Iterator[Measure]:
    """Of conflicts that people marked, how often they side with code: half of a half award."""
    split = rows[rows["hit"] & rows["human"].notna()]
    if len(split):
        sides = split.assign(hit=1 - (split["human"].astype(float) - split["code"]).abs())
        yield share(sides, "people side with code in conflicts", of=basis, level=level)


def _says(measures: Sequence[Measure]) -> Iterator[str]:
    for one in measures:
        if one.flagged and one.value is not None and one.unit == "share":
            yield f"Code and judge contradict each other on {percent(one.value)} of {one.n} {one.of}."
        elif one.flagged and one.value is not None:
            yield f"Conflicts of code and judge, {one.of}: {signed(one.value)} percentage points."


def _notes(checked: Checked, rows: pd.DataFrame) -> Iterator[str]:
    yield (
        "a conflict doesn't say who errs: code may misread an answer, a judge may overlook a value; the "
        "cases are to be looked at"
    )
    if not (rows["basis"] == FORMAL).any():
        yield (
            "the judge decided no formal point: by design it is asked about flexible points, with what code "
            "found beside them; a suite that asks it about formal points anew would compare the two directly"
        )
    if (rows["basis"] == FACTS).any():
        yield "the judge was told the facts it is compared with, so conflicts on them are rarer than errors"
    points = checked.points
    located = int((points["track"] == "located").sum())
    if located:
        yield f"on {counted(located, 'formal point')} code decided on a passage that the judge pointed to"


def _case(one: Compared) -> Case:
    people = "" if one.human is None else f"; people: {one.human:g}"
    told = f" ({one.told[:200]})" if one.told else ""
    what = f"code: {_WORDS[one.code]}{told}; judge: {_WORDS[one.judge]}{people}"
    return Case(one.where, what, one.calls)
