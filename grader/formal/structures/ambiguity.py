"""Names that leave open which compound they mean, where OPSIN silently picks one."""

from __future__ import annotations

import re

from grader.formal.structures.placeholders import tokens
from grader.formal.structures.stereoisomers import is_chiral

_PICKED_NAMES = """
picoline lutidine cymene pinene ionone terpineol terpinene carotene xylenol xylidine phenylenediamine
naphthylamine naphthoquinone bipyridyl cyclohexenol cyclopentenol pyran thiazoline pyrroline quinone
methylimidazole anisaldehyde tolualdehyde inositol
"""
_PICKED = frozenset(_PICKED_NAMES.split())
"""Names without a locant that mean several isomers, and that OPSIN reads as one of them or not at all."""

_NO_LOCANT = r"(?<![0-9]-)(?<![0-9]'-)"
_STEM = r"(?:prop|but|pent|hex|hept|oct|non|dec|undec|dodec)"
_BRANCHED = r"(?<!iso)(?<!neo)(?<!tert-)(?<!sec-)(?<!\bt-)(?<!\bs-)(?<!\bn-)(?<!\bi-)(?<!tert)"
_OPEN_CHAIN = re.compile(
    rf"{_NO_LOCANT}{_BRANCHED}(?<!cyclo){_STEM}an-?(?:ol|amine|ethiol)(?![a-z])"
    rf"|{_NO_LOCANT}(?<!cyclo)(?:(?!prop){_STEM}(?:en|yn)(?:al|oic|oate|oyl|amide|enitrile)|{_STEM}(?:en|yn)ol"
    rf"|(?!prop|but){_STEM}adien(?:e|ol|oic|al))(?![a-z])",
    re.I,
)
_OPEN_STATE = re.compile(
    r"(?:iron|tin|mercury|thallium|gold|chromium|vanadium|copper(?= (?!sul[fp]|nitr))|"
    r"(?:lead|manganese)(?= ox)) "
    r"(?:(?:fluor|chlor|brom|iod|ox|hydrox|sulf|sulph)ide|sul(?:f|ph)ate|nitrate)",
    re.I,
)
"""Salts of metals with several common oxidation states, without one."""
_SUGAR = re.compile(
    r"(?<![a-z])(?:deoxy)?(?:allo|altro|gluco|manno|gulo|ido|galacto|talo|ribo|arabino|xylo|lyxo|erythro|"
    r"threo|fructo|psico|sorbo|tagato|rhamno|fuco)(?:se|pyranose|furanose)(?![a-z])"
    r"|(?<![a-z])(?:gluc|galact|mann)osamine|(?<![a-z])(?:gluc|galact)uronic acid",
    re.I,
)
_SERIES = re.compile(r"(?<![A-Za-z])[DLdl]{1,2}(?![A-Za-z])")
_AMINO_ACID = re.compile(
    r"(?<![a-z])(?:alan|argin|asparag|aspart|cyste|glutam|histid|(?:nor)?leuc|isoleuc|lys|methion|"
    r"phenylalan|prol|ser|threon|tryptoph|tyros|(?:nor)?val|ornith|citrull)(?:in|ic|yl|o|an|at)",
    re.I,
)
_DESCRIPTOR = re.compile(
    r"(?<![A-Za-z])(?:[0-9',ab]*[RSEZrsez]\*?(?=[,)\]])|[DLdl]{1,2}(?:-|\([+-]\)|[ ])|cis|trans|rac|rel|meso|"
    r"alpha|beta|endo|exo|syn|anti|erythro|threo)"
)
"""A word or letter that says something of configuration."""


def ambiguity(name: str) -> str:
    """Why a name means no one compound, as the end of a sentence; empty where nothing speaks for that."""
    if name.lower() in _PICKED or _OPEN_CHAIN.search(name):
        return "it does not say which isomer it means"
    if _OPEN_STATE.fullmatch(name):
        return "it does not say the oxidation state of the metal"
    if _SUGAR.search(name) and not _SERIES.search(name):
        return "it does not say to which series the sugar belongs"
    return ""


def says_configuration(name: str) -> bool:
    """Whether a name holds a descriptor; a name without one may still imply a configuration."""
    return _DESCRIPTOR.search(name) is not None


def open_ring(name: str) -> bool:
    """Whether a name means a sugar and doesn't say whether as a ring or as an open chain."""
    return _SUGAR.search(name) is not None and re.search(r"(?:pyran|furan)os|aldehydo|keto", name) is None


_RELATIVE = re.compile(r"(?<![A-Za-z])(?:cis|trans|exo|endo|syn|anti|erythro|threo)-", re.I)
_ABSOLUTE = re.compile(r"(?<![A-Za-z])(?:[0-9a-z']*[RS](?=[,)\]])|[DL](?![a-z])|[dl]-|alpha|beta|rac|rel)")


def only_relative(name: str) -> bool:
    """Whether a name tells diastereomers apart, but not mirror images."""
    return _RELATIVE.search(name) is not None and _ABSOLUTE.search(name) is None


def implied_stereo(name: str, smiles: str, extension: str) -> str:
    """The structure that a name says: of an amino acid without descriptor OPSIN makes the L one.

    ``extension``: what OPSIN says of stereo groups; a racemate (``r``) becomes an AND group. The cis
    or trans isomer of a ring that is one of two mirror images becomes an OR group.
    """
    if "@" in smiles and _AMINO_ACID.search(name) and not says_configuration(name):
        return smiles.replace("@", "")
    if extension == "r":
        return _grouped(smiles, "&1")
    if not extension and "@" in smiles and only_relative(name) and is_chiral(smiles):
        return _grouped(smiles, "o1")
    return f"{smiles} |{extension}|" if extension else smiles


def racemate(smiles: str) -> str:
    """The racemate of what a SMILES with marked centres means; without any, or with groups, itself."""
    return smiles if "|" in smiles else _grouped(smiles, "&1")


def _grouped(smiles: str, group: str) -> str:
    """The structure with all its centres in one stereo group."""
    atoms = (token for token in tokens(smiles) if token[0] == "[" or token[0].isalpha() or token == "*")
    centres = ",".join(str(index) for index, token in enumerate(atoms) if "@" in token)
    return f"{smiles} |{group}:{centres}|" if centres else smiles
