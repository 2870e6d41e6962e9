"""What a rubric says to its marker is found and cut, and nothing else is: no number, formula or structure."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.problem.rubric.hints import hints, without_hints

MARK = re.compile(
    r"\d\s*½?\s*(?:points?|pts?|marks?)\b|½\s*marks?\b|\b(?:one|two|half an?)\s+(?:points?|marks?)\b"
    r"|\bECF\b|\baccept\b|\baward\b|\bno credit\b|\bfull marks\b|\bstudent\b",
    re.IGNORECASE,
)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("K = 4.2 (2 points)", "K = 4.2"),
        ("K = 4.2 [2 marks]", "K = 4.2"),
        ("'CCO' and 'CCN' (1 pt each)", "'CCO' and 'CCN'"),
        ("pH 7 (½ mark)", "pH 7"),
        (r"$E = 0.27\ \text{V}$ (1 point; the unit is required)", r"$E = 0.27\ \text{V}$"),
        ("K = 2.9e-3; award 1 for the expression only", "K = 2.9e-3"),
        ("K = 2.9e-3, accept 2.8e-3 to 3.0e-3", "K = 2.9e-3"),
        ("K = 2.9e-3 (accept 2.8e-3 to 3.0e-3)", "K = 2.9e-3"),
        ("158 °C (anything from 156 to 160 °C is right)", "158 °C"),
        ("K = 2.9e-3. Do not accept 3e-3.", "K = 2.9e-3."),
        ("K = 2.9e-3 (ECF)", "K = 2.9e-3"),
        ("K = 2.9e-3, ECF from part 2", "K = 2.9e-3"),
        ("K = 2.9e-3; no credit if the unit is missing", "K = 2.9e-3"),
        ("K = 2.9e-3; full marks for either", "K = 2.9e-3"),
        ("Ag+ + Cl- -> AgCl; the molecular equation earns 1 of the 2", "Ag+ + Cl- -> AgCl"),
        ("The lactam 'O=C1CCCN1', connectivity correct", "The lactam 'O=C1CCCN1'"),
        ("The rate falls. Credit any reasonable explanation.", "The rate falls."),
        ("5 points in all: 'CCS' 2 points, 'CCSSCC' 3 points", "'CCS', 'CCSSCC'"),
        ("**2 points:** The yield is 96 %", "The yield is 96 %"),
    ],
)
def test_marks_awards_and_conditions_go(text: str, left: str) -> None:
    assert without_hints(text) == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Award 1 mark for stating that the rate falls", "the rate falls"),
        ("award 1 for Fe2O3, 1 for FeO", "Fe2O3, FeO"),
        ("The structure 'C1CCPC1' is worth 3 points; a racemate costs nothing", "The structure 'C1CCPC1'"),
        ("1 point: names it but gives no reason", "names it but gives no reason"),
        ("2 points: The ring is flat.\n1 point: Says so but gives no reason", "The ring is flat."),
        ("No credit for the linear shape", ""),
        ("Deduct 1 point for a missing charge", ""),
    ],
)
def test_of_a_text_that_is_all_award_what_it_is_for_stays(text: str, left: str) -> None:
    assert without_hints(text) == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("States that the rate falls", "the rate falls"),
        ("The student correctly explains that the rate falls", "the rate falls"),
        ("The answer must mention steric hindrance", "steric hindrance"),
        ("Correctly identifies A as ethanol", "A as ethanol"),
        ("Correct identification of the salt as NaCl", "the salt as NaCl"),
        ("Full point: The student gives 4.2 kJ/mol", "4.2 kJ/mol"),
        # it tells no result, so that nothing is left to be made of it
        ("Explains why the rate falls", "Explains why the rate falls"),
    ],
)
def test_what_is_addressed_to_a_marker_becomes_a_plain_statement(text: str, left: str) -> None:
    assert without_hints(text) == left


CHEMISTRY = (
    "1.00 chloride per chromium",
    "Then Ag+ + Cl- -> AgCl",
    "Any five- or seven-coordinate transition state loses CFSE, which adds to the activation energy",
    "The lone pair accepts a proton from water",
    "The enzyme receives no light in the dark phase.",
    "Allow the mixture to cool, then filter",
    "Give 2 moles of CO2",
    "At 5 points on the curve the slope was read.",
    "The boiling points differ by 12 K",
    "The metal gains two electrons; oxidation state -2 each",
    "Given that K is 0.64, the yield is 53.7 %",
    "An ortho or para product forms because the group donates by resonance.",
    "The configuration is inverted, so the product is R",
    "All three protons are equivalent and give one signal",
    "The catalyst is ignored in the rate law",
    "No precipitate forms (silver is complexed by NH3)",
    "The product must be chiral",
    "No bond to the benzylic carbon is broken; S becomes R only because phenyl now outranks the chain",
    "The response of the detector is linear",
    "Gas is consumed, so the equilibrium moves, it shifts right",
    "| $1/T$ | 0.0031 |\n|---|---|\n| $\\ln p$ | 4.11 |",
)


@pytest.mark.parametrize("text", CHEMISTRY)
def test_chemistry_that_uses_the_words_of_markers_stays(text: str) -> None:
    assert hints(text) == ()
    assert without_hints(text) == text


def test_a_private_file_isnt_named() -> None:
    text = "The spectrum shows two bands (see gold-3.png). Compare gold-3.png with yours. nu1 = 17,390 cm-1"
    assert without_hints(text, ["gold-3.png"]) == "The spectrum shows two bands. nu1 = 17,390 cm-1"


def test_a_number_behind_a_cut_doesnt_grow_together_with_the_one_before() -> None:
    assert without_hints("5 (1 point) .36") == "5 .36"
    assert without_hints("2 (1 point), 3 (1 point)") == "2, 3"


STATEMENTS = st.sampled_from(
    (
        "Ea = 58.0 kJ/mol",
        "s(AgCl) = 0.048 M",
        "nu1 = 17,390 cm-1",
        "D is 'CNCC[C@@H](O)c1ccccc1'",
        "[Cr(H2O)4Cl2]+",
        r"$c = 1.9\times10^{-3}\ \mathrm{mol\,L^{-1}}$",
        "the rate doubles, because two sites bind",
        "Two geometric isomers (cis and trans)",
        "A = 2.7e9 1/(M s), i.e. ln A = 21.7",
    )
)
HINTS = st.sampled_from(
    (
        " (2 points)",
        " (1.5 pts; no partial credit)",
        " (½ mark)",
        " [1 mark]",
        " (accept 3.1 to 3.3)",
        " (ECF)",
        "; award 1 for the method",
        "; no credit without the unit",
        ". Do not accept 3.2",
        ". Full marks for either",
        ", accept any equivalent wording",
        ". Deduct 1 point for a missing charge",
        "",
    )
)
OPENINGS = st.sampled_from(
    ("", "The student states that ", "Correctly shows that ", "2 points for ", "Award 1 for ")
)


@given(st.lists(st.tuples(STATEMENTS, HINTS), min_size=1, max_size=4), OPENINGS)
def test_every_statement_survives_and_no_hint_does(parts: list[tuple[str, str]], opening: str) -> None:
    text = opening + "\n".join(statement + hint for statement, hint in parts)
    left = without_hints(text)
    assert not MARK.search(left)
    assert left.split("\n") == [statement for statement, _ in parts] or all(
        statement in left for statement, _ in parts
    )


@given(st.text("(2 points)[1m]ark;.,:'$\\accept \n", max_size=60))
def test_any_text_is_read_and_is_clean_after_one_reading(text: str) -> None:
    left = without_hints(text)
    assert without_hints(left) == left
    assert len(left) <= len(text)
