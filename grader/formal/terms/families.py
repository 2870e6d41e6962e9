"""Symbols with a grammar of their own: point groups, mechanisms, stereodescriptors, hybrids, term symbols.

Each family finds its symbols in plain text and gives them one spelling.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from grader.formal.terms.descriptors import descriptors
from grader.formal.terms.symbol import Symbol

_BEFORE = r"(?<![A-Za-z0-9_.])(?<![A-Za-z]-)"
_AFTER = r"(?![A-Za-z0-9_'‡]|\^[0-9+-])"
_MATH = r"(?:\\(?:mathrm|text|rm|mathit|mathbf)[ ]?)?"


# -- point groups ---------------------------------------------------------------------------------------

_GROUP = re.compile(
    rf"{_BEFORE}(?P<letter>[CDSTOI])_?[ ]?{_MATH}(?P<order>∞|inf(?:ty|inity)?|oo|\([ ]?(?:inf(?:ty|inity)?|"
    rf"∞)[ ]?\)|\*|[1-9]|1[0-2])?"
    rf"_?{_MATH}[ ]?(?P<kind>[hvdsi])?{_AFTER}"
)
_SMALL = re.compile(rf"{_BEFORE}(?P<letter>[cd])_?(?P<order>[2-9])_?(?P<kind>[hv]|(?<=d[2-9])d){_AFTER}")
"""A symbol in small letters that nothing else is written like."""
_OPERATION = re.compile(
    r"[\s-]{0,2}(?:\([^()\n]{1,12}\)\s)?(?:principal |rotation(?:al)? |proper |improper |symmetry |main "
    r")*(?:ax[ie]s|operations?|rotations?|elements?|planes?)\b"
    r"|\s?\([xyz]\)|\s?,\s(?:[1-9]\s?)?(?:σ|(?-i:[iE]\b|S_?[1-9]))",
    re.I,
)
_COUNTED = re.compile(
    r"(?:\d\s?|\b(?:two|three|four|five|six|nine|several|a|an|one|no|perpendicular|principal|main|binary|"
    r"only|its|each|every|about|around)\s(?:principal |perpendicular |vertical |main )?)$"
    r"|\bax[ie]s\s(?:is|are|of|=|:)?\s?(?:an?\s|the\s)?$"
    r"|(?-i:\bE)\s?,\s(?:[^.;\n()]|\([xyz]\)){0,30}$",
    re.I,
)
"""What counts an axis, or lists it behind the identity."""
_INTERJECTION = re.compile(r"(?:[,!.]|\s[a-z])")
_HERMANN = dict(
    pair.split(":")
    for pair in [
        "1:C1",
        "-1:Ci",
        "m:Cs",
        "2/m:C2h",
        "mm2:C2v",
        "222:D2",
        "mmm:D2h",
        "4mm:C4v",
        "4/m:C4h",
        "422:D4",
        "-42m:D2d",
        "4/mmm:D4h",
        "3m:C3v",
        "-3m:D3d",
        "32:D3",
        "-6m2:D3h",
        "6mm:C6v",
        "6/mmm:D6h",
        "-43m:Td",
        "m-3m:Oh",
        "432:O",
        "m-3:Th",
        "23:T",
    ]
)
"""International Tables for Crystallography A, table 10.1.2.4."""
_KINDS = {
    "C": ("h", "v", "s", "i", ""),
    "D": ("h", "d", ""),
    "S": ("",),
    "T": ("d", "h", ""),
    "O": ("h", ""),
    "I": ("h", ""),
}


def point_groups(plain: str) -> Iterator[Symbol]:
    """Schoenflies symbols that name a group, not an axis, an operation or an interjection."""
    for match in _GROUP.finditer(plain):
        name = _group_name(match["letter"], match["order"] or "", match["kind"] or "")
        start, end = match.span()
        before = plain[max(0, start - 40) : start]
        if not name or _OPERATION.match(plain, end):
            continue
        if name[1:].isdigit() and name[0] in "CS" and _COUNTED.search(before):
            continue
        word = match[0] in ("Oh", "O", "I", "T", "Is", "Cs", "Ts")
        if word and not _meant(plain, start, end, match[0]):
            continue
        yield Symbol(name, start, end)
    for match in _SMALL.finditer(plain):
        yield Symbol(_group_name(match["letter"].upper(), match["order"], match["kind"]), *match.span())


def _meant(plain: str, start: int, end: int, written: str) -> bool:
    """Whether what may be a word or an element is meant as a group."""
    if written == "Oh" and (_opens(plain, start) and _INTERJECTION.match(plain, end)):
        return plain[start:].strip(" .!") == "Oh"
    alone = not (plain[:start] + plain[end:]).strip(" .:*\n()")
    named = re.search(
        r"(?:\b(?:group|symmetry|is|are|to|of|has|thus|hence|therefore|so|symbol|lowers|be|as|answer|namely|"
        r"i\.e\.|in|into|from|Schoenflies)|[:=|]|->|\n)\s{0,2}[(\"']?$",
        plain[max(0, start - 20) : start],
        re.I,
    )
    return alone or (named is not None and written not in ("I",)) or (written == "Oh" and start > 0)


def _opens(plain: str, start: int) -> bool:
    return re.search(r"(?:^|[.!?\n:]\s?|[\"'])$", plain[max(0, start - 3) : start]) is not None


def _group_name(letter: str, order: str, kind: str) -> str:
    """The symbol in one spelling, empty where there is no such group."""
    if order and not order.isdigit():
        order = "∞"
    if kind not in _KINDS[letter] or (kind in ("s", "i") and order):
        return ""
    if letter in "TOI" and order:
        return ""
    if letter in "CDS" and not order and kind not in ("s", "i"):
        return ""
    name = f"{letter}{order}{kind}"
    same = {"C1h": "Cs", "C1v": "Cs", "S2": "Ci", "S1": "Cs", "D1h": "C2v", "D1d": "C2h", "D1": "C2"}
    return same.get(name, name)


def hermann(written: str) -> str:
    """The Schoenflies symbol of a Hermann-Mauguin one, or an empty text."""
    return _HERMANN.get(written.replace(" ", ""), "")


# -- mechanisms -----------------------------------------------------------------------------------------

_MECHANISM = re.compile(
    rf"{_BEFORE}(?:(?P<sn>[Ss]_?[ ]?{_MATH}[Nn](?![a-z]{{3}})_?[ -]?{_MATH}[ ]?_?\^?"
    r"(?:(?P<n>[12])_?(?P<allyl>'?)|"
    rf"(?P<snar>Ar|AR)|(?P<sni>i)))"
    rf"|(?P<srn>S_?{_MATH}R_?N_?1)|(?P<sear>S_?{_MATH}E_?[ ]?Ar)"
    rf"|(?P<cb>E_?[ -]?1_?[ -]?[cC]_?[bB])|(?P<ei>E_?i)|(?P<e>E_?[ ]?-?{_MATH}[ ]?[12]))(?![A-Za-z0-9_+]|"
    rf"\^[+-])"
)


def mechanisms(plain: str) -> Iterator[Symbol]:
    """Ingold's symbols."""
    for match in _MECHANISM.finditer(plain):
        if match["n"]:
            name = f"SN{match['n']}{match['allyl']}"
        else:
            named = {"snar": "SNAr", "sni": "SNi", "srn": "SRN1", "sear": "SEAr", "cb": "E1cB", "ei": "Ei"}
            name = next((said for group, said in named.items() if match[group]), f"E{match[0][-1]}")
        yield Symbol(name, *match.span())


# -- hybrids, terms, orders, degrees, signs -------------------------------------------------------------

_HYBRID = re.compile(
    rf"{_BEFORE}(?P<name>(?:d(?:\^?2)?)?sp(?:\^?[123])?(?:d(?:\^?[123])?)?)(?:-(?=[a-z]{{3}}))?(?![A-Za-z0-9_^])",
    re.I,
)


def hybrids(plain: str) -> Iterator[Symbol]:
    """Hybrid orbitals: sp3, sp^3d^2, d2sp3."""
    for match in _HYBRID.finditer(plain):
        name = match["name"].lower().replace("^", "").replace("1", "")
        yield Symbol(name, *match.span("name"))


_TERM = re.compile(
    rf"(?<![A-Za-z0-9_.,])(?:\^\(?|"
    rf"\^?)(?P<multiplicity>[1-8])\)?[ ]?{_MATH}(?P<letter>[SPDFGHIABETΣΠΔΦ])"
    rf"(?P<rest>[_^]?{_MATH}[ ]?(?:[0-9]{{1,2}}(?:/2)?|"
    rf"[12]?_?[gu]|"
    r"[12]?_?\(?[gu]\)?|[+-]|')?(?:_?[gu])?(?:\^?[+-])?)(?![A-Za-z0-9_/])"
)


def term_symbols(plain: str) -> Iterator[Symbol]:
    """Term symbols: 3F2, 4A2g, ²E, ^1Σ_g^+; those without a superscript need a subscript or a cue."""
    for match in _TERM.finditer(plain):
        rest = re.sub(r"[_^() ]|\\(?:mathrm|text|rm|mathit|mathbf)", "", match["rest"])
        raised = match[0].startswith("^")
        unit = match["letter"] in "ADFGHIST" and not rest and not raised
        if not unit or not (plain[: match.start()] + plain[match.end() :]).strip(" .*\n"):
            yield Symbol(f"{match['multiplicity']}{match['letter']}{rest}", *match.span())


_ORDINALS = dict(
    pair.split(":")
    for pair in [
        "zero:zero",
        "zeroth:zero",
        "0th:zero",
        "0:zero",
        "half:half",
        "1/2:half",
        "0.5:half",
        "first:first",
        "1st:first",
        "1:first",
        "one:first",
        "second:second",
        "2nd:second",
        "2:second",
        "two:second",
        "third:third",
        "3rd:third",
        "3:third",
        "three:third",
    ]
)
_ORDER = re.compile(
    r"(?<![\w.])(?P<pseudo>pseudo[- ]?)?(?P<ordinal>zeroth|zero|half|first|second|third|0th|1st|2nd|"
    r"3rd)[- ]{0,2}order\b"
    r"|\border\s?(?:(?:with respect to|in|of the reaction|for|of)\s[^.;,:=\n]{1,30}?\s)?(?:is|of|=|:)?\s"
    r"?(?:therefore |thus )?(?P<number>1/2|0\.5|zero|one|two|three|first|second|third|half|"
    r"[0-3](?![\d.]))(?![a-z])"
    r"|(?<![\w.])(?P<pseudo2>pseudo[- ]?)?(?P<alone>zeroth|first|second|third)(?=\s?(?:$|[.;\n]|"
    r"\((?:order)?\)))",
    re.I,
)


def orders(plain: str) -> Iterator[Symbol]:
    """Orders of reaction: "first-order", "1st order", "order = 1"."""
    for match in _ORDER.finditer(plain):
        said = match["ordinal"] or match["number"] or match["alone"]
        if (
            match["alone"]
            and plain[: match.start()].strip(" *:\n")
            and not plain[: match.start()].rstrip().endswith((":", "is"))
        ):
            continue
        pseudo = "pseudo " if match["pseudo"] or match["pseudo2"] else ""
        yield Symbol(f"{pseudo}{_ORDINALS[said.lower()]} order", *match.span())


_DEGREES = {"1": "primary", "2": "secondary", "3": "tertiary", "4": "quaternary"}
_METHYL = r"(?-i:Me|CH3)(?:-?X|\^?\+)?"
_DEGREE = re.compile(
    r"(?<![\w.])(?P<number>[1-4])(?:\s?\^?\s?°|\^[o0])(?![A-Za-z\d])|\b(?P<word>primary|secondary|tertiary|"
    r"quaternary|methyl)\b"
    rf"|(?P<methyl>(?<![\w.]){_METHYL}(?=\s?[<>])|(?:(?<=[<>])|(?<=[<>] )){_METHYL}(?![\w-]))",
    re.I,
)
"""In a chain of degrees, the methyl group itself stands beside an inequality sign."""


def degrees(plain: str) -> Iterator[Symbol]:
    """Primary to quaternary, in words or as 1° to 4°, and methyl."""
    for match in _DEGREE.finditer(plain):
        said = (match["word"] or "methyl").lower()
        yield Symbol(_DEGREES.get(match["number"] or "", said), *match.span())


_SIGN = re.compile(
    r"(?P<positive>\bpositive\b|\+ve\b|>\s?0(?![.\d])|\bgreater than zero\b)|(?P<negative>\bnegative\b|"
    r"(?<!\w)-ve\b|<\s?0(?![.\d])|\bless than zero\b)|(?P<zero>\bzero\b|(?<![<>=])=\s?0(?![.\d])|≈\s"
    r"?0(?![.\d]))",
    re.I,
)
_SIGN_ALONE = re.compile(r"[\s$*(]*(?P<sign>[+-])[\s$*).]*")


def signs(plain: str) -> Iterator[Symbol]:
    """Positive, negative, zero; a lone plus or minus."""
    alone = _SIGN_ALONE.fullmatch(plain)
    if alone:
        yield Symbol("positive" if alone["sign"] == "+" else "negative", *alone.span("sign"))
    for match in _SIGN.finditer(plain):
        yield Symbol(str(match.lastgroup), *match.span())


FAMILIES: dict[str, Callable[[str], Iterator[Symbol]]] = {
    "point_group": point_groups,
    "mechanism": mechanisms,
    "centre": descriptors("RS"),
    "double_bond": descriptors("EZ"),
    "hybrid": hybrids,
    "term": term_symbols,
    "order": orders,
    "degree": degrees,
    "sign": signs,
}
