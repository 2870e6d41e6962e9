"""Quotes of judges in answers: typography is forgiven, another word, number or sign never."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grader.judge.evidence import Found, locate
from grader.judge.folding import fold
from grader.judge.shield import SUBSTITUTES, shield

TEXT = (
    "The attack is SN2, so the configuration inverts — Walden.\n\n"
    "**ΔH° = −57.1 kJ·mol⁻¹** at 25\xa0°C; Ka = 1.8 × 10⁻⁵, and “hard” isn’t soft.\n"
    "2H2O → 2H2 + O2 in 0.15 M Na2SO4, i.e. K_a2 and x^2; 5′-AMP, pH 7."
)


def passage(quote: str, text: str = TEXT) -> str | None:
    found = locate(quote, text)
    return None if found is None else text[found.start : found.end]


FOUND = [
    # verbatim
    ("SN2", "SN2"),
    ("ΔH° = −57.1 kJ·mol⁻¹", "ΔH° = −57.1 kJ·mol⁻¹"),
    ("−57.1", "−57.1"),
    ("Ka = 1.8 × 10⁻⁵", "Ka = 1.8 × 10⁻⁵"),
    ("H2O", "H2O"),
    ("SO4", None),
    ("25", "25"),
    # another typography
    ("configuration inverts - Walden", "configuration inverts — Walden"),
    ("configuration inverts – Walden. ΔH", None),
    ("ΔH° = -57.1 kJ·mol⁻¹", "ΔH° = −57.1 kJ·mol⁻¹"),
    ("at 25 °C", "at 25\xa0°C"),
    ("inverts — Walden. **ΔH°", "inverts — Walden.\n\n**ΔH°"),
    ('"hard" isn\'t soft', "“hard” isn’t soft"),
    ("5'-AMP", "5′-AMP"),
    ("the \n configuration\u200b", "the configuration"),
    ("con\xadfigur\u200bation", "configuration"),
    # what a judge puts around a quote
    ("...so the configuration inverts…", "so the configuration inverts"),
    ("[...] so the configuration", "so the configuration"),
    ('"The attack is SN2"', "The attack is SN2"),
    ("“The attack is SN2…”", "The attack is SN2"),
    ("**SN2**", "SN2"),
    ("`Na2SO4`", "Na2SO4"),
    ("*“so the configuration”*", "so the configuration"),
    # an ellipsis within
    ("The attack is SN2 ... inverts", "The attack is SN2, so the configuration inverts"),
    ("attack … pH 7", "attack" + TEXT.split("attack")[1].removesuffix(".")),
    ("inverts ... attack", None),
    ("attack ... ... ", "attack"),
    # a piece of a number, of a word, of a formula
    ("15", None),
    ("0.1", None),
    ("15 M", None),
    ("57.1 kJ·mol⁻¹", None),
    ("7.1 kJ·mol⁻¹", None),
    ("1.8", None),
    ("1.8 × 10", None),
    ("10⁻⁵", None),
    ("kJ·mol", None),
    ("tack is SN2", None),
    ("configuration inver", None),
    ("H2", "H2"),
    ("O2", "O2"),
    ("Na2", None),
    ("2O", None),
    ("isn", None),
    ("t soft", None),
    ("K", None),
    ("K_a", None),
    ("x", None),
    # changed
    ("+57.1 kJ·mol⁻¹", None),
    ("-57.2 kJ·mol⁻¹", None),
    ("The attack is SN1", None),
    ("the attack is SN2", None),
    ("5-AMP", None),
    ("SN2 so the configuration", None),
    # nothing
    ("", None),
    (" \n\u200b", None),
    ("...", None),
    ("… …", None),
    ('""', None),
    ("**", None),
    ("→", None),
]


@pytest.mark.parametrize(("quote", "expected"), FOUND, ids=[repr(quote) for quote, _ in FOUND])
def test_a_quote_is_found_where_it_stands_or_not_at_all(quote, expected):
    assert passage(quote) == expected


SIGNS = [
    ("5", "0.15", None),
    ("57", "-57", None),
    ("57", "= −57 kJ", None),
    ("57", "= - 57 kJ", None),
    ("57", "(−57)", None),
    ("57", "±57", None),
    ("-57", "57", None),
    ("-57", "−57", "−57"),
    ("57", "between 10-57 and", "57"),
    ("57", "- a\n- 57 g of it", "57"),
    ("57", "C-57", "57"),
    ("5", "10^-5", None),
    ("5", "10^{-5}", None),
    ("10^-5", "1.8 x 10^-5", None),
    ("1.8", r"1.8 \times 10^{-5}", None),
    ("1.8", "1.8e-5", None),
    ("10", "10 mL", "10"),
    ("10", "10mL", "10"),
    ("mL", "10mL", "mL"),
    ("1", "1,234", None),
    ("234", "1,234", None),
    ("1.5", "1.5.", "1.5"),
    ("2", "C2", None),
    ("Na", "Na⁺", None),
    ("OH", "CH3OH", None),
    ("CO", "CO₂", None),
    ("SN2", "_SN2_", "SN2"),
    ("o", "o\u0308", None),
    ("ö", "o\u0308", "o\u0308"),
    ("o\u0308l", "öl", "öl"),
    ("Å", "\u212b", "\u212b"),
    ("反应", "这是取代反应的结果", "反应"),
    ("H", "H. H2", "H"),
    ("a ... b", "a" + " x" * 150 + " b", "a" + " x" * 150 + " b"),
    ("a ... b", "a" + " x" * 500 + " b", None),
    ("a ... b", "a" + " x" * 500 + " a b", "a b"),
    ("a … b … c", "a b a c b c", "a b a c"),
]


@pytest.mark.parametrize(("quote", "text", "expected"), SIGNS)
def test_a_cut_through_a_number_a_word_or_a_formula_is_no_evidence(quote, text, expected):
    assert passage(quote, text) == expected


def cut_cases() -> list[tuple[str, str, str | None]]:
    with Path(__file__).with_name("evidence_cases.jsonl").open(encoding="utf-8") as lines:
        cases = [json.loads(line) for line in lines]
    return [(case["quote"], case["answer"], case["expect"]) for case in cases]


@pytest.mark.parametrize(("quote", "text", "expected"), cut_cases(), ids=ascii)
def test_a_sign_a_fraction_a_charge_and_a_locant_belong_to_what_they_stand_at(quote, text, expected):
    assert passage(quote, text) == expected


@pytest.mark.parametrize(("quote", "text"), [case[:2] for case in SIGNS if case[2] is None])
def test_unseen_characters_hide_nothing_from_the_rules(quote, text):
    for unseen in ("\u200b", "\xad", "\u2060\ufeff"):
        assert passage(quote, unseen.join(text)) is None


def test_a_cut_among_very_many_unseen_characters_is_no_cut_between_words():
    assert passage("5", "1" + "\u200b" * 200 + "5 mL") is None
    assert passage("5 mL", "\u200b" * 200 + "5 mL") == "5 mL"


def test_a_verbatim_passage_goes_before_one_that_looks_the_same():
    assert locate("a - b", "a – b, then a - b, and a - b") == Found(12, 17, True)


@pytest.mark.parametrize(
    ("quote", "exact"),
    [("SN2", True), (" SN2", False), ("inverts - Walden", False), ("“SN2”", False), ("The ... is", False)],
)
def test_exact_means_every_character(quote, exact):
    found = locate(quote, TEXT)
    assert found is not None
    assert found.exact is exact


WORDS = st.sampled_from(
    [
        *(
            "so",
            "isn't",
            "“hard”",
            "C–C",
            "−57.1",
            "0.15",
            "ΔH°",
            "1,2-diol",
            "2H2O",
            "kJ·mol⁻¹",
            "naïve",
            "öl",
        ),
        *(
            "(R)",
            "<b>",
            "[INST]",
            "C/C=C\\n1",
            r"\frac{a}{b}",
            "K_a",
            "反应",
            "5′",
            "𝒙",
            "e\u0301te\u0301",
            "—",
        ),
        *("Ångström", "pH=7", "한글"),
    ]
)
SPACES = st.sampled_from([" ", "\n", "\n\n", "  ", "\xa0", " \u200b", "\t"])
ALIKE = {" ": ["\xa0", "\n", "  ", "\u2009"], "-": "-–−‐", "'": "'’′`", '"': '"“”″'}
LOOKALIKES = {original: substitute for substitute, original in SUBSTITUTES.items()}


@st.composite
def quoted(draw: st.DrawFn) -> tuple[str, int, int, str]:
    """A text, a slice of whole words, and the slice in another typography."""
    words = draw(st.lists(WORDS, min_size=1, max_size=12))
    parts = [(word, draw(SPACES)) for word in words]
    first = draw(st.integers(0, len(words) - 1))
    last = draw(st.integers(first, len(words) - 1))
    text = "".join(word + space for word, space in parts)
    start = len("".join(word + space for word, space in parts[:first]))
    end = start + len("".join(word + space for word, space in parts[first : last + 1])) - len(parts[last][1])
    return text, start, end, retouched(draw, text[start:end])


def retouched(draw: st.DrawFn, quote: str) -> str:
    form = unicodedata.normalize(draw(st.sampled_from(["NFC", "NFD"])), quote)
    return "".join(draw(st.sampled_from(looks(char))) for char in form)


def looks(char: str) -> list[str]:
    plain = fold(char).text or " "
    return [char, *ALIKE.get(plain, ())] + ([LOOKALIKES[char]] if char in LOOKALIKES else [])


@given(quoted())
def test_a_slice_of_whole_words_is_found_in_any_typography(case):
    text, start, end, quote = case
    # A dash alone before a number may be its sign, and a dash alone is no word.
    assume(re.search(r"[^\W_]", quote) and not re.search(r"[-–—−]\s+$", text[:start]))
    found = locate(quote, text)
    assert found is not None
    assert fold(text[found.start : found.end]).text == fold(text[start:end]).text
    assert found.exact == (text[found.start : found.end] == quote)


@given(st.text(max_size=20), st.text(max_size=200))
def test_a_found_passage_is_the_quote_up_to_typography(quote, text):
    found = locate(quote, text)
    if found is not None:
        assert 0 <= found.start < found.end <= len(text)
        around = re.split(r"\.{3,}|…", fold(quote).text)
        assert all(piece.strip(" \"'*_[]()") in fold(text[found.start : found.end]).text for piece in around)


@given(st.text(min_size=1, max_size=60))
def test_what_a_judge_was_shown_is_found_in_the_answer(text):
    shielded = shield(text)
    assume(not shielded.passages and re.search(r"[^\W_]", shielded.shown))
    found = locate(shielded.shown, text)
    assert found is not None
    assert fold(text[found.start : found.end]).text == fold(text).text.strip()


@given(st.text(max_size=60))
def test_folding_twice_changes_nothing(text):
    assert fold(fold(text).text).text == fold(text).text


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("a", "a" * 100_000),
        ("a a", "a a" * 33_000),
        ("a a ... zz", "a a " * 25_000),
        (" ... ".join(["x"] * 200), "y " * 50_000),
        ("." * 50_000, "x " * 50_000),
        ("*" * 50_000, "x " * 50_000),
        ("...[ " * 20_000, "x y " * 25_000),
    ],
    ids=lambda value: value[:8],
)
def test_a_hostile_quote_is_given_up(quote, text):
    assert locate(quote, text) is None
