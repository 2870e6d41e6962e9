"""Reading reactions: reaction SMILES and CXSMILES as the components of their sides.

A reaction is a line of one or more steps; each component is a structure of its
own, so that every option for structures holds for it. A salt is as many
components as it has ions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rdkit import Chem, rdBase

from grader.formal.structures.placeholders import tokens
from grader.formal.structures.standardise import split_alkali
from grader.formal.structures.structure import (
    Structure,
    Unreadable,
    clean,
    read_structure,
    split_extension,
)

MAX_CHARACTERS = 4000
"""Longer texts are no reaction anyone asks for."""
MAX_COMPONENTS = 40
"""More components on one side aren't compared."""

_STEP = re.compile(r"(?<!-)>")
_BOND = re.compile(r"[-=#$:/\\.()0-9%~]")
_GROUP = re.compile(r"(?P<kind>a|[&o]\d{1,3}):(?P<atoms>[\d,]+)")
_LABELS = re.compile(r"\$([^$]*)\$")
_WEDGES = re.compile(r"(?:^|,)w[UD]?:")


@dataclass(frozen=True, slots=True)
class Step:
    """One arrow with what stands left of it, over it, and right of it."""

    reactants: tuple[Structure, ...]
    agents: tuple[Structure, ...]
    products: tuple[Structure, ...]
    unread: tuple[str, ...] = ()
    """Reactants or agents that are written as words code can't read."""
    unread_products: tuple[str, ...] = ()
    """The same for products."""


@dataclass(frozen=True, slots=True)
class Reaction:
    """A reaction as read, before any option of a check is applied."""

    text: str
    steps: tuple[Step, ...]
    both_ways: bool = False
    """It is written with an equilibrium arrow."""


def read_reaction(text: str) -> Reaction:
    """The reaction that a reaction SMILES or CXSMILES writes; raises Unreadable.

    ``A>>B>>C`` is read as two steps. Atom maps are dropped by the reader of structures.
    """
    if len(text) > MAX_CHARACTERS:
        raise Unreadable(f"it is longer than {MAX_CHARACTERS} characters")
    smiles, extension = split_extension(clean(text))
    sides = _STEP.split(smiles)
    if len(sides) < 3 or len(sides) % 2 == 0:
        raise Unreadable("it has no reaction arrow")
    read = [tuple(side) for side in _sides(sides, extension)]
    if not all(read[::2]):
        raise Unreadable("a side of the arrow is empty")
    steps = (Step(read[i], read[i + 1], read[i + 2]) for i in range(0, len(read) - 2, 2))
    return Reaction(text, tuple(steps))


def _sides(sides: Sequence[str], extension: str) -> Iterator[list[Structure]]:
    """The components of each side, each with its part of the extension."""
    first = 0
    for side in sides:
        found: list[Structure] = []
        for smiles in filter(None, _components(side)):
            count = sum(not _BOND.fullmatch(token) and not token.startswith("%") for token in tokens(smiles))
            part = _part(extension, first, first + count)
            found += structure_components(f"{smiles} {part}".strip())
            first += count
        if len(found) > MAX_COMPONENTS:
            raise Unreadable("a side has too many components")
        yield found


def _components(side: str) -> list[str]:
    """A side cut at its dots; a dot within brackets isn't one."""
    parts = [""]
    for token in tokens(side):
        if token == ".":
            parts.append("")
        else:
            parts[-1] += token
    return [_unwrapped(part) for part in parts]


def _unwrapped(component: str) -> str:
    """A component without the parentheses that may group it."""
    inside = component[1:-1]
    wrapped = component.startswith("(") and component.endswith(")") and inside.count("(") == inside.count(")")
    return inside if wrapped and inside.find(")") >= inside.find("(") else component


def _part(extension: str, first: int, last: int) -> str:
    """What a CXSMILES extension says of the atoms from ``first`` to before ``last``, renumbered."""
    inner = extension.strip("|")
    if _WEDGES.search(inner):
        raise Unreadable("it has wedge marks that RDKit doesn't hold")
    fields = []
    if (labels := _LABELS.search(inner)) and any(own := labels[1].split(";")[first:last]):
        fields.append("$" + ";".join(own) + "$")
    for group in _GROUP.finditer(_LABELS.sub("", inner)):
        atoms = [int(atom) - first for atom in group["atoms"].split(",") if atom]
        if kept := [str(atom) for atom in atoms if 0 <= atom < last - first]:
            fields.append(f"{group['kind']}:{','.join(kept)}")
    return f"|{','.join(fields)}|" if fields else ""


def structure_components(text: str) -> list[Structure]:
    """The components that one SMILES writes, alkali salts as ions; raises Unreadable."""
    whole = read_structure(text)
    if len(Chem.GetMolFrags(whole.mol)) == 1 and not _has_alkali(whole.mol):
        return [whole]
    if not whole.sound:
        raise Unreadable("its valences can't be checked, nor its components told apart")
    with rdBase.BlockLogs():
        mol = split_alkali(whole.mol)
        atoms: list[tuple[int, ...]] = []
        parts = Chem.GetMolFrags(mol, asMols=True, sanitizeFrags=False, fragsMolAtomMapping=atoms)
        return [_part_of(whole, part, own) for part, own in zip(parts, atoms, strict=True)]


def _part_of(whole: Structure, part: Chem.Mol, atoms: Sequence[int]) -> Structure:
    place = {atom: index for index, atom in enumerate(atoms)}
    labels = tuple((place[atom], label) for atom, label in whole.labels if atom in place)
    Chem.SanitizeMol(part)
    # Only the text as it was written identifies a structure: RDKit's own may be that of another isomer.
    return replace(whole, text=f"{Chem.MolToSmiles(part)} in {whole.text}", mol=part, labels=labels)


def _has_alkali(mol: Chem.Mol) -> bool:
    return any(atom.GetSymbol() in {"Li", "Na", "K", "Rb", "Cs"} for atom in mol.GetAtoms())


def joined(steps: Iterable[Step]) -> Step:
    """A line of steps as one: what enters, and what the last one gives."""
    first, *rest = steps
    agents = [agent for step in (first, *rest) for agent in step.agents]
    unread = [word for step in (first, *rest) for word in step.unread]
    last = rest[-1] if rest else first
    return Step(first.reactants, tuple(agents), last.products, tuple(unread), last.unread_products)
