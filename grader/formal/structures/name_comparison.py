"""Whether what a name means is the expected structure: a name says less than a drawing.

It doesn't say how a metal's bonds are drawn, on which nitrogen of an azole the
hydrogen sits, whether the acid of a hydrochloride is drawn as an ion pair, or
whether a sugar is a ring; a trivial name may imply a configuration that
nobody wrote down. None of this makes a name wrong.
"""

from __future__ import annotations

import re

from rdkit import Chem, rdBase
from rdkit.Chem.rdMolDescriptors import CalcMolFormula

from grader.formal.structures.ambiguity import only_relative, open_ring, says_configuration
from grader.formal.structures.comparison import Comparison, Relation
from grader.formal.structures.configuration import flat_key
from grader.formal.structures.equivalence import compare, neutralise_key
from grader.formal.structures.standardise import has_metal, is_counter_ion_of
from grader.formal.structures.structure import Structure
from grader.problem.checks import NameCheck, StructureModel


def compare_name(expected: Structure, name: str, found: Structure, options: StructureModel) -> Comparison:
    """Compare what a name means with the expected structure under the options of a check; never raises."""
    outcome = _compare(expected, found, options)
    if outcome.relation is not Relation.DIFFERENT:
        return outcome
    if _is_flat(expected) and not says_configuration(name) and _alike_flat(expected, found):
        return Comparison(Relation.SAME, "constitution agrees, and the name says no configuration")
    if only_relative(name) and (relative := _relative(expected, found, options)):
        return relative
    with rdBase.BlockLogs():
        return _by_convention(expected, name, found, options) or outcome


def _compare(expected: Structure, found: Structure, options: StructureModel) -> Comparison:
    if "metal_bonds" in options.model_fields_set or not (has_metal(expected.mol) or has_metal(found.mol)):
        return compare(expected, found, options)
    return compare(expected, found, options.model_copy(update={"metal_bonds": "any"}))


def _is_flat(structure: Structure) -> bool:
    return "@" not in structure.text and "/" not in structure.text and "\\" not in structure.text


def _alike_flat(a: Structure, b: Structure) -> bool:
    return flat_key(a.mol) == flat_key(b.mol)


def _relative(expected: Structure, found: Structure, options: StructureModel) -> Comparison | None:
    """The outcome where a name gives the right diastereomer and does not say which mirror image."""
    loose = options.model_copy(update={"stereo": "relative"})
    if options.stereo != "exact" or compare(expected, found, loose).relation is not Relation.SAME:
        return None
    if expected.mol.GetStereoGroups():
        return Comparison(Relation.SAME, "constitution and relative configuration agree")
    if isinstance(options, NameCheck):
        return None
    return Comparison(Relation.UNSURE, "the name gives only the relative configuration")


_INDICATED = re.compile(r"[0-9]H(?![a-z])")


def _by_convention(
    expected: Structure, name: str, found: Structure, options: StructureModel
) -> Comparison | None:
    """What a convention of names makes of two different structures."""
    shifted = flat_key(expected.mol) != flat_key(found.mol) and not _INDICATED.search(name)
    if shifted and _azole_key(expected.mol, options) == _azole_key(found.mol, options):
        if not re.search("[0-9]", name):
            return Comparison(Relation.SAME, "the name does not say which nitrogen bears the hydrogen")
        if options.tautomers is None:
            return Comparison(Relation.UNSURE, "only the place of a mobile hydrogen differs")
    if _is_salt(expected.mol, found.mol) and _same_neutral(expected, found, options):
        return Comparison(Relation.SAME, "it is the same salt, drawn as acid and base")
    if open_ring(name) and _has_ring(expected.mol) and _same_composition(expected.mol, found.mol):
        return Comparison(Relation.UNSURE, "the name does not say in which form the sugar is")
    return None


def _azole_key(mol: Chem.Mol, options: StructureModel) -> str:
    """The structure without the hydrogens on aromatic nitrogen."""
    bare = Chem.RWMol(mol)
    if options.stereo == "ignore":
        Chem.RemoveStereochemistry(bare)
    for atom in bare.GetAtoms():
        if atom.GetIsAromatic() and atom.GetAtomicNum() == 7:
            atom.SetNumExplicitHs(0)
            atom.SetNoImplicit(True)
    return f"{Chem.MolToSmiles(bare)} {_hydrogens(mol)}"


def _hydrogens(mol: Chem.Mol) -> int:
    return sum(atom.GetTotalNumHs() for atom in mol.GetAtoms())


def _is_salt(a: Chem.Mol, b: Chem.Mol) -> bool:
    return len(Chem.GetMolFrags(a)) > 1 and len(Chem.GetMolFrags(a)) == len(Chem.GetMolFrags(b))


def _same_neutral(expected: Structure, found: Structure, options: StructureModel) -> bool:
    if Chem.GetFormalCharge(expected.mol) != Chem.GetFormalCharge(found.mol):
        return False
    if neutralise_key(expected.mol) != neutralise_key(found.mol):
        return False
    neutral = options.model_copy(update={"charge_state": "neutralise"})
    return compare(expected, found, neutral).relation is Relation.SAME


def _has_ring(mol: Chem.Mol) -> bool:
    return bool(mol.GetRingInfo().NumRings())


def _same_composition(a: Chem.Mol, b: Chem.Mol) -> bool:
    return bool(CalcMolFormula(a) == CalcMolFormula(b))


def contradicts(written: Structure, name: str, meant: Structure) -> bool:
    """Whether a name beside a structure means another compound; without stereo marks it only says less."""
    loose = StructureModel(
        kind="smiles",
        stereo="ignore",
        tautomers="same",
        charge_state="neutralise",
        isotopes="ignore",
        salts="strip",
        metal_bonds="any",
    )
    if compare_name(written, name, meant, loose).relation is Relation.DIFFERENT:
        return not is_counter_ion_of(meant.mol, written.mol)
    if _is_flat(written) or not says_configuration(name):
        return False
    strict = loose.model_copy(update={"stereo": "relative" if meant.mol.GetStereoGroups() else "exact"})
    return compare(written, meant, strict).relation is Relation.DIFFERENT and _marks(written) == _marks(meant)


def _marks(structure: Structure) -> int:
    mol = structure.mol
    centres = sum(atom.GetChiralTag() != Chem.ChiralType.CHI_UNSPECIFIED for atom in mol.GetAtoms())
    return int(centres + sum(bond.GetStereo() > Chem.BondStereo.STEREOANY for bond in mol.GetBonds()))
