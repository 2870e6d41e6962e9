"""Passages of an answer that speak to whoever grades it."""

from __future__ import annotations

import re

_ACT = re.compile(
    r"[^.!?\n]{0,300}\b(?:ignore|disregard|forget)\b[^.\n]{0,40}\b(?:rubric|instructions)\b[^.\n]{0,300}[.]?"
    r"|[^.!?\n]{0,300}\b(?:award|give|grant)\b[^.\n]{0,40}\bfull (?:marks|credit|points)\b[^.\n]{0,300}[.]?",
    re.I,
)


def find(text: str, *, suspected: bool = False) -> list[tuple[int, int]]:
    """Raw spans of whole sentences that tell a grader what to do."""
    return [match.span() for match in _ACT.finditer(text)]
