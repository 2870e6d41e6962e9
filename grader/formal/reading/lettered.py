"""Letters and numbers that name compounds, those asked for and those that nobody asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence

_LETTER = re.compile(r"[A-Z][0-9]?'?")
_HEAD = re.compile(
    r"(?<![A-Za-z0-9_])(?P<label>[A-Z][0-9]?'?)"
    r"(?=[*_ )\]]{0,4}(?::|=(?!=)|\s(?:is|was)\s)[^\n□.;,]{0,30}□|\s?\(?□)"
)


TAIL = re.compile(r"□\s{0,2}\(\s?(?:compound |product |structure )?(?P<label>[A-Z][0-9]?'?)\s?[),]", re.I)


_NUMBERED = re.compile(r"(?:(?:compound|product|structure|substance) )?([0-9]{1,2}[a-z]?)", re.I)
_NUMBER_HEAD = re.compile(
    r"\b(?P<label>(?:compound|product|structure|substance) [0-9]{1,2}[a-z]?)\b(?=[^\n.;,□]{0,40}□)", re.I
)


def with_unasked(plain: str, asked: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """The labels of siblings and, where a lettered compound is asked, other letters that head candidates.

    ``plain`` has its candidates masked. Siblings that ask for nothing formal
    hand no labels down, but their values stand in the same answer.
    """
    if numbered := {match[1] for label in asked if (match := _NUMBERED.fullmatch(label.strip()))}:
        found = dict.fromkeys(match["label"] for match in _NUMBER_HEAD.finditer(plain))
        return (*others, *(label for label in found if label.split()[-1] not in numbered))
    if not letters(asked):
        return tuple(others)
    known = {label.strip() for label in (*asked, *others)}
    matches = (*_HEAD.finditer(plain), *TAIL.finditer(plain))
    found = dict.fromkeys(match["label"] for match in matches)
    own = {label.split()[-1] for label in known}
    return (*others, *(label for label in found if label not in own and label != "I"))


def letters(labels: Sequence[str]) -> set[str]:
    """The compound letters among labels: ``B`` of "compound B"."""
    last = (label.strip().split()[-1] for label in labels)
    return {letter for letter in last if _LETTER.fullmatch(letter)}
