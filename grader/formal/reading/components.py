"""The components of one side of a reaction as prose writes them: SMILES, formulas, names, coefficients."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from grader.answer.cover import Cover
from grader.formal.structures.reaction import structure_components
from grader.formal.structures.reagents import formulas
from grader.formal.structures.structure import Structure, Unreadable

MAX_CHARACTERS = 4000
"""Longer text is no side of a reaction."""
MAX_COUNT = 12
"""A larger coefficient is no coefficient."""

_SEPARATOR = re.compile(
    r"\s*\+\s*|\s*[,;]\s+(?:and\s+)?|\s+(?:and|plus|with|&|reacts? with|reacting with)\s+"
)
_CODE = re.compile(r"`([^`\n]{1,2000})`")
_SIGN = r"[A-Za-z0-9@+\-\u2212\u207a\u207b\[\]()=#/\\%.*:']"
_TOKEN = re.compile(rf"(?<![_^\u2080-\u2089])(?<!{_SIGN}){_SIGN}++(?![_^\u2080-\u2089])")
"""A run of SMILES; what touches a subscript or superscript is a piece of a formula."""
_COUNT = re.compile(
    r"(?<![\w.,])(\d{1,2})\s{0,2}(?:[×x*]\s{0,2}|eq(?:uiv)?\.?\s{1,2}|mol\s{1,2}(?:of\s)?)?"
    r"[`*$({\s\"']{0,6}$"
)
_SUBSCRIPT = re.compile(r"\\(?:ce|mathrm|text|textrm|mathbf|pu)\{|[_{}$\s]|\\[,;! ]")
_LATEX = re.compile(
    r"\\(?:ce|mathrm|text|textrm|textbf|texttt|mathbf|mathtt|boxed|pu|quad|,|;|!)(?![A-Za-z])|[{}$]"
)
_LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋⁺⁻\u2212", "0123456789+-+--")
_STATE = re.compile(r"\((?:aq|s|l|g)\)$")
_ORGANIC_LETTERS = re.compile(r"(?:Cl|Br|[BCNOPSFI])+")
_WORDS_AS_SMILES = frozenset(
    ["I", "IN", "IF", "NO", "ON", "OF", "SO", "PCC", "NBS", "NCS", "NIS", "BOC", "COB", "FOB", "NOB", "IS"]
)
_OR = re.compile(r"\bor\b|\bvs\b|\s/\s")
_PROSE_END = re.compile(r"[.!?](?=\s|$)")


@dataclass(slots=True)
class Side:
    """What one side of an arrow writes, with the raw span of what was read."""

    components: list[Structure] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    start: int = -1
    end: int = -1
    certain: bool = False
    """At least one component can only be meant as SMILES."""

    def add(self, structures: Sequence[Structure], start: int, end: int) -> None:
        """Take components that stand at a raw span."""
        self.components += structures
        self.start = start if self.start < 0 else min(self.start, start)
        self.end = max(self.end, end)


@dataclass(frozen=True, slots=True)
class _Piece:
    """What stands between two separators."""

    text: str
    start: int


def read_side(raw: str, low: int, high: int, *, outer: str, names: bool) -> Side:
    """The components of ``raw[low:high]``.

    ``outer``: at which end the sentence goes on (``left``, ``right`` or empty),
    so that only the component next to the arrow's side is taken there.
    """
    side = Side()
    if high - low > MAX_CHARACTERS:
        return side
    pieces = list(_pieces(raw, low, high))
    if outer == "right":
        pieces = _to_sentence_end(pieces)
    unknown: list[_Piece] = []
    for index, piece in enumerate(pieces):
        ends = {"left": index == 0, "right": index == len(pieces) - 1}
        found = _component(piece, last=outer == "left" and ends["left"])
        if found is None:
            if piece.text.strip(" \t\n`*$_.:;,()"):
                unknown.append(piece)
            continue
        side.add(*found)
        side.certain = side.certain or _is_certain(raw[found[1] : found[2]])
    _read_unknown(side, unknown, names=names)
    return side


def _pieces(raw: str, low: int, high: int) -> list[_Piece]:
    """The text cut at plus signs and words that join, but not within brackets or code."""
    covered = Cover(match.span() for match in _CODE.finditer(raw, low, high))
    pieces, at, depth, seen = [], low, 0, low
    for match in _SEPARATOR.finditer(raw, low, high):
        depth += _opened(raw, seen, match.start())
        seen = match.start()
        if depth <= 0 and not covered.touches(match.start(), match.start() + 1):
            pieces.append(_Piece(raw[at : match.start()], at))
            at = match.end()
    pieces.append(_Piece(raw[at:high], at))
    return pieces


def _opened(raw: str, low: int, high: int) -> int:
    """How many more brackets a stretch opens than it closes."""
    opened = raw.count("[", low, high) + raw.count("(", low, high)
    return opened - raw.count("]", low, high) - raw.count(")", low, high)


def _to_sentence_end(pieces: list[_Piece]) -> list[_Piece]:
    kept = []
    for piece in pieces:
        kept.append(piece)
        if _PROSE_END.search(piece.text):
            break
    return kept


Found = tuple[list[Structure], int, int]


def _component(piece: _Piece, *, last: bool) -> Found | None:
    """The component a piece writes, with its coefficient; the last of several tokens, or the first."""
    code = list(_CODE.finditer(piece.text))
    spans = [(match.start(1), match.end(1)) for match in code] or [
        match.span() for match in _TOKEN.finditer(_bare(piece.text))
    ]
    readable = [(one, span) for span in spans if (one := _structures(piece.text[slice(*span)], bool(code)))]
    if not readable:
        return _formula(piece)
    structures, (start, end) = readable[-1 if last else 0]
    if _OR.search(piece.text, spans[0][1], spans[-1][0]):
        return None
    count = _COUNT.search(piece.text, max(0, start - 20), start)
    times = int(count[1]) if count and 1 <= int(count[1]) <= MAX_COUNT else 1
    return structures * times, piece.start + start, piece.start + end


def _bare(text: str) -> str:
    """The text with LaTeX wrappers blanked, in its length."""
    return _LATEX.sub(lambda match: " " * len(match[0]), text)


def _structures(text: str, in_code: bool) -> list[Structure]:
    """What a token writes as SMILES; empty where it is a word or nothing readable."""
    smiles = text.strip().strip(".,;:*").translate(_LOWERED)
    smiles = smiles.strip("'") if smiles.startswith("'") else smiles
    smiles = re.sub(r"^\d{1,2}(?=[A-Z\[(])", "", smiles)
    if smiles.startswith("(") and smiles.endswith(")") and smiles.count("(") == smiles.count(")"):
        smiles = smiles[1:-1]
    while smiles[-1:] in (")", "]") and _opened(smiles, 0, len(smiles)) < 0:
        smiles = smiles[:-1]
    smiles = smiles.lstrip("(") if smiles.count("(") > smiles.count(")") else smiles
    if not smiles or (not in_code and smiles.upper() in _WORDS_AS_SMILES):
        return []
    if smiles.isalpha() and not (_ORGANIC_LETTERS.fullmatch(smiles) or "c" in smiles):
        return []
    try:
        return structure_components(smiles)
    except Unreadable:
        return []


def _formula(piece: _Piece) -> Found | None:
    """A small compound by its formula: ``2 H₂O``, ``\\ce{HBr}``."""
    for match in re.finditer(r"\S+(?:\s?[+-](?=\s|$))?", piece.text):
        plain = _STATE.sub("", _SUBSCRIPT.sub("", match[0]).translate(_LOWERED).strip("`*.,;:'\""))
        plain = plain.replace("^", "")
        counted = re.fullmatch(r"(\d{0,2})([A-Z].*)", plain)
        smiles = formulas().get(plain) or (formulas().get(counted[2]) if counted else None)
        if smiles is None:
            continue
        count = _COUNT.search(piece.text, 0, match.start())
        times = int(
            (counted and counted[1] and plain not in formulas() and counted[1]) or (count and count[1]) or 1
        )
        structures = structure_components(smiles) * min(max(times, 1), MAX_COUNT)
        return structures, piece.start + match.start(), piece.start + match.end()
    return None


def _read_unknown(side: Side, unknown: Sequence[_Piece], *, names: bool) -> None:
    """Pieces without a structure: by name where names count, else kept as unread."""
    texts = [_as_name(piece.text) for piece in unknown]
    read = _by_name([text for text in texts if text]) if names and texts else {}
    for piece, text in zip(unknown, texts, strict=True):
        smiles = read.get(text)
        if smiles is not None:
            side.add(structure_components(smiles), piece.start, piece.start + len(piece.text))
        else:
            side.unread.append(piece.text.strip()[:60])


def _as_name(text: str) -> str:
    bare = re.sub(r"\([^()]*\)\s*$", "", _bare(text).strip(" \t\n`*_.,;:"))
    return re.sub(r"^(?:\d{1,2}|an?|the|one|two)\s+", "", bare.strip(" `*_.,;:"))


def _by_name(names: Sequence[str]) -> dict[str, str]:
    from grader.formal.structures.names import structures

    return {
        name: read.smiles
        for name, read in zip(names, structures(names), strict=True)
        if read.smiles is not None
    }


def _is_certain(text: str) -> bool:
    return len(text.strip("`*.,")) >= 3 and re.search(r"[=#(\[]|[A-Za-z]\d|CC", text) is not None
