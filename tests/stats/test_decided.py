"""How much of a gap may come from who decided, by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.problem.model import Deduction, Group, Point, ScoringNode, Veto
from grader.stats.decided import decided, extraction
from grader.stats.rubrics import Rubrics
from tests.stats.marked import TRACKS, subquestions


def tracked(rows: list[tuple[str, str, float, float]], **tracks: list[float]) -> pd.DataFrame:
    """Subquestions with the marks that each track decided."""
    frame = subquestions(rows)
    for track in TRACKS:
        frame[track] = tracks.get(track, 0.0)
    return frame


FIRST = tracked([("p", "a", 1, 4), ("q", "b", 2, 2)], formal=[4.0, 0.0], judge=[0.0, 2.0])
SECOND = tracked([("p", "a", 3, 4), ("q", "b", 1, 2)], formal=[2.0, 0.0], judge=[1.5, 2.0])


def test_what_nobody_decided_is_open() -> None:
    assert decided(SECOND) == {
        "formal": pytest.approx(2 / 6),
        "located": 0.0,
        "judge": pytest.approx(3.5 / 6),
        "human": 0.0,
        "open": pytest.approx(0.5 / 6),
    }
    assert decided(SECOND[:0]) == {}


def test_the_worst_case_decides_anew_on_the_side_that_moves_the_gap_most() -> None:
    found = extraction(FIRST, SECOND)
    assert found is not None
    # a: of 4 marks 2 were decided by code on one side, by a judge (1.5) or nobody (0.5) on the other
    assert found.differing == pytest.approx(2 / 6)
    assert found.tracks["formal"] == pytest.approx((4 / 6, 2 / 6))
    assert found.tracks["open"] == pytest.approx((0.0, 0.5 / 6))
    assert found.gap.value == pytest.approx(-1 / 6)
    # a lower: the first falls by 1 (all it has) or the second rises by 1 (all that is left)
    # a higher: the first rises by 2, or the second falls by 2
    assert found.bounds == pytest.approx(((-2 - 1 + 1) / 6, (-2 + 2 + 1) / 6))
    assert found.at_most == pytest.approx(1 / 6)
    assert found.may_explain_all


def test_the_gap_over_what_was_decided_alike_stands_beside_it() -> None:
    found = extraction(FIRST, SECOND)
    assert found is not None
    assert found.alike is not None
    assert found.alike.value == pytest.approx(1 / 2)
    assert found.alike_marks == pytest.approx(2 / 6)


def test_conditions_decided_alike_owe_nothing_to_extraction() -> None:
    other = SECOND.assign(formal=FIRST["formal"], judge=FIRST["judge"])
    found = extraction(FIRST, other)
    assert found is not None
    assert not found.differs
    assert not found.may_explain_all
    assert found.at_most == 0.0
    assert found.bounds == (found.gap.value, found.gap.value)
    assert found.alike == found.gap


def test_part_of_a_gap_may_come_from_extraction() -> None:
    first = tracked([("p", "a", 4, 4), ("q", "b", 4, 4)], formal=[4.0, 4.0])
    second = tracked([("p", "a", 1, 4), ("q", "b", 2, 4)], formal=[3.0, 4.0], located=[1.0, 0.0])
    found = extraction(first, second)
    assert found is not None
    # 3 + 2 of 8; one mark of a less: the first falls to 3 or the second rises to 2
    assert found.bounds == pytest.approx((4 / 8, 6 / 8))
    assert found.at_most == pytest.approx(1 / 8)
    assert not found.may_explain_all


def points(tracks: dict[str, str], **more: object) -> pd.DataFrame:
    rows = [
        {"problem_id": "p", "sub_id": "a", "point_id": name, "shape": "point", "points": 2.0, "track": track}
        for name, track in tracks.items()
    ]
    return pd.DataFrame([*rows, more] if more else rows).assign(status="met")


@dataclass(frozen=True)
class Rubric:
    nodes: Sequence[ScoringNode]
    full_mark: float


def rubrics(full: float = 4.0, *more: ScoringNode) -> Rubrics:
    """Two points worth 2, and what stands beside them."""
    two = [Point(id=name, points=2, text="t") for name in ("a#1", "a#2")]
    return {("p", "a"): Rubric((*two, *more), full)}


def test_a_point_that_a_track_left_undetermined_is_open() -> None:
    rows = [("p", "a", 2.0, 4.0)]
    one, two = (tracked(rows, formal=[4.0]) for _ in range(2))
    found = points({"a#1": "formal", "a#2": "formal"})
    left = found.assign(status=["met", "undetermined"])
    seen, alike = (extraction(one, two, side, left, rubrics()) for side in (found, left))
    assert seen is not None
    assert alike is not None
    assert (seen.differing, alike.differing) == (0.5, 0.0)


def test_points_that_change_places_are_seen_where_points_are_given() -> None:
    rows = [("p", "a", 2.0, 4.0)]
    one, two = (tracked(rows, formal=[2.0], judge=[2.0]) for _ in range(2))
    blind = extraction(one, two)
    seen = extraction(
        one,
        two,
        points({"a#1": "formal", "a#2": "judge"}),
        points({"a#1": "judge", "a#2": "formal"}),
        rubrics(),
    )
    assert blind is not None
    assert seen is not None
    assert blind.differing == 0.0
    assert seen.differing == 1.0
    assert seen.bounds == (-0.5, 0.5)
    assert seen.alike is None


def test_a_veto_decided_differently_puts_the_whole_mark_in_doubt() -> None:
    rows = [("p", "a", 3.0, 4.0)]
    one, two = (tracked(rows, formal=[4.0]) for _ in range(2))
    alike = {"a#1": "formal", "a#2": "formal"}
    veto = {"problem_id": "p", "sub_id": "a", "point_id": "v", "shape": "veto", "points": None}
    ours, theirs = (points(alike, **veto, track=track) for track in ("judge", None))
    found = extraction(one, two, ours, theirs, rubrics(4.0, Veto(id="v", veto=True, text="t")))
    assert found is not None
    assert found.differing == 1.0


def test_a_veto_decided_alike_puts_nothing_in_doubt() -> None:
    rows = [("p", "a", 3.0, 4.0)]
    one, two = (tracked(rows, formal=[4.0]) for _ in range(2))
    veto = {
        "problem_id": "p",
        "sub_id": "a",
        "point_id": "v",
        "shape": "veto",
        "points": None,
        "track": "judge",
    }
    side = points({"a#1": "formal"}, **veto)
    found = extraction(one, two, side, side, rubrics(4.0, Veto(id="v", veto=True, text="t")))
    assert found is not None
    assert not found.differs


@pytest.mark.parametrize(
    ("deduction", "differing"),
    [
        (Deduction(id="d", points=-1, text="t"), 1 / 4),
        (Deduction(id="d", points=-1, text="t", each=True, max=3), 3 / 4),
        (Deduction(id="d", points=-1, text="t", each=True), 1.0),
        (Deduction(id="d", points=-1, text="t", each=True, scope="a#1"), 2 / 4),
    ],
)
def test_a_deduction_decided_differently_puts_all_it_can_take_in_doubt(
    deduction: Deduction, differing: float
) -> None:
    rows = [("p", "a", 3.0, 4.0)]
    one, two = (tracked(rows, formal=[4.0]) for _ in range(2))
    row = {"problem_id": "p", "sub_id": "a", "point_id": "d", "shape": "deduction", "points": -1.0}
    ours, theirs = (points({"a#1": "formal"}, **row, track=track) for track in ("judge", None))
    found = extraction(one, two, ours, theirs, rubrics(4.0, deduction))
    assert found is not None
    assert found.differing == differing


def test_a_group_marked_on_one_side_only_is_decided_differently() -> None:
    rows = [("p", "a", 3.0, 8.0)]
    one, two = (tracked(rows, formal=[8.0]) for _ in range(2))
    group = {"problem_id": "p", "sub_id": "a", "point_id": "g", "shape": "group", "points": 4.0}
    ours, theirs = (points({"a#1": "formal"}, **group, track=track) for track in ("human", None))
    group_node = Group(id="g", points=4, text="t", rule="sum", of=(Point(id="a#3", points=4, text="t"),))
    found = extraction(one, two, ours, theirs, rubrics(8.0, group_node))
    assert found is not None
    assert found.differing == 0.5


def test_a_group_counts_only_where_it_was_marked_itself() -> None:
    rows = [("p", "a", 3.0, 4.0)]
    one, two = (tracked(rows, formal=[4.0]) for _ in range(2))
    alike = {"a#1": "formal", "a#2": "formal"}
    group = {
        "problem_id": "p",
        "sub_id": "a",
        "point_id": "g",
        "shape": "group",
        "points": 4.0,
        "track": None,
    }
    side = points(alike, **group)
    members = tuple(Point(id=name, points=2, text="t") for name in alike)
    group_node = Group(id="g", points=4, text="t", rule="sum", of=members)
    found = extraction(one, two, side, side, {("p", "a"): Rubric((group_node,), 4.0)})
    assert found is not None
    assert not found.differs


def test_samples_are_compared_by_how_often_each_track_decided() -> None:
    one = tracked([("p", "a", 4, 8)], formal=[8.0]).assign(answers=2)
    two = tracked([("p", "a", 4, 8)], formal=[4.0], judge=[4.0]).assign(answers=2)
    code = pd.concat([points({"a#1": "formal", "a#2": "formal"})] * 2)
    mixed = pd.concat([points({"a#1": "formal", "a#2": "formal"}), points({"a#1": "judge", "a#2": "judge"})])
    for found in (extraction(one, two), extraction(one, two, code, mixed, rubrics(8.0))):
        assert found is not None
        assert found.differing == pytest.approx(0.5)


@settings(max_examples=12)
@given(st.lists(st.tuples(*[st.integers(0, 4)] * 4), min_size=2, max_size=6))
def test_the_gap_lies_between_its_bounds_and_turns_round(rows: list[tuple[int, int, int, int]]) -> None:
    def side(earned: int, formal: int) -> pd.DataFrame:
        marks = [(f"p{n}", "a", float(row[earned]), 4.0) for n, row in enumerate(rows)]
        return tracked(
            marks, formal=[float(row[formal]) for row in rows], judge=[4.0 - row[formal] for row in rows]
        )

    one, other = extraction(side(0, 1), side(2, 3)), extraction(side(2, 3), side(0, 1))
    assert one is not None
    assert other is not None
    low, high = one.bounds
    assert low - 1e-12 <= one.gap.value <= high + 1e-12
    assert -1 <= low <= high <= 1
    assert other.bounds == pytest.approx((-high, -low))
    assert 0 <= one.at_most <= abs(one.gap.value) + 1e-12
    assert one.may_explain_all == (one.differs and low <= 0 <= high)
