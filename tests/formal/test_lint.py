"""Chemical lints: what an author should decide or mend is named, what is fine passes."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter

from grader.formal.equations.balance import imbalance
from grader.formal.equations.reader import read_equation
from grader.formal.formulas.tree import Unreadable
from grader.formal.lint import lint
from grader.problem.checks import Check, CheckModel

CHECKS: TypeAdapter[CheckModel] = TypeAdapter(Check)


def codes(kind: str, expected: Any, **options: Any) -> list[str]:
    return [one.code for one in lint(CHECKS.validate_python({"kind": kind, "expected": expected, **options}))]


@pytest.mark.parametrize(
    "smiles",
    [
        "Cc1c[nH]cn1",
        "Cc1cccc(=O)[nH]1",
        "CC(=O)CC(C)=O",
        "O=c1cc[nH]c(=O)[nH]1",
        "Nc1ncnc2[nH]cnc12",
        "NC(=N)NC",
    ],
)
def test_mobile_hydrogens_ask_for_a_decision(smiles):
    assert codes("smiles", smiles) == ["mobile_hydrogens"]
    assert codes("smiles", smiles, tautomers="distinct") == []
    assert codes("smiles", smiles, tautomers="same") == []


@pytest.mark.parametrize(
    "smiles", ["NCC(=O)O", "[NH3+]CC(=O)[O-]", "C[C@H](N)C(=O)O", "OC(=O)[C@@H]1CCCN1", "NCCS(=O)(=O)O"]
)
def test_an_amphoteric_structure_asks_for_a_charge_state(smiles):
    assert codes("smiles", smiles) == ["amphoteric"]
    assert codes("smiles", smiles, charge_state="exact") == []


@pytest.mark.parametrize(
    "smiles",
    [
        "CC(N)=O", "CC(=O)O", "CC(C)=O", "Oc1ccccc1", "Nc1ccccc1", "c1cc[nH]c1", "CC(=O)Nc1ccc(O)cc1", "CCN",
        "CC(=O)CC(=O)OCC", "OC[C@@H]1O[C@H]1c1ccccc1", "CNCC[C@@H](Oc1ccc(C(F)(F)F)cc1)c1ccccc1", "RC(=O)O",
        "Cn1cnc2c1c(=O)n(C)c(=O)n2C", "Nc1ccc(cc1)C(=O)O",
    ],
)  # fmt: skip
def test_a_structure_without_a_choice_to_make_passes(smiles):
    assert codes("smiles", smiles) == []


def test_what_cannot_be_read_or_compared_is_named():
    assert codes("smiles", "CC(C)(C)(C)C") == ["unreadable_structure"]
    assert codes("smiles", "CC=[C@]=CC") == ["uncomparable_stereo"]
    assert codes("smiles", "CC=[C@]=CC", stereo="ignore") == []
    assert codes("formula", "Xy2") == ["unreadable_formula"]
    assert codes("formula", "O2-") == ["ambiguous_charge"]
    assert codes("formula", "O2^-") == []


@pytest.mark.parametrize(
    "equation",
    [
        "2 H2 + O2 -> 2 H2O",
        "2H2+O2->2H2O",
        "H2 + 1/2 O2 → H2O",
        "\\ce{2H2 + O2 -> 2H2O}",
        "Cr2O7^2- + 14 H^+ + 6 Fe^2+ -> 2 Cr^3+ + 6 Fe^3+ + 7 H2O",
        "MnO4- + 8 H+ + 5 e- -> Mn2+ + 4 H2O",
        "Pb^2+(aq) + 2 I^-(aq) -> PbI2(s)",
        "[Cr(H2O)4Cl2]Cl.2H2O + AgNO3 -> [Cr(H2O)4Cl2]NO3 + AgCl + 2 H2O",
        "N2 + 3 H2 <=> 2 NH3",
        "Ag+ + Cl- -> AgCl",
        "CuSO4·5H2O = CuSO4 + 5 H2O",
    ],
)
def test_a_balanced_equation_passes(equation):
    assert codes("equation", equation) == []


@pytest.mark.parametrize(
    ("equation", "says"),
    [
        ("H2 + O2 -> H2O", "O: 2 left, 1 right"),
        ("Fe^2+ -> Fe^3+", "charge: +2 left, +3 right"),
        ("MnO4- + 8 H+ -> Mn2+ + 4 H2O", "charge: +7 left, +2 right"),
        ("CaCO3 -> CaO + CO", "O: 3 left, 2 right"),
    ],
)
def test_an_unbalanced_equation_is_named_with_its_excess(equation, says):
    assert says in imbalance(read_equation(equation, nuclear=False), nuclear=False)
    assert codes("equation", equation) == ["unbalanced_equation"]


def test_nuclear_equations_balance_in_mass_and_atomic_number():
    assert codes("equation", "^14_6C -> ^14_7N + ^0_-1e", nuclear=True) == []
    fission = "^{235}_{92}U + ^1_0n -> ^{141}_{56}Ba + ^{92}_{36}Kr + 3 ^1_0n"
    assert codes("equation", fission, nuclear=True) == []
    assert codes("equation", "^238U -> ^234Th + α", nuclear=True) == []
    assert codes("equation", "^14_6C -> ^14_7N + α", nuclear=True) == ["unbalanced_equation"]


@pytest.mark.parametrize("equation", ["glucose -> ethanol", "H2 + O2", "H2 -> -> O2", "a + -> b"])
def test_an_equation_that_cannot_be_read_is_not_passed_in_silence(equation):
    assert codes("equation", equation) == ["unread_equation"]
    with pytest.raises(Unreadable):
        read_equation(equation, nuclear=False)


@pytest.mark.parametrize(
    "unit", ["kJ/mol", "%", "dimensionless", "L/(mol s)", "degC", "J/(mol*K)", None, "M^-1 s^-1"]
)
def test_known_units_pass(unit):
    assert codes("quantity", 1.0, unit=unit) == []


def test_an_unknown_unit_is_named():
    assert codes("quantity", 1.0, unit="furlongs/xyz") == ["unknown_unit"]


def test_other_kinds_have_no_lints():
    assert codes("integer", 3) == []
