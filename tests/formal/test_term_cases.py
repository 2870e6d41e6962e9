"""Answers with right verdicts, most with a wrong twin: terms in the context chemists write them in."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.answer.answer import Answer
from grader.formal import registry
from grader.formal.cases import Case, read_cases
from grader.problem.checks import CheckModel
from tests.formal.verbatim import verbatim

CASES = list(read_cases(Path(__file__).parent / "label_cases.jsonl"))


@pytest.mark.parametrize(("case", "check"), CASES, ids=[case.id for case, _ in CASES])
def test_a_term_in_context_is_decided_rightly(case: Case, check: CheckModel) -> None:
    finding = verbatim(registry.decide(check, Answer(case.answer)), case.answer)
    assert finding.status == case.verdict, (case, finding)
