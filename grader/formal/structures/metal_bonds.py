"""Whether two drawings show the same metal complex.

Dative, covalent and charge-separated drawings share the skeleton with its
metal-ligand bonds; a fully ionic drawing shares it only without them.
"""

from __future__ import annotations

from rdkit import Chem

from grader.formal.structures.skeleton import skeleton_key
from grader.formal.structures.standardise import is_metal


def same_complex(a: Chem.Mol, b: Chem.Mol) -> bool | None:
    """True for two drawings of one complex, False for two complexes, None where drawings can't tell."""
    charges = Chem.GetFormalCharge(a) == Chem.GetFormalCharge(b)
    if charges and skeleton_key(a) == skeleton_key(b):
        return True
    if charges and _apart(a) == _apart(b):
        return _same_without_bonds(a, b)
    if charges and _sloppy(a) == _sloppy(b):
        return None
    return False


def _binds_metal(bond: Chem.Bond) -> bool:
    ends = (bond.GetBeginAtom(), bond.GetEndAtom())
    return is_metal(ends[0]) != is_metal(ends[1])


def _bound(mol: Chem.Mol) -> bool:
    return any(_binds_metal(bond) for bond in mol.GetBonds())


def _apart(mol: Chem.Mol) -> str:
    """The skeleton with every metal-ligand bond cut."""
    return skeleton_key(mol, keeps_bond=lambda bond: not _binds_metal(bond))


def _sloppy(mol: Chem.Mol) -> str:
    """The skeleton without the hydrogens of donor atoms: ``N[Pt]`` is often meant as an ammine."""
    return skeleton_key(
        mol,
        counts_hydrogen=lambda atom: not any(is_metal(n) for n in atom.GetNeighbors()),
        keeps_bond=lambda bond: True,
    )


def _same_without_bonds(a: Chem.Mol, b: Chem.Mol) -> bool | None:
    """The same metal and ligands, joined otherwise.

    An ionic drawing of what the other draws as one bound unit is the same
    complex. With something outside the sphere it could be an ionisation
    isomer; with carbon donors the hapticity may just be drawn otherwise; two
    different donor atoms of one ligand make linkage isomers.
    """
    if _is_salt_like(a) and _is_salt_like(b):
        return True
    if _bound(a) and _bound(b):
        return None if _partly_loose(a) or _partly_loose(b) or _carbon_bound(a) or _carbon_bound(b) else False
    bound = a if _bound(a) else b
    return None if len(Chem.GetMolFrags(bound)) > 1 else True


_SALT_LIKE = frozenset([3, 4, 11, 12, 13, 19, 20, 30, 37, 38, 48, 55, 56])
"""Metals of which nobody isolates ionisation isomers: a Grignard compound is one however it is drawn."""


def _is_salt_like(mol: Chem.Mol) -> bool:
    metals = [atom.GetAtomicNum() for atom in mol.GetAtoms() if is_metal(atom)]
    return len(metals) == 1 and metals[0] in _SALT_LIKE


def _partly_loose(mol: Chem.Mol) -> bool:
    return len(Chem.GetMolFrags(mol)) > 1


def _carbon_bound(mol: Chem.Mol) -> bool:
    return any(
        _binds_metal(bond) and 6 in {bond.GetBeginAtom().GetAtomicNum(), bond.GetEndAtom().GetAtomicNum()}
        for bond in mol.GetBonds()
    )
