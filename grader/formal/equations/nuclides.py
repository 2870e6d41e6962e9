"""Nuclides and particles of nuclear equations, in the spellings that answers use."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from grader.formal.formulas.tree import ATOMIC_NUMBER, Unreadable

SYMBOL = {number: symbol for symbol, number in ATOMIC_NUMBER.items()}
NEUTRINO, GAMMA, MISNUMBERED = "ν", "γ", "≠"


@dataclass(frozen=True, slots=True)
class Particle:
    """A nuclide or a particle by mass number and atomic number (charge in elementary charges)."""

    mass: int
    number: int
    kind: str = ""
    """``ν`` or ``γ`` for what has neither, ``m`` for an excited nuclide, ``≠`` where its numbers aren't
    those of its symbol."""
    anti: bool | None = None
    """Of a neutrino: whether it is an antineutrino, where that is said."""

    @property
    def shown(self) -> str:
        """Its usual symbol."""
        if self.kind in (NEUTRINO, GAMMA):
            return ("anti" if self.anti else "") + self.kind
        if self.kind == MISNUMBERED:
            return f"a nuclide with A = {self.mass} and Z = {self.number}"
        light = {(1, 0): "n", (0, -1): "e^-", (0, 1): "e^+"}.get((self.mass, self.number))
        return light or f"^{self.mass}{self.kind}{SYMBOL.get(self.number, '?')}"


_ALPHA, _BETA, _POSITRON = Particle(4, 2), Particle(0, -1), Particle(0, 1)
_NEUTRON, _PROTON = Particle(1, 0), Particle(1, 1)
_PARTICLES: dict[str, Particle] = {
    **dict.fromkeys(("α", "alpha", "a", "α^2+", "He^2+", "αparticle", "alphaparticle"), _ALPHA),
    **dict.fromkeys(("β", "β-", "β^-", "beta", "beta-", "beta^-", "e", "e-", "e^-", "electron"), _BETA),
    **dict.fromkeys(("betaparticle", "βparticle", "negatron", "β^-particle", "β-particle"), _BETA),
    **dict.fromkeys(("β+", "β^+", "beta+", "beta^+", "e+", "e^+", "positron"), _POSITRON),
    **dict.fromkeys(("n", "n^0", "n0", "neutron", "neutrons"), _NEUTRON),
    **dict.fromkeys(("p", "p+", "p^+", "proton", "protons", "H+", "H^+"), _PROTON),
    **dict.fromkeys(("d", "d^+", "D", "deuteron", "deuterium"), Particle(2, 1)),
    **dict.fromkeys(("t", "T", "triton", "tritium"), Particle(3, 1)),
    **dict.fromkeys(("γ", "gamma", "gammaray", "γray", "γ-ray", "gamma-ray", "hν"), Particle(0, 0, GAMMA)),
    **dict.fromkeys(("ν", "ν_e", "νe", "neutrino", "nu"), Particle(0, 0, NEUTRINO)),
    **dict.fromkeys(
        (
            "antineutrino",
            "ν̄",
            "bar(ν)_e",
            "ν̄_e",
            "ν̄e",
            "barν_e",
            "barν",
            "barνe",
            "overlineν_e",
            "antiν",
            "anti-ν",
        ),
        Particle(0, 0, NEUTRINO, True),
    ),
}
_GREEK = {"α": (4, 2), "β": (0, -1), "γ": (0, 0), "ν": (0, 0)}
_SYMBOL = r"(?P<symbol>[A-Z][a-z]?|[a-z]|[αβγν]̄?(?:_e)?)(?P<charge>\^?[0-9]{0,2}[+-])?"
_DIGITS = r"[+-]?[0-9]{1,3}"
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"\^(?P<mass>{_DIGITS})(?P<excited>m?)_(?P<number>{_DIGITS})\s?{_SYMBOL}",
        rf"_(?P<number>{_DIGITS})\^(?P<mass>{_DIGITS})(?P<excited>m?)\s?{_SYMBOL}",
        rf"\^(?P<mass>{_DIGITS})(?P<excited>m?)\s?(?P<number>){_SYMBOL}",
        r"(?P<symbol>[A-Z][a-z]?|α)-(?P<mass>[0-9]{1,3})(?P<excited>m?)(?P<number>)(?P<charge>)",
        r"(?P<symbol>[A-Z][a-z]?)\^(?P<mass>[0-9]{1,3})(?P<excited>m?)(?P<number>)(?P<charge>)",
        rf"_(?P<number>{_DIGITS})(?P<symbol>[A-Z][a-z]?|[a-z])\^(?P<mass>[0-9]{{1,3}})(?P<excited>m?)(?P<charge>)",
        rf"(?P<mass>[0-9]{{1,3}})(?P<excited>m?)(?P<number>){_SYMBOL}",
    )
)
_NAMED = re.compile(r"(?P<name>[a-z]{3,13})[- ](?P<mass>[0-9]{1,3})(?P<excited>m?)", re.I)


@cache
def _element_names() -> dict[str, int]:
    from rdkit import Chem

    table = Chem.GetPeriodicTable()
    names = {table.GetElementName(number).lower(): number for number in range(1, 119)}
    return {**names, "aluminum": 13, "cesium": 55, "sulphur": 16}


def read_particle(text: str) -> Particle:
    """A nuclide or particle from its plain spelling, a mass number under a caret, Z after "_" or left out.

    Numbers that aren't those of the symbol are kept and marked. Raises Unreadable.
    """
    text = text.strip().removesuffix(" particle").removesuffix(" ray").strip()
    known = _PARTICLES.get(text) or _PARTICLES.get(text.lower() if len(text) > 2 else text)
    if known is not None:
        return known
    for form in _FORMS:
        if match := form.fullmatch(text):
            return _nuclide(match)
    if (named := _NAMED.fullmatch(text)) and (number := _element_names().get(named["name"].lower())):
        return _plausible(int(named["mass"]), number, named["excited"])
    raise Unreadable(f"{text} is no nuclide")


def _nuclide(match: re.Match[str]) -> Particle:
    mass, symbol = int(match["mass"]), match["symbol"]
    stated = int(match["number"]) if match["number"] else None
    bare = symbol.removesuffix("_e")
    if bare in ATOMIC_NUMBER:
        number = ATOMIC_NUMBER[bare]
        if stated is not None and stated != number:
            return Particle(mass, stated, MISNUMBERED)
        return _plausible(mass, number, match["excited"])
    known = _PARTICLES.get(bare + (match["charge"] or "")) or _PARTICLES.get(bare)
    if known is None:
        raise Unreadable(f"{symbol} is no element and no particle")
    if stated == 1 and known == _BETA:
        known = _POSITRON
    if mass != known.mass or stated not in (None, known.number):
        return Particle(mass, known.number if stated is None else stated, MISNUMBERED)
    return known


def _plausible(mass: int, number: int, excited: str) -> Particle:
    if not number <= mass <= 3 * number + 1:
        raise Unreadable(f"{mass} is no mass number of {SYMBOL[number]}")
    return Particle(mass, number, "m" if excited else "")
