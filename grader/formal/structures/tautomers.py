"""Whether two structures differ only in the place of a mobile proton.

RDKit's enumerator also joins what only a chain of shifts over carbon relates
(glucose and fructose, conjugated and unconjugated enones): those are isolable
compounds, and the outcome for them is open.
"""

from __future__ import annotations

from functools import cache

from rdkit import Chem
from rdkit.Chem.MolStandardize import rdMolStandardize

from grader.formal.structures.skeleton import skeleton_key

MAX_TAUTOMERS = 200


@cache
def _enumerator() -> rdMolStandardize.TautomerEnumerator:
    # By default the enumerator erases the stereocentre of alanine.
    parameters = rdMolStandardize.CleanupParameters()
    parameters.tautomerRemoveSp3Stereo = False
    parameters.tautomerRemoveBondStereo = False
    parameters.maxTautomers = MAX_TAUTOMERS
    parameters.maxTransforms = MAX_TAUTOMERS
    return rdMolStandardize.TautomerEnumerator(parameters)


def same_by_proton_shift(a: Chem.Mol, b: Chem.Mol, *, stereo: bool) -> bool | None:
    """Whether the two are tautomers; None where that is open. Both must differ in constitution."""
    if _composition(a) != _composition(b):
        return False
    flat = _flat(a), _flat(b)
    keys, complete = zip(*(_canonical(mol) for mol in flat), strict=True)
    if keys[0] != keys[1]:
        return False if all(complete) and not _same_inchi(*flat) else None
    if _carbon_to_carbon(a, b):
        return None
    if not stereo or not (_marked(a) or _marked(b)):
        return True
    return True if _canonical(a)[0] == _canonical(b)[0] else None


def _composition(mol: Chem.Mol) -> tuple[tuple[str, int], ...]:
    counts: dict[str, int] = {"+": Chem.GetFormalCharge(mol), "H": 0}
    for atom in mol.GetAtoms():
        symbol = f"{atom.GetIsotope()}{atom.GetSymbol()}"
        counts[symbol] = counts.get(symbol, 0) + 1
        counts["H"] += atom.GetTotalNumHs()
    return tuple(sorted(counts.items()))


def _flat(mol: Chem.Mol) -> Chem.Mol:
    editable = Chem.RWMol(mol)
    editable.SetStereoGroups([])
    Chem.RemoveStereochemistry(editable)
    return editable.GetMol()


def _canonical(mol: Chem.Mol) -> tuple[str, bool]:
    """The canonical tautomer, and whether the enumeration was complete."""
    enumerator = _enumerator()
    found = enumerator.Enumerate(mol)
    complete = found.status == rdMolStandardize.TautomerEnumeratorStatus.Completed
    return str(Chem.MolToSmiles(enumerator.PickCanonical(found))), complete


def _same_inchi(a: Chem.Mol, b: Chem.Mol) -> bool:
    """Standard InChI knows mobile hydrogens the enumerator doesn't; empty strings are equal to nothing."""
    texts = Chem.MolToInchi(a), Chem.MolToInchi(b)
    return bool(texts[0]) and texts[0] == texts[1]


def _carbon_to_carbon(a: Chem.Mol, b: Chem.Mol) -> bool:
    """Whether as many hydrogens sit on carbon as before, but on other carbons."""
    totals = [
        sum(atom.GetTotalNumHs() for atom in mol.GetAtoms() if atom.GetSymbol() == "C") for mol in (a, b)
    ]
    return totals[0] == totals[1] and _carbon_hydrogens(a) != _carbon_hydrogens(b)


def _carbon_hydrogens(mol: Chem.Mol) -> str:
    return skeleton_key(mol, counts_hydrogen=lambda atom: atom.GetSymbol() == "C")


def heteroatom_tautomers(mol: Chem.Mol) -> list[Chem.Mol]:
    """Other structures that a proton moving between heteroatoms alone leads to."""
    flat = _flat(mol)
    own, carbons = Chem.MolToSmiles(flat), _carbon_hydrogens(flat)
    return [
        other
        for other in map(_flat, _enumerator().Enumerate(flat))
        if Chem.MolToSmiles(other) != own and _carbon_hydrogens(other) == carbons
    ]


def _marked(mol: Chem.Mol) -> bool:
    return any(atom.GetChiralTag() != Chem.ChiralType.CHI_UNSPECIFIED for atom in mol.GetAtoms()) or any(
        bond.GetStereo() > Chem.BondStereo.STEREOANY for bond in mol.GetBonds()
    )
