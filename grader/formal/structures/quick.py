"""Most pairs of structures are told apart, or found equal, by what one canonical SMILES says of each.

``quick`` answers only where the long comparison (``equivalence``) is bound to
say the same: equal canonical SMILES whose stereo marks don't depend on each
other, or another composition, or another skeleton of ordinary atoms. It costs
little more than reading and writing the two structures once.
"""

from __future__ import annotations

from grader.formal.structures.comparison import Comparison, Relation
from grader.formal.structures.profile import Profile, profile
from grader.formal.structures.structure import Structure
from grader.problem.checks import StructureModel


def quick(expected: str, found: str, options: StructureModel) -> Comparison | None:
    """The comparison of two SMILES texts where it is plain; None where it takes the long one."""
    return _compared(profile(expected), profile(found), options)


def quick_structures(expected: Structure, found: Structure, options: StructureModel) -> Comparison | None:
    """The same of two structures, written as SMILES or as InChI."""
    return _compared(_profile(expected), _profile(found), options)


def _profile(structure: Structure) -> Profile | None:
    if structure.text.startswith("InChI=") and not structure.lost:
        return Profile(structure.text, structure.mol)
    return profile(structure.text)


def _compared(a: Profile | None, b: Profile | None, options: StructureModel) -> Comparison | None:
    if a is None or b is None or options.stereo not in ("exact", "ignore"):
        return None
    if a.formula == b.formula and a.key == b.key:  # the formula costs a tenth of the key
        return _same(a, b, options)
    return Comparison(Relation.DIFFERENT, "the constitution differs") if _apart(a, b, options) else None


def _same(a: Profile, b: Profile, options: StructureModel) -> Comparison | None:
    if options.stereo == "ignore":
        return Comparison(Relation.SAME, "the constitution agrees and stereo doesn't count")
    if a.text == b.text:
        return Comparison(Relation.SAME, "it is written exactly so")
    reliable = a.reliable and b.reliable
    return Comparison(Relation.SAME, "constitution and configuration agree") if reliable else None


def _apart(a: Profile, b: Profile, options: StructureModel) -> bool:
    """Whether no option and no convention of drawing can make one structure of two."""
    if options.salts == "strip" or options.isotopes == "ignore" or a.foreign or b.foreign:
        return False
    if a.heavy != b.heavy:
        return True
    if options.charge_state == "neutralise" or not (a.ordinary and b.ordinary):
        return False
    return a.formula != b.formula or (options.tautomers != "same" and a.graph != b.graph)
