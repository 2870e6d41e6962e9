"""Where a text names elements and substances: symbols, formulas, and the names of common ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from grader.formal.formulas.tree import ATOMIC_NUMBER, Unreadable, read_formula

_ELEMENTS = (
    "hydrogen helium lithium beryllium boron carbon nitrogen oxygen fluorine neon sodium magnesium "
    "aluminium silicon phosphorus sulfur chlorine argon potassium calcium scandium titanium vanadium "
    "chromium manganese iron cobalt nickel copper zinc gallium germanium arsenic selenium bromine "
    "krypton rubidium strontium yttrium zirconium niobium molybdenum technetium ruthenium rhodium "
    "palladium silver cadmium indium tin antimony tellurium iodine xenon caesium barium lanthanum "
    "cerium praseodymium neodymium promethium samarium europium gadolinium terbium dysprosium "
    "holmium erbium thulium ytterbium lutetium hafnium tantalum tungsten rhenium osmium iridium "
    "platinum gold mercury thallium lead bismuth polonium astatine radon francium radium actinium "
    "thorium protactinium uranium neptunium plutonium americium curium"
)
ELEMENT_NAMES = _ELEMENTS.split()
"""IUPAC names of the elements in the order of atomic numbers."""
_OTHER_NAMES = {"aluminum": "Al", "sulphur": "S", "cesium": "Cs", "wolfram": "W"}
_IN_ANIONS = {
    "oxo": "O", "hydroxide": "O", "fluorides": "F", "chlorides": "Cl", "oxides": "O",
    "hydrogens": "H", "oxygens": "O", "chlorines": "Cl", "fluorines": "F", "carbons": "C", "nitrogens": "N",
}  # fmt: skip
COMPLEX_STEMS = {
    "ferrate": "Fe", "cuprate": "Cu", "argentate": "Ag", "plumbate": "Pb", "stannate": "Sn", "aurate": "Au",
    "cobaltate": "Co", "nickelate": "Ni", "platinate": "Pt", "palladate": "Pd", "chromate": "Cr",
    "manganate": "Mn",
    "vanadate": "V", "zincate": "Zn", "aluminate": "Al", "tungstate": "W", "molybdate": "Mo",
    "titanate": "Ti",
    "mercurate": "Hg", "rhodate": "Rh", "iridate": "Ir", "osmate": "Os", "ruthenate": "Ru", "rhenate": "Re",
    "cadmate": "Cd", "sulfate": "S", "nitrate": "N", "chlorate": "Cl", "phosphate": "P",
}  # fmt: skip
"""Endings by which the names of anions say their central atom (IUPAC Red Book 2005, table X)."""
_SUBSTANCES = {
    "permanganate": "MnO4-", "manganate": "MnO4^2-", "dichromate": "Cr2O7^2-", "chromate": "CrO4^2-",
    "sulfate": "SO4^2-",
    "sulfite": "SO3^2-", "thiosulfate": "S2O3^2-", "tetrathionate": "S4O6^2-", "peroxodisulfate": "S2O8^2-",
    "persulfate": "S2O8^2-", "nitrate": "NO3-", "nitrite": "NO2-", "ammonium": "NH4+", "ammonia": "NH3",
    "carbonate": "CO3^2-", "oxalate": "C2O4^2-", "phosphate": "PO4^3-", "phosphite": "PO3^3-",
    "perchlorate": "ClO4-",
    "chlorate": "ClO3-", "chlorite": "ClO2-", "hypochlorite": "ClO-", "bromate": "BrO3-", "iodate": "IO3-",
    "periodate": "IO4-", "hydrogen peroxide": "H2O2", "water": "H2O", "methane": "CH4", "ethane": "C2H6",
    "carbon dioxide": "CO2", "carbon monoxide": "CO", "nitric acid": "HNO3", "nitrous acid": "HNO2",
    "sulfuric acid": "H2SO4", "sulfurous acid": "H2SO3", "phosphoric acid": "H3PO4", "hydrazine": "N2H4",
    "hydroxylamine": "NH2OH", "superoxide": "O2-", "peroxide": "O2^2-", "manganese dioxide": "MnO2",
    "magnetite": "Fe3O4", "hematite": "Fe2O3", "ferrocene": "Fe(C5H5)2", "nickel tetracarbonyl": "Ni(CO)4",
    "nitric oxide": "NO", "nitrogen dioxide": "NO2", "nitrous oxide": "N2O", "sulfur dioxide": "SO2",
    "sulfur trioxide": "SO3", "hydrogen sulfide": "H2S", "formaldehyde": "CH2O", "methanol": "CH3OH",
    "formic acid": "HCOOH", "acetic acid": "CH3COOH", "potassium permanganate": "KMnO4",
    "potassium dichromate": "K2Cr2O7", "potassium superoxide": "KO2", "sodium peroxide": "Na2O2",
}  # fmt: skip
_AMBIGUOUS = frozenset(["I", "In", "As", "At", "No", "He", "Be", "Am", "Es", "La", "Co"])
_ANIONS = {
    "fluoride": ("F", -1), "chloride": ("Cl", -1), "bromide": ("Br", -1), "iodide": ("I", -1),
    "oxide": ("O", -2),
    "hydride": ("H", -1), "sulfide": ("S", -2), "nitride": ("N", -3),
}  # fmt: skip
_OF_COMPOUND = re.compile(r"[ ](?:[a-z]{0,20}(?:ide|ate|ite)s?\b|complex|compound|salt|cent|state)")
_ROMAN = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8}
_WORDS = {
    **dict(zip(ELEMENT_NAMES, ATOMIC_NUMBER, strict=False)), **_OTHER_NAMES, **_IN_ANIONS,
}  # fmt: skip
_NAME = re.compile(
    r"(?<![A-Za-z])(?P<name>"
    + "|".join(sorted((*_WORDS, *_SUBSTANCES, *_ANIONS), key=len, reverse=True))
    + r")(?:[ ]?\((?P<state>[IV]{1,4}|0)\))?(?P<ion>[ ](?:ions?|cations?)\b)?(?![a-z])",
    re.I,
)
_FORMULA = re.compile(
    r"(?<![A-Za-z0-9_^\])])(?:\[(?=[A-Z(][^\]\n]{2,60}\][0-9^+-])|(?=[A-Z(]))[A-Z(][A-Za-z0-9()\[\]·]{0,60}"
    r"(?:\^\(?[0-9]{0,2}[+-]\)?|(?<=[A-Za-z0-9)\]])[0-9]?[+-](?![A-Za-z0-9(]))?"
)
_CORE = re.compile(r"\[(?:He|Ne|Ar|Kr|Xe|Rn)\]")
_STOCK = re.compile(r"\((?:[IV]{1,4}|0)\)$")

Key = tuple[frozenset[tuple[str, str]], int]
"""Composition and charge."""


@dataclass(frozen=True, slots=True)
class Mention:
    """An element or a substance that is named at ``plain[start:end]``."""

    start: int
    end: int
    elements: frozenset[str]
    keys: frozenset[Key]
    """The readings of a substance; empty for an element as such."""

    @property
    def substance(self) -> bool:
        """Whether a substance is named, and no element as such."""
        return bool(self.keys)

    @property
    def ion(self) -> int | None:
        """The charge of a monatomic ion."""
        charges = {
            charge
            for atoms, charge in self.keys
            if len(atoms) == 1 and all(count == "1" for _, count in atoms)
        }
        return charges.pop() if len(charges) == 1 and 0 not in charges else None


@lru_cache(maxsize=2048)
def keys_of(formula: str) -> frozenset[Key]:
    """The readings of a formula; none if it is no formula."""
    try:
        readings = read_formula(formula)
    except Unreadable:
        return frozenset()
    return frozenset(
        (frozenset((symbol, str(count)) for (symbol, _), count in one.composition.items()), one.charge)
        for one in readings
    )


def mentions(plain: str) -> list[Mention]:
    """Every element and substance that a plain text names, in order."""
    found = [*_named(plain), *_written(plain)]
    return sorted(found, key=lambda one: (one.start, -one.end))


def _named(plain: str) -> Iterator[Mention]:
    for match in _NAME.finditer(plain):
        name = match["name"].lower()
        formula = _SUBSTANCES.get(name)
        if formula is not None:
            keys = keys_of(formula)
            yield Mention(*match.span(), frozenset(symbol for atoms, _ in keys for symbol, _ in atoms), keys)
            continue
        if name in _ANIONS:
            yield Mention(*match.span(), frozenset([_ANIONS[name][0]]), _ion(*_ANIONS[name]))
            continue
        element = _WORDS[name]
        ionic = match["state"] in _ROMAN and not _OF_COMPOUND.match(plain, match.end())
        keys = _ion(element, _ROMAN[match["state"]]) if ionic else frozenset()
        yield Mention(*match.span(), frozenset([element]), keys)


@cache
def _ion(element: str, charge: int) -> frozenset[Key]:
    return frozenset([(frozenset([(element, "1")]), charge)])


def _written(plain: str) -> Iterator[Mention]:
    cores = {match.start() for match in _CORE.finditer(plain)}
    for match in _FORMULA.finditer(plain):
        start, text = _unwrapped(match.start(), match.group())
        text = _STOCK.sub("", text)
        end = start + len(text)
        if not text or not (text[0].isupper() or text[0] in "[(") or {start, start - 1} & cores:
            continue
        if text in ATOMIC_NUMBER:
            if not _is_word(plain, text, end):
                yield Mention(start, end, frozenset([text]), frozenset())
            continue
        keys = keys_of(text)
        if keys and not re.fullmatch(r"[IVX]+", text):
            yield Mention(start, end, frozenset(symbol for atoms, _ in keys for symbol, _ in atoms), keys)


def _unwrapped(start: int, text: str) -> tuple[int, str]:
    """A formula without brackets around it or left open, and where it starts."""
    text = text.rstrip("(")
    while text.endswith(")") and text.count(")") > text.count("("):
        text = text[:-1]
    while text.startswith("(") and (text.count("(") > text.count(")") or text.find(")") == len(text) - 1):
        text, start = (
            text[1:].removesuffix(")") if text.count("(") == text.count(")") else text[1:],
            start + 1,
        )
    return start, text


def _is_word(plain: str, symbol: str, end: int) -> bool:
    """Whether an element's symbol is an English word or a pronoun where it stands."""
    return (
        symbol in _AMBIGUOUS
        and symbol != "Co"
        and not re.match(r"\"?\s?(?:[:=|(]|is\s[-+0-9]|has\b)", plain[end : end + 6])
    )


def elements_of(name: str) -> str | None:
    """The element that a symbol or a name says."""
    bare = name.strip()
    return bare if bare in ATOMIC_NUMBER else _WORDS.get(bare.lower())
