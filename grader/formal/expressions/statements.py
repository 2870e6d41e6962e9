"""Where an answer states expressions: chains of equalities, and expressions that stand alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from grader.formal.expressions.lexer import tokens
from grader.formal.expressions.literals import Unreadable
from grader.formal.expressions.names import UNITS
from grader.formal.expressions.parser import read
from grader.formal.expressions.segment import Segmenter
from grader.formal.expressions.token import Token
from grader.formal.expressions.tree import Node

MOST = 400
"""An answer with more statements than this isn't weighed."""


class TooMany(Exception):
    """An answer with more expressions than anyone would read."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side of an equation: ``raw[start:end]``."""

    tree: Node
    other: Node | None
    """Its second reading, where it has one."""
    start: int
    end: int
    rest: str = ""
    """What directly follows and is no part of the expression."""


@dataclass(frozen=True, slots=True)
class Statement:
    """Sides that an answer calls equal, or one expression by itself."""

    sides: tuple[Side, ...]
    head: str = ""
    """Words on the left side, where it is no expression."""
    start: int = 0
    """Where it starts in the raw text, the last word on its left side with it."""
    proportional: bool = False
    approximate: bool = False
    """One of the sides only approximates another."""
    unread: bool = False
    """A side holds what this grammar has no words for: a sum, an integral."""


_REACH = 80
_CLAUSE = re.compile(
    r"[.;:\n|]\s|\b(?:that|is|are|so|then|hence|thus|therefore|and|gives?|get|law|as|with|where)\b(?=\s\S)",
    re.I,
)


_GLOSS = re.compile(r"[0-9]{1,2}|S_?N_?[12]|E[12]|E1cB|[ivx]{2,4}")
"""The number of an equation, or a mechanism."""
_ACRONYM = re.compile(r"[A-Z][a-z]?[A-Z][A-Za-z]{0,3}")
_QUANTITIES = frozenset("PVTRSHGUEQnmkhcpvtxi")
"""Letters that make products of quantities on a left side: ``PV``, ``TS``."""


_WRAPPED = r"[\s({\[]{0,3}(?:\\(?:text|mathrm)\{)?[A-Za-z]{2,20}[\s)}\]]{0,4}$"
_OPERATED = re.compile(
    rf"(?:[0-9A-Za-z)}}]\s?(?:[/·⋅*×]|\\cdot|\\times)|[0-9]\s?\\[,;:!]"
    rf"|(?:^|[\s$(])[-−–](?=[A-Za-z\\])"
    rf"|\b(?:ln|log|lg|log10)|√|\\(?:ln|log|sqrt)|\\frac\{{[^{{}}\s]{{1,8}}\}}){_WRAPPED}"
    r"|[A-Za-z)}](?:[²³⁻]|\s?\^)[^\s=⟩]{0,6}\s?$"
)
"""A word with a factor, a function or an exponent, before an equals sign."""


def statements(raw: str, segmenter: Segmenter, *, euler: bool = True) -> list[Statement]:
    """Every statement of an answer, in order. Raises TooMany."""
    found: list[Statement] = []
    for run in _runs(_joined(tokens(raw, segmenter))):
        for piece in _unnested(run):
            statement = _statement(raw, _without_unit(piece, segmenter), segmenter, euler)
            if statement is not None:
                found.append(statement)
            if len(found) > MOST:
                raise TooMany
    return found


def _joined(found: Sequence[Token]) -> list[Token]:
    """The tokens, without line ends and marks of type inside an expression."""
    kept: list[Token] = []
    for index, token in enumerate(found):
        if token.kind != "edge" and token.text != "\n":
            kept.append(token)
            continue
        following = next(
            (one for one in found[index + 1 : index + 8] if one.kind != "edge" and one.text != "\n"), None
        )
        opened = token.kind == "edge" and token.text == "boxed"
        if not opened and (_links(kept[-1] if kept else None) or _continues(following, token)):
            continue
        if not kept or kept[-1].kind != "stop":
            kept.append(Token("stop", token.text, token.start, token.end))
    return kept


def _links(token: Token | None) -> bool:
    return token is not None and (token.kind == "relation" or (token.kind == "op" and token.text in "+*/^-"))


def _continues(token: Token | None, after: Token) -> bool:
    if token is None:
        return False
    if token.kind == "relation":
        return True
    return token.kind == "op" and (token.text in "^/" or (after.kind == "edge" and token.text in "+-*"))


def _runs(found: Sequence[Token]) -> Iterator[list[Token]]:
    """Tokens between words and stops; the word before an equals sign belongs to it."""
    run: list[Token] = []
    for token in found:
        if token.kind in ("word", "stop"):
            if any(one.kind != "edge" for one in run):
                yield run
            run = []
        else:
            run.append(token)
    if run:
        yield run


def _unnested(run: Sequence[Token]) -> Iterator[list[Token]]:
    """Cut a run at brackets that it leaves open or never opened, and at those that hold an equation."""
    piece: list[Token] = []
    opened: list[int] = []
    for token in run:
        if token.kind == "close" and not opened:
            yield piece
            piece = []
            continue
        if token.kind == "relation" and opened:
            yield piece[: opened[0]]
            piece, opened = piece[opened[-1] + 1 :], []
        piece.append(token)
        if token.kind == "open":
            opened.append(len(piece) - 1)
        elif token.kind == "close":
            opened.pop()
    yield piece[: opened[0]] if opened else piece


def _without_unit(piece: list[Token], segmenter: Segmenter) -> list[Token]:
    """A piece without the unit, number or mechanism in brackets behind it: ``k[A] (M/s)``, ``k[A] (SN1)``."""
    opened = max((index for index, token in enumerate(piece) if token.kind == "open"), default=0)
    inside = piece[opened + 1 : -1]
    if opened == 0 or not piece[opened].spaced or piece[-1].kind != "close":
        return piece
    names = {token.text for token in inside if token.kind == "symbol"}
    measured = all(token.kind in ("symbol", "number") or token.text in "*/^-" for token in inside)
    known = any(segmenter.names(name) for name in names)
    unit = bool(names) and names <= UNITS and measured
    glossed = _GLOSS.fullmatch("".join(token.text for token in inside)) is not None
    return piece[:opened] if (unit or glossed) and not known else piece


def _statement(raw: str, piece: Sequence[Token], segmenter: Segmenter, euler: bool) -> Statement | None:
    """The statement that a piece makes, if it makes one."""
    cuts = [index for index, token in enumerate(piece) if token.kind == "relation"]
    parts = [piece[low + 1 : high] for low, high in zip([-1, *cuts], [*cuts, len(piece)], strict=True)]
    if cuts:
        parts[0] = _named(parts[0], segmenter)
    sides = [_side(part, euler) for part in parts]
    # what a sum or an integral comes to is read, where its value is given behind it
    bad = any(token.kind == "bad" for part in (parts[0], parts[-1]) for token in part)
    bad |= bool(cuts) and sides[0] is None and _is_operated(raw, piece[cuts[0]].start)
    kept = tuple(side for side in sides if side is not None)
    if not kept:
        return None
    head = _words(raw, piece[cuts[0]].start) if cuts and sides[0] is None else ""
    named = head.split()[-1:]
    start = raw.rfind(named[0], 0, piece[cuts[0]].start) if named else kept[0].start
    signs = {piece[index].text for index in cuts}
    return Statement(kept, head, start, "∝" in signs, "≈" in signs, bad)


def _is_new(segmenter: Segmenter, part: Sequence[Token]) -> bool:
    """Whether two letters of a run are no symbols of the check."""
    return sum(not segmenter.names(token.text) for token in part) > 1


def _named(part: Sequence[Token], segmenter: Segmenter) -> Sequence[Token]:
    """A left side without the unit or the variable in brackets behind its symbol: ``E(V)``, ``[A]t``.

    Letters of which the check doesn't know two are an acronym: ``DBE``.
    """
    kinds = [token.kind for token in part]
    run = "".join(token.text for token in part)
    together = set(kinds) == {"symbol"} and len({token.start for token in part}) == 1
    if together and _ACRONYM.fullmatch(run) and not set(run) <= _QUANTITIES and _is_new(segmenter, part):
        return [replace(part[0], text=run, end=part[-1].end)]
    timed = kinds == ["symbol", "symbol"] and part[0].text[-1] == "]" and part[1].text == "t"
    return part[:1] if timed or kinds == ["symbol", "open", "symbol", "close"] else part


def _side(part: Sequence[Token], euler: bool) -> Side | None:
    if not part:
        return None
    try:
        found = read(part, euler)
    except Unreadable:
        return None
    rest = " ".join(token.text for token in part[found.end :])
    return Side(found.tree, found.other, part[0].start, part[found.end - 1].end, rest)


def _is_operated(raw: str, at: int) -> bool:
    """Whether something is done to the word that an equals sign follows: ``1/rate``, ``ln(rate)``."""
    return _OPERATED.search(raw, max(0, at - _REACH), at) is not None


def _words(raw: str, at: int) -> str:
    """The words that an equals sign follows."""
    before = raw[max(0, at - _REACH) : at].rstrip()
    line = before[before.rfind("\n") + 1 :]
    start = max((match.end() for match in _CLAUSE.finditer(line)), default=0)
    return line[start:].strip(" *$`_\\([{")
