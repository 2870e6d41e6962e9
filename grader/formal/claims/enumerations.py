"""Several letters chosen at once: run together, added up, or listed under a heading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from grader.answer.candidates import Candidate, Reading, candidate
from grader.answer.marks import EXPLICIT
from grader.answer.notation import Text
from grader.formal.claims.options import Letters, Options

_RUN = re.compile(r"(?<![A-Za-z0-9])[A-Z](?:[A-Z]{1,7}|(?:[ ]?\+[ ]?[A-Z]){1,7})(?![A-Za-z0-9])")
_HEADING = re.compile(
    r"(?:^|\n)(?P<said>[^\n]{0,80}\b(?:correct|right|true|valid|apply|answers?|hold)\b[^\n:]{0,60})"
    r"(?::[*_ ]{0,4}|[*_]{2}[ ]*)\n\s{0,3}$",
    re.I,
)
_DENIES = re.compile(r"\b(?:not|none|no|except|wrong|false|incorrect)\b|n't\b|\?", re.I)


def runs(text: Text, reading: Reading, options: Options) -> Iterator[Candidate[Letters]]:
    """Letters run together ("AC", "A + C"), where the answer is marked or nothing else."""
    for match in _RUN.finditer(text.plain):
        said = re.findall("[A-Z]", match.group())
        letters = frozenset(said)
        if len(letters) == len(said) and letters <= set(options.letters):
            span = text.raw_span(*match.span())
            if reading.marked.rank(*span) >= EXPLICIT or text.raw.strip(" \n.*$") == text.raw[slice(*span)]:
                yield candidate(text, letters, *match.span())


@lru_cache(maxsize=256)
def _items(names: str) -> re.Pattern[str]:
    """Lines that begin with a letter, one after another."""
    line = (
        rf"[ ]{{0,4}}(?:[-*•+][ ]{{1,3}}|[0-9]{{1,2}}[.)][ ])?[*(\[]{{0,3}}(?:{names})"
        r"(?:[*)\].:]{0,4}[ ]{0,3}(?=\n|$)|[*)\].:]{0,4}(?:[ ](?=[(—:-])|(?<=[.):*])[ ])[^\n]{1,200})"
    )
    return re.compile(rf"(?:^|(?<=\n)){line}(?:\n{{1,2}}{line}){{1,9}}(?=\n|$)")


@lru_cache(maxsize=256)
def _head(names: str) -> re.Pattern[str]:
    return re.compile(rf"^[ ]{{0,4}}(?:[-*•+][ ]{{1,3}}|[0-9]{{1,2}}[.)][ ])?[*(\[]{{0,3}}({names})\b", re.M)


def listed(text: Text, options: Options) -> Iterator[Candidate[Letters]]:
    """A list of letters that is all of the answer, or that a heading calls the correct ones."""
    for match in _items(options.names).finditer(text.plain):
        said = _head(options.names).findall(match.group())
        heading = _HEADING.search(text.plain, max(0, match.start() - 160), match.start())
        headed = heading is not None and not _DENIES.search(heading["said"])
        alone = not (text.plain[: match.start()] + text.plain[match.end() :]).strip()
        bare = len(re.findall(r"[A-Za-z0-9]+", match.group())) == len(said)
        if len(set(said)) == len(said) < len(options.letters) and (headed or (alone and bare)):
            yield candidate(text, frozenset(said), *match.span())
