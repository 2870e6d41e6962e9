"""Finding what is meant as SMILES in an answer.

Words and formulas parse as SMILES (``I``, ``NO``, ``ICON``, ``C=O`` of "the
C=O bond"), so a token counts by itself only where it is too elaborate to be
anything else; a short one needs a mark, a code span or a cue that introduces it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from grader.answer.cover import Cover
from grader.answer.marks import EXPLICIT, Mark, Rank
from grader.formal.reading.roles import Role
from grader.formal.reading.smiles_roles import role_of
from grader.formal.reading.surroundings import Covering, is_unreal
from grader.formal.structures.profile import MAX_CHARACTERS
from grader.formal.structures.structure import (
    Structure,
    Unreadable,
    clean,
    read_structure,
    split_extension,
)

MAX_TOKENS = 1000
"""An answer that writes more structures than this isn't read at all."""

_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
_RUN = re.compile(
    rf"</?[A-Za-z_]{{1,20}}>|(?:\\textbackslash(?:\{{\}}| )?|"
    rf"(?!</?[A-Za-z_]{{1,20}}>)[A-Za-z0-9@+\-\u2212\u2013\u207a\u207b\[\]()=#$%/\\.*:<>'{_INVISIBLE}])+"
)
_INCHI = re.compile(r"InChI\W{0,3}1S?\\?/[^\s`]{1,4000}|(?<![A-Za-z0-9/])1S\\?/[A-Z][^\s`]{1,4000}", re.I)
_EXTENSION = re.compile(r"[ \t]{1,3}\|(?:[&oa]\d{0,3}:|\$|w[UD]?:|[(rctmH])[^|\s]{0,1000}\|")
_PIECE = (
    r"\[[^\[\]\s]{1,60}\]|Boc|TBS|TMS|TIPS|[nit]Bu|[ni]Pr|Ph|Me|Et|Bn|Ac|Ts|Br|Cl|Cp\*?|Ar|Nu|[BCNOPSFIbcnops*]|[RLX]'{0,3}"
    r"|->|<-|[=#$:/\\.\-()]|[0-9]|%[0-9]{2}"
)
_SHAPE = re.compile(rf"(?>{_PIECE})+")
_HEAD = re.compile(r"(?:[A-Za-z]{2,14}|[A-Z])[0-9]?'?(?:=|:)(?=[^=:])")
_ATOMS_BONDED = re.compile(r"(?:[CNOSP]|Cl|Br)+[0-9]?=")
"""What starts like a label and an equals sign, but is atoms and a double bond."""
_REACTION = re.compile(r">>|>[^>\-\s]*>")
_MARKED_ATOM = r"(?:\[[^\]]{1,20}\]|Br|Cl|[A-Za-z])[0-9%]{0,3}(?:\([^()]{0,40}\))?"
_GEOMETRY = re.compile(rf"/{_MARKED_ATOM}[(]?=|={_MARKED_ATOM}/")
_LETTERS_ONLY = re.compile(r"[A-Za-z]+")
_CHAIN = re.compile(r"(?:C|N|O|S|P|F|I|Cl|Br)+")
_ACRONYMS = frozenset(["BCC", "CCF", "CCI", "CCP", "CCS", "FCC", "ICC", "PCC", "SCC"])
_CUE = re.compile(
    r"(?:\b(?:is|are|gives?|giving|yields?|affords?|forms?|furnishes|provides|be|as)|[=:]|->|"
    r"\u2192|\bthe (?:\w{1,14} )?(?:product|answer),?)\s{0,3}[\"'(]?$",
    re.I,
)
_THEREFORE = re.compile(r"\b(?:hence|thus|therefore|so),?\s$", re.I)
_SENTENCE_END = re.compile(r"[.!]?\s*(?:\n|$)")
_SMILES_CUE = re.compile(r"\bSMILES\b(?:[ \t]{1,3}[A-Za-z]{1,14}){0,6}?(?:[ \t]is)?[\s:=)`$\"'(*_]{0,8}$")
_ISOMERIC = re.compile(r"\bisomeric SMILES\W{0,10}$", re.I)
_CANONICAL = re.compile(r"\b(?:canonical|flat|non-?isomeric|connectivity) SMILES\W{0,10}$", re.I)
_RESULT = re.compile(
    r"(?<!by-)(?<!side )(?<!minor )\b(?:product|answer|result|structure)(?: is| are|[*_ ]{0,3}[:=])"
    r"[*_ `$\"'(]{0,6}$",
    re.I,
)
_SMILES_HEADER = re.compile(r"\|[ *`]{0,4}(?:SMILES|structure)\b[^|\n]{0,30}(?=\|)", re.I)
_SUBSCRIPT = re.compile(r"\}?\$?_\{?[0-9]")
"""A ring number set as a subscript: what stands before it is only a part of the structure."""
_TAG = re.compile(r"[ `*]{0,3}\((?:compound )?[A-Z][0-9]?\)")
_BARE = re.compile(
    r"\s*(?:(?:\*\*)?(?:(?:[Tt]he )?(?:[Ff]inal )?[Aa]nswer|SMILES)(?::| is)(?:\*\*)? )?(?P<tick>`)?"
    r"(?P<token>[^\s`]{2,2000})(?(tick)`)\.?\s*"
)
_ALONE = re.compile(r"[ \t`*$>|.-]*")
_LISTED = re.compile(r"[^.;\n]{0,25}?(?P<link>,|/|\b(?:and|or|vs)\b)[^.;\n]{0,25}", re.I)
_BEFORE = 80


@dataclass(frozen=True, slots=True)
class Written:
    """A structure as an answer writes it; ``structure`` is None where it can't be read, ``why`` says so."""

    text: str
    structure: Structure | None
    why: str = ""
    role: Role = Role.STATED


class TooMany(ValueError):
    """An answer lists more candidates than anyone would read."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token meant as a structure, with its raw span."""

    written: Written
    start: int
    end: int


def find_tokens(
    raw: str, marks: tuple[Mark, ...], *, attachments: bool, atom: bool = False, labels: Collection[str] = ()
) -> list[Token]:
    """Every token of a raw text that is meant as SMILES, in order.

    ``attachments``: attachment points are expected, so a star at either end of a
    token is one and not emphasis. ``atom``: an atom or ion is expected, so one in
    brackets in code is meant. ``labels``: what may be glued to a token as its label. Raises TooMany.
    """
    read: dict[str, Written] = {}
    found: list[Token] = []
    covering = Covering(marks)
    for start, end in _spans(raw, attachments, labels):
        text = raw[start:end]
        if text not in read:
            read[text] = _read(text)
        rank = covering.rank(raw, start, end)
        written = read[text]
        if _SUBSCRIPT.match(raw, end):
            written = replace(written, structure=None, why="its subscripts can't be read")
        ion = atom and rank >= Rank.CODE and text.startswith("[")
        meant = ion or _is_meant(raw, start, end, written, rank) or _is_listed(raw, start, written, found)
        if meant and not is_unreal(raw[max(0, start - _BEFORE) : start]):
            found.append(Token(replace(written, role=role_of(raw, start, end)), start, end))
        if max(len(found), len(read)) > MAX_TOKENS:
            raise TooMany
    return _fullest(raw, _results_first(raw, found))


def bare_token(raw: str, *, attachments: bool, labels: Collection[str]) -> tuple[int, int] | None:
    """The raw span of the one token that is all a text holds, as long as it is a SMILES.

    None for any other text.
    """
    alone = _BARE.fullmatch(raw)
    if alone is None:
        return None
    start, end = _trimmed(raw, *alone.span("token"), attachments)
    whole = start < end and list(_parts(raw, start, end, labels)) == [(start, end)]
    return (start, end) if whole else None


def bare_is_meant(text: str, atoms: int) -> bool:
    """Whether a token that is all an answer holds is meant as a structure."""
    return _is_chain(text) if _LETTERS_ONLY.fullmatch(text) else _unmistakable(text, atoms)


def _results_first(raw: str, found: list[Token]) -> list[Token]:
    """Where one token is introduced as the product, those before it are context."""
    results = [
        i for i, one in enumerate(found) if _RESULT.search(raw, max(0, one.start - _BEFORE), one.start)
    ]
    if not results:
        return found
    context = [
        one if i >= results[0] or one.written.role is not Role.STATED else _in_context(one)
        for i, one in enumerate(found)
    ]
    return context


def _fullest(raw: str, found: list[Token]) -> list[Token]:
    """Where one structure is called isomeric SMILES, the ones called canonical only repeat it "
    "without stereo."""
    before = [raw[max(0, one.start - 40) : one.start] for one in found]
    if not any(_ISOMERIC.search(text) for text in before):
        return found
    return [
        _in_context(one) if _CANONICAL.search(text) else one for one, text in zip(found, before, strict=True)
    ]


def _in_context(token: Token) -> Token:
    return replace(token, written=replace(token.written, role=Role.CONTEXT))


def _is_listed(raw: str, start: int, written: Written, found: list[Token]) -> bool:
    """Whether a token of letters stands in a list beside a structure."""
    if not found or written.structure is None or found[-1].end > start:
        return False
    gap = _LISTED.fullmatch(raw, found[-1].end, start)
    if gap is None:
        return False
    return len(written.text) >= (2 if gap["link"].lower() in ("or", "vs") else 3)


def _spans(raw: str, attachments: bool, labels: Collection[str]) -> Iterator[tuple[int, int]]:
    """The raw spans that have the shape of SMILES."""
    inchis = Cover(match.span() for match in _INCHI.finditer(raw))
    for run in _RUN.finditer(raw):
        if inchis.touches(*run.span()):
            continue
        if (run[0].endswith(">") and run[0].startswith("<")) or len(run[0]) > MAX_CHARACTERS:
            continue
        start, end = _trimmed(raw, *run.span(), attachments)
        for low, high in _parts(raw, start, end, labels):
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


def _parts(raw: str, start: int, end: int, labels: Collection[str]) -> Iterator[tuple[int, int]]:
    """A run as one token, without a label glued to it, or cut at its arrows; a reaction is none."""
    text = raw[start:end]
    if _REACTION.search(text):
        return
    head = _HEAD.match(text)
    if head and _is_label(raw, start, head[0], text, labels):
        start, text = start + head.end(), text[head.end() :]
    if text.count("/") == 1 and "\\" not in text and not _GEOMETRY.search(text):
        # A lone slash gives no geometry; beside no double bond it separates two structures.
        middle = start + text.index("/")
        yield start, middle
        yield middle + 1, end
        return
    if "->" in text and not _parses(text):
        for piece in re.finditer(r"(?:[^-]|-(?!>))+", text):
            shift = piece[0].startswith(">")
            yield start + piece.start() + shift, start + piece.end()
        return
    yield start, end


def _is_label(raw: str, start: int, head: str, text: str, labels: Collection[str]) -> bool:
    """Whether what a run starts with is a label glued to it, not atoms and a double bond.

    A letter that is an atom too is a label only in a list of labels: ``B=CCO, C=CC=O``.
    """
    name = head.rstrip("=:")
    if not (_ATOMS_BONDED.match(text) or _parses(text)):
        return True
    if name not in labels:
        return False
    if not (_ATOMS_BONDED.match(text) and len(name) == 1 and _parses(text)):
        return True
    if re.search(rf"\b{name}\b\W{{1,8}}$", raw[max(0, start - 10) : start]):
        return False
    beside = f"[{chr(ord(name) - 1)}{chr(ord(name) + 1)}]"
    return re.search(rf"(?<![\w)\]=#]){beside}[ ]?[=:][ ]?\S", raw) is not None


def _parses(text: str) -> bool:
    return _SHAPE.fullmatch(clean(text)) is not None and _read(text).structure is not None


def is_smiles(text: str) -> bool:
    """Whether a text by itself can only be meant as SMILES."""
    written = _read(text)
    return written.structure is not None and _unmistakable(clean(text), written.structure.mol.GetNumAtoms())


def _read(text: str) -> Written:
    try:
        return Written(text, read_structure(text))
    except Unreadable as error:
        return Written(text, None, str(error))


def _is_meant(raw: str, start: int, end: int, written: Written, rank: Rank) -> bool:
    """Whether a token is meant as a structure and not as a word, a formula or a bond."""
    text = split_extension(clean(written.text))[0]
    before = raw[max(0, start - _BEFORE) : start]
    if _SMILES_CUE.search(before):
        return True
    if written.structure is None:
        return _elaborate(text) and (rank >= Rank.CODE or _CUE.search(before) is not None)
    atoms: int = written.structure.mol.GetNumAtoms()
    if _unmistakable(text, atoms):
        return not _glued(raw, start, end)
    if rank >= EXPLICIT and text.startswith("["):
        return True
    if rank >= Rank.CODE:
        return atoms >= 2 and not (rank == Rank.BOLD and not _is_chain(text))
    if atoms >= 2 and _in_column(raw, start, end):
        return True
    cue = _CUE.search(before) or (_SENTENCE_END.match(raw, end) and _THEREFORE.search(before))
    if _LETTERS_ONLY.fullmatch(text):
        glossed = before.endswith("(") and raw[end : end + 1] == ")"
        chain = _is_chain(text) and (cue is not None or glossed)
        tagged = _is_chain(text) and _TAG.match(raw, end) is not None
        return chain or tagged or ("CC" in text and _alone(raw, start, end))
    if _TAG.match(raw, end) and not _glued(raw, start, end):
        return atoms >= 3
    return atoms >= 3 and cue is not None and not _glued(raw, start, end)


def _alone(raw: str, start: int, end: int) -> bool:
    """Whether the token is alone on its line."""
    low, high = raw.rfind("\n", 0, start) + 1, raw.find("\n", end)
    rest = raw[low:start] + raw[end : len(raw) if high < 0 else high]
    return len(rest) < 40 and _ALONE.fullmatch(rest) is not None


def _in_column(raw: str, start: int, end: int) -> bool:
    """Whether the token is all that a cell of a table with a column of SMILES holds."""
    if (
        not raw[max(0, start - 4) : start].rstrip(" `*").endswith("|")
        or raw[end : end + 4].lstrip(" `*")[:1] != "|"
    ):
        return False
    low, high = raw.rfind("\n", 0, start) + 1, start
    column = raw.count("|", low, high)
    for head in _SMILES_HEADER.finditer(raw, 0, low):
        if raw.count("|", raw.rfind("\n", 0, head.start()) + 1, head.start() + 1) == column:
            return True
    return False


def _elaborate(text: str) -> bool:
    return len(text) >= 6 and re.search(r"[(=#\[]|[0-9]", text) is not None


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
