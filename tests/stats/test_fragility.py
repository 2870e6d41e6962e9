"""A difference hangs on the doubtful verdicts whose reversal overturns it."""

from __future__ import annotations

import json

import pytest

from grader.problem.model import Deduction, Group, Veto
from grader.stats.fragility import Doubts, Fragility
from tests.stats.answered import Graded, Rubric, point, sheets

FIRST, SECOND = ("one", "full_problem", "text_only"), ("two", "full_problem", "text_only")
Said = dict[str, tuple[float | None, float | None]]
"""Award and confidence by point."""


def fragility(rubric: Rubric, full: float, first: Said, second: Said, **more: object) -> Fragility:
    """Of two models that both answered one subquestion; every verdict is a judge's."""
    graded = Graded(sheets(p_0=(rubric, full)))
    for model, said in (("one", first), ("two", second)):
        sure = {f"{name}_confidence": sure for name, (_, sure) in said.items() if sure is not None}
        awards = {name: award for name, (award, _) in said.items()}
        graded.answer("p-0", awards, model=model, protocol="full_problem", **sure, **more)
    answers, points = graded.frames
    found = Doubts(answers, points, graded.sheets).fragility(FIRST, SECOND)
    assert found is not None
    return found


def shown(found: Fragility) -> list[tuple[str, str, float, float]]:
    return [(one.model, one.point_id, one.effect, one.left) for one in found.least_sure]


THREE = [point("a", 1), point("b", 2), point("c", 4)]
ALL: Said = {"a": (1, 0.9), "b": (1, 0.6), "c": (1, 0.99)}


def test_the_least_sure_are_reversed_first() -> None:
    # 7 against 4 of 7
    found = fragility(THREE, 7, ALL, {"a": (0, 0.5), "b": (0, 0.8), "c": (1, 0.7)})
    assert found.difference == pytest.approx(3 / 7)
    assert shown(found) == [
        ("two", "a", 1, pytest.approx(2 / 7)),
        ("one", "b", -2, 0),
    ]
    assert [one.confidence for one in found.least_sure] == [0.5, 0.6]
    # c of the second is met already, so it has no way to go against the difference
    assert found.doubts == 5
    # c of the first alone takes 4 marks
    assert found.fewest == 1
    assert found.left == -1


def test_a_difference_below_zero_is_overturned_upwards() -> None:
    found = fragility(THREE, 7, {"a": (0, 0.5), "b": (0, 0.8), "c": (1, 0.7)}, ALL)
    assert found.difference == pytest.approx(-3 / 7)
    assert shown(found) == [("one", "a", 1, pytest.approx(-2 / 7)), ("two", "b", -2, 0)]


def test_open_points_come_before_verdicts_and_count_only_against_it() -> None:
    found = fragility(
        THREE, 7, {"a": (1, 0.1), "b": (1, 0.2), "c": (None, None)}, {"a": (None, None), "b": (0, 0.1)}
    )
    # an open point of the one ahead earns nothing already; those of the other may be met
    assert [(one.model, one.point_id, one.effect) for one in found.least_sure] == [
        ("two", "a", 1),
        ("two", "c", 4),
    ]
    assert [one.left for one in found.least_sure] == pytest.approx([2 / 7, -2 / 7])
    assert [one.confidence for one in found.least_sure] == [None, None]
    assert found.doubts == 5


def test_verdicts_of_code_and_people_are_not_doubted() -> None:
    found = fragility(
        THREE, 7, ALL, {"c": (0, 0.2), "a": (1, 1), "b": (1, 1)}, c_track="human", b_track="formal"
    )
    assert found.doubts == 1
    assert (found.least_sure, found.fewest) == ((), None)
    assert found.left == pytest.approx(3 / 7)


def test_members_of_a_group_are_reversed_together() -> None:
    either = [Group(id="g", points=2, text="", rule="any", of=(point("a", 2), point("b", 2)))]
    found = fragility(either, 2, {"a": (1, 0.1), "b": (1, 0.2)}, {"a": (0, 0.9), "b": (0, 0.9)})
    # the first reversal has no effect by itself and makes way for the second
    assert shown(found) == [("one", "a", 0, 1), ("one", "b", -2, 0)]
    # any member of the other suffices
    assert found.fewest == 1


def test_reversals_without_effect_are_left_out() -> None:
    both = [Group(id="g", points=2, text="", rule="any", of=(point("a", 2), point("b", 2))), point("c", 2)]
    first: Said = {"a": (1, 0.1), "b": (1, 0.9), "c": (1, 0.2)}
    found = fragility(both, 4, first, {"a": (1, 0.95), "b": (1, 0.95), "c": (0, 0.95)})
    assert [one.point_id for one in found.least_sure] == ["c"]


def test_deductions_and_vetoes_are_reversed_the_other_way() -> None:
    rubric = [point("a", 3), Deduction(id="d", points=-1, text=""), Veto(id="v", veto=True, text="")]
    found = fragility(
        rubric,
        3,
        {"a": (1, 0.9), "d": (0, 0.1), "v": (0, 0.4)},
        {"a": (1, 0.9), "d": (1, 0.3), "v": (0, 0.9)},
    )
    assert found.difference == pytest.approx(1 / 3)
    assert shown(found) == [("one", "d", -1, 0)]
    found = fragility(
        rubric, 3, {"a": (1, 0.9), "v": (0, 0.4)}, {"a": (0, 0.9), "d": (0, 0.3), "v": (None, None)}
    )
    assert [(one.point_id, one.effect) for one in found.least_sure] == [("d", -1), ("v", -2)]


def test_samples_share_the_weight_of_their_question() -> None:
    graded = Graded(sheets(p_0=([point("a", 2)], 2)))
    for sample, sure in ((0, 0.3), (1, 0.2)):
        graded.answer("p-0", {"a": 1}, model="one", protocol="full_problem", sample=sample, a_confidence=sure)
    graded.answer("p-0", {"a": 0}, model="two", protocol="full_problem", a_track="formal")
    answers, points = graded.frames
    found = Doubts(answers, points, graded.sheets).fragility(FIRST, SECOND)
    assert found is not None
    assert [(one.sample, one.left) for one in found.least_sure] == [(1, 0.5), (0, 0)]
    assert found.fewest == 2


def test_equals_and_strangers_have_nothing_to_overturn() -> None:
    same: Said = {"a": (1, 0.5), "b": (0, 0.5), "c": (0, 0.5)}
    found = fragility(THREE, 7, same, same)
    assert (found.difference, found.least_sure, found.fewest) == (0, (), None)
    graded = Graded(sheets(p_0=(THREE, 7), p_1=(THREE, 7)))
    graded.answer("p-0", {"a": 1}, model="one", protocol="full_problem")
    graded.answer("p-1", {"a": 1}, model="two", protocol="full_problem")
    answers, points = graded.frames
    assert Doubts(answers, points, graded.sheets).ranking([FIRST, SECOND]) == []


def test_reversals_are_lines_that_review_takes() -> None:
    found = fragility(THREE, 7, ALL, {"a": (0, 0.5), "b": (0, 0.8), "c": (1, 0.7)})
    line = json.loads(json.dumps(found.least_sure[0].as_json()))
    assert line["response"] == "digest of p-0"
    assert {"sub_id", "point_id", "confidence", "effect", "award", "to", "by"} <= set(line)
