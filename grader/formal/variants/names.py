"""Other names of a compound, and names close to one that mean another compound.

OPSIN and the table of trivial names say what each made name means, and InChI
and canonical SMILES whether that is the same: a proof that doesn't rest on the
comparison it tests. What neither can be shown of is given out as neither.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

from rdkit import Chem, rdBase

from grader.formal.reading.name_tokens import structure_of
from grader.formal.structures.inchi import inchi_of
from grader.formal.structures.names import available, structures
from grader.formal.structures.structure import Structure, read_structure
from grader.formal.structures.trivial_names import NAMES
from grader.formal.variants.name_edits import altered, respelled, unplaced
from grader.formal.variants.structure_edits import formula, proved_different
from grader.formal.variants.structures import refused
from grader.formal.variants.variant import Variant
from grader.problem.checks import NameCheck

MOST_ALIKE = 2
"""Near-misses of one kind that are given out, each another compound."""


def equivalent_names(check: NameCheck, seed: int = 0) -> Iterator[Variant]:
    """The expected name, its aliases, and other names proved to mean the same.

    Nothing is drawn by lot, so ``seed`` changes nothing. Without Java, or where names don't count, none.
    """
    if not _counts(check):
        return
    yield Variant(check.expected, "as it is")
    yield from (Variant(alias, "an alias") for alias in check.aliases)
    meant = _meant(check.expected)
    if meant is None:
        return
    made = [
        *respelled(check.expected),
        *((name, "a trivial name") for name in _trivial(meant.mol, flat=False)),
    ]
    seen = {check.expected, *check.aliases}
    for name, how, other in _read(made):
        if name not in seen and _is_same(meant, other):
            seen.add(name)
            yield Variant(name, how)


def near_names(check: NameCheck, seed: int = 0) -> Iterator[Variant]:
    """Names close to the expected one, each proved to mean another compound than it and its aliases."""
    meant = _meant(check.expected) if _counts(check) else None
    if meant is None:
        return
    if check.ambiguous_names == "not_met":
        left = [name for name in dict.fromkeys(unplaced(check.expected)) if name not in check.aliases]
        vague = [name for name, one in zip(left, structures(left), strict=True) if one.ambiguous]
        yield from (Variant(name, "isomer left open") for name in vague[:MOST_ALIKE])
    right = [meant, *(one for one in map(_meant, check.aliases) if one is not None)]
    made = [*altered(check.expected), *((name, "an isomer") for name in _trivial(meant.mol, flat=True))]
    counts, seen = Counter[str](), set[tuple[str, str]]()
    for name, how, other in _read(made):
        key = (how, str(Chem.MolToSmiles(other.mol)))
        if counts[how] == MOST_ALIKE or key in seen:
            continue
        if all(_is_refused(check, one, other, how) for one in right):
            seen.add(key)
            counts[how] += 1
            yield Variant(name, how)


def _counts(check: NameCheck) -> bool:
    return available() and (not check.accept or "name" in check.accept)


def _meant(name: str) -> Structure | None:
    """What a name means; None where nobody can tell."""
    (named,) = structures([name])
    return structure_of(named.smiles) if named.smiles else None


def _read(made: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str, Structure]]:
    """The made names that mean a compound, with how they were made and that compound."""
    structures([name for name, _ in made])  # one question to OPSIN for all
    for name, how in made:
        if (meant := _meant(name)) is not None:
            yield name, how, meant


def _is_same(meant: Structure, other: Structure) -> bool:
    if meant.text == other.text:
        return True
    return not (_grouped(meant) or _grouped(other)) and _key(meant.mol) == _key(other.mol)


def _is_refused(check: NameCheck, right: Structure, other: Structure, how: str) -> bool:
    """Whether a name means another compound, by more than what the check leaves aside."""
    isomers = formula(right.mol) == formula(other.mol)
    if how == "another locant" and not isomers:
        return False  # OPSIN adds hydrogens where a place is taken
    if isomers and (check.tautomers == "same" or _grouped(right) or _grouped(other)):
        return False
    return proved_different(right.mol, other.text) and refused(check, right.mol, other.mol, how)


def _grouped(structure: Structure) -> bool:
    """Whether a name means a racemate, or one of two mirror images."""
    return bool(structure.mol.GetStereoGroups())


def _key(mol: Chem.Mol) -> tuple[str, str]:
    with rdBase.BlockLogs():
        return str(Chem.MolToSmiles(mol)), inchi_of(mol)


@cache
def _table() -> dict[str, list[tuple[str, str]]]:
    """The trivial names by composition, each with its canonical SMILES."""
    found: dict[str, list[tuple[str, str]]] = {}
    for name, smiles in NAMES.items():
        mol = read_structure(smiles).mol
        found.setdefault(formula(mol), []).append((name, str(Chem.MolToSmiles(mol))))
    return found


def _trivial(mol: Chem.Mol, *, flat: bool) -> Iterator[str]:
    """Trivial names of the same composition: of the compound itself, or of its isomers (``flat``)."""
    own = str(Chem.MolToSmiles(mol))
    for name, smiles in _table().get(formula(mol), ()):
        if (smiles != own) == flat:
            yield name
