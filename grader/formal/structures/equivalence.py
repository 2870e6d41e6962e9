"""Whether two structures are the same chemical object under the options of a check.

Three outcomes. ``DIFFERENT`` is said only where the constitution or a stereo
mark that RDKit writes reliably differs; where a toolkit can't hold the
distinction, or only a convention of drawing separates the two, the answer is
``UNSURE``. Canonical SMILES are not believed alone: in symmetric rings and cages
they depend on where they start.
"""

from __future__ import annotations

import re

from rdkit import Chem, rdBase

from grader.formal.structures.comparison import Comparison, Relation, best
from grader.formal.structures.configuration import (
    compare_configuration,
    flat_key,
    has_bond_marks,
    has_marks,
    mirrored,
)
from grader.formal.structures.metal_bonds import same_complex
from grader.formal.structures.quick import quick_structures
from grader.formal.structures.skeleton import electron_count, skeleton_key
from grader.formal.structures.standardise import has_metal, neutralise, standardise
from grader.formal.structures.structure import Structure
from grader.formal.structures.tautomers import same_by_proton_shift
from grader.formal.structures.unchecked import compare_unchecked
from grader.problem.checks import StructureModel

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
            outcomes = [_compare_forms(a, b, expected, found, options) for a, b in pairs]
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


def _compare_forms(
    a: Chem.Mol, b: Chem.Mol, expected: Structure, found: Structure, options: StructureModel
) -> Comparison:
    if flat_key(a) == flat_key(b):
        return compare_configuration(a, b, expected, found, options)
    return _compare_drawings(a, b, options)


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
    if options.stereo == "ignore" or not (has_marks(a) or has_marks(b)):
        return Comparison(Relation.SAME, f"it is {same}")
    if any(mol.GetStereoGroups() or has_bond_marks(mol) for mol in (a, b)):
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
