"""Rewriting an equation or a formula never changes a finding; a step away from it always does."""

from __future__ import annotations

import pytest

from grader.answer.answer import Answer
from grader.formal import equation, formula
from grader.formal.variants import equations, formulas
from grader.problem.checks import EquationCheck, FormulaCheck
from grader.record import Status

CHEMICAL = (
    "CH4 + 2 O2 -> CO2 + 2 H2O",
    "Zn -> Zn^2+ + 2 e^-",
    "CuSO4·5H2O -> CuSO4 + 5 H2O",
    "NH4^+ + H2O <=> NH3 + H3O^+",
    "Hg2^2+ + 2 Cl^- -> Hg2Cl2",
)
MORE = (
    "MnO4^- + 8 H^+ + 5 Fe^2+ -> Mn^2+ + 5 Fe^3+ + 4 H2O",
    "[Cu(H2O)6]^2+ + 4 NH3 <=> [Cu(NH3)4(H2O)2]^2+ + 4 H2O",
    "CH3COOH + C2H5OH <=> CH3COOC2H5 + H2O",
    "3 Cu + 8 HNO3 -> 3 Cu(NO3)2 + 2 NO + 4 H2O",
    "2 Al + 2 NaOH + 6 H2O -> 2 Na[Al(OH)4] + 3 H2",
    "2 H2 + O2 -> 2 H2O",
    "Ag^+ + Cl^- -> AgCl",
    "Cr2O7^2- + 14 H^+ + 6 e^- -> 2 Cr^3+ + 7 H2O",
    "2 KClO3 -> 2 KCl + 3 O2",
    "Al(OH)3 + OH^- -> [Al(OH)4]^-",
    "K2[PtCl4] + 2 NH3 -> [Pt(NH3)2Cl2] + 2 KCl",
    "I2 + 2 S2O3^2- -> 2 I^- + S4O6^2-",
    "N2O4 <=> 2 NO2",
    "Ca(OH)2 + CO2 -> CaCO3 + H2O",
    "CH3CH=CH2 + HBr -> CH3CHBrCH3",
    "C6H12O6 -> 2 C2H5OH + 2 CO2",
    "Fe^3+ + SCN^- <=> [Fe(SCN)]^2+",
    "P4 + 5 O2 -> P4O10",
    "H^+ + OH^- -> H2O",
    "4 NH3 + 5 O2 -> 4 NO + 6 H2O",
    "Pb^2+(aq) + 2 I^-(aq) -> PbI2(s)",
    "BrO3^- + 5 Br^- + 6 H^+ -> 3 Br2 + 3 H2O",
)
NUCLEAR = (
    "^238_92U -> ^234_90Th + ^4_2He",
    "^235_92U + ^1_0n -> ^141_56Ba + ^92_36Kr + 3 ^1_0n",
    "^14_6C -> ^14_7N + ^0_-1e",
    "^40_19K + ^0_-1e -> ^40_18Ar",
)
FORMULAS = (
    "Cr2O7^2-",
    "NH4^+",
    "CoCl2·6H2O",
    "[Co(NH3)5Cl]Cl2",
    "[Fe(CN)6]^4-",
    "Ca3(PO4)2",
    "C8H10N4O2",
    "Hg2^2+",
    "KAl(SO4)2·12H2O",
    "[Pt(NH3)2Cl2]",
)


def statuses(check, variants):
    decide = equation.decide if isinstance(check, EquationCheck) else formula.decide
    return {one.text: decide(check, Answer(one.text)).status for one in variants}


def assert_law(check, equivalents, near_misses):
    kept, lost = statuses(check, equivalents), statuses(check, near_misses)
    assert len(kept) >= 5
    assert len(lost) >= 5
    assert [text for text, status in kept.items() if status is not Status.MET] == []
    assert [text for text, status in lost.items() if status is not Status.NOT_MET] == []


def assert_equation_law(expected, *, nuclear=False):
    check = EquationCheck(kind="equation", expected=expected, nuclear=nuclear)
    same = equations.equivalents(expected, 1, nuclear=nuclear)
    assert_law(check, same, equations.near_misses(expected, 1, nuclear=nuclear))


@pytest.mark.parametrize("expected", CHEMICAL)
def test_rearranging_an_equation_changes_nothing_and_altering_it_everything(expected):
    assert_equation_law(expected)


@pytest.mark.parametrize("expected", NUCLEAR)
def test_rearranging_a_nuclear_equation_changes_nothing_and_altering_it_everything(expected):
    assert_equation_law(expected, nuclear=True)


@pytest.mark.slow
@pytest.mark.parametrize("expected", MORE)
def test_further_equations_keep_the_law(expected):
    assert_equation_law(expected)


@pytest.mark.parametrize("expected", FORMULAS)
def test_spelling_a_formula_changes_nothing_and_altering_it_everything(expected):
    check = FormulaCheck(kind="formula", expected=expected)
    assert_law(check, formulas.equivalents(expected, 1), formulas.near_misses(expected, 1))
