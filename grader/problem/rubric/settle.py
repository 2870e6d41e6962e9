"""Every character of a rubric to the one node, or the one mark, that it belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.problem.rubric.nodes import NativeNode, Place, leaves, owned

NOBODY = -1


def settle(
    nodes: Sequence[NativeNode], texts: Sequence[str], marks: Sequence[Place]
) -> tuple[list[NativeNode], tuple[Place, ...]]:
    """Nodes and marks that share out all text but blanks, each character once.

    A mark inside a node's text is the mark's. Text that no node took up goes
    to the node before it on its line, else to the one behind it; a line
    without a node becomes a note, or part of its mark if no word is left.
    """
    flat = list(leaves(nodes))
    rows = _claimed(flat, texts, marks)
    notes: list[NativeNode] = []
    for index, text in enumerate(texts):
        if not _fill(rows[index], flat, index) and text.strip():
            rows[index] = _left_over(rows[index], text, index, len(flat), notes)
    places: list[list[Place]] = [[] for _ in range(len(flat) + 1)]
    for index, row in enumerate(rows):
        for order, start, end in _stretches(row):
            places[order].append(Place(index, start, end))
    placed = {id(leaf): _placed(leaf, own) for leaf, own in zip(flat, places, strict=False)}
    return _with_notes([_rebuilt(node, placed) for node in nodes], notes), tuple(places[-1])


def _claimed(flat: Sequence[NativeNode], texts: Sequence[str], marks: Sequence[Place]) -> list[list[int]]:
    """For each character the first leaf that owns it; ``len(flat)`` stands for a mark."""
    rows = [[NOBODY] * len(text) for text in texts]
    for order, leaf in enumerate(flat):
        for place in owned(leaf):
            row = rows[place.line]
            for at in range(place.start, min(place.end, len(row))):
                if row[at] == NOBODY:
                    row[at] = order
    for place in marks:
        rows[place.line][place.start : place.end] = [len(flat)] * (place.end - place.start)
    return rows


def _fill(row: list[int], flat: Sequence[NativeNode], index: int) -> bool:
    """Give unowned characters of a line to its nodes; False if it has none."""
    last = next((order for order in row if 0 <= order < len(flat)), None)
    if last is None:
        last = next((order for order, leaf in enumerate(flat) if leaf.line == index), None)
    if last is None:
        return False
    for at, order in enumerate(row):
        if order == NOBODY:
            row[at] = last
        elif order < len(flat):
            last = order
    return True


def _left_over(row: list[int], text: str, index: int, mark: int, notes: list[NativeNode]) -> list[int]:
    """A line without a node: punctuation around a mark is the mark's, words are a note."""
    free = "".join(char for char, order in zip(text, row, strict=True) if order == NOBODY)
    if any(order == mark for order in row) and not any(char.isalnum() for char in free):
        return [
            mark if order == NOBODY and not char.isspace() else order
            for char, order in zip(text, row, strict=True)
        ]
    if free.strip():
        start = next(at for at, order in enumerate(row) if order == NOBODY and text[at].strip())
        end = max(at for at, order in enumerate(row) if order == NOBODY and text[at].strip()) + 1
        runs = [
            Place(index, a, b)
            for order, a, b in _stretches([0 if o == NOBODY else 1 for o in row])
            if order == 0
        ]
        note = NativeNode("note", 0.0, index, (start, start), text[start:end].strip(), context=tuple(runs))
        notes.append(note)
    return row


def _stretches(row: Sequence[int]) -> list[tuple[int, int, int]]:
    """Runs of one owner: (owner, start, end)."""
    runs: list[tuple[int, int, int]] = []
    for at, order in enumerate(row):
        if order == NOBODY:
            continue
        if runs and runs[-1][0] == order and runs[-1][2] == at:
            runs[-1] = (order, runs[-1][1], at + 1)
        else:
            runs.append((order, at, at + 1))
    return runs


def _placed(leaf: NativeNode, places: list[Place]) -> NativeNode:
    """The leaf with the stretches it ended up with: its own, its answer's, and context."""
    start = leaf.span[0]
    if leaf.answer_line is None:
        own = next((place for place in places if place.line == leaf.line and place.end > start), None)
        rest = tuple(place for place in places if place is not own)
        return replace(leaf, span=(own.start, own.end) if own else (start, start), context=rest)
    at = leaf.answer_span[0] if leaf.answer_span else 0
    answer = next((place for place in places if place.line == leaf.answer_line and place.end > at), None)
    rest = tuple(place for place in places if place is not answer)
    spanned = (answer.start, answer.end) if answer else (at, at)
    return replace(leaf, span=(start, start), answer_span=spanned, context=rest)


def _rebuilt(node: NativeNode, placed: dict[int, NativeNode]) -> NativeNode:
    if not node.of:
        return placed[id(node)]
    return replace(node, of=tuple(_rebuilt(member, placed) for member in node.of))


def _with_notes(nodes: list[NativeNode], notes: Sequence[NativeNode]) -> list[NativeNode]:
    """Notes for lines that no node took up, among the nodes of their place."""
    for note in notes:
        at = next((place for place, node in enumerate(nodes) if node.line > note.line), len(nodes))
        nodes.insert(at, note)
    return nodes
