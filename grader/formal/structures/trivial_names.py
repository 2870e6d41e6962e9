"""Trivial names of common compounds, from the table beside this module.

They are names that OPSIN doesn't know or takes for something else, and names
that chemists use daily. The table holds, by name: a SMILES, a systematic
synonym that OPSIN reads, and the source. A name with capitals inside is an
abbreviation, known in that spelling only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib import resources

from rdkit import Chem
from rdkit.Chem import rdCIPLabeler
from rdkit.Chem.EnumerateStereoisomers import EnumerateStereoisomers, StereoEnumerationOptions


@cache
def _table() -> dict[str, list[str]]:
    lines = resources.files(__package__).joinpath("trivial_names.tsv").read_text("utf-8").splitlines()
    return {name: rest for name, *rest in (line.split("\t") for line in lines[1:])}


NAMES: Mapping[str, str] = {name: smiles for name, (smiles, *_) in _table().items()}
"""SMILES by name."""


def systematic(name: str) -> str | None:
    """The systematic name without descriptors of a trivial name that says no configuration."""
    smiles, synonym, *_ = _table().get(name.lower(), ("@", ""))
    return synonym if synonym and "@" not in smiles and not synonym.startswith("(") else None


_DESCRIBED = re.compile(
    r"\(?(?P<mark>(?<=\()[RSEZ](?=\))|trans|cis|rac|\+-|dl|DL)\)?[- ](?:\([+-]\)-)?(?P<name>.+)"
)


def trivial(name: str) -> str | None:
    """The structure of a trivial name (SMILES, or CXSMILES of a racemate), also under one descriptor.

    ``(R)-``, ``(E)-``, ``trans-`` or ``rac-`` before a name that leaves exactly
    one centre or double bond open says which.
    """
    name = re.sub(r"^(\([+-]\))-?(\([RSEZ]\))", r"\2-\1", name)
    if (known := _known(name)) is not None:
        return known
    described = _DESCRIBED.fullmatch(name)
    flat = _known(described["name"]) if described else None
    return _with_descriptor(flat, described["mark"]) if described and flat else None


def _known(name: str) -> str | None:
    return NAMES.get(name) or NAMES.get(name[:1].lower() + name[1:]) or NAMES.get(name.lower())


_GEOMETRY = {"trans": "E", "cis": "Z"}


@lru_cache(maxsize=1024)
def _with_descriptor(smiles: str, mark: str) -> str | None:
    """A structure with its one open centre or double bond as a descriptor says; None without such a one."""
    mol = Chem.MolFromSmiles(smiles)
    options = StereoEnumerationOptions(onlyUnassigned=True, unique=True, maxIsomers=4)
    isomers = list(EnumerateStereoisomers(mol, options=options))
    if len(isomers) != 2 or "@" in smiles:
        return None
    if mark not in "RSEZ" and mark not in _GEOMETRY:
        return _racemate(isomers[0])
    wanted = _GEOMETRY.get(mark, mark)
    return next((Chem.MolToSmiles(one) for one in isomers if wanted in _labels(one)), None)


def _labels(mol: Chem.Mol) -> set[str]:
    rdCIPLabeler.AssignCIPLabels(mol)
    marked = [*mol.GetAtoms(), *mol.GetBonds()]
    return {one.GetProp("_CIPCode") for one in marked if one.HasProp("_CIPCode")}


def _racemate(mol: Chem.Mol) -> str | None:
    smiles = Chem.MolToSmiles(mol)
    again = Chem.MolFromSmiles(smiles)
    centre = [index for index, _ in Chem.FindMolChiralCenters(again)]
    return f"{smiles} |&1:{centre[0]}|" if centre else None


def meso_form(smiles: str) -> str | None:
    """The one stereoisomer with centres that is its own mirror image; None where there is none or several."""
    mol = Chem.MolFromSmiles(smiles)
    if mol is None or "@" in smiles:
        return None
    options = StereoEnumerationOptions(unique=True, maxIsomers=64)
    meso = {text for one in EnumerateStereoisomers(mol, options=options) if (text := _achiral(one))}
    return meso.pop() if len(meso) == 1 else None


def _achiral(mol: Chem.Mol) -> str | None:
    text = str(Chem.MolToSmiles(mol))
    mirror = Chem.Mol(mol)
    for atom in mirror.GetAtoms():
        atom.InvertChirality()
    Chem.AssignStereochemistry(mirror, cleanIt=True, force=True)
    return text if "@" in text and Chem.MolToSmiles(mirror) == text else None


_STATED = re.compile(
    r"(?:\b(?:is|are|gives?|yields?|affords|forms?|called|named)|[=:])\s{1,2}(?:(?:an?|the) )?[*_\"'`]{0,3}$",
    re.I,
)
_ALONE = re.compile(r"(?:^|\n)[ \t>*_\"'`-]{0,8}$")
_ALONE_AFTER = re.compile(r"[ \t.*_\"'`]{0,6}(?:\n|$)")
_AFTER = r"(?=[*_\"'`]{0,3}(?:[.,;)]|\s*$|\s*\())"


def stated_names(
    raw: str, names: Mapping[str, str], *, by_itself: bool = False
) -> Iterator[tuple[str, int, int]]:
    """Each of the names (to SMILES) that a text states as what something is, as SMILES with its raw span.

    ``by_itself``: a name alone on its line counts too.
    """
    if not names:
        return
    known = {name.lower(): smiles for name, smiles in names.items()}
    for match in _pattern(tuple(sorted(names, key=len, reverse=True))).finditer(raw):
        low = max(0, match.start() - 30)
        alone = by_itself and _ALONE.search(raw, low, match.start()) and _ALONE_AFTER.match(raw, match.end())
        if alone or _STATED.search(raw, low, match.start()):
            yield known[match[0].lower()], *match.span()


@lru_cache(maxsize=256)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))}){_AFTER}", re.I | re.M)
