"""Oxides, sulfides and mercury(I) halides whose atoms OPSIN doesn't balance.

It draws some metals with a double bond to one oxygen, whatever their state: copper(I) oxide
comes as ``[Cu-]=O``, gold(III) oxide as ``[Au+]=O``. It takes mercury(I) for a single atom;
the ion is Hg2^2+.
"""

from __future__ import annotations

import re

_CHALCOGENIDE = re.compile(r"(?:ox|sul(?:f|ph)|selen|tellur)ide$", re.I)
_DRAWN = re.compile(r"\[(?P<metal>[A-Z][a-z]?)(?P<sign>[+-])(?P<size>\d?)\]=(?P<anion>O|S|\[Se\]|\[Te\])")
_MERCUROUS = re.compile(r"\bmercury\s?\((?:I|1\+)\)|\bmercurous\b", re.I)
_MERCURY_HALIDE = re.compile(r"\[Hg\](?P<halogen>F|Cl|Br|I)")


def balanced(name: str, smiles: str) -> str | None:
    """What a name means, from OPSIN's structure of it; None where that can't be mended."""
    if _MERCUROUS.search(name):
        halide = _MERCURY_HALIDE.fullmatch(smiles)
        return f"{halide['halogen']}[Hg][Hg]{halide['halogen']}" if halide else None
    drawn = _DRAWN.fullmatch(smiles) if _CHALCOGENIDE.search(name) else None
    if drawn is None:
        return smiles
    state = 2 + int(drawn["sign"] + (drawn["size"] or "1"))
    return _ionic(drawn["metal"], state, drawn["anion"].strip("[]")) if state > 0 else None


def _ionic(metal: str, state: int, chalcogen: str) -> str:
    """The neutral salt of a metal ion and a chalcogenide."""
    metals, anions = (1, state // 2) if state % 2 == 0 else (2, state)
    return ".".join([f"[{metal}+{state}]"] * metals + [f"[{chalcogen}-2]"] * anions)
