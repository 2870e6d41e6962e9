"""Text without marks in brackets: marks given in sentences, modifiers, loose answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from grader.problem.rubric.award import Award, bare_shares, of_sentence, table
from grader.problem.rubric.clause import Clause, clauses
from grader.problem.rubric.cues import Modifier, modifiers
from grader.problem.rubric.draft import Entry, Lesser, Loose, Source, bare
from grader.problem.rubric.given import given, subject
from grader.problem.rubric.items import content, firm, pick, sentences
from grader.problem.rubric.marks import Piece
from grader.problem.rubric.nodes import Table
from grader.problem.rubric.options import options


@dataclass(slots=True)
class Sentence:
    """A sentence and what it is: an award, modifiers, or neither."""

    pieces: tuple[Piece, ...]
    told: list[Modifier]
    award: Award | None = None
    used: bool = False
    """An award beside it has taken its answers."""

    @property
    def plain(self) -> bool:
        """Neither about marks nor taken by an award yet."""
        return not self.told and self.award is None and not self.used


def read_prose(source: Source, pieces: Sequence[Piece], beside: bool = False) -> list[Entry]:
    """The entries of unbracketed text; ``beside`` where marks in brackets stand before it."""
    opened = _opened(pieces)
    runs = [part for run in sentences(opened) for part in _awards_apart(run)]
    found = _merged([_sentence(run) for run in runs if content(run)])
    entries: list[Entry] = []
    for sentence in found:
        if sentence.award:
            near = _beside(sentence, found)
            entries.extend(given(source, sentence.pieces, sentence.award, near))
    marked = beside or any(sentence.award for sentence in found)
    scope = "line" if marked else "subquestion"
    for sentence in found:
        if sentence.told:
            entries.extend(_told(source, sentence, scope))
    loose = content([piece for sentence in found if sentence.plain for piece in sentence.pieces])
    if loose and not marked:
        entries.append(Loose(source, loose))
    return sorted(entries, key=_start)


def _opened(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces, with brackets that give marks ("(L 2 points; M 1 point)") as sentences of their own."""
    found: list[Piece] = []
    for piece in pieces:
        if piece.kind == "bracket" and piece.has("stated") and not table(piece.inner):
            stop = Piece("STOP", piece.start, piece.start)
            found.extend((stop, *piece.inner, Piece("STOP", piece.end, piece.end)))
        else:
            found.append(piece)
    return found


def _awards_apart(run: tuple[Piece, ...]) -> list[tuple[Piece, ...]]:
    """The clauses of a sentence, where one of them gives so much an item of a total of its own."""
    parts = list(clauses(run, "SEMI"))
    given = [[piece for piece in part if piece.kind == "stated"] for part in parts]
    own = any(len(amounts) > 1 and any(piece.each for piece in amounts) for amounts in given)
    return parts if own and sum(bool(amounts) for amounts in given) > 1 else [run]


def _start(entry: Entry) -> int:
    return entry.node.span[0] if isinstance(entry, Lesser) else entry.span[0]


def _sentence(run: tuple[Piece, ...]) -> Sentence:
    """Tell what a sentence is; a clause that only modifies leaves the award beside it standing."""
    body = content(run)
    counted = _table(body)
    if counted:
        return Sentence(
            run,
            [],
            Award(body[0].start, body[-1].end, plain=max(marks for _, marks in counted), table=counted),
        )
    told = modifiers(body) if pick(body) is None or Clause(body).taken() else []
    if any(change.act != "note" for change in told):
        return Sentence(run, told)
    kept = [piece for clause in clauses(body, "SEMI") if not modifiers(clause) for piece in clause]
    award = of_sentence(kept) if kept else None
    if award is None:
        return Sentence(run, told)
    flags = award.flags | {flag for change in told for flag in change.flags} | options(kept)
    return Sentence(run, [], replace(award, start=body[0].start, end=body[-1].end, flags=frozenset(flags)))


def _table(body: tuple[Piece, ...]) -> Table | None:
    """A count table, as the sentence or in a bracket of it."""
    inner = (table(piece.inner) for piece in body if piece.kind == "bracket")
    return table(body) or next((found for found in inner if found), None)


def _merged(found: Iterable[Sentence]) -> list[Sentence]:
    """Sentences, with a total and the shares in the sentence behind it as one award."""
    merged: list[Sentence] = []
    for sentence in found:
        joined = _joined(merged[-1], sentence) if merged else None
        if joined:
            merged[-1] = Sentence((*merged[-1].pieces, *sentence.pieces), [], joined)
        else:
            merged.append(sentence)
    return merged


def _joined(before: Sentence, sentence: Sentence) -> Award | None:
    """The award of a total and of what follows it, if the two belong together."""
    total = before.award
    if total is None or not total.total or total.each or total.shares:
        return None
    award = sentence.award
    if award is None:
        shares = () if sentence.told else bare_shares(sentence.pieces)
        return replace(total, shares=shares) if shares else None
    if award.total or not (award.each or award.shares):
        return None
    return replace(award, start=total.start, total=total.total, flags=award.flags | total.flags)


def _beside(sentence: Sentence, found: list[Sentence]) -> tuple[Piece, ...]:
    """Text with answers next to an award: in its own sentence, else behind it, else before it."""
    own = tuple(piece for piece in sentence.pieces if piece.kind not in ("stated", "mark", "bracket"))
    if any(piece.kind in ("QUOTED", "MATH") for piece in own):
        return own
    at = next(place for place, other in enumerate(found) if other is sentence)
    behind = list(takewhile(lambda other: other.plain, found[at + 1 :]))
    before = list(takewhile(lambda other: other.plain, reversed(found[:at])))[::-1]
    for run in (behind, before):
        pieces = [piece for other in run for piece in other.pieces]
        if firm(pieces):
            for other in run:
                other.used = True
            return content(pieces)
    return ()


def _told(source: Source, sentence: Sentence, scope: str) -> list[Entry]:
    """The nodes of a sentence that modifies; an amount it gives is a lesser award."""
    entries: list[Entry] = []
    for change in sentence.told:
        if change.act in ("lesser", "discretion") and change.marks:
            own = bare(source, subject(sentence.pieces))
            part = source.part(change.marks, own, (change.start, change.end), change.flags)
            entries.append(Lesser(part, change, firm(sentence.pieces)))
        else:
            entries.append(source.note(change, scope))
    return entries
