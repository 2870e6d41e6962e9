"""A gap is given between conditions that hold the same questions, and never from half of them."""

from __future__ import annotations

import pytest

from grader.grade.gaps import ladders


def condition(protocol, mode, low, high=None, answers=1, subs=("p-1", "p-2"), model="m"):
    names = {"model": model, "protocol": protocol, "mode": mode}
    high = low if high is None else high
    one = {**names, "share": low, "low": low, "high": high, "full_mark": 2.0}
    return one, [{**names, "problem_id": "p", "sub_id": sub, "answers": answers} for sub in subs]


def summary(*conditions):
    return {
        "scores": [one for one, _ in conditions],
        "subquestions": [sub for _, subs in conditions for sub in subs],
    }


def gaps(axis, *conditions):
    return {
        (ladder.model, ladder.other, name): (pytest.approx(gap.low), pytest.approx(gap.high))
        for ladder in ladders(summary(*conditions), axis)
        for name, gap in ladder.gaps.items()
    }


FULL = condition("full_problem", "text_only", 0.2)
CARRY = condition("sequential_carry", "text_only", 0.5)
ORACLE = condition("oracle_scaffolded", "text_only", 0.9)


def test_gaps_have_the_sign_and_the_ends_that_they_are_named_for():
    assert gaps("protocol", ORACLE, FULL, CARRY) == {
        ("m", "text_only", "integration"): (0.3, 0.3),
        ("m", "text_only", "propagation"): (0.4, 0.4),
        ("m", "text_only", "both"): (0.7, 0.7),
    }
    seen = condition("full_problem", "multimodal", 0.1)
    read = condition("full_problem", "text_reader", 0.25)
    assert gaps("mode", FULL, seen, read) == {
        ("m", "full_problem", "images"): (0.1, 0.1),
        ("m", "full_problem", "reader"): (-0.05, -0.05),
    }


def test_a_gap_lies_between_bounds_while_points_are_open():
    open_carry = condition("sequential_carry", "text_only", 0.4, 0.8)
    assert gaps("protocol", FULL, open_carry) == {("m", "text_only", "integration"): (0.2, 0.6)}
    assert gaps("protocol", condition("full_problem", "text_only", 0.1, 0.5), open_carry) == {
        ("m", "text_only", "integration"): (-0.1, 0.7)
    }


@pytest.mark.parametrize("other", [{"subs": ("p-1",)}, {"subs": ("p-1", "p-3")}, {"answers": 2}])
def test_conditions_that_hold_other_questions_or_more_samples_have_no_gap(other):
    assert gaps("protocol", FULL, condition("sequential_carry", "text_only", 0.5, **other)) == {}


def test_models_and_modes_are_never_mixed():
    others = (
        condition("sequential_carry", "multimodal", 0.9),
        condition("sequential_carry", "text_only", 0.9, model="n"),
        condition("unstated", "text_only", 0.9),
    )
    assert gaps("protocol", FULL, *others) == {}
