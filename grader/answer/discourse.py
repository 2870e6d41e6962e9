"""Sentences and clauses of plain text."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

_SENTENCE = re.compile(
    r"(?=[.!?\n])"
    r"(?:(?<!\bi\.e)(?<!\be\.g)(?<!\bca)(?<!\bvs)(?<!\bapprox)(?<!\bcf)(?<!\beq)(?<!\bFig)(?<!\bNo)(?<!\bresp)"
    r"(?<!\betc)(?<!\bet al)[.!?]+[*_)\"']{0,3}(?=\s|$)|\n(?=[ ]*\n)|\n)"
)
_OPEN_END = re.compile(r"(?:[=:≈~]|->|\b(?:is|are|was|equals|of|the|about|therefore|thus|so|hence))[ ]*$")
_CLAUSE = re.compile(
    r";|—|,\s+(?=(?:but|yet|however|so|thus|hence|therefore|whereas|while|which|since|because|and|not|or|i\.e\.|giving)"
    r"\b)"
    r"|\s(?=(?:but|whereas|while|because|since|although|though|so|thus|hence)\s)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Spans:
    """Consecutive spans that cover a text."""

    starts: tuple[int, ...]
    length: int

    def at(self, position: int) -> tuple[int, int]:
        """The span that holds a position."""
        index = max(0, bisect_right(self.starts, position) - 1)
        end = self.starts[index + 1] if index + 1 < len(self.starts) else self.length
        return self.starts[index], end


@lru_cache(maxsize=4)
def sentences(plain: str) -> Spans:
    """Sentences; a line break ends one unless the line breaks off after "=", ":" or a copula."""
    starts = [0]
    for match in _SENTENCE.finditer(plain):
        broken = match.group().startswith("\n")
        if broken and _OPEN_END.search(plain, max(starts[-1], match.start() - 20), match.start()):
            continue
        starts.append(match.end())
    return Spans(tuple(starts), len(plain))


def clauses(plain: str) -> Spans:
    """Clauses: sentences cut further at semicolons, dashes and conjunctions."""
    starts = {*sentences(plain).starts, *(match.end() for match in _CLAUSE.finditer(plain))}
    return Spans(tuple(sorted(starts)), len(plain))
