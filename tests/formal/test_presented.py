"""Whole answers in which the right structure competes with reactants, options, labels and retractions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from grader.answer.answer import Answer
from grader.formal import formula, smiles
from grader.problem.checks import Check, CheckModel

CASES = Path(__file__).with_name("presented_cases.jsonl")
CHECKS: TypeAdapter[CheckModel] = TypeAdapter(Check)


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["id"])
def test_the_answer_that_is_presented_is_the_one_judged(row):
    check = CHECKS.validate_python({"kind": row["kind"], "expected": row["expected"], **row["options"]})
    found = (smiles if row["kind"] == "smiles" else formula).decide(check, Answer(row["answer"]))
    assert found.status == row["verdict"]
