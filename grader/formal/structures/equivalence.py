"""Whether two structures are the same chemical object under the options of a check.

Three outcomes. ``DIFFERENT`` is said only where the constitution or a stereo
mark that RDKit writes reliably differs; where a toolkit can't hold the
distinction, or only a convention of drawing separates the two, the answer is
``UNSURE``. Canonical SMILES are not believed alone: in symmetric rings and cages
they depend on where they start.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from rdkit import Chem, rdBase

from grader.formal.structures.comparison import Comparison, Relation, best
from grader.formal.structures.inchi import inchi_of
from grader.formal.structures.metal_bonds import same_complex
from grader.formal.structures.quick import quick_structures
from grader.formal.structures.skeleton import electron_count, skeleton_key
from grader.formal.structures.standardise import has_metal, neutralise, standardise
from grader.formal.structures.structure import Structure
from grader.formal.structures.tautomers import same_by_proton_shift
from grader.formal.structures.unchecked import compare_unchecked
from grader.problem.checks import StructureModel

NUMBERINGS = 5
"""Atom orders in which a canonical SMILES must come out alike to be believed."""


_GENERIC = re.compile(r"(?:R|Ar|L|Nu|X|M|E|Y|Z)(?:\d{0,2}|'{0,3}|[a-z])")


def compare(expected: Structure, found: Structure, options: StructureModel) -> Comparison:
    """Compare two structures under the options of a check; never raises."""
    return quick_structures(expected, found, options) or _compare_at_length(expected, found, options)


def _compare_at_length(expected: Structure, found: Structure, options: StructureModel) -> Comparison:
    if not (expected.sound and found.sound):
        return compare_unchecked(expected, found, options)
    labels = [label for _, label in (*expected.labels, *found.labels)]
    with rdBase.BlockLogs():
        try:
            pairs = [
                (a, b)
                for a in standardise(expected, options, labels)
                for b in standardise(found, options, labels)
            ]
            outcomes = [_compare_forms(a, b, _Marks.of(expected, found), options) for a, b in pairs]
        except (RuntimeError, ValueError):
            return Comparison(Relation.UNSURE, "RDKit can't bring both to one form")
    outcome = best(outcomes)
    if outcome.relation == Relation.DIFFERENT and (abbreviation := _unshared_abbreviation(expected, found)):
        if _rings_differ(expected, found):
            return Comparison(Relation.DIFFERENT, "Cp is not Cp*")
        return Comparison(Relation.UNSURE, f"{abbreviation} may stand for what the other writes out")
    return outcome


def _rings_differ(expected: Structure, found: Structure) -> bool:
    """Whether both abbreviate a cyclopentadienyl ring, and only that in another way."""
    ours, theirs = ({label for _, label in structure.labels} for structure in (expected, found))
    return {frozenset(ours - theirs), frozenset(theirs - ours)} == {frozenset(["Cp"]), frozenset(["Cp*"])}


def _unshared_abbreviation(expected: Structure, found: Structure) -> str | None:
    """A label on one side only that names a definite group (``[dipp]``), unlike R or Ar."""
    ours, theirs = ({label for _, label in structure.labels} for structure in (expected, found))
    return next((label for label in sorted(ours ^ theirs) if not _GENERIC.fullmatch(label)), None)


@dataclass(frozen=True, slots=True)
class _Marks:
    """What reading said of the stereo marks of both texts."""

    lost: str
    same_text: bool

    @classmethod
    def of(cls, expected: Structure, found: Structure) -> _Marks:
        return cls(expected.lost or found.lost, expected.text == found.text)


def _compare_forms(a: Chem.Mol, b: Chem.Mol, marks: _Marks, options: StructureModel) -> Comparison:
    if flat_key(a) == flat_key(b):
        return _compare_stereo(a, b, marks, options)
    return _compare_drawings(a, b, options)


def flat_key(mol: Chem.Mol) -> str:
    """The canonical SMILES of the constitution: isotopes and dummies count, stereo doesn't."""
    flat = Chem.RWMol(mol)
    flat.SetStereoGroups([])
    Chem.RemoveStereochemistry(flat)
    return str(Chem.MolToSmiles(flat))


def _compare_drawings(a: Chem.Mol, b: Chem.Mol, options: StructureModel) -> Comparison:
    """Two different graphs: one thing where only electrons, protons or metal bonds are drawn otherwise."""
    if has_metal(a) or has_metal(b):
        return _compare_complexes(a, b, options)
    if electron_count(a)[0] == electron_count(b)[0] and skeleton_key(a) == skeleton_key(b):
        return _compare_resonance(a, b, options)
    if options.tautomers == "same":
        return _compare_tautomers(a, b, options)
    return _different(a, b)


def _different(a: Chem.Mol, b: Chem.Mol) -> Comparison:
    if neutralise_key(a) == neutralise_key(b):
        return Comparison(Relation.DIFFERENT, "it is another protonation state")
    if _same_when_closed(a, b):
        return Comparison(Relation.UNSURE, "it is the same chain cut at another bond")
    return Comparison(Relation.DIFFERENT, "the constitution differs")


def neutralise_key(mol: Chem.Mol) -> str:
    """The constitution with charges taken off by protons."""
    return flat_key(neutralise(mol))


def _same_when_closed(a: Chem.Mol, b: Chem.Mol) -> bool:
    """Whether two repeat units become one ring when their two attachment points are joined."""
    rings = (_closed(a), _closed(b))
    return rings[0] is not None and rings[0] == rings[1]


def _closed(mol: Chem.Mol) -> str | None:
    dummies = [atom for atom in mol.GetAtoms() if atom.GetAtomicNum() == 118 and atom.GetDegree() == 1]
    if len(dummies) != 2 or len(Chem.GetMolFrags(mol)) != 1:
        return None
    ends = [dummy.GetNeighbors()[0].GetIdx() for dummy in dummies]
    ring = Chem.RWMol(mol)
    if ends[0] == ends[1] or ring.GetBondBetweenAtoms(*ends) is not None:
        return None
    ring.AddBond(ends[0], ends[1], Chem.BondType.SINGLE)
    for index in sorted((dummy.GetIdx() for dummy in dummies), reverse=True):
        ring.RemoveAtom(index)
    Chem.SanitizeMol(ring)
    return flat_key(ring.GetMol())


def _compare_complexes(a: Chem.Mol, b: Chem.Mol, options: StructureModel) -> Comparison:
    same = same_complex(a, b)
    if same is False:
        return Comparison(Relation.DIFFERENT, "the complex is another one")
    if same is None:
        return Comparison(
            Relation.UNSURE, "the drawings of the metal's bonds can't be told apart from other bonding"
        )
    if options.metal_bonds == "any":
        return _compare_skeleton_stereo(a, b, options, "the same complex in another drawing")
    if "metal_bonds" in options.model_fields_set:
        return Comparison(Relation.DIFFERENT, "the metal's bonds are drawn otherwise")
    return Comparison(
        Relation.UNSURE, "only the drawing of the metal's bonds differs, and the check makes no choice"
    )


def _compare_resonance(a: Chem.Mol, b: Chem.Mol, options: StructureModel) -> Comparison:
    """Two graphs of one skeleton: the same ion where heteroatoms carry the charges in both, else open.

    Which resonance form is meant can be the very question (an enolate on carbon
    or oxygen, the dipolar form of an amide), and bond-shift isomers of an
    annulene differ like two drawings of a porphyrin.
    """
    if electron_count(a) != electron_count(b):
        return Comparison(Relation.UNSURE, "unpaired electrons are drawn otherwise in the same skeleton")
    charges = [_charges(mol) for mol in (a, b)]
    if sorted(charges[0].values()) != sorted(charges[1].values()) or not all(map(_on_heteroatoms, charges)):
        return Comparison(Relation.UNSURE, "the electrons are placed otherwise in the same skeleton")
    return _compare_skeleton_stereo(a, b, options, "another resonance form of the same structure")


def _charges(mol: Chem.Mol) -> dict[tuple[str, int], int]:
    """Formal charges by symbol and atom index."""
    return {(a.GetSymbol(), a.GetIdx()): a.GetFormalCharge() for a in mol.GetAtoms() if a.GetFormalCharge()}


def _on_heteroatoms(charges: dict[tuple[str, int], int]) -> bool:
    return bool(charges) and all(symbol != "C" for symbol, _ in charges)


def _compare_skeleton_stereo(a: Chem.Mol, b: Chem.Mol, options: StructureModel, same: str) -> Comparison:
    """Stereo of two graphs alike only without bond orders: tetrahedral marks compare, E/Z can't."""
    if options.stereo == "ignore" or not (_has_marks(a) or _has_marks(b)):
        return Comparison(Relation.SAME, f"it is {same}")
    if any(mol.GetStereoGroups() or _has_bond_marks(mol) for mol in (a, b)):
        return Comparison(Relation.UNSURE, f"it is {same}, but its stereo marks can't be carried over")
    keys = {skeleton_key(b, stereo=True)}
    if options.stereo == "relative":
        keys.add(skeleton_key(mirrored(b), stereo=True))
    if skeleton_key(a, stereo=True) in keys:
        return Comparison(Relation.SAME, f"it is {same}")
    return Comparison(Relation.DIFFERENT, f"it is {same}, but the configuration differs")


def _compare_tautomers(a: Chem.Mol, b: Chem.Mol, options: StructureModel) -> Comparison:
    same = same_by_proton_shift(a, b, stereo=options.stereo != "ignore")
    if same is None:
        return Comparison(Relation.UNSURE, "whether it is a tautomer can't be told for certain")
    if same:
        return Comparison(Relation.SAME, "it is a tautomer of the expected structure")
    return _different(a, b)


def _compare_stereo(a: Chem.Mol, b: Chem.Mol, marks: _Marks, options: StructureModel) -> Comparison:
    """The configuration of two structures of one constitution."""
    if options.stereo == "ignore":
        return Comparison(Relation.SAME, "the constitution agrees and stereo doesn't count")
    if marks.same_text:
        return Comparison(Relation.SAME, "it is written exactly so")
    if marks.lost:
        return Comparison(Relation.UNSURE, f"{marks.lost} can't be compared")
    if options.stereo == "enhanced" or a.GetStereoGroups() or b.GetStereoGroups():
        return _compare_groups(a, b, options)
    if options.stereo == "relative" and _agree(a, mirrored(b)) is True:
        return Comparison(Relation.SAME, "it is the mirror image, and only relative configuration counts")
    return _stereo_outcome(_agree(a, b), a, b)


def _stereo_outcome(same: bool | None, a: Chem.Mol, b: Chem.Mol) -> Comparison:
    if same is None:
        return Comparison(Relation.UNSURE, "its stereo marks don't come out in one canonical form")
    if same:
        return Comparison(Relation.SAME, "constitution and configuration agree")
    if _has_marks(a) and not _has_marks(b):
        return Comparison(Relation.DIFFERENT, "the constitution agrees but its stereo marks are missing")
    if _has_marks(b) and not _has_marks(a):
        return Comparison(Relation.DIFFERENT, "it has stereo marks where none are expected")
    return Comparison(Relation.DIFFERENT, "the constitution agrees but the configuration differs")


def _agree(a: Chem.Mol, b: Chem.Mol) -> bool | None:
    """Whether configuration agrees; None where that can't be told for certain.

    A mapping of one graph onto the other that keeps every mark proves that it
    does. That there is none proves the contrary only where the marks come out
    in one canonical form, or where the InChIs differ too.
    """
    if a.HasSubstructMatch(b, useChirality=True) and b.HasSubstructMatch(a, useChirality=True):
        return True
    keys = _stable_key(a), _stable_key(b)
    if None not in keys and keys[0] != keys[1]:
        return False
    inchis = inchi_of(a), inchi_of(b)
    return False if all(inchis) and inchis[0] != inchis[1] else None


def _stable_key(mol: Chem.Mol) -> str | None:
    """The canonical isomeric SMILES, or None where it depends on the order of the atoms."""
    first = str(Chem.MolToSmiles(mol))
    if not _has_marks(mol):
        return first
    orders = random.Random(0)
    for _ in range(NUMBERINGS):
        order = list(range(mol.GetNumAtoms()))
        orders.shuffle(order)
        again = Chem.MolFromSmiles(Chem.MolToSmiles(Chem.RenumberAtoms(mol, order), canonical=False))
        if again is None or Chem.MolToSmiles(again) != first:
            return None
    return first


def mirrored(mol: Chem.Mol) -> Chem.Mol:
    """The mirror image: every tetrahedral mark inverted."""
    mirror = Chem.Mol(mol)
    for atom in mirror.GetAtoms():
        atom.InvertChirality()
    Chem.AssignStereochemistry(mirror, cleanIt=True, force=True)
    return mirror


def _has_marks(mol: Chem.Mol) -> bool:
    return _has_bond_marks(mol) or _has_centre_marks(mol)


def _has_centre_marks(mol: Chem.Mol) -> bool:
    return any(atom.GetChiralTag() != Chem.ChiralType.CHI_UNSPECIFIED for atom in mol.GetAtoms())


def _has_bond_marks(mol: Chem.Mol) -> bool:
    return any(bond.GetStereo() > Chem.BondStereo.STEREOANY for bond in mol.GetBonds())


def _compare_groups(a: Chem.Mol, b: Chem.Mol, options: StructureModel) -> Comparison:
    """Configuration with groups: AND is a mixture, OR one of two, ABS as drawn."""
    if options.stereo == "relative" and _one_group(a) and _one_group(b):
        same = any(
            _group_key(x) == _group_key(a, drop=True) for x in (mol_without(b), mirrored(mol_without(b)))
        )
        return _stereo_outcome(same, a, b)
    if options.stereo != "enhanced" and _has_marks(a) != _has_marks(b):
        return Comparison(Relation.UNSURE, "a mixture stands against a structure without stereo marks")
    keys = _group_key(a), _group_key(b)
    if None in keys:
        return Comparison(Relation.UNSURE, "its stereo groups don't come out in one canonical form")
    if keys[0] == keys[1]:
        return Comparison(Relation.SAME, "constitution and stereo groups agree")
    return Comparison(Relation.DIFFERENT, "the constitution agrees but the stereo groups or centres differ")


def mol_without(mol: Chem.Mol) -> Chem.Mol:
    """The molecule without its stereo groups."""
    editable = Chem.RWMol(mol)
    editable.SetStereoGroups([])
    return editable.GetMol()


def _one_group(mol: Chem.Mol) -> bool:
    """Whether all centres stand in one group, or in none: that says relative configuration only."""
    groups = mol.GetStereoGroups()
    centres = {a.GetIdx() for a in mol.GetAtoms() if a.GetChiralTag() != Chem.ChiralType.CHI_UNSPECIFIED}
    return not groups or (len(groups) == 1 and {a.GetIdx() for a in groups[0].GetAtoms()} == centres)


def _group_key(mol: Chem.Mol, drop: bool = False) -> str | None:
    """The canonical CXSMILES with stereo groups, ABS groups dropped; None where it is no fixed point."""
    first = _write_groups(mol_without(mol) if drop else _relative_groups(mol))
    again = _write_groups(Chem.MolFromSmiles(first))
    return first if first == again else None


def _relative_groups(mol: Chem.Mol) -> Chem.Mol:
    editable = Chem.RWMol(mol)
    groups = [
        Chem.CreateStereoGroup(group.GetGroupType(), editable, [atom.GetIdx() for atom in group.GetAtoms()])
        for group in mol.GetStereoGroups()
        if group.GetGroupType() != Chem.StereoGroupType.STEREO_ABSOLUTE
    ]
    editable.SetStereoGroups(groups)
    return editable.GetMol()


def _write_groups(mol: Chem.Mol) -> str:
    mol = Chem.Mol(mol)
    Chem.CanonicalizeEnhancedStereo(mol)
    fields = Chem.CXSmilesFields.CX_ENHANCEDSTEREO
    return str(Chem.MolToCXSmiles(mol, Chem.SmilesWriteParams(), fields))
