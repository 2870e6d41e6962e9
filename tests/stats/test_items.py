"""What authors learn of their items, held against scipy and against sums by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import pearsonr, pointbiserialr

from grader.problem.checks import BooleanCheck, ChoiceCheck, IntegerCheck, QuantityCheck
from grader.problem.model import Group, Point
from grader.stats.floors import floors
from grader.stats.items import alpha, point_items, subquestion_items
from tests.stats.answered import Graded, Sheet, sheets

MODELS, SUBS = 12, 4


def marks(seed: int = 3) -> Any:
    """Marks of 4 [models, subquestions]: better models earn more, but on the last one less."""
    rng = np.random.default_rng(seed)
    ability = np.linspace(-2, 2, MODELS)[:, None] * np.array([1, 1, 1, -1.5])
    return np.clip(np.round(2 + ability + 0.5 * rng.standard_normal((MODELS, SUBS))), 0, 4)


def answers(table: Any, samples: int = 1) -> pd.DataFrame:
    cell = {"protocol": "full_problem", "mode": "text_only", "full_mark": 4.0, "position": 0}
    rows = [
        {"model": f"m{m // samples}", "sample": m % samples, "problem_id": f"p{s}", "sub_id": f"p{s}-0"}
        | {**cell, "earned": float(mark)}
        for (m, s), mark in np.ndenumerate(table)
    ]
    return pd.DataFrame(rows)


def test_discrimination_is_the_correlation_with_the_other_subquestions() -> None:
    table = marks()
    found = subquestion_items(answers(table))
    for sub in range(SUBS):
        rest = table.sum(axis=1) - table[:, sub]
        assert found["discrimination"][sub] == pytest.approx(pearsonr(table[:, sub], rest).statistic)
    assert found["difficulty"].tolist() == pytest.approx((table.mean(axis=0) / 4).tolist())
    assert found["negative"].tolist() == [False, False, False, True]
    assert (found["low"] < found["discrimination"]).all()
    assert (found["discrimination"] < found["high"]).all()


def test_the_interval_is_by_models_as_left_out_one_by_one() -> None:
    table = marks()
    found = subquestion_items(answers(table)).iloc[3]
    rest = table[:, :3].sum(axis=1)
    kept = [np.delete(np.arange(MODELS), m) for m in range(MODELS)]
    z = np.arctanh([pearsonr(table[rows, 3], rest[rows]).statistic for rows in kept])
    reach = 2.2009851600916384 * np.sqrt((MODELS - 1) / MODELS * ((z - z.mean()) ** 2).sum())  # t, 11 df
    assert found["low"] == pytest.approx(np.tanh(np.arctanh(found["discrimination"]) - reach))
    assert found["high"] == pytest.approx(np.tanh(np.arctanh(found["discrimination"]) + reach))


def test_samples_of_few_models_claim_nothing() -> None:
    found = subquestion_items(answers(marks(), samples=4))
    assert found["respondents"].tolist() == [12] * SUBS
    assert found["models"].tolist() == [3] * SUBS
    assert not found[["negative", "enough"]].to_numpy().any()
    assert found[["low", "high"]].isna().all(axis=None)


def test_items_that_nobody_or_everybody_earns_are_told_only_of_enough() -> None:
    table = marks()
    table[:, 0], table[:, 1] = 0, 4
    found = subquestion_items(answers(table))
    assert (found["nobody"].tolist(), found["everybody"].tolist()) == (
        [True, False, False, False],
        [False, True, False, False],
    )
    assert found["discrimination"].isna().tolist() == [True, True, False, False]
    assert not subquestion_items(answers(table[:9]))[["nobody", "everybody"]].to_numpy().any()


def test_a_missing_answer_leaves_a_respondent_its_other_marks() -> None:
    table = marks()
    frame = answers(table).drop(index=1)  # the first model's second answer
    found = subquestion_items(frame)
    assert found["respondents"].tolist() == [12, 11, 12, 12]
    rest = (table.sum(axis=1) - table[:, 0]) / 12
    rest[0] = (table[0, 2] + table[0, 3]) / 8
    assert found["discrimination"][0] == pytest.approx(pearsonr(table[:, 0], rest).statistic)


def test_a_points_total_leaves_its_own_subquestion_out() -> None:
    table = marks()
    frame = answers(table)
    met = (table > 2).astype(float)
    points = frame.assign(point_id="r", place=0, kind=None, shape="point", award=met.ravel())
    points.loc[0, "award"] = np.nan  # open
    found = point_items(points, frame)
    rest = table[:, 1:].sum(axis=1)
    assert found["respondents"].tolist() == [11, 12, 12, 12]
    expected = pointbiserialr(met[1:, 0].astype(bool), rest[1:]).statistic
    assert found["discrimination"][0] == pytest.approx(expected)
    assert list(found["point_id"]) == ["r"] * SUBS
    assert not (point_items(points.assign(shape="veto"), frame).size)


def test_alpha_by_hand() -> None:
    # items 1 2 3 and 2 2 5: variances 1 and 3, totals 3 4 8 with 7: 2 * (1 - 4 / 7)
    table = np.array([[1, 2], [2, 2], [3, 5]])
    assert alpha(answers(table)) == pytest.approx(2 * (1 - 4 / 7))
    third = np.array([[0], [4], [1]])
    found = subquestion_items(answers(np.hstack([table, third])))
    assert found["alpha_without"][2] == pytest.approx(2 * (1 - 4 / 7))
    assert np.isnan(alpha(answers(table[:1])))


def choice(expected: str, points: float = 1) -> Point:
    return Point(id="c", points=points, text="", check=ChoiceCheck(kind="choice", expected=expected))


def test_the_floor_is_the_best_constant_answer() -> None:
    rubrics = sheets(
        p_0=([choice("b, A", 3)], 3),
        p_1=([choice("B", 2)], 2),
        p_2=([choice("B", 1)], 1),
        p_3=([Point(id="i", points=2, text="", check=IntegerCheck(kind="integer", expected=2))], 2),
        p_4=([Point(id="q", points=2, text="", check=QuantityCheck(kind="quantity", expected=2))], 2),
        p_5=(
            [Point(id="d", points=2, text="", draft=True, check=BooleanCheck(kind="boolean", expected=True))],
            2,
        ),
    )
    found = {one.kind: one for one in floors(pd.DataFrame(), rubrics)}
    assert {kind: (one.answer, one.share, one.checks) for kind, one in found.items()} == {
        "choice": ("A,B", 0.5, 3),
        "integer": ("2", 1.0, 1),
    }
    assert not any(one.enough or one.cells for one in found.values())


def test_models_are_held_against_the_floor() -> None:
    checks = [BooleanCheck(kind="boolean", expected=n % 3 > 0) for n in range(12)]
    members = [Point(id="b", points=2, text="", check=check) for check in checks]
    grouped = Group(id="g", points=2, text="", rule="any", of=(members[0],))
    rubrics = {(f"p{n}", f"p{n}-0"): Sheet([members[n] if n else grouped], 2) for n in range(12)}
    graded = Graded(rubrics)
    for n in range(12):
        graded.answer(f"p{n}-0", {"b": 1.0}, model="right", b_kind="boolean")
        graded.answer(f"p{n}-0", {"b": float(n % 3 > 0)}, model="yes", b_kind="boolean")
    (found,) = floors(graded.frames[1], rubrics)
    assert (found.answer, found.checks, found.enough) == ("true", 12, True)
    assert found.share == pytest.approx(8 / 12)
    cells = {one.cell[0]: one for one in found.cells}
    assert cells["right"].difference.value == pytest.approx(4 / 12)
    assert cells["right"].beats
    assert cells["yes"].difference.value == 0
    assert not cells["yes"].beats
