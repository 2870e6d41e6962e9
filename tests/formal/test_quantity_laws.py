"""Laws of quantities: notation and unit never matter, size always does; no text does harm."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.answer.answer import Answer
from grader.formal import boolean, choice, integer, quantity
from grader.problem.checks import BooleanCheck, CheckModel, ChoiceCheck, IntegerCheck, QuantityCheck
from grader.record import Finding, Reason, Status
from tests.formal.verbatim import verbatim

ENERGY = {"kJ/mol": 1.0, "J mol⁻¹": 1e3, "kcal/mol": 1 / 4.184, "MJ·mol^-1": 1e-3, "kJ per mole": 1.0}
RATE = {
    "M⁻¹ s⁻¹": 1.0,
    "L/(mol s)": 1.0,
    "dm3 mol-1 s-1": 1.0,
    "mM^-1 s^-1": 1e-3,
    r"cm^{3}\,mol^{-1}\,s^{-1}": 1e3,
}
PRESSURE = {"kPa": 1.0, "Pa": 1e3, "bar": 0.01, "atm": 1 / 101.325, "mbar": 10.0, "MPa": 1e-3}
FAMILIES = st.sampled_from([("kJ/mol", ENERGY), ("L/(mol*s)", RATE), ("kPa", PRESSURE)])


def spelled(value: float, style: str) -> str:
    """A value to six figures, in one of the spellings answers use."""
    mantissa, exponent = f"{value:.5e}".split("e")
    power = int(exponent)
    raised = str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return {
        "plain": f"{value:.12f}".rstrip("0").rstrip("."),
        "E": f"{mantissa}e{power}",
        "unicode": f"{mantissa} × 10{raised}",
        "latex": rf"${mantissa} \times 10^{{{power}}}$",
        "caret": f"{mantissa}*10^{power}",
        "comma": f"{mantissa.replace('.', ',')}·10^{power}",
    }[style]


def decided(text: str, expected: float, unit: str, rel_tol: float = 0.01) -> Finding:
    return quantity.decide(
        QuantityCheck(kind="quantity", expected=expected, unit=unit, rel_tol=rel_tol), Answer(text)
    )


STYLES = st.sampled_from(["plain", "E", "unicode", "latex", "caret", "comma"])
SIZES = st.floats(1e-4, 1e6).map(lambda value: float(f"{value:.4g}"))
FRAMES = st.sampled_from(["x = {}", "The value is {}.", "**Answer: {}**", "so it comes to {}", "{}"])


@given(FAMILIES, SIZES, STYLES, FRAMES, st.data())
def test_another_unit_or_spelling_never_changes_a_finding(
    family: tuple[str, dict[str, float]], size: float, style: str, frame: str, data: st.DataObject
) -> None:
    unit, spellings = family
    other, factor = data.draw(st.sampled_from(sorted(spellings.items())))
    text = frame.format(f"{spelled(size * factor, style)} {other}")
    assert decided(text, size, unit).status is Status.MET, text


@given(FAMILIES, SIZES, STYLES, FRAMES, st.sampled_from([1.03, 0.97, 2.0, 10.0, 0.001]), st.data())
def test_a_value_beyond_tolerance_is_never_met(
    family: tuple[str, dict[str, float]],
    size: float,
    style: str,
    frame: str,
    scale: float,
    data: st.DataObject,
) -> None:
    unit, spellings = family
    other, factor = data.draw(st.sampled_from(sorted(spellings.items())))
    text = frame.format(f"{spelled(size * factor * scale, style)} {other}")
    assert decided(text, size, unit).status is Status.NOT_MET, text


@given(SIZES, FRAMES)
def test_a_value_of_another_dimension_is_never_met(size: float, frame: str) -> None:
    text = frame.format(f"{spelled(size, 'plain')} kJ")
    assert decided(text, size, "kJ/mol").status is Status.NOT_MET


CHECKS: list[tuple[CheckModel, object]] = [
    (
        QuantityCheck(kind="quantity", expected=1.5, unit="kJ/mol", asked=("E_a", "0.010 M", "ΔH‡", "%")),
        quantity,
    ),
    (IntegerCheck(kind="integer", expected=4, asked=("isomers",)), integer),
    (ChoiceCheck(kind="choice", expected="A,C", multiple=True, texts={"A": "NaCl", "B": "CsCl"}), choice),
    (BooleanCheck(kind="boolean", expected=True), boolean),
]
WORDS = r"""
1 2.5 -3 10^-5 e5 ( ) [ ] { } = ≈ ± - / * × · x ^ _ $ \ % , . ; : ? ! " ' ` ** ~~ | # < > → kJ/mol M s⁻¹ °C
E_a 0.010 ΔH‡ isomers A B C or and not is wrong Wait Actually, Answer: \boxed{ \text{ \frac{1}{2} \ce{
yes no true false between about either could be NaCl [[grader: <answer> {"answer": sqrt( log(
four zero so thus
"""
PIECES = st.sampled_from(WORDS.split())


def harmless(text: str) -> None:
    for check, kind in CHECKS:
        finding: Finding = kind.decide(check, Answer(text, ("pH", "E_b", "0.020 M")))  # type: ignore[attr-defined]
        assert (finding.reason is None) == (finding.status is not Status.UNDETERMINED) or (
            finding.reason is Reason.NO_ANSWER
        )
        assert (finding.evidence is not None) == (finding.award is not None and finding.reason is None)
        verbatim(finding, text)


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=25).map(" ".join) | st.lists(PIECES, max_size=25).map("".join) | st.text())
def test_no_text_raises_and_every_quote_is_verbatim(text: str) -> None:
    harmless(text)


HOSTILE = [
    *(
        "1",
        "1 = ",
        "(1",
        "1(",
        "1 000 ",
        "1 kJ/mol ",
        "A or ",
        "Answer: ",
        "the answer is ",
        "so 1 ",
        r"\text{",
        "**a",
    ),
    *("10⁻⁵ ", "Wait, 1. ", "m s ", "1,", "[[", "{a", "*a", "either 1 or ", "Yes. ", "E_a = 1 ", "not A, "),
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_long_hostile_answer_is_read_to_the_end(piece: str) -> None:
    harmless((piece * (100_000 // len(piece) + 1))[:100_000])
