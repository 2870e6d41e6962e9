"""Tick boxes: ``[x] False``, ``☑ B ☐ C``."""

from __future__ import annotations

import re
from dataclasses import dataclass

_BOX = r"(?:\[[ ]?(?P<inside>[xX✓✔])?[ ]?\]|(?P<full>[☑✅◉⦿])|(?P<crossed>☒)|[☐⬜▢◯○])"


@dataclass(frozen=True, slots=True)
class Tick:
    """A name whose box is ticked, in plain offsets."""

    name: str
    start: int
    end: int


def ticked(plain: str, names: str, flags: int = 0) -> list[Tick]:
    """The names (an alternation) whose boxes are ticked, where others are left empty."""
    pattern = re.compile(
        rf"{_BOX}[ ]{{0,3}}[(\[\"']{{0,2}}(?:[Oo]ption[ ])?(?P<name>{names})(?![A-Za-z0-9])", flags
    )
    found = list(pattern.finditer(plain))
    full = [match for match in found if match["inside"] or match["full"]]
    full = full or [match for match in found if match["crossed"]]
    distinct = {match["name"].casefold() for match in found}
    if not full or len(full) == len(found) or len(distinct) < len(found):
        return []
    return [Tick(match["name"], *match.span("name")) for match in full]
