"""Where a plain text states oxidation states: ``+3``, ``3+``, ``-II``, ``Fe(III)``, ``plus three``, ``+8/3``.

Charges of polyatomic ions, totals, changes, and numbers that are worked with
are no oxidation states; the charge of a monatomic ion is one, said otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.formal.species.mentions import COMPLEX_STEMS, ELEMENT_NAMES, Mention, elements_of


@dataclass(frozen=True, slots=True)
class State:
    """An oxidation state at ``plain[start:end]``."""

    value: Fraction
    start: int
    end: int
    slack: Fraction = Fraction(0)
    """Half a unit of the last decimal."""
    element: str | None = None
    """The element, where the notation itself says it: ``Fe(III)``."""
    charge: bool = False
    """It is the charge of a monatomic ion."""
    average: bool = False
    """It is called the mean of several."""
    aside: bool = False
    """It is what is usual, or comes out of arithmetic."""
    rough: bool = False
    """It is called approximate."""


_WORDS: dict[str, float] = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "half": 0.5, "one half": 0.5, "one-half": 0.5,
}  # fmt: skip
_ROMAN = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8, "0": 0}
_MINUS = {"-", "minus", "negative"}
_NUMBER = r"[0-9]{1,2}(?:[ ]?/[ ]?[1-9]|\.[0-9]{1,4})?(?:[ ][0-9]/[1-9])?|\.[0-9]{1,3}"
_ROMANS = "VIII|VII|VI|IV|V|III|II|I"
_SPELLED = "one[ -]half|zero|one|two|three|four|five|six|seven|eight|half"
_DIVIDED = r"[ ]?(?:[×*·]|/(?![ ]?[A-Z][a-z]?[ ]?[:=]))"
"""A sign of arithmetic behind a number; a slash may also part the states of several elements."""
_SIGNED = re.compile(
    rf"(?<![\w.^}}])(?<![\w)\]]\()(?<![\w)\]][ ]\()\(?(?P<sign>[-+]|plus|minus|positive|negative|±)[ ]?"
    rf"(?:(?P<number>{_NUMBER})(?![\w^]|\.[0-9]|{_DIVIDED})|(?P<roman>{_ROMANS})(?![A-Za-z])|"
    rf"(?P<word>{_SPELLED})\b)",
    re.I,
)
_REACTANT = re.compile(r"[ ]?(?:e(?:\^?\(?-|[ ]?lectron)|[A-Z\[(][A-Za-z0-9(\[]*)")
"""What makes a coefficient of the number behind a plus sign: ``+ 14 H+``, ``+ 6 e-``."""
_BEHIND = re.compile(r"(?<![\w.^)\]}+/-])(?P<number>[0-9](?:/[1-9])?)(?P<sign>[-+])(?![\w+/-]|[ ]?[0-9(])")
_SPOKEN = re.compile(rf"\b(?P<word>{_SPELLED})[ ](?P<sign>plus|minus)\b(?![ ][a-z0-9])", re.I)
_STOCK = re.compile(rf"(?P<name>[A-Za-z]{{1,60}})[ ]?\([ ]?(?P<sign>[-+])?(?P<roman>{_ROMANS}|0|[-+][0-9])\)")
_RAISED = re.compile(
    rf"(?<![A-Za-z])(?P<name>[A-Z][a-z]?)\^(?P<sign>[-+])?(?P<roman>{_ROMANS}|(?<=[a-z]\^)0(?![\d.+-]))(?![A-Za-z])"
)
"""A state over its symbol; a nought over a single letter would mark a standard quantity."""
_BESIDE = re.compile(
    r"(?<![A-Za-z0-9+\-])(?P<name>[A-Z][a-z]?)(?P<sign>\+)(?P<number>[0-9])(?P<roman>(?!))?"
    r"(?![\w.+]|[ ]?[A-Z(+])"
)
"""A charge behind its symbol with the sign first; with a minus it would be a locant, such as C-2."""
_OVER = re.compile(
    rf"\\(?:overset|stackrel)[ ]?(?P<sign>[-+])?(?:(?P<number>[0-9](?:/[1-9])?)|(?P<roman>{_ROMANS}))"
    r"(?P<name>[A-Z][a-z]?)"
)
"""LaTeX that sets a number over a symbol."""
_NAMES_STATE = (
    r"oxidation[ ](?:state|number)s?\b[^.;\n]{0,60}?(?:\b(?:is|are|of|as|was|equals?|being)\b|[=:≈|])"
    r"|\boxidation[ ](?:state|number)[ ]"
    r"|\b(?:is|has|are)(?:[ ](?:an?|the))?(?:[ ](?:average|mean))?[ ]oxidation[ ](?:state|number)(?:[ ]of)?"
)
_HEADS = (
    r"\b[nxyz][ ]?=|(?<![\w^])(?P<head>[A-Z][A-Za-z0-9()]{0,14}|[A-Za-z]{3,12})[\"]?[ ]?[:=|]"
    r"|\b(?:(?:is|are|of|be)\b|=|:)|\b(?:from|to)[ ](?=(?:0|zero)\b)|(?<=[0-9)])[ ]?=|->|\A|(?:^|\n)[^\w\n]*"
)
_CONTINUED = re.compile(
    r"\boxidation[ ](?:state|number)s?\b[^.;\n]{0,60}?(?<![\w+-])[0-8][ ](?:in|for)[ ][^.;,\n]{1,30}?"
    r",?[ ](?:and|but|while|whereas)[ ](?P<number>[0-8])(?=[ ](?:in|for)[ ])",
    re.I,
)
"""A second state without a sign: "oxidation number 4 in MnO2 and 7 in KMnO4"."""
_COUNTED = (
    r"electrons?|atoms?|oxygens?|times|hydrogens?|ligands?|ions?|moles?|units?|equiv|Fe|bonds?|unpaired"
)
_STATED = re.compile(
    rf"(?P<lead>{_NAMES_STATE}|{_HEADS})"
    r"[ \t*\"'$]{0,4}(?:exactly |just |simply |therefore |thus |then |now |about |≈[ ]?)?"
    rf"(?:(?P<number>{_NUMBER})(?![\w^%°]|\.[0-9]|[ ]?[×*·/+]|[ ]-|-[A-Za-z0-9]|[ ](?:{_COUNTED})\b"
    r"|\(|[ ]\([-+0-9])"
    rf"|(?P<roman>{_ROMANS})(?![A-Za-z'])|(?P<word>{_SPELLED})(?![\w-]|[ ](?:electrons?|atoms?|of)\b))",
    re.I,
)
"""A state without a sign, behind what says that it is one."""
_OUS_AND_IC = (
    "ferr:Fe:2:3 cupr:Cu:1:2 stann:Sn:2:4 mercur:Hg:1:2 cobalt:Co:2:3 chrom:Cr:2:3 plumb:Pb:2:4 cer:Ce:3:4"
)
_ADJECTIVES = {
    stem + ending: (element, int(state))
    for stem, element, low, high in (one.split(":") for one in _OUS_AND_IC.split())
    for ending, state in (("ous", low), ("ic", high))
}
"""Old names of ions, two of each metal."""
_ADJECTIVE = re.compile(r"\b(?P<name>" + "|".join(_ADJECTIVES) + r")\b", re.I)
_ZERO_VALENT = re.compile(r"\bzero-?valent\b", re.I)
_ROUND = re.compile(r"\b(?:average|mean|formal average|averaged)\b[^.;\n]{0,50}$", re.I)
_NOT_A_STATE = re.compile(
    r"\b(?:(?:overall |net |total |ionic |formal )?charges?|total|sum|overall|together|combined|"
    r"contribut\w*|altogether)\b"
    r"[^.;,\n=0-9]{0,40}[=:]?[ (]*$"
    r"|\b(?:change|changes|changed|increase|increases|decrease|decreases|increased|decreased|rises|falls|"
    r"drops?|gains?|"
    r"loses|lost|transfer\w*)[ ](?:[a-z]+[ ]){0,2}(?:by|of)[ ]$|\bby[ ]$|\blevel[ ]$|(?-i:E°?[ ]?=[ ]?$)|"
    r"\bcharged?[ ]$",
    re.I,
)
_IS_A_CHARGE = re.compile(
    r"[)]?[ ](?:(?:overall |net |total )?charges?\b(?!.{0,12}state)|electrons?\b|V\b|volts?\b|in total\b|"
    r"overall\b)",
    re.I,
)
_USUAL = re.compile(
    r"\b(?:usually|normally|typically|generally|commonly|usual|normal|most common|always|often|assum\w+|"
    r"known)\b[^.;,\n]{0,40}$",
    re.I,
)
_LEFT_SIDE = re.compile(r"(?P<side>[^=;\n]{0,60}?)[=≈][ ]?[(]?$")
_WORKED = re.compile(
    r"[0-9)][ ]?[(×*·]|[×*·]|[0-9a-z)][ ]?[+-][ ]|^[ (]*[2-9]/?[ ]?[a-zA-Z]|[ ][+-][ ]|\)[ ]?\("
)
_WORKED_AFTER = re.compile(
    rf"\)?{_DIVIDED}|"
    r"\)?[ ]?(?:\((?=[-+0-9])(?![^()\n]{0,12}[ ][a-z]{2,})|[-+][ ]?[0-9(xyn]|[ ]?[+-][ ]|=[ ]?[-+(]?[0-9(])"
)
_ROUGH = re.compile(r"(?:\b(?:about|approximately|roughly|around|nearly|almost|close to)|≈|~)[ ]?$", re.I)
_SUMMED = re.compile(r"[0-9)][ ]?[×*·/+-][^=;,\n]{0,40}=[ ]?$")
_HIGHEST = 9
"""No element goes beyond +9."""
_A_WORD = re.compile(r"[A-Za-z]{2}")
_PAUSE = re.compile(r"[ ]?(?:[.,;)\n*$]|$)")
_LINE_ENDS = re.compile(r"[^\w\n]{0,6}(?:\n|$)")
_OPERAND = re.compile(r"[0-9xyn)][ ]?[×*·/][ ]?\(?$|[0-9xyn)][ ][-+][ ]?\(?$|[-+][ ]?[0-9]\($")
_CHAIN = re.compile(
    r"[,;:]|\b(?:so|and|thus|hence|therefore|giving|gives|->|means|then|that|with|where|from)\b|->"
)


def states(plain: str, found: list[Mention]) -> list[State]:
    """Every oxidation state that a text states, in order; overlapping readings count once."""
    each = [
        *_stock(plain), *_signed(plain), *_behind(plain), *_unsigned(plain), *_continued(plain),
        *_charges(found), *_adjectives(plain),
    ]  # fmt: skip
    kept: list[State] = []
    for one in sorted(each, key=lambda one: (one.start, one.charge, one.start - one.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(_cued(plain, one))
    return kept


def _value(match: re.Match[str]) -> tuple[Fraction, Fraction]:
    """The magnitude that a match states, and half a unit of its last decimal."""
    groups = match.groupdict()
    if text := groups.get("number"):
        whole, _, part = text.replace(" /", "/").replace("/ ", "/").partition(" ")
        value = Fraction(whole) + (Fraction(part) if part else 0)
        places = len(whole.partition(".")[2])
        return value, Fraction(1, 2 * 10**places) if places else Fraction(0)
    if roman := groups.get("roman"):
        if roman[0] in "+-":
            return Fraction(int(roman)), Fraction(0)
        return Fraction(_ROMAN[roman.upper()]), Fraction(0)
    return Fraction(_WORDS[groups["word"].lower().replace("-", " ")]), Fraction(0)


def _signed(plain: str) -> Iterator[State]:
    for match in _SIGNED.finditer(plain):
        group = next(name for name in ("number", "roman", "word") if match[name])
        if match[group].upper() in ("I", "V", "VI") and match[group].islower():
            continue
        spaced = plain[match.end("sign")] == " "
        if spaced and match["number"] and _REACTANT.match(plain, match.end()):
            continue
        if match["sign"] == "±" or not _is_state(plain, match.start(), match.end()):
            continue
        value, slack = _value(match)
        value = -value if match["sign"].lower() in _MINUS else value
        start = match.start("sign")
        yield State(value, start, match.end(), slack)


def _behind(plain: str) -> Iterator[State]:
    for match in (*_BEHIND.finditer(plain), *_SPOKEN.finditer(plain)):
        if _is_state(plain, match.start(), match.end()):
            value = _value(match)[0]
            yield State(-value if match["sign"].lower() in _MINUS else value, *match.span())


def _unsigned(plain: str) -> Iterator[State]:
    alone = _A_WORD.search(plain.replace("average", "")) is None
    for match in _STATED.finditer(plain):
        group = next(name for name in ("number", "roman", "word") if match[name])
        start, end = match.span(group)
        if group == "roman" and not match["roman"].isupper():
            continue
        if match["roman"] == "I" and not _PAUSE.match(plain, end):
            continue
        lead = match["lead"].strip()
        if not lead and not alone and not _LINE_ENDS.match(plain, end):
            continue
        if not _is_other_symbol(match["head"]) and _is_state(plain, start, end):
            value, slack = _value(match)
            if value <= _HIGHEST:
                yield State(value, start, end, slack)


def _continued(plain: str) -> Iterator[State]:
    for match in _CONTINUED.finditer(plain):
        yield State(Fraction(match["number"]), *match.span("number"))


def _is_other_symbol(head: str | None) -> bool:
    """Whether a left side is the symbol of something else: ``Z = 26``."""
    bare = (head or "").rstrip("0123456789")
    return bool(head) and len(bare) < 3 and not elements_of(bare)


def _stock(plain: str) -> Iterator[State]:
    for pattern in (_STOCK, _RAISED, _BESIDE, _OVER):
        for match in pattern.finditer(plain):
            element = elements_of(match["name"]) or _central(match["name"])
            if element is None:
                continue
            value = _value(match)[0] * (-1 if match["sign"] == "-" else 1)
            group = "roman" if match["roman"] else "number"
            low = match.start("sign") if match["sign"] else match.start(group)
            yield State(value, low, match.end(group), element=element)


def _central(name: str) -> str | None:
    """The central atom by the ending of a complex's name: ``ferrate``, ``pentaamminechloridocobalt``."""
    name = name.lower()
    anionic = next((symbol for stem, symbol in COMPLEX_STEMS.items() if name.endswith(stem)), None)
    metal = next((one for one in ELEMENT_NAMES if len(one) > 3 and name.endswith(one)), None)
    return anionic or (elements_of(metal) if metal else None)


def _charges(found: list[Mention]) -> Iterator[State]:
    for one in found:
        if one.ion is not None:
            yield State(Fraction(one.ion), one.start, one.end, element=next(iter(one.elements)), charge=True)


def _adjectives(plain: str) -> Iterator[State]:
    for match in _ADJECTIVE.finditer(plain):
        element, value = _ADJECTIVES[match["name"].lower()]
        yield State(Fraction(value), *match.span(), element=element, charge=True)
    for match in _ZERO_VALENT.finditer(plain):
        yield State(Fraction(0), *match.span(), charge=True)


def _is_state(plain: str, start: int, end: int) -> bool:
    """Whether a number is stated as a state, and isn't a charge, a total, a change or an operand."""
    before = plain[max(0, start - 80) : start]
    if _NOT_A_STATE.search(before) or _IS_A_CHARGE.match(plain, end) or _WORKED_AFTER.match(plain, end):
        return False
    if _OPERAND.search(before):
        return False
    equation = _LEFT_SIDE.search(before)
    if equation is None:
        return True
    side = _CHAIN.split(equation["side"])[-1].strip()
    # arithmetic without an unknown ends in its result
    return _WORKED.search(side) is None or not re.search(r"[A-Za-z]", side)


def _cued(plain: str, state: State) -> State:
    """A state with what the words before it say of it."""
    if state.charge:
        return state
    before = plain[max(0, state.start - 60) : state.start]
    return replace(
        state,
        average=_ROUND.search(before) is not None,
        aside=_USUAL.search(before) is not None or _SUMMED.search(before) is not None,
        rough=_ROUGH.search(before) is not None,
    )
