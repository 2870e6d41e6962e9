"""Equations as answers write them, right and nearly right, among drafts, steps, half-equations and rivals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from grader.answer.answer import Answer
from grader.formal import equation
from grader.problem.checks import Check, CheckModel

CASES = Path(__file__).with_name("equation_cases.jsonl")
CHECKS: TypeAdapter[CheckModel] = TypeAdapter(Check)


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["id"])
def test_the_equation_that_the_answer_states_is_the_one_judged(row):
    check = CHECKS.validate_python({"kind": "equation", "expected": row["expected"], **row["options"]})
    found = equation.decide(check, Answer(row["answer"]))
    assert found.status == row["verdict"], found.detail
    if found.evidence is not None:
        assert row["answer"][found.evidence.start : found.evidence.end] == found.evidence.quote
