"""Equation checks beside siblings, over unsegmented responses, on quoted passages, on hostile text."""

from __future__ import annotations

import pytest

from grader.answer.answer import Answer
from grader.formal import equation
from grader.formal.equations.nuclides import read_particle
from grader.formal.formulas.tree import Unreadable
from grader.formal.located import decide_located
from grader.problem.checks import EquationCheck
from grader.record import Reason, Status

WATER = "2 H2 + O2 -> 2 H2O"
METHANE = "CH4 + 2 O2 -> CO2 + 2 H2O"
BOTH = "Combustion of hydrogen: 2H2 + O2 → 2H2O\nCombustion of methane: CH4 + 2O2 → CO2 + 2H2O"


def check(expected, **options):
    return EquationCheck(kind="equation", expected=expected, **options)


def status(expected, answer, others=(), *, cut=True, **options):
    return equation.decide(check(expected, **options), Answer(answer, tuple(others), cut)).status


@pytest.mark.parametrize(
    ("expected", "own", "other"),
    [
        (WATER, "combustion of hydrogen", "combustion of methane"),
        (METHANE, "combustion of methane", "combustion of hydrogen"),
    ],
)
def test_each_sibling_gets_the_equation_under_its_label(expected, own, other):
    assert status(expected, BOTH, [other], asked=(own,)) is Status.MET


def test_a_right_equation_under_the_siblings_label_earns_nothing():
    swapped = "For hydrogen, CH4 + 2O2 → CO2 + 2H2O, and for methane, 2H2 + O2 → 2H2O."
    assert status(METHANE, swapped, ["hydrogen"], asked=("methane",)) is Status.NOT_MET


def test_an_unsegmented_response_needs_a_label():
    assert status(WATER, "2H2 + O2 → 2H2O", cut=False) is Status.UNDETERMINED
    assert status(WATER, BOTH, cut=False, asked=("combustion of hydrogen",)) is Status.MET


def test_the_imbalance_is_said():
    found = equation.decide(check("CaCO3 -> CaO + CO2"), Answer("CaCO3 → CaO + CO"))
    assert found.status is Status.NOT_MET
    assert "O: 3 left, 2 right" in found.detail


def test_an_expected_equation_that_cannot_be_read_decides_nothing():
    found = equation.decide(check("glucose -> ethanol"), Answer("C6H12O6 → 2C2H5OH + 2CO2"))
    assert (found.status, found.reason) == (Status.UNDETERMINED, Reason.NOT_COMPARABLE)


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("N2 + 3H2 --Fe, 450 °C--> 2NH3", Status.MET),
        (r"\ce{N2 + 3H2 ->[Fe][450 °C] 2NH3}", Status.MET),
        (r"$N_2 + 3H_2 \xrightarrow[450^\circ C]{\text{Fe}} 2NH_3$", Status.MET),
        (r"$\mathrm{N_2 + 3H_2 \overset{Fe}{\rightarrow} 2NH_3}$", Status.MET),
        ("N2 + 3H2 → 2NH3", Status.NOT_MET),
        (r"\ce{N2 + 3H2 ->[Pt] 2NH3}", Status.NOT_MET),
    ],
)
def test_agents_over_the_arrow_count_where_they_are_required(answer, right):
    assert status("N2 + 3 H2 ->[Fe] 2 NH3", answer, agents="required") is right
    assert status("N2 + 3 H2 ->[Fe] 2 NH3", answer) is Status.MET


def test_a_quoted_passage_is_decided():
    text = "Hydrogen burns. The equation reads 2H2 + O2 → 2H2O. Good."
    start = text.index("The equation")
    found = decide_located(check(WATER), Answer(text), start, start + 35)
    assert found.status is Status.MET
    assert found.evidence is not None
    assert found.evidence.quote == "2H2 + O2 → 2H2O"


@pytest.mark.parametrize(
    "hostile",
    [
        "+ " * 3000, "H2 + " * 2000, "(" * 5000, "^" * 5000, "2H2 + O2 -> 2H2O\n" * 300, "-" * 5000,
        "=" * 5000, "[(" * 2000, r"\xrightarrow{{" * 600, "H2 -> " * 800, "->[" * 2000, "·" * 4000,
        "\x00\ud7ff\uffff" * 300, "^235_92U + " * 800, " + ".join(["O2-"] * 80) + " -> O",
    ],
)  # fmt: skip
@pytest.mark.parametrize("nuclear", [False, True])
def test_hostile_text_earns_nothing(hostile, nuclear):
    expected = "^14_6C -> ^14_7N + ^0_-1e" if nuclear else WATER
    assert status(expected, hostile, nuclear=nuclear) is not Status.MET


@pytest.mark.parametrize(
    ("text", "mass", "number"),
    [
        ("^235_92U", 235, 92), ("^235U", 235, 92), ("U-235", 235, 92), ("235U", 235, 92),
        ("_92U^235", 235, 92),
        ("uranium-235", 235, 92), ("α", 4, 2), ("^4_2He", 4, 2), ("alpha particle", 4, 2), ("^0_-1e", 0, -1),
        ("β-", 0, -1), ("^0_+1e", 0, 1), ("^0_1e", 0, 1), ("positron", 0, 1), ("^1_0n", 1, 0), ("n", 1, 0),
        ("p", 1, 1), ("^1_1H", 1, 1), ("D", 2, 1), ("γ", 0, 0), ("^99mTc", 99, 43),
    ],
)  # fmt: skip
def test_nuclides_and_particles_in_all_spellings(text, mass, number):
    particle = read_particle(text)
    assert (particle.mass, particle.number) == (mass, number)


@pytest.mark.parametrize("text", ["", "x", "^999H", "^235", "Hello-12", "^5_2Q"])
def test_what_is_no_nuclide_is_refused(text):
    with pytest.raises(Unreadable):
        read_particle(text)


def test_a_wrong_atomic_number_is_kept_as_wrong():
    assert read_particle("^238_91U") != read_particle("^238_92U")
