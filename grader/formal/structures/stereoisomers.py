"""The stereoisomer that a word before a name means: (R), trans, rac, meso."""

from __future__ import annotations

from functools import lru_cache

from rdkit import Chem
from rdkit.Chem import rdCIPLabeler
from rdkit.Chem.EnumerateStereoisomers import EnumerateStereoisomers, StereoEnumerationOptions

_GEOMETRY = {"trans": "E", "cis": "Z"}


@lru_cache(maxsize=1024)
def with_descriptor(smiles: str, mark: str) -> str | None:
    """A structure with its one open centre or double bond as a descriptor says; None without such a one."""
    mol = Chem.MolFromSmiles(smiles)
    options = StereoEnumerationOptions(onlyUnassigned=True, unique=True, maxIsomers=4)
    isomers = list(EnumerateStereoisomers(mol, options=options))
    if len(isomers) != 2 or "@" in smiles:
        return None
    if mark not in "RSEZ" and mark not in _GEOMETRY:
        return _racemate(isomers[0])
    wanted = _GEOMETRY.get(mark, mark)
    return next((Chem.MolToSmiles(one) for one in isomers if wanted in _labels(one)), None)


def _labels(mol: Chem.Mol) -> set[str]:
    rdCIPLabeler.AssignCIPLabels(mol)
    marked = [*mol.GetAtoms(), *mol.GetBonds()]
    return {one.GetProp("_CIPCode") for one in marked if one.HasProp("_CIPCode")}


def _racemate(mol: Chem.Mol) -> str | None:
    smiles = Chem.MolToSmiles(mol)
    again = Chem.MolFromSmiles(smiles)
    centre = [index for index, _ in Chem.FindMolChiralCenters(again)]
    return f"{smiles} |&1:{centre[0]}|" if centre else None


def meso_form(smiles: str) -> str | None:
    """The one stereoisomer with centres that is its own mirror image; None where there is none or several."""
    mol = Chem.MolFromSmiles(smiles)
    if mol is None or "@" in smiles:
        return None
    options = StereoEnumerationOptions(unique=True, maxIsomers=64)
    meso = {text for one in EnumerateStereoisomers(mol, options=options) if (text := _achiral(one))}
    return meso.pop() if len(meso) == 1 else None


def _achiral(mol: Chem.Mol) -> str | None:
    text = str(Chem.MolToSmiles(mol))
    mirror = Chem.Mol(mol)
    for atom in mirror.GetAtoms():
        atom.InvertChirality()
    Chem.AssignStereochemistry(mirror, cleanIt=True, force=True)
    return text if "@" in text and Chem.MolToSmiles(mirror) == text else None


def is_chiral(smiles: str) -> bool:
    """Whether a structure with marked centres differs from its mirror image."""
    mol = Chem.MolFromSmiles(smiles)
    return mol is not None and "@" in smiles and _achiral(mol) is None
