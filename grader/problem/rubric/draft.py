"""The raw nodes of one line, before the rubric is folded as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from grader.problem.rubric.award import Award
from grader.problem.rubric.cues import Modifier
from grader.problem.rubric.items import Answer, answer, content
from grader.problem.rubric.marks import Piece
from grader.problem.rubric.mask import MATH, QUOTED, Masked
from grader.problem.rubric.nodes import Kind, NativeNode, Place, Rule, Span, Table, ordered

_EDGES = " \t\r\n\u00a0,;:.、，；：。"


@dataclass(frozen=True, slots=True)
class Header:
    """Marks whose answers stand elsewhere; ``otherwise`` is what they are worth if none are found."""

    source: Source
    span: Span
    award: Award
    labels: tuple[str, ...]
    otherwise: tuple[NativeNode, ...]

    @property
    def line(self) -> int:
        """The line it stands on."""
        return self.source.index

    @property
    def guidance(self) -> str:
        """Its words, where it says more than marks."""
        return self.source.words(*self.span) if self.award.flags - {"each", "total"} else ""


@dataclass(frozen=True, slots=True)
class Loose:
    """Text without a mark of its own."""

    source: Source
    pieces: tuple[Piece, ...]

    @property
    def line(self) -> int:
        """The line it stands on."""
        return self.source.index

    @property
    def span(self) -> Span:
        """From its first to its last character."""
        return self.pieces[0].start, self.pieces[-1].end


@dataclass(frozen=True, slots=True)
class Lesser:
    """A smaller award for a flawed or another answer, on a line of its own."""

    node: NativeNode
    modifier: Modifier
    firm: bool
    """It quotes the answer it is for."""


Entry = NativeNode | Header | Loose | Lesser


def line_of(entry: Entry) -> int:
    """The line of an entry, which for a node is the line of its mark."""
    return entry.node.line if isinstance(entry, Lesser) else entry.line


@dataclass(frozen=True, slots=True)
class Source:
    """A line with its mask: what nodes are cut from."""

    index: int
    text: str
    masked: Masked

    def quoted(self, start: int, end: int) -> tuple[str, ...]:
        """Quotations and LaTeX between two offsets, without their delimiters."""
        return tuple(
            self.text[region.inner[0] : region.inner[1]].strip()
            for region in self.masked.regions
            if region.kind in (QUOTED, MATH) and start <= region.start and region.end <= end
        )

    def words(self, start: int, end: int) -> str:
        """The text between two offsets without blanks and separators at its edges."""
        return self.text[start:end].strip(_EDGES)

    def part(
        self, marks: float, found: Answer | None, span: Span, flags: Iterable[str] = (), at: int | None = None
    ) -> NativeNode:
        """A part worth ``marks``; ``at`` is the line of its mark, where it isn't this one."""
        start, end = (found.body[0].start, found.body[-1].end) if found else span
        elsewhere = at is not None and at != self.index
        return NativeNode(
            "part",
            marks,
            at if at is not None else self.index,
            (0, 0) if elsewhere else span,
            self.words(start, end),
            self.quoted(start, end),
            found.label if found else None,
            self.index if elsewhere else None,
            span if elsewhere else None,
            flags=ordered(flags),
        )

    def note_of(self, pieces: Sequence[Piece]) -> NativeNode:
        """Unmarked text as a note."""
        start, end = pieces[0].start, pieces[-1].end
        return NativeNode(
            "note", 0.0, self.index, (start, end), self.words(start, end), self.quoted(start, end)
        )

    def note(self, modifier: Modifier, scope: str | None) -> NativeNode:
        """A note, deduction or veto."""
        kind: Kind = modifier.act if modifier.act in ("deduction", "veto") else "note"
        return NativeNode(
            kind,
            -modifier.marks if kind == "deduction" else 0.0,
            self.index,
            (modifier.start, modifier.end),
            self.words(modifier.start, modifier.end),
            self.quoted(modifier.start, modifier.end),
            scope=scope,
            each=modifier.each,
            once=modifier.once,
            max=modifier.max,
            flags=ordered(modifier.flags),
        )


@dataclass(slots=True)
class Line:
    """What one line holds, in order."""

    source: Source
    pieces: tuple[Piece, ...]
    entries: list[Entry] = field(default_factory=list)
    marks: list[Place] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)

    @property
    def nodes(self) -> list[NativeNode]:
        """The entries that are nodes already."""
        return [entry for entry in self.entries if isinstance(entry, NativeNode)]

    def place(self, start: int, end: int) -> Place:
        """A stretch of this line."""
        return Place(self.source.index, start, end)


def spread(
    source: Source, found: Sequence[Answer], marks: Sequence[float], at: int | None = None
) -> list[NativeNode]:
    """One part for each item; the items share out the text between them."""
    starts = [each.start for each in found]
    ends = [*starts[1:], found[-1].end if found else 0]
    return [
        source.part(mark, each, (start, end), at=at)
        for each, mark, start, end in zip(found, marks, starts, ends, strict=True)
    ]


def group(
    rule: Rule,
    members: Sequence[NativeNode],
    marks: float,
    flags: Iterable[str] = (),
    take: int | None = None,
    table: Table | None = None,
) -> NativeNode:
    """A group over members, at the place of the first."""
    first = members[0]
    return NativeNode(
        "group",
        marks,
        first.line,
        (first.span[0], first.span[0]),
        rule=rule,
        take=take,
        table=table,
        of=tuple(members),
        flags=ordered(flags),
    )


def bare(source: Source, pieces: Sequence[Piece]) -> Answer | None:
    """The answer that pieces spell, amounts and marks left out."""
    return answer(source.text, [piece for piece in content(pieces) if piece.kind not in ("mark", "stated")])


def with_context(node: NativeNode, line: int, start: int, end: int) -> NativeNode:
    """The node with a further stretch of text that belongs to it."""
    return replace(node, context=(*node.context, Place(line, start, end)))


def flagged(node: NativeNode, flags: Iterable[str]) -> NativeNode:
    """The node with further flags."""
    return replace(node, flags=ordered((*node.flags, *flags)))
