"""Comparing structures whose valences RDKit refuses: equal graphs are the same, other ones decide nothing."""

from __future__ import annotations

import re

from rdkit import Chem, rdBase

from grader.formal.structures.comparison import Comparison, Relation
from grader.formal.structures.marks import overlay
from grader.formal.structures.standardise import labelled
from grader.formal.structures.structure import DUMMY, Structure
from grader.problem.checks import StructureModel


def compare_unchecked(expected: Structure, found: Structure, options: StructureModel) -> Comparison:
    """Compare two structures at least one of which isn't sound; never says that they differ."""
    if expected.text == found.text:
        return Comparison(Relation.SAME, "it is written exactly so")
    unsure = Comparison(Relation.UNSURE, "its valences are none that RDKit allows")
    if expected.sound or found.sound:
        return unsure
    names = sorted({label for _, label in (*expected.labels, *found.labels)})
    with rdBase.BlockLogs():
        a, b = (_form(one, names, options) for one in (expected, found))
        if _flat(a) != _flat(b):
            return unsure
        if options.stereo == "ignore":
            return Comparison(Relation.SAME, "the graphs agree and stereo doesn't count")
        kept = all(_keeps_marks(one) for one in (expected, found))
        if expected.lost or found.lost or not kept or not overlay(a, b):
            return unsure
    return Comparison(Relation.SAME, "the graphs agree, though RDKit allows no such valence")


def _form(structure: Structure, names: list[str], options: StructureModel) -> Chem.Mol:
    """The molecule with the labels of both; all its hydrogens are atoms, so that brackets say nothing."""
    mol = labelled(structure, names).GetMol()
    for atom in mol.GetAtoms():
        atom.SetNoImplicit(True)
        atom.SetNumRadicalElectrons(0)
        if options.isotopes == "ignore" and atom.GetAtomicNum() != DUMMY:
            atom.SetIsotope(0)
    mol.UpdatePropertyCache(False)
    return mol


def _flat(mol: Chem.Mol) -> str:
    flat = Chem.Mol(mol)
    Chem.RemoveStereochemistry(flat)
    return str(Chem.MolToSmiles(flat))


def _keeps_marks(structure: Structure) -> bool:
    """Whether the molecule has every stereo mark of its text."""
    centres = sum(a.GetChiralTag() != Chem.ChiralType.CHI_UNSPECIFIED for a in structure.mol.GetAtoms())
    bonds = sum(bond.GetStereo() > Chem.BondStereo.STEREOANY for bond in structure.mol.GetBonds())
    marked = len(re.findall(r"\[[^\[\]@]*@+[^\[\]]*\]", structure.text))
    return centres >= marked and (bonds > 0 or not re.search(r"[/\\]", structure.text))
