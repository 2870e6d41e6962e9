"""Finding what is meant as a formula in the plain text of an answer.

Words, acronyms, symbols of quantities and carbon numbers read as formulas
(``In``, ``COSY``, ``K2``, ``C2-O``), so a token of one element or of capitals only
needs a mark or a cue that introduces it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from grader.answer.marks import Rank
from grader.answer.number_words import CARDINALS
from grader.formal.formulas.tree import ATOMIC_NUMBER, PARTED, Bond, Formula, Unreadable, read_formula
from grader.formal.reading.roles import Role
from grader.formal.reading.surroundings import is_unreal

MAX_TOKENS = 1000
"""An answer that writes more formulas than this isn't read at all."""

_RUN = re.compile(
    r"(?:[•·](?=[A-Z]))?"
    r"(?:\(?(?:cis|trans|fac|mer|[ΔΛ])\)?-(?=[A-Z\[]))?(?:(?:n|i|iso|s|sec|t|"
    r"tert)-(?=C[34]H[79]|Pr|Bu))?(?:\^[0-9]{1,3}(?=[A-Z]))?[A-Z(\[{][A-Za-z0-9()\[\]{}^+\-·•*.=≡#_ημκ]{0,120}"
)
_WATERS = re.compile(
    r"(?:[ ]?[·•*×⋅][ ]?|[ ]x[ ]|"
    r"[ ]?\.[ ]?(?=[0-9]{1,2}(?:/[0-9])?[ ]?H2O))(?:[0-9]{1,2}(?:[./][0-9])?)?[ ]?[A-Z(][A-Za-z0-9_()]{0,20}"
)
_DANGLING = re.compile(r"[·•*.][0-9]{0,2}$")
_CHARGES = {
    **{"a": 1, "one": 1, "single": 1, "two": 2, "double": 2, "three": 3, "triple": 3, "four": 4},
    **{str(number): number for number in range(1, 5)},
}
_CHARGE_SAID = re.compile(
    r",?\s(?:with|has|having|carrying|bearing|carries|bears)\s(?:(?:an?|the)\s)?(?:overall |net |total )?"
    r"(?:(?P<charge>[1-9]?[+-]|[+-][1-9])\scharge|charge of\s(?P<value>[1-9]?[+-](?![0-9])|[+-][1-9])"
    rf"|(?:(?P<number>{'|'.join(_CHARGES)})\s)?(?P<sign>positive|negative)\scharges?\b)"
)
_HYDRATES = {
    "hemi": "1/2", "mono": "1", "di": "2", "tri": "3", "tetra": "4", "penta": "5", "hexa": "6", "hepta": "7",
    "octa": "8", "nona": "9", "deca": "10", "dodeca": "12",
}  # fmt: skip
_WATER_SAID = re.compile(
    rf"\s(?P<prefix>{'|'.join(_HYDRATES)})hydrate\b|\s\((?P<noted>{'|'.join(_HYDRATES)})hydrate\)|"
    rf"\swith\s(?P<number>{'|'.join(CARDINALS[1:13])}|[1-9][0-9]?)\s"
    r"(?:waters?|water molecules?|molecules? of water)\sof\s(?:crystalli[sz]ation|hydration)\b",
    re.I,
)
_COEFFICIENT = re.compile(
    r"(?<![\w.,^·/()-])[2-9](?=(?:[A-Z][a-z]?[0-9]{0,2}){2,4}·(?![0-9]{0,2}H2O)[0-9]?[A-Z])"
)
"""The number that counts the first part of a double oxide alone: "2PbO·PbO2"."""
_UNITS = re.compile(r"[)\]]_?n-$")
"""The bond to what follows a polymer's repeating unit."""
_SPACED_CHARGE = re.compile(r"[ ](?:\^?[0-9][+-]|\^[+-]|\([0-9]?[+-]\))(?=[\s.,;:)]|$)")
_MOLECULES = frozenset(["H2", "N2", "O2", "F2", "Cl2", "Br2", "I2", "O3", "P4", "S8", "D2", "T2"])
_NEVER = re.compile(r"SN[12i]['’]?|SNAr|E[12]|E1cB|[IVX]+|(?:II|III|IV|VI)[A-Za-z]?|[A-Z]")
_CAPITALS = re.compile(r"[A-Z]+")
_ONE_ELEMENT = re.compile(r"[A-Z][a-z]?[0-9]{0,2}")
_CUE = re.compile(
    r"(?:\b(?:is|are|be|was|gives?|giving|yields?|forms?|called|as|formula|gas|ion|compound|salt|"
    r"anion|cation|"
    r"oxide|solid|precipitate|acid|base|molecule|product|so|hence|thus|therefore)|[=:]|->|"
    r"\b(?:gas|ion|compound|salt|oxide|molecule|species|solid|product),)\s{0,2}(?:an? |the )?[\"'(]?$"
)
_AFTER_WORD = re.compile(r"['’][a-z]|\s+[a-z]{2,}")
_AMOUNT = re.compile(
    r"(?:[0-9][ \t]?|\b(?:one|two|three|four|five|six|no|m?mol|moles?|g|mg|kg|mL|ml|L|M|equiv|"
    r"eq)\s)(?:of\s)?\(?$"
)
_FUNCTION = re.compile(r"(?:(?<![A-Za-z])[A-Za-zΔμνχω][a-z]?|_[a-z]{1,4})\($")
_SOURCE = re.compile(
    r"\b(?:from|treat(?:ing|ed)?|with|using|via|by|in|per|(?:mass|weight|moles?|solution) of|"
    r"dissolv(?:ing|ed)|excess|aqueous|dilute|conc(?:entrated|\.)?|adding|reagent|starting material|like|"
    r"such as|e\.g\.|adds?|loses?|losing|minus|plus|for every)\s{1,2}(?:the |a |an )?\(?$",
    re.I,
)
_COMPARED = re.compile(
    r"\b(?:(?:same|equal|identical|similar|analogous|isoelectronic|isostructural|isomorphous|comparable)\b"
    r"[^.,;:\n]{0,30}?\s(?:as|to|with)|(?:[a-z]{2,12}er|more|less|fewer)\b[^.,;:\n]{0,30}?\sthan|"
    r"as [a-z]{2,12} as)\s"
    r"(?:in |for |of |that of |those of )?(?:the |a |an )?\(?$"
)
"""What a formula is likened to: "has the same electron count as N2"."""
_COUNTED = re.compile(r"(?:^|\n|[:=]\s?|\b(?:is|are)\s)(?P<number>[1-9][0-9]?\s?)$")
_EQUATION = re.compile(r"[+]\s{0,2}(?:[0-9]{1,2}\s?)?$")
_EQUATION_AFTER = re.compile(
    r"\s{0,2}(?:\([a-z]{1,2}\)\s?)?(?:\+\s|->|<=>|(?:reacts?|gives?|yields?|produces?|dissolves|"
    r"affords?|loses|decomposes|burns|combines?|unites?)\b|"
    r"\s{0,2}is (?:oxidi[sz]ed|reduced|consumed))"
)
_HOLDS = re.compile(
    r"\s(?:contains|consists of|is made of|dissociates (?:in)?to|releases|holds)\s[^.;\n]{0,30}\b(?:ions?|"
    r"anion|cation|complex)\b"
)
_GROUPS_JOINED = re.compile(r"(?:[CNOSP]H[0-9]?|H[0-9]?[CNOSP])[-=≡][CNOSPH]|CH[0-9]?[-=≡]")
_COORDINATE = re.compile(r"\s{0,2}(?:,|,?\s?\b(?:and|or)\b|\+)\s{1,2}(?:the |an? )?")
_ALONE = re.compile(r"[ \t`*$>|.-]*")
_HEAD = re.compile(r"\s?(?:=|≈)\s?[-+]?[0-9.(]|\s?:\s?[A-Z][a-z]?(?:\s?:\s?[A-Z][a-z]?)*\s?=")
_BEFORE = 40


@dataclass(frozen=True, slots=True)
class Written:
    """A formula as an answer writes it, in every reading."""

    text: str
    readings: tuple[Formula, ...]
    role: Role = Role.STATED


class TooMany(ValueError):
    """An answer lists more candidates than anyone would read."""


@dataclass(frozen=True, slots=True)
class Token:
    """A formula at a plain span."""

    written: Written
    start: int
    end: int


def find_formulas(plain: str, rank_of: Callable[[int, int], Rank]) -> list[Token]:
    """Every token of a plain text that is meant as a formula, in order.

    ``rank_of`` gives the highest answer mark whose whole content is a plain span. Raises TooMany.
    """
    found: list[Token] = []
    seen: set[str] = set()
    for start, end in formula_spans(plain):
        seen.add(plain[start:end])
        if max(len(found), len(seen) // 4) > MAX_TOKENS:
            raise TooMany
        try:
            written = Written(plain[start:end], read_formula(plain[start:end]))
        except Unreadable:
            continue
        written, end = _with_charge_said(plain, end, written)
        written, end = _with_water_said(plain, end, written)
        meant = _is_meant(plain, start, end, written, rank_of)
        if meant and not is_unreal(plain[max(0, start - 2 * _BEFORE) : start]):
            role = _role(plain, start, end, found)
            found.append(Token(replace(written, role=role), start, end))
    return found


def _with_charge_said(plain: str, end: int, written: Written) -> tuple[Written, int]:
    """A neutral formula with the charge that words give it: "SO3 with a 2- charge", and where they end."""
    said = _CHARGE_SAID.match(plain, end)
    if said is None or any(reading.charge for reading in written.readings):
        return written, end
    counted = f"{_CHARGES[said['number'] or 'a']}{'+' if said['sign'] == 'positive' else '-'}"
    text = f"{written.text}^{said['charge'] or said['value'] or counted}"
    try:
        return Written(text, read_formula(text)), said.end()
    except Unreadable:
        return written, end


def _with_water_said(plain: str, end: int, written: Written) -> tuple[Written, int]:
    """A salt that words call a hydrate, read with its water and without: "CoCl2 hexahydrate"."""
    said = _WATER_SAID.match(plain, end)
    if said is None or len(written.readings[0].parts) > 1:
        return written, end
    number = (said["number"] or "").lower()
    count = _HYDRATES.get((said["prefix"] or said["noted"] or "").lower())
    count = count or str(CARDINALS.index(number) if number in CARDINALS else number)
    text = f"{written.text}·{count}H2O"
    try:
        return Written(text, (*written.readings, *read_formula(text))), said.end()
    except Unreadable:
        return written, end


def formula_spans(plain: str) -> Iterator[tuple[int, int]]:
    """Spans that could be formulas, hydrates with their water."""
    at = 0
    while match := _RUN.search(plain, at):
        start, end = match.span()
        if start and (plain[start - 1].isalpha() or plain[start - 1] == "_" or _primed(plain, start)):
            at = _word_end(plain, start)
            continue
        if (parted := PARTED.match(plain, start)) and (anion := _RUN.match(plain, parted.end())):
            end = anion.end()
        if start and _COEFFICIENT.match(plain, start - 1):
            start -= 1
        at = end
        for low, high in _pieces(plain, *_trimmed(plain, start, end)):
            longer = _with_water(plain, low, high)
            if low < longer:
                yield low, longer
                at = max(at, longer)


def _primed(plain: str, start: int) -> bool:
    return plain[start - 1] == "'" and plain[start - 2 : start - 1].isalnum()


def _word_end(plain: str, start: int) -> int:
    at = start
    while at < len(plain) and plain[at].isalnum():
        at += 1
    return max(at, start + 1)


def _trimmed(plain: str, start: int, end: int) -> tuple[int, int]:
    """The span without punctuation, unbalanced brackets and the dash of an arrow."""
    before = None
    while before != (start, end) and start < end:
        before = (start, end)
        last, first = plain[end - 1], plain[start]
        dangling = _DANGLING.search(plain, start, end)
        if dangling:
            end = dangling.start()
            continue
        if last == "-" and _UNITS.search(plain, start, end):
            end -= 1
            continue
        unopened = last in ")]}" and plain.count(last, start, end) > plain.count(_OPEN[last], start, end)
        if unopened or last in ".=:·•*≡#_^" or (last == "-" and _joined(plain, end)):
            end -= 1
        elif first in "([{" and (
            plain.count(first, start, end) > plain.count(_CLOSE[first], start, end)
            or _wraps(plain, start, end)
        ):
            start += 1
    return start, end


def _joined(plain: str, end: int) -> bool:
    """Whether a dash at the end of a run is part of an arrow or a compound word."""
    return plain[end : end + 1] == ">" or plain[end : end + 1].isalpha()


_OPEN = {")": "(", "]": "[", "}": "{"}
_CLOSE = {"(": ")", "[": "]", "{": "}"}


def _wraps(plain: str, start: int, end: int) -> bool:
    """Whether round brackets only enclose the token."""
    return plain[start] == "(" and plain.find(")", start) == end - 1


def _pieces(plain: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A run whole, or cut at an equals sign where it is no formula as it stands."""
    text = plain[start:end]
    if "=" in text and not re.search(r"C[H0-9(]*=|=C", text):
        at = start
        for piece in text.split("="):
            yield _trimmed(plain, at, at + len(piece))
            at += len(piece) + 1
    else:
        yield start, end


def _with_water(plain: str, start: int, end: int) -> int:
    """Where the formula ends with the hydrate water or the charge that follows after a space."""
    for pattern in (_WATERS, _SPACED_CHARGE):
        more = pattern.match(plain, end)
        if more and _reads(plain[start : more.end()]) and _reads(plain[start:end]):
            end = more.end()
    return end


def _reads(text: str) -> bool:
    try:
        return bool(read_formula(text))
    except Unreadable:
        return False


def _is_meant(
    plain: str, start: int, end: int, written: Written, rank_of: Callable[[int, int], Rank]
) -> bool:
    """Whether a token is meant as a formula and not as a word, an acronym, a symbol or a position."""
    text = plain[start:end]
    rank = rank_of(start, end)
    counted = _counted_from(plain, start)
    if _glued(plain, start, end) or _HEAD.match(plain, end):
        return False
    if _NEVER.fullmatch(text):
        if counted is not None and text in ATOMIC_NUMBER:
            return not _AFTER_WORD.match(plain, end)
        return text in ATOMIC_NUMBER and rank >= Rank.BOLD and text not in ("I", "V")
    if _has_bonds(written.readings[0]) and not _organic(text):
        return False
    if not _is_weak(text):
        return True
    if rank >= Rank.CODE or _alone(plain, start if counted is None else counted, end):
        return True
    if counted is not None or plain[start] in "•·":
        return not _AFTER_WORD.match(plain, end)
    before = plain[max(0, start - _BEFORE) : start]
    return _CUE.search(before) is not None and not _AFTER_WORD.match(plain, end)


def _counted_from(plain: str, start: int) -> int | None:
    """Where the number starts that counts a formula stated as an answer: "is 2 CO"."""
    match = _COUNTED.search(plain, max(0, start - _BEFORE), start)
    return match.start("number") if match else None


def _alone(plain: str, start: int, end: int) -> bool:
    """Whether the token is alone on its line."""
    low = plain.rfind("\n", max(0, start - _BEFORE), start) + 1 or max(0, start - _BEFORE)
    high = plain.find("\n", end, end + _BEFORE)
    rest = plain[low:start] + plain[end : end + _BEFORE if high < 0 else high]
    return len(rest) < _BEFORE and _ALONE.fullmatch(rest) is not None


def _has_bonds(formula: Formula) -> bool:
    return any(isinstance(unit, Bond) for part in formula.parts for unit in part.units)


def _organic(text: str) -> bool:
    """Whether written-out bonds join groups with hydrogens, as in CH2=CH2 or CH3-CH2-OH."""
    return len(re.findall(r"C(?:H[0-9]?|[(=≡#-])", text)) >= 2 or _GROUPS_JOINED.search(text) is not None


def _is_weak(text: str) -> bool:
    """Whether a token is also a word, an acronym, a symbol or a position."""
    if text in _MOLECULES:
        return False
    text = text.strip("•·")
    return _CAPITALS.fullmatch(text) is not None or _ONE_ELEMENT.fullmatch(text) is not None


def _glued(plain: str, start: int, end: int) -> bool:
    """Whether the token is part of a longer word."""
    after = plain[end : end + 2]
    before = plain[max(0, start - 2) : start]
    if after[:1].isalnum() or after[:1] == "_":
        return True
    if len(after) == 2 and after[0] == "-" and after[1].isalpha():
        return True
    return plain[start] != "[" and len(before) == 2 and before[1] == "-" and before[0].isalpha()


def _role(plain: str, start: int, end: int, found: list[Token]) -> Role:
    """Whether the text counts the formula, computes with it, reacts it, or adds it in a parenthesis."""
    before = plain[max(0, start - _BEFORE) : start]
    if _counted_from(plain, start) is not None and not _EQUATION_AFTER.match(plain, end):
        return Role.STATED
    if any(cue.search(before) for cue in (_AMOUNT, _FUNCTION, _SOURCE, _EQUATION)):
        return Role.SOURCE
    if _COMPARED.search(before) and found and _introduced(plain, found[-1]):
        return Role.SETTING
    if _EQUATION_AFTER.match(plain, end):
        return Role.CONSUMED
    if _HOLDS.match(plain, end):
        return Role.CONTEXT
    if found and _COORDINATE.fullmatch(plain, found[-1].end, start):
        return found[-1].written.role
    opened = plain.rfind("(", max(0, start - 60), start)
    inside = opened >= 0 and ")" not in plain[opened:start] and "\n" not in plain[opened:start]
    glossed = next((token for token in reversed(found) if token.end <= opened), None) if inside else None
    return Role.CONTEXT if glossed and opened - glossed.end in range(4) else Role.STATED


def _introduced(plain: str, token: Token) -> bool:
    """Whether a stated formula has a noun, a copula or a colon before it: "the gas, CO,", "it is CO"."""
    before = plain[max(0, token.start - _BEFORE) : token.start]
    return token.written.role is Role.STATED and _CUE.search(before) is not None
