"""Bringing two structures to one form before they are compared: drawing conventions and a check's options.

What is only a way of drawing (pentavalent nitro groups, charge-separated
sulfoxides and ylides, covalent alkali salts) is always unified; isotopes,
counter-ions and protonation only where the check says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from rdkit import Chem
from rdkit.Chem.MolStandardize import rdMolStandardize

from grader.formal.structures.structure import DUMMY, Structure
from grader.problem.checks import StructureModel

_METALLOIDS_AND_NONMETALS = frozenset(
    [1, 2, 5, 6, 7, 8, 9, 10, 14, 15, 16, 17, 18, 32, 33, 34, 35, 36, 52, 53, 54, 85, 86, DUMMY, 0]
)
_ALKALI = frozenset([3, 11, 19, 37, 55, 87])

_COUNTER_IONS = """
[H]Cl [H]Br [H]I [H]F [H]O[H] OS(=O)(=O)O O[N+](=O)[O-] OP(=O)(O)O OCl(=O)(=O)=O N [NH4+] [OH-] S
C(=O)O CC(=O)O OC(=O)C(F)(F)F CCC(=O)O CS(=O)(=O)O CCS(=O)(=O)O OS(=O)(=O)C(F)(F)F OS(=O)(=O)c1ccccc1
Cc1ccc(cc1)S(=O)(=O)O OC(=O)C(=O)O OC(=O)CC(=O)O OC(=O)CCC(=O)O OC(=O)/C=C/C(=O)O OC(=O)/C=C\\C(=O)O
OC(=O)C(O)C(O)C(=O)O OC(=O)CC(O)C(=O)O OC(=O)CC(O)(CC(=O)O)C(=O)O CC(O)C(=O)O OC(=O)c1ccccc1
OC(=O)c1ccccc1O OC(=O)C(O)c1ccccc1 F[B-](F)(F)F F[P-](F)(F)(F)(F)F OCCS(=O)(=O)O CO CCO CC(C)O CC(C)=O
OCC(O)C(O)C(O)C(O)C(=O)O O=C(O)c1cc2ccccc2c(Cc2c(O)c(C(=O)O)cc3ccccc23)c1O C1CCNCC1 NCCO NC(CO)(CO)CO
O=S(=O)(O)c1cccc2ccccc12 O=S(=O)(O)c1cccc2c1cccc2S(=O)(=O)O ClCCl ClC(Cl)Cl CC#N CN(C)C=O CS(C)=O
"""
"""Salt formers and solvents of crystallisation, without stereo; metal ions are known by element."""


def is_metal(atom: Chem.Atom) -> bool:
    """Whether an atom is a metal; the metalloids that bind as nonmetals do are not."""
    return atom.GetAtomicNum() not in _METALLOIDS_AND_NONMETALS


def has_metal(mol: Chem.Mol) -> bool:
    """Whether any atom is a metal."""
    return any(is_metal(atom) for atom in mol.GetAtoms())


def standardise(structure: Structure, options: StructureModel, labels: Iterable[str]) -> tuple[Chem.Mol, ...]:
    """The molecule in the forms in which a check compares it; more than one only where salts are stripped.

    ``labels`` are the placeholders of both structures, so that one label is
    the same dummy on either side.
    """
    mol = _unify_drawing(_dummies(structure, sorted(set(labels))))
    if options.metal_bonds == "any":
        mol = _with_donors(mol)
    if options.isotopes == "ignore":
        mol = _without_isotopes(mol)
    forms = _parents(mol) if options.salts == "strip" else (mol,)
    if options.charge_state == "neutralise":
        forms = tuple(neutralise(form) for form in forms)
    return tuple(_flat(form) for form in forms) if options.stereo == "ignore" else forms


def _dummies(structure: Structure, labels: list[str]) -> Chem.Mol:
    return _sanitised(labelled(structure, labels))


def labelled(structure: Structure, labels: list[str]) -> Chem.RWMol:
    """A copy whose dummy atoms are of an element of their own, told apart by their labels."""
    mol = Chem.RWMol(structure.mol)
    own = dict(structure.labels)
    for atom in mol.GetAtoms():
        if atom.GetAtomicNum() == 0:
            isotope = atom.GetIsotope()
            label = own.get(atom.GetIdx())
            atom.SetAtomicNum(DUMMY)
            atom.SetIsotope(isotope if label is None else 1000 + labels.index(label))
            atom.SetNoImplicit(True)
    return mol


def _sanitised(mol: Chem.Mol) -> Chem.Mol:
    """The molecule with its caches and stereo marks brought up to date."""
    mol = mol.GetMol() if isinstance(mol, Chem.RWMol) else Chem.Mol(mol)
    Chem.SanitizeMol(mol)
    Chem.AssignStereochemistry(mol, cleanIt=True, force=True)
    return mol


@cache
def _normalizer() -> rdMolStandardize.Normalizer:
    return rdMolStandardize.Normalizer()


def _unify_drawing(mol: Chem.Mol) -> Chem.Mol:
    """One drawing for nitro groups, sulfoxides, ylides and alkali salts."""
    mol = split_alkali(mol)
    groups = list(mol.GetStereoGroups())
    normal = mol if groups else _normalizer().normalize(mol)
    editable = Chem.RWMol(normal)
    for bond in normal.GetBonds():
        _close_ylide(editable, bond)
    return _sanitised(editable)


_CLOSED = frozenset(
    [
        ("P", "C"),
        ("P", "N"),
        ("P", "O"),
        ("P", "S"),
        ("S", "C"),
        ("S", "N"),
        ("As", "C"),
        ("As", "O"),
        ("Sb", "O"),
    ]
)
"""Pairs of a cation and an anion whose bond is drawn double."""


def _close_ylide(mol: Chem.RWMol, bond: Chem.Bond) -> None:
    """Draw ``P+ - C-`` as a double bond, and so sulfonium ylides and phosphine oxides."""
    ends = (bond.GetBeginAtomIdx(), bond.GetEndAtomIdx())
    for onium, anion in (ends, ends[::-1]):
        first, second = mol.GetAtomWithIdx(onium), mol.GetAtomWithIdx(anion)
        if (
            (first.GetSymbol(), second.GetSymbol()) in _CLOSED
            and first.GetFormalCharge() == 1
            and second.GetFormalCharge() == -1
            and not second.GetIsAromatic()
            and mol.GetBondBetweenAtoms(onium, anion).GetBondType() == Chem.BondType.SINGLE
        ):
            first.SetFormalCharge(0)
            second.SetFormalCharge(0)
            mol.GetBondBetweenAtoms(onium, anion).SetBondType(Chem.BondType.DOUBLE)


def split_alkali(mol: Chem.Mol) -> Chem.Mol:
    """Draw every bond to an alkali metal as a pair of ions."""
    bonds = [
        (bond.GetBeginAtomIdx(), bond.GetEndAtomIdx())
        for bond in mol.GetBonds()
        if {bond.GetBeginAtom().GetAtomicNum(), bond.GetEndAtom().GetAtomicNum()} & _ALKALI
        and bond.GetBondType() == Chem.BondType.SINGLE
    ]
    if not bonds:
        return mol
    editable = Chem.RWMol(mol)
    for ends in bonds:
        for index in ends:
            atom = editable.GetAtomWithIdx(index)
            atom.SetNumExplicitHs(atom.GetTotalNumHs())
            atom.SetNoImplicit(True)
        editable.RemoveBond(*ends)
        for index in ends:
            atom = editable.GetAtomWithIdx(index)
            atom.SetFormalCharge(atom.GetFormalCharge() + (1 if atom.GetAtomicNum() in _ALKALI else -1))
    return _sanitised(editable)


_DONORS = {15: 4, 16: 3, 33: 4, 34: 3, 51: 4, 52: 3}
"""Donor atoms by how many bonds they have with one to a metal, at which RDKit adds them a hydrogen."""


def _with_donors(mol: Chem.Mol) -> Chem.Mol:
    """Phosphines and thioethers with a plain bond to a metal as donors, without RDKit's extra hydrogen."""
    donors = [
        (atom.GetIdx(), metals[0])
        for atom in mol.GetAtoms()
        if atom.GetDegree() == _DONORS.get(atom.GetAtomicNum())
        and not (atom.GetFormalCharge() or atom.GetNoImplicit())
        and atom.GetTotalNumHs() == 1
        and len(metals := [n.GetIdx() for n in atom.GetNeighbors() if is_metal(n)]) == 1
    ]
    if not donors:
        return mol
    editable = Chem.RWMol(mol)
    for donor, metal in donors:
        editable.RemoveBond(donor, metal)
        editable.AddBond(donor, metal, Chem.BondType.DATIVE)
        editable.GetAtomWithIdx(donor).SetNoImplicit(True)
    return _sanitised(editable)


def _without_isotopes(mol: Chem.Mol) -> Chem.Mol:
    for atom in mol.GetAtoms():
        if atom.GetAtomicNum() != DUMMY:
            atom.SetIsotope(0)
    return _sanitised(Chem.RemoveHs(mol))


def neutralise(mol: Chem.Mol) -> Chem.Mol:
    """The molecule with every site protonated or deprotonated to no charge, as far as protons reach.

    Quaternary centres keep their charge; two structures that differ in
    protons only come out alike.
    """
    uncharger = rdMolStandardize.Uncharger(canonicalOrder=True, force=True, protonationOnly=True)
    neutral = uncharger.uncharge(mol)
    # An aromatic anion (cyclopentadienide) comes out as a ring that can't be kekulised: leave it charged.
    return _sanitised(neutral) if Chem.MolFromSmiles(Chem.MolToSmiles(neutral)) is not None else mol


@cache
def _counter_ions() -> frozenset[str]:
    return frozenset(_flat_neutral(Chem.MolFromSmiles(smiles)) for smiles in _COUNTER_IONS.split())


def _flat_neutral(mol: Chem.Mol) -> str:
    flat = neutralise(mol)
    Chem.RemoveStereochemistry(flat)
    return str(Chem.MolToSmiles(flat))


def _is_counter_ion(fragment: Chem.Mol) -> bool:
    if fragment.GetNumAtoms() == 1 and is_metal(fragment.GetAtomWithIdx(0)):
        return True
    return _flat_neutral(fragment) in _counter_ions()


def is_counter_ion_of(part: Chem.Mol, salt: Chem.Mol) -> bool:
    """Whether the first is only a salt former or solvent of the second: the mesylate in a mesylate."""
    fragments = Chem.GetMolFrags(salt, asMols=True)
    if len(fragments) < 2 or not all(map(_is_counter_ion, Chem.GetMolFrags(part, asMols=True))):
        return False
    within = {_flat_neutral(fragment) for fragment in fragments}
    return _flat_neutral(part) in within and not all(map(_is_counter_ion, fragments))


def _parents(mol: Chem.Mol) -> tuple[Chem.Mol, ...]:
    """The parent without its salt formers, charged as in the salt, and uncharged.

    A lone component is its own parent, charge and all. Where every component
    is a salt former the organic ones stay.
    """
    fragments = list(Chem.GetMolFrags(mol, asMols=True))
    if len(fragments) < 2:
        return (mol,)
    kept = [f for f in fragments if not _is_counter_ion(f)]
    kept = kept or [f for f in fragments if any(a.GetAtomicNum() == 6 for a in f.GetAtoms())] or fragments
    # A hemisulfate holds its base twice.
    parent, *more = {Chem.MolToSmiles(f): f for f in kept}.values()
    for fragment in more:
        parent = Chem.CombineMols(parent, fragment)
    parent = _sanitised(parent)
    return (parent, neutralise(parent)) if Chem.GetFormalCharge(parent) else (parent,)


def _flat(mol: Chem.Mol) -> Chem.Mol:
    flat = without_groups(mol)
    Chem.RemoveStereochemistry(flat)
    return flat


def without_groups(mol: Chem.Mol) -> Chem.Mol:
    """The molecule without its groups of relative stereo."""
    editable = Chem.RWMol(mol)
    editable.SetStereoGroups([])
    return _sanitised(editable)
