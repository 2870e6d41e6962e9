"""A molecule under construction from a condensed formula: a tree of atoms, bond orders from valences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rdkit import Chem

from grader.formal.formulas.tree import Unit

MAX_ATOMS = 60
VALENCES = {"C": (4,), "N": (3,), "O": (2,), "S": (2, 4, 6), "P": (3, 5), "B": (3,), "Si": (4,)}
"""The valences an uncharged atom may have."""
PHENYLENE = "Be"
"""The divalent atom that stands for C6H4, whose positions a condensed formula leaves open."""
VALENCES[PHENYLENE] = (2,)
HALOGENS = frozenset(["F", "Cl", "Br", "I"])
FRAGMENTS = {
    "Me": "C", "Et": "CC", "iPr": "C(C)C", "i-Pr": "C(C)C", "nPr": "CCC", "n-Pr": "CCC",
    "iBu": "CC(C)C", "i-Bu": "CC(C)C", "sBu": "C(C)CC", "s-Bu": "C(C)CC",
    "tBu": "C(C)(C)C", "t-Bu": "C(C)(C)C", "nBu": "CCCC", "n-Bu": "CCCC",
    "Ph": "c1ccccc1", "Bn": "Cc1ccccc1", "Ac": "C(C)=O", "NC": "[N+]#[C-]",
}  # fmt: skip
"""Abbreviated groups as SMILES that bind by their first atom; the chain holds them as ``@Ph``."""


class NoStructure(ValueError):
    """The formula states no single connectivity."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A molecule under construction: atoms as (symbol, hydrogens) and the bonds between them."""

    atoms: tuple[tuple[str, int], ...] = ()
    bonds: tuple[tuple[int, int], ...] = ()
    orders: tuple[tuple[int, int], ...] = ()
    """Bonds that are written out: index of the bond, its order."""
    open: int | None = None
    """The atom that the next one is bonded to."""
    last: int | None = None
    """The atom that hydrogens written next belong to."""
    pending: tuple[tuple[Unit, ...], ...] = ()
    """Groups written before the atom that carries them."""
    hydrogens: int = 0
    """Hydrogens written before the atom that carries them."""
    order: int = 0
    """The order of a bond just written, 0 if none was."""

    def attach(self, symbol: str, to: int | None) -> Chain:
        """The chain with one more atom, bonded to an earlier one."""
        index = len(self.atoms)
        if index >= MAX_ATOMS:
            raise NoStructure
        bonds, orders = self.bonds, self.orders
        if to is not None:
            orders = (*orders, (len(bonds), self.order)) if self.order else orders
            bonds = (*bonds, (to, index))
        return replace(
            self, atoms=(*self.atoms, (symbol, 0)), bonds=bonds, orders=orders, last=index, order=0
        )

    def protonate(self, count: int) -> Chain:
        """The chain with hydrogens on the atom written last."""
        assert self.last is not None
        symbol, before = self.atoms[self.last]
        atoms = list(self.atoms)
        atoms[self.last] = (symbol, before + count)
        return replace(self, atoms=tuple(atoms))

    def crowded(self, index: int | None) -> bool:
        """Whether an atom has more neighbours than it can hold."""
        if index is None:
            return False
        symbol, hydrogens = self.atoms[index]
        most = 1 if symbol.startswith("@") or symbol in HALOGENS else max(VALENCES[symbol]) + 1
        most -= symbol == "C"
        return hydrogens + sum(index in bond for bond in self.bonds) > most


def molecule_of(chain: Chain, charge: int) -> str | None:
    """The canonical SMILES of a finished chain whose valences come out, or None."""
    for charged in _charged_atoms(chain, charge):
        orders = _orders(chain, charged)
        if orders is not None:
            return _smiles(chain, orders, charged)
    return None


def _charged_atoms(chain: Chain, charge: int) -> Iterator[dict[int, int]]:
    """Which atom may carry the charge: a heteroatom, or the two of a nitro group besides."""
    nitro = _nitro(chain)
    if charge == 0:
        yield nitro
    elif abs(charge) == 1:
        for index, (symbol, _) in enumerate(chain.atoms):
            if symbol in ("O", "S", "N", "P") and index not in nitro:
                yield {**nitro, index: charge}


def _nitro(chain: Chain) -> dict[int, int]:
    """Charges of nitro groups: N+ and one O-."""
    charges: dict[int, int] = {}
    for index, (symbol, _) in enumerate(chain.atoms):
        near = [b if a == index else a for a, b in chain.bonds if index in (a, b)]
        bare = [n for n in near if chain.atoms[n] == ("O", 0) and sum(n in bond for bond in chain.bonds) == 1]
        if symbol == "N" and len(near) == 3 and len(bare) == 2:
            charges |= {index: 1, bare[0]: -1}
    return charges


def _orders(chain: Chain, charged: dict[int, int]) -> dict[int, int] | None:
    """The bond orders of a tree, from its leaves inwards; None where a valence doesn't come out."""
    orders = dict(chain.orders)
    given = dict(chain.orders)
    open_bonds = dict(enumerate(chain.bonds))
    while open_bonds:
        degree: dict[int, int] = {}
        for ends in open_bonds.values():
            for end in ends:
                degree[end] = degree.get(end, 0) + 1
        leaf, bond = next((end, b) for b, ends in open_bonds.items() for end in ends if degree[end] == 1)
        order = _free(chain, charged, leaf, orders, set(open_bonds), open_bonds[bond])
        if order is None or given.get(bond, order) != order:
            return None
        orders[bond] = order
        del open_bonds[bond]
    used = [hydrogens for _, hydrogens in chain.atoms]
    for bond, (a, b) in enumerate(chain.bonds):
        used[a] += orders[bond]
        used[b] += orders[bond]
    fits = all(count in _allowed(chain, charged, index) for index, count in enumerate(used))
    return orders if fits else None


def _allowed(chain: Chain, charged: dict[int, int], index: int) -> tuple[int, ...]:
    symbol = chain.atoms[index][0]
    if symbol.startswith("@") or symbol in HALOGENS:
        return (1,)
    shift = charged.get(index, 0)
    return tuple(valence + shift for valence in VALENCES[symbol])


def _free(
    chain: Chain,
    charged: dict[int, int],
    leaf: int,
    orders: dict[int, int],
    open_bonds: set[int],
    bond: tuple[int, int],
) -> int | None:
    """The order that the last open bond of an atom must have."""
    used = chain.atoms[leaf][1]
    for index, ends in enumerate(chain.bonds):
        if leaf in ends and index not in open_bonds:
            used += orders[index]
    for valence in _allowed(chain, charged, leaf):
        if 1 <= valence - used <= 3:
            return valence - used
    return None


def _smiles(chain: Chain, orders: dict[int, int], charged: dict[int, int]) -> str | None:
    mol = Chem.RWMol()
    for index, (symbol, hydrogens) in enumerate(chain.atoms):
        atom = Chem.Atom("*" if symbol.startswith("@") else symbol)
        atom.SetNoImplicit(True)
        atom.SetNumExplicitHs(hydrogens)
        atom.SetFormalCharge(charged.get(index, 0))
        mol.AddAtom(atom)
    kinds = {1: Chem.BondType.SINGLE, 2: Chem.BondType.DOUBLE, 3: Chem.BondType.TRIPLE}
    for bond, (a, b) in enumerate(chain.bonds):
        mol.AddBond(a, b, kinds[orders[bond]])
    for index, (symbol, _) in enumerate(chain.atoms):
        if symbol.startswith("@"):
            _graft(mol, index, FRAGMENTS[symbol[1:]])
    for index in sorted((i for i, (s, _) in enumerate(chain.atoms) if s.startswith("@")), reverse=True):
        mol.RemoveAtom(index)
    try:
        Chem.SanitizeMol(mol)
    except (RuntimeError, ValueError):
        return None
    return str(Chem.MolToSmiles(Chem.RemoveHs(mol)))


def _graft(mol: Chem.RWMol, dummy: int, smiles: str) -> None:
    """Put a fragment, bound by its first atom, in the place of a dummy."""
    fragment = Chem.MolFromSmiles(smiles)
    offset = mol.GetNumAtoms()
    mol.InsertMol(fragment)
    neighbour = mol.GetAtomWithIdx(dummy).GetNeighbors()[0].GetIdx()
    mol.AddBond(neighbour, offset, Chem.BondType.SINGLE)
