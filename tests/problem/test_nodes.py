"""A rubric is scoring nodes, whether it was written as native lines, as typed nodes, or as both."""

from __future__ import annotations

from typing import Any

import pytest

from grader.problem.model import Deduction, Group, Note, Point, Subquestion
from grader.problem.nodes import nodes
from grader.problem.place import Place
from grader.problem.rules import rubric_faults

PLACE = Place("problem.json").at("subquestions", 0)


def sub(full_mark: float, *rubric: Any) -> Subquestion:
    raw = {"sub_id": "s-1", "text_open": "?", "full_mark": full_mark, "rubric": list(rubric)}
    return Subquestion.model_validate(raw)


def point(name: str, points: float) -> dict[str, Any]:
    return {"id": name, "points": points, "text": name}


def test_typed_nodes_are_taken_as_they_are() -> None:
    typed = sub(2, point("a", 2), {"note": "n"}, {"id": "d", "points": -1, "text": "unit"})
    assert nodes(typed) == typed.rubric


def test_a_subquestion_without_rubric_has_no_nodes() -> None:
    bare = Subquestion.model_validate({"sub_id": "s-1", "text_open": "?", "full_mark": 2})
    assert nodes(bare) == ()


def test_native_lines_get_ids_of_the_subquestion() -> None:
    found = nodes(sub(3, "K: 'O=C1CCCN1' (2 points)", "Falls (1 point)"))
    assert [(node.id, node.points) for node in found if isinstance(node, Point)] == [
        ("s-1#1", 2),
        ("s-1#2", 1),
    ]


def test_native_lines_beside_typed_points_share_what_is_left() -> None:
    mixed = sub(5, point("a", 2), "K (2 points)", {"note": "n"}, "L (1 point)")
    found = nodes(mixed)
    assert rubric_faults(mixed, PLACE) == []
    assert [getattr(node, "id", "note") for node in found] == ["a", "s-1#2", "s-1#4", "note"]
    assert sum(node.points for node in found if isinstance(node, Point | Group)) == 5


def test_lines_without_marks_beside_complete_points_are_guidance() -> None:
    mixed = sub(2, point("a", 2), "Stereochemistry is not required.")
    assert nodes(mixed)[1] == Note(note="Stereochemistry is not required.")
    assert rubric_faults(mixed, PLACE) == []


@pytest.mark.parametrize("line", ["K (2 points)", "Deduct 1 point if the unit is missing."])
def test_lines_with_marks_beside_complete_points_are_an_error(line: str) -> None:
    (fault,) = rubric_faults(sub(2, point("a", 2), line), PLACE)
    assert (fault.pointer, "leave no marks" in fault.what) == ("/subquestions/0/rubric", True)


def test_typed_points_above_the_full_mark_are_an_error_beside_lines() -> None:
    (fault,) = rubric_faults(sub(2, point("a", 3), "K (2 points)"), PLACE)
    assert "exceed full_mark" in fault.what


@pytest.mark.parametrize(
    "lines", [["K (3 points)", "L (3 points)"], ["K (1 point)"], ["K", "L"], ["Deduct 1 point per error."]]
)
def test_a_native_rubric_never_fails_for_its_sum(lines: list[str]) -> None:
    native = sub(4, *lines)
    assert rubric_faults(native, PLACE) == []
    assert sum(node.points for node in nodes(native) if isinstance(node, Point | Group)) == 4


def test_a_scope_may_name_a_native_point() -> None:
    veto = {"id": "v", "veto": True, "text": "t", "scope": "s-1#1"}
    assert rubric_faults(sub(2, "K (2 points)", veto), PLACE) == []
    (fault,) = rubric_faults(sub(2, "K (2 points)", {**veto, "scope": "s-1#7"}), PLACE)
    assert fault.expected == "one of s-1#1"


def test_a_typed_id_may_not_be_that_of_a_native_point() -> None:
    (fault,) = rubric_faults(sub(4, "K (2 points)", point("s-1#1", 2)), PLACE)
    assert (fault.pointer, "also names a native line" in fault.what) == ("/subquestions/0/rubric/1/id", True)


def test_reading_is_not_repeated() -> None:
    native = sub(2, "K (2 points)")
    assert nodes(native)[0] is nodes(sub(2, "K (2 points)"))[0]
    assert isinstance(nodes(native)[0], Point | Group | Deduction)
