"""One way of writing a value, made from an expected one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Variant:
    """An equivalent of an expected value, or a near-miss of it, as an answer may write it."""

    text: str
    how: str
    """What was done to the expected value: "hydrogens written out", "one centre inverted"."""
    notation: str = ""
    """Where it isn't the kind's own: ``inchi``, ``name``, ``latex``."""
