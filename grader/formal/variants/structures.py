"""Other ways of writing a structure, and structures close to it that are wrong.

Rewriting must never change a finding and another object always must, so a
near-miss is given out only where its formula differs, or else both its InChI
and its canonical SMILES: proofs that don't rest on the comparison they test.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from rdkit import Chem, rdBase

from grader.formal.structures.configuration import flat_key
from grader.formal.structures.inchi import inchi_of, read_inchi
from grader.formal.structures.inchi_comparison import holds_in_inchi
from grader.formal.structures.standardise import has_metal
from grader.formal.structures.structure import Unreadable, read_structure
from grader.formal.variants.structure_edits import STEREO, formula, near_misses, proved_different
from grader.formal.variants.variant import Variant
from grader.problem.checks import InchiCheck, SmilesCheck, StructureModel

__all__ = [
    "equivalent_inchis",
    "equivalent_structures",
    "equivalents",
    "near_inchis",
    "near_misses",
    "near_structures",
    "proved_different",
    "refused",
]

MOST_ATOMS = 40
"""Larger molecules aren't written with all their hydrogens."""


def equivalents(mol: Chem.Mol, seed: int = 0) -> Iterator[Variant]:
    """The molecule in other spellings, and as InChI where that holds all of it.

    In symmetric rings RDKit may write another stereoisomer, so a spelling is
    given out only where its InChI is that of the molecule.
    """
    chance = random.Random(seed)
    with rdBase.BlockLogs():
        own = inchi_of(mol)
        for how, spell in _SPELLINGS.items():
            text = spell(mol, chance)
            if text is not None and inchi_of(read_structure(text).mol) == own:
                yield Variant(text, how)
        if holds_in_inchi(mol):
            yield Variant(own, "InChI", "inchi")


def spelled(mol: Chem.Mol, how: str, seed: int = 0) -> str | None:
    """The molecule in one of the spellings of ``equivalents``, not proved yet; None where it has none."""
    with rdBase.BlockLogs():
        return _SPELLINGS[how](mol, random.Random(seed))


def _shuffled(mol: Chem.Mol, chance: random.Random) -> Chem.Mol:
    order = list(range(mol.GetNumAtoms()))
    chance.shuffle(order)
    return Chem.RenumberAtoms(mol, order)


def _written(mol: Chem.Mol, **how: bool) -> str:
    return str(Chem.MolToSmiles(mol, canonical=False, **how))


def _mapped(mol: Chem.Mol) -> Chem.Mol:
    for number, atom in enumerate(mol.GetAtoms(), 1):
        if atom.GetAtomicNum() > 1:
            atom.SetAtomMapNum(number)
    return mol


def _kekulised(mol: Chem.Mol) -> str | None:
    if not any(atom.GetIsAromatic() for atom in mol.GetAtoms()):
        return None
    kekule = Chem.Mol(mol)
    Chem.Kekulize(kekule, clearAromaticFlags=True)
    return _written(kekule, kekuleSmiles=True)


def _cxsmiles(mol: Chem.Mol) -> str:
    """The molecule with an extension that says nothing further: labels that are all empty."""
    smiles = _written(mol)
    if any(atom.GetAtomicNum() == 0 for atom in mol.GetAtoms()):
        return smiles
    return f"{smiles} |${';' * (mol.GetNumAtoms() - 1)}$|"


def _hydrogens(mol: Chem.Mol, chance: random.Random) -> str | None:
    if mol.GetNumAtoms() > MOST_ATOMS:
        return None
    return _written(_shuffled(Chem.AddHs(mol), chance))


_SPELLINGS: dict[str, Callable[[Chem.Mol, random.Random], str | None]] = {
    "canonical": lambda mol, _: str(Chem.MolToSmiles(mol)),
    "atoms in another order": lambda mol, chance: _written(_shuffled(mol, chance)),
    "all atoms in brackets": lambda mol, chance: _written(_shuffled(mol, chance), allHsExplicit=True),
    "atom maps": lambda mol, chance: _written(_mapped(_shuffled(mol, chance))),
    "single and double bonds alternate": lambda mol, chance: _kekulised(_shuffled(mol, chance)),
    "hydrogens written out": _hydrogens,
    "CXSMILES": lambda mol, chance: _cxsmiles(_shuffled(mol, chance)),
}


def equivalent_structures(check: SmilesCheck, seed: int = 0) -> Iterator[Variant]:
    """The expected structure of a smiles check in other spellings that the check accepts."""
    for variant in _of(check, check.expected, equivalents, seed):
        if not variant.notation or variant.notation in check.accept:
            yield Variant(f"`{variant.text}`", variant.how, variant.notation)


def near_structures(check: SmilesCheck, seed: int = 0) -> Iterator[Variant]:
    """Structures close to that of a smiles check that it must refuse under its options."""
    if check.accept and "smiles" not in check.accept:
        return
    for variant in _of(check, check.expected, near_misses, seed):
        other = read_structure(variant.text).mol
        if other.GetNumAtoms() > 1 and refused(check, read_structure(check.expected).mol, other, variant.how):
            yield Variant(f"`{variant.text}`", variant.how)


def _of(
    check: StructureModel, smiles: str, make: Callable[[Chem.Mol, int], Iterator[Variant]], seed: int
) -> Iterator[Variant]:
    """Variants of a structure that RDKit holds; none of others, or where groups of stereo matter."""
    try:
        structure = read_structure(smiles)
    except Unreadable:
        return
    plain = not (structure.lost or structure.labels or structure.mol.GetStereoGroups())
    if plain and not has_metal(structure.mol):
        yield from make(structure.mol, seed)


def refused(check: StructureModel, mol: Chem.Mol, other: Chem.Mol, how: str) -> bool:
    """Whether a near-miss, made in one way, differs in something that a check looks at."""
    if how in STEREO and check.stereo != "exact":
        return False
    if how == "another charge" and (check.charge_state == "neutralise" or check.salts == "strip"):
        return False
    if how == "an isotope" and check.isotopes == "ignore":
        return False
    if check.salts == "strip" and len(Chem.GetMolFrags(mol)) > 1:
        return False
    return check.stereo == "exact" or formula(mol) != formula(other) or flat_key(mol) != flat_key(other)


def equivalent_inchis(check: InchiCheck, seed: int = 0) -> Iterator[Variant]:
    """The expected InChI in other type."""
    if not _is_asked_as_inchi(check):
        return
    yield Variant(check.expected, "as it is")
    yield Variant(f"```\n{check.expected}\n```", "in a code block")
    if check.expected.startswith("InChI=1S/"):
        yield Variant(check.expected.removeprefix("InChI="), "without its prefix")


def _is_asked_as_inchi(check: InchiCheck) -> bool:
    accepted = not check.accept or "inchi" in check.accept
    return accepted and check.match == "full" and check.expected.startswith("InChI=")


def near_inchis(check: InchiCheck, seed: int = 0) -> Iterator[Variant]:
    """InChIs of structures close to the expected one."""
    if not _is_asked_as_inchi(check):
        return
    try:
        mol = read_structure(Chem.MolToSmiles(read_inchi(check.expected).mol)).mol
    except Unreadable:
        return
    if inchi_of(mol) != check.expected:
        return
    for variant in near_misses(mol, seed):
        other = read_structure(variant.text).mol
        text = inchi_of(other)
        if refused(check, mol, other, variant.how) and text not in ("", check.expected):
            yield Variant(text, variant.how)
