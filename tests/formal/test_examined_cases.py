"""Answers as models write them, with the verdicts of a careful marker: numbers, letters, yes and no."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.answer.answer import Answer
from grader.formal import registry
from grader.formal.cases import Case, read_cases
from grader.problem.checks import CheckModel
from grader.record import Status
from tests.formal.verbatim import verbatim

CASES = list(read_cases(Path(__file__).parent / "examined_cases.jsonl"))
OPEN = frozenset(
    (
        "x1-quantity-031", "x1-quantity-059", "x1-quantity-080", "x1-integer-007", "x1-boolean-009",
        "x2-quantity-014", "x2-quantity-036", "x2-quantity-038", "x2-quantity-049", "x2-quantity-058",
        "x2-integer-005", "x2-integer-006", "x2-integer-008", "x2-integer-010", "x2-choice-020",
        "x2-choice-031", "x2-boolean-021", "x2-boolean-023", "x2-boolean-027",
    )
)  # fmt: skip
"""Cases that are not decided rightly; none of them may be given credit."""


@pytest.mark.parametrize(("case", "check"), CASES, ids=[case.id for case, _ in CASES])
def test_an_answer_is_decided_as_a_careful_marker_would(case: Case, check: CheckModel) -> None:
    finding = verbatim(registry.decide(check, Answer(case.answer)), case.answer)
    if case.id in OPEN:
        assert finding.status is not Status.MET, (case, finding)
    else:
        assert finding.status == case.verdict, (case, finding)
