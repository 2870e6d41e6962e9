"""The skeleton of a structure: which atoms are joined and where the hydrogens sit, without electrons.

Resonance forms share it, and so do the drawings of one complex; tautomers,
protonation states and isomers don't.
"""

from __future__ import annotations

from collections.abc import Callable

from rdkit import Chem

HYDROGEN_STEP = 2000
"""Hydrogens are counted into the isotope, in steps larger than any real isotope or placeholder number."""


def electron_count(mol: Chem.Mol) -> tuple[int, int]:
    """Total charge and unpaired electrons: what no redrawing of bonds may change."""
    unpaired = sum(atom.GetNumRadicalElectrons() for atom in mol.GetAtoms())
    return (Chem.GetFormalCharge(mol), unpaired)


def skeleton_key(
    mol: Chem.Mol,
    *,
    stereo: bool = False,
    counts_hydrogen: Callable[[Chem.Atom], bool] = lambda _atom: True,
    keeps_bond: Callable[[Chem.Bond], bool] = lambda _bond: True,
) -> str:
    """A canonical text of the skeleton.

    ``stereo`` keeps tetrahedral marks; ``counts_hydrogen`` says on which atoms
    the hydrogens count, ``keeps_bond`` which bonds stay.
    """
    hydrogens = [atom.GetTotalNumHs() if counts_hydrogen(atom) else 0 for atom in mol.GetAtoms()]
    dropped = [(b.GetBeginAtomIdx(), b.GetEndAtomIdx()) for b in mol.GetBonds() if not keeps_bond(b)]
    bare = Chem.RWMol(mol)
    bare.SetStereoGroups([])
    for atom, count in zip(bare.GetAtoms(), hydrogens, strict=True):
        _strip_atom(atom, count, stereo)
    for bond in bare.GetBonds():
        _strip_bond(bond)
    for ends in dropped:
        bare.RemoveBond(*ends)
    skeleton = bare.GetMol()
    skeleton.ClearComputedProps()
    skeleton.UpdatePropertyCache(False)
    Chem.FastFindRings(skeleton)
    Chem.AssignStereochemistry(skeleton, cleanIt=True, force=True)
    return str(Chem.MolToSmiles(skeleton))


def _strip_atom(atom: Chem.Atom, hydrogens: int, stereo: bool) -> None:
    atom.SetNoImplicit(True)
    atom.SetNumExplicitHs(1 if stereo and hydrogens == 1 else 0)
    atom.SetFormalCharge(0)
    atom.SetNumRadicalElectrons(0)
    atom.SetIsAromatic(False)
    atom.SetIsotope(atom.GetIsotope() + HYDROGEN_STEP * hydrogens)
    if not stereo:
        atom.SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)


def _strip_bond(bond: Chem.Bond) -> None:
    bond.SetBondType(Chem.BondType.SINGLE)
    bond.SetIsAromatic(False)
    bond.SetStereo(Chem.BondStereo.STEREONONE)
    bond.SetBondDir(Chem.BondDir.NONE)
