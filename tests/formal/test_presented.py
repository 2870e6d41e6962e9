"""Whole answers in which the right structure competes with reactants, options, labels and retractions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from grader.answer.answer import Answer
from grader.formal import formula, smiles
from grader.formal.structures.names import available
from grader.problem.checks import Check, CheckModel
from grader.record import Status

CASES = Path(__file__).with_name("presented_cases.jsonl")
CHECKS: TypeAdapter[CheckModel] = TypeAdapter(Check)


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["id"])
def test_the_answer_that_is_presented_is_the_one_judged(row):
    if row.get("names") and not available():
        pytest.skip("no Java, so no names")
    check = CHECKS.validate_python({"kind": row["kind"], "expected": row["expected"], **row["options"]})
    found = (smiles if row["kind"] == "smiles" else formula).decide(check, Answer(row["answer"]))
    assert found.status == row["verdict"]


STRANGERS = {"smiles": "CC(C)CC#N", "formula": "K2MnO4"}
BEFORE = (
    "The starting material is `{}`.\n\n",
    "Reagent: `{}`\n\n",
    "We start from {}.\n\n",
    "**{}** is the substrate.\n\n",
)
AFTER = (
    "\n\nBy-product: `{}`",
    "\n\n(`{}` would be wrong.)",
    "\n\n{} does not form.",
    "\n\nNote that {} is only an intermediate.",
)


def answered() -> list[dict[str, Any]]:
    """Answers that state a structure for no label: every tenth, to keep the suite quick."""
    return [row for row in rows() if row["verdict"] == "met" and not row["options"]][::10]


@pytest.mark.parametrize("row", answered(), ids=lambda row: row["id"])
def test_a_compound_in_another_role_neither_answers_nor_makes_an_answer_wrong(row):
    decide = (smiles if row["kind"] == "smiles" else formula).decide
    stranger = STRANGERS[row["kind"]]
    right = CHECKS.validate_python({"kind": row["kind"], "expected": row["expected"]})
    wrong = CHECKS.validate_python({"kind": row["kind"], "expected": stranger})
    texts = [part.format(stranger) + row["answer"] for part in BEFORE]
    texts += [row["answer"] + part.format(stranger) for part in AFTER]
    for text in texts:
        assert decide(right, Answer(text)).status is not Status.NOT_MET, text
        assert decide(wrong, Answer(text)).status is not Status.MET, text
