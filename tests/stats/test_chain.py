"""Chains break at the first point that costs marks; what is open before it leaves that open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import pytest

from grader.problem.model import Group
from grader.stats.chain import NEVER, chains, first_losses, survival
from grader.stats.losses import losses
from grader.stats.predecessor import paired_successes, successes
from tests.stats.answered import Graded, point, sheets

THREE = {f"{problem}_{place}": ([point("a"), point("b")], 2.0) for problem in "pqr" for place in range(3)}
RIGHT: Mapping[str, float | None] = {"a": 1, "b": 1}


def made(graded: Graded) -> pd.DataFrame:
    return chains(losses(graded.frames[1], graded.sheets), graded.items)


def chain(*awards: Mapping[str, float | None] | None) -> Any:
    """The one chain of these answers; None: no answer."""
    graded = Graded(sheets(**{name: sheet for name, sheet in THREE.items() if name[0] == "p"}))
    for place, one in enumerate(awards):
        if one is not None:
            graded.answer(f"p-{place}", one)
    return made(graded).iloc[0]


def test_a_chain_with_all_marks_is_whole() -> None:
    found = chain(RIGHT, RIGHT, RIGHT)
    assert (found["state"], found["earliest"], found["latest"]) == ("whole", NEVER, NEVER)


def test_a_chain_breaks_at_the_first_lost_point() -> None:
    found = chain(RIGHT, {"a": 1, "b": 0}, {"a": 0, "b": 0})
    assert (found["state"], found["earliest"], found["sub_id"], found["point_id"]) == (
        "broken",
        1,
        "p-1",
        "b",
    )


def test_an_open_point_before_the_break_leaves_the_chain_open() -> None:
    found = chain({"a": 1, "b": None}, RIGHT, {"a": 0, "b": 1})
    assert (found["state"], found["earliest"], found["latest"]) == ("open", 0, 2)
    assert (found["sub_id"], found["point_id"], found["error"]) == ("p-0", "b", "unjudged")


def test_an_open_point_after_the_break_changes_nothing() -> None:
    found = chain({"a": 0, "b": None}, {"a": None, "b": None}, RIGHT)
    assert (found["state"], found["earliest"], found["point_id"]) == ("broken", 0, "a")


def test_the_subquestion_is_known_where_the_point_is_not() -> None:
    found = chain({"a": None, "b": 0}, RIGHT, RIGHT)
    assert (found["state"], found["earliest"], found["sub_id"], found["point_id"]) == (
        "broken",
        0,
        "p-0",
        None,
    )


def test_a_missing_answer_leaves_the_chain_open() -> None:
    for answers, latest in (((None, RIGHT, RIGHT), NEVER), ((None, {"a": 0, "b": 1}, RIGHT), 1)):
        found = chain(*answers)
        assert (found["state"], found["earliest"], found["latest"]) == ("open", 0, latest)
        assert found["point_id"] is None
    assert chain(RIGHT, RIGHT, None)["earliest"] == 2
    assert chain(RIGHT, {"a": 0, "b": 1}, None)["state"] == "broken"


def test_a_failed_alternative_breaks_no_chain() -> None:
    either = Group(id="g", points=2, text="", rule="any", of=(point("a", 2), point("b", 2)))
    graded = Graded(sheets(p_0=([either], 2)))
    graded.answer("p-0", {"a": 0, "b": 1})
    assert made(graded)["state"].tolist() == ["whole"]


def marked(
    *breaks: int | None, lengths: tuple[int, ...] | None = None, open_from: int = NEVER
) -> pd.DataFrame:
    """Chains of one problem each, broken at a place or not at all."""
    rows = []
    for number, end in enumerate(breaks):
        latest = NEVER if end is None else end
        row = {"model": "m", "protocol": "sequential_carry", "mode": "text_only", "sample": 0}
        row |= {"problem_id": f"p{number}", "length": lengths[number] if lengths else 3}
        earliest = min(latest, open_from) if number == 0 else latest
        state = "open" if earliest != latest else "whole" if latest == NEVER else "broken"
        rows.append({**row, "earliest": earliest, "latest": latest, "state": state})
    return pd.DataFrame(rows)


def test_survival_of_chains_of_one_length_is_the_share_unbroken_so_far() -> None:
    (found,) = survival(marked(0, 1, 1, None, None))
    assert [step.unbroken.value for step in found.steps] == pytest.approx([4 / 5, 2 / 5, 2 / 5])
    assert [(step.at_risk, step.broken, step.ended) for step in found.steps] == [
        (5, 1, 0),
        (4, 2, 0),
        (2, 0, 2),
    ]
    # a mean over problems: the jackknife's standard error is that of a mean, s / sqrt(K)
    for step in found.steps:
        whole = np.array([1.0] * round(5 * step.unbroken.value) + [0.0] * round(5 - 5 * step.unbroken.value))
        assert step.unbroken.se == pytest.approx(whole.std(ddof=1) / 5**0.5)


def test_short_chains_say_nothing_of_later_places() -> None:
    # at risk 4, 3 and 1: 1 - 1/4, then 1 - 1/3, then one more that holds
    (found,) = survival(marked(0, 1, None, None, lengths=(3, 3, 2, 3)))
    assert [step.unbroken.value for step in found.steps] == pytest.approx([3 / 4, 3 / 4 * 2 / 3, 1 / 2])
    assert [step.ended for step in found.steps] == [0, 1, 1]
    assert found.steps[2].unbroken.problems == 3


def test_open_chains_bound_survival() -> None:
    (found,) = survival(marked(2, 1, None, None, open_from=0))
    assert [step.unbroken.bounds for step in found.steps] == [(3 / 4, 1), (1 / 2, 3 / 4), (1 / 2, 1 / 2)]
    assert [(step.broken, step.open) for step in found.steps] == [(0, 1), (1, 0), (0, 0)]


def test_no_chain_is_left_to_break() -> None:
    (found,) = survival(marked(0, 0))
    assert [step.unbroken.value for step in found.steps] == [0, 0, 0]
    (found,) = survival(marked(None, None, lengths=(1, 2)))
    assert found.steps[1].unbroken.low is None


def test_breaks_are_counted_by_place() -> None:
    found = first_losses(marked(1, 1, None, 2, open_from=0))
    columns = found[["earliest", "broken", "open", "chains", "share"]]
    assert list(columns.itertuples(index=False, name=None)) == [
        (0, 0, 1, 4, 0),
        (1, 1, 0, 4, 0.25),
        (2, 1, 0, 4, 0.25),
    ]


def answered(rows: list[tuple[str, str, int, float]], open_marks: float = 0) -> pd.DataFrame:
    """Protocol, problem, place and marks of 4."""
    columns = ["protocol", "problem_id", "position", "earned"]
    frame = pd.DataFrame(rows, columns=columns).assign(model="m", mode="text_only", sample=0, full_mark=4.0)
    names = frame["problem_id"] + "-" + frame["position"].astype(str)
    return frame.assign(sub_id=names, low=frame["earned"], high=frame["earned"] + open_marks)


CARRY, ORACLE = "sequential_carry", "oracle_scaffolded"
CHAINS = [
    *((CARRY, "p", 0, 4.0), (CARRY, "p", 1, 3.0), (CARRY, "p", 2, 1.0)),
    *((CARRY, "q", 0, 2.0), (CARRY, "q", 1, 0.0), (CARRY, "q", 2, 0.0)),
    *((CARRY, "r", 0, 4.0), (CARRY, "r", 1, 4.0), (CARRY, "r", 2, 2.0)),
    *((ORACLE, "p", 0, 4.0), (ORACLE, "p", 1, 3.0), (ORACLE, "p", 2, 3.0)),
    *((ORACLE, "q", 0, 2.0), (ORACLE, "q", 1, 2.0), (ORACLE, "q", 2, 1.0)),
    *((ORACLE, "r", 0, 4.0), (ORACLE, "r", 1, 4.0), (ORACLE, "r", 2, 3.0)),
]


def test_success_is_told_apart_by_the_answer_before() -> None:
    carry, oracle = successes(answered(CHAINS))
    # after right: p-1 3, r-1 4, r-2 2; after wrong: p-2 1, q-1 0, q-2 0
    assert carry.after_right is not None
    assert carry.after_wrong is not None
    assert carry.contrast is not None
    assert (carry.after_right.value, carry.after_right.answers) == (9 / 12, 3)
    assert (carry.after_wrong.value, carry.after_wrong.answers) == pytest.approx((1 / 12, 3))
    assert carry.contrast.value == pytest.approx(8 / 12)
    # without p: 6/8 - 0/8; without q: 9/12 - 1/4; without r: 3/4 - 1/12
    without = np.array([6 / 8, 9 / 12 - 1 / 4, 3 / 4 - 1 / 12])
    assert carry.contrast.se == pytest.approx((2 / 3 * ((without - without.mean()) ** 2).sum()) ** 0.5)
    assert oracle.after_wrong is not None
    assert oracle.after_wrong.value == pytest.approx((3 + 2 + 1) / 12)


def test_what_an_open_predecessor_says_is_left_open() -> None:
    (found,) = successes(answered([(CARRY, "p", 0, 3.0), (CARRY, "p", 1, 2.0)], open_marks=1))
    assert (found.after_right, found.after_wrong, found.contrast, found.open) == (None, None, None, 1)


def test_oracle_stands_beside_carry_on_the_same_questions() -> None:
    (found,) = paired_successes(answered(CHAINS))
    # of p-2, q-1, q-2, whose carried predecessor was wrong, oracle earns 3 + 2 + 1; of the others 3 + 4 + 3
    assert (found.oracle_right.value, found.oracle_wrong.value) == (10 / 12, 6 / 12)
    assert found.contrast.value == pytest.approx((9 - 1 - 10 + 6) / 12)
    assert paired_successes(answered(CHAINS[:9])) == []


def test_open_marks_bound_a_contrast() -> None:
    frame = answered(CHAINS[:9])
    frame.loc[8, "high"] = 4.0
    (found,) = successes(frame)
    assert found.contrast is not None
    assert found.contrast.bounds == pytest.approx((8 / 12, 10 / 12))
