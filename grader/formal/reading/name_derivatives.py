"""Words around a name that make another compound of it: cyclohexene ozonide, brominated phenol.

A name that can be read stands there, but the compound meant is one that
nobody reads. A noun for what the compound is itself changes nothing: the
ethyl acetate ester, the phenoxide anion.
"""

from __future__ import annotations

import re
from functools import cache

from rdkit import Chem

_LINK = r"[*_`\"]{0,3}[ -]"
_CHANGED = (
    r"(?:brominat|chlorinat|fluorinat|iodinat|halogenat|nitrat|sul(?:f|ph)onat|acylat|acetylat|alkylat|"
    r"methylat|ethylat|benzylat|benzoylat|phenylat|formylat|deuter(?:at|i)|tritiat|protonat|hydrogenat|hydroxylat|"
    r"carboxylat|oxidi[sz]|reduc|substitut|esterifi|polymeri[sz]|dimeri[sz]|tosylat|mesylat|silylat|"
    r"epoxidi[sz]|metal+at|lithiat|epimeri[sz]|label+|halogen-substitut|cyclopropanat)ed"
)
_BEFORE = re.compile(
    rf"(?<![A-Za-z])(?!un|non)(?:[A-Za-z0-9,']+-)?(?:mono|di|tri|tetra|penta|hexa|poly|per|de|mono-|di-|tri-)?"
    rf"{_CHANGED}[ ][*_`\"']{{0,3}}$",
    re.I,
)
"""What makes a compound the parent of another one: tribrominated."""

_ACID_RESIDUES = (
    r"acet|phosph|sulf|sulph|nitr|carbon|tosyl|mesyl|trifl|benzo|ether|clathr|hydr|enol|oxal|picr|tartr|bor|"
    r"chlor|carbam|xanth|nonaflate|brosyl|stear|palmit|ole|form"
)
_COMPOUND = (
    rf"[a-z]{{0,24}}(?:oxide|ozonide|chloride|bromide|iodide|fluoride|sulfide|sulphide|nitride|"
    rf"hydride|azide|cyanide|anhydride|carbide|silicide|phosphide|selenide|telluride|hydrazide|anilide|"
    rf"borane|carbonyl|cyanohydrin|halohydrin|bromohydrin|chlorohydrin|iodohydrin|enamine|hemiacetal|hemiketal|"
    rf"acetal|ketal|oxime|hydrazone|carbazone|osazone|lactone|lactam|glycol|mercaptan|grignard|ylide|carbene|"
    rf"carbenoid|carbanion|carbocation|carbinol|carbazide|epoxide|hydroperoxide|imide|dimer|trimer|oligomer|"
    rf"polymer|homopolymer|adduct|ketyl|excimer|aerogel|(?:{_ACID_RESIDUES})ate)s?"
)
_CLASSED = {
    "salt": "",
    "ion": "",
    "anion": "",
    "cation": "",
    "radical": "",
    "complex": "",
    "ester": "C(=O)O[#6]",
    "ether": "[CX4,c]O[CX4,c]",
    "amide": "C(=O)N",
    "imine": "C=N",
    "enol": "C=C[OX2H]",
    "enolate": "C=C[O-]",
}
_BETWEEN = (
    r"(?:(?:sodium|potassium|lithium|caesium|cesium|calcium|magnesium|silver|aluminium|aluminum|chromium|iron|"
    r"cobalt|nickel|copper|zinc|boron|sulfur|tin|mercury|hydrogen|mono|di|bis|[a-z]{1,14}yl|"
    r"[0-9][0-9,]*)[ -]){1,2}"
)
_AFTER = re.compile(
    rf"{_LINK}(?:(?:{_BETWEEN})?{_COMPOUND}|{_BETWEEN}(?:{'|'.join(_CLASSED)}|hydrate))(?![a-z-])", re.I
)
_SALT_AFTER = re.compile(rf"{_LINK}[a-z]{{2,20}}(?:ate|ite|ide)s?(?:\([IVX]{{1,4}}\))?(?![a-z])", re.I)
"""An anion behind an element: sodium dichromate(VI)."""
_NOUN_AFTER = re.compile(rf"{_LINK}(?P<noun>{'|'.join(_CLASSED)})s?(?![a-z-])", re.I)
_CHANGED_AFTER = re.compile(
    rf"[*_`\"]{{0,3}}(?:,? \(?(?:which (?:is|has been) |now |as |then )?(?:fully |selectively )?"
    rf"(?:mono|di|tri|tetra|penta|hexa|poly|per|de)?(?!substitut){_CHANGED}\b"
    r"| \((?:its |the |an? )?(?:epoxide|ozonide|dimer|trimer|oligomer|polymer|oxime|hydrazone|enolate|"
    r"ketyl)\)"
    r"|,? (?:minus|lacking|missing|without) (?:an?|one|two|the|its) "
    r"|,? as (?:its|the|an?) (?:\w+ )?(?:salt|anion|cation|ester|ether|hydrochloride|hydrate|"
    r"dimer|acetal|enolate)\b"
    r"|,? in its (?:\w+ )?(?:protonated|deprotonated|oxidi[sz]ed|reduced|enol|dimeric|hydrated) "
    r"| (?:bearing|carrying) (?:an?|one|two|three|additional) "
    r"| with (?:an?|one|two|three) [^.;,\n]{1,40}\b(?:position|replaced|removed|added|attached|"
    r"instead|at C)\b)",
    re.I,
)


def derivative(plain: str, start: int, end: int, mol: Chem.Mol) -> tuple[int, int] | None:
    """The plain span of the words that make another compound of a name and of it; None where none do.

    ``mol`` is what the name itself means.
    """
    before = _BEFORE.search(plain, max(0, start - 60), start)
    salt = _SALT_AFTER.match(plain, end) if mol.GetNumAtoms() == 1 else None
    after = salt or _AFTER.match(plain, end) or _CHANGED_AFTER.match(plain, end) or _noun(plain, end, mol)
    if before is None and after is None:
        return None
    return before.start() if before else start, after.end() if after else end


def _noun(plain: str, end: int, mol: Chem.Mol) -> re.Match[str] | None:
    noun = _NOUN_AFTER.match(plain, end)
    return noun if noun and not _is_itself(mol, noun["noun"].lower()) else None


def _is_itself(mol: Chem.Mol, noun: str) -> bool:
    """Whether a compound is one of the class that a noun names."""
    charge = Chem.GetFormalCharge(mol)
    match noun:
        case "salt":
            return any(atom.GetFormalCharge() for atom in mol.GetAtoms()) or len(Chem.GetMolFrags(mol)) > 1
        case "ion":
            return bool(charge)
        case "anion":
            return bool(charge < 0)
        case "cation":
            return bool(charge > 0)
        case "radical":
            return any(atom.GetNumRadicalElectrons() for atom in mol.GetAtoms())
        case "complex":
            return any(atom.GetAtomicNum() > 20 for atom in mol.GetAtoms())
    return bool(mol.HasSubstructMatch(_pattern(_CLASSED[noun])))


@cache
def _pattern(smarts: str) -> Chem.Mol:
    return Chem.MolFromSmarts(smarts)


_MIRRORED = re.compile(
    r"[*_`\"]{0,3}(?:,? (?:and|plus|together with|along with|with) (?:its|the) (?:\w+ )?(?:enantiomer|"
    r"mirror image|antipode)\b|,? \(?and enantiomer\b|\s?\+ ?(?:its )?enantiomer\b)",
    re.I,
)


def mirrored(plain: str, end: int) -> int | None:
    """Where the words end that add the mirror image to a name: "(R)-butan-2-ol and its enantiomer"."""
    match = _MIRRORED.match(plain, end)
    return match.end() if match else None
