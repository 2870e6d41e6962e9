"""What every finding owes: quotes that stand in the answer, letter by letter."""

from __future__ import annotations

from collections.abc import Iterable

from grader.answer.answer import Answer
from grader.formal import registry
from grader.formal.cases import Case
from grader.problem.checks import CheckModel
from grader.record import Evidence, Finding, Rejected, Status


def verbatim(finding: Finding, text: str) -> Finding:
    """The finding, after checking each of its quotes against the answer."""
    quoted: list[Evidence | Rejected] = [*finding.rejected]
    if finding.evidence is not None:
        quoted.append(finding.evidence)
    for item in quoted:
        assert text[item.start : item.end] == item.quote
    return finding


def disagreements(cases: Iterable[tuple[Case, CheckModel]]) -> list[tuple[str, Status, str]]:
    """The cases whose finding isn't the right verdict, each with its status and detail."""
    found = ((case, registry.decide(check, Answer(case.answer))) for case, check in cases)
    return [
        (case.id, finding.status, finding.detail)
        for case, finding in found
        if verbatim(finding, case.answer).status != case.verdict
    ]
