"""What the grammar makes of a native rubric: nodes with their places in the lines.

A place counts code points of the original line, so that every character of a
rubric can be traced to the one node, or the one mark, that took it up.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["part", "group", "note", "deduction", "veto"]
Rule = Literal["sum", "all", "any", "count"]
Span = tuple[int, int]
Table = tuple[tuple[int, float], ...]
"""Marks by the number of members met, most members first."""

FLAGS: tuple[str, ...] = (
    "each",
    "total",
    "alternatives",
    "count",
    "deduction",
    "veto",
    "dependent",
    "all_or_nothing",
    "partial",
    "formula",
    "follow_through",
    "accepted",
    "not_accepted",
    "tolerance",
    "stereo_waived",
    "stereo_required",
    "stereo_relative",
    "unit",
    "sig_figs",
    "first_n",
    "floor",
    "discretion",
    "implied",
    "half",
    "restated",
    "table",
    "figure_only",
    "duplicate",
    "unparsable_smiles",
    "unaccounted",
    "over",
)
"""The closed vocabulary of flags, in the order in which they are reported."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A stretch of one line: ``lines[line][start:end]``."""

    line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class NativeNode:
    """One node of a parsed rubric."""

    kind: Kind
    marks: float
    """Above 0 for parts and groups, below 0 for deductions, else 0."""
    line: int
    """The 0-based line that holds the mark."""
    span: Span
    """What the node owns of that line; marks inside it belong to the mark."""
    text: str = ""
    """The answer or the condition, without label and mark."""
    quoted: tuple[str, ...] = ()
    """Values in quotation marks or LaTeX, verbatim. None of them is a check yet."""
    label: str | None = None
    answer_line: int | None = None
    """The 0-based line that holds the answer, where it isn't the mark's."""
    answer_span: Span | None = None
    guidance: str = ""
    """What the mark itself says about the answer: a lesser award, an option, a condition."""
    context: tuple[Place, ...] = ()
    """Unmarked text beside the answer: conditions, reasons, connectives."""
    rule: Rule | None = None
    take: int | None = None
    table: Table | None = None
    of: tuple[NativeNode, ...] = ()
    scope: str | None = None
    """``subquestion``, ``line``, ``part``, ``part:LABEL`` or ``parts:I,J`` (0-based, among all parts)."""
    each: bool = False
    once: bool = False
    max: float | None = None
    flags: tuple[str, ...] = ()

    @property
    def scores(self) -> bool:
        """Whether the node's marks are added."""
        return self.kind in ("part", "group")


@dataclass(frozen=True, slots=True)
class NativeRubric:
    """A native rubric as the grammar read it, with what it couldn't account for."""

    lines: tuple[str, ...]
    full_mark: float
    nodes: tuple[NativeNode, ...]
    """What was read. Where the flag is ``over`` it is kept for display only."""
    marks: tuple[Place, ...]
    """Where marks are written."""
    flags: tuple[str, ...]
    fallback: NativeNode | None = None
    """The flexible part that holds the marks the lines don't account for, or all of them."""

    @property
    def accounted(self) -> float:
        """The marks of the top-level parts and groups, before any fallback."""
        return math.fsum(node.marks for node in self.nodes if node.scores)

    @property
    def rejected(self) -> bool:
        """Whether the lines carry more than the full mark, so that nothing read here is graded."""
        return "over" in self.flags

    @property
    def graded(self) -> tuple[NativeNode, ...]:
        """The nodes that are graded; their marks add up to the full mark."""
        kept = () if self.rejected else self.nodes
        return (*kept, self.fallback) if self.fallback else kept


def leaves(nodes: Iterable[NativeNode]) -> Iterator[NativeNode]:
    """The nodes that own text: all but the groups with members."""
    for node in nodes:
        if node.of:
            yield from leaves(node.of)
        else:
            yield node


def owned(node: NativeNode) -> Iterator[Place]:
    """Every place of a leaf: its answer and what goes with it."""
    yield Place(node.line, *node.span)
    if node.answer_line is not None and node.answer_span is not None:
        yield Place(node.answer_line, *node.answer_span)
    yield from node.context


def ordered(flags: Iterable[str]) -> tuple[str, ...]:
    """Flags once each, in the order of the vocabulary."""
    found = set(flags)
    return tuple(flag for flag in FLAGS if flag in found)


def close_to(left: float, right: float) -> bool:
    """Whether two sums of marks are the same."""
    return math.isclose(left, right, abs_tol=1e-9)
