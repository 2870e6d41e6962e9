"""Stereo marks that RDKit drops though they mean something: at spiro centres, alkylidene rings, P-H.

RDKit's perception asks for four different substituents, or for centres that
depend on each other in one ring. A centre of two equal pairs (the spirobiindane
ligands), and a double bond that only another mark of its ring makes
asymmetric, lose their marks without a word. Here a mark means something if
turning it gives a molecule that can't be laid over the first one.
"""

from __future__ import annotations

import re

from rdkit import Chem, rdBase

MAX_MARKS = 60
"""A structure with more marks isn't looked through."""

_TURNED = {
    Chem.ChiralType.CHI_TETRAHEDRAL_CW: Chem.ChiralType.CHI_TETRAHEDRAL_CCW,
    Chem.ChiralType.CHI_TETRAHEDRAL_CCW: Chem.ChiralType.CHI_TETRAHEDRAL_CW,
}
_OTHER = {
    Chem.BondStereo.STEREOCIS: Chem.BondStereo.STEREOTRANS,
    Chem.BondStereo.STEREOTRANS: Chem.BondStereo.STEREOCIS,
}
_LONG_CUMULENE = Chem.MolFromSmarts("*=[D2]=[D2]=*")


def marks_missing(smiles: str, mol: Chem.Mol) -> bool:
    """Whether the molecule that RDKit reads from a SMILES may lack a mark of the text; cheap."""
    written = sum("@" in atom for atom in re.findall(r"\[[^\[\]]*\]", smiles))
    kept = sum(atom.GetChiralTag() in _TURNED for atom in mol.GetAtoms())
    slashes = len(re.findall(r"[/\\]", re.sub(r"\[[^\[\]]*\]", "", smiles)))
    bonds = sum(bond.GetStereo() > Chem.BondStereo.STEREOANY for bond in mol.GetBonds())
    return written > kept or slashes > bonds + (bonds > 0) or any(_hidden(atom) for atom in mol.GetAtoms())


def _hidden(atom: Chem.Atom) -> bool:
    """Whether an atom has a mark that substructure matching doesn't look at."""
    return atom.GetChiralTag() in _TURNED and atom.GetDegree() < 3


def drops_mark(smiles: str, mol: Chem.Mol) -> bool:
    """Whether a SMILES has a mark that means something and that RDKit's molecule doesn't hold."""
    whole = with_all_marks(smiles)
    if whole is None:
        return False
    if holds_cumulene(smiles, whole) or any(map(_hidden, mol.GetAtoms())):
        return True
    return bool(_centres(whole) - _centres(mol) or _bonds(whole) - _bonds(mol))


def holds_cumulene(smiles: str, mol: Chem.Mol) -> bool:
    """Whether marks may stand at the ends of three double bonds in a row, which nothing here holds."""
    return ("/" in smiles or "\\" in smiles) and bool(mol.HasSubstructMatch(_LONG_CUMULENE))


def with_all_marks(smiles: str) -> Chem.Mol | None:
    """The molecule with every mark of the text that means something; None where it can't be read so."""
    with rdBase.BlockLogs():
        try:
            mol = _read(smiles)
        except (RuntimeError, ValueError):
            return None
        if mol is None or len(_centres(mol)) + len(_bonds(mol)) > MAX_MARKS:
            return None
        for atom in mol.GetAtoms():
            if atom.GetChiralTag() in _TURNED and (_inverts(atom) or _is_idle(mol, atom)):
                atom.SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
        for bond in mol.GetBonds():
            if bond.GetStereo() in _OTHER and (_is_forced(bond) or _is_idle_bond(mol, bond)):
                bond.SetStereo(Chem.BondStereo.STEREONONE)
    return mol


def _read(smiles: str) -> Chem.Mol | None:
    params = Chem.SmilesParserParams()
    params.sanitize = False
    params.removeHs = False
    mol = Chem.MolFromSmiles(smiles, params)
    if mol is None:
        return None
    for atom in mol.GetAtoms():
        atom.SetAtomMapNum(0)
    Chem.SanitizeMol(mol)
    Chem.SetBondStereoFromDirections(mol)
    mol = Chem.RemoveHs(mol, sanitize=False)
    # Matching looks at marks of atoms with three neighbours or more: a hydrogen must be one of them.
    few = [atom.GetIdx() for atom in mol.GetAtoms() if _hidden(atom) and atom.GetTotalNumHs()]
    return Chem.AddHs(mol, onlyOnAtoms=few) if few else mol


def _inverts(atom: Chem.Atom) -> bool:
    """Whether a centre is an amine nitrogen, which turns over by itself outside small and bridged rings."""
    if atom.GetAtomicNum() != 7 or atom.GetFormalCharge():
        return False
    return not atom.IsInRingSize(3) and sum(bond.IsInRing() for bond in atom.GetBonds()) < 3


def _is_forced(bond: Chem.Bond) -> bool:
    """Whether a small ring leaves a double bond no choice: six atoms at most, or seven and drawn cis."""
    if not bond.IsInRing() or not any(bond.IsInRingSize(size) for size in range(3, 8)):
        return False
    if any(bond.IsInRingSize(size) for size in range(3, 7)):
        return True
    mol, ends = bond.GetOwningMol(), (bond.GetBeginAtomIdx(), bond.GetEndAtomIdx())
    inside = [
        mol.GetBondBetweenAtoms(end, atom).IsInRing()
        for end, atom in zip(ends, bond.GetStereoAtoms(), strict=True)
    ]
    return bool((bond.GetStereo() == Chem.BondStereo.STEREOCIS) == (inside[0] == inside[1]))


def _is_idle(mol: Chem.Mol, atom: Chem.Atom) -> bool:
    other = Chem.Mol(mol)
    other.GetAtomWithIdx(atom.GetIdx()).SetChiralTag(_TURNED[atom.GetChiralTag()])
    return overlay(mol, other)


def _is_idle_bond(mol: Chem.Mol, bond: Chem.Bond) -> bool:
    other = Chem.Mol(mol)
    other.GetBondWithIdx(bond.GetIdx()).SetStereo(_OTHER[bond.GetStereo()])
    return overlay(mol, other)


def overlay(a: Chem.Mol, b: Chem.Mol) -> bool:
    """Whether two molecules can be laid over each other so that every mark agrees."""
    return bool(a.HasSubstructMatch(b, useChirality=True) and b.HasSubstructMatch(a, useChirality=True))


def turned_over(mol: Chem.Mol) -> Chem.Mol:
    """The mirror image, without RDKit's opinion on its marks."""
    mirror = Chem.Mol(mol)
    for atom in mirror.GetAtoms():
        if atom.GetChiralTag() in _TURNED:
            atom.SetChiralTag(_TURNED[atom.GetChiralTag()])
    return mirror


def _heavy(mol: Chem.Mol) -> dict[int, int]:
    """The number of each atom that is no hydrogen, counted in the order of the text."""
    heavy = (atom.GetIdx() for atom in mol.GetAtoms() if atom.GetAtomicNum() != 1)
    return {index: number for number, index in enumerate(heavy)}


def _centres(mol: Chem.Mol) -> set[int]:
    numbers = _heavy(mol)
    return {
        numbers[a.GetIdx()] for a in mol.GetAtoms() if a.GetChiralTag() in _TURNED and a.GetIdx() in numbers
    }


def _bonds(mol: Chem.Mol) -> set[frozenset[int]]:
    numbers = _heavy(mol)
    marked = (bond for bond in mol.GetBonds() if bond.GetStereo() > Chem.BondStereo.STEREOANY)
    return {frozenset(numbers.get(i, -1) for i in (b.GetBeginAtomIdx(), b.GetEndAtomIdx())) for b in marked}
