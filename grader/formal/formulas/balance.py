"""Whether a written equation balances: atoms and charge, or mass and atomic numbers of a nuclear one."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from grader.answer.notation import normalise
from grader.formal.formulas.match import shown
from grader.formal.formulas.tree import ATOMIC_NUMBER, Composition, Unreadable, read_formula

_ARROW = re.compile(r"\s*(?:<=>|<->|<-->|->|-->|=>|(?<![<>=])=(?![>=]))\s*")
_PLUS = re.compile(r"\s+\+\s+")
_TIGHT_PLUS = re.compile(r"(?<=[A-Za-z0-9)\]])\+(?=[0-9]*[A-Z\[])")
_TERM = re.compile(r"(?P<count>[0-9]+/[0-9]+|[0-9]*\.?[0-9]+)?\s*(?P<body>\S.*)", re.S)
_STATE = re.compile(r"\s*\((?:aq|s|l|g)\)$")
_ELECTRON = re.compile(r"e\^?-")
_NUCLIDE = re.compile(
    r"\^\{?(?P<mass>-?[0-9]+)\}?_\{?(?P<number>-?[0-9]+)\}?\s*(?P<symbol>[A-Za-zαβγν]+[+-]?)"
)
_MASS_ONLY = re.compile(
    r"\^\{?(?P<mass>[0-9]+)\}?\s*(?P<symbol>[A-Z][a-z]?)|(?P<name>[A-Z][a-z]?)-(?P<number>[0-9]+)"
)
_PARTICLES: dict[str, tuple[int, int]] = {
    "n": (1, 0), "p": (1, 1), "e-": (0, -1), "e+": (0, 1), "β-": (0, -1), "β": (0, -1), "β+": (0, 1),
    "α": (4, 2), "γ": (0, 0), "ν": (0, 0),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Imbalance:
    """What one side has more of than the other, right minus left, in words."""

    text: str


def imbalance(equation: str, *, nuclear: bool = False) -> Imbalance | None:
    """The imbalance of an equation, None if it balances.

    Raises Unreadable where a side or a term can't be read.
    """
    if nuclear:
        return _nuclear(equation)
    atoms: Composition = {}
    charge = Fraction(0)
    for sign, term in _terms(normalise(equation).plain):
        count, composition, term_charge = _term(term)
        charge += sign * count * term_charge
        for key, number in composition.items():
            atoms[key] = atoms.get(key, Fraction(0)) + sign * count * number
    excess = {key: number for key, number in atoms.items() if number}
    parts = []
    if gained := {key: number for key, number in excess.items() if number > 0}:
        parts.append(f"{shown(gained)} more on the right")
    if lost := {key: -number for key, number in excess.items() if number < 0}:
        parts.append(f"{shown(lost)} more on the left")
    if charge:
        parts.append(
            f"the charge differs by {charge:+}"
            if charge.denominator != 1
            else f"the charge differs by {int(charge):+d}"
        )
    return Imbalance(", ".join(parts)) if parts else None


def _terms(plain: str) -> list[tuple[int, str]]:
    """The terms of both sides with their sign: -1 on the left, 1 on the right."""
    sides = _ARROW.split(plain.strip())
    if len(sides) != 2:
        raise Unreadable("it has no single arrow")
    pairs = zip((-1, 1), sides, strict=True)
    return [(sign, term) for sign, side in pairs for term in _split(side.strip())]


def _split(side: str) -> list[str]:
    """The terms of one side; plus signs without spaces join terms only where none has spaces."""
    spaced = _PLUS.split(side)
    return spaced if len(spaced) > 1 else _TIGHT_PLUS.split(side)


def _term(term: str) -> tuple[Fraction, Composition, int]:
    found = _TERM.fullmatch(_STATE.sub("", term.strip()))
    if found is None:
        raise Unreadable("it has an empty term")
    count = Fraction(found["count"] or 1)
    if _ELECTRON.fullmatch(found["body"].strip()):
        return count, {}, -1
    readings = read_formula(found["body"].strip())
    if len(readings) > 1:
        raise Unreadable(f"the charge of {found['body']} can be read in two ways")
    return count, readings[0].composition, readings[0].charge


def _nuclear(equation: str) -> Imbalance | None:
    totals: Counter[str] = Counter()
    sides = re.split(r"\s*(?:->|→|-->|=)\s*", equation.strip())
    if len(sides) != 2:
        raise Unreadable("it has no single arrow")
    for sign, side in zip((-1, 1), sides, strict=True):
        for term in re.split(r"\s+\+\s+", side):
            count, mass, number = _particle(term.strip())
            totals["mass number"] += sign * count * mass
            totals["atomic number"] += sign * count * number
    parts = [f"the {name} differs by {total:+d}" for name, total in totals.items() if total]
    return Imbalance(", ".join(parts)) if parts else None


def _particle(term: str) -> tuple[int, int, int]:
    """Count, mass number and atomic number of a term such as ``3 ^1_0n``."""
    found = re.fullmatch(r"(?P<count>[0-9]+)?\s*(?P<body>\S+)", term)
    if found is None:
        raise Unreadable(f"{term} is no nuclide")
    count, body = int(found["count"] or 1), found["body"]
    if body in _PARTICLES:
        return (count, *_PARTICLES[body])
    if nuclide := _NUCLIDE.fullmatch(body):
        _agreeing(nuclide["symbol"], int(nuclide["number"]))
        return count, int(nuclide["mass"]), int(nuclide["number"])
    if light := _MASS_ONLY.fullmatch(body):
        symbol = light["symbol"] or light["name"]
        if symbol in ATOMIC_NUMBER:
            return count, int(light["mass"] or light["number"]), ATOMIC_NUMBER[symbol]
    raise Unreadable(f"{term} is no nuclide")


def _agreeing(symbol: str, number: int) -> None:
    if symbol in ATOMIC_NUMBER and symbol != "n" and ATOMIC_NUMBER[symbol] != number:
        raise Unreadable(f"{symbol} doesn't have the atomic number {number}")
