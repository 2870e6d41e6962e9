"""Groups of relative configuration (CXSMILES ``&1``, ``o1``): mixtures, and centres known only together.

Two structures with groups are the same where one can be laid over the other,
groups on groups of the same kind, after any of its groups is turned over. A
group that turning over leaves as it is (a meso form) says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product

from rdkit import Chem

from grader.formal.structures.comparison import Comparison, Relation
from grader.formal.structures.marks import overlay, turned_over
from grader.problem.checks import StructureModel

MAX_GROUPS = 4
"""More groups aren't tried in every order."""
_GROUP_STEP = 5000
"""Groups are counted into the isotope, beyond any real isotope or placeholder."""


@dataclass(frozen=True, slots=True)
class _Group:
    kind: Chem.StereoGroupType
    atoms: frozenset[int]


def compare_groups(a: Chem.Mol, b: Chem.Mol, options: StructureModel) -> Comparison:
    """Configuration with groups: AND is a mixture, OR one of two, ABS as drawn."""
    if options.stereo == "relative" and _one_group(a) and _one_group(b):
        bare, other = mol_without(a), mol_without(b)
        same = overlay(bare, other) or overlay(bare, turned_over(other))
    else:
        if options.stereo != "enhanced" and _has_centres(a) != _has_centres(b):
            return Comparison(Relation.UNSURE, "a mixture stands against a structure without stereo marks")
        ours, theirs = _telling(a), _telling(b)
        if max(len(ours), len(theirs)) > MAX_GROUPS:
            return Comparison(Relation.UNSURE, "it has too many stereo groups")
        same = _laid_over(mol_without(a), ours, mol_without(b), theirs)
    if same:
        return Comparison(Relation.SAME, "constitution and stereo groups agree")
    return Comparison(Relation.DIFFERENT, "the constitution agrees but the stereo groups or centres differ")


def mol_without(mol: Chem.Mol) -> Chem.Mol:
    """The molecule without its stereo groups."""
    editable = Chem.RWMol(mol)
    editable.SetStereoGroups([])
    return editable.GetMol()


def _has_centres(mol: Chem.Mol) -> bool:
    return bool(_centres(mol))


def _centres(mol: Chem.Mol) -> frozenset[int]:
    marked = (a for a in mol.GetAtoms() if a.GetChiralTag() != Chem.ChiralType.CHI_UNSPECIFIED)
    return frozenset(atom.GetIdx() for atom in marked)


def _one_group(mol: Chem.Mol) -> bool:
    """Whether all centres stand in one group, or in none: that says relative configuration only."""
    groups = mol.GetStereoGroups()
    return not groups or (len(groups) == 1 and {a.GetIdx() for a in groups[0].GetAtoms()} == _centres(mol))


def _telling(mol: Chem.Mol) -> tuple[_Group, ...]:
    """The groups that say something: no ABS group, none without centres, none that is a meso form."""
    centres, bare = _centres(mol), mol_without(mol)
    groups = [
        _Group(group.GetGroupType(), frozenset(atom.GetIdx() for atom in group.GetAtoms()) & centres)
        for group in mol.GetStereoGroups()
        if group.GetGroupType() != Chem.StereoGroupType.STEREO_ABSOLUTE
    ]
    for group in [one for one in groups if one.atoms]:
        others = [one for one in groups if one is not group]
        if overlay(_encoded(bare, others), _encoded(_turned(bare, [group]), others)):
            groups.remove(group)
    return tuple(one for one in groups if one.atoms)


def _turned(mol: Chem.Mol, groups: Sequence[_Group]) -> Chem.Mol:
    """The molecule with the centres of some groups inverted."""
    turned = Chem.Mol(mol)
    for index in (index for group in groups for index in group.atoms):
        turned.GetAtomWithIdx(index).InvertChirality()
    return turned


def _encoded(mol: Chem.Mol, groups: Sequence[_Group]) -> Chem.Mol:
    """The molecule with the number of its group in the isotope of each centre."""
    encoded = Chem.Mol(mol)
    for number, group in enumerate(groups, 1):
        for index in group.atoms:
            atom = encoded.GetAtomWithIdx(index)
            atom.SetIsotope(atom.GetIsotope() + _GROUP_STEP * number)
    return encoded


def _laid_over(a: Chem.Mol, ours: Sequence[_Group], b: Chem.Mol, theirs: Sequence[_Group]) -> bool:
    if sorted(map(_shape, ours)) != sorted(map(_shape, theirs)):
        return False
    target = _encoded(a, ours)
    return any(overlay(target, image) for image in _images(b, ours, theirs))


def _shape(group: _Group) -> tuple[int, int]:
    return int(group.kind), len(group.atoms)


def _images(b: Chem.Mol, ours: Sequence[_Group], theirs: Sequence[_Group]) -> Iterator[Chem.Mol]:
    """The other molecule with its groups in every order that fits, each turned over or not."""
    for order in permutations(theirs):
        if [_shape(group) for group in order] != [_shape(group) for group in ours]:
            continue
        for flips in product((False, True), repeat=len(order)):
            turned = [group for group, flip in zip(order, flips, strict=True) if flip]
            yield _encoded(_turned(b, turned), order)
