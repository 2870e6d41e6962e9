"""Answers for marks that stand apart from them: headers and pointers meet loose lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.problem.rubric.award import Award
from grader.problem.rubric.draft import Entry, Header, Loose, flagged, group, with_context
from grader.problem.rubric.given import limited
from grader.problem.rubric.items import firm, split
from grader.problem.rubric.nodes import NativeNode
from grader.problem.rubric.share import Placed, assign, whole

SHORT = 6
"""A loose line of so few words is an answer even without a value in it."""


def bind_headers(entries: list[Entry]) -> list[Entry]:
    """Give each header the loose lines that answer it: those after it first, else those before."""
    bound = list(entries)
    for header in [entry for entry in entries if isinstance(entry, Header)]:
        at = _index(bound, header)
        for run in (_run(bound, at, 1), _run(bound, at, -1)):
            nodes, used = _bound(header, run)
            if nodes:
                bound[at : at + 1] = nodes
                bound = [entry for entry in bound if not any(entry is loose for loose in used)]
                break
    return bound


def _index(entries: Sequence[Entry], wanted: Entry) -> int:
    return next(at for at, entry in enumerate(entries) if entry is wanted)


def _run(entries: Sequence[Entry], at: int, step: int) -> list[Loose]:
    """The loose lines next to an entry, in reading order; notes between them don't part them."""
    run: list[Loose] = []
    at += step
    while 0 <= at < len(entries):
        entry = entries[at]
        if isinstance(entry, Loose):
            run.append(entry)
        elif not isinstance(entry, NativeNode) or entry.scores:
            break
        at += step
    return run[::step]


def _bound(header: Header, run: list[Loose]) -> tuple[list[NativeNode], list[Loose]]:
    """The nodes that a header makes of loose lines, and the lines it used; empty if they don't fit."""
    award = header.award
    if not run:
        return [], []
    if award.shares:
        for lines in (run, run[:1]):
            for items in (_items(lines, len(award.shares)), _items(lines)):
                nodes = assign(award, items, header.line)
                if nodes:
                    return _marked(header, nodes), lines
        return [], []
    if award.each or award.table or award.open:
        return _spread(header, run)
    return _block(header, run)


def _marked(header: Header, nodes: Sequence[NativeNode]) -> list[NativeNode]:
    return [flagged(replace(node, guidance=header.guidance), header.award.flags) for node in nodes]


def _spread(header: Header, run: list[Loose]) -> tuple[list[NativeNode], list[Loose]]:
    """Marks for each item of the loose lines; labels bind first, else the number must agree."""
    award = header.award
    wanted = award.wanted or (len(header.labels) if len(header.labels) > 1 else None)
    found, used = _labelled(header, run)
    if not found:
        found, used = _counted(run, wanted, award.open or award.table is not None)
    if not found:
        return [], []
    each = award.each or (award.plain or 0.0) / (award.items or len(found))
    parts = [
        item.source.part(each, item.answer, (item.answer.start, item.answer.end), at=header.line)
        for item in found
    ]
    return _marked(header, _grouped(award, parts)), used


def _grouped(award: Award, parts: list[NativeNode]) -> list[NativeNode]:
    """Parts under a count table or "any n", else side by side."""
    marks = award.plain or 0.0
    if award.table:
        return [group("count", parts, marks, {"count"}, table=award.table)]
    if award.plain and award.open:
        take = award.items or 1
        if take == 1:
            return [group("any", parts, marks, {"alternatives"})]
        return [group("count", parts, marks, {"count"}, take=take)]
    return limited(award, parts)


def _labelled(header: Header, run: list[Loose]) -> tuple[list[Placed], list[Loose]]:
    """The items whose labels the header names, if it finds them all."""
    if len(header.labels) < 2:
        return [], []
    named: dict[str, tuple[Placed, Loose]] = {}
    for loose in run:
        for item in _items([loose]):
            label = item.answer.label
            if label in header.labels and label not in named:
                named[label] = (item, loose)
    if any(label not in named for label in header.labels):
        return [], []
    chosen = [named[label] for label in header.labels]
    return [item for item, _ in chosen], [loose for _, loose in chosen]


def _counted(run: list[Loose], wanted: int | None, more: bool) -> tuple[list[Placed], list[Loose]]:
    """As many items as are wanted: of some lines, or so many lines; all items where no number is said."""
    everything = _items(run)
    if wanted is None or (more and len(everything) > wanted):
        return everything, run
    for count in range(1, len(run) + 1):
        for lines in (run[:count], run[len(run) - count :]):
            items = _items(lines)
            if len(items) == wanted:
                return items, lines
            if len(lines) == 1:
                items = [
                    Placed(lines[0].source, found)
                    for found in split(lines[0].source.text, lines[0].pieces, wanted)
                ]
                if items:
                    return items, lines
    if len(run) >= wanted:
        lines = run[:wanted]
        return [item for loose in lines if (item := whole(loose.source, loose.pieces))], lines
    return [], []


def _items(run: Sequence[Loose], wanted: int | None = None) -> list[Placed]:
    """The items of loose lines: several where a line lists values, or lists as many as are wanted."""
    found: list[Placed] = []
    for loose in run:
        if wanted and len(run) == 1 and (fitting := split(loose.source.text, loose.pieces, wanted)):
            return [Placed(loose.source, each) for each in fitting]
        listed = split(loose.source.text, loose.pieces) if firm(loose.pieces) else ()
        if listed:
            found.extend(Placed(loose.source, each) for each in listed)
        elif item := whole(loose.source, loose.pieces):
            found.append(item)
    return found


def _block(header: Header, run: list[Loose]) -> tuple[list[NativeNode], list[Loose]]:
    """One part over the loose lines: the first is its answer, the others go with it."""
    marks = header.award.plain or header.award.total or 0.0
    if header.otherwise and not any(node.text == "" for node in header.otherwise):
        run = [loose for loose in run if any(piece.kind in ("QUOTED", "MATH") for piece in loose.pieces)]
    first = run[0] if run else None
    placed = whole(first.source, first.pieces) if first else None
    if first is None or placed is None or marks <= 0:
        return [], []
    node = placed.source.part(marks, placed.answer, first.span, at=header.line)
    for other in run[1:]:
        node = with_context(node, other.line, *other.span)
    return _marked(header, [node]), run


def bind_pointers(entries: list[Entry]) -> list[Entry]:
    """Give marked lines that only point elsewhere the loose lines with values that follow them."""
    bound = list(entries)
    at = 0
    while at < len(bound):
        pointers = _pointers(bound, at)
        if pointers:
            run = _run(bound, at + len(pointers) - 1, 1)
            items = _items([loose for loose in run if firm(loose.pieces)])
            if len(items) == len(pointers):
                bound[at : at + len(pointers)] = _pointed(pointers, items)
                bound = [
                    entry for entry in bound if not any(entry is loose for loose in run if firm(loose.pieces))
                ]
        at += max(1, len(pointers))
    return bound


def _pointers(entries: Sequence[Entry], at: int) -> list[NativeNode]:
    """The run of pointing parts that begins at an entry."""
    run: list[NativeNode] = []
    for entry in entries[at:]:
        if not isinstance(entry, NativeNode) or "figure_only" not in entry.flags or entry.kind != "part":
            break
        run.append(entry)
    return run


def _pointed(pointers: list[NativeNode], items: list[Placed]) -> list[NativeNode]:
    """Pointing parts with their answers, by label where all labels agree, else in order."""
    by_label = {item.answer.label: item for item in items}
    labels = [pointer.label or pointer.text for pointer in pointers]
    matched = [by_label[label] for label in labels] if all(label in by_label for label in labels) else items
    return [
        replace(
            pointer,
            text=item.source.words(item.answer.body[0].start, item.answer.body[-1].end),
            quoted=item.source.quoted(item.answer.start, item.answer.end),
            label=item.answer.label or pointer.label,
            answer_line=item.source.index,
            answer_span=(item.answer.start, item.answer.end),
            flags=tuple(flag for flag in pointer.flags if flag != "figure_only"),
        )
        for pointer, item in zip(pointers, matched, strict=True)
    ]
