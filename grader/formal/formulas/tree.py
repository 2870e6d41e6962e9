"""Reading a formula: plain text to a tree of atoms, groups and charges, by a lark grammar.

What ASCII loses is told apart before the grammar sees it: ``SO42-`` is SO4 with
charge 2-, ``Ca2+`` has a charge and no subscript, ``NH4+`` a subscript and a
charge of one. ``O2-`` could be oxide or superoxide and has two readings.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from importlib.resources import files

from lark import Lark, Token, Tree
from lark.exceptions import LarkError

MAX_CHARACTERS = 200
_PERIODIC_TABLE = (
    "H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr "
    "Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb "
    "Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr "
    "Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og"
)
_SYMBOLS = _PERIODIC_TABLE.split(" ")
ATOMIC_NUMBER = {symbol: number for number, symbol in enumerate(_SYMBOLS, 1)}
_HYDROGENS = {"D": 2, "T": 3}
_NONMETALS = "H He B C N O F Ne Si P S Cl Ar Ge As Se Br Kr Te I Xe At Rn"
NONMETALS = frozenset(_NONMETALS.split(" "))
_HALOGENS = frozenset(["F", "Cl", "Br", "I"])

ABBREVIATIONS: dict[str, str] = {
    "en": "C2H8N2", "py": "C5H5N", "bpy": "C10H8N2", "bipy": "C10H8N2", "phen": "C12H8N2",
    "acac": "C5H7O2", "ox": "C2O4", "edta": "C10H12N2O8", "EDTA": "C10H12N2O8", "dien": "C4H13N3",
    "pn": "C3H10N2", "tn": "C3H10N2",
    "trien": "C6H18N4", "terpy": "C15H11N3", "gly": "C2H4NO2", "dppe": "C26H24P2",
    "dmso": "C2H6OS", "DMSO": "C2H6OS", "dmf": "C3H7NO", "DMF": "C3H7NO", "thf": "C4H8O", "THF": "C4H8O",
    "Me": "CH3", "Et": "C2H5", "iPr": "C3H7", "i-Pr": "C3H7", "nPr": "C3H7", "n-Pr": "C3H7",
    "iBu": "C4H9", "i-Bu": "C4H9", "sBu": "C4H9", "s-Bu": "C4H9", "tBu": "C4H9", "t-Bu": "C4H9",
    "nBu": "C4H9", "n-Bu": "C4H9", "Bu": "C4H9", "Ph": "C6H5", "Bn": "C7H7", "Ac": "C2H3O", "Cp": "C5H5",
    "Tf": "CF3SO2",
}  # fmt: skip
"""Ligands and groups that chemists write short, by composition."""


class Unreadable(ValueError):
    """A text that is no formula; the message says why, as the end of a sentence."""


@dataclass(frozen=True, slots=True)
class Atom:
    """An element, or an isotope of it, and how many."""

    symbol: str
    mass: int | None
    count: Fraction


@dataclass(frozen=True, slots=True)
class Short:
    """An abbreviated group, and how many."""

    name: str
    count: Fraction


@dataclass(frozen=True, slots=True)
class Group:
    """A bracketed group, its opening bracket, and how many."""

    bracket: str
    units: tuple[Unit, ...]
    count: Fraction


@dataclass(frozen=True, slots=True)
class Bond:
    """A bond that is written out."""

    order: int


@dataclass(frozen=True, slots=True)
class Charge:
    """A charge in units of the elementary charge."""

    value: int


Unit = Atom | Short | Group | Bond | Charge
Composition = dict[tuple[str, int | None], Fraction]


@dataclass(frozen=True, slots=True)
class Part:
    """What stands between hydrate dots."""

    coefficient: Fraction
    units: tuple[Unit, ...]


@dataclass(frozen=True)
class Formula:
    """One reading of a formula."""

    text: str
    parts: tuple[Part, ...] = field(default=())
    stereo: str = ""
    """The geometry or configuration that stands in front of it: ``trans``, ``fac``, ``Δ``."""

    @cached_property
    def composition(self) -> Composition:
        """Atoms by element and mass number."""
        total: Counter[tuple[str, int | None]] = Counter()
        for part in self.parts:
            _count(part.units, part.coefficient, total)
        return {key: Fraction(count) for key, count in total.items() if count}

    @cached_property
    def charge(self) -> int:
        """The charge of everything together."""
        return int(sum(part.coefficient * charge_of(part.units) for part in self.parts))

    @cached_property
    def has_square(self) -> bool:
        """Whether it states a coordination sphere in square brackets."""
        return any(
            isinstance(unit, Group) and unit.bracket == "[" for part in self.parts for unit in part.units
        )


def _count(units: tuple[Unit, ...], times: Fraction, total: Counter[tuple[str, int | None]]) -> None:
    for unit in units:
        if isinstance(unit, Atom):
            total[unit.symbol, unit.mass] += unit.count * times  # type: ignore[assignment]
        elif isinstance(unit, Short):
            _count(short_units(unit.name), unit.count * times, total)
        elif isinstance(unit, Group):
            _count(unit.units, unit.count * times, total)


def composition_of(units: tuple[Unit, ...]) -> Composition:
    """Atoms of a sequence of units."""
    total: Counter[tuple[str, int | None]] = Counter()
    _count(units, Fraction(1), total)
    return {key: Fraction(count) for key, count in total.items()}


def charge_of(units: tuple[Unit, ...]) -> Fraction:
    """The charge of a sequence of units."""
    total = Fraction(0)
    for unit in units:
        if isinstance(unit, Charge):
            total += unit.value
        elif isinstance(unit, Group):
            total += unit.count * charge_of(unit.units)
    return total


@cache
def short_units(name: str) -> tuple[Unit, ...]:
    """The atoms of an abbreviated group."""
    return _parse(ABBREVIATIONS[name]).parts[0].units


def read_formula(plain: str) -> tuple[Formula, ...]:
    """The readings of a formula in plain spelling, nearly always one; raises Unreadable."""
    read = _read_once(plain)
    if isinstance(read, str):
        raise Unreadable(read)
    return read


@lru_cache(maxsize=4096)
def _read_once(plain: str) -> tuple[Formula, ...] | str:
    """The readings or why there are none: an answer may hold the same bracket a thousand times."""
    try:
        return _read(plain)
    except Unreadable as error:
        return str(error)


def _read(plain: str) -> tuple[Formula, ...]:
    if len(plain) > MAX_CHARACTERS:
        raise Unreadable(f"it is longer than {MAX_CHARACTERS} characters")
    stereo = "-".join(sorted(match[0].strip("()-").lower() for match in STEREO.finditer(plain.strip())))
    text = _tidy(plain)
    if not text:
        raise Unreadable("it is empty")
    readings, problem = [], None
    for spelled in _charges(text):
        try:
            readings.append(replace(_parse(spelled), stereo=stereo))
        except Unreadable as error:
            problem = error
    readings = [one for one in readings if one.composition]
    if not readings:
        raise problem or Unreadable("it is no formula")
    return tuple(readings)


_STATE = re.compile(r"\s?\((?:aq|s|l|g|cr|c)\)$|\s?[↓↑]$")
_DOTS = re.compile(r"\s?[·•*×⋅]\s?|\sx\s(?=[0-9]{0,2}\s?H2O)")
_FULL_STOP = re.compile(
    r"(?<=[A-Za-z0-9)\]])(?<![.·][0-9])\s?\.\s?(?=[0-9]{0,2}(?:[./][0-9])?\s?(?:[A-Z(\[]))"
)
_AMOUNT = re.compile(r"(?<=·)([0-9./]{1,5})\s(?=[A-Z(\[])")
_SPACED_CHARGE = re.compile(r"\s(?=\^?\(?[0-9]?[+-]\)?$)")
_OXIDATION = re.compile(
    r"\^\(?(?:I{1,3}|IV|VI{0,3})\)?(?![A-Za-z])|(?<=[a-z])\((?:I{2,3}|IV|VI{0,3})\)(?![0-9])"
)
STEREO = re.compile(r"(?:(?<=^)|(?<=-)|(?<=\())\(?(?:trans|cis|fac|mer|[ΔΛ])\)?-(?=[\w(\[])", re.I)
_DESCRIPTOR = re.compile(r"(?:[ηκμ]\^?_?[0-9]?|η[0-9])-(?=[A-Z(\[])")
MANY = 97
"""The number that the letter n of a polymer or a series stands for: no answer means it by itself."""
_REPEATED = re.compile(r"(?<=[)\]])-?_?n(?![a-z0-9])")
_SERIES = re.compile(
    r"(?:(?:Cl|Br|[CHONFI](?![a-mo-z]))_?\(?(?:[0-9]{0,2}n(?:[+-][0-9])?|[0-9]{0,2})\)?){2,6}"
)
_MEMBER = re.compile(r"_?\(?(?P<times>[0-9]{0,2})n(?P<more>[+-][0-9])?\)?")
_ACETATE = re.compile(r"\A(?:(?P<cation>H|Na|K|NH4)Ac\Z|Ac(?=\^?-\Z))")
"""Ac for acetate, in HAc or Ac-; actinium forms neither."""
_BUTYL = re.compile(
    r"(?<![A-Za-z0-9])(?P<kind>n|iso|i|sec|s|tert|t)-?(?:C(?P<size>3H7|4H9)(?![0-9])|(?P<name>Pr|Bu)(?![a-z]))"
)


def _tidy(plain: str) -> str:
    """The text with one hydrate dot, no state, no spaces inside, no descriptors of geometry or hapticity."""
    text = _STATE.sub("", plain.strip().strip("$")).strip()
    text = PARTED.sub(r"\1", _DESCRIPTOR.sub("", STEREO.sub("", text)))
    text = _ACETATE.sub(lambda one: f"CH3COO{one['cation'] or ''}", _counted(text))
    text = _BUTYL.sub(lambda m: f"{m['kind'][0]}{m['name'] or ('Pr' if m['size'] == '3H7' else 'Bu')}", text)
    text = _DOTS.sub("·", text)
    text = _FULL_STOP.sub("·", text)
    text = _AMOUNT.sub(r"\1", text)
    text = _SPACED_CHARGE.sub("", text)
    lone = re.fullmatch(r"[A-Z][a-z]?(?:\((?:I{1,3}|IV|VI{0,3})\)|\^\(?(?:I{1,3}|IV|VI{0,3})\)?)", text)
    if lone:
        raise Unreadable("it states an oxidation state, not a formula")
    return _OXIDATION.sub("", text).replace("_", "").strip("·")


def _counted(text: str) -> str:
    """The text with a number for the letter n: (C2H4)n, CnH2n+2."""
    text = _REPEATED.sub(str(MANY), text)
    if "n" not in text or not _SERIES.fullmatch(text):
        return text
    return _MEMBER.sub(lambda one: str(int(one["times"] or 1) * MANY + int(one["more"] or 0)), text)


_METAL = r"(?:Li|Na|K|Rb|Cs|NH4|Ag|Mg|Ca|Sr|Ba|Al|Cr|Mn|Fe|Co|Ni|Cu|Zn|Cd|Hg|Sn|Pb)[2-9]?"
_ANION = (
    r"(?:(?:Al|Cr|Fe|V)\(SO4\)2|\([A-Z][A-Za-z0-9]{1,12}\)[2-9]|\[[A-Z]|H?(?:SO[34]|CO3|PO4)(?![0-9])|H2PO4|"
    r"S2O[38]|NO[23](?![0-9])|OH(?![a-z])|(?:Cl|Br|I)O[1-4]|MnO4|CrO4|Cr2O7)"
)
PARTED = re.compile(rf"(?<![A-Za-z0-9)\]])({_METAL})[ ](?={_ANION})")
"""A cation and the anion that a space parts from it: ``K Al(SO4)2``."""
_CARETED = re.compile(r"\^\(?(?:[0-9]{0,2}[+-]|[+-][0-9]{1,2}|[+]{2,4}|-{2,4})\)?$")
_BRACKETED_CHARGE = re.compile(r"\((?:[0-9]{1,2}[+-]|[+-][0-9]{0,2})\)$")
_BARE_CHARGE = re.compile(r"(?P<digits>[0-9]{0,4})(?P<sign>[+-])$")


def _charges(text: str) -> Iterator[str]:
    """The text with its last charge under a caret, in every way it can be read."""
    if repeated := re.search(r"\^?\(?([+]{2,4}|-{2,4})\)?$", text):
        yield f"{text[: repeated.start()]}^{len(repeated[1])}{repeated[1][0]}"
    elif _CARETED.search(text):
        yield text
    elif bracketed := _BRACKETED_CHARGE.search(text):
        yield f"{text[: bracketed.start()]}^{bracketed[0].strip('()')}"
    elif signed := re.search(r"(?<=[A-Za-z0-9)\]])([+-][1-9])$", text):
        yield f"{text[: signed.start()]}^{signed[1]}"
    elif bare := _BARE_CHARGE.search(text):
        yield from _bare_charges(text[: bare.start()], bare["digits"], bare["sign"])
    else:
        yield text


def _bare_charges(core: str, digits: str, sign: str) -> Iterator[str]:
    """Digits before a sign: a subscript, a charge, or both."""
    if not digits:
        yield f"{core}^{sign}"
    elif len(digits) >= 2 and digits[-1] not in "01":
        yield f"{core}{digits[:-1]}^{digits[-1]}{sign}"
    elif len(digits) >= 2:
        yield f"{core}{digits}^{sign}"
    elif core.endswith("]") or (core in ATOMIC_NUMBER and core not in NONMETALS):
        yield f"{core}^{digits}{sign}"
    elif core in ATOMIC_NUMBER and core not in _HALOGENS:
        yield f"{core}^{digits}{sign}"
        yield f"{core}{digits}^{sign}"
    else:
        yield f"{core}{digits}^{sign}"


@cache
def _parser() -> Lark:
    elements = "|".join(sorted([*_SYMBOLS, *_HYDROGENS], key=len, reverse=True))
    # "Ac" is acetyl beside oxygen and actinium elsewhere.
    plain = sorted((name for name in ABBREVIATIONS if name != "Ac"), key=len, reverse=True)
    short = "|".join([*map(re.escape, plain), "Ac(?=2?O)", "(?<=O)Ac"])
    grammar = files("grader.formal.formulas").joinpath("grammar.lark").read_text(encoding="utf-8")
    terminals = f"ELEMENT: /{elements}/\nABBREVIATION.2: /{short}/\n"
    return Lark(grammar.replace("%declare ELEMENT ABBREVIATION", terminals), start="formula", parser="lalr")


_PAIRS = {"(": ")", "[": "]", "{": "}"}


def _parse(text: str) -> Formula:
    try:
        tree = _parser().parse(text)
        return Formula(text, tuple(_part(part) for part in tree.children if isinstance(part, Tree)))
    except (LarkError, RecursionError):
        raise Unreadable("it doesn't read as a formula") from None


def _part(tree: Tree[Token]) -> Part:
    coefficient, units = Fraction(1), []
    for child in tree.children:
        assert isinstance(child, Tree)
        if child.data == "coefficient":
            top, bottom = child.children
            coefficient = _number(top) / _number(bottom)
        else:
            units.append(_unit(child))
    return Part(coefficient, tuple(units))


def _number(token: Token | Tree[Token] | None) -> Fraction:
    value = Fraction(str(token)) if token is not None else Fraction(1)
    if value == 0:
        raise Unreadable("it holds a count of zero")
    return value


def _unit(tree: Tree[Token]) -> Unit:
    match str(tree.data):
        case "atom":
            return _atom(*tree.children)
        case "short":
            return Short(str(tree.children[0]), _number(tree.children[1]))
        case "bond":
            return Bond({"-": 1, "=": 2}.get(str(tree.children[0]), 3))
        case "charge":
            return Charge(_charge(str(tree.children[0])))
    bracket, *inner, close, count = tree.children
    if _PAIRS[str(bracket)] != str(close):
        raise Unreadable("its brackets don't match")
    units = tuple(_unit(child) for child in inner if isinstance(child, Tree))
    return Group(str(bracket), units, _number(count))


def _atom(
    nuclide: Tree[Token] | Token | None,
    element: Tree[Token] | Token | None,
    count: Tree[Token] | Token | None,
) -> Atom:
    symbol = str(element)
    if symbol in _HYDROGENS:
        return Atom("H", _HYDROGENS[symbol], _number(count))
    if not isinstance(nuclide, Tree):
        return Atom(symbol, None, _number(count))
    mass = int(str(nuclide.children[0])[1:])
    number = ATOMIC_NUMBER[symbol]
    if not number <= mass <= 3 * number + 1:
        raise Unreadable(f"{mass} is no mass number of {symbol}")
    return Atom(symbol, None if mass == 1 else mass, _number(count))  # H is protium wherever isotopes count


def _charge(text: str) -> int:
    body = text.strip("^()")
    sign = -1 if "-" in body else 1
    return sign * int(body.strip("+-") or 1)
