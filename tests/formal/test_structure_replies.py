"""Replies to structure and reaction questions, with verdicts decided by chemistry, not by the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.answer.answer import Answer
from grader.formal import registry
from grader.formal.cases import Case, read_cases
from grader.problem.checks import CheckModel
from grader.record import Status
from tests.formal.verbatim import verbatim

CASES = list(read_cases(Path(__file__).parent / "structure_reply_cases.jsonl"))
OPEN = frozenset(("s2-smiles-004", "s2-smiles-016", "s2-smiles-017", "s2-smiles-047", "s2-inchi-014"))
"""Cases that are not decided rightly; none of them may be given credit."""


@pytest.mark.parametrize(("case", "check"), CASES, ids=[case.id for case, _ in CASES])
def test_a_structure_in_a_reply_is_decided_by_chemistry(case: Case, check: CheckModel) -> None:
    finding = verbatim(registry.decide(check, Answer(case.answer)), case.answer)
    if case.id in OPEN:
        assert finding.status is not Status.MET, (case, finding)
    else:
        assert finding.status == case.verdict, (case, finding)
