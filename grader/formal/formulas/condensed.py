"""Condensed organic formulas to molecules: ``(CH3)2CHOH`` and ``CH3CH(OH)CH3`` are one alcohol.

A condensed formula states every hydrogen, so on a tree of heavy atoms the bond
orders follow from the valences. What it leaves open is which atom a group
hangs on: every reading is tried, and only a formula with exactly one molecule
has a connectivity.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from rdkit import rdBase

from grader.formal.formulas.chain import (
    FRAGMENTS,
    HALOGENS,
    PHENYLENE,
    VALENCES,
    Chain,
    NoStructure,
    molecule_of,
)
from grader.formal.formulas.tree import Atom, Bond, Charge, Formula, Group, Short, Unit

MAX_READINGS = 600
MAX_REPEATS = 30
MAX_BRANCHES = 40
_N, _C = Atom("N", None, Fraction(1)), Atom("C", None, Fraction(1))
_ALKYLS = {("C", 2, 5): "Et", ("C", 6, 5): "Ph"}
"""Contracted groups that mean one structure; C3H7 and C4H9 don't."""
_RING = Atom(PHENYLENE, None, Fraction(1))


@lru_cache(maxsize=512)
def connectivity(formula: Formula) -> str:
    """The canonical SMILES of a condensed formula; raises NoStructure unless there is exactly one.

    The ring of C6H4 is one atom in it: what it carries counts, the positions don't.
    """
    if len(formula.parts) != 1 or formula.parts[0].coefficient != 1:
        raise NoStructure
    found: dict[bool, set[str]] = {False: set(), True: set()}
    with rdBase.BlockLogs():
        for count, chain in enumerate(_whole(_expanded(formula.parts[0].units))):
            if count > MAX_READINGS:
                raise NoStructure
            smiles = molecule_of(chain, formula.charge)
            if smiles is not None:
                found[_is_far_fetched(chain)].add(smiles)
    best = found[False] or found[True]
    if len(best) != 1:
        raise NoStructure
    return best.pop()


def _whole(units: tuple[Unit, ...]) -> Iterator[Chain]:
    """Every finished reading; two equal groups alone are joined to each other."""
    match units:
        case (Group(units=inner, count=count),) if count == 2:
            for half in _read(Chain(), inner):
                if _finished(half) and half.atoms:
                    yield from (both for both in _hang(half, inner, 0) if _finished(both))
        case _:
            yield from filter(_finished, _read(Chain(), units))


def _finished(chain: Chain) -> bool:
    return not (chain.hydrogens or chain.pending or chain.order)


def _is_far_fetched(chain: Chain) -> bool:
    """Peroxides and oxygen-halogen bonds are meant only where nothing else fits."""
    return any({chain.atoms[a][0], chain.atoms[b][0]} <= {"O", *HALOGENS} for a, b in chain.bonds)


def _expanded(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """The units with ethyl and phenyl as abbreviations, phenylene as one atom and charges left out."""
    out: list[Unit] = []
    rest = [unit for unit in units if not isinstance(unit, Charge)]
    if len(rest) > 2 and rest[-2:] == [_N, _C]:
        # Nothing but an isocyanide ends in a bare NC.
        rest[-2:] = [Short("NC", Fraction(1))]
    while rest:
        unit, following = rest[0], rest[1] if len(rest) > 1 else None
        if isinstance(unit, Atom) and isinstance(following, Atom) and following.symbol == "H":
            name = _ALKYLS.get((unit.symbol, int(unit.count), int(following.count)))
            if name is not None:
                out.append(Short(name, Fraction(1)))
                rest = rest[2:]
                continue
            if (unit.symbol, int(unit.count), int(following.count)) == ("C", 6, 4):
                out.append(_RING)
                rest = rest[2:]
                continue
        if isinstance(unit, Group):
            unit = Group(unit.bracket, _expanded(unit.units), unit.count)
        out.append(unit)
        rest = rest[1:]
    return tuple(out)


def _read(chain: Chain, units: tuple[Unit, ...]) -> Iterator[Chain]:
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


def _hydrogen(chain: Chain, unit: Atom, rest: tuple[Unit, ...]) -> Iterator[Chain]:
    """Hydrogens on the atom before them, or at the start on the one after."""
    if chain.order:
        return
    if chain.last is not None:
        yield from _read(chain.protonate(int(unit.count)), rest)
        return
    yield from _read(replace(chain, hydrogens=chain.hydrogens + int(unit.count)), rest)


def _heavy(chain: Chain, unit: Atom, rest: tuple[Unit, ...]) -> Iterator[Chain]:
    """An atom as the next of the chain, hanging on the open one, or waiting for the one after it."""
    symbol, count = unit.symbol, int(unit.count)
    if (symbol not in VALENCES and symbol not in HALOGENS) or count > 6:
        raise NoStructure
    if count == 1:
        yield from _next(chain, symbol, rest)
    if chain.open is None:
        if symbol in HALOGENS and count > 1:
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


def _next(chain: Chain, symbol: str, rest: tuple[Unit, ...]) -> Iterator[Chain]:
    """The chain going on with an atom that takes all that waited for it."""
    grown = chain.attach(symbol, chain.open)
    index = grown.last
    assert index is not None
    forms = [replace(grown, pending=(), hydrogens=0).protonate(chain.hydrogens)]
    for group in chain.pending:
        forms = _distinct(joined for form in forms for joined in _hang_by_end(form, group, index))
    for form in forms:
        yield from _read(replace(form, open=index, last=index), rest)


def _waiting(chain: Chain, unit: Unit, count: int) -> Chain:
    return replace(chain, pending=(*chain.pending, *([(unit,)] * count)))


def _short(chain: Chain, unit: Short, rest: tuple[Unit, ...]) -> Iterator[Chain]:
    """An abbreviated group: hung on the open atom, waiting for the next, or the start of the chain."""
    if unit.name not in FRAGMENTS:
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


def _group(chain: Chain, unit: Group, rest: tuple[Unit, ...]) -> Iterator[Chain]:
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


def _distinct(chains: Iterable[Chain]) -> list[Chain]:
    """The chains that differ as graphs, the first ones of too many."""
    return list({(one.atoms, one.bonds, one.orders): one for one in chains}.values())[:MAX_BRANCHES]


def _hang(chain: Chain, units: tuple[Unit, ...], on: int) -> Iterator[Chain]:
    """A group's atoms as a branch of one atom, bound by the group's first."""
    for branch in _read(replace(chain, open=on, last=None), units):
        if _finished(branch):
            yield replace(branch, open=on)


def _hang_by_end(chain: Chain, units: tuple[Unit, ...], on: int) -> Iterator[Chain]:
    """A group's atoms as a branch of one atom, bound by the group's open end: ``(CH3CO)2O``."""
    for branch in _read(Chain(), units):
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
