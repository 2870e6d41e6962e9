"""A line as pieces: marks, amounts, quotations, LaTeX and the classes of its words.

The grammar is ``marks.lark``, over the masked line; it reads any text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from lark import Lark, Token, Transformer

from grader.problem.rubric.mask import Masked, mask

WORDS = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
}
SEPARATORS = frozenset({"STOP", "SEMI", "COMMA", "COLON", "NEWLINE", "DASH", "AND"})
ANSWERS = frozenset({"QUOTED", "MATH"})
AMOUNTS = frozenset({"stated", "range", "formula"})


@dataclass(frozen=True, slots=True)
class Piece:
    """A word, an amount, a bracket or a mark of a line, with its offsets."""

    kind: str
    start: int
    end: int
    text: str = ""
    inner: tuple[Piece, ...] = ()
    """What stands in a bracket; for an amount, its words."""
    value: float = 0.0
    """The marks of an amount or a mark; the top of a range; the number of a number."""

    def has(self, kind: str) -> bool:
        """Whether a piece of that kind stands directly inside."""
        return any(piece.kind == kind for piece in self.inner)

    @property
    def each(self) -> bool:
        """Whether the amount is one item's: "1 point each", "2 × 1 point"."""
        return self.has("EACH") or self.has("SHARES") or self.has("TIMES")

    @property
    def total(self) -> bool:
        """Whether the amount says that it is a total."""
        return self.has("TOTAL")

    @property
    def items(self) -> int | None:
        """How many items a product such as "3 × 1 point" speaks of."""
        for piece in self.inner:
            if piece.kind in ("SHARES", "TIMES"):
                return int("".join(char for char in piece.text if char.isdigit()))
        return None

    @property
    def amount(self) -> Piece:
        """The amount that opens a mark."""
        return self.inner[0]

    @property
    def tail(self) -> tuple[Piece, ...]:
        """What a mark says after its amount."""
        return self.inner[1:]


def read_pieces(line: str) -> tuple[Masked, tuple[Piece, ...]]:
    """The masked line and its pieces in order; never fails."""
    masked = mask(line)
    pieces: tuple[Piece, ...] = _parser().parse(masked.text)  # type: ignore[assignment]
    return masked, pieces


def flat(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Pieces with the inside of plain brackets, amounts kept whole."""
    for piece in pieces:
        if piece.kind == "bracket":
            yield from flat(piece.inner)
        else:
            yield piece


def deep(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Pieces at any depth, in no order that matters."""
    stack = list(pieces)
    while stack:
        piece = stack.pop()
        yield piece
        stack.extend(piece.inner)


def number(piece: Piece) -> int | None:
    """The whole number that a piece names, as digits or as a word."""
    if piece.kind == "COUNT":
        return WORDS[piece.text.lower()]
    if piece.kind == "BOTH":
        return 2
    if piece.kind == "NUMBER" and piece.text.isdigit() and len(piece.text) < 4:
        return int(piece.text)
    return None


def _amount(text: str) -> float:
    """The value of an amount such as "2", "0.5", "two", "half a"; unreadable ones never get here."""
    text = text.lower().replace("-", " ")
    if "half" in text or text == "½":
        return 0.5
    if text.endswith("½"):
        return float(text[:-1]) + 0.5
    if text in WORDS:
        return float(WORDS[text])
    return 1.0 if text in ("a", "an") else float(text.replace(",", "."))


class _Pieces(Transformer[Token, Any]):
    """Turn the parse of a line into pieces while it is parsed."""

    def start(self, children: list[Piece | Token]) -> tuple[Piece, ...]:
        return _pieces(children)

    def mark(self, children: list[Piece | Token]) -> Piece:
        opened, *inner, closed = _pieces(children)
        value = inner[0].value
        # "(2 - n points)" and "(0 points)" give no marks of their own.
        return Piece(
            "mark" if value else "bracket", opened.start, closed.end, inner=tuple(inner), value=value
        )

    def bracket(self, children: list[Piece | Token]) -> Piece:
        opened, *inner, closed = _pieces(children)
        return Piece("bracket", opened.start, closed.end, inner=tuple(inner))

    def stated(self, children: list[Piece | Token]) -> Piece:
        words = _pieces(children)
        value = next(_amount(word.text) for word in words if word.kind in ("AMOUNT", "VAGUE"))
        return _spanning("stated", words, value)

    def range(self, children: list[Piece | Token]) -> Piece:
        words = _pieces(children)
        digits = "".join(char if char.isdecimal() or char == "." else " " for char in words[0].text)
        return _spanning("range", words, max(float(each) for each in digits.split()))

    def formula(self, children: list[Piece | Token]) -> Piece:
        return _spanning("formula", _pieces(children), 0.0)


def _pieces(children: list[Piece | Token]) -> tuple[Piece, ...]:
    """Grammar symbols as pieces; the lexer counts offsets in code points."""
    return tuple(
        child
        if isinstance(child, Piece)
        else Piece(child.type, child.start_pos or 0, child.end_pos or 0, str(child))
        for child in children
    )


def _spanning(kind: str, words: tuple[Piece, ...], value: float) -> Piece:
    return Piece(kind, words[0].start, words[-1].end, inner=words, value=value)


@cache
def _parser() -> Lark:
    return Lark.open("marks.lark", rel_to=__file__, parser="lalr", transformer=_Pieces())
