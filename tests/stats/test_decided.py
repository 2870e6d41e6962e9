"""How much of a gap may come from who decided, by hand."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.stats.decided import decided, extraction
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


def test_samples_are_compared_by_how_often_each_track_decided() -> None:
    one = tracked([("p", "a", 4, 8)], formal=[8.0]).assign(answers=2)
    two = tracked([("p", "a", 4, 8)], formal=[4.0], judge=[4.0]).assign(answers=2)
    found = extraction(one, two)
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
