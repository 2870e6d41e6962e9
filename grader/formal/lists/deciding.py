"""What sets and sequences share: reading the expected items, and what keeps them from being weighed."""

from __future__ import annotations

from collections.abc import Callable

from grader.answer.answer import Answer
from grader.answer.notation import Text, normalise
from grader.formal.lists.anchors import Items, TooMany, Unreadable
from grader.formal.lists.reading import items_of, written
from grader.formal.outcome import blank, undetermined
from grader.problem.checks import SequenceCheck, SetCheck
from grader.record import Finding, Reason

Listed = SetCheck | SequenceCheck


def decide_listed(
    by: str, check: Listed, answer: Answer, finding: Callable[[Text, Items], Finding]
) -> Finding:
    """``finding`` of the answer's text under the reader of the check's items, unless there can be none."""
    if not answer.text.strip():
        return blank(by)
    try:
        return finding(normalise(answer.text), items_of(check.items, check.expected))
    except Unreadable as error:
        return undetermined(by, Reason.NOT_COMPARABLE, str(error))
    except TooMany:
        why = "the answer lists more items than can be weighed"
        return undetermined(by, Reason.CONFLICTING_CANDIDATES, why)


def spans_of(check: Listed, answer: Answer, least: int) -> list[tuple[int, int]]:
    """The raw spans of the lists of at least so many members that an answer writes. Raises TooMany."""
    try:
        return written(check.items, check.expected, answer, least)
    except Unreadable:
        return []
