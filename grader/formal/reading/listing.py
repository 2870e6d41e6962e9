"""Which structure of a listing a text chooses once it has listed them: the last one, or option B."""

from __future__ import annotations

import re
from collections.abc import Sequence

_LAST = re.compile(
    r"\b(?:answer|product|result) (?:is|will be|would be) (?:therefore |thus )?the (?:last|final) "
    r"(?:structure|one|entry|row|compound|smiles|formula)\b"
    r"|(?<!not )(?<!n't )(?<!never )\b(?:go with|choose|pick|settle on) the (?:last|final) "
    r"(?:structure|one|entry|row|compound)\b"
    r"|\bthe last (?:structure|one|entry|row|compound) is (?:therefore |thus )?the (?:\w+ "
    r")?(?:product|answer)\b"
    r"|\b(?:structure|compound|entry|formula) in the last (?:row|line) is the (?:\w+ )?(?:product|answer)\b",
    re.I,
)
_LETTER = re.compile(
    r"\b(?:(?:answer|option|choice|structure|isomer|compound|one|candidate)(?: (?:is|must be|has to "
    r"be)|\s?[:=])"
    r"(?: therefore| thus| hence| clearly)?(?: option| structure| isomer| number| no\.| compound)?"
    r"|(?:fits only|only fits|matches only|must be|so it is|so|is) (?:option|structure|isomer|candidate))"
    r"\s\(?(?P<letter>[A-Za-z]|[1-9])\)?(?=\s*(?:[.,;:!]|$|\n))",
    re.I,
)
_HEADED = re.compile(
    r"(?:^|[\s(,;])(?:\(?|(?P<said>(?:option|structure|isomer|candidate|possibility)\s))"
    r"(?P<letter>[A-Za-z]|[1-9])(?(said)(?:\)|[.,:]|\s=)?|(?:\)|\.|:|\s=)\)?)\s{0,3}[\s(\"'*`]{0,4}$",
    re.I,
)
_HEAD_REACH = 24
"""Characters before a structure that may be its letter."""


def chosen_of_listing(masked: str, spans: Sequence[tuple[int, int]]) -> int | None:
    """Which candidate of a listing the text chooses afterwards: the last one, or option B."""
    if len(spans) < 2:
        return None
    last = spans[-1]
    if _LAST.search(masked, last[1]):
        return len(spans) - 1
    letters = [match["letter"] for match in _LETTER.finditer(masked, last[1])]
    if len(set(letters)) != 1:
        return None
    heads = [_HEADED.search(masked, max(0, start - _HEAD_REACH), start) for start, _ in spans]
    named = [index for index, head in enumerate(heads) if head and head["letter"] == letters[0]]
    return named[0] if len(named) == 1 and all(heads) else None
