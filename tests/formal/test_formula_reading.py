"""Formulas: what a spelling says, whichever way ASCII, LaTeX or Unicode writes it."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.answer.answer import Answer
from grader.answer.notation import normalise
from grader.formal import formula
from grader.formal.formulas.chain import NoStructure
from grader.formal.formulas.condensed import connectivity
from grader.formal.formulas.match import Depth, compare_readings, shown
from grader.formal.formulas.tree import Formula, Unreadable, read_formula
from grader.formal.structures.comparison import Relation
from grader.problem.checks import FormulaCheck
from grader.record import Status


def read(text: str) -> tuple[Formula, ...]:
    return read_formula(normalise(text).plain.strip())


def relation(expected: str, found: str, depth: Depth = "composition") -> Relation:
    return compare_readings(read(expected), read(found), depth, charge=True).relation


@pytest.mark.parametrize(
    "spelling",
    [
        "SO4^2-", "SO42-", "SO4(2-)", "SO4^{2-}", "SO_4^{-2}", "SO₄²⁻", "SO4--", "SO4 2-", "[SO4]2-",
        "\\ce{SO4^2-}", "$\\mathrm{SO_4^{2-}}$", "SO4^(2-)", "SO4^-2", "SO4-2", "SO4²⁻(aq)",
        "SO<sub>4</sub><sup>2-</sup>",
    ],
)  # fmt: skip
def test_one_ion_has_many_spellings(spelling):
    assert relation("SO4^2-", spelling) is Relation.SAME


@pytest.mark.parametrize(
    ("text", "composition", "charge"),
    [
        ("Ca2+", "Ca", 2), ("NH4+", "H4N", 1), ("H3O+", "H3O", 1), ("Hg22+", "Hg2", 2),
        ("Cr2O72-", "Cr2O7", -2), ("MnO4-", "MnO4", -1), ("I3-", "I3", -1), ("C60-", "C60", -1),
        ("Fe+3", "Fe", 3), ("[Fe(CN)6]3-", "C6FeN6", -3), ("Pb(OAc)2", "C4H6O4Pb", 0),
        ("[Co(en)3]^3+", "C6H24CoN6", 3), ("CaSO4·½H2O", "CaHO9/2S", 0), ("Fe(III)Cl3", "Cl3Fe", 0),
        ("[Co(NH3)6]^{3+}(Cl^-)_3", "Cl3CoH18N6", 0), ("AcOH", "C2H4O2", 0),
        ("YBa2Cu3O7", "Ba2Cu3O7Y", 0),
    ],
)  # fmt: skip
def test_digits_before_a_sign_are_told_apart(text, composition, charge):
    assert [(shown(one.composition), one.charge) for one in read(text)] == [(composition, charge)]


@pytest.mark.parametrize(
    "text", ["", "Hello", "ABC", "Fe(III)", "CuO·nH2O", "[Fe(CN)6", "H0", "^999H", "a" * 300]
)
def test_what_is_no_formula_is_refused(text):
    with pytest.raises(Unreadable):
        read(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("CO", "Co"), ("Al2(SO4)3", "Al2SO43"), ("Ca(OH)2", "CaOH2"), ("D2O", "H2O"), ("Fe^2+", "Fe^3+"),
        ("MgSO4·7H2O", "MgSO4"), ("NO2", "NO2^-"), ("^14CO2", "CO2"), ("C6H12O6", "CH2O"),
        ("HgCl", "Hg2Cl2"), ("Na2O2", "NaO"),
    ],
)  # fmt: skip
def test_near_misses_differ(one, other):
    assert relation(one, other) is Relation.DIFFERENT


@pytest.mark.parametrize(
    ("text", "smiles"),
    [
        ("C2H5OH", "CCO"), ("(CH3)2CHOH", "CC(C)O"), ("CH3CH(OH)CH3", "CC(C)O"), ("CH3OCH3", "COC"),
        ("CH3COOH", "CC(=O)O"), ("HOOCCOOH", "O=C(O)C(=O)O"), ("(COOH)2", "O=C(O)C(=O)O"),
        ("CH2(COOH)2", "O=C(O)CC(=O)O"), ("(CH3CO)2O", "CC(=O)OC(C)=O"), ("CH3CO2C2H5", "CCOC(C)=O"),
        ("CH3(CH2)4CH3", "CCCCCC"), ("CH2=CHCH3", "C=CC"), ("HC≡CH", "C#C"), ("CH3CN", "CC#N"),
        ("CH3NO2", "C[N+](=O)[O-]"), ("C6H5COOH", "O=C(O)c1ccccc1"), ("H2NCH2COOH", "NCC(=O)O"),
        ("(C2H5)3N", "CCN(CC)CC"), ("HOCH2(CHOH)4CHO", "O=CC(O)C(O)C(O)C(O)CO"),
        ("CH3COO^-", "CC(=O)[O-]"), ("CH3NH3^+", "C[NH3+]"), ("EtOAc", "CCOC(C)=O"),
        ("CH3SO3H", "CS(=O)(=O)O"), ("CHCl3", "ClC(Cl)Cl"), ("CO(NH2)2", "NC(N)=O"),
        ("(CH3)3CCl", "CC(C)(C)Cl"),
    ],
)  # fmt: skip
def test_a_condensed_formula_is_one_molecule(text, smiles):
    assert connectivity(read(text)[0]) == smiles


@pytest.mark.parametrize("text", ["C2H6O", "C3H7OH", "C6H12O6", "NaCl", "CuSO4·5H2O", "(((((CH3)2)2)2)2)2"])
def test_a_formula_that_leaves_the_connectivity_open_has_none(text):
    with pytest.raises(NoStructure):
        connectivity(read(text)[0])


@pytest.mark.parametrize(
    ("one", "other", "outcome"),
    [
        ("[Cr(H2O)4Cl2]+", "[CrCl2(OH2)4]+", "same"),
        ("[Co(NH3)5Br]SO4", "[Co(NH3)5(SO4)]Br", "different"),
        ("[Co(NH3)5(NO2)]^2+", "[Co(NH3)5(ONO)]^2+", "different"),
        ("[Co(NH3)5(NCS)]^2+", "[Co(NH3)5(SCN)]^2+", "different"),
        ("[Pt(NH3)4][PtCl4]", "[PtCl(NH3)3][PtCl3(NH3)]", "different"),
        ("K4[Fe(CN)6]", "[Fe(CN)6]K4", "same"),
        ("[Fe(CN)5NO]^2-", "[Fe(CN)5(NO)]^2-", "same"),
        ("[CuCl4]^2-", "CuCl4^2-", "same"),
        ("[Co(NH3)6]Cl3", "Co(NH3)6Cl3", "unsure"),
        ("[NH4]+", "NH4+", "same"),
        ("CH3CH2OH", "CH3OCH3", "different"),
        ("CH3CH2OH", "C2H6O", "unsure"),
        ("H2NCH2COOH", "C2H5NO2", "unsure"),
    ],
)
def test_bonding_is_compared_where_it_is_asked(one, other, outcome):
    assert relation(one, other, "structure") == outcome


ELEMENTS = ("H", "C", "N", "O", "Na", "Cl", "Fe", "Cu", "S", "Co")
GROUPS = ("OH", "SO4", "NH3", "NO3", "CN", "H2O", "PO4")


@st.composite
def parts(draw: st.DrawFn) -> list[tuple[str, int]]:
    return draw(
        st.lists(st.tuples(st.sampled_from(ELEMENTS + GROUPS), st.integers(1, 12)), min_size=1, max_size=4)
    )


def written(pieces: list[tuple[str, int]], charge: int, style: str) -> str:
    digits = {"unicode": str.maketrans("0123456789+-", "₀₁₂₃₄₅₆₇₈₉₊₋")}.get(style, {})
    lowered = "_{{{}}}".format if style == "latex" else str
    out = []
    for name, count in pieces:
        inside = "".join(lowered(c) if c.isdigit() else c for c in name).translate(digits)
        body = f"({inside})" if name in GROUPS and count > 1 else inside
        out.append(body + (lowered(count).translate(digits) if count > 1 else ""))
    sign = "" if not charge else f"{abs(charge) if abs(charge) > 1 else ''}{'+' if charge > 0 else '-'}"
    if style == "unicode":
        return "".join(out) + sign.translate(str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"))
    return "".join(out) + ("" if not sign else f"^{{{sign}}}" if style == "latex" else f"^{sign}")


@settings(max_examples=60, deadline=None)
@given(parts(), st.integers(-3, 3), st.sampled_from(["latex", "unicode", "plain"]), st.integers(0, 10**6))
def test_another_spelling_or_order_is_the_same_formula(pieces, charge, style, seed):
    shuffled = pieces[:]
    random.Random(seed).shuffle(shuffled)
    one, other = written(pieces, charge, "plain"), written(shuffled, charge, style)
    assert relation(one, other) is Relation.SAME, (one, other)


@settings(max_examples=60, deadline=None)
@given(parts(), st.integers(-3, 3), st.integers(0, 3), st.sampled_from([1, -1]))
def test_another_count_or_charge_is_another_formula(pieces, charge, index, step):
    name, count = pieces[index % len(pieces)]
    changed = pieces[:]
    changed[index % len(pieces)] = (name, count + 1)
    one = written(pieces, charge, "plain")
    assert relation(one, written(changed, charge, "latex")) is Relation.DIFFERENT
    assert relation(one, written(pieces, charge + step, "unicode")) is Relation.DIFFERENT


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300))
def test_no_text_makes_a_check_raise(text):
    check = FormulaCheck(kind="formula", expected="[Co(NH3)6]Cl3", asked=("X",))
    assert formula.decide(check, Answer(text, ("Y",))).status is not Status.MET


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="CHNOaSld()[]{}^+-·.0123456789=_", max_size=40))
def test_reading_and_building_only_ever_say_unreadable(text):
    try:
        for one in read_formula(text):
            connectivity(one)
    except (Unreadable, NoStructure):
        return
