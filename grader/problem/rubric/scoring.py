"""A native rubric as the scoring nodes of the problem model."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from grader.problem.model import Deduction, Group, Note, Point, ScoringNode, Veto
from grader.problem.rubric.nodes import NativeNode, NativeRubric


def scoring_nodes(
    sub_id: str, rubric: NativeRubric, numbers: Sequence[int] | None = None
) -> tuple[ScoringNode, ...]:
    """The nodes of a native rubric; their positive marks add up to its full mark.

    ``numbers`` gives the 1-based place of each native line in the rubric of its
    subquestion, where typed nodes stand between; without it the lines are
    counted. A line's node is ``<sub_id>#<n>``, where it makes several
    ``<sub_id>#<n>.<m>``; what no line accounts for is ``<sub_id>#rest``, a
    rubric that carries too much ``<sub_id>#whole``. Native parts are flexible,
    and their award may be a fraction.
    """
    if rubric.full_mark <= 0:
        return tuple(Note(note=line) for line in rubric.lines if line.strip())
    names = _Names(sub_id, list(numbers or range(1, len(rubric.lines) + 1)))
    kept = () if rubric.rejected else rubric.nodes
    names.take(kept)
    nodes = _Emitter(names, kept, rubric).emit()
    if rubric.fallback:
        end = "whole" if rubric.rejected else "rest"
        marks = rubric.full_mark - math.fsum(node.marks for node in kept if node.scores)
        nodes.append(Point(id=f"{sub_id}#{end}", points=marks, text=rubric.fallback.text, partial=True))
    return tuple(nodes)


@dataclass(slots=True)
class _Names:
    """The ids of nodes, by the line of their mark and their place in it."""

    sub_id: str
    numbers: list[int]
    ids: dict[int, str] = field(default_factory=dict)
    """By the identity of a node."""
    lines: dict[int, str] = field(default_factory=dict)
    """The id that stands for all scoring nodes of a line."""

    def take(self, nodes: Sequence[NativeNode]) -> None:
        """Name every node but notes; a line's only node has the line's name, its members count below it."""
        named = [node for node in _walk(nodes) if node.kind != "note"]
        for line in {node.line for node in named}:
            stem = f"{self.sub_id}#{self.numbers[line]}"
            self.lines[line] = stem
            here = [node for node in named if node.line == line]
            alone = sum(any(node is top for top in nodes) for node in here) == 1
            if len(here) == 1 or (alone and any(here[0] is top for top in nodes)):
                self.ids[id(here.pop(0))] = stem
            for place, node in enumerate(here, start=1):
                self.ids[id(node)] = f"{stem}.{place}"


def _walk(nodes: Sequence[NativeNode]) -> Iterator[NativeNode]:
    for node in nodes:
        yield node
        yield from _walk(node.of)


class _Emitter:
    """Turns nodes into those of the model, with scopes as ids."""

    def __init__(self, names: _Names, nodes: Sequence[NativeNode], rubric: NativeRubric) -> None:
        self.names = names
        self.nodes = nodes
        self.lines = rubric.lines
        self.full_mark = rubric.full_mark
        self.parts = [node for node in nodes if node.scores]

    def emit(self) -> list[ScoringNode]:
        """All nodes; the scoring nodes of a line that a modifier acts on as a whole are one group."""
        found: list[ScoringNode] = []
        wrapped = self._wrapped_lines()
        for node in self.nodes:
            if node.scores and node.line in wrapped:
                if node is wrapped[node.line][0]:
                    found.append(self._line_group(node.line, wrapped[node.line]))
            elif node.scores:
                found.append(self._scoring(node))
            else:
                found.extend(self._modifier(node))
        return found

    def _wrapped_lines(self) -> dict[int, list[NativeNode]]:
        """Lines with several scoring nodes that one deduction or veto acts on together."""
        acted = {
            node.line for node in self.nodes if node.kind in ("deduction", "veto") and node.scope == "line"
        }
        lines = {line: [part for part in self.parts if part.line == line] for line in acted}
        return {line: parts for line, parts in lines.items() if len(parts) > 1}

    def _line_group(self, line: int, parts: Sequence[NativeNode]) -> Group:
        members = tuple(self._scoring(part) for part in parts)
        text = "; ".join(part.text for part in parts if part.text)
        marks = math.fsum(part.marks for part in parts)
        return Group(id=self.names.lines[line], points=marks, text=text, rule="sum", of=members)

    def _scoring(self, node: NativeNode) -> Point | Group:
        """A part as a flexible point, a group as a group."""
        text = _text(node, self.lines)
        name = self.names.ids[id(node)]
        if node.rule is None or (not node.of and node.rule != "count"):
            return Point(id=name, points=node.marks, text=text, partial=True)
        if not node.of:
            # A count without a list of what counts is for a judge to count.
            return Point(id=name, points=node.marks, text=text, partial=True)
        return Group(
            id=name,
            points=node.marks,
            text=text,
            rule=node.rule,
            take=node.take,
            table={str(count): marks for count, marks in node.table} if node.table else None,
            of=tuple(self._scoring(member) for member in node.of),
        )

    def _modifier(self, node: NativeNode) -> Iterator[ScoringNode]:
        """A note, deduction or veto; a veto on several parts is one node for each of them."""
        if node.kind == "note":
            yield Note(note=node.text)
            return
        name = self.names.ids[id(node)]
        targets = self._targets(node)
        if node.kind == "deduction":
            scope, worth = targets[0] if len(targets) == 1 else (None, self.full_mark)
            limit = node.max or (worth if node.each else None)
            yield Deduction(
                id=name, points=node.marks, text=node.text, scope=scope, each=node.each, max=limit
            )
            return
        for place, (scope, _) in enumerate(targets, start=1):
            own = name if len(targets) == 1 else f"{name}:{place}"
            yield Veto(id=own, veto=True, text=node.text, scope=scope)

    def _targets(self, node: NativeNode) -> list[tuple[str | None, float]]:
        """What a modifier acts on, as ids with their marks; None is the subquestion."""
        scope = node.scope or "subquestion"
        here = [part for part in self.parts if part.line == node.line]
        if scope == "line" and len(here) > 1:
            return [(self.names.lines[node.line], math.fsum(part.marks for part in here))]
        acted = here if scope == "line" else []
        if scope == "part":
            before = [part for part in here if part.span[0] <= node.span[0]]
            acted = before[-1:] or here[:1]
        elif scope.startswith("part:"):
            acted = [part for part in _walk(self.parts) if part.label == scope[5:]][:1]
        elif scope.startswith("parts:"):
            acted = [self.parts[int(place)] for place in scope[6:].split(",")]
        return [(self.names.ids[id(part)], part.marks) for part in acted] or [(None, self.full_mark)]


def _text(node: NativeNode, lines: Sequence[str]) -> str:
    """What a marker reads: label and answer, then what the mark and the text beside it say about them."""
    text = node.text or "; ".join(member.text for member in node.of if member.text)
    beside = [node.guidance, *(lines[place.line][place.start : place.end] for place in node.context)]
    said = [words.strip(" \t\n,;:") for words in beside if any(char.isalnum() for char in words)]
    labelled = f"{node.label}: {text}" if node.label else text
    return " ".join(part for part in (labelled, f"[{'; '.join(said)}]" if said else "") if part)
