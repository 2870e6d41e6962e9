"""Formulas as answers write them: scripts, charges, hydrates, complexes, condensed chains, series."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from grader.answer.answer import Answer
from grader.formal import formula
from grader.formal.structures.names import available
from grader.problem.checks import Check, CheckModel

CASES = Path(__file__).with_name("formula_cases.jsonl")
CHECKS: TypeAdapter[CheckModel] = TypeAdapter(Check)


def cases() -> list[Any]:
    """Every row as a case; starting Java for names takes a second."""
    rows = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    return [pytest.param(row, id=row["id"], marks=[pytest.mark.slow] if named(row) else []) for row in rows]


def named(row: dict[str, Any]) -> bool:
    return "name" in row["options"].get("accept", ())


@pytest.mark.parametrize("row", cases())
def test_the_formula_that_the_answer_states_is_the_one_judged(row):
    if named(row) and not available():
        pytest.skip("names need a Java")
    check = CHECKS.validate_python({"kind": "formula", "expected": row["expected"], **row["options"]})
    found = formula.decide(check, Answer(row["answer"]))
    assert found.status == row["verdict"], found.detail
    if found.evidence is not None:
        assert row["answer"][found.evidence.start : found.evidence.end] == found.evidence.quote
