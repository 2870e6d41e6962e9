"""Structures that RDKit refuses for a valence though chemists draw them so.

Isocyanides as ``CN#C`` and ylides as ``C=N(C)(C)C`` only lack their charges
and get them. Bridged boranes and aluminium alkyls, cages and ligands drawn
with plain bonds have no drawing that the rules of valence allow: they are
read without those rules, and two such drawings are the same only where their
graphs are. A carbon with five bonds to nonmetals stays an error.
"""

from __future__ import annotations

from rdkit import Chem

_ELECTRON_POOR = frozenset([4, 5, 12, 13, 14, 30, 31, 32, 49, 50, 51, 81, 82, 83])
"""Elements that bridge, or take more bonds than their group has electrons."""
_HYPERVALENT = frozenset([15, 16, 33, 34, 35, 53, 52, 54, 17])
_NONMETALS = frozenset([1, 2, 6, 7, 8, 9, 10, 15, 16, 17, 18, 34, 35, 36, 53, 54, 0])
_WITHOUT_VALENCE = Chem.SanitizeFlags.SANITIZE_ALL ^ Chem.SanitizeFlags.SANITIZE_PROPERTIES


def read_unchecked(smiles: str) -> tuple[Chem.Mol, bool] | None:
    """The molecule of a SMILES that RDKit refuses for a valence, and whether its valences hold after all.

    None where the SMILES has another fault, or a valence that nobody draws on purpose.
    """
    try:
        return _read(smiles)
    except (RuntimeError, ValueError):
        return None


def _read(smiles: str) -> tuple[Chem.Mol, bool] | None:
    params = Chem.SmilesParserParams()
    params.sanitize = False
    params.removeHs = False
    mol = Chem.MolFromSmiles(smiles, params)
    if mol is None or mol.GetNumAtoms() == 0:
        return None
    for atom in mol.GetAtoms():
        atom.SetAtomMapNum(0)
    mended = _with_charges(mol)
    problems = Chem.DetectChemistryProblems(mended)
    if not problems:
        Chem.SanitizeMol(mended)
        return Chem.RemoveHs(mended), True
    at = [p.GetAtomIdx() for p in problems if p.GetType() == "AtomValenceException"]
    if len(at) < len(problems) or not all(_is_drawn_so(mended.GetAtomWithIdx(index)) for index in at):
        return None
    return _without_valence(mended), False


def _with_charges(mol: Chem.Mol) -> Chem.Mol:
    """The molecule with the charges that isocyanides and nitrogen ylides are drawn without."""
    mended = Chem.RWMol(mol)
    for atom in mended.GetAtoms():
        if atom.GetSymbol() != "N" or atom.GetFormalCharge():
            continue
        for bond in atom.GetBonds():
            other = bond.GetOtherAtom(atom)
            if other.GetSymbol() != "C" or other.GetFormalCharge():
                continue
            if (
                bond.GetBondType() == Chem.BondType.TRIPLE
                and atom.GetDegree() == 2
                and other.GetDegree() == 1
            ):
                _charge(atom, other)
                other.SetNoImplicit(True)
            elif bond.GetBondType() == Chem.BondType.DOUBLE and atom.GetDegree() == 4:
                hydrogens = _missing_hydrogens(other)
                _charge(atom, other)
                bond.SetBondType(Chem.BondType.SINGLE)
                if hydrogens is not None:
                    other.SetNumExplicitHs(hydrogens)
                    other.SetNoImplicit(True)
    return mended.GetMol()


def _charge(onium: Chem.Atom, anion: Chem.Atom) -> None:
    onium.SetFormalCharge(1)
    anion.SetFormalCharge(-1)


def _missing_hydrogens(carbon: Chem.Atom) -> int | None:
    """The hydrogens that a plain carbon has beside its bonds; None where they are written."""
    if carbon.GetNoImplicit():
        return None
    bonds: float = sum(bond.GetBondTypeAsDouble() for bond in carbon.GetBonds())
    return max(0, 4 - round(bonds))


def _is_drawn_so(atom: Chem.Atom) -> bool:
    """Whether chemists draw an atom with more bonds than its valence: bridges, cages, donors."""
    if atom.GetAtomicNum() in _ELECTRON_POOR | _HYPERVALENT:
        return True
    around = [neighbour.GetAtomicNum() for neighbour in atom.GetNeighbors()]
    poor = [number for number in around if number in _ELECTRON_POOR or number not in _NONMETALS]
    if atom.GetSymbol() == "C":
        return len(poor) >= 3 or any(number not in (5, 14, 32) for number in poor)
    return bool(poor)


def _without_valence(mol: Chem.Mol) -> Chem.Mol:
    """The molecule with every hydrogen an atom: nothing else tells how many there are."""
    mol.UpdatePropertyCache(False)
    Chem.SanitizeMol(mol, _WITHOUT_VALENCE)
    whole = Chem.AddHs(mol)
    whole.UpdatePropertyCache(False)
    Chem.FastFindRings(whole)
    Chem.AssignStereochemistry(whole, cleanIt=True, force=True)
    return whole
