"""Quotes of an answer, proved: verbatim, and from what the judge was shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from grader.judge.evidence import locate
from grader.judge.flags import Flag
from grader.record import Evidence

Passages = Sequence[tuple[int, int]]
"""Offsets of what a judge isn't shown of an answer, in order and apart from each other."""

_SAYS_NOTHING = re.compile(
    r"(?:[\W_]|\b(?:an?|and|are|as|at|be|been|but|by|for|from|had|has|have|if|in|is|its?|of|on|or|our|so|that|the"
    r"|their|then|there|these|they|this|those|to|was|we|were|which|with|It|So|The|There|These|This|We)\b)*"
)
"""Signs and joining words of English, as they are written: `As` and `In` are elements, `A` is an option."""


def prove(quote: str, answer: str, withheld: Passages) -> Evidence | Flag:
    """The quote as it stands in the answer, in the answer's own characters; else what is wrong with it.

    A quote of nothing but joining words is as good as none. How short it is
    doesn't matter: `B`, `5` or `Zn` may be all there is to quote.
    """
    if _SAYS_NOTHING.fullmatch(quote):
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
