"""Words and signs that look like marks, quotations or alternatives and are chemistry."""

from __future__ import annotations

import pytest

from grader.problem.rubric import NativeRubric, read_rubric


def marks(rubric: NativeRubric) -> list[float]:
    return [node.marks for node in rubric.nodes if node.scores]


@pytest.mark.parametrize(
    "line",
    [
        "The boiling points of 3 isomers lie within 2 K (2 points)",
        "There are 4 lattice points in the cell (2 points)",
        "The three point groups are subgroups of O_h (2 points)",
        "The titration curve has two points of inflection (2 points)",
        "At 5 points on the curve the slope was read (2 points)",
        "The total spin is 5/2 for each ion (2 points)",
        "The enzyme receives no light and gives nothing (2 points)",
        "An ortho or para product forms since the ring is activated (2 points)",
        "It loses one electron and gains 2 protons (2 points)",
        "Step 2 of 7-3-1 takes 3 h (2 points)",
        "3,3'-bipyridine and N'-oxide, not N-oxide (2 points)",
        "Hess's law and the ions' charges decide (2 points)",
        "4.2 mol of 2-propanol (2 points)",
        "(2R,3S) with 2 + 2 centres (2 points)",
    ],
)
def test_chemistry_is_one_part_without_modifiers(line: str) -> None:
    rubric = read_rubric([line], 2)
    assert marks(rubric) == [2]
    assert rubric.flags == ()


@pytest.mark.parametrize(
    "written",
    [
        "(2 points)",
        "(2 Points)",
        "(2 pts)",
        "(2pts.)",
        "(two marks)",
        "（2 points）",
        "(2\u00a0points)",
        "(2 point(s))",
    ],
)
def test_a_mark_is_read_in_every_spelling(written: str) -> None:
    rubric = read_rubric([f"'CC#N' {written}"], 2)
    assert (marks(rubric), rubric.nodes[0].quoted) == ([2], ("CC#N",))


@pytest.mark.parametrize(("written", "value"), [("0.5", 0.5), ("half a", 0.5), ("1.5", 1.5), ("1½", 1.5)])
def test_half_marks_are_real(written: str, value: float) -> None:
    rubric = read_rubric([f"Fe ({written} points)"], value)
    assert (marks(rubric), rubric.flags) == ([value], ("half",))


def test_a_backslash_in_a_smiles_is_literal() -> None:
    (node,) = read_rubric(["'F/C=C\\Cl' (2 points)"], 2).nodes
    assert node.quoted == ("F/C=C\\Cl",)


def test_a_mark_inside_latex_text_is_a_mark() -> None:
    rubric = read_rubric(["$E = 1.1\\ \\mathrm{V}\\ \\text{(2 points)}$"], 2)
    assert marks(rubric) == [2]


def test_a_number_inside_latex_is_no_mark() -> None:
    rubric = read_rubric(["$x = (2 points)$ is unreadable", "'CC' (1 point)"], 3)
    assert marks(rubric) == [2, 1]
    assert marks(read_rubric(["$(2)$ (1 point)"], 1)) == [1]


def test_brackets_pair_by_depth() -> None:
    rubric = read_rubric(["Amide (2 points; CONH_2 (cf. CO(NH_2)_2) is enough (sic))"], 2)
    assert (marks(rubric), rubric.flags) == ([2], ("accepted",))


def test_brackets_without_partner_change_nothing() -> None:
    assert marks(read_rubric(["a) iron :) (1 point)", "(b nickel (1 point)"], 2)) == [1, 1]


@pytest.mark.parametrize("line", ["P'': 'CCP' (2 points)", "P′ 'CCP' (2 points)", "4'-OH: 'CCP' (2 points)"])
def test_primes_open_no_quotation(line: str) -> None:
    assert read_rubric([line], 2).nodes[0].quoted == ("CCP",)


@pytest.mark.parametrize(
    ("line", "text", "label"),
    [
        ("(NH4)2SO4 (1 point)", "(NH4)2SO4", None),
        ("(CH3)3COH (1 point)", "(CH3)3COH", None),
        ("[Fe(CN)6]4- (1 point)", "[Fe(CN)6]4-", None),
        ("MnO4− (1 point)", "MnO4−", None),
        ("Ethanol - (1 point)", "Ethanol", None),
        ("(a)2 isomers (1 point)", "2 isomers", "a"),
    ],
)
def test_a_formula_keeps_its_brackets_and_its_charge(line: str, text: str, label: str | None) -> None:
    (node,) = read_rubric([line], 1).nodes
    assert (node.text, node.label) == (text, label)


def test_a_rejected_structure_is_no_expected_one() -> None:
    part, note = read_rubric(["'CCO' (2 points). 'COC' is not accepted."], 2).nodes
    assert (part.quoted, note.kind, note.quoted) == (("CCO",), "note", ("COC",))


def test_nothing_is_folded_to_make_a_sum_fit() -> None:
    rubric = read_rubric(["Silver (2 points)", "Gold (2 points)"], 2)
    assert rubric.rejected
    assert [node.marks for node in rubric.graded] == [2]
    assert marks(rubric) == [2, 2]


def test_marks_below_the_full_mark_are_not_spread() -> None:
    rubric = read_rubric(["Silver (2 points)", "Gold (2 points)"], 7)
    assert "unaccounted" in rubric.flags
    assert [node.marks for node in rubric.graded] == [2, 2, 3]
    assert rubric.graded[-1].text == "Silver (2 points)\nGold (2 points)"


def test_the_same_molecule_in_two_spellings_is_told() -> None:
    assert "duplicate" in read_rubric(["'NCCO' (1 point)", "'OCCN' (1 point)"], 2).flags


@pytest.mark.parametrize(
    ("quoted", "unparsable"),
    [
        ("[L][Mo]=O", True),
        ("C[n+]1cccc1", True),
        ("syn addition", False),
        ("Fe(CO)5", False),
        ("C1CC1", False),
    ],
)
def test_only_what_looks_like_smiles_is_linted(quoted: str, unparsable: bool) -> None:
    flags = read_rubric([f"'{quoted}' (2 points)"], 2).flags
    assert ("unparsable_smiles" in flags) == unparsable
