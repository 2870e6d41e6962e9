"""Trivial names of common compounds, for checks that accept names.

A small table, not nomenclature: it can only show that an answer is right. A
name it doesn't hold, or that means another compound, decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

_TABLE = """
methane C|ethane CC|propane CCC|butane CCCC|isobutane CC(C)C|neopentane CC(C)(C)C|ethene C=C|ethylene C=C
propene CC=C|propylene CC=C|isobutene CC(C)=C|ethyne C#C|acetylene C#C|allene C=C=C|isoprene CC(=C)C=C
cyclopropane C1CC1|cyclohexane C1CCCCC1|cyclohexene C1=CCCCC1|benzene c1ccccc1|toluene Cc1ccccc1
styrene C=Cc1ccccc1|naphthalene c1ccc2ccccc2c1|anthracene c1ccc2cc3ccccc3cc2c1|phenol Oc1ccccc1
anisole COc1ccccc1|aniline Nc1ccccc1|nitrobenzene O=[N+]([O-])c1ccccc1|benzonitrile N#Cc1ccccc1
acetanilide CC(=O)Nc1ccccc1|benzaldehyde O=Cc1ccccc1|acetophenone CC(=O)c1ccccc1|benzoic\\ acid OC(=O)c1ccccc1
benzophenone O=C(c1ccccc1)c1ccccc1|salicylic\\ acid OC(=O)c1ccccc1O|phthalic\\ acid OC(=O)c1ccccc1C(=O)O
terephthalic\\ acid OC(=O)c1ccc(cc1)C(=O)O|aspirin CC(=O)Oc1ccccc1C(=O)O|paracetamol CC(=O)Nc1ccc(O)cc1
acetaminophen CC(=O)Nc1ccc(O)cc1|caffeine Cn1cnc2c1c(=O)n(C)c(=O)n2C|methanol CO|ethanol CCO
isopropanol CC(C)O|propan-2-ol CC(C)O|propan-1-ol CCCO|ethylene\\ glycol OCCO|glycerol OCC(O)CO
formaldehyde C=O|acetaldehyde CC=O|acetone CC(C)=O|formic\\ acid OC=O|acetic\\ acid CC(=O)O
oxalic\\ acid OC(=O)C(=O)O
malonic\\ acid OC(=O)CC(=O)O|succinic\\ acid OC(=O)CCC(=O)O|citric\\ acid OC(=O)CC(O)(CC(=O)O)C(=O)O
ethyl\\ acetate CCOC(C)=O|acetic\\ anhydride CC(=O)OC(C)=O|acetyl\\ chloride CC(=O)Cl|acetamide CC(N)=O
acetonitrile CC#N|diethyl\\ ether CCOCC|urea NC(N)=O|glycine NCC(=O)O|methylamine CN|pyridine c1ccncc1
pyrrole c1cc[nH]c1|furan c1ccoc1|thiophene c1ccsc1|imidazole c1c[nH]cn1|indole c1ccc2[nH]ccc2c1
piperidine C1CCNCC1|morpholine C1COCCN1|chloroform ClC(Cl)Cl|dichloromethane ClCCl
"""
NAMES: dict[str, str] = {
    name.replace("\\", ""): smiles
    for entry in _TABLE.replace("\n", "|").split("|")
    if entry
    for name, smiles in [entry.rsplit(" ", 1)]
}

_STATED = re.compile(
    r"(?:\b(?:is|are|gives?|yields?|affords|forms?|called|named)|[=:])\s{1,2}(?:(?:an?|the) )?[*_\"'`]{0,3}$",
    re.I,
)
_ALONE = re.compile(r"(?:^|\n)[ \t>*_\"'`-]{0,8}$")
_ALONE_AFTER = re.compile(r"[ \t.*_\"'`]{0,6}(?:\n|$)")
_AFTER = r"(?=[*_\"'`]{0,3}(?:[.,;)]|\s*$|\s*\())"


def stated_names(
    raw: str, names: Mapping[str, str], *, by_itself: bool = False
) -> Iterator[tuple[str, int, int]]:
    """Each of the names (to SMILES) that a text states as what something is, as SMILES with its raw span.

    ``by_itself``: a name alone on its line counts too.
    """
    if not names:
        return
    known = {name.lower(): smiles for name, smiles in names.items()}
    for match in _pattern(tuple(sorted(names, key=len, reverse=True))).finditer(raw):
        low = max(0, match.start() - 30)
        alone = by_itself and _ALONE.search(raw, low, match.start()) and _ALONE_AFTER.match(raw, match.end())
        if alone or _STATED.search(raw, low, match.start()):
            yield known[match[0].lower()], *match.span()


@lru_cache(maxsize=256)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))}){_AFTER}", re.I | re.M)
