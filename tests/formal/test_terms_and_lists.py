"""Answers with right verdicts, most with a wrong twin: terms and lists as chemists write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.answer.answer import Answer
from grader.formal import registry
from grader.formal.cases import Case, read_cases
from grader.problem.checks import CheckModel
from tests.formal.verbatim import verbatim

FILES = ("label_cases.jsonl", "set_cases.jsonl", "sequence_cases.jsonl")
CASES = [case for name in FILES for case in read_cases(Path(__file__).parent / name)]


@pytest.mark.parametrize(("case", "check"), CASES, ids=[case.id for case, _ in CASES])
def test_terms_and_lists_in_context_are_decided_rightly(case: Case, check: CheckModel) -> None:
    finding = verbatim(registry.decide(check, Answer(case.answer)), case.answer)
    assert finding.status == case.verdict, (case, finding)
