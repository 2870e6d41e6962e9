"""Answers to reaction checks."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.answer.answer import Answer
from grader.formal import reaction
from grader.formal.cases import read_cases

CASES = list(read_cases(Path(__file__).parent / "reaction_cases.jsonl"))


@pytest.mark.parametrize(("case", "check"), CASES, ids=[case.id for case, _ in CASES])
def test_an_answer_gets_the_verdict_that_chemistry_gives_it(case, check):
    found = reaction.decide(check, Answer(case.answer))
    assert found.status == case.verdict, found.detail
    if found.evidence:
        assert case.answer[found.evidence.start : found.evidence.end] == found.evidence.quote
