"""The lines of a rubric as one whole: alternatives, restatements, lesser awards, implied marks.

Only words fold: nothing is ever taken as an alternative to make a sum fit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from grader.problem.rubric.alternative import alternative, scoring
from grader.problem.rubric.award import Award
from grader.problem.rubric.bind import bind_headers, bind_pointers
from grader.problem.rubric.close import single
from grader.problem.rubric.draft import Entry, Header, Lesser, Line, Loose, flagged, line_of, with_context
from grader.problem.rubric.items import answer
from grader.problem.rubric.join import join
from grader.problem.rubric.marks import SEPARATORS, deep
from grader.problem.rubric.nodes import NativeNode, Place, close_to

_MARKING = SEPARATORS | {"mark", "bracket", "stated", "TOTAL", "AMOUNT", "UNIT", "OPEN", "CLOSE"}
"""What a bare total is made of."""


def fold(lines: Sequence[Line], full_mark: float) -> tuple[list[NativeNode], set[str], list[Place]]:
    """The top-level nodes of a rubric in order, the flags of how they were found, and further marks.

    The further marks are headers and totals, which are marks as a whole.
    """
    cues = {line.source.index: cue for line in lines if (cue := alternative(line))}
    entries = [entry for line in lines for entry in line.entries]
    kept = [entry for entry in entries if line_of(entry) not in cues]
    headers = [entry for entry in kept if isinstance(entry, Header)]
    bound = bind_pointers(bind_headers(kept))
    apart = [header for header in headers if not _among(header, bound)]
    settled, totals = _settled(bound, lines, full_mark)
    marks = [Place(header.line, *header.span) for header in (*apart, *totals)]
    flags = {flag for line in lines for flag in line.flags}
    flags |= {flag for header in headers for flag in header.award.flags & {"each", "total"}}
    told = [entry for entry in entries if line_of(entry) in cues]
    return join(sorted([*settled, *told], key=line_of), cues, lines), flags, marks


def _among(wanted: Entry, entries: Sequence[Entry]) -> bool:
    return any(entry is wanted for entry in entries)


def _settled(
    entries: list[Entry], lines: Sequence[Line], full_mark: float
) -> tuple[list[Entry], list[Header]]:
    """Entries with unbound headers decided and implied marks added; and headers that are marks only."""
    settled: list[Entry] = []
    totals: list[Header] = []
    for entry in entries:
        if not isinstance(entry, Header):
            settled.append(entry)
            continue
        others = scoring([other for other in entries if other is not entry])
        nodes = _unbound(entry, others, lines, full_mark)
        settled.extend(nodes)
        totals.extend([] if nodes else [entry])
    if scoring(settled) or any(isinstance(entry, Lesser) and not entry.firm for entry in settled):
        return settled, totals
    return _implied(settled, lines, full_mark), totals


def _unbound(
    header: Header, others: list[NativeNode], lines: Sequence[Line], full_mark: float
) -> list[Entry]:
    """A header without answers restates marks, is a total, or is worth what it says itself.

    Marks are a restatement only where the parts around it earn the full mark already.
    """
    award = header.award
    complete = close_to(math.fsum(node.marks for node in others), full_mark)
    if complete and _restates(award, others):
        return [_restated(header, lines)] if _reasons(header, lines) else []
    if others and award.total and not award.each and not award.shares:
        return []
    if not header.otherwise and (award.plain or award.total):
        source = lines[header.line].source
        return [source.part(award.plain or award.total or 0.0, None, header.span, {"figure_only"})]
    return [flagged(node, award.flags) for node in header.otherwise]


def _restates(award: Award, others: list[NativeNode]) -> bool:
    """Whether an award gives again, amount by amount or in sum, the marks of the parts around it."""
    marks = [node.marks for node in others]
    if award.shares:
        return [share.marks for share in award.shares] == marks
    if award.each:
        return len(set(marks)) == 1 and close_to(marks[0], award.each) and award.wanted in (None, len(marks))
    return close_to(award.plain or award.total or 0.0, math.fsum(marks))


def _reasons(header: Header, lines: Sequence[Line]) -> bool:
    """Whether a restatement says more than the marks."""
    start, end = header.span
    inside = (piece for piece in deep(lines[header.line].pieces) if start <= piece.start and piece.end <= end)
    return any(piece.kind not in _MARKING for piece in inside)


def _restated(header: Header, lines: Sequence[Line]) -> NativeNode:
    source = lines[header.line].source
    flags = {"restated"} | header.award.flags
    return flagged(NativeNode("note", 0.0, header.line, header.span, source.words(*header.span)), flags)


def _implied(entries: list[Entry], lines: Sequence[Line], full_mark: float) -> list[Entry]:
    """No mark is written: a single answer line is worth the full mark, several under deductions too."""
    loose = [entry for entry in entries if isinstance(entry, Loose)]
    scheme = next(
        (entry for entry in entries if isinstance(entry, NativeNode) and entry.kind == "deduction"), None
    )
    if not loose or (len(loose) > 1 and scheme is None):
        return [entry for entry in entries if not isinstance(entry, Loose)]
    first = loose[0]
    if scheme is None:
        worth = single(lines[first.line], first.pieces, Award(0, 0, plain=full_mark))
    else:
        found = answer(first.source.text, first.pieces)
        worth = first.source.part(full_mark, found, first.span, at=scheme.line)
        for other in loose[1:]:
            worth = with_context(worth, other.line, *other.span)
    entries = [entry for entry in entries if not isinstance(entry, Loose) or entry is first]
    acted = scheme.line if scheme else -1
    entries = [_beside(entry, acted) for entry in entries]
    return [flagged(worth, {"implied"}) if entry is first else entry for entry in entries]


def _beside(entry: Entry, line: int) -> Entry:
    """A modifier of a line that holds the mark acts on that line."""
    if isinstance(entry, NativeNode) and entry.line == line and entry.scope == "subquestion":
        return replace(entry, scope="line")
    return entry
