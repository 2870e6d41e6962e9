"""One line of a rubric: the parts its marks close, and what else it says.

A mark in brackets closes the text that precedes it; where a line opens with a
mark, or a mark is followed by a colon, it opens the text that follows.
Sentences between are modifiers where they carry a cue, else they go with the
part they stand beside.
"""

from __future__ import annotations

from collections.abc import Sequence

from grader.problem.rubric.award import of_marks, stacked, table
from grader.problem.rubric.close import OPTIONS, close, flag_last, modify
from grader.problem.rubric.cues import modifiers
from grader.problem.rubric.draft import Lesser, Line, Loose, Source
from grader.problem.rubric.items import content, firm, pick, sentences
from grader.problem.rubric.marks import SEPARATORS, Piece, deep, flat, read_pieces
from grader.problem.rubric.nodes import NativeNode
from grader.problem.rubric.prose import read_prose

Run = tuple[tuple[Piece, ...], tuple[Piece, ...]]
"""Text, and the marks behind it."""


def read_line(index: int, text: str) -> Line:
    """Read one line; never fails."""
    masked, pieces = read_pieces(text)
    line = Line(Source(index, text, masked), pieces)
    line.marks = [line.place(piece.start, piece.end) for piece in _written(pieces)]
    line.flags = _seen(pieces)
    runs = _segments(pieces)
    if not any(marks for _, marks in runs):
        line.entries = read_prose(line.source, content(pieces))
        return line
    if _leads(runs):
        _read_leading(line, runs)
    else:
        _read_closing(line, runs)
    return line


def _written(pieces: Sequence[Piece]) -> list[Piece]:
    """Marks, amounts and count tables in brackets, outermost only."""
    tables = [piece for piece in pieces if piece.kind == "bracket" and table(piece.inner)]
    return [piece for piece in flat(pieces) if piece.kind in ("mark", "stated", "range")] + tables


def _seen(pieces: Sequence[Piece]) -> set[str]:
    """Flags of what is written anywhere in the line."""
    found = {"table"} if any(piece.kind == "TABLE" for piece in pieces) else set()
    stated = [piece for piece in deep(pieces) if piece.kind == "stated"]
    return found | ({"half"} if any(not piece.value.is_integer() for piece in stated) else set())


def _segments(pieces: Sequence[Piece]) -> list[Run]:
    """Text and the marks that close it; the last text may have none."""
    runs: list[Run] = []
    text: list[Piece] = []
    for piece in pieces:
        if piece.kind != "mark":
            text.append(piece)
        elif runs and not content(text) and stacked(runs[-1][1][-1], piece):
            runs[-1] = (runs[-1][0], (*runs[-1][1], piece))
            text = []
        else:
            runs.append((tuple(text), (piece,)))
            text = []
    return [*runs, (tuple(text), ())] if text else runs


def _leads(runs: Sequence[Run]) -> bool:
    """Whether the marks of a line open the text behind them."""
    first, marks = runs[0]
    tail = runs[-1][0] if not runs[-1][1] else ()
    award = of_marks(marks)
    if award.plain is None or not content(tail):
        return False
    if not content(first):
        aspect = content(award.tail)[:1]
        return not (aspect and aspect[0].kind == "FOR") and _plain_text(tail)
    follows = runs[1][0][:1] if len(runs) > 1 else ()
    return (
        bool(follows)
        and follows[0].kind == "COLON"
        and not firm(first)
        and pick((*first, *award.tail)) is None
    )


def _plain_text(pieces: Sequence[Piece]) -> bool:
    return any(not modifiers(sentence) for sentence in sentences(content(pieces)))


def _read_leading(line: Line, runs: list[Run]) -> None:
    """Marks that open their text: what stands before the next mark's own label belongs to this one."""
    texts = [text for text, _ in runs] + ([()] if runs[-1][1] else [])
    marked = [marks for _, marks in runs if marks]
    label = content(texts[0])
    for order, marks in enumerate(marked):
        last = order + 1 == len(marked)
        body, ahead = (texts[order + 1], ()) if last else _before_label(texts[order + 1])
        found, *later = list(sentences(content(body))) or [()]
        close(line, (*label, *found), of_marks(marks))
        _read_tail(line, [piece for sentence in later for piece in sentence])
        label = content(ahead)


def _before_label(text: tuple[Piece, ...]) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Split the text between two leading marks at its last separator."""
    for at in range(len(text) - 1, 0, -1):
        if text[at].kind in SEPARATORS - {"DASH", "COLON"} and content(text[at + 1 :]):
            return text[: at + 1], text[at + 1 :]
    return text, ()


def _read_closing(line: Line, runs: list[Run]) -> None:
    """Marks that close their text, with modifiers and unmarked sentences between."""
    taken = False
    for order, (text, marks) in enumerate(runs):
        if not marks:
            if not taken:
                _read_tail(line, text)
            continue
        later = runs[order + 1][0] if order + 1 < len(runs) else ()
        body = _detach(line, text) if order or len(list(sentences(text))) > 1 else text
        taken = close(line, body, of_marks(marks), later if order + 2 >= len(runs) else ())


def _detach(line: Line, text: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Take off leading sentences that modify what stands before; the last one is always an answer."""
    rest = list(sentences(text))
    while len([sentence for sentence in rest if content(sentence)]) > 1:
        if not content(rest[0]):
            rest.pop(0)
            continue
        told = modifiers(content(rest[0])) if pick(rest[0]) is None else []
        if not told:
            break
        modify(line, told, "line")
        rest.pop(0)
    return tuple(piece for sentence in rest for piece in sentence)


def _read_tail(line: Line, text: Sequence[Piece]) -> None:
    """Unmarked text behind a mark: modifiers, marks in prose, or context of the last part."""
    for entry in read_prose(line.source, content(text), beside=True):
        if isinstance(entry, Loose):
            continue
        if isinstance(entry, NativeNode) and entry.kind == "note" and set(entry.flags) <= OPTIONS:
            flag_last(line, entry.flags)
        elif isinstance(entry, Lesser):
            flag_last(line, entry.modifier.flags)
        else:
            line.entries.append(entry)
