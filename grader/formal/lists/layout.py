"""Lists that stand in lines: bullets, numbered items, one item a line, columns of tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from grader.formal.lists.anchors import Anchor, Unknown
from grader.formal.lists.links import link
from grader.formal.lists.runs import Member, Run

_LINE = re.compile(r"[^\n]+")
_MARKER = re.compile(
    r"[ \t]{0,8}(?:(?P<bullet>[-*•+–])|\(?(?P<number>[0-9]{1,2})[.)]|(?P<step>(?:step|rank|#)\s?[0-9]{1,2}\s"
    r"?[:.)-]))[ \t]+",
    re.I,
)
_KEY = re.compile(r"(?:[^:\n|]{1,40}:\s+|[A-Za-z][\w ,'-]{1,40}\()?(?:(?:the|an?)\s)?\W{0,4}", re.I)
_REST = re.compile(
    r"\W*$|\W{0,3}(?:\s?[-–—:(,;.=]|\s?->|\s(?:ions?|groups?|atoms?|bonds?|acid|gas|cation|anion|of|by|from|"
    r"at|in|on|with|to|for|as|via|functional|functionality|which|that|because|since|and)\b)"
)
_VERB = re.compile(
    r"\W{0,3}\s(?:is|are|was|were|has|have|does|do|can|cannot|will|would|reacts?|forms?|gives?|shows?|"
    r"contains?|loses?|needs?|lacks?)\b",
    re.I,
)
_PHRASE = re.compile(
    r"\W{0,4}(?P<said>[A-Za-z][\w'’()+=#-]*(?:[ -][\w'’()+=#-]+){0,4}?)(?=\W*$|\s?[-–—:(,;]|\s(?:of|by|from|"
    r"at|in|on|with|to|for)\b)"
)
_EXCLUDED = re.compile(
    r"\b(?:not|non\w*|no|none|absent|un\w+|in(?:active|soluble|correct|ert)|without|excluded|wrong|false|"
    r"remaining|"
    r"rejected|others?)\b|[✗✘❌]",
    re.I,
)
"""How a line is headed whose items are not those that the lines before it list."""
_RULE = re.compile(r"[\s|:+-]+")
_MOST = 60


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    marker: str
    body: int


def listings(plain: str, anchors: Sequence[Anchor], *, closed: bool) -> Iterator[Run]:
    """Every list that stands in lines."""
    starts = sorted(anchors, key=lambda one: one.start)
    for block in _blocks(plain):
        run = _block(plain, block, starts, closed)
        if run is not None and run.strong:
            yield run
    yield from _columns(plain, starts)


def _blocks(plain: str) -> Iterator[list[_Line]]:
    """Consecutive lines of one kind: all bullets, all numbered, or all without a mark."""
    block: list[_Line] = []
    for match in _LINE.finditer(plain):
        if not match[0].strip() or "|" in match[0]:
            continue
        mark = _MARKER.match(plain, *match.span())
        kind = ("bullet" if mark["bullet"] else "number") if mark else ""
        line = _Line(match.start(), match.end(), kind, mark.end() if mark else match.start())
        apart = block and plain.count("\n", block[-1].end, line.start) > 3
        if block and (block[-1].marker != kind or apart):
            yield from _long(block)
            block = []
        block.append(line)
    yield from _long(block)


def _long(block: list[_Line]) -> Iterator[list[_Line]]:
    if (block and block[0].marker and len(block) >= 1) or len(block) >= 2:
        yield block


def _block(plain: str, block: list[_Line], anchors: Sequence[Anchor], closed: bool) -> Run | None:
    """The list that lines make, None where they are prose."""
    if len(block) > _MOST:
        return None
    parts: list[tuple[Member, ...]] = []
    notes: list[str] = []
    for line in block:
        read = _line(
            plain, line, [one for one in anchors if line.body <= one.start and one.end <= line.end], closed
        )
        if read is None:
            return None
        parts.append(read[0])
        notes += [read[1]] * len(read[0])
    members = tuple(member for part in parts for member in part)
    several = any(len(part) > 1 for part in parts)
    if not any(isinstance(one, Anchor) for one in members) or (several and len(parts) < 2):
        return None
    return Run(
        members,
        (",",) * (len(members) - 1),
        block[0].body,
        block[-1].end,
        notes=tuple(notes),
        layout="lines" if block[0].marker else "plain lines",
        parts=tuple(parts) if several else (),
    )


def _line(
    plain: str, line: _Line, inside: Sequence[Anchor], closed: bool
) -> tuple[tuple[Member, ...], str] | None:
    """The members that a line lists and what it says of them, None where it is prose."""
    first = next((one for one in inside if _KEY.fullmatch(plain, line.body, one.start)), None)
    if first is not None:
        members = [first]
        key = plain[line.body : first.start]
        if _EXCLUDED.search(key):
            return None
        if ":" in key:
            members = _joined(plain, [one for one in inside if one.start >= first.start], closed)
        end = members[-1].end
        rest = plain[end : line.end]
        bare = line.marker or not rest.strip(" .,;:*") or rest.lstrip().startswith("(")
        if not bare or _VERB.match(plain, end, line.end) or not _REST.match(plain, end, line.end):
            return None
        return tuple(members), f"{rest} {key}"
    said = _PHRASE.match(plain, line.body, line.end) if closed and line.marker and not inside else None
    return ((Unknown(said["said"]),), plain[said.end() : line.end]) if said else None


def _joined(plain: str, inside: Sequence[Anchor], closed: bool) -> list[Anchor]:
    """The items that follow each other as a list from the first on."""
    members = [inside[0]]
    for one in inside[1:]:
        joined = link(plain[members[-1].end : one.start], closed)
        if joined is None or joined.kind != "," or joined.between:
            break
        members.append(one)
    return members


def _columns(plain: str, anchors: Sequence[Anchor]) -> Iterator[Run]:
    """The columns of tables whose every cell is an item."""
    rows: list[tuple[int, str]] = []
    for match in (*_LINE.finditer(plain), None):
        if (
            match is not None
            and match[0].count("|") >= 2
            and (not rows or match.start() - rows[-1][0] - len(rows[-1][1]) <= 2)
        ):
            rows.append((match.start(), match[0]))
            continue
        if len(rows) >= 3:
            yield from _table(rows, anchors)
        rows = [(match.start(), match[0])] if match is not None and match[0].count("|") >= 2 else []


def _table(rows: Sequence[tuple[int, str]], anchors: Sequence[Anchor]) -> Iterator[Run]:
    body = [row for row in rows[1:] if not _RULE.fullmatch(row[1])]
    cells = [list(_cells(start, line)) for start, line in body]
    heads = list(_cells(*rows[0]))
    for column in range(max((len(row) for row in cells), default=0)):
        found: list[Anchor] = []
        for row in cells:
            low, high = row[column] if column < len(row) else (0, 0)
            inside = [one for one in anchors if low <= one.start and one.end <= high]
            if len(inside) == 1 and high - low < 60:
                found.append(inside[0])
        if len(found) == len(cells) >= 2 and any(not one.weak for one in found):
            others = tuple(_text(rows, row, column) for row in cells)
            title = rows[0][1][heads[0][0] - rows[0][0] : heads[-1][1] - rows[0][0]] if heads else ""
            links = (",",) * (len(found) - 1)
            yield Run(tuple(found), links, found[0].start, found[-1].end, "", others, "", "table", title)


def _text(rows: Sequence[tuple[int, str]], row: Sequence[tuple[int, int]], column: int) -> str:
    """What the other cells of a row say."""
    start, line = next((start, line) for start, line in rows if start <= row[0][0] <= start + len(line))
    return " ".join(
        line[low - start : high - start] for index, (low, high) in enumerate(row) if index != column
    )


def _cells(start: int, line: str) -> Iterator[tuple[int, int]]:
    bars = [index for index, character in enumerate(line) if character == "|"]
    bars = bars if line.lstrip().startswith("|") else [-1, *bars]
    bars = bars if line.rstrip().endswith("|") else [*bars, len(line)]
    for low, high in pairwise(bars):
        yield start + low + 1, start + high
