"""Native lines become nodes with stable ids whose marks add up."""

from __future__ import annotations

from typing import Any

from grader.problem.model import Deduction, Group, Note, Point, ScoringNode, Veto, walk
from grader.problem.rubric import read_rubric, scoring_nodes


def nodes(full_mark: float, *lines: str, numbers: list[int] | None = None) -> tuple[ScoringNode, ...]:
    return scoring_nodes("S-1", read_rubric(lines, full_mark), numbers)


def ids(found: tuple[ScoringNode, ...]) -> list[str]:
    return [node.id for node in walk(found) if not isinstance(node, Note)]


def test_a_line_with_one_node_has_the_name_of_the_line() -> None:
    found = nodes(4, "U: 'CCO' (2 points)", "V: 'CC=O' (2 points)")
    assert ids(found) == ["S-1#1", "S-1#2"]
    assert all(isinstance(node, Point) and node.partial and node.check is None for node in found)


def test_a_line_with_several_nodes_counts_them() -> None:
    assert ids(nodes(3, "Falls (1 point); fewer moles of gas (1 point)", "Mg (1 point)")) == [
        "S-1#1.1",
        "S-1#1.2",
        "S-1#2",
    ]


def test_typed_nodes_between_the_lines_shift_the_numbers() -> None:
    assert ids(nodes(2, "a (1 point)", "b (1 point)", numbers=[2, 5])) == ["S-1#2", "S-1#5"]


def test_what_no_line_accounts_for_is_one_flexible_point() -> None:
    found = nodes(5, "Mg (2 points)", "It burns.")
    rest = found[-1]
    assert isinstance(rest, Point)
    assert (rest.id, rest.points, rest.partial, rest.text) == (
        "S-1#rest",
        3,
        True,
        "Mg (2 points)\nIt burns.",
    )


def test_a_rubric_that_carries_too_much_is_one_flexible_point() -> None:
    (whole,) = nodes(3, "Mg (2 points)", "Zn (2 points)")
    assert isinstance(whole, Point)
    assert (whole.id, whole.points) == ("S-1#whole", 3)


def test_alternatives_are_a_group_worth_its_best_member() -> None:
    (group,) = nodes(2, "'CCO' (2 points)", "or 'CC=O'")
    assert isinstance(group, Group)
    assert (group.rule, group.points, [member.points for member in group.of]) == ("any", 2, [2, 2])
    assert ids((group,)) == ["S-1#1", "S-1#1.1", "S-1#2"]


def test_a_marker_reads_what_the_mark_says_about_the_answer() -> None:
    (point,) = nodes(2, "Salt: 'C[NH3+]' (2 points; 1 point when the charge is missing)")
    assert isinstance(point, Point)
    assert point.text == "Salt: 'C[NH3+]' [1 point when the charge is missing]"


def test_a_header_of_marks_tells_its_conditions_to_every_part() -> None:
    found = nodes(2, "P and Q carry 1 point each; the configuration must be right.", "P: 'CC'", "Q: 'CCC'")
    assert all(isinstance(node, Point) and "configuration must be right" in node.text for node in found)


def test_a_deduction_in_a_mark_acts_on_its_part() -> None:
    part, deduction = nodes(2, "$2Na + Cl_2 = 2NaCl$ (2 points; minus 1 point if unbalanced)")
    assert isinstance(part, Point)
    assert isinstance(deduction, Deduction)
    assert (deduction.scope, deduction.points) == (part.id, -1)


def test_a_deduction_of_a_line_acts_on_all_its_parts_together() -> None:
    group, deduction = nodes(2, "'CO', 'CCO' (1 point each). Every wrong one costs 1 point.")
    assert isinstance(group, Group)
    assert isinstance(deduction, Deduction)
    assert (group.rule, deduction.scope, deduction.each, deduction.max) == ("sum", group.id, True, 2)


def test_a_deduction_on_its_own_line_acts_on_the_subquestion() -> None:
    *_, deduction = nodes(
        2, "A: 'CO' (1 point)", "B: 'CN' (1 point)", "Take off 1 point if a charge is missing."
    )
    assert isinstance(deduction, Deduction)
    assert (deduction.id, deduction.scope) == ("S-1#3", None)


def test_a_deduction_that_names_a_label_acts_on_that_part() -> None:
    *_, deduction = nodes(2, "A: 'CO' (1 point)", "B: 'CN' (1 point)", "Deduct 0.5 point if B is charged.")
    assert isinstance(deduction, Deduction)
    assert deduction.scope == "S-1#2"


def test_reasons_that_hang_on_a_choice_are_vetoed_one_by_one() -> None:
    found = nodes(
        4, "Acidic (1 point)", "It gives H+ (1 point)", "It is strong (2 points)",
        "No points for the reasons if the choice is wrong.",
    )  # fmt: skip
    vetoes = [node for node in found if isinstance(node, Veto)]
    assert [veto.scope for veto in vetoes] == ["S-1#2", "S-1#3"]
    assert len(set(ids(found))) == len(ids(found))


def test_a_count_table_reaches_the_model() -> None:
    (group,) = nodes(2, "'CO', 'CCO', 'CCCO' (all three 2 points, two 1 point, one 0)")
    assert isinstance(group, Group)
    assert group.table == {"3": 2, "2": 1, "1": 0, "0": 0}
    assert len(group.of) == 3


def test_a_count_without_a_list_is_for_a_marker() -> None:
    (point,) = nodes(3, "One point for each sensible source of error, three at most.")
    assert isinstance(point, Point)
    assert (point.points, point.partial) == (3, True)


def test_guidance_is_a_note() -> None:
    found: Any = nodes(2, "$n = 2$ (2 points)", "A wrong mass from the earlier step is not penalised.")
    assert found[1] == Note(note="A wrong mass from the earlier step is not penalised")


def test_lines_without_marks_to_give_are_notes() -> None:
    assert nodes(0, "Stereochemistry is not required.") == (Note(note="Stereochemistry is not required."),)
