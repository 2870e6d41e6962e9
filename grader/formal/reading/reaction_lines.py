"""Reactions written with arrows between structures: ``CCO + CC(=O)O -> CCOC(C)=O + O``."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.answer.cover import Cover
from grader.formal.reading.components import Side, read_side
from grader.formal.structures.reaction import Reaction, Step

_AGENTS = r"(?:\[[^\]\n]{0,120}\]|\([^)\n]{0,120}\)|[^<>\n`+\-\u2014\u2500]{1,80})"
_FORWARD = (
    rf"(?<=[\s`*$}})\]])[-\u2014\u2013\u2500]{{1,6}}\s?{_AGENTS}\s?[-\u2014\u2013\u2500]{{1,6}}[>\u2192\u27f6]"
    r"|(?<=[\s`*$})\]])[-=\u2014\u2500]{1,6}>(?:\[[^\]\n]{0,80}\]){0,2}(?=[\s`*$\\{(])"
    r"|(?<=\s)>\s?>(?=\s)"
    r"|[\u2192\u27f6\u21d2\u27f9\u2794\u279c\u279d\u279e\u2799\u27fc\u21a6\u2b62\u25b6\u21fe]"
    r"(?:\[[^\]\n]{0,80}\](?=\s)){0,2}"
    r"|\\(?:long)?[rR]ightarrow(?![A-Za-z])|\\Longrightarrow(?![A-Za-z])|\\to(?![A-Za-z])|\\implies(?![A-Za-z])"
    r"|\\x(?:long)?rightarrow(?:\[[^\]\n]{0,120}\])?\{(?:[^{}\n]|\{[^{}\n]{0,80}\}){0,160}\}"
    r"|&rarr;|-&gt;|--&gt;"
)
_BACKWARD = (
    r"(?<=[\s`*$})\]])<[-=\u2014]{1,4}(?=[\s`*$\\{(])|[\u2190\u27f5\u21d0\u27f8]"
    r"|\\(?:long)?leftarrow(?![A-Za-z])|&larr;"
)
_BOTH = (
    r"(?<=[\s`*$})\]])<[-=]{1,3}>(?=[\s`*$\\{(])|[\u21cc\u21cb\u21c4\u21c6\u2194\u27f7\u27fa\u21d4\u2968]"
    r"|\\rightleftharpoons(?![A-Za-z])|\\leftrightarrows?(?![A-Za-z])"
    r"|\\xrightleftharpoons(?:\[[^\]\n]{0,80}\])?\{[^{}\n]{0,80}\}"
)
_ARROW = re.compile(rf"(?P<both>{_BOTH})|(?P<back>{_BACKWARD})|(?P<on>{_FORWARD})")
_SET_OVER = re.compile(r"\\(?:overset|stackrel|underset)\{[^{}\n]{0,120}\}\s?\{?\s?$")
_RETRO = re.compile(r"\bretro-?synth", re.I)
_LINE = re.compile(r"[^\n]+")
_BREAK = re.compile(r"[.!?](?=\s+[A-Z*`(])|:(?=\s)|\|(?=\s)|\\\\(?=\s|$)")
_STOP = re.compile(
    r"[.!?](?=\s+[A-Z*`(]|\s*$)|\|(?=\s)|\\\\(?=\s|$)"
    r"|(?:[,;]\s{0,2}|\s)\(?(?:with|using|under|at|via|by|in|when|where|which|because|since|catal\w+|conditions?)\s",
    re.M,
)
_DENIED = re.compile(r"\bnot\b|n't\b|\bnever\b", re.I)
_LIST_ITEM = re.compile(r"\s*(?:[-*\u2022>]|\(?\d{1,2}[.):]|\(?[a-z][.)])\s+")


@dataclass(frozen=True, slots=True)
class _Arrow:
    start: int
    end: int
    way: str
    """``on``, ``back`` or ``both``."""


def read_lines(
    raw: str, taken: Sequence[tuple[int, int]], *, names: bool
) -> Iterator[tuple[Reaction, int, int]]:
    """The reactions that arrows between structures write, with their raw spans.

    ``taken``: raw spans that are read already.
    """
    cover = Cover(taken)
    starts, ends = sorted(start for start, _ in taken), sorted(end for _, end in taken)
    for line in _LINE.finditer(_joined(raw)):
        arrows = [one for one in _arrows(raw, *line.span()) if not cover.touches(one.start, one.end)]
        if arrows and len(arrows) <= 12:
            # a reaction that is read already bounds one beside it
            left = bisect_right(ends, arrows[0].start)
            right = bisect_left(starts, arrows[-1].end)
            low = max(line.start(), ends[left - 1] if left else 0)
            high = min(line.end(), starts[right] if right < len(starts) else line.end())
            yield from _read_line(raw, low, high, arrows, names=names)


def _joined(raw: str) -> str:
    """The text with a line break beside an arrow that stands alone taken for a space, in its length."""
    return re.sub(
        r"\n(?=[ \t`*$]{0,8}(?:>>|-{1,3}>|\u2192|\u27f6|\\(?:long)?rightarrow)[ \t`*$]{0,8}\n)"
        r"|(?<=>)\n|(?<=\u2192)\n",
        " ",
        raw,
    )


def _arrows(raw: str, low: int, high: int) -> list[_Arrow]:
    found = []
    for match in _ARROW.finditer(raw, low, high):
        start, way = match.start(), str(match.lastgroup)
        over = _SET_OVER.search(raw, max(low, start - 140), start)
        retro = match[0] in ("\u21d2", "=>", "==>", "\u27f9") and _RETRO.search(
            raw, max(0, start - 400), start
        )
        found.append(_Arrow(over.start() if over else start, match.end(), "back" if retro else way))
    return found


def _read_line(
    raw: str, low: int, high: int, arrows: Sequence[_Arrow], *, names: bool
) -> Iterator[tuple[Reaction, int, int]]:
    """The one reaction of a line, of as many steps as it has arrows."""
    first = _left_edge(raw, low, arrows[0].start)
    last = _right_edge(raw, arrows[-1].end, high)
    edges = [first, *(place for arrow in arrows for place in (arrow.start, arrow.end)), last]
    spans = list(zip(edges[::2], edges[1::2], strict=True))
    outer = ["left", *[""] * (len(spans) - 2), "right"]
    sides = [read_side(raw, *span, outer=end, names=names) for span, end in zip(spans, outer, strict=True)]
    named = names and not any(side.unread for side in sides)
    if not all(side.components for side in sides) or not (named or any(side.certain for side in sides)):
        return
    if any(_DENIED.search(raw, side.end, arrow.start) for side, arrow in zip(sides, arrows, strict=False)):
        return
    start, end = min(side.start for side in sides), max(side.end for side in sides)
    steps = [_step(raw, one, arrow, two) for one, arrow, two in zip(sides, arrows, sides[1:], strict=False)]
    if all(arrow.way == "back" for arrow in arrows):
        steps.reverse()
    both = any(arrow.way == "both" for arrow in arrows)
    yield Reaction(raw[start:end], tuple(steps), both), start, end


def _left_edge(raw: str, low: int, high: int) -> int:
    """Where the reaction of a line starts at the earliest: after a list number, a colon or a sentence."""
    item = _LIST_ITEM.match(raw, low, high)
    start = item.end() if item else low
    return max((match.end() for match in _BREAK.finditer(raw, start, high)), default=start)


def _right_edge(raw: str, low: int, high: int) -> int:
    """Where the products end at the latest: with the sentence, its cell, or where conditions are told."""
    return min((match.start() for match in _STOP.finditer(raw, low, high)), default=high)


def _step(raw: str, before: Side, arrow: _Arrow, after: Side) -> Step:
    """The step of one arrow; what is written over it counts as agents."""
    left, right = (after, before) if arrow.way == "back" else (before, after)
    over = Side() if arrow.way == "both" else _over(raw, arrow)
    return Step(
        tuple(left.components),
        tuple(over.components),
        tuple(right.components),
        (*left.unread, *over.unread),
        tuple(right.unread),
    )


def _over(raw: str, arrow: _Arrow) -> Side:
    text = raw[arrow.start : arrow.end]
    inner = re.search(
        r"[\[({](?P<in>[^\]}]{1,120})|[-\u2014\u2500=]\s?(?P<bare>[A-Za-z][^<>\n]{0,80}?)\s?[-\u2014\u2500=]",
        text,
    )
    if inner is None:
        return Side()
    group = "in" if inner["in"] else "bare"
    return read_side(
        raw, arrow.start + inner.start(group), arrow.start + inner.end(group), outer="", names=False
    )
