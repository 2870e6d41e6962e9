"""Structures that differ from one by a single edit, each proved to be another one."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from rdkit import Chem, rdBase
from rdkit.Chem.rdMolDescriptors import CalcMolFormula

from grader.formal.structures.inchi import inchi_of
from grader.formal.structures.structure import Unreadable, read_structure
from grader.formal.variants.variant import Variant

_SWAPPED = {6: 14, 7: 15, 8: 16, 9: 17, 16: 8, 17: 35, 35: 53, 53: 35}
"""Elements by one another's place in a near-miss."""
STEREO = frozenset(["one centre inverted", "one double bond turned"])
"""The edits that change configuration alone."""

Edit = Callable[[Chem.Mol, random.Random], Chem.RWMol | None]


def near_misses(mol: Chem.Mol, seed: int = 0, only: str | None = None) -> Iterator[Variant]:
    """Other molecules that differ by one edit, each proved different; ``only``: by this edit."""
    chance = random.Random(seed)
    seen: set[str] = set()
    for how, edit in _EDITS.items() if only is None else [(only, _EDITS[only])]:
        with rdBase.BlockLogs():
            edited = _edited(mol, edit, chance, sanitise=how not in STEREO)
        if edited is not None and edited not in seen and proved_different(mol, edited):
            seen.add(edited)
            yield Variant(edited, how)


def _edited(mol: Chem.Mol, edit: Edit, chance: random.Random, *, sanitise: bool) -> str | None:
    """The SMILES of an edited copy; None where there is nothing to edit or no molecule comes of it.

    Sanitising would assign a turned double bond its old configuration again.
    """
    try:
        changed = edit(mol, chance)
        if changed is None:
            return None
        if sanitise:
            Chem.SanitizeMol(changed)
        text = str(Chem.MolToSmiles(changed))
        again = read_structure(text)
    except (RuntimeError, ValueError, Unreadable):
        return None
    return text if not again.lost and _radicals(again.mol) <= _radicals(mol) else None


def _radicals(mol: Chem.Mol) -> int:
    return sum(atom.GetNumRadicalElectrons() for atom in mol.GetAtoms())


def proved_different(mol: Chem.Mol, text: str) -> bool:
    """Whether another formula, or both another InChI and another canonical SMILES, prove two molecules apart.

    Where the canonical SMILES depends on where it starts, nothing is proved.
    """
    with rdBase.BlockLogs():
        other = Chem.MolFromSmiles(text)
        if other is None:
            return False
        if formula(mol) != formula(other):
            return True
        keys = _fixed_point(mol), _fixed_point(other)
        inchis = inchi_of(mol), inchi_of(other)
    return bool(None not in keys and keys[0] != keys[1] and all(inchis) and inchis[0] != inchis[1])


def formula(mol: Chem.Mol) -> str:
    """The composition of a molecule, isotopes apart, and its charge."""
    return str(CalcMolFormula(mol, separateIsotopes=True, abbreviateHIsotopes=False))


def _fixed_point(mol: Chem.Mol) -> str | None:
    first = str(Chem.MolToSmiles(mol))
    again = Chem.MolFromSmiles(first)
    return first if again is not None and Chem.MolToSmiles(again) == first else None


def _one(chance: random.Random, places: list[int]) -> int | None:
    return chance.choice(places) if places else None


def _inverted(mol: Chem.Mol, chance: random.Random) -> Chem.RWMol | None:
    marked = [a.GetIdx() for a in mol.GetAtoms() if a.GetChiralTag() != Chem.ChiralType.CHI_UNSPECIFIED]
    if (place := _one(chance, marked)) is None:
        return None
    copy = Chem.RWMol(mol)
    copy.GetAtomWithIdx(place).InvertChirality()
    return copy


def _turned(mol: Chem.Mol, chance: random.Random) -> Chem.RWMol | None:
    stereo = Chem.BondStereo
    other = {stereo.STEREOE: stereo.STEREOCIS, stereo.STEREOTRANS: stereo.STEREOCIS}
    other |= {stereo.STEREOZ: stereo.STEREOTRANS, stereo.STEREOCIS: stereo.STEREOTRANS}
    marked = [bond.GetIdx() for bond in mol.GetBonds() if bond.GetStereo() in other]
    if (place := _one(chance, marked)) is None:
        return None
    copy = Chem.RWMol(mol)
    turned = copy.GetBondWithIdx(place)
    turned.SetStereo(other[turned.GetStereo()])
    return copy


def _with_hydrogen(mol: Chem.Mol) -> list[int]:
    return [a.GetIdx() for a in mol.GetAtoms() if a.GetTotalNumHs() and a.GetAtomicNum() > 1]


def _take_hydrogen(atom: Chem.Atom) -> None:
    if atom.GetNumExplicitHs():
        atom.SetNumExplicitHs(atom.GetNumExplicitHs() - 1)


def _longer(mol: Chem.Mol, chance: random.Random) -> Chem.RWMol | None:
    """A methyl in the place of a hydrogen."""
    if (place := _one(chance, _with_hydrogen(mol))) is None:
        return None
    copy = Chem.RWMol(mol)
    _take_hydrogen(copy.GetAtomWithIdx(place))
    copy.AddBond(place, copy.AddAtom(Chem.Atom(6)), Chem.BondType.SINGLE)
    return copy


def _shorter(mol: Chem.Mol, chance: random.Random) -> Chem.RWMol | None:
    """A hydrogen in the place of a methyl."""
    methyls = [
        atom.GetIdx()
        for atom in mol.GetAtoms()
        if atom.GetSymbol() == "C" and atom.GetDegree() == 1 and atom.GetTotalNumHs() == 3
    ]
    if (place := _one(chance, methyls)) is None:
        return None
    copy = Chem.RWMol(mol)
    neighbour = copy.GetAtomWithIdx(place).GetNeighbors()[0]
    if neighbour.GetNoImplicit() or (neighbour.GetIsAromatic() and neighbour.GetAtomicNum() != 6):
        neighbour.SetNumExplicitHs(neighbour.GetNumExplicitHs() + 1)
    neighbour.SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
    copy.RemoveAtom(place)
    return copy


def _replaced(mol: Chem.Mol, chance: random.Random) -> Chem.RWMol | None:
    """Another element in the place of an atom."""
    places = [a.GetIdx() for a in mol.GetAtoms() if a.GetAtomicNum() in _SWAPPED and not a.GetIsAromatic()]
    if (place := _one(chance, places)) is None:
        return None
    copy = Chem.RWMol(mol)
    atom = copy.GetAtomWithIdx(place)
    atom.SetAtomicNum(_SWAPPED[atom.GetAtomicNum()])
    atom.SetIsotope(0)
    return copy


def _protonated(mol: Chem.Mol, chance: random.Random) -> Chem.RWMol | None:
    """A proton more on an amine, or one less on a hydroxy group."""
    places = [
        a.GetIdx()
        for a in mol.GetAtoms()
        if not (a.GetFormalCharge() or a.GetIsAromatic() or a.GetNumRadicalElectrons())
        and (
            (a.GetSymbol() == "N" and a.GetTotalValence() == 3)
            or (a.GetSymbol() == "O" and a.GetTotalNumHs())
        )
    ]
    if (place := _one(chance, places)) is None:
        return None
    copy = Chem.RWMol(mol)
    atom = copy.GetAtomWithIdx(place)
    change = 1 if atom.GetSymbol() == "N" else -1
    hydrogens = mol.GetAtomWithIdx(place).GetTotalNumHs() + change
    atom.SetFormalCharge(change)
    atom.SetNoImplicit(True)
    atom.SetNumExplicitHs(hydrogens)
    return copy


def _moved(mol: Chem.Mol, chance: random.Random) -> Chem.RWMol | None:
    """A substituent of a ring or chain on the next atom that has a hydrogen."""
    places = [
        (anchor.GetIdx(), group.GetIdx(), beside.GetIdx())
        for bond in mol.GetBonds()
        if bond.GetBondType() == Chem.BondType.SINGLE and not bond.IsInRing()
        for anchor, group in (
            (bond.GetBeginAtom(), bond.GetEndAtom()),
            (bond.GetEndAtom(), bond.GetBeginAtom()),
        )
        if anchor.GetSymbol() == "C" and anchor.GetDegree() > 1
        for beside in anchor.GetNeighbors()
        if beside.GetIdx() != group.GetIdx() and beside.GetSymbol() == "C" and beside.GetTotalNumHs()
    ]
    if not places:
        return None
    anchor, group, beside = chance.choice(places)
    copy = Chem.RWMol(mol)
    copy.RemoveBond(anchor, group)
    copy.AddBond(beside, group, Chem.BondType.SINGLE)
    for index in (anchor, beside):
        copy.GetAtomWithIdx(index).SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
        copy.GetAtomWithIdx(index).SetNoImplicit(False)
        copy.GetAtomWithIdx(index).SetNumExplicitHs(0)
    return copy


def _labelled(mol: Chem.Mol, chance: random.Random) -> Chem.RWMol | None:
    """Carbon-13 in the place of a carbon."""
    carbons = [a.GetIdx() for a in mol.GetAtoms() if a.GetAtomicNum() == 6 and not a.GetIsotope()]
    if (place := _one(chance, carbons)) is None:
        return None
    copy = Chem.RWMol(mol)
    copy.GetAtomWithIdx(place).SetIsotope(13)
    return copy


def _saturated(mol: Chem.Mol, chance: random.Random) -> Chem.RWMol | None:
    """Two hydrogens more on a double bond between carbons."""
    double = [
        bond.GetIdx()
        for bond in mol.GetBonds()
        if bond.GetBondType() == Chem.BondType.DOUBLE
        and {bond.GetBeginAtom().GetSymbol(), bond.GetEndAtom().GetSymbol()} == {"C"}
    ]
    if (place := _one(chance, double)) is None:
        return None
    copy = Chem.RWMol(mol)
    bond = copy.GetBondWithIdx(place)
    bond.SetStereo(Chem.BondStereo.STEREONONE)
    bond.SetBondType(Chem.BondType.SINGLE)
    return copy


_EDITS: dict[str, Edit] = {
    "one centre inverted": _inverted,
    "one double bond turned": _turned,
    "one CH2 more": _longer,
    "one CH2 less": _shorter,
    "another element": _replaced,
    "another charge": _protonated,
    "a substituent moved": _moved,
    "an isotope": _labelled,
    "a double bond hydrogenated": _saturated,
}
