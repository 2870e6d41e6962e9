"""The plain spelling, and the way back to the raw text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.answer.notation import normalise

SPELLINGS = [
    (r"$K_a = 1.8 \times 10^{-5}$", "K_a = 1.8 ×10^-5"),
    (r"\boxed{\text{B}}", "B"),
    ("101{,}325", "101,325"),
    ("cm⁻¹", "cm^-1"),
    ("CaF₂", "CaF2"),
    ("k₂ and kₐ", "k2 and k_a"),
    ("Ag⁺", "Ag^+"),
    ("−5 – ‑7", "-5 - -7"),
    ("１２", "12"),
    ("25\u00a0℃", "25 °C"),
    ("µ", "μ"),
    ("a\u200bb", "ab"),
    ("A → B ⇌ C", "A -> B <=> C"),
    (r"\ce{Cu^2+ + 2e- -> Cu}", "Cu^2+ + 2e- -> Cu"),
    (r"$58.0 \pm 0.5$ kJ and \SI{154}{\pm}", "58.0 ±0.5 kJ and 154 pm"),
    (r"$154 \pm\,2$", "154 ± 2"),
    (r"\frac{9}{25}", "9/25"),
    (r"\frac{a+b}{c}", "(a+b)/(c)"),
    (r"\Delta H^{\ddagger}", "ΔH‡"),
    (r"$\Delta$H and \(\Delta\)S and $\Delta$$G$ and \$\alpha\$x", "ΔH and ΔS and ΔG and αx"),
    (r"5 $\mu$M, $\ln$K, A $\to$B, $2\times$HCl", "5 μM, ln K, A ->B, 2×HCl"),
    (r"$F/C=C\F$is, C\C$O", r"F/C=C\Fis, C\CO"),
    ("**+1.10 V**", "+1.10 V"),
    ("0.89*0.91*0.78", "0.89*0.91*0.78"),
    ("2**10", "2^10"),
    ("x<sub>2</sub><sup>−1</sup>", "x2^-1"),
    (r"C\#N", "C#N"),
    (r"`F/C=C\C#N`", r"F/C=C\C#N"),
    (r"F/C=C\[N+](C)(C)C", r"F/C=C\[N+](C)(C)C"),
    ("[13CH4]", "[13CH4]"),
    ("`[*]CC*`, *a*", "[*]CC*, a"),
    ("```\n*C*\n```", "\n*C*\n"),
]


@pytest.mark.parametrize(("raw", "plain"), SPELLINGS)
def test_one_thing_has_one_spelling(raw: str, plain: str) -> None:
    assert normalise(raw).plain == plain


def test_evidence_is_quoted_from_the_raw_text() -> None:
    text = normalise(r"So $K_a = 1.8 \times 10^{-5}$ holds.")
    start = text.plain.index("1.8")
    assert text.quote(start, start + len("1.8 ×10^-5")) == r"1.8 \times 10^{-5}"


MARKUP = st.text(alphabet="ab12 \n*_`$\\{}^[]()<>#~.,;=−⁻₂×→Δ\u200b", max_size=60)


@given(MARKUP | st.text(max_size=60))
def test_every_plain_character_has_its_raw_ones_in_order(raw: str) -> None:
    text = normalise(raw)
    spans = [text.raw_span(at, at + 1) for at in range(len(text.plain))]
    assert all(0 <= start < end <= len(raw) for start, end in spans)
    assert [start for start, _ in spans] == sorted(start for start, _ in spans)
    for at, (start, end) in enumerate(spans):
        first, last = text.plain_span(start, end)
        assert first <= at < last


@given(st.text(alphabet="abc XYZ019.,;:()=+-/", max_size=80))
def test_plain_prose_is_left_alone(raw: str) -> None:
    assert normalise(raw).plain == raw.rstrip(" ")


def test_spaces_that_end_a_line_are_gone() -> None:
    assert normalise("True  \nbecause   \n\nit is. ").plain == "True\nbecause\n\nit is."
