"""One reading of a plain SMILES: what it says of a structure, each part found when it is first needed.

Most structures of answers are written without placeholders, maps and
extensions; they are read once, however many points ask for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache

from rdkit import Chem, rdBase
from rdkit.Chem import rdMolDescriptors, rdMolHash

from grader.formal.structures.marks import drops_mark, marks_missing

MAX_CHARACTERS = 2000
"""Longer texts are no structure anyone asks for; RDKit would spend seconds on them."""

_PLAIN = re.compile(
    r"(?:[BCNOPSFIbcnopslr=#()0-9/\\.-]++|%[0-9]{2}"
    r"|\[(?!H[\]+-]|[DT]\d*[+-]?\d*\]|(?:Ar|Ac|Pr|Ts)\])[0-9]{0,3}(?:[A-Z][a-z]?|[bcnops]|se|as)@{0,2}(?:H[0-9]?)?"
    r"(?:\+{1,3}|-{1,3}|[+-][0-9])?\])+"
)
"""SMILES without maps, explicit hydrogens, placeholders, extensions and stereo of higher coordination."""
_STEREO = frozenset("@/\\")
_CENTRE = re.compile("@+")
_CENTRE_OF_CARBON = re.compile(r"\[[0-9]*C@")
_SLASH = re.compile(r"[/\\]")
_HYDROGEN = re.compile(r"H(?![a-z])[0-9]*|[+-][0-9]*$")
_FOREIGN = "[!#1;!#5;!#6;!#7;!#8;!#9;!#14;!#15;!#16;!#17;!#33;!#34;!#35;!#53]"
"""Metals, dummies and what else is drawn in several ways."""
_NITRO = ("[N+](=O)([O-])[#6]", "[O-][N+](=O)[#6]")
_UNUSUAL = (
    f"[!+0;!$({_NITRO[0]});!$({_NITRO[1]}),!0*,#5,#14,#33,#34,$([#6;!v4]),$([#7;!v3;!$({_NITRO[0]})]),"
    f"$([#8;!v2;!$({_NITRO[1]})]),$([#9,#17,#35,#53;!v1]),$([#15;!v3;!v5]),$([#16;!v2;!v6]),"
    "$([#6]([#8,#16;H1])=[#7]),$([#6X2](=*)=*)]"
)
"""Charges but those of a nitro group, isotopes, radicals, expanded octets, imidic acids and cumulenes: where
drawings may be unified."""
_CUMULENE = "[D2](=*)=*"


@cache
def _query(smarts: str) -> Chem.Mol:
    return Chem.MolFromSmarts(smarts)


@dataclass(frozen=True)
class Profile:
    """What one reading of a structure says of it; each part is found when it is first needed."""

    text: str
    mol: Chem.Mol = field(repr=False)

    @cached_property
    def key(self) -> str:
        """Its canonical SMILES, with stereo."""
        return str(Chem.MolToSmiles(self.mol))

    @cached_property
    def formula(self) -> str:
        """Its composition and charge."""
        return str(rdMolDescriptors.CalcMolFormula(self.mol))

    @cached_property
    def heavy(self) -> str:
        """Its composition without hydrogen and charge."""
        return _HYDROGEN.sub("", self.formula)

    @cached_property
    def foreign(self) -> bool:
        """Whether it holds a metal or an element that is seldom met."""
        return bool(self.mol.HasSubstructMatch(_query(_FOREIGN)))

    @cached_property
    def ordinary(self) -> bool:
        """Whether no convention of drawing reaches any of its atoms."""
        return not self.mol.HasSubstructMatch(_query(_UNUSUAL))

    @cached_property
    def cumulated(self) -> bool:
        """Whether an atom stands between two double bonds, where RDKit drops a stereo mark."""
        return bool(self.mol.HasSubstructMatch(_query(_CUMULENE)))

    @cached_property
    def drops_mark(self) -> bool:
        """Whether RDKit dropped a stereo mark that means something."""
        if _STEREO.isdisjoint(self.text) or self._rewrites_marks:
            return False
        return marks_missing(self.text, self.mol) and drops_mark(self.text, self.mol)

    @property
    def _rewrites_marks(self) -> bool:
        """Whether the canonical SMILES writes every mark of the text again, those of centres on carbon."""
        counts = [len(pattern.findall(self.text)) for pattern in (_CENTRE, _CENTRE_OF_CARBON, _SLASH)]
        centres, slashes = (len(pattern.findall(self.key)) for pattern in (_CENTRE, _SLASH))
        return counts == [centres, centres, slashes]

    @cached_property
    def graph(self) -> str:
        """Its elements and their connections, without bond orders, hydrogen and stereo."""
        flat = Chem.Mol(self.mol)
        Chem.RemoveStereochemistry(flat)
        return str(rdMolHash.MolHash(flat, rdMolHash.HashFunction.ElementGraph))

    @cached_property
    def reliable(self) -> bool:
        """Whether its canonical SMILES holds its stereo whatever the order of its atoms.

        So it is where every marked centre has neighbours of different
        constitution and no ring is bridged; marks of cages, and marks that only
        exist together, may come out differently.
        """
        if _STEREO.isdisjoint(self.text):
            return True
        bridged = rdMolDescriptors.CalcNumBridgeheadAtoms(self.mol)
        if bridged or self.cumulated or self.drops_mark:
            return False
        ranks = list(Chem.CanonicalRankAtoms(self.mol, breakTies=False, includeChirality=False))
        return all(_differ(atom, ranks) for atom in self._marked_atoms)

    @property
    def _marked_atoms(self) -> Iterator[Chem.Atom]:
        """Stereocentres, and both ends of double bonds with stereo."""
        # by index: RDKit's own iterators cost five calls an atom
        if "@" in self.key:
            for index in range(self.mol.GetNumAtoms()):
                atom = self.mol.GetAtomWithIdx(index)
                if atom.GetChiralTag():
                    yield atom
        if not _SLASH.search(self.key):
            return
        for index in range(self.mol.GetNumBonds()):
            bond = self.mol.GetBondWithIdx(index)
            if bond.GetStereo():
                yield from (bond.GetBeginAtom(), bond.GetEndAtom())


def _differ(atom: Chem.Atom, ranks: list[int]) -> bool:
    around = [ranks[neighbour.GetIdx()] for neighbour in atom.GetNeighbors()]
    return len(set(around)) == len(around)


@lru_cache(maxsize=8192)
def profile(text: str) -> Profile | None:
    """The profile of a SMILES text; None where the text needs the long reading, or is none."""
    if len(text) > MAX_CHARACTERS or not _PLAIN.fullmatch(text):
        return None
    with rdBase.BlockLogs():
        mol = Chem.MolFromSmiles(text)
    return Profile(text, mol) if mol is not None and mol.GetNumAtoms() else None
