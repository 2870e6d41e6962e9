"""Placeholders and abbreviations in SMILES: ``R``, ``Ar``, ``Cp*``, ``[dipp]``, ``[Ph]``, ``[OTs]``.

A placeholder becomes a dummy atom with a label and equals only the same label.
An abbreviation that stands for one group whoever writes it (methyl, phenyl,
Boc, TBS) becomes that group where it ends a chain. Abbreviations of ligands
with several bonds or uses (``Cp``, ``dipp``, ``dmp``) stay labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rdkit import Chem

_ATOM = re.compile(r"\[[^\[\]]*\]|%\d\d|Br|Cl|.", re.DOTALL)
_BRACKET_ATOM = re.compile(r"\d*([A-Za-z][a-z]?|\*|#\d+)(@\S*)?(H\d*)?([+-]+\d*|\d*[+-]+)?(:\d+)?")
_BRACKET_LABEL = re.compile(r"[A-Z][A-Za-z]{0,5}\d{0,2}(?:\*|'{1,3})?|dipp|mes|tipp|dmp")
_BARE_LABEL = re.compile(r"(?:Cp\*|Cp|Ar|Nu|[RLX])(?:\d(?!\d)|'{1,3})?")
_BARE_GROUP = re.compile(r"Ph|Me|Et|Bn|Boc|TBS|TMS|TIPS|[nit]Bu|[ni]Pr|Ac|Ts")
_SPELLED = re.compile(r"[=#()\[\]@]")
"""Signs that no condensed formula or word is without: bare ``Ph`` counts only beside one."""

_GROUP_TABLE = """
Me C|Et C(C)|Pr C(CC)|nPr C(CC)|n-Pr C(CC)|iPr C(C)(C)|i-Pr C(C)(C)|Bu C(CCC)|nBu C(CCC)|n-Bu C(CCC)
iBu C(C(C)C)|i-Bu C(C(C)C)|sBu C(C)(CC)|s-Bu C(C)(CC)|tBu C(C)(C)(C)|t-Bu C(C)(C)(C)|Cy C%91(CCCCC%91)
Ph c%91(ccccc%91)|Bn C(c%91ccccc%91)|Bz C(=O)(c%91ccccc%91)
Tol c%91(ccc(C)cc%91)|Trt C(c%91ccccc%91)(c%91ccccc%91)(c%91ccccc%91)
Ac C(=O)(C)|Piv C(=O)(C(C)(C)C)|Boc C(=O)(OC(C)(C)C)|Cbz C(=O)(OCc%91ccccc%91)
Ts S(=O)(=O)(c%91ccc(C)cc%91)|Tos S(=O)(=O)(c%91ccc(C)cc%91)|Ms S(=O)(=O)(C)|Tf S(=O)(=O)(C(F)(F)F)
TMS [Si](C)(C)(C)|TES [Si](CC)(CC)(CC)|TBS [Si](C)(C)(C(C)(C)C)|TBDMS [Si](C)(C)(C(C)(C)C)
TIPS [Si](C(C)C)(C(C)C)(C(C)C)|TBDPS [Si](c%91ccccc%91)(c%91ccccc%91)(C(C)(C)C)
PMB C(c%91ccc(OC)cc%91)|MOM C(OC)
OMe O(C)|OEt O(CC)|OPh O(c%91ccccc%91)|OBn O(Cc%91ccccc%91)|OAc O(C(=O)C)|OTs O(S(=O)(=O)c%91ccc(C)cc%91)
OMs O(S(=O)(=O)C)|OTf O(S(=O)(=O)C(F)(F)F)|NMe2 N(C)(C)|NEt2 N(CC)(CC)|SMe S(C)|SPh S(c%91ccccc%91)
NO2 [N+](=O)([O-])|CN C(#N)|CF3 C(F)(F)(F)|CO2H C(=O)(O)|COOH C(=O)(O)|CO2Me C(=O)(OC)|CO2Et C(=O)(OCC)
CHO C(=O)|SiMe3 [Si](C)(C)(C)
"""
GROUPS: dict[str, str] = dict(
    entry.split(" ", 1) for line in _GROUP_TABLE.split("\n") for entry in line.split("|") if entry
)
"""Abbreviations of groups with one bond, as SMILES whose first atom has the bond."""

_NOBLE_OR_RARE = {18: "Ar", 59: "Pr", 89: "Ac", 117: "Ts"}
"""Elements whose symbol with a single bond means a group: argon forms none, the others hardly ever."""


def tokens(smiles: str) -> Iterator[str]:
    """The tokens of a SMILES: bracket atoms whole, two-letter elements, single characters."""
    return (match[0] for match in _ATOM.finditer(smiles))


def means_group(mol: Chem.Mol) -> bool:
    """Whether an element stands where only the group of the same letters can: ``[Ar]C``, ``[Ac]O``."""
    return any(
        atom.GetAtomicNum() in _NOBLE_OR_RARE and atom.GetDegree() == 1 and not atom.GetTotalNumHs()
        for atom in mol.GetAtoms()
    )


def with_dummies(smiles: str) -> tuple[str, dict[int, str]]:
    """The SMILES with each placeholder as a dummy atom of its own isotope, and the labels by isotope."""
    labels: dict[int, str] = {}
    out: list[str] = []
    position = 0
    bare = (_BARE_GROUP, _BARE_LABEL) if _SPELLED.search(smiles) else (_BARE_LABEL,)
    while position < len(smiles):
        found = _ATOM.match(smiles, position)
        assert found
        token = found[0]
        label = _bracket_label(token[1:-1]) if token.startswith("[") else _bare_label(smiles, position, bare)
        if label is None:
            out.append(token)
        else:
            token = token if token.startswith("[") else label
            labels[1000 + len(labels)] = label
            out.append(f"[{999 + len(labels)}*]")
        position += len(token)
    return "".join(out), labels


def _bare_label(smiles: str, position: int, bare: tuple[re.Pattern[str], ...]) -> str | None:
    for pattern in bare:
        found = pattern.match(smiles, position)
        after = smiles[found.end() : found.end() + 1] if found else ""
        if found and (not after.islower() or after in "cnosp"):
            return found[0]
    return None


def _bracket_label(inside: str) -> str | None:
    """The placeholder a bracket holds, or None where it holds an atom."""
    if inside not in _NOBLE_OR_RARE.values() and _BRACKET_ATOM.fullmatch(inside) and _is_element(inside):
        return None
    return inside if inside in GROUPS or _BRACKET_LABEL.fullmatch(inside) else None


def _is_element(inside: str) -> bool:
    symbol = re.search(r"[A-Za-z][a-z]?|\*|#", inside)
    return symbol is not None and (
        symbol[0] in "*#bcnops" or symbol[0] in _ELEMENTS or symbol[0] in _AROMATIC
    )


_ELEMENTS = frozenset(Chem.GetPeriodicTable().GetElementSymbol(z) for z in range(1, 119))
_AROMATIC = frozenset({"se", "as", "te", "si"})


def with_groups(smiles: str, marks: Mapping[int, str], mol: Chem.Mol) -> str | None:
    """The SMILES with the groups that abbreviations stand for; None where it holds none of them.

    ``smiles`` and ``marks`` are what `with_dummies` made, ``mol`` what RDKit
    reads of it. Only an abbreviation with one single bond is its group.
    """
    ends = {
        atom.GetIsotope()
        for atom in mol.GetAtoms()
        if atom.GetAtomicNum() == 0
        and marks.get(atom.GetIsotope()) in GROUPS
        and atom.GetDegree() == 1
        and atom.GetBonds()[0].GetBondType() == Chem.BondType.SINGLE
    }
    if not ends:
        return None
    groups = {f"[{isotope}*]": GROUPS[marks[isotope]] for isotope in ends}
    return "".join(groups.get(token, token) for token in tokens(smiles))


def take_labels(mol: Chem.Mol, marks: Mapping[int, str]) -> tuple[tuple[int, str], ...]:
    """The labels by atom index; the dummies lose the isotope that marked them."""
    found = []
    for atom in mol.GetAtoms():
        if atom.GetAtomicNum() != 0:
            continue
        label = marks.get(atom.GetIsotope())
        if label is not None:
            atom.SetIsotope(0)
        elif atom.HasProp("atomLabel"):
            label = atom.GetProp("atomLabel").removeprefix("_")
        if label is not None and not label.startswith("AP"):
            found.append((atom.GetIdx(), label))
    return tuple(found)
