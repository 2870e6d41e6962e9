"""A symbol of a vocabulary in a plain text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol at a plain span."""

    name: str
    start: int
    end: int
    place: str = ""
    """The locant it is written with: ``2`` of ``(2R,3S)``."""
    listed: bool = False
    """Whether it stands with other descriptors of the same compound."""
