"""Reading InChIs: one spelling of the text, its layers, the molecule, and the key.

What a standard InChI loses (tautomers that share mobile hydrogens, the bonds
of metals, axes and allenes) is said by `inchi_comparison`, not here.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rdkit import Chem, rdBase
from rdkit.Chem import rdinchi

from grader.formal.structures.structure import Structure, Unreadable
from grader.problem.checks import StructureModel

MAX_CHARACTERS = 4000
"""Longer texts are no InChI anyone asks for."""

_PREFIX = re.compile(r"\A(?:InChI\s{0,2}[=:]?\s{0,2}(?:InChI\s{0,2}[=:]\s{0,2})?)?1(S?)\s{0,2}/", re.I)
_KEY = re.compile(r"\A([A-Z]{14})(?:-([A-Z]{10})(?:-([A-Z]))?)?\Z")
_STEREO = frozenset("btms")
_LATER = frozenset("ifr")
"""The letters that open the isotopic, the fixed-H and the reconnected part."""


def spelled_inchi(text: str) -> str | None:
    """An InChI without spaces, line breaks and escapes, its prefix complete; None if it is none."""
    bare = re.sub(r"[\s_]+|\\(?=[-/=+*(),;!.])", "", text)
    prefix = _PREFIX.match(bare)
    if prefix is None or prefix.end() == len(bare):
        return None
    return f"InChI=1{prefix[1].upper()}/{bare[prefix.end() :]}"


def key_blocks(text: str) -> tuple[str, str, str] | None:
    """The blocks of an InChIKey in upper case, missing ones empty; None if it is none."""
    found = _KEY.match(re.sub(r"\s+", "", text).upper())
    return None if found is None else (found[1], found[2] or "", found[3] or "")


@lru_cache(maxsize=512)
def read_inchi(text: str) -> Structure:
    """The structure that an InChI (as `spelled_inchi` spells it) writes; raises Unreadable.

    Layers that contradict each other or are left out make no structure; a
    parity that no canonical InChI has is read as it stands.
    """
    if len(text) > MAX_CHARACTERS:
        raise Unreadable(f"it is longer than {MAX_CHARACTERS} characters")
    if "/s1" in text and "/m" not in text:
        raise Unreadable("it says that the configuration is absolute, but not which")
    try:
        with rdBase.BlockLogs():
            mol, _, message, _ = rdinchi.InchiToMol(text)
    except ValueError as error:  # chlorate comes out of InChI with a valence that RDKit refuses
        raise Unreadable("RDKit refuses its valences") from error
    if mol is None or mol.GetNumAtoms() == 0:
        raise Unreadable("its layers make no molecule")
    if re.search(r"Hydrogens|Number|Charge", message):
        raise Unreadable("its layers contradict each other, or one is missing")
    return Structure(text, mol, (), _unheld(text, mol))


def _unheld(text: str, mol: Chem.Mol) -> str:
    """Stereo that the molecule doesn't hold, or holds though the InChI leaves it open (within polyenes)."""
    return "" if _parities(text) == _parities(inchi_of(mol)) else "stereo that RDKit reads otherwise"


def _parities(text: str) -> int:
    """How many centres and double bonds have a parity in an InChI."""
    return sum(
        len(re.findall("[0-9][+-]", layer)) for layer in text.split("/")[2:] if layer[:1] in ("b", "t")
    )


def inchi_of(mol: Chem.Mol) -> str:
    """The standard InChI of a molecule; empty where it has none."""
    with rdBase.BlockLogs():
        return str(Chem.MolToInchi(mol))


def key_of(inchi: str) -> str:
    """The InChIKey of an InChI; empty where it has none."""
    with rdBase.BlockLogs():
        return str(Chem.InchiToInchiKey(inchi) or "")


def is_canonical(text: str) -> bool:
    """Whether reading and writing an InChI leads back to it (its standard part)."""
    structure = read_inchi(text)
    return bare_layers(inchi_of(structure.mol)) == bare_layers(text)


def bare_layers(text: str) -> tuple[str, ...]:
    """The layers of an InChI up to the fixed-H or the reconnected part."""
    return tuple(_without(text, frozenset("fr"), frozenset()))


def has_fixed_hydrogens(text: str) -> bool:
    """Whether an InChI has a fixed-H or a reconnected part, which standard InChIs never have."""
    return any(layer[:1] in ("f", "r") for layer in text.split("/")[2:])


def layers(text: str, options: StructureModel, *, skip: str = "") -> tuple[str, ...]:
    """The layers of an InChI that count under the options of a check.

    ``skip``: letters of further layers that don't.
    """
    parts, letters = set(), set(skip)
    if options.isotopes == "ignore":
        parts.add("i")
    if options.tautomers == "same":
        parts.add("f")
    if options.stereo == "ignore":
        letters |= _STEREO
    if options.charge_state == "neutralise":
        letters.add("p")
    if options.stereo == "relative" and not re.search(r"/m[01.]*\.", text):
        letters |= {"m", "s"}
    return tuple(_without(text, frozenset(parts), frozenset(letters)))


def _without(text: str, parts: frozenset[str], letters: frozenset[str]) -> list[str]:
    _, formula, *rest = text.split("/")
    kept, part = [formula], ""
    for layer in rest:
        letter = layer[:1]
        part = letter if letter in _LATER else part
        if part not in parts and letter not in letters:
            kept.append(layer)
    return kept
