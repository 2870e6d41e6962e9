"""A11: does a verdict hang on where its point stands, or on what it is asked together with?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from grader.audit.asked_anew.paired import (
    KEY,
    SAME,
    adjusted,
    beside,
    by_answer,
    cases,
    decided,
    moved,
    rise,
    slope,
)
from grader.audit.asked_anew.retest import DO
from grader.audit.result import Audit, Case, Measure, NotAudited
from grader.audit.shares import share
from grader.audit.words import percent, signed
from grader.render.words import counted

LEAST_ANSWERS = 100
ORDER, CALLS = "order ", "calls "
_THIRDS = ("first third", "middle third", "last third")


def ordering(
    frame: pd.DataFrame, judge: str, *, level: float = 0.95, notes: Sequence[str] = ()
) -> Audit | NotAudited:
    """Flips by another order of the points, and by asking about them one by one, over those of a repeat.

    Orders are rows of a cyclic Latin square. The family of tests (Holm): each order's flips, the
    drift of credit over places, the flips by batching, and what batching does to credit.
    """
    turned = _turned(frame)
    orders = {
        name: both
        for name in sorted(turned["turn"].unique())
        if len(both := _with_flips(frame, turned[turned["turn"] == name]))
    }
    single = _batched(frame)
    if not orders and single is None:
        return NotAudited("A11", judge, "no answer was judged in another order or one point at a time", DO)
    tests = len(orders) + bool(orders) + 2 * (single is not None)
    family = [
        rise(rows, "rise of the flip rate by order", name, level, tests) for name, rows in orders.items()
    ]
    if orders:
        family.append(slope(_places(frame), "credit from first place to last", "", level))
    if single is not None:
        both, answers, way = single
        family.append(rise(both, "rise of the flip rate by batching", way, level, tests))
        if len(answers):
            family.append(moved(answers, "credit shift by batching", way, level, tests))
    family = adjusted(family, level)
    compared = [*orders.values(), *([single[0]] if single is not None else [])]
    size = max(rows["answer"].nunique() for rows in compared)
    return Audit(
        "A11",
        judge,
        (*family, *_by_place(orders, level)),
        tuple(_says(family)),
        (
            f"{counted(size, 'answer')} of at least two points; each point's own flips on asking again "
            "are what its flips are held against.",
            *notes,
        ),
        tuple(_cases(frame)),
        level,
        size < LEAST_ANSWERS,
    )


def _turned(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of other orders with ``turn``: the first, second, ... order of each answer."""
    rows = frame[frame["variant"].str.startswith(ORDER)]
    shifts = rows["variant"].str.removeprefix(ORDER).astype(int)
    number = shifts.groupby(rows["answer"]).rank(method="dense").astype(int)
    return rows.assign(turn="order " + (number + 1).astype(str))


def _with_flips(frame: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """``again`` and ``flipped`` of points decided as they are, again, and in the rows."""
    again = decided(beside(frame, "base", "repeat 1"))
    changed = again.assign(again=again["change"].abs() > SAME)
    kept = rows[rows["credit"].notna()]
    both = changed[[*KEY, "problem_id_1", "credit_1", "again"]].merge(
        kept[[*KEY, "credit", "place", "points"]], on=KEY
    )
    return both.rename(columns={"problem_id_1": "problem_id"}).assign(
        flipped=(both["credit"] - both["credit_1"]).abs() > SAME
    )


def _places(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows of the slope of credit on the place, 0 the first and 1 the last, within points."""
    ours = (frame["variant"] == "base") | frame["variant"].str.startswith(ORDER)
    turned = set(frame.loc[frame["variant"].str.startswith(ORDER), "answer"])
    rows = frame[ours & frame["credit"].notna() & frame["answer"].isin(turned)]
    return pd.DataFrame(
        {
            "problem_id": rows["problem_id"],
            "unit": rows["answer"] + " " + rows["point_id"],
            "x": rows["place"] / (rows["points"] - 1),
            "y": rows["credit"],
        }
    )


def _batched(frame: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame, str] | None:
    """Flips and changes of credit by asking the other way, and which way that is."""
    names = [name for name in frame["variant"].unique() if name.startswith(CALLS)]
    if not names:
        return None
    both = _with_flips(frame, frame[frame["variant"] == names[0]])
    if both.empty:
        return None
    way = "one point a request" if names[0].endswith("point") else "all points in one request"
    return both, by_answer(decided(beside(frame, "base", names[0]))), way


def _by_place(orders: Mapping[str, pd.DataFrame], level: float) -> Iterator[Measure]:
    if not orders:
        return
    rows = pd.concat(orders.values())
    third = np.minimum(2, (3 * rows["place"] / rows["points"]).astype(int))
    for number, name in enumerate(_THIRDS):
        some = rows[third == number]
        if len(some):
            yield share(
                some.assign(hit=some["flipped"].astype(float)), "flips", of=f"place {name}", level=level
            )


def _says(family: Sequence[Measure]) -> Iterator[str]:
    for one in family:
        if not one.flagged or one.value is None:
            continue
        match one.name:
            case "credit from first place to last":
                yield f"A point's credit hangs on its place: {signed(one.value)} points from first to last."
            case "credit shift by batching":
                yield f"Asking {one.of} changes credit by {signed(one.value)} points."
            case "rise of the flip rate by batching":
                yield f"Asking {one.of} flips {percent(one.value)} more verdicts than asking again does."
            case _:
                yield (
                    f"Another order of the points ({one.of}) flips {percent(one.value)} more verdicts "
                    "than asking again does."
                )
    if any(one.flagged for one in family):
        return
    least = [one.detectable for one in family if one.name.startswith("rise") and one.detectable is not None]
    if least:
        said = f"{percent(max(least))} more flips would have been found"
        yield f"Neither order nor batching was found to matter; {said}."
    else:
        yield "Neither order nor batching was found to matter, and so few points could not have shown it."


def _cases(frame: pd.DataFrame) -> Iterator[Case]:
    for name in frame["variant"].unique():
        if name.startswith((ORDER, CALLS)):
            yield from cases(decided(beside(frame, "base", name)), name)
