"""What is noted about a judge's verdict: a closed list, kept with it as plain strings."""

from enum import StrEnum


class Flag(StrEnum):
    """A remark on a verdict. None changes an award; routing turns them into doubts."""

    EVIDENCE_MISSING = "evidence_missing"
    """Credit, or a deduction, without a quote that says anything."""
    EVIDENCE_ABSENT = "evidence_absent"
    """The quote isn't in the answer."""
    EVIDENCE_WITHHELD = "evidence_withheld"
    """The quote is from a passage that the judge wasn't shown."""
    FINDING_CONFLICT = "finding_conflict"
    """Code found the opposite."""
    INJECTION_SUSPECTED = "injection_suspected"
    """Something in the answer is aimed at its grader."""
    TRUNCATED = "truncated"
    """A reply reached its token limit, complete or not."""
