"""Complexes: what the square brackets of a formula say of the coordination sphere.

Two formulas with brackets are the same where the metals, the multiset of
ligands and what stands outside agree; order and spelling (``OH2`` for ``H2O``)
don't count, but linkage (``NO2`` or ``ONO``, ``NCS`` or ``SCN``) does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from grader.formal.formulas.tree import (
    NONMETALS,
    Atom,
    Charge,
    Composition,
    Formula,
    Group,
    Short,
    Unit,
    composition_of,
)

LigandKey = tuple[str, tuple[tuple[str, str], ...]]
Ligands = Counter[LigandKey]

_MONATOMIC = frozenset(["F", "Cl", "Br", "I", "H", "O", "S"])
_AMBIDENTATE = frozenset([frozenset("NCS"), frozenset("NO"), frozenset("CN"), frozenset("NCO")])
_SEQUENCES: tuple[tuple[tuple[str, int], ...], ...] = (
    (("N", 1), ("H", 3)), (("H", 2), ("O", 1)), (("O", 1), ("H", 2)), (("O", 1), ("H", 1)),
    (("N", 1), ("O", 2)), (("O", 1), ("N", 1), ("O", 1)), (("N", 1), ("C", 1), ("S", 1)),
    (("S", 1), ("C", 1), ("N", 1)), (("S", 1), ("O", 4)), (("C", 1), ("O", 3)), (("C", 2), ("O", 4)),
    (("C", 1), ("O", 1)), (("C", 1), ("N", 1)), (("N", 1), ("C", 1)), (("N", 1), ("O", 1)),
    (("N", 1), ("H", 2)), (("N", 3),), (("N", 2),), (("O", 2),),
)  # fmt: skip
"""Ligands that are often written without parentheses."""


class Sphere:
    """One bracketed unit: its metals, its ligands (None where they can't be told apart), all its atoms."""

    def __init__(self, units: tuple[Unit, ...]) -> None:
        self.atoms = _frozen(composition_of(units))
        self.metals = Counter(
            {u.symbol: int(u.count) for u in units if isinstance(u, Atom) and u.symbol not in NONMETALS}
        )
        self.ligands = _ligands(units)

    @property
    def is_complex(self) -> bool:
        """Whether it holds a metal: brackets around anything else say nothing about bonding."""
        return bool(self.metals)


def _frozen(composition: Composition) -> tuple[tuple[str, str], ...]:
    return tuple(
        sorted((f"{mass or ''}{symbol}", str(count)) for (symbol, mass), count in composition.items())
    )


def spheres(formula: Formula) -> list[tuple[Sphere, Fraction]]:
    """The bracketed units of a formula and how many of each; an ion without brackets is one unit."""
    found = [
        (Sphere(unit.units), unit.count * part.coefficient)
        for part in formula.parts
        for unit in part.units
        if isinstance(unit, Group) and unit.bracket == "["
    ]
    if not found and len(formula.parts) == 1:
        return [(Sphere(formula.parts[0].units), Fraction(1))]
    return found


def same_spheres(a: Formula, b: Formula) -> bool | None:
    """Whether two formulas of equal composition and charge mean one complex; None where that is open."""
    if not (a.has_square and b.has_square) and not (_lone(a) and _lone(b)):
        return None
    first, second = spheres(a), spheres(b)
    if not any(sphere.is_complex for sphere, _ in (*first, *second)):
        return True
    if _atoms(first) != _atoms(second):
        return False
    if any(sphere.ligands is None for sphere, _ in (*first, *second)):
        return True if a.text == b.text else None
    same = _bonding(first) == _bonding(second)
    return same if same or all(one.has_square or one.charge for one in (a, b)) else None


def _lone(formula: Formula) -> bool:
    """Whether nothing stands outside the sphere: then the brackets may be left off."""
    if formula.has_square:
        units = [u for part in formula.parts for u in part.units if not isinstance(u, Charge)]
        return len(units) == 1
    return len(formula.parts) == 1


def _atoms(found: list[tuple[Sphere, Fraction]]) -> Counter[tuple[object, Fraction]]:
    return Counter((sphere.atoms, times) for sphere, times in found)


def _bonding(found: list[tuple[Sphere, Fraction]]) -> Counter[tuple[object, object, Fraction]]:
    return Counter(
        (frozenset(sphere.metals.items()), frozenset((sphere.ligands or Counter()).items()), times)
        for sphere, times in found
    )


def _ligands(units: tuple[Unit, ...]) -> Ligands | None:
    """The ligands of a sphere, or None where bare atoms can't be told apart into ligands."""
    found: Ligands = Counter()
    metal = False
    rest = [unit for unit in units if not isinstance(unit, Charge)]
    while rest:
        unit = rest[0]
        taken = 1
        if isinstance(unit, Group):
            # Before the metal a ligand is written towards it: (NC)5Fe binds by carbon.
            found[_key(unit.units if metal else _towards(unit.units))] += int(unit.count)
        elif isinstance(unit, Short):
            found[_key((replace(unit, count=Fraction(1)),))] += int(unit.count)
        elif isinstance(unit, Atom) and unit.symbol not in NONMETALS:
            metal = True
        elif sequence := _sequence(rest):
            taken = len(sequence)
            found[_key(tuple(sequence))] += 1
        elif isinstance(unit, Atom) and unit.symbol in _MONATOMIC:
            found[_key((Atom(unit.symbol, unit.mass, Fraction(1)),))] += int(unit.count)
        else:
            return None
        rest = rest[taken:]
    return found


def _towards(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    symbols = [unit.symbol for unit in units if isinstance(unit, Atom)]
    return units[::-1] if symbols in (["N", "C"], ["N", "C", "S"], ["S", "C", "N"]) else units


def _sequence(rest: Sequence[Unit]) -> Sequence[Unit] | None:
    """The known ligand that a run of bare atoms starts with."""
    for pattern in _SEQUENCES:
        head = rest[: len(pattern)]
        if len(head) == len(pattern) and all(
            isinstance(unit, Atom) and (unit.symbol, int(unit.count)) == wanted
            for unit, wanted in zip(head, pattern, strict=True)
        ):
            return head
    return None


def _key(units: tuple[Unit, ...]) -> LigandKey:
    """A ligand's identity: its atoms, and for an ambidentate one the atom it binds with."""
    atoms = _frozen(composition_of(units))
    symbols = [unit.symbol for unit in _flat(units)]
    if frozenset(symbols) in _AMBIDENTATE:
        # By convention the donor stands first; O2N and NO2 both bind by nitrogen.
        donor = "O" if symbols[:2] == ["O", "N"] and symbols.count("O") > 1 else symbols[0]
        return ("N" if symbols == ["O", "N"] else donor, atoms)
    return ("", atoms)


def _flat(units: tuple[Unit, ...]) -> Iterator[Atom]:
    for unit in units:
        if isinstance(unit, Atom):
            yield unit
        elif isinstance(unit, Group):
            yield from _flat(unit.units)
