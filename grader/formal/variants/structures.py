"""Other ways of writing a structure, and structures close to it that are wrong.

Rewriting must never change a finding and another object always must, so a
near-miss is given out only where its formula differs, or else both its InChI
and its canonical SMILES: proofs that don't rest on the comparison they test.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from rdkit import Chem, rdBase
from rdkit.Chem.rdMolDescriptors import CalcMolFormula

from grader.formal.structures.configuration import flat_key
from grader.formal.structures.inchi import inchi_of, read_inchi
from grader.formal.structures.inchi_comparison import holds_in_inchi
from grader.formal.structures.standardise import has_metal
from grader.formal.structures.structure import Unreadable, read_structure
from grader.formal.variants.variant import Variant
from grader.problem.checks import InchiCheck, SmilesCheck, StructureModel

_SWAPPED = {6: 14, 7: 15, 8: 16, 9: 17, 16: 8, 17: 35, 35: 53, 53: 35}
"""Elements by one another's place in a near-miss."""
MOST_ATOMS = 40
"""Larger molecules aren't written with all their hydrogens."""
_STEREO = frozenset(["one centre inverted", "one double bond turned"])

Edit = Callable[[Chem.Mol, random.Random], Chem.RWMol | None]


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


def near_misses(mol: Chem.Mol, seed: int = 0) -> Iterator[Variant]:
    """Other molecules that differ by one edit, each proved different from the molecule."""
    chance = random.Random(seed)
    seen: set[str] = set()
    for how, edit in _EDITS.items():
        with rdBase.BlockLogs():
            edited = _edited(mol, edit, chance, sanitise=how not in _STEREO)
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
        if _formula(mol) != _formula(other):
            return True
        keys = _fixed_point(mol), _fixed_point(other)
        inchis = inchi_of(mol), inchi_of(other)
    return bool(None not in keys and keys[0] != keys[1] and all(inchis) and inchis[0] != inchis[1])


def _formula(mol: Chem.Mol) -> str:
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
    if neighbour.GetNoImplicit() or neighbour.GetIsAromatic():
        neighbour.SetNumExplicitHs(neighbour.GetNumExplicitHs() + (neighbour.GetAtomicNum() != 6))
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
    if how in _STEREO and check.stereo != "exact":
        return False
    if how == "another charge" and (check.charge_state == "neutralise" or check.salts == "strip"):
        return False
    if how == "an isotope" and check.isotopes == "ignore":
        return False
    if check.salts == "strip" and len(Chem.GetMolFrags(mol)) > 1:
        return False
    return check.stereo == "exact" or _formula(mol) != _formula(other) or flat_key(mol) != flat_key(other)


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
