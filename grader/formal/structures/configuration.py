"""Whether two structures of one constitution have the same configuration, mark by mark."""

from __future__ import annotations

import random

from rdkit import Chem

from grader.formal.structures.comparison import Comparison, Relation
from grader.formal.structures.inchi import inchi_of
from grader.formal.structures.marks import overlay, turned_over
from grader.formal.structures.stereo_groups import compare_groups, mol_without
from grader.formal.structures.structure import DROPPED, Structure, with_every_mark
from grader.problem.checks import StructureModel

NUMBERINGS = 5
"""Atom orders in which a canonical SMILES must come out alike to be believed."""


def compare_configuration(
    a: Chem.Mol, b: Chem.Mol, expected: Structure, found: Structure, options: StructureModel
) -> Comparison:
    """Compare the marks of two molecules of one constitution, ``a`` and ``b``, as read from two texts."""
    if options.stereo == "ignore":
        return Comparison(Relation.SAME, "the constitution agrees and stereo doesn't count")
    if expected.text == found.text:
        return Comparison(Relation.SAME, "it is written exactly so")
    grouped = a.GetStereoGroups() or b.GetStereoGroups()
    if lost := {expected.lost, found.lost} - {""}:
        whole = None if grouped or lost != {DROPPED} else _compare_whole(expected, found, options)
        return whole or Comparison(Relation.UNSURE, f"{lost.pop()} can't be compared")
    if grouped:
        return compare_groups(a, b, options)
    if options.stereo == "relative" and _agree(a, mirrored(b)) is True:
        return Comparison(Relation.SAME, "it is the mirror image, and only relative configuration counts")
    return _outcome(_agree(a, b), a, b)


def _compare_whole(expected: Structure, found: Structure, options: StructureModel) -> Comparison | None:
    """The comparison of two texts with the marks that RDKit drops; None where it can't be made."""
    a, b = with_every_mark(expected), with_every_mark(found)
    if a is None or b is None or flat_key(a) != flat_key(b):
        return None
    images = (b, turned_over(b)) if options.stereo == "relative" else (b,)
    same = any(overlay(a, image) for image in images)
    if not same and any(atom.GetSymbol() == "N" and atom.GetChiralTag() for atom in a.GetAtoms()):
        return None
    return _outcome(same, a, b)


def _outcome(same: bool | None, a: Chem.Mol, b: Chem.Mol) -> Comparison:
    if same is None:
        return Comparison(Relation.UNSURE, "its stereo marks don't come out in one canonical form")
    if same:
        return Comparison(Relation.SAME, "constitution and configuration agree")
    if has_marks(a) and not has_marks(b):
        return Comparison(Relation.DIFFERENT, "the constitution agrees but its stereo marks are missing")
    if has_marks(b) and not has_marks(a):
        return Comparison(Relation.DIFFERENT, "it has stereo marks where none are expected")
    return Comparison(Relation.DIFFERENT, "the constitution agrees but the configuration differs")


def _agree(a: Chem.Mol, b: Chem.Mol) -> bool | None:
    """Whether configuration agrees; None where that can't be told for certain.

    A mapping of one graph onto the other that keeps every mark proves that it
    does. That there is none proves the contrary only where the marks come out
    in one canonical form, or where the InChIs differ too.
    """
    if overlay(a, b):
        return True
    keys = _stable_key(a), _stable_key(b)
    if None not in keys and keys[0] != keys[1]:
        return False
    inchis = inchi_of(a), inchi_of(b)
    return False if all(inchis) and inchis[0] != inchis[1] else None


def _stable_key(mol: Chem.Mol) -> str | None:
    """The canonical isomeric SMILES, or None where it depends on the order of the atoms."""
    first = str(Chem.MolToSmiles(mol))
    if not has_marks(mol):
        return first
    orders = random.Random(0)
    for _ in range(NUMBERINGS):
        order = list(range(mol.GetNumAtoms()))
        orders.shuffle(order)
        again = Chem.MolFromSmiles(Chem.MolToSmiles(Chem.RenumberAtoms(mol, order), canonical=False))
        if again is None or Chem.MolToSmiles(again) != first:
            return None
    return first


def flat_key(mol: Chem.Mol) -> str:
    """The canonical SMILES of the constitution: isotopes and dummies count, stereo doesn't."""
    flat = Chem.Mol(mol_without(mol))
    Chem.RemoveStereochemistry(flat)
    return str(Chem.MolToSmiles(flat))


def mirrored(mol: Chem.Mol) -> Chem.Mol:
    """The mirror image: every tetrahedral mark inverted."""
    mirror = Chem.Mol(mol)
    for atom in mirror.GetAtoms():
        atom.InvertChirality()
    Chem.AssignStereochemistry(mirror, cleanIt=True, force=True)
    return mirror


def has_marks(mol: Chem.Mol) -> bool:
    """Whether any centre or double bond has a stereo mark."""
    centres = any(atom.GetChiralTag() != Chem.ChiralType.CHI_UNSPECIFIED for atom in mol.GetAtoms())
    return centres or has_bond_marks(mol)


def has_bond_marks(mol: Chem.Mol) -> bool:
    """Whether any double bond has a stereo mark."""
    return any(bond.GetStereo() > Chem.BondStereo.STEREOANY for bond in mol.GetBonds())
