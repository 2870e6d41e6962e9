"""Structures written otherwise, and structures that differ from one by a single edit.

The edits are those of authors' proofs (``grader.formal.variants``); here each is
asserted anew from the two texts alone, as whoever reads the answer will read them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from grader.audit.metamorphic.entities import canonical
from grader.audit.metamorphic.kind import Edit, Edits, Place, Unfit
from grader.formal.structures.inchi import inchi_of, read_inchi
from grader.formal.structures.inchi_comparison import holds_in_inchi
from grader.formal.structures.standardise import is_metal
from grader.formal.structures.structure import Structure, Unreadable, read_structure
from grader.formal.variants.structure_edits import formula, near_misses, proved_different
from grader.formal.variants.structures import spelled

DRAWS = 12
"""How often a lot is drawn again: a random SMILES can equal the text, a centre can be one of a meso form."""
_CALLED_SMILES = re.compile(r"SMILES[^\n]{0,40}$", re.I)


def whole(structure: Structure) -> Structure:
    """The structure, where RDKit holds all of it; Unfit for labels, lost marks, metals and stereo groups."""
    if structure.lost or structure.labels or not structure.sound:
        raise Unfit("RDKit doesn't hold all of the structure")
    if structure.mol.GetStereoGroups():
        raise Unfit("the structure is of a group of stereoisomers")
    if any(is_metal(atom) and atom.GetDegree() for atom in structure.mol.GetAtoms()):
        raise Unfit("the structure has a bond to a metal, which is drawn in several ways")
    return structure


# Invariance


def respelled(how: str, absent: str) -> Edits:
    """Edits that write the molecule as one of the spellings of ``variants.equivalents``."""

    def edits(place: Place) -> Iterator[Edit]:
        structure = whole(place.entity.value)
        why, fit = "each way of writing the structure so is the answer's own", False
        for _ in range(DRAWS):
            text = spelled(structure.mol, how, place.seed())
            if text is None:
                raise Unfit(absent)
            if text == place.entity.text:
                continue
            try:
                _assert_same(structure, read_structure(text))
            except Unfit as unfit:  # in symmetric rings RDKit may write another stereoisomer
                why = str(unfit)
                continue
            fit = True
            yield Edit(text, f"{place.entity.text}: {how}")
        if not fit:
            raise Unfit(why)

    return edits


def salt_order(place: Place) -> Iterator[Edit]:
    """The parts of a salt or solvate in another order."""
    structure = whole(place.entity.value)
    parts = place.entity.text.split(".")
    if len(parts) < 2:
        raise Unfit("the structure has one part")
    if len(set(parts)) < 2:
        raise Unfit("the parts of the structure are equal")
    for _ in range(DRAWS):
        shuffled = place.chance.sample(parts, len(parts))
        if shuffled == parts:
            continue
        text = ".".join(shuffled)
        _assert_same(structure, read_structure(text))
        yield Edit(text, f"{place.entity.text}: its parts in another order")


def as_inchi(place: Place) -> Iterator[Edit]:
    """The InChI in the place of the SMILES, where it leads back to the molecule and to no other."""
    structure = whole(place.entity.value)
    if _CALLED_SMILES.search(place.raw, max(0, place.entity.start - 60), place.entity.start):
        raise Unfit("the answer calls the text SMILES")
    if not holds_in_inchi(structure.mol):
        raise Unfit("InChI can't hold the structure: a tautomer, a salt form or a stereo element")
    text = inchi_of(structure.mol)
    _assert_same(structure, read_inchi(text))
    yield Edit(text, f"{place.entity.text}: as InChI")


def _assert_same(structure: Structure, other: Structure) -> None:
    """Unfit unless canonical isomeric SMILES and InChI are equal, both read from what was written."""
    same = canonical(structure) == canonical(other) and inchi_of(structure.mol) == inchi_of(other.mol)
    if other.lost or not same:
        raise Unfit("the rewriting isn't proved to be the same molecule")


# Sensitivity


def edited(how: str, absent: str, proof: Callable[[Any, Any], bool]) -> Edits:
    """Edits that are one of ``variants.structure_edits``, each another molecule with the given relation."""

    def edits(place: Place) -> Iterator[Edit]:
        structure = whole(place.entity.value)
        seen: set[str] = set()
        why, fit = absent, False
        for _ in range(DRAWS):
            text = next((one.text for one in near_misses(structure.mol, place.seed(), how)), None)
            if text is None or text in seen:
                continue
            seen.add(text)
            try:
                assert_other(structure, text, proof)
            except Unfit as unfit:
                why = str(unfit)
                continue
            fit = True
            yield Edit(text, f"{place.entity.text}: {how}, {text}", how=how)
        if not fit:
            raise Unfit(why)

    return edits


def assert_other(structure: Structure, text: str, proof: Callable[[Any, Any], bool]) -> None:
    """Unfit unless a SMILES is another molecule in that relation.

    Canonical isomeric SMILES differ; where the formulas agree, InChIs do too.
    """
    try:
        other = read_structure(text)
    except Unreadable:
        raise Unfit("the edited structure can't be read") from None
    differ = canonical(structure) != canonical(other) and proved_different(structure.mol, text)
    if other.lost or not differ:
        raise Unfit("the edited structure isn't proved to be another molecule")
    if not proof(structure.mol, other.mol):
        raise Unfit("the edited structure doesn't differ in what the kind says")


def isomers(one: Any, two: Any) -> bool:
    """Whether two molecules have one formula, isotopes and charge included."""
    return formula(one) == formula(two)


def stereoisomers(one: Any, two: Any) -> bool:
    """Whether two molecules differ in configuration alone."""
    from rdkit import Chem

    flat = [Chem.MolToSmiles(mol, isomericSmiles=False) for mol in (one, two)]
    return flat[0] == flat[1] and isomers(one, two)


def differs_at_centres(one: Any, two: Any) -> bool:
    """Whether two molecules differ in the configuration of centres, as opposed to double bonds."""
    return stereoisomers(one, two) and _without_centres(one) == _without_centres(two)


def differs_at_bonds(one: Any, two: Any) -> bool:
    """Whether two molecules differ in the configuration of double bonds, as opposed to centres."""
    return stereoisomers(one, two) and _without_centres(one) != _without_centres(two)


def _without_centres(mol: Any) -> str:
    """The canonical SMILES with double bonds marked only."""
    from rdkit import Chem

    flat = Chem.Mol(mol)
    for atom in flat.GetAtoms():
        atom.SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
    return str(Chem.MolToSmiles(flat))


def homologues(by: int) -> Callable[[Any, Any], bool]:
    """Whether the second molecule has that many CH2 more."""

    def proof(one: Any, two: Any) -> bool:
        before, after = _composition(one), _composition(two)
        changed = {number: after[number] - before[number] for number in {*before, *after}}
        return {number: count for number, count in changed.items() if count} == {6: by, 1: 2 * by}

    return proof


def other_element(one: Any, two: Any) -> bool:
    """Whether two molecules have as many heavy atoms of other elements."""
    before, after = _composition(one), _composition(two)
    heavy = [sum(count for number, count in each.items() if number > 1) for each in (before, after)]
    return heavy[0] == heavy[1] and before != after


def other_charge(one: Any, two: Any) -> bool:
    """Whether two molecules have other charges."""
    from rdkit import Chem

    return bool(Chem.GetFormalCharge(one) != Chem.GetFormalCharge(two))


def _composition(mol: Any) -> Counter[int]:
    """How many atoms a molecule has of each atomic number."""
    counts = Counter[int]()
    for atom in mol.GetAtoms():
        counts[atom.GetAtomicNum()] += 1
        counts[1] += atom.GetTotalNumHs()
    return counts
