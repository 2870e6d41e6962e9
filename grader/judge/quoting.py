"""Quotes of an answer, proved: verbatim, and from what the judge was shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.judge.evidence import locate
from grader.judge.flags import Flag
from grader.record import Evidence

Passages = Sequence[tuple[int, int]]
"""Offsets of what a judge isn't shown of an answer, in order and apart from each other."""


def prove(quote: str, answer: str, withheld: Passages) -> Evidence | Flag:
    """The quote as it stands in the answer, in the answer's own characters; else what is wrong with it."""
    if not quote.strip():
        return Flag.EVIDENCE_MISSING
    for start, end in _shown(len(answer), withheld):
        if found := locate(quote, answer[start:end]):
            first, last = start + found.start, start + found.end
            return Evidence(answer[first:last], first, last)
    if withheld and locate(quote, answer):
        return Flag.EVIDENCE_WITHHELD
    return Flag.EVIDENCE_ABSENT


def _shown(length: int, withheld: Passages) -> Iterator[tuple[int, int]]:
    at = 0
    for start, end in withheld:
        yield at, start
        at = end
    yield at, length
