"""Where two structures differ: a mapping of their atoms, then what each has that the other hasn't.

The mapping is their maximum common substructure (RDKit's FindMCS, with a time
limit). Mapped atoms still differ in charge, isotope or configuration; bonds in
order or in E and Z.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rdkit import Chem, rdBase
from rdkit.Chem import rdFMCS

SECONDS = 2
"""The longest that a common substructure is looked for."""

_MOST_ATOMS = 200
_MOST_MATCHES = 64


@dataclass(frozen=True, slots=True)
class Marks:
    """Atoms and bonds of one structure that the other hasn't, by index."""

    atoms: frozenset[int]
    bonds: frozenset[int]


@dataclass(frozen=True, slots=True)
class Difference:
    """The atoms that two structures share, as (first, second) pairs, and what is left of each."""

    pairs: tuple[tuple[int, int], ...]
    first: Marks
    second: Marks

    @property
    def size(self) -> int:
        """How much differs."""
        return sum(len(marks.atoms) + len(marks.bonds) for marks in (self.first, self.second))


def difference(first: Chem.Mol, second: Chem.Mol) -> Difference:
    """What differs between two structures; of several mappings the one with least of it."""
    mappings = _mappings(first, second)
    return min((_difference(first, second, pairs) for pairs in mappings), key=lambda one: one.size)


def _mappings(first: Chem.Mol, second: Chem.Mol) -> list[tuple[tuple[int, int], ...]]:
    """The ways to lay a common substructure on both, at least one, perhaps without a pair."""
    pattern = _common(first, second)
    if pattern is None:
        return [()]
    with rdBase.BlockLogs():
        here = first.GetSubstructMatch(pattern)
        there = second.GetSubstructMatches(pattern, uniquify=False, maxMatches=_MOST_MATCHES)
    return [tuple(zip(here, match, strict=True)) for match in there if here] or [()]


def _common(first: Chem.Mol, second: Chem.Mol) -> Chem.Mol | None:
    if max(first.GetNumAtoms(), second.GetNumAtoms()) > _MOST_ATOMS:
        return None
    settings = rdFMCS.MCSParameters()
    settings.Timeout = SECONDS
    settings.BondTyper = rdFMCS.BondCompare.CompareOrder
    with rdBase.BlockLogs():
        found = rdFMCS.FindMCS([first, second], settings)
        if found.numAtoms == 0:
            return None
        return Chem.MolFromSmarts(found.smartsString)


def _difference(first: Chem.Mol, second: Chem.Mol, pairs: tuple[tuple[int, int], ...]) -> Difference:
    there = dict(pairs)
    here = {two: one for one, two in pairs}
    changed = {(one, two) for one, two in pairs if _changed(first, second, one, two, there)}
    lost, gained = _bonds(first, second, there), _bonds(second, first, here)
    turned = _turned(first, second, there)
    return Difference(
        pairs,
        Marks(
            _unmapped(first, there) | {one for one, _ in changed},
            lost | frozenset(bond for bond, _ in turned),
        ),
        Marks(
            _unmapped(second, here) | {two for _, two in changed},
            gained | frozenset(bond for _, bond in turned),
        ),
    )


def _unmapped(mol: Chem.Mol, mapped: Iterable[int]) -> frozenset[int]:
    return frozenset(range(mol.GetNumAtoms())) - frozenset(mapped)


def _bonds(mol: Chem.Mol, other: Chem.Mol, mapped: dict[int, int]) -> frozenset[int]:
    """Bonds that the other structure lacks between the same atoms, or has in another order."""
    return frozenset(bond.GetIdx() for bond in mol.GetBonds() if not _shared(bond, other, mapped))


def _shared(bond: Chem.Bond, other: Chem.Mol, mapped: dict[int, int]) -> bool:
    begin, end = mapped.get(bond.GetBeginAtomIdx()), mapped.get(bond.GetEndAtomIdx())
    if begin is None or end is None:
        return False
    counterpart = other.GetBondBetweenAtoms(begin, end)
    return counterpart is not None and counterpart.GetBondType() == bond.GetBondType()


def _changed(first: Chem.Mol, second: Chem.Mol, one: int, two: int, mapped: dict[int, int]) -> bool:
    a, b = first.GetAtomWithIdx(one), second.GetAtomWithIdx(two)
    return _kind(a) != _kind(b) or not _same_hand(a, b, mapped)


def _kind(atom: Chem.Atom) -> tuple[int, int, int, int]:
    """What two atoms may differ in, beside their bonds and configuration."""
    return (atom.GetAtomicNum(), atom.GetFormalCharge(), atom.GetIsotope(), atom.GetNumRadicalElectrons())


def _same_hand(a: Chem.Atom, b: Chem.Atom, mapped: dict[int, int]) -> bool:
    """Whether two atoms have the same configuration, or none; one neighbour of each may be another atom."""
    if not (_is_centre(a) and _is_centre(b)) or a.GetDegree() != b.GetDegree():
        return _is_centre(a) == _is_centre(b)
    own = [neighbour.GetIdx() for neighbour in a.GetNeighbors()]
    others = [neighbour.GetIdx() for neighbour in b.GetNeighbors()]
    images = [mapped[one] if mapped.get(one) in others else None for one in own]
    left = [other for other in others if other not in images]
    if len(left) > 1:
        return True
    order = [left[0] if image is None else image for image in images]
    return _is_clockwise(a, own) == _is_clockwise(b, order)


def _is_centre(atom: Chem.Atom) -> bool:
    return bool(atom.GetChiralTag() != Chem.ChiralType.CHI_UNSPECIFIED)


def _is_clockwise(atom: Chem.Atom, order: list[int]) -> bool:
    """The hand of a centre, its neighbours taken in an order."""
    own = [neighbour.GetIdx() for neighbour in atom.GetNeighbors()]
    clockwise = bool(atom.GetChiralTag() == Chem.ChiralType.CHI_TETRAHEDRAL_CW)
    return clockwise != _odd([own.index(one) for one in order])


def _odd(order: list[int]) -> bool:
    """Whether a permutation takes an odd number of exchanges."""
    return bool(sum(order[i] > order[j] for i in range(len(order)) for j in range(i + 1, len(order))) % 2)


_SIDES = {
    Chem.BondStereo.STEREOE: "trans",
    Chem.BondStereo.STEREOTRANS: "trans",
    Chem.BondStereo.STEREOZ: "cis",
    Chem.BondStereo.STEREOCIS: "cis",
}


def _turned(first: Chem.Mol, second: Chem.Mol, mapped: dict[int, int]) -> set[tuple[int, int]]:
    """Double bonds in both whose configuration differs, or is given in one only."""
    found = set()
    for bond in first.GetBonds():
        begin, end = mapped.get(bond.GetBeginAtomIdx()), mapped.get(bond.GetEndAtomIdx())
        other = second.GetBondBetweenAtoms(begin, end) if begin is not None and end is not None else None
        if other is not None and _side(bond, None) != _side(other, bond, mapped):
            found.add((bond.GetIdx(), other.GetIdx()))
    return found


def _side(bond: Chem.Bond, like: Chem.Bond | None, mapped: dict[int, int] | None = None) -> str | None:
    """On which side of a double bond the neighbours lie that ``like`` (or the bond itself) is told by."""
    side = _SIDES.get(bond.GetStereo())
    if side is None or like is None or mapped is None or like.GetStereo() not in _SIDES:
        return side
    asked = {mapped.get(atom) for atom in like.GetStereoAtoms()}
    exchanged = sum(atom not in asked for atom in bond.GetStereoAtoms())
    return side if exchanged % 2 == 0 else {"cis": "trans", "trans": "cis"}[side]
