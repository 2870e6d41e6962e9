"""The nodes that a sentence about marks gives, or the header that it is."""

from __future__ import annotations

from collections.abc import Sequence

from grader.problem.rubric.award import Award, table
from grader.problem.rubric.clause import Clause
from grader.problem.rubric.draft import Entry, Header, Source, bare, flagged, group, spread
from grader.problem.rubric.items import Answer, content, firm, split, valued
from grader.problem.rubric.marks import Piece
from grader.problem.rubric.nodes import NativeNode, Span, Table
from grader.problem.rubric.share import labels_of, shared


def given(source: Source, pieces: Sequence[Piece], award: Award, near: tuple[Piece, ...]) -> list[Entry]:
    """What an award gives for the answers ``near`` it; a header where it finds none."""
    span = (award.start, award.end)
    names = labels_of([piece for piece in pieces if piece.kind not in ("stated", "mark")])
    nodes: Sequence[Entry]
    if award.shares:
        nodes = shared(source, span, award, split(source.text, near) if near else (), names)
    elif award.each:
        nodes = itemised(source, award, near) or [
            Header(source, span, award, names, _uncounted(source, award))
        ]
    elif award.table:
        nodes = _tabled(source, award, content(_without_table(pieces)) or near)
    else:
        nodes = _one(source, pieces, award, near)
    return [flagged(node, award.flags) if isinstance(node, NativeNode) else node for node in nodes]


def itemised(source: Source, award: Award, near: Sequence[Piece]) -> list[NativeNode]:
    """Parts worth the same for the items of a text; empty if it holds none."""
    if not near:
        return []
    members = split(source.text, near, award.wanted) or split(source.text, near)
    return limited(award, spread(source, members, [award.each or 0.0] * len(members)))


def limited(award: Award, parts: Sequence[NativeNode]) -> list[NativeNode]:
    """The parts, or the best of them where the award credits fewer than are listed."""
    credited = award.cap or award.wanted
    if not credited or len(parts) <= credited:
        return list(parts)
    marks = credited * (award.each or 0.0)
    if credited == 1:
        return [group("any", parts, marks, {"alternatives"})]
    return [group("count", parts, marks, {"count"}, take=credited)]


def _uncounted(source: Source, award: Award) -> tuple[NativeNode, ...]:
    """Marks by the number of answers, where none is listed: "one point per reason, three at most"."""
    limit = award.cap or award.wanted
    if not limit or not award.each:
        return ()
    rows = tuple((count, count * award.each) for count in range(limit, -1, -1))
    return (_by_count(source, (award.start, award.end), rows),)


def _by_count(source: Source, span: Span, rows: Table) -> NativeNode:
    """A count group without members."""
    text = source.words(*span)
    best = max((marks for _, marks in rows), default=0.0)
    return NativeNode("group", best, source.index, span, text, rule="count", table=rows, flags=("count",))


def _tabled(source: Source, award: Award, near: Sequence[Piece]) -> list[Entry]:
    """A count group whose marks are read from a table."""
    marks, span = award.plain or 0.0, (award.start, award.end)
    members: Sequence[Answer] = split(source.text, near) if firm(near) else ()
    if not members:
        alone = _by_count(source, span, award.table or ())
        return [Header(source, span, award, (), (alone,))]
    parts = spread(source, members, [marks / len(members)] * len(members))
    return [group("count", parts, marks, {"count"}, table=award.table)]


def _without_table(pieces: Sequence[Piece]) -> list[Piece]:
    if table(content(pieces)):
        return []
    return [piece for piece in pieces if not (piece.kind == "bracket" and table(piece.inner))]


def _one(source: Source, pieces: Sequence[Piece], award: Award, near: Sequence[Piece]) -> list[Entry]:
    """Marks for one answer, named in the sentence or standing beside it."""
    marks, span = award.plain or 0.0, (award.start, award.end)
    own = bare(source, subject(pieces))
    if marks and own and valued(own.body):
        return [source.part(marks, own, span)]
    if marks and near:
        whole = split(source.text, near, 1)
        return [source.part(marks, whole[0] if whole else bare(source, near), (near[0].start, near[-1].end))]
    if not marks or not own:
        return [Header(source, span, award, labels_of(pieces), ())]
    drawn = {"figure_only"} if Clause(own.body).some("DRAWING") else set()
    return [Header(source, span, award, labels_of(pieces), (source.part(marks, own, span, drawn),))]


def subject(pieces: Sequence[Piece]) -> list[Piece]:
    """A sentence without the words that give marks."""
    words = [piece for piece in pieces if piece.kind not in ("stated", "AWARD", "GIVE", "TOTAL")]
    return words[1:] if words and words[0].kind == "FOR" else words
