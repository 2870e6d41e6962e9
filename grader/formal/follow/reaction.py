"""What a reaction SMARTS makes of structures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache

from rdkit import Chem, rdBase
from rdkit.Chem import rdChemReactions

from grader.formal.follow.derive import NothingFollows
from grader.formal.structures.inchi import read_inchi
from grader.formal.structures.structure import Structure, Unreadable, read_structure

MOST = 8
"""So many different products are looked at; a reaction that gives more says nothing."""
_RUNS = 1000
"""Ways of applying a reaction that are tried at most."""
_MARK = 1000
"""Isotopes from here on stand for placeholders while a reaction runs."""
_MARKED = re.compile(r"\[(\d{4})\*\]")


@lru_cache(maxsize=1024)
def read_reaction(smarts: str) -> rdChemReactions.ChemicalReaction:
    """Read a reaction SMARTS with one product; raises Unreadable, with the end of a sentence."""
    with rdBase.BlockLogs():
        try:
            reaction = rdChemReactions.ReactionFromSmarts(smarts)
        except (ValueError, RuntimeError) as error:
            raise Unreadable(str(error).strip().splitlines()[0]) from error
        if reaction.GetNumProductTemplates() != 1:
            raise Unreadable("it needs one product: the structure that the point asks for")
        if reaction.GetNumReactantTemplates() == 0:
            raise Unreadable("it has no reactant")
        _warnings, errors = reaction.Validate(silent=True)
        if errors:
            raise Unreadable("its atom maps don't fit together")
        reaction.Initialize()
    return reaction


def products(smarts: str, reactants: Sequence[str]) -> list[str]:
    """The different products, as SMILES, of a reaction on structures in the order of its reactants.

    Several come out where the reaction can happen at several places. Stereo
    that no mapped bond takes part in is kept. Raises NothingFollows.
    """
    try:
        reaction = read_reaction(smarts)
        structures = [_structure(text) for text in reactants]
    except Unreadable as error:
        raise NothingFollows(f"the reaction or its reactant can't be read: {error}") from error
    if reaction.GetNumReactantTemplates() != len(structures):
        raise NothingFollows("the reaction takes another number of structures")
    found = list(dict.fromkeys(_run(reaction, structures)))
    if not found:
        raise NothingFollows("the reaction can't happen with what the answer gives")
    if len(found) > MOST:
        raise NothingFollows(f"the reaction gives more than {MOST} products with what the answer gives")
    return found


def _structure(text: str) -> Structure:
    structure = read_inchi(text) if text.startswith("InChI=") else read_structure(text)
    if structure.lost:
        raise Unreadable(f"{structure.lost} can't be held")
    return structure


def _run(reaction: rdChemReactions.ChemicalReaction, structures: Sequence[Structure]) -> Iterator[str]:
    mols: list[Chem.Mol] = []
    labels: list[str] = []
    for structure in structures:
        mol = _unfixed(structure.mol)
        for index, label in structure.labels:
            mol.GetAtomWithIdx(index).SetIsotope(_MARK + len(labels))
            labels.append(label)
        mols.append(Chem.AddHs(mol) if _names_hydrogens(reaction) else mol)
    with rdBase.BlockLogs():
        for (made,) in reaction.RunReactants(tuple(mols), _RUNS):
            with suppress(ValueError, RuntimeError):  # RDKit's words for what is no molecule
                yield _MARKED.sub(lambda mark: _label(mark, labels), _written(made))


def _unfixed(mol: Chem.Mol) -> Chem.Mol:
    """A copy whose hydrogens follow from the valence where they can, as an InChI's are all fixed."""
    freed = Chem.Mol(mol)
    for atom in freed.GetAtoms():
        explicit, total = atom.GetNumExplicitHs(), atom.GetTotalNumHs()
        if not atom.GetNoImplicit():
            continue
        atom.SetNoImplicit(False)
        atom.SetNumExplicitHs(0)
        atom.UpdatePropertyCache(strict=False)
        if atom.GetTotalNumHs() != total:
            atom.SetNoImplicit(True)
            atom.SetNumExplicitHs(explicit)
            atom.UpdatePropertyCache(strict=False)
    return freed


def _label(mark: re.Match[str], labels: Sequence[str]) -> str:
    """The placeholder that an isotope stands for; any other isotope as it is."""
    index = int(mark[1]) - _MARK
    return f"[{labels[index]}]" if 0 <= index < len(labels) else mark[0]


def _names_hydrogens(reaction: rdChemReactions.ChemicalReaction) -> bool:
    """Whether a reactant is written with hydrogens as atoms, ``[C:1][H]``, which structures don't hold."""
    return any(atom.GetAtomicNum() == 1 for mol in reaction.GetReactants() for atom in mol.GetAtoms())


def _written(made: Chem.Mol) -> str:
    """A product as SMILES in its one spelling; ValueError or RuntimeError where it is no molecule."""
    Chem.SanitizeMol(made)
    for atom in made.GetAtoms():
        atom.SetAtomMapNum(0)
    made = Chem.RemoveHs(made)
    Chem.AssignStereochemistry(made, cleanIt=True, force=True)
    return _spelled(read_structure(_spelled(made)).mol)


def _spelled(mol: Chem.Mol) -> str:
    parameters = Chem.SmilesWriteParams()
    return str(Chem.MolToCXSmiles(mol, parameters, Chem.CXSmilesFields.CX_ENHANCEDSTEREO))
