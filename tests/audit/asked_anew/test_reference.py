"""What a judge is told of a check: the right value where its rubric has none, and how near is near enough."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter

from grader.audit.asked_anew.reference import reference
from grader.problem.checks import Check

SAID = [
    ("The rate constant", {"kind": "quantity", "expected": 0.0019, "unit": "1/s", "rel_tol": 0.05},
     "Right answer: 0.0019 1/s, within 5 %."),
    ("k = 1.9e-3 1/s", {"kind": "quantity", "expected": 0.0019, "unit": "1/s", "rel_tol": 0.05},
     "It counts within 5 %."),
    ("3.87 Bohr magnetons", {"kind": "quantity", "expected": 3.873, "unit": "bohr_magneton", "abs_tol": 0.02},
     "It counts within 0.02 bohr_magneton."),
    ("-250 kJ/mol",
     {"kind": "quantity", "expected": -250, "unit": "kJ/mol", "sign": "either", "unit_required": False},
     "It counts within 1 % or half a unit of its last figure, with either sign, with or without its unit."),
    ("pH 4.76", {"kind": "quantity", "expected": 4.76, "sig_figs": 3}, "It counts in 3 significant figures."),
    ("Structure of A", {"kind": "smiles", "expected": "C[C@H](N)O", "stereo": "ignore"},
     "Right answer: C[C@H](N)O, whatever its configuration."),
    ("C[C@H](N)O", {"kind": "smiles", "expected": "C[C@H](N)O", "stereo": "relative", "tautomers": "same"},
     "It counts as itself or its mirror image, in any tautomeric form."),
    ("Two isomers", {"kind": "integer", "expected": 2}, None),
    ("How many", {"kind": "integer", "expected": 2}, "Right answer: 2."),
    ("The shape", {"kind": "boolean", "expected": False, "statement": "water is linear"},
     "Right answer: water is linear: no."),
]  # fmt: skip


@pytest.mark.parametrize(("text", "check", "said"), SAID)
def test_a_judge_is_told_what_code_compares_with(text, check, said):
    made = TypeAdapter(Check).validate_python(check)
    assert reference(made, [text]) == (() if said is None else (said,))


def test_a_group_that_states_the_value_states_it_for_its_members():
    made = TypeAdapter(Check).validate_python({"kind": "integer", "expected": 7})
    assert reference(made, ["in words", "seven of them"]) == ()
