"""What every finding owes: quotes that stand in the answer, letter by letter."""

from __future__ import annotations

from grader.record import Evidence, Finding, Rejected


def verbatim(finding: Finding, text: str) -> Finding:
    """The finding, after checking each of its quotes against the answer."""
    quoted: list[Evidence | Rejected] = [*finding.rejected]
    if finding.evidence is not None:
        quoted.append(finding.evidence)
    for item in quoted:
        assert text[item.start : item.end] == item.quote
    return finding
