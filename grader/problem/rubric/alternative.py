"""Alternatives across lines: what announces one, and what it stands for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from grader.problem.rubric.clause import Clause
from grader.problem.rubric.draft import Entry, Header, Lesser, Line, Loose, flagged, group, with_context
from grader.problem.rubric.items import answer, content, firm, pick
from grader.problem.rubric.marks import Piece, number
from grader.problem.rubric.nodes import NativeNode, close_to
from grader.problem.rubric.share import labels_of


@dataclass(frozen=True, slots=True)
class Alternative:
    """A line that stands for what is above it."""

    scope: Literal["one", "all"]
    count: int | None
    """How many of the parts above it stands for; None for all of them."""
    pieces: tuple[Piece, ...]
    """The line without the words that say so."""


def scoring(entries: Sequence[Entry]) -> list[NativeNode]:
    """The parts and groups among entries."""
    return [entry for entry in entries if isinstance(entry, NativeNode) and entry.scores]


def alternative(line: Line) -> Alternative | None:
    """The cue of a line that is an alternative to what stands above it."""
    if line.source.index == 0:
        return None
    body = content(line.pieces)
    labelled = answer(line.source.text, body)
    body = labelled.body if labelled and labelled.body[0].kind in ("OR", "ALT") else body
    if not body:
        return None
    if body[0].kind in ("OR", "ALT"):
        return Alternative("one", None, content(body[1:]))
    values = [at for at, piece in enumerate(body) if piece.kind in ("QUOTED", "MATH", "mark")]
    head = Clause(body[: values[0]] if values else body)
    if head.some("REPLACE") and not any(piece.text.lower() == "instead" for piece in head.pieces):
        return _replacing(head, body)
    if head.some("ALSO") and head.some("ACCEPT", "FULL") and head.pieces[-1].kind == "COLON":
        return Alternative("one", None, body[len(head.pieces) :])
    if line.nodes and _further(line, Clause(body)):
        return Alternative("one", None, body)
    return None


def _replacing(head: Clause, body: tuple[Piece, ...]) -> Alternative | None:
    """For how many of the parts above a line stands: "one overall equation may replace both"."""
    at = next(place for place, piece in enumerate(head.pieces) if piece.kind == "REPLACE")
    behind = head.pieces[at + 1 :]
    counts = [value for piece in head.pieces if (value := number(piece) or 0) > 1]
    several = any(piece.kind in ("ALL", "BOTH", "THESE", "DRAWING", "EACH") for piece in behind)
    several = several or any(piece.kind in ("ALL", "BOTH") for piece in head.pieces[:at])
    colon = next((place for place, piece in enumerate(body) if piece.kind == "COLON"), None)
    rest = content(body[colon + 1 :]) if colon is not None else body
    if counts or several:
        return Alternative("all", counts[0] if counts else None, rest)
    return Alternative("one", None, rest)


def _further(line: Line, clause: Clause) -> bool:
    """Whether a line of its own names a further answer that "is also acceptable"."""
    accepted = [node for node in line.nodes if node.kind == "note" and node.flags == ("accepted",)]
    named = firm(line.pieces) or (clause.some("ALSO") and not clause.some("EQUIV", "ANY", "MIRROR", "STEREO"))
    return bool(accepted) and len(line.nodes) == 1 and named and not clause.some("DEDUCT", "IF")


def announces(cue: Alternative, here: Sequence[Entry]) -> bool:
    """Whether the line only announces the alternative that follows it."""
    words = [piece for piece in cue.pieces if piece.kind == "WORD"]
    empty = not cue.pieces or (cue.pieces[-1].kind == "COLON" and not firm(cue.pieces))
    return not scoring(here) and (empty or (not firm(cue.pieces) and len(words) == 0))


def members_of(
    cue: Alternative, here: Sequence[Entry], done: list[NativeNode], line: Line
) -> list[NativeNode]:
    """The parts of an alternative; without a mark of its own it has that of the part it stands for."""
    marked = scoring(here)
    if marked:
        return marked
    awards = [entry for entry in here if isinstance(entry, Header)]
    targets = _targets(done, cue, awards[0].award.plain if awards else None)
    marks = math.fsum(done[at].marks for at in targets)
    pieces = [piece for piece in cue.pieces if piece.kind not in ("stated", "mark")]
    found = answer(line.source.text, pieces)
    lesser = next((entry.modifier.marks for entry in here if isinstance(entry, Lesser)), None)
    span = (line.pieces[0].start, line.pieces[-1].end)
    return [line.source.part(lesser or (awards[0].award.plain if awards else None) or marks, found, span)]


def _targets(done: Sequence[NativeNode], cue: Alternative, marks: float | None) -> list[int]:
    """The places of the nodes that an alternative stands for."""
    places = [at for at, node in enumerate(done) if node.scores]
    if cue.scope == "all":
        return places[-cue.count :] if cue.count else places
    last = places[-1:]
    if marks is None or close_to(done[last[0]].marks, marks):
        return last
    same_line = [at for at in places if done[at].line == done[last[0]].line]
    for several in (same_line, places):
        if len(several) > 1 and close_to(math.fsum(done[at].marks for at in several), marks):
            return several
    return last


def joined(done: list[NativeNode], cue: Alternative, members: list[NativeNode]) -> list[NativeNode]:
    """The nodes with an "any" group in place of what the members are an alternative to."""
    marks = math.fsum(node.marks for node in members)
    targets = _targets(done, cue, marks)
    stood = [done[at] for at in targets]
    left = stood[0] if len(stood) == 1 else group("sum", stood, math.fsum(node.marks for node in stood))
    right = members[0] if len(members) == 1 else group("sum", members, marks)
    first = targets[0]
    return [
        *done[:first],
        either(left, right, {"alternatives"}),
        *(node for at, node in enumerate(done) if at > first and at not in targets),
    ]


def either(left: NativeNode, right: NativeNode, flags: set[str]) -> NativeNode:
    """An "any" group, worth its best member; a further alternative joins the group that is there."""
    best = max(left.marks, right.marks)
    if left.rule == "any" and left.kind == "group":
        return flagged(replace(left, of=(*left.of, right), marks=best), flags)
    return group("any", (left, right), best, flags)


def subset(entry: Loose, done: Sequence[NativeNode]) -> list[int]:
    """The nodes of which one is enough: "either of the first two may be given", "only one of K and L"."""
    clause = Clause(entry.pieces)
    places = [at for at, node in enumerate(done) if node.scores]
    single = clause.some("EITHER") or (pick(entry.pieces) or clause.near("ONLY", "COUNT", 1)) == 1
    if not single or not clause.some("AWARD", "ENOUGH", "MUST", "ACCEPT", "JUDGED"):
        return []
    for piece, after in pairwise(clause.pieces):
        count = number(after) if piece.kind in ("FIRST", "LAST") else None
        if count and 1 < count <= len(places):
            return places[:count] if piece.kind == "FIRST" else places[-count:]
    labels = labels_of(entry.pieces)
    named = [at for at in places if done[at].label in labels]
    return named if len(named) == len(labels) > 1 else []


def one_of(done: list[NativeNode], chosen: list[int], entry: Loose) -> list[NativeNode]:
    """The chosen nodes under one "any" group."""
    members = [done[at] for at in chosen]
    members[-1] = with_context(members[-1], entry.line, *entry.span)
    best = max(node.marks for node in members)
    chosen_one = group("any", members, best, {"alternatives"})
    return [chosen_one if at == chosen[0] else node for at, node in enumerate(done) if at not in chosen[1:]]
