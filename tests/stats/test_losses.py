"""Lost marks add up to what answers lost, and lie at the node that cost them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.problem.model import Deduction, Group, Point, Veto
from grader.stats.losses import losses, losses_by, origins
from tests.stats.answered import Graded, Rubric, point, sheets
from tests.stats.marked import subquestions


def group(name: str, points: float, rule: str, *members: Point, **more: object) -> Group:
    return Group(id=name, points=points, text=name, rule=rule, of=members, **more)  # type: ignore[arg-type]


def lost(rubric: Rubric, full: float, awards: dict[str, float | None]) -> dict[str, tuple[float, float]]:
    """Marks lost at each node: surely, and at most; those without any left out."""
    graded = Graded(sheets(p_0=(rubric, full)))
    graded.answer("p-0", awards)
    found = losses(graded.frames[1], graded.sheets)
    pairs = zip(found["point_id"], found["lost"], found["lost_if_open"], strict=True)
    return {name: (sure, most) for name, sure, most in pairs if sure or most}


def test_points_lose_their_own_marks() -> None:
    rubric = [point("a", 2), point("b", 1), point("c", 3)]
    assert lost(rubric, 6, {"a": 0.5, "b": None, "c": 0}) == {"a": (1, 1), "b": (0, 1), "c": (3, 3)}


def test_a_failed_alternative_costs_nothing_while_another_is_met() -> None:
    rubric = [group("g", 2, "any", point("a", 2), point("b", 2)), point("c", 1)]
    assert lost(rubric, 3, {"a": 0, "b": 1, "c": 1}) == {}
    assert lost(rubric, 3, {"a": 0, "b": 0, "c": 1}) == {"b": (2, 2)}
    assert lost(rubric, 3, {"a": 0, "b": None, "c": 1}) == {"b": (0, 2)}


def test_of_all_or_nothing_the_first_failure_loses_everything() -> None:
    rubric = [group("g", 3, "all", point("a"), point("b"), point("c"))]
    assert lost(rubric, 3, {"a": 1, "b": 0, "c": 0}) == {"b": (3, 3)}
    # were a not met, it would be a that lost the marks
    assert lost(rubric, 3, {"a": None, "b": 0, "c": 1}) == {"a": (0, 3), "b": (3, 0)}


def test_a_mark_on_a_group_stands_in_place_of_its_members() -> None:
    rubric = [group("g", 2, "sum", point("a"), point("b"))]
    assert lost(rubric, 2, {"g": 0.5, "a": 0, "b": 0}) == {"g": (1, 1)}


def test_a_deduction_takes_no_more_than_is_left() -> None:
    rubric = [point("a", 2), point("b", 1), Deduction(id="d", points=-2, text="")]
    assert lost(rubric, 3, {"a": 0, "b": 1, "d": 1}) == {"a": (2, 2), "d": (1, 1)}


def test_a_veto_loses_what_the_points_have_left() -> None:
    rubric = [point("a", 2), point("b", 1), Veto(id="v", veto=True, text="")]
    assert lost(rubric, 3, {"a": 1, "b": 0, "v": 1}) == {"b": (1, 1), "v": (2, 2)}
    assert lost(rubric, 3, {"a": 1, "b": 1, "v": None}) == {"v": (0, 3)}


AWARDS = st.sampled_from([0.0, 0.5, 1.0, None])
MIXED: Rubric = [
    group("g", 2, "any", point("a", 2), point("b", 1)),
    group("h", 3, "count", point("c"), point("e"), point("f"), table={"3": 3, "2": 1}),
    point("i", 2),
    Deduction(id="d", points=-1, text="", scope="g"),
    Veto(id="v", veto=True, text="", scope="h"),
    Deduction(id="k", points=-2, text=""),
]
LEAVES = ["a", "b", "c", "e", "f", "i", "d", "v", "k"]


@settings(max_examples=60)
@given(st.fixed_dictionaries(dict.fromkeys(LEAVES, AWARDS)))
def test_losses_add_up_to_the_marks_lost(awards: dict[str, float | None]) -> None:
    graded = Graded(sheets(p_0=(MIXED, 7)))
    graded.answer("p-0", awards)
    answers, points = graded.frames
    found = losses(points, graded.sheets)
    assert found["lost"].sum() == pytest.approx(7 - answers["high"].iloc[0])
    assert found["lost_if_open"].sum() == pytest.approx(7 - answers["low"].iloc[0])
    assert (found["lost"] >= 0).all()


def several() -> Graded:
    graded = Graded(sheets(p_0=([point("a", 2), point("b", 1)], 3), p_1=([point("c", 4)], 4)))
    graded.answer("p-0", {"a": 0, "b": None}, a_kind="smiles")
    graded.answer("p-1", {"c": 0.25}, c_inherited=True)
    return graded


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("kind", {"flexible": (1, 3, 4, 0.6), "smiles": (1, 2, 2, 0.4)}),
        ("error", {"inherited": (1, 3, 3, 0.6), "wrong": (1, 2, 2, 0.4), "unjudged": (0, 0, 1, 0)}),
        ("tag", {"chem": (2, 5, 6, 1.0)}),
    ],
)
def test_losses_are_told_apart(by: str, expected: dict[str, tuple[float, ...]]) -> None:
    graded = several()
    found = losses_by(losses(graded.frames[1], graded.sheets), by, graded.items)  # type: ignore[arg-type]
    columns = ["times", "lost", "lost_if_open", "share"]
    assert {row[by]: tuple(row[name] for name in columns) for _, row in found.iterrows()} == expected
    assert list(found[by]) == list(expected)


def test_tags_are_asked_for() -> None:
    graded = several()
    with pytest.raises(ValueError, match="items"):
        losses_by(losses(graded.frames[1], graded.sheets), "tag")


def test_what_follow_through_gives_back_is_inherited() -> None:
    # 3 + 1 of 5 + 5 earned; of 6 lost, 1 is open and follow-through gives 2 back
    frame = subquestions([("p", "a", 3, 5), ("q", "b", 1, 5)])
    frame["high"] = [3.0, 2.0]
    frame["earned_follow"] = [5.0, 1.0]
    (found,) = origins(frame)
    assert found.lost.value == pytest.approx(5 / 10)
    assert found.lost.bounds == pytest.approx((5 / 10, 6 / 10))
    assert (found.inherited.value, found.fresh.value) == pytest.approx((0.2, 0.3))
    assert found.of_lost is not None
    assert found.of_lost.value == pytest.approx(2 / 5)


def test_nothing_lost_has_no_origin() -> None:
    (found,) = origins(subquestions([("p", "a", 5, 5)]).assign(earned_follow=5.0))
    assert found.of_lost is None
