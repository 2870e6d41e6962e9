"""The labels of a check, and where an answer writes them.

A label is spelled loosely: ``k_obs`` is ``k_{obs}`` and ``kobs``; ``nu1`` is
``ν1``; ``ΔH‡`` is ``dH(act)``; ``I-`` is ``[I-]`` and ``iodide``; ``Cr`` is
chromium. Short labels are symbols and keep their case; words do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from grader.answer.latex import GREEK
from grader.answer.notation import normalise

Side = Literal["own", "shared", "other"]

_GREEK = {name: letter for name, letter in GREEK.items() if not name.startswith("var")}
_LETTER_NAMES = {letter: name for name, letter in _GREEK.items()}
_NAMES = (
    "hydrogen:H lithium:Li carbon:C nitrogen:N oxygen:O fluorine:F sodium:Na magnesium:Mg aluminium|"
    "aluminum:Al "
    "silicon:Si phosphorus:P sulfur|sulphur:S chlorine:Cl potassium:K calcium:Ca titanium:Ti vanadium:V "
    "chromium:Cr "
    "manganese:Mn iron:Fe cobalt:Co nickel:Ni copper:Cu zinc:Zn bromine:Br ruthenium:Ru rhodium:Rh "
    "palladium:Pd silver:Ag "
    "cadmium:Cd tin:Sn iodine:I caesium|cesium:Cs barium:Ba tungsten:W rhenium:Re osmium:Os iridium:Ir "
    "platinum:Pt gold:Au "
    "mercury:Hg lead:Pb uranium:U chloride:Cl- bromide:Br- iodide:I- fluoride:F- hydroxide:OH- nitrate:NO3- "
    "sulfate|sulphate:SO4^2- ammonium:NH4+ ammonia:NH3 water:H2O"
)
_BY_NAME = {
    name: symbol
    for entry in _NAMES.split()
    for names, symbol in [entry.split(":")]
    for name in names.split("|")
}
_BY_SYMBOL = {symbol: names for names, symbol in (entry.split(":") for entry in _NAMES.split())}
_ACTIVATION = r"\(?(?:‡|†|≠|#|\*|act(?:ivation)?)\)?"
_ION = r"[A-Z][a-z]?[A-Z]?[0-9]?\^?[0-9]?[+-](?=\s|$)"
_TOKEN = re.compile(rf"{_ION}|[A-Za-z]+|[0-9]+(?:[.,][0-9]+)?|[Α-Ωα-ω]|\s+|\S")
_CONDITION = re.compile(r"^[0-9]")
_NAMED_FUNCTION = re.compile(r"(?:\b(?:cos|sin|tan|log|log10|ln|lg|log_10|exp|sqrt|d)|√|1/)[ ]?[([]?\Z")
_FUNCTION_BEFORE = re.compile(
    r"(?:\b(?:cos|sin|tan|log|log10|ln|lg|log_10|exp|sqrt|d)|√|1/|[0-9][ ]?[*·×]?)[ ]?[([]?\Z"
    r"|(?<![^\s(=:])-[([]?\Z"
)


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A label as a text writes it, in plain offsets."""

    start: int
    end: int
    label: str
    side: Side
    condition: bool
    """The label is a circumstance ("0.010 M"), not the name of a quantity."""


def _word(word: str) -> str:
    """A word of a label: any case, singular or plural, an element or ion by name or symbol."""
    lower = word.lower()
    if word in _BY_SYMBOL and len(word) > 1:
        return rf"(?:{re.escape(word)}|(?i:{_BY_SYMBOL[word]}))"
    if lower in _BY_NAME:
        return rf"(?:(?i:{lower}s?(?:[ ]ions?)?)|\[?{_spaced_symbol(_BY_NAME[lower])}\]?)"
    if lower in _GREEK:
        return rf"(?:(?i:{lower})|{_GREEK[lower]})"
    if len(word) <= 3 or (len(word) <= 6 and not word.islower() and not word.istitle()):
        return "_?".join(word)
    stem = lower[:-1] if lower.endswith("s") and not lower.endswith("ss") else lower
    if len(word) <= 5:
        return f"(?i:{'_?'.join(stem)}(?:s|es)?)"
    stem = re.sub("is(e|ation)$", r"i[sz]\1", stem)
    return rf"(?i:{stem}(?:s|es)?)"


def _ion(symbol: str) -> str:
    """An ion, bracketed or not, by formula or by name."""
    names = _BY_SYMBOL.get(symbol, "") or _BY_SYMBOL.get(symbol.rstrip("+"), "")
    either = rf"\[?{_spaced_symbol(symbol.replace('^', ''))}\]?"
    return either + (rf"|(?i:{names})s?(?:[ ]ions?)?" if names else "")


def _spaced_symbol(symbol: str) -> str:
    return "".join(rf"\^?{re.escape(char)}" if char in "+-0123456789" else re.escape(char) for char in symbol)


def _split(run: str) -> Iterator[str]:
    """A run of letters cut where a Greek name or a leading d (for Δ) ends."""
    match = re.match(rf"({'|'.join(sorted(_GREEK, key=len, reverse=True))})(?=[A-Z_0-9]|$)", run)
    if match and match.end() < len(run):
        yield match.group(1)
        yield from _split(run[match.end() :])
    else:
        yield run


def _token(token: str, following: str) -> str:
    if token.isspace():
        return r"[\s-]{1,3}"
    if token in ("Δ", "Delta") or (token == "d" and following[:1].isupper()):
        return r"(?:Δ|[Dd]elta|d|D)[ ]?_?"
    if re.fullmatch(_ION, token):
        return rf"(?:{_ion(token)})"
    if token in _LETTER_NAMES:
        return rf"(?:{token}|(?i:{_LETTER_NAMES[token]}))"
    if token in "_{}^":
        return r"[_^ ]?"
    if token == "'":
        return "'"
    if token in "+-":
        return rf"\^?{re.escape(token)}"
    if token in "‡†≠":
        return rf"[_^]?(?:{_ACTIVATION})?"
    if token.isalpha():
        return _word(token)
    return re.escape(token)


@lru_cache(maxsize=4096)
def spelled(label: str) -> str:
    """A label in the plain spelling, as ``pattern`` takes it."""
    return normalise(label).plain.strip()


@lru_cache(maxsize=4096)
def pattern(label: str) -> re.Pattern[str]:
    """What matches a label in plain text.

    The label is spelled plainly itself (``spelled(label)``).
    """
    bare = label.strip()
    ionic = re.fullmatch(r"\[?([A-Z][A-Za-z0-9]{0,6}\^?[0-9]?[+-])\]?", bare)
    if ionic:
        return re.compile(rf"(?<![A-Za-z0-9_\])])(?:{_ion(ionic.group(1))})(?![A-Za-z0-9])")
    bare = re.sub(r"\((?:act|‡)\)", "‡", bare)
    parts: list[str] = []
    rest = bare
    for run in _TOKEN.findall(bare):
        rest = rest[len(run) :]
        pieces = list(_split(run)) if run.isalpha() and run.isascii() else [run]
        if re.fullmatch("d[A-Z][a-z]?", run):
            pieces = ["d", run[1:]]
        for index, piece in enumerate(pieces):
            following = pieces[index + 1] if index + 1 < len(pieces) else rest
            parts.append(_token(piece, following))
            if index + 1 < len(pieces) or (piece.isalpha() and rest[:1].isdigit()):
                raised = len(piece) > 1 and piece.islower() and index + 1 == len(pieces)
                parts.append(r"(?:[_ ]|\^(?![0-9]?[+-]))?" if raised else "[_ ]?")
            elif piece.isdigit() and rest[:1].isalpha():
                parts.append("[ ]?")
            elif piece.isalpha() and rest[:1].isalpha():
                parts.append("_?")
    core = "".join(parts)
    left = r"(?<![A-Za-z0-9_])(?<!Δ)" if bare[0].isalnum() else ""
    right = r"(?![A-Za-z0-9_'])" if bare[-1].isalnum() or bare[-1] in "‡°" else ""
    if bare[0].isdigit():
        left = r"(?<![0-9.,])(?<![A-Za-z])"
    return re.compile(f"{left}(?:{core}){right}")


def _sides(asked: Sequence[str], others: Sequence[str]) -> dict[str, Side]:
    folded = {label.strip().casefold() for label in others}
    sides: dict[str, Side] = dict.fromkeys(others, "other")
    for label in asked:
        sides[label] = "shared" if label.strip().casefold() in folded else "own"
    return sides


def occurrences(plain: str, asked: Sequence[str], others: Sequence[str]) -> tuple[Occurrence, ...]:
    """Every place where a label stands; of overlapping labels the longest counts."""
    found: list[Occurrence] = []
    for label, side in _sides(asked, others).items():
        plainly = spelled(label)
        if not plainly:
            continue
        condition = _CONDITION.match(plainly) is not None and not plainly.isalnum()
        for match in pattern(plainly).finditer(plain):
            if match.start() == match.end():
                continue
            found.append(Occurrence(*match.span(), label, side, condition))
    found.sort(key=lambda item: (item.start - item.end, item.start, item.side != "own"))
    taken = bytearray(len(plain))
    kept = []
    for item in found:
        if not any(taken[item.start : item.end]):
            taken[item.start : item.end] = b"\x01" * (item.end - item.start)
            kept.append(item)
    return tuple(sorted(kept, key=lambda item: item.start))


def in_function(plain: str, item: Occurrence) -> bool:
    """Whether the label stands inside a logarithm, a root or a product: another quantity."""
    if item.end - item.start > 4 and plain[item.start : item.end].islower():  # "6 signals" counts them
        return _NAMED_FUNCTION.search(plain, max(0, item.start - 12), item.start) is not None
    return _FUNCTION_BEFORE.search(plain, max(0, item.start - 12), item.start) is not None
