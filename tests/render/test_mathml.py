"""Formulas and chemistry macros come out as mhchem and LaTeX print them, and as nothing but MathML."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.render.mathml import MAX_FORMULA, formula_html
from grader.render.mhchem import without_mhchem, without_units
from tests.render.html_reader import read


@pytest.mark.parametrize(
    ("source", "latex"),
    [
        (r"\ce{H2O}", r"{\text{H}_{2}\text{O}}"),
        (r"\ce{SO4^2-}", r"{\text{S}\text{O}_{4}^{2-}}"),
        (r"\ce{MnO4-}", r"{\text{Mn}\text{O}_{4}^{-}}"),
        (r"\ce{Fe^{3+}}", r"{\text{Fe}^{3+}}"),
        (r"\ce{Na+ + e- -> Na}", r"{\text{Na}^{+}\  + \ \text{e}^{-} \rightarrow \text{Na}}"),
        (r"\ce{CuSO4.5H2O}", r"{\text{Cu}\text{S}\text{O}_{4}\cdot 5\,\text{H}_{2}\text{O}}"),
        (r"\ce{[Co(NH3)6]Cl3}", r"{[\text{Co}(\text{N}\text{H}_{3})_{6}]\text{Cl}_{3}}"),
        (r"\ce{^{14}_{6}C}", r"{^{14}_{6}\text{C}}"),
        (r"\ce{CH3-CH=CH2}", r"{\text{C}\text{H}_{3}{-}\text{C}\text{H}{=}\text{C}\text{H}_{2}}"),
        (r"\ce{NaCl(aq)}", r"{\text{Na}\text{Cl}\text{(aq)}}"),
        (r"\ce{CO2 ^}", r"{\text{C}\text{O}_{2}\ \uparrow }"),
        (r"\ce{1/2 O2}", r"{\frac{1}{2}\ \text{O}_{2}}"),
        (r"\ce{A ->[heat] B}", r"{\text{A} \xrightarrow{\text{heat}} \text{B}}"),
        (
            r"\ce{A <=>[k1][k2] B}",
            r"{\text{A} \underset{\text{k}2\,}{\overset{\text{k}1\,}{\rightleftharpoons}} \text{B}}",
        ),
        (r"\pu{8.314 J mol-1 K^-1}", r"{\mathrm{8.314\,J\,mol^{-1}\,K^{-1}}}"),
        (r"\pu{1.2e-3 M}", r"{\mathrm{1.2 \times 10^{-3}\,M}}"),
        (r"x = \ce{H+} y", r"x = {\text{H}^{+}} y"),
        (r"\ce{never closed", r"\ce{never closed"),
        (r"\ce x", r"\ce x"),
    ],
)
def test_chemistry_is_written_out(source: str, latex: str) -> None:
    assert without_mhchem(source) == latex


def test_quantities_of_siunitx_are_written_out() -> None:
    assert without_units(r"\SI{5e-3}{\kilo\joule\per\mole}") == r"\mathrm{5 \times 10^{-3}\,kJ·mol^{-1}}"
    assert without_units(r"\qty{5}{kJ} and \num{7}") == r"\mathrm{5\,kJ} and \mathrm{7}"


def shown(latex: str) -> str:
    return read(formula_html(latex, display=False)).text


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\Delta G^\circ = -RT \ln K", "ΔG∘=−RTlnK"),
        (r"\ce{2H2 + O2 -> 2H2O}", "2H2 + O2→2H2O"),
        (r"\begin{aligned}a&=b\\c&=d\end{aligned}", "a=bc=d"),
        (r"\text{<script>}", "<script>"),
        (r"\text{&lt;b&gt;}", "<b>"),
        (r"a < b", "a<b"),
    ],
)
def test_a_formula_shows_its_symbols(latex: str, text: str) -> None:
    assert shown(latex).replace("\u2003", " ").replace("\xa0", " ") == text


def test_its_source_is_its_alternative_text() -> None:
    html = formula_html(r"a \text{\"<x>}", display=True)
    assert html.startswith(
        '<math display="block" alttext="a \\text{\\&#34;&lt;x&gt;}">'.replace("&#34;", "&quot;")
    )


def test_a_single_upright_letter_stays_upright() -> None:
    assert "<mtext>J</mtext>" in formula_html(r"5\,\mathrm{J}", display=False)


def test_boxes_and_strikes_are_drawn_by_the_style_sheet() -> None:
    assert '<menclose notation="box" class="boxed">' in formula_html(r"\boxed{5}", display=False)
    assert 'class="struck"' in formula_html(r"\cancel{x}", display=False)


@pytest.mark.parametrize(
    "latex", [r"\frac{", "{", r"\nosuch{x}", "x" * (MAX_FORMULA + 1), "{" * 60 + "}" * 60, r"\left(" * 60]
)
def test_what_cant_be_read_is_shown_as_its_source(latex: str) -> None:
    html = read(formula_html(latex, display=True))
    assert html.tags == ["code"]
    assert html.text == latex


@pytest.mark.parametrize("unit", [r"\sqrt", "x^", r"\bar", r"\overset{a}", "a_", r"\text"])
def test_no_nesting_is_too_deep(unit: str) -> None:
    for length in range(10, 400, 30):
        assert read(formula_html(unit * length + "x", display=False)).unbalanced == []


def test_links_colours_and_styles_are_dropped() -> None:
    html = formula_html(r"\href{javascript:alert(1)}{x} \color{red}{y} \style{color:red}{z}", display=False)
    inside = html[html.index(">") :]
    assert "javascript" not in inside
    assert "red" not in inside


LATEX = st.lists(
    st.sampled_from(
        [
            "\\frac", "\\text", "\\mathrm", "\\ce", "\\pu", "\\SI", "\\sqrt", "\\begin{align}",
            "\\end{align}", "\\left(", "\\right)", "\\href", "\\color", "\\xrightarrow", "\\cancel",
            "\\boxed", "\\binom", "\\style", "\\class", "\\alpha", "\\hspace{1em}", "[", "]", "{", "}",
            "_", "^", "&", "\\\\", "$", "#", "%", "~", "<", ">", "'", "+", "-", "->", "<=>", "2", "H2O",
            "(aq)", "x",
        ]
    ),
    max_size=25,
)  # fmt: skip


@settings(max_examples=150)
@given(LATEX)
def test_no_formula_breaks_out_of_mathml(pieces: list[str]) -> None:
    for latex in ("".join(pieces), rf"\ce{{{' '.join(pieces)}}}"):
        html = read(formula_html(latex, display=False))
        assert html.unbalanced == html.other == []
        assert html.tags[0] in ("math", "code")
        assert not any(
            name in ("href", "style", "id") or name.startswith("on") for _, name, _ in html.attributes
        )
