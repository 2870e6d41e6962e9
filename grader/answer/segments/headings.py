"""Lines that may head the answer to a subquestion, in whatever way they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from grader.answer.segments.labels import Path, read_paths

Span = tuple[int, int]


class Tier(IntEnum):
    """How much a line looks like a heading; a higher one is less likely to be a list item."""

    PLAIN = 1
    ROW = 2
    """The first cell of a table's row."""
    BOLD = 3
    WORD = 4
    """It says "Part", "Question", "Answer to"."""
    HEADING = 5
    """A heading of Markdown, HTML or LaTeX."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line outside of code, without what decorates it."""

    start: int
    at: int
    """Where its content starts."""
    content: str
    """At most ``_LONGEST`` characters."""
    tier: Tier
    depth: int
    """The level of a heading; else how far it is indented or nested in a list."""
    marks: str
    """What decorates it."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a label is written."""

    word: str
    """The noun before it: "part"."""
    shape: str
    """What sets it apart: brackets, a dot, a colon."""
    kind: str
    """Whether it is a number, a decimal, a letter or a word."""
    marks: str
    """Whether it stands in a list or a table."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A line with a label."""

    start: int
    end: int
    """Where its label ends."""
    paths: tuple[Path, ...]
    """One label, or several where one answer serves several subquestions."""
    tier: Tier
    depth: int
    style: Style


_WIDE = {
    **{0xFF10 + digit: str(digit) for digit in range(10)},
    **{ord(wide): plain for wide, plain in zip("（）．：［］\u00a0\u3000", "().:[]  ", strict=True)},
}
_LONGEST = 300
_FENCE = re.compile(r"^[ ]{0,3}(?:```|~~~)[^\n]*", re.M)
_BLOCK = r"<(?:h[1-6]|p|tr|li|div)\b"
_LINES = re.compile(rf"[^\n](?:[^\n<]|(?!{_BLOCK})<)*")
"""Lines, and blocks of HTML that share one."""
_MARK = re.compile(
    r"(?P<hash>#{1,6})(?=[ \t*_<$\\(0-9A-Za-z])|(?P<bold>\*{2,3}|__)|(?P<italic>[*_](?=[^\s*_]))"
    r"|(?P<bullet>[-*+•●▪◦‣·](?=[ \t]))"
    r"|<(?P<html>h[1-6])\b[^<>\n]{0,80}>|<(?P<strong>b|strong|dt|summary)>"
    r"|<(?P<cell>tr|td|th)\b[^<>\n]{0,80}>|<(?:p|div|li|u|em|span|ol|ul|table|tbody|details)\b[^<>\n]{0,80}>"
    r"|\\(?P<section>(?:sub){0,2}section|(?:sub)?paragraph|chapter)\*?[ ]?\{"
    r"|\\(?P<textbf>textbf|underline|textit|emph|mathbf|text)[ ]?\{|\\item[ ]?\[?"
    r"|\\(?:noindent|bigskip|medskip|smallskip|newpage|par|hline)\b|\$|>|[{\[]?[ ]?\""
    r"|(?P<pipe>\|)|(?P<symbol>[^\w\s\x00-\x7f（［°‡†√∑Δ∴→≈±×≥≤]+)|(?P<space>[ \t]+)"
)
_DEEP = 12
"""Decorations of a line that are taken off."""
_LEVELS = {"chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4, "paragraph": 5, "subparagraph": 6}
_WORD = re.compile(
    r"(?P<answer>(?P<for>for|regarding|re:?)(?=[ ](?:[(\[]|part|question))|(?:(?:the|my|final)[ ])?"
    r"(?:answers?|solutions?|responses?|ans|corrections?|revisions?|update)\b\.?"
    r"(?:[ ](?:to|for|of)(?:[ ]the)?)?(?=[ #(.:]))?[ ]?"
    r"(?P<noun>(?:(?:sub[- ]?)?(?:question|part|problem|task)|item|exercise|section|number)s?(?![a-z])|no\.|"
    r"qs?(?=[ .:(#]{0,2}[0-9])|a(?=[ ]?[0-9]{1,2}[ ]?[*_]{0,3}[:.)]))?"
    r"[ ]?(?:[#:]|no\.|number)?[ ]?",
    re.I,
)
_CLOSER = r"(?:[ ]?(?:\*{1,3}|_{1,3}|[}\]$\"]|</(?:h[1-6]|b|strong|u|em|span|dt|summary|td|th)>)){0,4}"
_STOP = re.compile(
    rf"(?P<inner>{_CLOSER})[ ]?(?P<stop>[.:)—–|/;]|-(?=[ \t*_])|\ufe0f?\u20e3)?(?P<outer>{_CLOSER})"
    r"(?P<next>[ \t]|$|\\\\|\||<)"
)
_LAST = re.compile(
    r"[(\[—–:-][ ]?(?P<noun>part|question|subquestion)[ ](?P<label>[(]?(?:[0-9]{1,2}|[a-z]|[ivx]{1,4})[)]?)"
    r"[)\]]?[*_:.}\s]{0,6}$",
    re.I,
)
_BROKEN_OFF = re.compile(
    r"\b(?:from|in|of|by|using|see|to|with|and|as|the|for|via|per|than|step|eqs?\.?|equations?|parts?)"
    r"[ ]?\n\Z",
    re.I,
)
"""The end of a line whose sentence goes on in the next."""
_TAIL = 16
_ALONE = re.compile(r"[ \t]*(?:\\\\)?[ \t]*$")
_BARE_BELOW = re.compile(r"\n(?:[ \t]*\n)?[^\n]{0,200}?[^\W\d_]{2}")


def lines(text: str) -> Iterator[Line]:
    """The lines of a response outside of fenced code that hold more than decoration."""
    fenced = _fenced(text)
    index = 0
    for match in _LINES.finditer(text):
        while index < len(fenced) and fenced[index][1] <= match.start():
            index += 1
        if index < len(fenced) and fenced[index][0] <= match.start():
            continue
        line = _line(match.start(), text[match.start() : min(match.end(), match.start() + _LONGEST)])
        if line.content:
            yield line


def _fenced(text: str) -> list[Span]:
    """Fenced blocks, unless one fence wraps the whole response."""
    marks = [match.span() for match in _FENCE.finditer(text)]
    blocks = [(first[0], last[1]) for first, last in zip(marks[::2], marks[1::2], strict=False)]
    if len(blocks) == 1 and not text[: blocks[0][0]].strip() and not text[blocks[0][1] :].strip():
        return []
    return blocks


def _line(start: int, raw: str) -> Line:
    """A line with its decoration taken off."""
    raw = raw.translate(_WIDE)
    at, depth, tier, marks = 0, 0, Tier.PLAIN, ""
    for _ in range(_DEEP):
        match = _MARK.match(raw, at)
        if match is None:
            break
        at = match.end()
        kind = match.lastgroup or ""
        if kind == "space":
            depth += len(match.group().expandtabs(4)) if tier is Tier.PLAIN and not marks else 0
            continue
        marks += kind[:1] if kind in ("bullet", "pipe") else ""
        level = _level(kind, match)
        if level:
            tier, depth = Tier.HEADING, level
        elif kind in ("cell", "pipe"):
            tier = max(tier, Tier.ROW)
        elif kind in ("bold", "strong", "textbf"):
            tier = max(tier, Tier.BOLD)
    return Line(start, start + at, raw[at:], tier, depth if tier is Tier.HEADING else depth // 2, marks)


def _level(kind: str, match: re.Match[str]) -> int:
    """The level of a heading, 0 for other decoration."""
    if kind == "hash":
        return len(match["hash"])
    if kind == "html":
        return int(match["html"][1])
    return _LEVELS[match["section"]] if kind == "section" else 0


def heading(line: Line, text: str) -> Heading | None:
    """The label that a line opens with, if it can head an answer, or that a heading ends with."""
    found = _opening(line, text)
    return _titled(line) if found is None and line.tier >= Tier.BOLD else found


def _opening(line: Line, text: str) -> Heading | None:
    word = _WORD.match(line.content)
    noun = ((word["noun"] or word["answer"] or "") if word else "").strip().casefold()
    at = word.end() if word and noun else 0
    joined = line.tier >= Tier.BOLD
    read = read_paths(line.content, at, worded=bool(noun), joined=joined, plural=noun.endswith("s"))
    if read is None and at:
        noun = ""
        read = read_paths(line.content, 0, worded=False, joined=joined)
    if read is None:
        return None
    stop = _STOP.match(line.content, read.end)
    shape = _shape(line, text, read.bracket, stop, worded=bool(noun))
    if not shape or (read.upper and not (noun or shape in ("paren", "rparen"))):
        return None
    if word and word["for"] and noun and (stop is None or stop["stop"] != ":"):
        return None
    if shape == "open" and line.tier is Tier.BOLD and not noun and len(read.paths[0]) == 1:
        return None  # a compound's number
    if line.tier is Tier.PLAIN and _BROKEN_OFF.search(text, max(0, line.start - _TAIL), line.start):
        return None
    tier = max(line.tier, Tier.WORD) if noun else line.tier
    end = line.at + (stop.end("outer") if stop else read.end)
    style = Style(noun.rstrip("s"), shape, read.kind, line.marks)
    return Heading(line.start, end, read.paths, tier, line.depth, style)


def _titled(line: Line) -> Heading | None:
    """The label that a heading ends with: "The buffer (Part 1)"."""
    match = _LAST.search(line.content)
    read = read_paths(line.content, match.start("label"), worded=True) if match else None
    if match is None or read is None:
        return None
    style = Style(match["noun"].casefold(), "last", read.kind, line.marks)
    return Heading(
        line.start, line.at + match.end(), read.paths, max(line.tier, Tier.WORD), line.depth, style
    )


def _shape(line: Line, text: str, bracket: str, stop: re.Match[str] | None, *, worded: bool) -> str:
    """How a label is set apart from what follows; empty if it isn't."""
    headed = line.tier in (Tier.HEADING, Tier.BOLD)
    if stop is None:
        return "open" if line.tier is Tier.HEADING and worded else ""
    mark = stop["stop"] or ""
    if line.tier is Tier.ROW:
        ends = mark == "|" or "</t" in stop["inner"] + stop["outer"]
        return "row" if ends else ""
    if bracket == "paren":
        return "paren"
    if bracket == "rparen" or mark in (")", "/"):
        return "rparen"
    if mark.endswith("\u20e3"):
        return "keycap"
    if mark in (".", ":"):
        return "dot" if mark == "." else "colon"
    if mark:
        return "dash" if worded or headed else ""
    if _ALONE.match(line.content, stop.end("outer")):
        below = _BARE_BELOW.match(text, line.at + len(line.content.rstrip("\n")))
        return "bare" if worded or headed or below else ""
    closed = bool((stop["inner"] + stop["outer"]).strip())
    if line.tier is Tier.HEADING or (headed and (closed or worded)) or (worded and closed):
        return "open"
    return ""
