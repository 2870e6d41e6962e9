"""Second thoughts about one part in the midst of another's answer: "coming back to part 1, I forgot ..."."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from grader.answer.segments.labels import Labels, Naming, read_paths

Span = tuple[int, int]

_MENTION = re.compile(
    r"\b(?:parts?|questions?|problem|task|answers? (?:to|for|of|in|under))[ ](?=[(\[]?[0-9a-z])", re.I
)
_SECOND_THOUGHT = re.compile(
    r"\b(?:correct(?:ion|ing|ed)|corrigend|errat|amend|addend|revis(?:e|ed|ing|ion)\b|retract|withdraw|forgot|"
    r"overlooked|missed|mistaken?\b|(?:was|is|were) wrong|i meant|should (?:be|have been|read)|"
    r"in addition to what|(?:coming|going|come|go|get|getting) back to|return(?:ing)? to|redo|replace)",
    re.I,
)
_REACH = 100
_LABEL = 24


def amended(text: str, spans: Mapping[int, Span], labels: Labels, naming: Naming) -> frozenset[int]:
    """The subquestions whose answers may go on in another's span, and those in whose spans they do.

    ``spans``: where each is answered, by its place in the problem.
    """
    found: set[int] = set()
    for at, sub in _mentions(text, labels, naming):
        owner = next((one for one, (start, end) in spans.items() if start <= at < end), None)
        if owner is not None and owner != sub and _SECOND_THOUGHT.search(_around(text, at)):
            found |= {owner, sub}
    return frozenset(found)


def _mentions(text: str, labels: Labels, naming: Naming) -> Iterator[tuple[int, int]]:
    """Where the text speaks of a part, and which."""
    for match in _MENTION.finditer(text):
        read = read_paths(text[match.end() : match.end() + _LABEL], 0, worded=True)
        for path in read.paths if read else ():
            if (sub := labels.meant(path, naming)) is not None:
                yield match.start(), sub


def _around(text: str, at: int) -> str:
    """The line that holds a place, within reach."""
    before = text[max(0, at - _REACH) : at]
    return before[before.rfind("\n") + 1 :] + text[at : at + _REACH].partition("\n")[0]
