"""Finding the InChIs and InChIKeys of an answer, also where type and line breaks cut through them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace

from grader.answer.notation import Text, normalise
from grader.formal.reading.smiles_roles import role_of
from grader.formal.reading.smiles_tokens import MAX_TOKENS, TooMany, Written
from grader.formal.structures.inchi import key_blocks, read_inchi, spelled_inchi
from grader.formal.structures.structure import Unreadable

_SLASH = r"(?:\s{0,3}\\?/\s{0,12})"
_BREAK = r"(?<=[-,(;])\s{0,2}\n\s{0,12}(?=[0-9(])|(?<=[0-9)])\s{0,2}\n\s{0,12}(?=[-,);])"
_INSIDE = rf"(?:[0-9A-Za-z(),;+*?.\-!]|\\(?=[-+*(),;!.])|(?<=,)[ ](?=[0-9(H])|{_BREAK})"
"""A character of a layer, or a space or line break where a layer can't end."""
_LAYER = rf"{_SLASH}[chqpbtmsifro](?=[0-9(+\-;,*DTH/hN?.]|\s{{0,3}}\\?/){_INSIDE}{{0,2000}}"
_FORMULA = r"[A-Za-z0-9._]{1,200}"
_CUT = ("_", "^", "\\", "{", "/")
"""Signs that go on with an InChI in a way that isn't read."""
_PREFIX = r"InChI\s{0,2}\\?[=:]?\s{0,2}(?:InChI\s{0,2}[=:]\s{0,2})?"
_INCHI = re.compile(
    rf"(?<![A-Za-z0-9]){_PREFIX}1S?{_SLASH}(?:p[+-][0-9]|{_FORMULA})(?:{_LAYER}){{0,16}}"
    rf"|(?<![A-Za-z0-9/])1S\\?/{_FORMULA}(?:{_LAYER}){{1,16}}",
    re.I,
)
_KEY = re.compile(
    r"(?<![A-Za-z0-9-])(?:[A-Z]{14}\s{0,2}-\s{0,12}[A-Z]{10}(?:\s{0,2}-\s{0,12}[A-Z])?"
    r"|[a-z]{14}-[a-z]{10}-[a-z])(?![A-Za-z0-9-])"
)
_FIRST_BLOCK = re.compile(r"(?<![A-Za-z0-9-])[A-Z]{14}(?![A-Za-z0-9-])")
_KEY_CUE = re.compile(r"\b(?:key|block|hash|skeleton)\b[^.\n]{0,40}$", re.I)


def find_inchis(text: Text, notations: Collection[str]) -> Iterator[tuple[Written, int, int]]:
    """The InChIs and keys of a text, of the given notations, with their raw spans; raises TooMany."""
    for number, (low, high, written) in enumerate(_found(text.plain, notations)):
        if number == MAX_TOKENS:
            raise TooMany
        start, end = text.raw_span(low, high)
        yield replace(written, role=role_of(text.raw, start, end)), start, end


def _found(plain: str, notations: Collection[str]) -> Iterator[tuple[int, int, Written]]:
    if "inchi" in notations:
        for match in _INCHI.finditer(plain):
            length, written = _read(match[0])
            if plain[match.end() : match.end() + 1] in _CUT:
                written = replace(written, structure=None, why="its type can't be read")
            yield match.start(), match.start() + length, written
    if "inchikey" in notations:
        whole = set()
        for match in _KEY.finditer(plain):
            whole.add(match[0][:14].upper())
            yield *match.span(), _key(match[0])
        for match in _FIRST_BLOCK.finditer(plain):
            if match[0] not in whole and _KEY_CUE.search(plain, max(0, match.start() - 80), match.start()):
                yield *match.span(), _key(match[0])


def _key(text: str) -> Written:
    blocks = key_blocks(text) or ("", "", "")
    return Written("-".join(block for block in blocks if block), None, "a key shows no structure")


def _read(text: str) -> tuple[int, Written]:
    """The InChI that a text starts with and its length: what follows may be punctuation of the sentence."""
    unread: list[tuple[int, Written]] = []
    for shorter in _endings(text):
        spelled = spelled_inchi(shorter) or shorter
        try:
            return len(shorter), Written(spelled, read_inchi(spelled))
        except Unreadable as error:
            unread.append((len(shorter), Written(spelled, None, str(error))))
    return unread[0]


def _endings(text: str) -> Iterator[str]:
    """The text without the punctuation it may end in, likeliest first; a parity may end in a minus sign."""
    bare = text.rstrip(".,;")
    while bare.endswith(")") and bare.count(")") > bare.count("("):
        bare = bare[:-1].rstrip(".,;")
    yield bare
    yield bare.rstrip("-+*?!.,;")
    yield text
    yield bare.partition(", ")[0]


def as_inchi(text: str) -> str | None:
    """An InChI or a key that is all a text holds, in one spelling; None if it holds neither."""
    plain = normalise(text).plain.strip()
    blocks = key_blocks(plain)
    if blocks is not None:
        return "-".join(block for block in blocks if block)
    return spelled_inchi(plain)
