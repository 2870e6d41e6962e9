"""What must not be read as words: quotations, LaTeX, tables, brackets that don't pair.

A masked line is as long as the line; masked characters are replaced one for
one by private ones, so that offsets in either are the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

QUOTED, MATH, TABLE, LONE = "\ue000", "\ue001", "\ue002", "\ue003"
"""Stand-ins: inside a quotation, inside LaTeX, in a table, a bracket without its partner."""

MAX_DEPTH = 40
"""Brackets nested deeper than any text nests them are plain characters."""

_PRIVATE = re.compile("[\ue000-\ue003]")
_MARK = re.compile(
    r"[(（]\s*(?:\d+(?:\.\d+)?|half|an?|one|two|three|four|five|six|seven|eight|nine|ten)\s*"
    r"(?:points?|pts?|marks?)\b",
    re.IGNORECASE,
)
_TEXT_MARK = re.compile(r"\\(?:text|mathrm|textrm|mbox)\{\s*[^{}]*\}")
_TABLE = re.compile(r"^[ \t]*\|[^\n]*\|[ \t]*(?:\n[ \t]*\|[^\n]*\|[ \t]*)+$", re.MULTILINE)
_CLOSERS = {"'": "'", '"': '"', "‘": "’", "“": "”"}
_LATEX = (("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]"))


@dataclass(frozen=True, slots=True)
class Region:
    """A masked stretch and, inside its delimiters, its content."""

    kind: str
    start: int
    end: int
    inner: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Masked:
    """A line whose quotations, LaTeX, tables and lone brackets are masked."""

    text: str
    regions: tuple[Region, ...]


def mask(line: str) -> Masked:
    """Mask a line; the result is as long as the line."""
    chars = list(_PRIVATE.sub("\ufffd", line))
    tables = _tables(line)
    regions = [*tables, *_regions(line, tables)]
    for region in regions:
        chars[region.start : region.end] = region.kind * (region.end - region.start)
        if region.kind == MATH:
            _unmask_marks(chars, line, region)
    _mask_lone_brackets(chars)
    return Masked("".join(chars), tuple(sorted(regions, key=lambda region: region.start)))


def _tables(line: str) -> list[Region]:
    """Markdown tables, unless marks stand in their cells."""
    if "|" not in line:
        return []
    return [
        Region(TABLE, found.start(), found.end(), found.span())
        for found in _TABLE.finditer(line)
        if not _MARK.search(found.group())
    ]


def _regions(line: str, tables: list[Region]) -> list[Region]:
    """Quotations and LaTeX from left to right; the first to open wins."""
    found: list[Region] = []
    jumps = {table.start: table.end for table in tables}
    at = 0
    while at < len(line):
        if at in jumps:
            at = jumps[at]
            continue
        region = _opened(line, at)
        if region:
            found.append(region)
        at = region.end if region else at + 1
    return found


def _opened(line: str, at: int) -> Region | None:
    """The region that opens at an offset, if one does."""
    char = line[at]
    if char in _CLOSERS:
        return _quotation(line, at)
    if char in "$\\":
        for opener, closer in _LATEX:
            if line.startswith(opener, at):
                return _latex(line, at, opener, closer)
    return None


def _quotation(line: str, at: int) -> Region | None:
    """A quotation opens after no letter or digit and closes before no letter; primes open nothing."""
    before = line[:at].rstrip("'")[-1:] if line[at] == "'" else line[at - 1 : at]
    if before.isalnum() or (before and before in "_^}"):
        return None
    stop = line.find("\n", at)
    stop = len(line) if stop < 0 else stop
    end = line.find(_CLOSERS[line[at]], at + 1, stop)
    while end >= 0 and end + 1 < len(line) and line[end + 1].isalnum():
        end = line.find(_CLOSERS[line[at]], end + 1, stop)
    inner = line[at + 1 : end] if end >= 0 else ""
    if not inner.strip() or _MARK.search(inner):
        return None
    return Region(QUOTED, at, end + 1, (at + 1, end))


def _latex(line: str, at: int, opener: str, closer: str) -> Region | None:
    """LaTeX up to its closer, unless a mark stands inside in plain letters."""
    if at and line[at - 1] == "\\":
        return None
    start = at + len(opener)
    end = line.find(closer, start)
    if end <= start:
        return None
    inner = line[start:end]
    if closer == "$" and ("\n\n" in inner or _MARK.search(_TEXT_MARK.sub("", inner))):
        return None
    return Region(MATH, at, end + len(closer), (start, end))


def _unmask_marks(chars: list[str], line: str, region: Region) -> None:
    r"""A mark inside ``\text{(2 points)}`` is a mark: it is shown again, its wrapping is blank."""
    for text in _TEXT_MARK.finditer(line, region.start, region.end):
        mark = _MARK.search(text.group())
        close = text.group().rfind(")")
        if not mark or close < mark.start():
            continue
        start, end = text.start() + mark.start(), text.start() + close + 1
        chars[text.start() : text.end()] = " " * (text.end() - text.start())
        chars[start:end] = line[start:end]
        if not line[text.end() : region.inner[1]].strip(" \\,;."):
            chars[text.end() : region.end] = " " * (region.end - text.end())


def _mask_lone_brackets(chars: list[str]) -> None:
    """Brackets pair by depth; what has no partner, or lies too deep, is no bracket."""
    stack: list[int] = []
    for at, char in enumerate(chars):
        if char in "(（":
            stack.append(at)
        elif char in ")）":
            if not stack:
                chars[at] = LONE
            else:
                opened = stack.pop()
                if len(stack) >= MAX_DEPTH:
                    chars[opened] = chars[at] = LONE
    for at in stack:
        chars[at] = LONE
