"""Condensed organic formulas to molecules: ``(CH3)2CHOH`` and ``CH3CH(OH)CH3`` are one alcohol.

A condensed formula states every hydrogen, so on a tree of heavy atoms the bond
orders follow from the valences. What it leaves open is which atom a group
hangs on: every reading is tried, and only a formula with exactly one molecule
has a connectivity.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from rdkit import Chem, rdBase

from grader.formal.formula_tree import Atom, Bond, Charge, Formula, Group, Short, Unit

MAX_READINGS = 600
MAX_ATOMS = 60
MAX_REPEATS = 30
MAX_BRANCHES = 40
_VALENCES = {"C": (4,), "N": (3,), "O": (2,), "S": (2, 4, 6), "P": (3, 5), "B": (3,), "Si": (4,)}
_HALOGENS = frozenset(["F", "Cl", "Br", "I"])
_FRAGMENTS = {
    "Me": "C", "Et": "CC", "iPr": "C(C)C", "i-Pr": "C(C)C", "nPr": "CCC",
    "tBu": "C(C)(C)C", "t-Bu": "C(C)(C)C", "nBu": "CCCC", "n-Bu": "CCCC",
    "Ph": "c1ccccc1", "Bn": "Cc1ccccc1", "Ac": "C(C)=O",
}  # fmt: skip
_ALKYLS = {("C", 2, 5): "Et", ("C", 6, 5): "Ph"}
"""Contracted groups that mean one structure; C3H7 and C4H9 don't."""


class NoStructure(ValueError):
    """The formula states no single connectivity."""


@dataclass(frozen=True, slots=True)
class _Chain:
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

    def attach(self, symbol: str, to: int | None) -> _Chain:
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

    def protonate(self, count: int) -> _Chain:
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
        most = 1 if symbol.startswith("@") or symbol in _HALOGENS else max(_VALENCES[symbol]) + 1
        most -= symbol == "C"
        return hydrogens + sum(index in bond for bond in self.bonds) > most


@lru_cache(maxsize=512)
def connectivity(formula: Formula) -> str:
    """The canonical SMILES of a condensed formula; raises NoStructure unless there is exactly one."""
    if len(formula.parts) != 1 or formula.parts[0].coefficient != 1:
        raise NoStructure
    found: dict[bool, set[str]] = {False: set(), True: set()}
    with rdBase.BlockLogs():
        for count, chain in enumerate(_whole(_expanded(formula.parts[0].units))):
            if count > MAX_READINGS:
                raise NoStructure
            smiles = _molecule(chain, formula.charge)
            if smiles is not None:
                found[_is_far_fetched(chain)].add(smiles)
    best = found[False] or found[True]
    if len(best) != 1:
        raise NoStructure
    return best.pop()


def _whole(units: tuple[Unit, ...]) -> Iterator[_Chain]:
    """Every finished reading; two equal groups alone are joined to each other."""
    match units:
        case (Group(units=inner, count=count),) if count == 2:
            for half in _read(_Chain(), inner):
                if _finished(half) and half.atoms:
                    yield from (both for both in _hang(half, inner, 0) if _finished(both))
        case _:
            yield from filter(_finished, _read(_Chain(), units))


def _finished(chain: _Chain) -> bool:
    return not (chain.hydrogens or chain.pending or chain.order)


def _is_far_fetched(chain: _Chain) -> bool:
    """Peroxides and oxygen-halogen bonds are meant only where nothing else fits."""
    return any({chain.atoms[a][0], chain.atoms[b][0]} <= {"O", *_HALOGENS} for a, b in chain.bonds)


def _expanded(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """The units with ethyl and phenyl as abbreviations and charges left out."""
    out: list[Unit] = []
    rest = [unit for unit in units if not isinstance(unit, Charge)]
    while rest:
        unit, following = rest[0], rest[1] if len(rest) > 1 else None
        if isinstance(unit, Atom) and isinstance(following, Atom) and following.symbol == "H":
            name = _ALKYLS.get((unit.symbol, int(unit.count), int(following.count)))
            if name is not None:
                out.append(Short(name, Fraction(1)))
                rest = rest[2:]
                continue
        if isinstance(unit, Group):
            unit = Group(unit.bracket, _expanded(unit.units), unit.count)
        out.append(unit)
        rest = rest[1:]
    return tuple(out)


def _read(chain: _Chain, units: tuple[Unit, ...]) -> Iterator[_Chain]:
    """Every way to go on building that overfills no atom."""
    if chain.crowded(chain.open) or chain.crowded(chain.last):
        return
    if not units:
        yield chain
        return
    unit, rest = units[0], units[1:]
    if isinstance(unit, Bond):
        if chain.open is not None:
            yield from _read(replace(chain, order=unit.order), rest)
    elif isinstance(unit, Atom):
        if unit.mass is not None or unit.count.denominator != 1:
            raise NoStructure
        yield from _hydrogen(chain, unit, rest) if unit.symbol == "H" else _heavy(chain, unit, rest)
    elif isinstance(unit, Short):
        yield from _short(chain, unit, rest)
    elif isinstance(unit, Group):
        yield from _group(chain, unit, rest)


def _hydrogen(chain: _Chain, unit: Atom, rest: tuple[Unit, ...]) -> Iterator[_Chain]:
    """Hydrogens on the atom before them, or at the start on the one after."""
    if chain.order:
        return
    if chain.last is not None:
        yield from _read(chain.protonate(int(unit.count)), rest)
        return
    yield from _read(replace(chain, hydrogens=chain.hydrogens + int(unit.count)), rest)


def _heavy(chain: _Chain, unit: Atom, rest: tuple[Unit, ...]) -> Iterator[_Chain]:
    """An atom as the next of the chain, hanging on the open one, or waiting for the one after it."""
    symbol, count = unit.symbol, int(unit.count)
    if (symbol not in _VALENCES and symbol not in _HALOGENS) or count > 6:
        raise NoStructure
    if count == 1:
        yield from _next(chain, symbol, rest)
    if chain.open is None:
        if symbol in _HALOGENS and count > 1:
            yield from _read(_waiting(chain, Atom(symbol, None, Fraction(1)), count), rest)
        return
    if symbol != "C":
        hanging = chain
        for _ in range(count):
            hanging = hanging.attach(symbol, chain.open)
        yield from _read(hanging, rest)
    if symbol == "O" and count == 2:
        ester = chain.attach("O", chain.open).attach("O", chain.open)
        yield from _read(replace(ester, open=ester.last), rest)
    if symbol == "O" and count == 1 and chain.atoms[chain.open][0] == "O":
        # HOOC is HO-C(=O): the second oxygen belongs to the carbon after it.
        yield from _read(replace(_waiting(chain, unit, 1), last=None), rest)


def _next(chain: _Chain, symbol: str, rest: tuple[Unit, ...]) -> Iterator[_Chain]:
    """The chain going on with an atom that takes all that waited for it."""
    grown = chain.attach(symbol, chain.open)
    index = grown.last
    assert index is not None
    forms = [replace(grown, pending=(), hydrogens=0).protonate(chain.hydrogens)]
    for group in chain.pending:
        forms = _distinct(joined for form in forms for joined in _hang_by_end(form, group, index))
    for form in forms:
        yield from _read(replace(form, open=index, last=index), rest)


def _waiting(chain: _Chain, unit: Unit, count: int) -> _Chain:
    return replace(chain, pending=(*chain.pending, *([(unit,)] * count)))


def _short(chain: _Chain, unit: Short, rest: tuple[Unit, ...]) -> Iterator[_Chain]:
    """An abbreviated group: hung on the open atom, waiting for the next, or the start of the chain."""
    if unit.name not in _FRAGMENTS:
        raise NoStructure
    count = int(unit.count)
    if chain.open is None:
        yield from _read(_waiting(chain, Short(unit.name, Fraction(1)), count), rest)
        if count == 1 and not chain.pending:
            start = chain.attach(f"@{unit.name}", None)
            yield from _read(replace(start, open=start.last, last=None), rest)
        return
    hanging = chain
    for _ in range(count):
        hanging = hanging.attach(f"@{unit.name}", chain.open)
    yield from _read(replace(hanging, last=None), rest)


def _group(chain: _Chain, unit: Group, rest: tuple[Unit, ...]) -> Iterator[_Chain]:
    """A group: substituents of the open atom, a repeated stretch of the chain, or waiting."""
    if unit.count > MAX_REPEATS or unit.count.denominator != 1:
        raise NoStructure
    count = int(unit.count)
    if chain.open is None:
        yield from _read(replace(chain, pending=(*chain.pending, *([unit.units] * count))), rest)
        return
    hanging = [chain]
    for _ in range(count):
        hanging = _distinct(more for one in hanging for more in _hang(one, unit.units, chain.open or 0))
    for one in hanging:
        yield from _read(replace(one, open=chain.open, last=None), rest)
    if count > 1:
        yield from _read(chain, unit.units * count + rest)


def _distinct(chains: Iterable[_Chain]) -> list[_Chain]:
    """The chains that differ as graphs, the first ones of too many."""
    return list({(one.atoms, one.bonds, one.orders): one for one in chains}.values())[:MAX_BRANCHES]


def _hang(chain: _Chain, units: tuple[Unit, ...], on: int) -> Iterator[_Chain]:
    """A group's atoms as a branch of one atom, bound by the group's first."""
    for branch in _read(replace(chain, open=on, last=None), units):
        if _finished(branch):
            yield replace(branch, open=on)


def _hang_by_end(chain: _Chain, units: tuple[Unit, ...], on: int) -> Iterator[_Chain]:
    """A group's atoms as a branch of one atom, bound by the group's open end: ``(CH3CO)2O``."""
    for branch in _read(_Chain(), units):
        if branch.open is None or not _finished(branch):
            continue
        offset, bonds = len(chain.atoms), len(chain.bonds)
        moved = tuple((a + offset, b + offset) for a, b in branch.bonds)
        yield replace(
            chain,
            atoms=(*chain.atoms, *branch.atoms),
            bonds=(*chain.bonds, *moved, (on, branch.open + offset)),
            orders=(*chain.orders, *((bond + bonds, order) for bond, order in branch.orders)),
        )


def _molecule(chain: _Chain, charge: int) -> str | None:
    """The canonical SMILES of a finished chain whose valences come out, or None."""
    for charged in _charged_atoms(chain, charge):
        orders = _orders(chain, charged)
        if orders is not None:
            return _smiles(chain, orders, charged)
    return None


def _charged_atoms(chain: _Chain, charge: int) -> Iterator[dict[int, int]]:
    """Which atom may carry the charge: a heteroatom, or the two of a nitro group besides."""
    nitro = _nitro(chain)
    if charge == 0:
        yield nitro
    elif abs(charge) == 1:
        for index, (symbol, _) in enumerate(chain.atoms):
            if symbol in ("O", "S", "N", "P") and index not in nitro:
                yield {**nitro, index: charge}


def _nitro(chain: _Chain) -> dict[int, int]:
    """Charges of nitro groups: N+ and one O-."""
    charges: dict[int, int] = {}
    for index, (symbol, _) in enumerate(chain.atoms):
        near = [b if a == index else a for a, b in chain.bonds if index in (a, b)]
        bare = [n for n in near if chain.atoms[n] == ("O", 0) and sum(n in bond for bond in chain.bonds) == 1]
        if symbol == "N" and len(near) == 3 and len(bare) == 2:
            charges |= {index: 1, bare[0]: -1}
    return charges


def _orders(chain: _Chain, charged: dict[int, int]) -> dict[int, int] | None:
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


def _allowed(chain: _Chain, charged: dict[int, int], index: int) -> tuple[int, ...]:
    symbol = chain.atoms[index][0]
    if symbol.startswith("@") or symbol in _HALOGENS:
        return (1,)
    shift = charged.get(index, 0)
    return tuple(valence + shift for valence in _VALENCES[symbol])


def _free(
    chain: _Chain,
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


def _smiles(chain: _Chain, orders: dict[int, int], charged: dict[int, int]) -> str | None:
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
            _graft(mol, index, _FRAGMENTS[symbol[1:]])
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
