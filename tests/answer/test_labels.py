"""Labels in the spellings of answers, and what is not that label."""

from __future__ import annotations

import pytest

from grader.answer.labels import occurrences
from grader.answer.notation import normalise

SPELLED = [
    ("k_obs", "k_{obs}"),
    ("k_obs", "kobs"),
    ("kobs", "k_obs"),
    ("nu1", "ν1"),
    ("ν1", "nu_1"),
    ("nu1", r"$\nu_1$"),
    ("ΔH‡", "dH(act)"),
    ("dH(act)", "ΔH‡"),
    ("ΔH‡", r"$\Delta H^{\ddagger}$"),
    ("dH(act)", "dH"),
    ("I-", "[I-]"),
    ("I-", "I⁻"),
    ("I-", "iodide"),
    ("iodide", "[I⁻]"),
    ("Cl- per Cr", "chloride per chromium"),
    ("Ea", "E_a"),
    ("chloride per chromium", "chlorides per Cr"),
    ("Ka", "$K_\\mathrm{a}$"),
    ("pKa2", "pKₐ₂"),
    ("λmax", "lambda_max"),
    ("lambda_max", "λ_{max}"),
    ("B'", "B′"),
    ("10Dq", "10 Dq"),
    ("Delta_o", "Δo"),
    ("mass", "Mass"),
    ("Mass", "mass"),
    ("isomers", "isomer"),
    ("crystal field stabilisation energy", "crystal field stabilization energy"),
    ("beta", "β"),
    ("β", "Beta"),
    ("(R)", "(R)"),
    ("4T1g(F)", r"^4T_{1g}(F)"),
    ("0.010 M", "0.010 M"),
]


@pytest.mark.parametrize(("label", "written"), SPELLED)
def test_a_label_is_known_in_every_spelling(label: str, written: str) -> None:
    plain = normalise(f"the {written} = 3").plain
    assert len(occurrences(plain, (label,), ())) == 1


OTHERS = [
    ("K", "Ka"),
    ("K", "K_sp"),
    ("K", "298K"),
    ("E", "Ea"),
    ("E", "Energy"),
    ("A", "Ag"),
    ("k2", "k20"),
    ("k2", "2k2x"),
    ("B", "B'"),
    ("nu1", "nu10"),
    ("μ", "μB"),
    ("I-", "AgI"),
    ("Cl-", "AgCl"),
    ("k", "K"),
    ("0.010 M", "10.010 M"),
    ("ΔH‡", "ΔHf"),
    ("ratio", "ration"),
    ("pH", "pOH"),
]


@pytest.mark.parametrize(("label", "written"), OTHERS)
def test_another_symbol_is_not_the_label(label: str, written: str) -> None:
    assert not occurrences(normalise(f"the {written} = 3").plain, (label,), ())


def test_of_overlapping_labels_the_longest_counts() -> None:
    found = occurrences("ln A = 3, B'/B = 2", ("A", "B'"), ("ln A", "B'/B"))
    assert [(item.label, item.side) for item in found] == [("ln A", "other"), ("B'/B", "other")]


def test_a_label_that_siblings_share_is_shared() -> None:
    found = occurrences("k_obs(0.010 M) = 3", ("k_obs", "0.010 M"), ("k_obs", "0.020 M"))
    assert [(item.side, item.condition) for item in found] == [("shared", False), ("own", True)]
