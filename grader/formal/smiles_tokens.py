"""Finding what is meant as SMILES in an answer.

Words and formulas parse as SMILES (``I``, ``NO``, ``ICON``, ``C=O`` of "the
C=O bond"), so a token counts by itself only where it is too elaborate to be
anything else; a short one needs a mark, a code span or a cue that introduces it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from grader.answer.marks import Mark, Rank
from grader.formal.structure import (
    MAX_CHARACTERS,
    Structure,
    Unreadable,
    clean,
    read_structure,
    split_extension,
)

MAX_TOKENS = 300
"""An answer with more different structures than this isn't read further."""

_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
_RUN = re.compile(rf"[A-Za-z0-9@+\-\u2212\u2013\u207a\u207b\[\]()=#$%/\\.*:<>'{_INVISIBLE}]+")
_EXTENSION = re.compile(r"[ \t]{1,3}\|(?:[&oa]\d{0,3}:|\$|w[UD]?:|[(rctmH])[^|\s]{0,1000}\|")
_PIECE = (
    r"\[[^\[\]\s]{1,60}\]|Br|Cl|Cp\*?|Ar|Nu|[BCNOPSFIbcnops*]|[RLX]'{0,3}"
    r"|->|<-|[=#$:/\\.\-()]|[0-9]|%[0-9]{2}"
)
_SHAPE = re.compile(rf"(?>{_PIECE})+")
_HEAD = re.compile(r"(?:[A-Za-z]{2,14}|[A-Z])[0-9]?'?(?:=|:)(?=[^=:])")
_REACTION = re.compile(r">>|>[^>\-\s]*>")
_LETTERS_ONLY = re.compile(r"[A-Za-z]+")
_CHAIN = re.compile(r"(?:C|N|O|S|P|F|I|Cl|Br)+")
_ACRONYMS = frozenset(["BCC", "CCF", "CCI", "CCP", "CCS", "FCC", "ICC", "PCC", "SCC"])
_CUE = re.compile(
    r"(?:\b(?:is|are|gives?|giving|yields?|affords?|forms?|furnishes|provides|be|as)|[=:]|->|\u2192)\s{0,3}[\"'(]?$",
    re.I,
)
_SMILES_CUE = re.compile(
    r"\bSMILES\b(?:[ \t]+(?:string|notation|code|is|of|for|the|[A-Z]))*[ \t]*[:=)]*\s{0,3}[`$\"'(*]*$"
)
_SOURCE = re.compile(
    r"\b(?:from|of|treat(?:ing|ed|ment of)?|with|using|via|through|by|start(?:ing)? (?:from|with)|heating|"
    r"oxidis(?:e|ing)|reduc(?:e|ing)|converts?|isomer(?: is)?|(?:starting material|reactant|"
    r"substrate|reagent|precursor|solvent|catalyst|intermediate|by-?product|side product|monomer)s?(?: is| are| was|:|,)?)"
    r"\s{1,2}(?:the |a |an |its |one |two )?[`$\"'(*]*$",
    re.I,
)
_CONSUMED = re.compile(
    r"[`$\"')*]*\s{0,3}(?:->|\u2192|\+|reacts?\b|undergoes\b|"
    r"\b(?:is|are|was|were) (?:converted|oxidi[sz]ed|reduced|treated|hydroly[sz]ed|heated|consumed)\b)",
    re.I,
)
_BEFORE = 80


@dataclass(frozen=True, slots=True)
class Written:
    """A structure as an answer writes it; ``structure`` is None where it can't be read, ``why`` says so."""

    text: str
    structure: Structure | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Token:
    """A token meant as a structure, with its raw span; ``aside``: it names where the answer starts from."""

    written: Written
    start: int
    end: int
    aside: bool


def find_tokens(raw: str, marks: tuple[Mark, ...], *, attachments: bool) -> list[Token]:
    """Every token of a raw text that is meant as SMILES, in order.

    ``attachments``: attachment points are expected, so a star at either end of a
    token is one and not emphasis.
    """
    read: dict[str, Written] = {}
    found = []
    for start, end in _spans(raw, attachments):
        text = raw[start:end]
        if text not in read:
            if len(read) >= MAX_TOKENS:
                break
            read[text] = _read(text)
        written = read[text]
        if _is_meant(raw, start, end, written, marks):
            found.append(Token(written, start, end, _is_source(raw, start, end)))
    return found


def _spans(raw: str, attachments: bool) -> Iterator[tuple[int, int]]:
    """The raw spans that have the shape of SMILES."""
    for run in _RUN.finditer(raw):
        if run.end() - run.start() > MAX_CHARACTERS:
            continue
        start, end = _trimmed(raw, *run.span(), attachments)
        for low, high in _parts(raw, start, end):
            if low < high and _SHAPE.fullmatch(clean(raw[low:high])):
                extension = _EXTENSION.match(raw, high)
                yield low, extension.end() if extension else high


def _trimmed(raw: str, start: int, end: int, attachments: bool) -> tuple[int, int]:
    """The span without the punctuation and emphasis around it."""
    before = None
    while before != (start, end) and start < end:
        before = (start, end)
        if raw[end - 1] in ".:'/\\<>=+-" and not raw[start:end].endswith(("+]", "-]")):
            end -= 1
        elif raw[start] in ".:'<>=+)]":
            start += 1
        elif raw.startswith("**", start, end):
            start += 2
        elif raw.endswith("**", start, end):
            end -= 2
        elif raw[end - 1] in ")]" and _unbalanced(raw[start:end]):
            end -= 1
        elif raw[start] == "(":
            start += 1
        elif not attachments and raw[start] == raw[end - 1] == "*" and "*" not in raw[start + 1 : end - 1]:
            start, end = start + 1, end - 1
        elif raw[start] in _INVISIBLE:
            start += 1
        elif raw[end - 1] in _INVISIBLE:
            end -= 1
    return start, end


def _unbalanced(text: str) -> bool:
    close = text[-1]
    return text.count("(" if close == ")" else "[") < text.count(close)


def _parts(raw: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A run as one token, without a label glued to it, or cut at its arrows; a reaction is none."""
    text = raw[start:end]
    if _REACTION.search(text):
        return
    head = _HEAD.match(text)
    if head and not _parses(text):
        start, text = start + head.end(), text[head.end() :]
    if "->" in text and not _parses(text):
        for piece in re.finditer(r"(?:[^-]|-(?!>))+", text):
            shift = piece[0].startswith(">")
            yield start + piece.start() + shift, start + piece.end()
        return
    yield start, end


def _parses(text: str) -> bool:
    return _SHAPE.fullmatch(clean(text)) is not None and _read(text).structure is not None


def _read(text: str) -> Written:
    try:
        return Written(text, read_structure(text))
    except Unreadable as error:
        return Written(text, None, str(error))


def _is_meant(raw: str, start: int, end: int, written: Written, marks: tuple[Mark, ...]) -> bool:
    """Whether a token is meant as a structure and not as a word, a formula or a bond."""
    text = split_extension(clean(written.text))[0]
    before = raw[max(0, start - _BEFORE) : start]
    if _SMILES_CUE.search(before):
        return True
    rank = _mark_rank(raw, start, end, marks)
    if written.structure is None:
        return rank >= Rank.CODE and _elaborate(text)
    atoms = written.structure.mol.GetNumAtoms()
    if _unmistakable(text, atoms):
        return not _glued(raw, start, end)
    if rank >= Rank.CODE:
        return atoms >= 2 and not (rank == Rank.BOLD and not _is_chain(text))
    return _is_chain(text) and _CUE.search(before) is not None


def _mark_rank(raw: str, start: int, end: int, marks: tuple[Mark, ...]) -> Rank:
    """The highest mark whose whole content is the token, but for wrapping."""
    ranks = [Rank.PLAIN]
    for mark in marks:
        if mark.start <= start and end <= mark.end and mark.end - mark.start < end - start + 60:
            rest = raw[mark.start : start] + raw[end : mark.end]
            if re.fullmatch(r"(?:\\(?:text|mathrm|mathtt|texttt|ce|boxed)|[\s`$*{}\"'.,:;()\[\]\\])*", rest):
                ranks.append(mark.rank)
    return max(ranks)


def _elaborate(text: str) -> bool:
    return len(text) >= 4 and re.search(r"[(=#\[]|[0-9]", text) is not None


def _unmistakable(text: str, atoms: int) -> bool:
    """Whether only a SMILES can look like this."""
    if _LETTERS_ONLY.fullmatch(text):
        return False
    if re.search(r"\[[^\]]*[@+\-0-9H][^\]]*\]", text):
        return atoms >= 2
    rings = len(re.findall(r"[A-Za-z\])][0-9]", text)) >= 2
    return atoms >= 4 and (rings or re.search(r"[=#(]", text) is not None or "[" in text)


def _is_chain(text: str) -> bool:
    """Whether a token of letters is a chain of at least three atoms and no acronym."""
    return _CHAIN.fullmatch(text) is not None and "CC" in text and len(text) >= 3 and text not in _ACRONYMS


def _glued(raw: str, start: int, end: int) -> bool:
    """Whether the token is part of a longer word or number."""
    return raw[start - 1 : start].isalnum() or raw[end : end + 1].isalnum()


def _is_source(raw: str, start: int, end: int) -> bool:
    """Whether the sentence presents the token as what is consumed, not as what is asked."""
    before = raw[max(0, start - _BEFORE) : start]
    return _SOURCE.search(before) is not None or _CONSUMED.match(raw, end) is not None
