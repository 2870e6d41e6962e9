"""A native rubric, from its lines to nodes whose marks add up to the full mark."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from grader.problem.rubric.draft import Line, with_context
from grader.problem.rubric.fold import fold
from grader.problem.rubric.line import read_line
from grader.problem.rubric.marks import Piece
from grader.problem.rubric.mask import QUOTED
from grader.problem.rubric.nodes import NativeNode, NativeRubric, Place, close_to, leaves, ordered
from grader.problem.rubric.settle import settle
from grader.problem.rubric.share import labels_of
from grader.problem.rubric.smiles import lint


def read_rubric(lines: Sequence[str], full_mark: float) -> NativeRubric:
    """Read a native rubric; no text makes it fail.

    What the lines carry below ``full_mark`` goes to one flexible part with the
    whole rubric as its text (flag ``unaccounted``). Where they carry more, the
    reading is kept for display only and one flexible part is worth
    ``full_mark`` (flag ``over``). Marks are never rescaled.
    """
    texts = tuple(lines)
    read = [read_line(index, text) for index, text in enumerate(texts)]
    folded, flags, heads = fold(read, full_mark)
    nodes = _scoped(folded, read)
    marks = _disjoint([*heads, *(place for line in read for place in line.marks)])
    flags |= {flag for node in _every(nodes) for flag in node.flags} | lint(nodes, _quotations(read))
    accounted = math.fsum(node.marks for node in nodes if node.scores)
    fallback = None
    if nodes:
        nodes, marks = settle(nodes, texts, marks)
    if accounted > full_mark and not close_to(accounted, full_mark):
        flags.add("over")
        fallback = _rest(texts, full_mark, "over") if full_mark > 0 else None
    elif not close_to(accounted, full_mark):
        flags.add("unaccounted")
        fallback = _rest(texts, full_mark - accounted, "unaccounted", whole=not nodes)
    return NativeRubric(texts, full_mark, tuple(nodes), marks, ordered(flags), fallback)


def _quotations(read: Sequence[Line]) -> frozenset[str]:
    """What stands in quotation marks, anywhere."""
    return frozenset(
        line.source.text[region.inner[0] : region.inner[1]].strip()
        for line in read
        for region in line.source.masked.regions
        if region.kind == QUOTED
    )


def _disjoint(places: Sequence[Place]) -> tuple[Place, ...]:
    """Places in order, without those inside another."""
    kept: list[Place] = []
    for place in sorted(set(places), key=lambda place: (place.line, place.start, -place.end)):
        if not kept or (kept[-1].line, kept[-1].end) <= (place.line, place.start):
            kept.append(place)
    return tuple(kept)


def _rest(texts: Sequence[str], marks: float, flag: str, whole: bool = False) -> NativeNode:
    """The flexible part that takes the marks no line accounts for; it owns text where nothing else does."""
    end = len(texts[0]) if whole and texts else 0
    node = NativeNode("part", marks, 0, (0, end), "\n".join(texts), flags=(flag,))
    for index, text in enumerate(texts[1:] if whole else (), start=1):
        node = with_context(node, index, 0, len(text))
    return node


def _every(nodes: Sequence[NativeNode]) -> list[NativeNode]:
    found: list[NativeNode] = []
    for node in nodes:
        found.extend((node, *_every(node.of)))
    return found


def _scoped(nodes: list[NativeNode], read: Sequence[Line]) -> list[NativeNode]:
    """Nodes whose deductions and vetoes name the parts they act on."""
    labels = {leaf.label for leaf in leaves(nodes) if leaf.kind == "part" and leaf.label}
    parts = [node for node in nodes if node.scores]
    scoped = []
    for node in nodes:
        if node.kind == "veto" and "dependent" in node.flags and node.scope != "part":
            node = replace(node, scope=_later(node, parts) or node.scope)
        elif node.kind in ("deduction", "veto") and node.scope in ("line", "subquestion"):
            named = [label for label in labels_of(_inside(node, read)) if label in labels]
            node = replace(node, scope=f"part:{named[0]}") if len(named) == 1 else node
        scoped.append(node)
    return scoped


def _inside(node: NativeNode, read: Sequence[Line]) -> list[Piece]:
    return [piece for piece in read[node.line].pieces if node.span[0] <= piece.start < node.span[1]]


def _later(node: NativeNode, parts: Sequence[NativeNode]) -> str | None:
    """The parts that hang on the first one of the line, or of the rubric."""
    near = [at for at, part in enumerate(parts) if part.line == node.line]
    places = near if len(near) > 1 else list(range(len(parts)))
    return f"parts:{','.join(str(at) for at in places[1:])}" if len(places) > 1 else None
