"""InChI and InChIKey as carriers of a structure: what they can show, and what they lose.

A standard InChI has one form for tautomers that share mobile hydrogens and
cuts the bonds of metals; where a check turns on such a thing it shows nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rdkit import Chem, rdBase

from grader.formal.reading.smiles_tokens import Written
from grader.formal.structures.comparison import Comparison, Relation
from grader.formal.structures.equivalence import compare
from grader.formal.structures.standardise import has_metal
from grader.formal.structures.structure import Structure
from grader.problem.checks import StructureModel

_INCHI = re.compile(r"InChI=1S?/[A-Za-z0-9/(),;+*?.-]{1,2000}")
_KEY = re.compile(r"(?<![A-Z-])[A-Z]{14}-[A-Z]{10}-[A-Z](?![A-Z-])")
_MOBILE = re.compile(r"\(H\d*-?,")
_ACID = Chem.MolFromSmarts("[C,S,P](=O)[OX2H1,OX1-]")


def find_inchis(raw: str, accept: tuple[str, ...]) -> Iterator[tuple[Written, int, int]]:
    """The InChIs and keys of a text, of the notations that a check accepts, with their raw spans."""
    if "inchi" in accept:
        for match in _INCHI.finditer(raw):
            text = match[0].rstrip(".,;-")
            if text.count(")") > text.count("("):
                text = text.removesuffix(")")
            yield Written(text, _structure(text), "no InChI"), match.start(), match.start() + len(text)
    if "inchikey" in accept:
        for match in _KEY.finditer(raw):
            yield Written(match[0], None, "a key shows no structure"), *match.span()


def _structure(text: str) -> Structure | None:
    with rdBase.BlockLogs():
        mol = Chem.MolFromInchi(text)
    return None if mol is None else Structure(text, mol)


def compare_inchi(expected: Structure, written: Written, options: StructureModel) -> Comparison:
    """Compare an InChI or a key with an expected structure under the options of a check."""
    with rdBase.BlockLogs():
        own = str(Chem.MolToInchi(expected.mol))
    if not own or has_metal(expected.mol) or expected.labels or expected.mol.GetStereoGroups():
        return Comparison(Relation.UNSURE, "an InChI can't hold what the check asks for")
    if not written.text.startswith("InChI="):
        return _compare_key(own, expected, written.text, options)
    if written.structure is None:
        return Comparison(Relation.UNSURE, "it reads as no InChI")
    outcome = compare(expected, written.structure, options)
    if _standard(written.text) == own and outcome.relation is not Relation.SAME:
        return Comparison(Relation.UNSURE, "its InChI is that of the expected structure and a tautomer")
    if outcome.relation is Relation.SAME and _loses_tautomer(own, expected, options):
        return Comparison(Relation.UNSURE, "an InChI doesn't tell its tautomers apart")
    return outcome


def _standard(text: str) -> str:
    return text.replace("InChI=1/", "InChI=1S/", 1)


def _loses_tautomer(own: str, expected: Structure, options: StructureModel) -> bool:
    """Whether the check tells tautomers apart that share the InChI; an acid has only one form."""
    if options.tautomers != "distinct":
        return False
    return len(_MOBILE.findall(own)) > len(expected.mol.GetSubstructMatches(_ACID))


def _compare_key(own: str, expected: Structure, key: str, options: StructureModel) -> Comparison:
    ours = str(Chem.InchiToInchiKey(own))
    if key == ours:
        if _loses_tautomer(own, expected, options):
            return Comparison(Relation.UNSURE, "an InChIKey doesn't tell its tautomers apart")
        return Comparison(Relation.SAME, "the InChIKey agrees")
    exact = (options.stereo, options.isotopes, options.salts) == ("exact", "exact", "exact")
    if exact and options.tautomers != "same" and options.charge_state != "neutralise":
        return Comparison(Relation.DIFFERENT, f"the InChIKey isn't {ours}")
    return Comparison(Relation.UNSURE, "the InChIKey differs, perhaps only where the check doesn't look")
