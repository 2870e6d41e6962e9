"""Reading a structure: SMILES or CXSMILES text to an RDKit molecule, and what RDKit could not hold of it.

RDKit reads plain words as molecules, takes the empty string for one, and drops
some stereo marks without a word (allenes), so reading also says which marks
were lost: two structures that differ only there can't be compared.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rdkit import Chem, rdBase

from grader.formal.structures.marks import drops_mark, holds_cumulene, marks_missing, with_all_marks
from grader.formal.structures.placeholders import means_group, take_labels, with_dummies, with_groups
from grader.formal.structures.profile import MAX_CHARACTERS, profile
from grader.formal.structures.valence import read_unchecked

DUMMY = 118
"""Attachment points become this element: unlike RDKit's ``*`` it matches nothing but itself."""

_UNICODE = str.maketrans(
    {
        "\u2212": "-",
        "\u2013": "-",
        "\u2010": "-",
        "\u2011": "-",
        "\u207b": "-",
        "\u207a": "+",
        "\u200b": None,
        "\u200c": None,
        "\u200d": None,
        "\u2060": None,
        "\ufeff": None,
        "\u00ad": None,
        "\u2192": "->",
        "\u2190": "<-",
    }
)
_BACKSLASH = re.compile(r"\\textbackslash(?:\{\}| )?")
_CX_EXTENSION = re.compile(r"\s+(\|[^|]*\|)\s*$")
_DEUTERIUM = re.compile(r"\[([DT])(\d*)([+-]?\d*(?::\d+)?)\]")


class Unreadable(ValueError):
    """A text that is no structure; the message says why, as the end of a sentence."""


@dataclass(frozen=True, slots=True)
class Structure:
    """A structure as read, before any option of a check is applied.

    ``labels`` are the placeholders by atom index. ``lost`` names stereo marks
    of the text that the molecule doesn't hold, or holds in a form that RDKit
    doesn't write in one way only; empty where there are none.
    """

    text: str
    mol: Chem.Mol
    labels: tuple[tuple[int, str], ...] = ()
    lost: str = ""
    sound: bool = True
    """Its valences are those that RDKit allows; else it equals only the same graph."""


def read_structure(text: str) -> Structure:
    """The structure that a SMILES or CXSMILES text writes; raises Unreadable.

    Atom maps are dropped, hydrogens made implicit, the unbracketed placeholders
    ``R``, ``Ar``, ``Cp*``, ``L``, ``Nu``, ``X`` and bracketed ones such as
    ``[dipp]`` become labelled dummy atoms, ``[Ph]`` and ``[Boc]`` groups.
    """
    smiles, extension = split_extension(clean(text))
    if not smiles:
        raise Unreadable("it is empty")
    if any(character.isspace() for character in smiles):
        raise Unreadable("it holds a space")
    if len(smiles) > MAX_CHARACTERS:
        raise Unreadable(f"it is longer than {MAX_CHARACTERS} characters")
    if ">>" in smiles or smiles.count(">") > smiles.count("->"):
        raise Unreadable("it is a reaction, not one structure")
    known = None if extension else profile(smiles)
    if known is not None:
        allene = "@" in smiles and known.cumulated and _marked_allene(smiles)
        lost = _ALLENE if allene else DROPPED if known.drops_mark else ""
        return Structure(text, Chem.Mol(known.mol), lost=lost)
    with rdBase.BlockLogs():
        mol, labels, sound = _parse(smiles, extension)
        _refuse_queries(mol)
        return Structure(text, mol, labels, _lost_stereo(smiles, mol, sound), sound)


def clean(text: str) -> str:
    """The text with the characters that stand for SMILES ones replaced, and invisible ones gone."""
    text = _BACKSLASH.sub(r"\\", text.translate(_UNICODE)).replace("\\#", "#").replace("\\\\", "\\").strip()
    text = text.replace("[HH]", "[H][H]")
    return _DEUTERIUM.sub(lambda m: f"[{2 if m[1] == 'D' else 3}H{m[2]}{m[3]}]", text)


def split_extension(text: str) -> tuple[str, str]:
    """A CXSMILES text as its SMILES and its extension, ``|...|`` or empty."""
    found = _CX_EXTENSION.search(text)
    return (text[: found.start()].strip(), found[1]) if found else (text, "")


def _parse(smiles: str, extension: str) -> tuple[Chem.Mol, tuple[tuple[int, str], ...], bool]:
    """The molecule, its labels, and whether its valences are those that RDKit allows."""
    mol = _rdkit(f"{smiles} {extension}".strip())
    plain, marks = (smiles, {}) if mol is not None and not means_group(mol) else with_dummies(smiles)
    if marks:
        mol = _rdkit(f"{plain} {extension}".strip())
        if mol is not None and not extension and (spelled := with_groups(plain, marks, mol)) is not None:
            plain, mol = spelled, _rdkit(spelled)
    sound = mol is not None
    if mol is None and not extension and (read := read_unchecked(plain)) is not None:
        mol, sound = read
    if mol is None or mol.GetNumAtoms() == 0:
        raise Unreadable("RDKit reads no molecule from it")
    return mol, take_labels(mol, marks), sound


def _rdkit(text: str) -> Chem.Mol | None:
    params = Chem.SmilesParserParams()
    params.allowCXSMILES = True
    params.strictCXSMILES = True
    try:
        mol = Chem.MolFromSmiles(text, params)
    except (RuntimeError, ValueError):
        return None
    if mol is None:
        return None
    for atom in mol.GetAtoms():
        atom.SetAtomMapNum(0)
    try:
        mol = Chem.RemoveHs(mol)
    except (RuntimeError, ValueError):
        return None
    Chem.AssignStereochemistry(mol, cleanIt=True, force=True)
    return mol


def _refuse_queries(mol: Chem.Mol) -> None:
    if any(bond.GetBondType() == Chem.BondType.UNSPECIFIED or bond.HasQuery() for bond in mol.GetBonds()):
        raise Unreadable("it holds a bond of no stated order")
    if any(atom.HasQuery() and atom.GetAtomicNum() != 0 for atom in mol.GetAtoms()):
        raise Unreadable("it is a pattern, not one structure")


def _lost_stereo(smiles: str, mol: Chem.Mol, sound: bool) -> str:
    """Which stereo marks the molecule doesn't hold, or doesn't write in one way only."""
    if re.search(r"@(?:SP|TB|OH)\d", smiles):
        return "stereo of a square-planar or higher-coordinate centre"
    if any(b.GetStereo() in _ATROPISOMERS for b in mol.GetBonds()):
        return "stereo of a hindered axis"
    if "@" in smiles and _marked_allene(smiles):
        return _ALLENE
    plain = with_dummies(smiles)[0]
    return DROPPED if sound and marks_missing(plain, mol) and drops_mark(plain, mol) else ""


def with_every_mark(structure: Structure) -> Chem.Mol | None:
    """The molecule of a structure with the stereo marks that RDKit drops; None where it can't be had."""
    smiles, extension = split_extension(clean(structure.text))
    if extension or structure.labels or any(character.isspace() for character in smiles):
        return None
    whole = with_all_marks(smiles)
    return None if whole is None or holds_cumulene(smiles, whole) else whole


DROPPED = "a stereo mark that RDKit drops"
_ALLENE = "stereo of an allene"
_ATROPISOMERS = (Chem.BondStereo.STEREOATROPCW, Chem.BondStereo.STEREOATROPCCW)


def _marked_allene(smiles: str) -> bool:
    """Whether a chirality mark stands on an atom between two double bonds."""
    if "@AL" in smiles:
        return True
    params = Chem.SmilesParserParams()
    params.sanitize = False
    params.removeHs = False
    raw = Chem.MolFromSmiles(smiles, params)
    if raw is None:
        return False
    double = Chem.BondType.DOUBLE
    return any(
        atom.GetChiralTag() != Chem.ChiralType.CHI_UNSPECIFIED
        and sum(bond.GetBondType() == double for bond in atom.GetBonds()) == 2
        and atom.GetDegree() == 2
        for atom in raw.GetAtoms()
    )
