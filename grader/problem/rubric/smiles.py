"""Lint of quoted structures: what RDKit can't read, and the same structure asked for twice."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from grader.problem.rubric.nodes import NativeNode, leaves

LONGEST = 400
"""Longer strings aren't tried."""

_SMILES = re.compile(
    r"(?:\[[^\[\]\s()]{1,20}\]|Br|Cl|Ph|Me|Et|Bu|Pr|Ar|Ac|Ts|Tf|Boc|[BCNOPSFIRXLM*]|[bcnops]|[=#$:/\\~.()>-]|%\d\d|\d)+"
)
_STRUCTURED = re.compile(r"[=#\[(]|[bcnopsBCNOPS]\d")


def looks_like_smiles(text: str) -> bool:
    """Whether a quotation is written like a SMILES with some structure, not like a word or formula."""
    return len(text) <= LONGEST and bool(_STRUCTURED.search(text)) and bool(_SMILES.fullmatch(text))


@lru_cache(maxsize=4096)
def canonical(text: str) -> str | None:
    """The canonical SMILES of a quotation, also of each side of a reaction; None if RDKit refuses it."""
    from rdkit import Chem, rdBase

    with rdBase.BlockLogs():
        sides = [Chem.MolFromSmiles(side) if side else None for side in text.split(">")]
        if any(mol is None for mol, side in zip(sides, text.split(">"), strict=True) if side):
            return None
        return ">".join(Chem.MolToSmiles(mol) if mol is not None else "" for mol in sides)


def lint(nodes: Iterable[NativeNode], quotations: frozenset[str]) -> set[str]:
    """``unparsable_smiles`` and ``duplicate``, over the values of parts that stand in quotation marks."""
    found: set[str] = set()
    seen: set[tuple[str, ...]] = set()
    for part in leaves(nodes):
        if part.kind != "part":
            continue
        quoted = [text for text in part.quoted if text in quotations]
        if any(looks_like_smiles(text) and canonical(text) is None for text in quoted):
            found.add("unparsable_smiles")
        spelled = (text for text in quoted if len(text) <= LONGEST and _SMILES.fullmatch(text))
        key = tuple(read for text in spelled if (read := canonical(text)) is not None)
        if key and len(key) == len(part.quoted):
            if key in seen:
                found.add("duplicate")
            seen.add(key)
    return found
