"""Finding chemical names in the prose of an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from rdkit import Chem

from grader.answer.candidates import Candidate, candidate
from grader.answer.notation import Text
from grader.formal.reading.name_derivatives import derivative, mirrored
from grader.formal.reading.name_words import Phrase, TooMany, looks_like_name, phrases
from grader.formal.reading.roles import Role
from grader.formal.reading.surroundings import is_unreal
from grader.formal.structures.ambiguity import racemate
from grader.formal.structures.name_spelling import spelled
from grader.formal.structures.names import Named, structures
from grader.formal.structures.structure import Structure, Unreadable, read_structure
from grader.formal.structures.trivial_names import NAMES

MOST_NAMES = 500
"""An answer that writes more names isn't weighed."""


@dataclass(frozen=True, slots=True)
class WrittenName:
    """A name as an answer writes it, and what it means."""

    text: str
    named: Named
    structure: Structure | None
    role: Role = Role.STATED


def name_candidates(
    text: Text, aliases: Sequence[str] = (), *, simple: bool = False
) -> list[Candidate[WrittenName]]:
    """The names of a text, each the longest that can be read, in order.

    ``aliases`` are names to be found even if nobody can read them. ``simple``:
    elements and other inorganic substances count as much as any compound. Raises TooMany.
    """
    found = [
        candidate(text, _written(text, *whole, simple), *whole[1:])
        for named, start, end in _names(text.plain, frozenset(spelled(alias).lower() for alias in aliases))
        if simple or named.name.lower() not in ELEMENTS
        for whole in [_whole(text.plain, named, start, end)]
    ]
    if len(found) > MOST_NAMES:
        raise TooMany
    return [item for item in found if not _is_part(text.plain, *item.plain)]


def phrases_of(text: Text) -> list[str]:
    """Everything in a text that will be looked up, so that it can be looked up together with other names."""
    try:
        return [text.plain[one.start : one.end] for one in phrases(text.plain)]
    except TooMany:
        return []


def _written(text: Text, named: Named, start: int, end: int, simple: bool) -> WrittenName:
    structure = None
    if named.smiles is not None:
        structure = structure_of(named.smiles)
    role = Role.STATED if simple or not _is_helper(named, structure) else Role.CONTEXT
    reacts = _REACTS.match(text.plain, end)
    if reacts and not (
        reacts[0].rstrip().endswith("+") and _ADDED_TO.search(text.plain[max(0, start - 60) : start])
    ):
        role = Role.CONSUMED
    if _CHANGES.match(text.plain, end):
        role = Role.CONSUMED
    if role in (Role.STATED, Role.CONTEXT) and _SET_IN.search(text.plain, max(0, start - 60), start):
        role = Role.SETTING
    return WrittenName(text.quote(start, end), named, structure, role)


def _whole(plain: str, named: Named, start: int, end: int) -> tuple[Named, int, int]:
    """A name with the words beside it that make something else of what it means, and its plain span."""
    structure = structure_of(named.smiles) if named.smiles else None
    if structure is None or named.smiles is None:
        return named, start, end
    if (high := mirrored(plain, end)) is not None:
        return replace(named, name=plain[start:high], smiles=racemate(named.smiles)), start, high
    span = derivative(plain, start, end, structure.mol)
    if span is None:
        return named, start, end
    return Named(plain[slice(*span)], None, "nobody can read all of it"), *span


@lru_cache(maxsize=4096)
def structure_of(smiles: str) -> Structure | None:
    """The structure of what a name means; None where RDKit doesn't hold it."""
    try:
        return read_structure(smiles)
    except Unreadable:
        return None


def _is_helper(named: Named, structure: Structure | None) -> bool:
    """Whether a name is a reagent's or a solvent's abbreviation, or of a simple inorganic compound."""
    if named.name in NAMES and _ABBREVIATION.fullmatch(named.name):
        return True
    return structure is not None and is_inorganic(structure)


def is_inorganic(structure: Structure) -> bool:
    """Whether a compound has no carbon, or is as small as carbon dioxide and has no C-H bond."""
    carbons = [atom for atom in structure.mol.GetAtoms() if atom.GetAtomicNum() in (0, 6)]
    small = structure.mol.GetNumHeavyAtoms() <= 3 and len(carbons) == 1
    return not carbons or (small and not carbons[0].GetTotalNumHs())


_REACTS = re.compile(
    r"['*_\")]{0,3}\s{0,2}(?:->|<=>|\+\s(?=[^\n]{0,120}(?:->|<=>|=|\b(?:gives?|yields?|affords?|forms?)\b)))"
)
_CHANGES = re.compile(
    r"['*_\")]{0,3}\s(?:\w{2,12}ly )?(?:loses|decomposes|dehydrates|decarboxylates|rearranges|condenses|"
    r"disproportionates|(?:isomer|tautomer|dimer|polymer|cycl|ion|enol)i[sz]es)\b"
)
_ADDED_TO = re.compile(r"(?:->|<=>)[^+\n]{0,40}$|(?:->|<=>)[^\n]{0,40}\+\s{0,2}\W{0,3}$")
"""Behind an arrow a plus joins products."""
_NOUN_OF = (
    r"(?!(?:consists?|formation|that|structure|names?|mixture|molecules?|moles?|equivalents?|production|"
    r"presence|identity|crystals|precipitate|solid|layer|instead)\b)[a-z]{2,20} of"
)
_COMPARED = (
    r"than|such as|e\.g\.,?|for example,?|unlike|(?<!look )(?<!looks )like|"
    r"(?:similar|analogous|related|compared|added|next|due|exposed|relative) to"
)
_SET_IN = re.compile(
    rf"\b(?:(?<!results )(?<!result )(?<!resulting )(?<!resulted )(?<!stops )(?<!arrives )"
    rf"(?:in|at|under)|{_COMPARED}|{_NOUN_OF})\s"
    r"(?:the |a |an |some |both |[a-z]+(?:ed|ous|ic|less|ing)\s|(?:hot|cold|dry|pure|conc\.|dil\.)\s){0,3}"
    r"[*_'\"(]{0,3}$",
    re.I,
)
"""What makes a compound a setting or a comparison: the boiling point of, in, than, such as."""
_ABBREVIATION = re.compile(r"[A-Za-z0-9-]*[A-Z][A-Za-z0-9]*[A-Z0-9][A-Za-z0-9]*")
_ELEMENT_NAMES = (
    "hydrogen helium lithium beryllium boron carbon nitrogen oxygen fluorine neon sodium magnesium aluminium "
    "aluminum silicon phosphorus sulfur sulphur chlorine argon potassium calcium titanium chromium manganese "
    "iron cobalt nickel copper zinc arsenic selenium bromine krypton silver cadmium tin antimony tellurium "
    "iodine xenon barium platinum gold mercury lead bismuth palladium rhodium ruthenium osmium iridium "
    "tungsten molybdenum vanadium zirconium cerium uranium hydride chloride bromide iodide fluoride "
    "hydroxide hydrochloride hydrobromide hydroiodide"
)
ELEMENTS = frozenset(_ELEMENT_NAMES.split())
"""Words that mostly speak of atoms and leaving groups."""

_PART_AFTER = re.compile(
    r"[ -](?:rings?|groups?|moiet(?:y|ies)|units?|derivatives?|skeletons?|backbones?|cores?|substituents?|"
    r"carbons?|nitrogens?|oxygens?|protons?|hydrogens?|nucleus|scaffold|systems?|isomers?|analog(?:ue)?s?|"
    r"peaks?|signals?|like|type|based|fragments?|functional|solutions?|vapou?r|(?:hydro|amino|methano)lysis|"
    r"synthesis|oxidation|reduction|formation|test|bonds?|chains?|equivalents?|atoms?|residues?|linkages?|"
    r"extract|layer|family|series|chemistry|stretch|"
    r"functionality|bridge|plane|face|odou?r|smell|taste|[a-z]{3,}(?:tion|sis|ment|ivity|acity|icity))\b",
    re.I,
)
_BONDED = re.compile(r"[=#≡][A-Z0-9(\[]")
"""A double bond behind an abbreviation: Ph3P=O is a formula."""
_PART_BEFORE = re.compile(
    r"\b(?:activated|number of|derivatives? of|isomers? of|smells? of|"
    r"solutions? of|opposite [a-z]{2,14} (?:of|to)|same [a-z]{3,14} (?:[a-z]{3,14} )?as)"
    r"\s{1,2}(?:the )?[*_'\"(]{0,3}$",
    re.I,
)


def _is_part(plain: str, start: int, end: int) -> bool:
    """Whether the text speaks of a part or a kind of a compound ("the benzene ring"), or of none."""
    if (
        _PART_AFTER.match(plain, end)
        or _BONDED.match(plain, end)
        or is_unreal(plain[max(0, start - 80) : start])
    ):
        return True
    return _PART_BEFORE.search(plain, max(0, start - 40), start) is not None


def _names(plain: str, aliases: frozenset[str]) -> list[tuple[Named, int, int]]:
    """The names with their plain spans, leftmost and longest first."""
    options = phrases(plain)
    texts = [plain[one.start : one.end] for one in options]
    known = dict(zip(texts, structures(texts), strict=True))
    found: list[tuple[Named, int, int]] = []
    after = 0
    for option, text in zip(options, texts, strict=True):
        if option.words[0] < after:
            continue
        named = known[text]
        if spelled(text).lower() in aliases or _is_one(plain, option, named):
            found.append((named, option.start, option.end))
            after = option.words[1] + 1
        elif option.words[0] == option.words[1] and looks_like_name(text):
            found.append((named, option.start, option.end))
    return found


def _is_one(plain: str, option: Phrase, named: Named) -> bool:
    """Whether a phrase names one compound: it can be read, and isn't two names side by side."""
    if named.smiles is None and not named.ambiguous:
        return False
    if option.words[0] == option.words[1]:
        return True
    words = plain[option.start : option.end].split()
    if _is_mixture(named) and not _ADDED.fullmatch(words[-1]):
        return False
    return not any(_side_by_side(words, at, named) for at in range(1, len(words)))


def _is_mixture(named: Named) -> bool:
    """Whether a name means several compounds, none of them an ion: bromine water."""
    structure = structure_of(named.smiles) if named.smiles and "." in named.smiles else None
    return structure is not None and not any(
        map(Chem.GetFormalCharge, Chem.GetMolFrags(structure.mol, asMols=True))
    )


_ADDED = re.compile(r"hydro(?:fluoride|chloride|bromide|iodide)|[a-z]{2,}ate", re.I)
"""The last word of a salt, a hydrate or an adduct."""


def _side_by_side(words: list[str], at: int, named: Named) -> bool:
    """Whether two parts of a phrase are names themselves that together are just both."""
    if _ADDED.fullmatch(words[at]) or named.smiles is None:
        return False
    parts = structures([" ".join(words[:at]), " ".join(words[at:])])
    if any(part.smiles is None for part in parts):
        return False
    left, right = (str(part.smiles) for part in parts)
    if "+]" in left or "-]" in right:
        return False
    return _fragments(f"{left}.{right}") == _fragments(named.smiles)


def _fragments(smiles: str) -> list[str]:
    """The components, in canonical form."""
    structure = structure_of(smiles)
    return sorted(Chem.MolToSmiles(structure.mol).split(".")) if structure else [smiles]
