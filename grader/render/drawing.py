"""Structures as SVG."""

from __future__ import annotations

import re
from functools import lru_cache

_SIZE = (220, 150)
_PROLOGUE = re.compile(r"<\?xml[^>]*\?>\s*|<!--.*?-->\s*", re.DOTALL)


@lru_cache(maxsize=4096)
def structure_svg(smiles: str) -> str | None:
    """An SVG element of a structure, safe to put into a page; None where the text is no structure.

    The drawing has no text from outside: atom labels are made by RDKit from
    elements, and placeholders are drawn as numbered dummies.
    """
    from rdkit import rdBase
    from rdkit.Chem.Draw import rdMolDraw2D

    from grader.formal.structures.structure import Unreadable, read_structure

    try:
        structure = read_structure(smiles)
    except Unreadable:
        return None
    with rdBase.BlockLogs():
        drawer = rdMolDraw2D.MolDraw2DSVG(*_SIZE)
        options = drawer.drawOptions()
        options.clearBackground = False
        options.addStereoAnnotation = True
        try:
            rdMolDraw2D.PrepareAndDrawMolecule(drawer, structure.mol)
        except (RuntimeError, ValueError):
            return None
        drawer.FinishDrawing()
    return _PROLOGUE.sub("", drawer.GetDrawingText())
