"""Comparing InChIs and InChIKeys with each other and with structures, under the options of a check.

A standard InChI has one form for tautomers that share mobile hydrogens and
cuts the bonds of metals; where a check turns on such a thing it shows nothing.
InChIs are compared as texts first and as molecules where the texts differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rdkit import Chem, rdBase
from rdkit.Chem.EnumerateStereoisomers import EnumerateStereoisomers, StereoEnumerationOptions

from grader.formal.structures.comparison import Comparison, Relation
from grader.formal.structures.configuration import mirrored
from grader.formal.structures.equivalence import compare
from grader.formal.structures.inchi import (
    bare_layers,
    has_fixed_hydrogens,
    inchi_of,
    is_canonical,
    key_blocks,
    key_of,
    layers,
    read_inchi,
)
from grader.formal.structures.standardise import has_metal, neutralise
from grader.formal.structures.stereo_groups import mol_without
from grader.formal.structures.structure import Structure, Unreadable
from grader.problem.checks import StructureModel

MAX_ISOMERS = 64
"""So many stereoisomers are looked at to tell whether a key is that of one of them."""

_FLAT = "UHFFFAOYSA"
"""The second block of a key that has neither stereo nor isotopes."""
_MOBILE = re.compile(r"\(H\d*-?,")
_ACID = Chem.MolFromSmarts("[C,S,P](=O)[OX2H1,OX1-]")


def compare_inchis(expected: str, found: str, options: StructureModel) -> Comparison:
    """Compare two InChIs (as `spelled_inchi` spells them); never raises."""
    if layers(expected, options) == layers(found, options):
        return Comparison(Relation.SAME, "the layers that count agree")
    try:
        one, other = read_inchi(expected), read_inchi(found)
    except Unreadable as error:
        return Comparison(Relation.UNSURE, f"an InChI can't be read: {error}")
    if has_fixed_hydrogens(expected) != has_fixed_hydrogens(found) and (
        bare_layers(expected) == bare_layers(found)
    ):
        return _one_tautomer(one, inchi_of(one.mol))
    same_marks = layers(expected, options, skip="ms") == layers(found, options, skip="ms")
    if same_marks and (open_point := _racemic(expected, found)):
        return Comparison(Relation.DIFFERENT, open_point)
    return _verified(compare(one, other, options), expected, found, options)


def _one_tautomer(structure: Structure, standard: str) -> Comparison:
    """An InChI that fixes the hydrogens against one that doesn't, alike otherwise."""
    if _has_tautomers(structure.mol, standard):
        return Comparison(Relation.UNSURE, "a standard InChI doesn't tell its tautomers apart")
    return Comparison(Relation.SAME, "the layers agree but for hydrogens that have one place only")


def _racemic(expected: str, found: str) -> str:
    """What the other says of the configuration where one InChI says which mirror image is meant."""
    kinds = ["".join(re.findall(r"/s([123.]+)", text)) for text in (expected, found)]
    if kinds[0] == kinds[1]:
        return ""
    return "one says which mirror image is meant, the other doesn't"


def _verified(outcome: Comparison, expected: str, found: str, options: StructureModel) -> Comparison:
    """The outcome for two InChIs as molecules, believed where reading and writing them leads back."""
    if outcome.relation is Relation.SAME:
        if is_canonical(found) or _standard_form(found) == bare_layers(expected) or not _marked(found):
            return outcome
        return Comparison(Relation.UNSURE, "its parities are those of no canonical InChI")
    stereo_only = layers(expected, options, skip="btms") == layers(found, options, skip="btms")
    if outcome.relation is Relation.DIFFERENT and stereo_only:
        settled = is_canonical(expected) and (is_canonical(found) or _returns(found))
        if not settled:
            return Comparison(Relation.UNSURE, "its stereo layers come out otherwise when read and written")
    return outcome


def _standard_form(text: str) -> tuple[str, ...]:
    return bare_layers(inchi_of(read_inchi(text).mol))


def _marked(text: str) -> bool:
    return re.search(r"/[bt]", text) is not None


def _returns(text: str) -> bool:
    """Whether the InChI that a text is read as is canonical itself."""
    again = inchi_of(read_inchi(text).mol)
    return bool(again) and is_canonical(again)


def compare_structure(expected: Structure, found: str, options: StructureModel) -> Comparison:
    """Compare an InChI or a key with an expected structure that was written as SMILES."""
    own = inchi_of(expected.mol)
    if not own or has_metal(expected.mol) or expected.labels or expected.mol.GetStereoGroups():
        return Comparison(Relation.UNSURE, "an InChI can't hold what the check asks for")
    if expected.lost and options.stereo != "ignore":
        return Comparison(Relation.UNSURE, f"an InChI doesn't hold {expected.lost}")
    if key_blocks(found) is not None:
        return _tautomer_aware(compare_keys(own, found, options), expected, own, options)
    if has_fixed_hydrogens(found):
        return Comparison(Relation.UNSURE, "it is no standard InChI")
    try:
        outcome = compare(expected, read_inchi(found), options)
    except Unreadable as error:
        return Comparison(Relation.UNSURE, f"the InChI can't be read: {error}")
    if bare_layers(found) == bare_layers(own) and outcome.relation is not Relation.SAME:
        return Comparison(Relation.UNSURE, "its InChI is that of the expected structure and a tautomer")
    return _tautomer_aware(outcome, expected, own, options)


def compare_written(expected: str, found: Structure, options: StructureModel) -> Comparison:
    """Compare a structure written as SMILES or a name with an expected InChI or key."""
    own = inchi_of(found.mol)
    if not own or found.labels or found.mol.GetStereoGroups():
        return Comparison(Relation.UNSURE, "an InChI can't hold what the answer writes")
    if found.lost and options.stereo != "ignore":
        return Comparison(Relation.UNSURE, f"an InChI doesn't hold {found.lost}")
    if has_metal(found.mol):
        return Comparison(Relation.UNSURE, "an InChI cuts the bonds of metals")
    blocks = key_blocks(expected)
    outcome = (
        compare_inchis(expected, own, options) if blocks is None else compare_keys(expected, own, options)
    )
    return _tautomer_aware(outcome, found, own, options)


def _tautomer_aware(
    outcome: Comparison, structure: Structure, own: str, options: StructureModel
) -> Comparison:
    """The outcome, open where the check tells tautomers apart that share the InChI."""
    distinct = outcome.relation is Relation.SAME and options.tautomers == "distinct"
    if distinct and _has_tautomers(structure.mol, own):
        return Comparison(Relation.UNSURE, "an InChI doesn't tell its tautomers apart")
    return outcome


def _has_tautomers(mol: Chem.Mol, own: str) -> bool:
    """Whether an InChI has mobile hydrogens other than those of acids, which have one form only."""
    return len(_MOBILE.findall(own)) > len(mol.GetSubstructMatches(_ACID))


def holds_in_inchi(mol: Chem.Mol) -> bool:
    """Whether the InChI of a molecule leads back to it, and names no tautomer or metal with it."""
    own = inchi_of(mol)
    if not own or has_metal(mol) or mol.GetStereoGroups() or _has_tautomers(mol, own):
        return False
    try:
        again = read_inchi(own).mol
    except Unreadable:
        return False
    return bool(Chem.MolToSmiles(again) == Chem.MolToSmiles(mol))


def compare_keys(expected: str, found: str, options: StructureModel, match: str = "full") -> Comparison:
    """Compare an InChIKey or the key of an InChI with another; one of both is a key.

    ``match``: ``full``, or ``first_block`` for the skeleton alone.
    """
    ours, theirs = _blocks(expected), _blocks(found)
    if ours is None or theirs is None:
        return Comparison(Relation.UNSURE, "there is no key to compare")
    if match == "first_block":
        same = ours[0] == theirs[0]
        return Comparison(
            Relation.SAME if same else Relation.DIFFERENT,
            "the first block agrees" if same else f"the first block isn't {ours[0]}",
        )
    if ours == theirs:
        return Comparison(Relation.SAME, "the InChIKey agrees")
    return _compare_blocks(ours, theirs, options) or _by_isomers(expected, found, ours, theirs, options)


Blocks = tuple[str, str, str]


def _blocks(text: str) -> Blocks | None:
    return key_blocks(text) or key_blocks(key_of(text))


def _compare_blocks(ours: Blocks, theirs: Blocks, options: StructureModel) -> Comparison | None:
    """What two different keys show by themselves: the skeleton, or one that is cut short."""
    exact = (options.stereo, options.isotopes, options.salts) == ("exact", "exact", "exact")
    fixed = options.tautomers != "same" and options.charge_state != "neutralise"
    same_skeleton = options.salts == "exact" and fixed
    if ours[0] != theirs[0] and same_skeleton:
        return Comparison(Relation.DIFFERENT, f"the first block of the InChIKey isn't {ours[0]}")
    cut = [one == other for one, other in zip(ours, theirs, strict=True) if one and other]
    if all(cut):
        return Comparison(Relation.UNSURE, "the key is cut short")
    if ours[1][8:9] != theirs[1][8:9] and ours[1] and theirs[1]:
        return Comparison(Relation.UNSURE, "one of the keys is none of a standard InChI")
    if exact and fixed:
        return Comparison(Relation.DIFFERENT, f"the InChIKey isn't {'-'.join(ours)}")
    if options.stereo == "ignore" and theirs == (ours[0], _FLAT, ours[2]):
        return Comparison(Relation.SAME, "the InChIKey is that without stereo")
    return None


def _by_isomers(
    expected: str, found: str, ours: Blocks, theirs: Blocks, options: StructureModel
) -> Comparison:
    """Two different keys, one of which has a known structure: is the other that of a form that counts?"""
    known, other = (expected, theirs) if key_blocks(expected) is None else (found, ours)
    unsure = Comparison(Relation.UNSURE, "the InChIKey differs, perhaps only where the check doesn't look")
    if key_blocks(known) is not None:
        return unsure
    try:
        forms = list(_forms(read_inchi(known).mol, options))
    except Unreadable:
        return unsure
    if any(key_blocks(key_of(inchi_of(form))) == other for form in forms):
        return Comparison(Relation.SAME, "the InChIKey agrees where the check looks")
    return unsure


def _forms(mol: Chem.Mol, options: StructureModel) -> Iterator[Chem.Mol]:
    """The molecule, and what differs from it only where the check doesn't look."""
    bases = [mol]
    with rdBase.BlockLogs():
        if options.isotopes == "ignore":
            plain = Chem.Mol(mol)
            for atom in plain.GetAtoms():
                atom.SetIsotope(0)
            bases.append(Chem.RemoveHs(plain))
        if options.charge_state == "neutralise":
            bases += [neutralise(one) for one in bases]
        for base in bases:
            yield base
            if options.stereo == "relative":
                yield mirrored(base)
            if options.stereo == "ignore":
                yield from _isomers(base)


def _isomers(mol: Chem.Mol) -> Iterator[Chem.Mol]:
    flat = mol_without(mol)
    Chem.RemoveStereochemistry(flat)
    yield flat
    yield from EnumerateStereoisomers(flat, StereoEnumerationOptions(maxIsomers=MAX_ISOMERS))
