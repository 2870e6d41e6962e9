"""Answers with right verdicts, most with a wrong twin: terms, lists and claims as chemists write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.answer.answer import Answer
from grader.formal import registry
from grader.formal.cases import Case, read_cases
from grader.problem.checks import CheckModel
from tests.formal.verbatim import verbatim

KINDS = ("label", "set", "sequence", "choice", "boolean")
CASES = [case for kind in KINDS for case in read_cases(Path(__file__).parent / f"{kind}_cases.jsonl")]


@pytest.mark.parametrize(("case", "check"), CASES, ids=[case.id for case, _ in CASES])
def test_terms_lists_and_claims_in_context_are_decided_rightly(case: Case, check: CheckModel) -> None:
    finding = verbatim(registry.decide(check, Answer(case.answer)), case.answer)
    assert finding.status == case.verdict, (case, finding)
