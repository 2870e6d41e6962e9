"""What a mark gives for the text that it closes or opens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.problem.rubric.award import Award, table
from grader.problem.rubric.clause import Clause, clauses
from grader.problem.rubric.cues import Modifier, modifiers
from grader.problem.rubric.draft import Entry, Header, Line, bare, flagged, group, spread
from grader.problem.rubric.items import Answer, alternatives, answer, content, firm, pick, sentences, split
from grader.problem.rubric.marks import Piece
from grader.problem.rubric.nodes import NativeNode, Table
from grader.problem.rubric.share import labels_of, shared

OPTIONS = {
    "formula", "partial", "stereo_waived", "stereo_required", "stereo_relative", "sig_figs", "unit",
    "tolerance", "accepted", "all_or_nothing",
}  # fmt: skip
"""What a sentence behind the mark sets on the part itself."""
POINTER = 8
"""A text that only points to a figure has no more words."""
_BRACKETED = {"tolerance", "accepted", "stereo_waived", "stereo_required", "stereo_relative"}
"""What a bracket in the text of an answer may set."""


def flag_last(line: Line, flags: Sequence[str] | frozenset[str]) -> None:
    """Flags for the last part of the line, or for the line."""
    for at in range(len(line.entries) - 1, -1, -1):
        entry = line.entries[at]
        if isinstance(entry, NativeNode) and entry.scores:
            line.entries[at] = flagged(entry, flags)
            return
    line.flags |= set(flags)


def modify(line: Line, told: Sequence[Modifier], scope: str) -> None:
    """Add the nodes of modifiers; options become flags of the last part."""
    for modifier in told:
        if modifier.act in ("deduction", "veto") or not modifier.flags <= OPTIONS:
            line.entries.append(line.source.note(modifier, scope))
        else:
            flag_last(line, modifier.flags)


def close(line: Line, text: Sequence[Piece], award: Award, later: Sequence[Piece] = ()) -> bool:
    """Add what one award gives for the text it closes; True if it took the text behind it too."""
    body, award = _headed(content(text), award)
    told = _told(award)
    flags = award.flags | _inner_options(body)
    flags |= {flag for change in told if change.act in ("note", "flags") for flag in change.flags}
    if award.shares or award.each:
        nodes = _several(line, body, award, later)
        took = bool(nodes) and award.each is not None and not firm(body)
    else:
        nodes, took = _single(line, body, award, later)
    guidance = _guidance(line, award, told)
    for node in _with_lesser(line, nodes, told):
        if isinstance(node, NativeNode):
            line.entries.append(flagged(replace(node, guidance=guidance), flags))
        else:
            line.entries.append(node)
            line.flags |= flags
    line.flags |= award.flags
    acting = [change for change in told if change.act in ("deduction", "veto")]
    line.entries.extend(line.source.note(change, "part") for change in acting)
    return took


def _told(award: Award) -> list[Modifier]:
    """What the words of a mark change; "any 2 are enough" is a count, not an acceptance."""
    runs = clauses(content(award.tail), "SEMI", "STOP")
    told = [change for run in runs for change in modifiers(content(run) or run, inside=True)]
    counted = pick(award.tail) is not None
    return [change for change in told if not counted or change.flags != {"accepted"}]


def _guidance(line: Line, award: Award, told: Sequence[Modifier]) -> str:
    """The words of a mark that a marker has to know; deductions and vetoes are nodes of their own."""
    words = content(award.tail)
    if not words or (told and all(change.act in ("deduction", "veto") for change in told)):
        return ""
    return line.source.words(words[0].start, words[-1].end)


def _inner_options(body: tuple[Piece, ...]) -> set[str]:
    """Options set by brackets in the text: "158 ℃ (anything from 156 to 160 ℃ is right)"."""
    brackets = (piece.inner for piece in body if piece.kind == "bracket")
    told = (change.flags for inner in brackets for change in modifiers(inner, inside=True))
    return set().union(*told) & _BRACKETED


def _single(
    line: Line, body: tuple[Piece, ...], award: Award, later: Sequence[Piece]
) -> tuple[list[Entry], bool]:
    """One mark for one answer, for alternatives, or for some of several."""
    marks = award.plain or 0.0
    if not body and line.nodes and award.tail and award.tail[0].kind == "FOR":
        aspect = answer(line.source.text, award.tail[1:])
        return [line.source.part(marks, aspect, (award.start, award.start))], False
    if all(piece.kind in ("TOTAL", "COLON") for piece in body):
        return [_apart(line, body, award)], False
    span = (body[0].start, body[-1].end) if body else (award.start, award.start)
    counted = table(award.tail) if award.tail else None
    enough = pick(award.tail) or (pick(body) if not firm(body) else _heading_pick(body))
    if counted or enough:
        listed = firm(body) or _heading_pick(body)
        members = split(line.source.text, _behind_colon(body)) if listed else ()
        took = len(members) < 2 and firm(later)
        members = split(line.source.text, content(later)) if took else members
        if len(members) > (enough or 1):
            return [_counted(line, members, marks, enough, counted)], took
    options = alternatives(line.source.text, body)
    if options:
        parts = spread(line.source, options, [marks] * len(options))
        return [group("any", parts, marks, {"alternatives"})], False
    flags = {"figure_only"} if pointer(body) else set()
    return [line.source.part(marks, answer(line.source.text, body), span, flags)], False


def _apart(line: Line, body: tuple[Piece, ...], award: Award) -> Header:
    """A mark with no text of its own: its answer stands on another line, or in a figure, or it is a total."""
    span = (body[0].start if body else award.start, award.end)
    if body:
        total = replace(award, plain=None, total=award.plain, flags=award.flags | {"total"})
        return Header(line.source, span, total, (), ())
    enough = pick(award.tail)
    part = line.source.part(award.plain or 0.0, None, (award.start, award.start), {"figure_only"})
    award = replace(award, open=bool(enough), items=enough, table=table(award.tail) if award.tail else None)
    return Header(line.source, span, award, labels_of(award.tail), (part,))


def _heading_pick(body: tuple[Piece, ...]) -> int | None:
    """How many are enough, said at the head of the answers: "any two of: ..."."""
    colon = next((at for at, piece in enumerate(body) if piece.kind == "COLON"), None)
    return pick(body[: colon + 1]) if colon else None


def _behind_colon(body: tuple[Piece, ...]) -> tuple[Piece, ...]:
    colon = next((at for at, piece in enumerate(body) if piece.kind == "COLON"), None)
    headed = colon is not None and pick(body[: colon + 1]) is not None
    return body[colon + 1 :] if headed and colon is not None else body


def _counted(
    line: Line,
    members: Sequence[Answer],
    marks: float,
    enough: int | None,
    counted: Table | None,
) -> NativeNode:
    """The best ``enough`` of the members, or marks by the number of members met."""
    if counted:
        share = marks / len(members)
        parts = spread(line.source, members, [share] * len(members))
        return group("count", parts, marks, {"count"}, table=counted)
    take = enough or 1
    parts = spread(line.source, members, [marks / take] * len(members))
    if take == 1:
        return group("any", parts, marks, {"alternatives"})
    return group("count", parts, marks, {"count"}, take=take)


def pointer(body: Sequence[Piece]) -> bool:
    """Whether a text only points to a figure: nothing, "Product:", "see the figure"."""
    found = [piece for piece in body if piece.kind not in ("STOP", "SEMI", "COMMA")]
    if not found:
        return True
    if any(piece.kind in ("QUOTED", "MATH", "TABLE") for piece in found) or len(found) > POINTER:
        return False
    if found[-1].kind == "COLON":
        return True
    seen = [piece for piece in found if piece.kind == "SEE"]
    shown = any(piece.text.lower() in ("as drawn", "as shown") for piece in seen)
    return shown or bool(seen and Clause(found).near("SEE", "DRAWING", 2))


def _several(line: Line, body: tuple[Piece, ...], award: Award, later: Sequence[Piece]) -> list[Entry]:
    """Marks for every item, or named shares, of a text; a header if the answers stand elsewhere."""
    source = line.source
    span = (body[0].start if body else award.start, award.end)
    names = labels_of([*body, *award.tail])
    if award.shares:
        return shared(source, span, award, split(source.text, body) if firm(body) else (), names)
    for pieces in (body, content(later)):
        members = split(source.text, pieces, award.wanted) if firm(pieces) else ()
        members = members or (split(source.text, pieces) if firm(pieces) and award.wanted is None else ())
        if members:
            return list(spread(source, members, [award.each or 0.0] * len(members)))
    listed = split(source.text, body, award.wanted) or split(source.text, body)
    parts = spread(source, listed, [award.each or 0.0] * len(listed)) if listed else []
    if not body and not award.total:
        parts = [source.part(award.each or 0.0, None, (award.start, award.start), {"figure_only"})]
    return [Header(source, span, award, names, tuple(parts))]


def _headed(body: tuple[Piece, ...], award: Award) -> tuple[tuple[Piece, ...], Award]:
    """The amount at the head of a list is its total: "3 marks: shape, charge, lone pairs (1 mark each)"."""
    if not award.each or award.total or len(body) < 2 or (body[0].kind, body[1].kind) != ("stated", "COLON"):
        return body, award
    return content(body[2:]), replace(award, total=body[0].value, flags=award.flags | {"total"})


def _with_lesser(line: Line, nodes: list[Entry], told: Sequence[Modifier]) -> list[Entry]:
    """A cheaper answer named in the mark joins its part as an alternative; a flaw is a flag."""
    first = nodes[0] if len(nodes) == 1 else None
    for change in told:
        if change.act not in ("lesser", "discretion") or not isinstance(first, NativeNode):
            continue
        if change.act == "lesser" and _other_answer(line, change, first):
            node = line.source.part(change.marks, _named(line, change), (change.start, change.start))
            first = group("any", (first, node), first.marks, {"alternatives", "partial"})
        else:
            first = flagged(first, change.flags)
    return [first, *nodes[1:]] if first is not None else nodes


def _other_answer(line: Line, change: Modifier, first: NativeNode) -> bool:
    """Whether a lesser award is for another answer ("the molecular equation earns 1 point")."""
    within = [piece for mark in line.pieces if mark.kind == "mark" for piece in mark.inner]
    clause = Clause([piece for piece in within if change.start <= piece.start < change.end])
    flawed = clause.some(
        "IF", "WITHOUT", "WRONG", "ONLY", "PARTIAL", "ALT", "FOR", "UNLESS", "DISCRETION", "NO"
    )
    subject = clause.pieces and clause.pieces[0].kind != "stated"
    return bool(subject) and clause.some("AWARD", "GIVE") and not flawed and change.marks < first.marks


def _named(line: Line, change: Modifier) -> Answer | None:
    """The answer that a lesser award is for."""
    within = [piece for mark in line.pieces if mark.kind == "mark" for piece in mark.inner]
    clause = [piece for piece in within if change.start <= piece.start < change.end]
    return bare(line.source, [piece for piece in clause if piece.kind not in ("AWARD", "GIVE")])


def single(line: Line, pieces: Sequence[Piece], award: Award) -> NativeNode:
    """One node for a text that is worth one mark as a whole."""
    body = content(pieces)
    enough = pick(body)
    if enough and firm(body):
        rest = [piece for run in sentences(body) if pick(run) is None for piece in run]
        members = split(line.source.text, content(rest))
        if len(members) > enough:
            return _counted(line, members, award.plain or 0.0, enough, None)
    (node, *_), _ = _single(line, body, award, ())
    if isinstance(node, NativeNode):
        return node
    return line.source.part(award.plain or 0.0, answer(line.source.text, body), (body[0].start, body[-1].end))
