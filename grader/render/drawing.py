"""Structures as SVG.

A drawing has no text from outside: atom labels are made by RDKit from
elements, and placeholders are drawn as numbered dummies. It has no ids, so
that any number of them stands on one page, and brings its own white paper.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rdkit import Chem

    from grader.render.drawing_difference import Difference, Marks

_WIDTH, _HEIGHT, _GAP, _CAPTION = 260, 190, 12, 22
_SIZE = (220, 150)
_FEWEST = 2
"""Shared atoms that fix how a structure lies; RDKit crashes on none."""
_BOND = 34
"""The longest that a bond is drawn, so that small structures don't fill their frame."""

_PROLOGUE = re.compile(r"<\?xml[^>]*\?>\s*|<!--.*?-->\s*", re.DOTALL)
_WRAPPING = re.compile(r"^<svg[^>]*>|</svg>\s*$")
_CLASS = re.compile(r" class='[^']*'")
_ANSWER, _EXPECTED = (0.98, 0.72, 0.47), (0.56, 0.80, 0.96)
"""Tints of Okabe and Ito's vermilion and sky blue, on which black stays legible."""


@lru_cache(maxsize=4096)
def structure_svg(smiles: str) -> str | None:
    """An SVG element of a structure, safe to put into a page; None where the text is no structure."""
    mol = _read(smiles)
    return None if mol is None else _drawn(mol, _SIZE)


@lru_cache(maxsize=4096)
def compared_svg(answer_smiles: str, expected_smiles: str, *, marked: bool = True) -> str | None:
    """The structures of an answer and of a rubric beside each other, what differs on coloured ground.

    The answer is turned so that what both share lies alike. Atoms differ by
    element, charge, isotope and configuration, bonds by order and by E and Z.
    None where either text is no structure or can't be drawn. ``marked=False``
    neither colours nor says what differs, for who is to see it for themselves.
    """
    from grader.render.drawing_difference import difference

    answer, expected = _read(answer_smiles), _read(expected_smiles)
    if answer is None or expected is None:
        return None
    found = difference(answer, expected)
    _lay_alike(answer, expected, found)
    size = (_WIDTH, _HEIGHT)
    left = _drawn(answer, size, found.first if marked else None, _ANSWER)
    right = _drawn(expected, size, found.second if marked else None, _EXPECTED)
    said = f"<desc>{_said(found)}</desc>" if marked else ""
    return None if left is None or right is None else _beside(left, right, said)


def _read(smiles: str) -> Chem.Mol | None:
    from rdkit import Chem

    from grader.formal.structures.structure import Unreadable, read_structure

    try:
        return Chem.Mol(read_structure(smiles).mol)
    except Unreadable:
        return None


def _lay_alike(answer: Chem.Mol, expected: Chem.Mol, found: Difference) -> None:
    """Coordinates for both, the shared atoms of the answer on those of the rubric where that is possible."""
    from rdkit import rdBase
    from rdkit.Chem import rdDepictor

    with rdBase.BlockLogs():
        rdDepictor.Compute2DCoords(expected)
        rdDepictor.Compute2DCoords(answer)
        if len(found.pairs) < _FEWEST:
            return
        settings = rdDepictor.ConstrainedDepictionParams()
        settings.alignOnly = _lies_otherwise(answer, expected, found)
        pairs = [(there, here) for here, there in found.pairs]
        with suppress(RuntimeError, ValueError):
            rdDepictor.GenerateDepictionMatching2DStructure(answer, expected, pairs, -1, settings)


def _lies_otherwise(answer: Chem.Mol, expected: Chem.Mol, found: Difference) -> bool:
    """Whether the answer can't lie on the other's places: a ring on a chain, an E bond on a Z bond."""
    rings = any(_in_ring(answer, one) != _in_ring(expected, two) for one, two in found.pairs)
    sides = ((answer, found.first), (expected, found.second))
    return rings or any(_has_side(mol, bond) for mol, marks in sides for bond in marks.bonds)


def _has_side(mol: Chem.Mol, bond: int) -> bool:
    from rdkit import Chem

    return bool(mol.GetBondWithIdx(bond).GetStereo() != Chem.BondStereo.STEREONONE)


def _in_ring(mol: Chem.Mol, atom: int) -> bool:
    return bool(mol.GetAtomWithIdx(atom).IsInRing())


def _drawn(
    mol: Chem.Mol, size: tuple[int, int], marks: Marks | None = None, colour: tuple[float, ...] = ()
) -> str | None:
    from rdkit import rdBase
    from rdkit.Chem.Draw import rdMolDraw2D

    drawer = rdMolDraw2D.MolDraw2DSVG(*size)
    options = drawer.drawOptions()
    options.clearBackground = False
    options.addStereoAnnotation = True
    options.fixedBondLength = _BOND
    shown: dict[str, Any] = {}
    if marks is not None:
        options.fillHighlights = True
        options.setHighlightColour(colour)
        shown = {"highlightAtoms": sorted(marks.atoms), "highlightBonds": sorted(marks.bonds)}
    with rdBase.BlockLogs():
        try:
            rdMolDraw2D.PrepareAndDrawMolecule(drawer, mol, **shown)
        except (RuntimeError, ValueError):
            return None
        drawer.FinishDrawing()
    return _CLASS.sub("", _PROLOGUE.sub("", drawer.GetDrawingText()))


def _beside(left: str, right: str, said: str) -> str:
    width, height = 2 * _WIDTH + _GAP, _HEIGHT + _CAPTION
    captions = "".join(
        f'<text x="{centre}" y="{height - 7}" text-anchor="middle">{name}</text>'
        for name, centre in (("answer", _WIDTH / 2), ("expected", 1.5 * _WIDTH + _GAP))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}"><title>The structure of the answer beside the expected one</title>'
        f"{said}"
        f'<rect width="{width}" height="{height}" rx="4" fill="#ffffff"/>'
        f'<path d="M{_WIDTH + _GAP / 2} 8V{height - 8}" stroke="#c9d1d9"/>'
        f'<g>{_inner(left)}</g><g transform="translate({_WIDTH + _GAP} 0)">{_inner(right)}</g>'
        f'<g font-family="sans-serif" font-size="14" fill="#1b1f24">{captions}</g></svg>'
    )


def _inner(svg: str) -> str:
    return _WRAPPING.sub("", svg.strip())


def _said(found: Difference) -> str:
    """The difference in words, for whom doesn't see it."""
    if not found.size:
        return "Nothing differs."
    return f"In the answer {_counted(found.first)}; in the expected structure {_counted(found.second)}."


def _counted(marks: Marks) -> str:
    counts = ((len(marks.atoms), "atom"), (len(marks.bonds), "bond"))
    named = [f"{count} {word}{'s' * (count != 1)}" for count, word in counts if count]
    many = sum(count for count, _ in counts) != 1
    return f"{' and '.join(named)} {'differ' if many else 'differs'}" if named else "nothing differs"
