"""The tokens of equations: counted species with their states, plus signs, arrows; all else breaks one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from grader.formal.equations.spelling import ARROWS

MOST = 4000
"""More tokens than this are not read."""


class Kind(StrEnum):
    """What a token is."""

    SPECIES = "species"
    WORD = "word"
    HEAT = "heat"
    PLUS = "plus"
    MINUS = "minus"
    ARROW = "arrow"
    LINE = "line break"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Token:
    """A token at a span; a species with its coefficient and state as they are written."""

    kind: Kind
    text: str
    start: int
    end: int
    count: str = ""
    glued: bool = False
    """Whether the coefficient touches the species: ``14C`` may be a nuclide."""
    state: str = ""


_SPACE = re.compile(r"[ ~]+")
_COUNT = re.compile(
    r"(?:\((?P<bracketed>\d{1,4}[ ]?/[ ]?\d{1,4})\)|(?P<mixed>\d{1,3}[ +]\d/\d)"
    r"|(?P<letter>\d{0,2}n|\(\d{0,2}n[ ]?[+-][ ]?\d\))(?=[ ]?[A-Z(\[])"
    r"|(?P<fraction>\d{1,4}[ ]?/[ ]?\d{1,4})|(?P<number>(?:\d{1,4}(?:[.,]\d{1,4})?|\.\d{1,4})))"
    r"(?P<times>[ ]?[×x·*][ ]?|[ ]?(?:mol(?:es)?|molecules)\s(?:of\s)?|[ ]{0,4})"
    r"(?=[A-Za-z(\[{^_•·αβγν]|(?<=[ ])[0-9]{1,3}[A-Zn])"
)
_NUMBERS = ("letter", "bracketed", "mixed", "fraction", "number")
_STATE = re.compile(
    r"[ ]?_?\([ ]?_?(?P<state>a_?q|s|l|g|cr|ppt|solid|liquid|gas|aqueous|graphite|diamond|rhombic|monoclinic|"
    r"white|red|am|c)_?\.?(?:,[ ]?[a-z0-9 .%]{1,20})?[ ]?_?\)|_(?P<low>aq|s|l|g)(?![A-Za-z0-9])"
)
_SAME_STATES = {
    **dict.fromkeys(("solid", "cr", "ppt", "c", "am"), "s"),
    **{"liquid": "l", "gas": "g", "aqueous": "aq"},
}
_NOTE = re.compile(
    r"[ ]?\((?!or\b|and\b)(?:[a-z][a-z ,.%°0-9-]{2,40}|[0-9][0-9. ]{0,5}[a-zA-Z%°][a-zA-Z%° ]{0,12})\)"
    r"(?=\s|$|[,;.+→⇌←])"
)
_MARK = re.compile(r"[ ]?(?:↑|↓)|[ ][v^](?=\s|$|[.,;])")
_ELECTRON = re.compile(
    r"(?:e(?:[ ]?\^?\(?1?-\)?|_\^?-)|electrons?(?![a-z])|e(?=\s[+→⇌←])|e(?=\s*(?:$|\n)))(?![A-Za-z0-9])"
)
_ENERGY = (
    r"(?:thermal |electrical |light |solar |radiant )?(?:energy|heat|light|sunlight|electricity|hν|hv|"
    r"Δ(?![A-Z])|UV(?: light)?|enthalpy|spark|catalyst|cat\.)(?![A-Za-z0-9])"
)
_HEAT = re.compile(
    rf"(?:{_ENERGY}|[0-9][0-9., ]{{0,9}}[ ]?(?:kJ|kcal|MeV|eV|J)(?![a-z])(?:[ ]?(?:/[ ]?mol|mol\^?-1))?|"
    rf"\(?{_ENERGY}\)?|Q(?=\s|$))"
)
SPOKEN = "gives"
"""The text of an arrow in words."""
_SAID = re.compile(r"(?:yields?|gives?|produces?|forms?)(?=[ ][0-9A-Z(\[])")
_WORD = re.compile(r"[^\W\d_][\w'’-]{0,40}")
_CHARGE = re.compile(r"\^\(?(?:[0-9]{0,2}[+-]{1,4}|[+-][0-9]{0,2})\)?")
_SPACED_CHARGE = re.compile(
    r"[ ]?(?:\^\(?[0-9]{0,2}[+-]\)?|\((?:[0-9]{1,2}[+-]|[+-]{1,3}|[+-][0-9])\))|[ ][2-9][+-]"
)
_AFTER_CHARGE = re.compile(r"(?=\s|$|[,;.:)|\]}→⇌←↑↓+(_\"'*?!])")
_WATER = re.compile(
    r"[ ]?[·•*×⋅](?:(?=[0-9n]{0,2}(?:[./][0-9])?[A-Z(\[])"
    r"|[ ](?=[0-9n]{1,2}(?:[./][0-9])?[ ]?[A-Z(\[]|[HD]2O))"
    r"|[ ]?\.[ ]?(?=[0-9]{1,2}(?:/[0-9])?[ ]?H2O)"
)
_AMOUNT = re.compile(r"[0-9n]{1,2}(?:[./][0-9])?[ ]?(?=[A-Z(\[])")
_BOND = re.compile(r"(?<=[A-Za-z0-9)\]])[-=≡#](?=[A-Z(])")
_DOUBLE = re.compile(r"(?:C(?:H2?|F|Cl|Br|I|D|R|HR)?|NH?|\))=(?:C(?![a-z])|CH|N(?![a-z])|NH|O(?![a-z]))")
_HEADS = re.compile(r"(?:\(?(?:cis|trans|fac|mer|[ΔΛ])\)?-)?(?:[A-Z(\[{]|[nist]-(?=[BP]))")
_NUCLIDE_HEAD = re.compile(
    r"(?:\^[+-]?[0-9]{1,3}m?(?:_[+-]?[0-9]{1,3})?|_[+-]?[0-9]{1,3}(?:\^[+-]?[0-9]{1,3}m?)?)\s?"
    r"(?=[A-Za-zαβγν])"
)
_SUFFIX_MASS = re.compile(r"\^[0-9]{1,3}m?(?![0-9+-])|-[0-9]{1,3}m?(?![0-9A-Za-z+-])")
_PARTICLE = re.compile(
    r"(?:(?:alpha|beta|gamma|α|β)(?:\s?\^?[+-])?(?:[ -](?:particle|ray|decay)s?)?|(?:anti)?neutrino|"
    r"neutrons?|protons?|positrons?|(?:bar|overline|anti-?)?ν̄?_?e?|γ(?:[ -]rays?)?|[npdt]|[pe]\s?\^?\+)"
    r"(?![A-Za-z0-9^_])"
)
_HEADED_PARTICLE = re.compile(r"[a-zαβγν]̄?(?:_e)?(?:\^?[+-](?=\s|$|[,;.)→+]))?(?![a-z])")
_EXCITED = re.compile(r"[0-9]{1,3}m(?=[A-Z][a-z]?(?![a-z]))")
_NAMED_NUCLIDE = re.compile(r"[A-Za-z][a-z]{2,12}[- ][0-9]{1,3}m?(?![0-9A-Za-z])")
_TORN = re.compile(r"[\w^][^\s→⇌←]{0,400}")
"""What touches a species and isn't read with it."""
_BARE_NUCLIDE = re.compile(r"[0-9]{1,3}m?(?:[A-Z][a-z]?|[np])(?![A-Za-z0-9])")
_LIGAND = re.compile(
    r"(?:en|pn|tn|py|bi?py|phen|dien|trien|terpy|acac|ox|edta|gly|dppe|dmso|dmf|thf)(?:\^?[0-9]?[+-])?"
    r"(?=[ →⇌←,;.\n]|$)"
)
_LONGEST = 120


def tokens(plain: str, *, nuclear: bool) -> Iterator[Token]:
    """The tokens of a text in the spelling of equations; stops after MOST."""
    at = 0
    for _ in range(MOST):
        if space := _SPACE.match(plain, at):
            at = space.end()
        if at >= len(plain):
            return
        token = _next(plain, at, nuclear)
        yield token
        at = token.end


def _next(plain: str, at: int, nuclear: bool) -> Token:
    first = plain[at]
    if first in ARROWS or (
        first == "="
        and plain[at - 1 : at] not in ("<", ">", "=")
        and plain[at + 1 : at + 2] not in ("=", ">")
    ):
        return Token(Kind.ARROW, first, at, at + 1)
    if first == "+":
        return Token(Kind.PLUS, first, at, at + 1)
    if first == "\n":
        return Token(Kind.LINE, first, at, at + 1)
    if heat := _HEAT.match(plain, at):
        return Token(Kind.HEAT, heat[0], at, heat.end())
    if said := _SAID.match(plain, at):
        return Token(Kind.ARROW, SPOKEN, at, said.end())
    if counted := _counted(plain, at, nuclear):
        return counted
    if first == "-" and plain[at + 1 : at + 2] == " ":
        return Token(Kind.MINUS, first, at, at + 1)
    if word := _WORD.match(plain, at):
        return Token(Kind.WORD, word[0], at, word.end())
    return Token(Kind.OTHER, first, at, at + 1)


def _counted(plain: str, at: int, nuclear: bool) -> Token | None:
    """A species with what stands before and after it."""
    if nuclear and (excited := _EXCITED.match(plain, at)):
        end = _formula_end(plain, excited.end())
        return Token(Kind.SPECIES, plain[at:end], at, end)
    count = _COUNT.match(plain, at)
    start = count.end() if count else at
    species_end = _species_end(plain, start, nuclear)
    if species_end is None:
        return None
    written = next((count[name] for name in _NUMBERS if count[name]), "") if count else ""
    glued = count is not None and not count["times"]
    text = plain[start:species_end]
    last, state = _tail(plain, species_end)
    if state and text[-1:] not in ("+", "-") and (charge := _CHARGE.match(plain, last)):
        text, last = text + charge[0], charge.end()  # the state may stand under the charge
    if torn := _TORN.match(plain, last):
        return Token(Kind.WORD, plain[start : torn.end()], at, torn.end())
    return Token(Kind.SPECIES, text, at, last, written, glued, state)


def _tail(plain: str, at: int) -> tuple[int, str]:
    """Where the states, notes and marks after a species end, and the state."""
    state = mark = ""
    for _ in range(3):
        if match := _STATE.match(plain, at):
            name = (match["state"] or match["low"]).replace("_", "")
            state = state or _SAME_STATES.get(name, name)
        elif match := _MARK.match(plain, at):
            mark = "g" if match[0].strip() in ("↑", "^") else "s"
        else:
            match = _NOTE.match(plain, at)
        if match is None:
            break
        at = match.end()
    return at, state or mark


def _species_end(plain: str, at: int, nuclear: bool) -> int | None:
    """Where a species that starts at a position ends, None if none does."""
    if electron := _ELECTRON.match(plain, at):
        return electron.end()
    for pattern in (_PARTICLE, _NAMED_NUCLIDE, _BARE_NUCLIDE) if nuclear else (_LIGAND,):
        if match := pattern.match(plain, at):
            return match.end()
    head = _NUCLIDE_HEAD.match(plain, at)
    start = head.end() if head else at + (plain[at : at + 1] in ("•", "·"))
    end = _formula_end(plain, start)
    if end > start:
        return end
    if head and (particle := _HEADED_PARTICLE.match(plain, start)):
        mass = _SUFFIX_MASS.match(plain, particle.end())
        return mass.end() if mass else particle.end()
    return None


def _formula_end(plain: str, start: int) -> int:
    """Where a formula ends: letters and digits, closed brackets, hydrate dots, bonds, and its charge."""
    at = start
    head = _HEADS.match(plain, at)
    if head is None:
        return start
    at = head.end() - 1
    while at < len(plain) and (following := _step(plain, start, at)) is not None:
        at = following
    if at == head.end() - 1:
        return start
    return _charge_end(plain, at)


def _step(plain: str, start: int, at: int) -> int | None:
    character = plain[at]
    if character.isascii() and character.isalnum():
        return at + 1
    if character in "([{":
        return (
            None if at > start and (_STATE.match(plain, at) or _NOTE.match(plain, at)) else _closed(plain, at)
        )
    if character == "_" and not _STATE.match(plain, at) and plain[at + 1 : at + 2].isalnum():
        return at + 2
    if character == "^" and (match := _CHARGE.match(plain, at)):
        return match.end() if plain[match.end() : match.end() + 1] in ("]", ")") else None
    if at > start and (water := _WATER.match(plain, at)):
        amount = _AMOUNT.match(plain, water.end())
        return amount.end() if amount else water.end()
    if character in "-≡#" and at > start and _BOND.match(plain, at) and plain[at + 1] != ">":
        return at + 1
    if character == "=" and at > start and _DOUBLE.search(plain, max(start, at - 3), at + 5):
        return at + 1
    return None


def _closed(plain: str, at: int) -> int | None:
    """The end of a bracket that opens at a position and holds nothing but a formula."""
    depth = 0
    for index in range(at, min(len(plain), at + _LONGEST)):
        character = plain[index]
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if depth == 0:
                return index + 1 if re.search(r"[A-Zen]", plain[at:index]) else None
        elif character in " \n" + ARROWS or ord(character) > 0x2000:
            return None
    return None


def _charge_end(plain: str, at: int) -> int:
    """Where the charge after a formula ends; a plus sign that joins two terms is none."""
    for pattern in (_CHARGE, _SUFFIX_MASS, _SPACED_CHARGE):
        match = pattern.match(plain, at)
        if match and (
            pattern is _SUFFIX_MASS
            or _AFTER_CHARGE.match(plain, match.end())
            or plain[match.end() :][:1] == "-"
        ):
            at = match.end()
            break
    else:
        at = _signs_end(plain, at)
    return at + 1 if plain[at : at + 1] in ("•", "·") and not _WATER.match(plain, at) else at


def _signs_end(plain: str, at: int) -> int:
    end = at
    while plain[end : end + 1] in ("+", "-") and end - at < 5 and plain[end] == plain[at]:
        end += 1
    if end == at:
        return at
    if _AFTER_CHARGE.match(plain, end) and not (
        plain[end : end + 1] in ("(", "[") and not _STATE.match(plain, end)
    ):
        return end
    return end - 1 if plain[at] == "+" else (end if plain[end : end + 1] == "+" else at)
