"""Names that leave open which compound they mean, where OPSIN silently picks one."""

from __future__ import annotations

import re

from grader.formal.structures.structure import tokens

_PREFIXED = r"(?<![0-9a-z])(?<!\d-)(?<!\d'-)"
_OPEN_CHAIN = re.compile(
    r"(?<![0-9]-)(?<![0-9a-z]')(?<!iso)(?<!neo)(?<!tert-)(?<!sec-)(?<!cyclo)(?<!\bt-)(?<!\bs-)(?<!\bn-)(?<!\bi-)"
    r"(?:prop|but|pent|hex|hept|oct|non|dec|undec|dodec)an(?:ol|amine|ethiol|ediamine)(?![a-z])",
    re.I,
)
_SUGAR = re.compile(
    r"(?:all|altr|gluc|mann|gul|id|galact|tal|rib|arabin|xyl|lyx|erythr|thre|fruct|psic|sorb|tagat|rhamn|fuc)"
    r"o(?:se|pyranose|furanose|side)|(?:gluc|galact|mann)osamine|(?:gluc|galact)uronic acid",
    re.I,
)
_AMINO_ACID = re.compile(
    r"(?<![a-z])(?:alan|argin|asparag|aspart|cyste|glutam|histid|(?:nor)?leuc|isoleuc|lys|methion|"
    r"phenylalan|prol|ser|threon|tryptoph|tyros|(?:nor)?val|ornith|citrull)(?:ine?|ic|yl|o|an)",
    re.I,
)
_DESCRIPTOR = re.compile(
    r"(?<![A-Za-z])(?:[0-9',ab]*[RSEZrsez]\*?(?=[,)\]])|[DLdl]{1,2}(?:\([+-]\))?-|cis|trans|rac|rel|meso|"
    r"alpha|beta|endo|exo|syn|anti|erythro|threo|L[ ]|D[ ])"
)
"""A word or letter that says something of configuration."""


def ambiguity(name: str) -> str:
    """Why a name means no one compound, as the end of a sentence; empty where nothing speaks for that."""
    if _OPEN_CHAIN.search(name):
        return "it does not say where on the chain the group stands"
    if _SUGAR.search(name) and not re.search(r"(?<![A-Za-z])[DL](?![A-Za-z])", name):
        return "it does not say of which series the sugar is"
    return ""


def implied_stereo(name: str, smiles: str, extension: str) -> str:
    """The structure that a name says: of an amino acid without descriptor OPSIN makes the L one.

    ``extension``: what OPSIN says of stereo groups; a racemate (``r``) becomes an AND group.
    """
    if "@" in smiles and _AMINO_ACID.search(name) and not _DESCRIPTOR.search(name):
        return smiles.replace("@", "")
    if extension == "r":
        atoms = (token for token in tokens(smiles) if token[0] == "[" or token[0].isalpha() or token == "*")
        centres = ",".join(str(index) for index, token in enumerate(atoms) if "@" in token)
        return f"{smiles} |&1:{centres}|" if centres else smiles
    return f"{smiles} |{extension}|" if extension else smiles
