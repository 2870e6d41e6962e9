"""A number is the same number however it is spelled, and a power or fraction is never lost on the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.answer.answer import Answer
from grader.answer.notation import normalise
from grader.formal import registry
from grader.formal.cases import Case, read_cases
from grader.problem.checks import CheckModel
from tests.formal.verbatim import verbatim

CASES = list(read_cases(Path(__file__).parent / "spelled_cases.jsonl"))


@pytest.mark.parametrize(("case", "check"), CASES, ids=[case.id for case, _ in CASES])
def test_a_number_counts_in_every_spelling(case: Case, check: CheckModel) -> None:
    finding = verbatim(registry.decide(check, Answer(case.answer)), case.answer)
    assert finding.status == case.verdict, (case, finding)


@pytest.mark.parametrize(
    "text",
    [
        "heated from 10 to 20 K",
        "5 x 10 to 20 mL",
        "a ratio of ten to one",
        "at one point two atoms meet",
        "H2 1/2",
        "t1/2 = 3 s",
        "two parts per million",
        "a thousand-fold",
        "million times",
        "in ten to the left",
    ],
)
def test_words_that_are_no_numbers_stay(text: str) -> None:
    assert normalise(text).plain == text
