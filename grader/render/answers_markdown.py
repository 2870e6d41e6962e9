"""Markdown to HTML by an allow-list, with places of the source marked in the result.

Before Markdown is read, each formula becomes one character of a private plane,
so that no underscore of a formula is emphasis. The begin and end of a mark
are set as private characters too into the source of each paragraph, and become
``<mark>`` around every piece of text between them, so that elements always nest.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from markupsafe import Markup

from grader.render.answers import CLOSED, Highlight, marked, opened
from grader.render.answers_formulas import Formula, formulas
from grader.render.mathml import formula_html
from grader.render.visible import visible

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_FORMULA, _MARK, _END = 0xF0000, 0x100000, "\U0010ffff"
_RESERVED = re.compile("[\U000f0000-\U0010ffff\x00]")
_PIECE = re.compile("[\U000f0000-\U0010ffff]|[^\U000f0000-\U0010ffff]+")
_MOST_MARKS = 0xFFFF
_LONG = 60
"""Characters of a formula on its own line from which it may need scrolling, and so the keyboard."""

_BLOCKS = {
    "bullet_list": ("<ul>", "</ul>"),
    "list_item": ("<li>", "</li>"),
    "blockquote": ("<blockquote>", "</blockquote>"),
    "heading": ('<p class="heading">', "</p>"),
    "thead": ("<thead>", "</thead>"),
    "tbody": ("<tbody>", "</tbody>"),
    "tr": ("<tr>", "</tr>"),
    "td": ("<td>", "</td>"),
    "table": (
        '<div class="scroll" tabindex="0" role="group" aria-label="table in the text"><table>',
        "</table></div>",
    ),
}
_INLINE = {
    "em_open": "<em>",
    "em_close": "</em>",
    "strong_open": "<strong>",
    "strong_close": "</strong>",
    "s_open": "<s>",
    "s_close": "</s>",
    "softbreak": "\n",
    "hardbreak": "<br>\n",
}


def rendered(text: str, highlights: Sequence[Highlight]) -> Markup:
    """A text as HTML; the highlights are sorted and don't overlap."""
    return Markup("").join(_Document(text, highlights).html())


@cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    rules = "table fence blockquote hr list heading escape backticks strikethrough emphasis entity newline"
    markdown = MarkdownIt("zero").enable(rules.split())
    markdown.core.ruler.enableOnly(["normalize", "block"])
    return markdown


class _Document:
    """A text on its way to HTML: its formulas, its source without them, and what is marked in that."""

    def __init__(self, text: str, highlights: Sequence[Highlight]) -> None:
        text = _RESERVED.sub("\ufffd", text.replace("\r\n", " \n").replace("\r", "\n"))
        self.formulas = formulas(text)
        self.source = "".join(_pieces(text, self.formulas))
        self.marks = _moved(highlights[:_MOST_MARKS], self.formulas)
        self.starts = [0, *(found.end() for found in re.finditer("\n", self.source))]

    def html(self) -> Iterator[Markup]:
        """The answer as safe HTML, piece by piece, with its formulas and highlights in place."""
        cursor, line = 0, 0
        tokens = _markdown().parse(self.source)
        for place, token in enumerate(tokens):
            line = token.map[0] if token.map else line
            if token.type == "inline":
                content, cursor = self._with_marks(token.content, line, cursor)
                yield from self._inline(content)
            elif token.type == "fence":
                content, cursor = self._with_marks(token.content, line + 1, cursor)
                yield Markup("<pre><code>{}</code></pre>\n").format(self._text(content, code=True)[0])
            elif token.type.startswith("th_"):
                # a heading of a column that says nothing is no heading
                says = tokens[place + token.nesting].content.strip()
                yield Markup("<{}{}>").format("/" * (token.nesting < 0), "th" if says else "td")
            else:
                yield _block(token)

    # Marks

    def _with_marks(self, content: str, line: int, cursor: int) -> tuple[str, int]:
        """The content of a paragraph with marks set into it, line by line, and how far the source was read.

        Where a line can't be found as it stands (a tab was spread, a pipe was
        escaped) nothing is marked in it.
        """
        written = []
        for number, shown in enumerate(content.split("\n"), start=line):
            start, end = self._line(number)
            at = self.source.find(shown, max(start, cursor), end) if shown.strip() else -1
            written.append(self._marked_line(shown, at) if at >= 0 else shown)
            cursor = at + len(shown) if at >= 0 else cursor
        return "\n".join(written), cursor

    def _line(self, number: int) -> tuple[int, int]:
        after = number + 1 < len(self.starts)
        start = self.starts[number] if number < len(self.starts) else len(self.source)
        return start, self.starts[number + 1] if after else len(self.source)

    def _marked_line(self, shown: str, at: int) -> str:
        parts, done = [], 0
        first = bisect_right(self.marks, at, key=lambda mark: mark.end)
        for index in range(first, len(self.marks)):
            mark = self.marks[index]
            if mark.start >= at + len(shown):
                break
            start, end = _beside(shown, mark.start - at), _beside(shown, mark.end - at)
            if start < end:
                parts += [shown[done:start], chr(_MARK + index), shown[start:end], _END]
                done = end
        return "".join([*parts, shown[done:]])

    # Text

    def _inline(self, content: str) -> Iterator[Markup]:
        children: list[Token] = []
        markdown = _markdown()
        markdown.inline.parse(content, markdown, {}, children)
        within = False
        for token in children:
            if token.type in _INLINE:
                yield Markup(_INLINE[token.type])
            elif token.type == "text_special":
                # an entity may stand for any character, for those with a meaning here too
                shown = visible(token.content)
                yield marked(shown) if within else shown
            else:
                code = token.type == "code_inline"
                shown, within = self._text(token.content, within, code=code)
                yield Markup("<code>{}</code>").format(shown) if code else shown

    def _text(self, content: str, within: bool = False, *, code: bool = False) -> tuple[Markup, bool]:
        """Text with its formulas and marks; whether a mark is open at its end, as ``within`` at its start."""
        parts = []
        for found in _PIECE.finditer(content):
            sign = ord(found[0][0])
            if found[0] == _END:
                parts.append(CLOSED)
                within = False
            elif sign >= _MARK:
                parts.append(opened(self.marks[sign - _MARK].label))
                within = True
            else:
                shown = visible(found[0])
                if sign >= _FORMULA:
                    shown = self._formula(self.formulas[sign - _FORMULA], code)
                parts.append(marked(shown) if within else shown)
        return Markup("").join(parts), within

    def _formula(self, formula: Formula, code: bool) -> Markup:
        if code:
            return visible(formula.latex)
        shown = formula_html(formula.latex, display=formula.display)
        if not formula.display:
            return shown
        reached = ' tabindex="0" role="group" aria-label="formula"' if len(formula.latex) > _LONG else ""
        return Markup('<span class="display"{}>{}</span>').format(Markup(reached), shown)


def _block(token: Token) -> Markup:
    kind, _, edge = token.type.rpartition("_")
    if token.type == "hr":
        return Markup("<hr>\n")
    if kind == "paragraph":
        return Markup("" if token.hidden else "<p>" if edge == "open" else "</p>\n")
    if kind == "ordered_list" and edge == "open":
        first = token.attrGet("start")
        return Markup("<ol>") if first is None else Markup('<ol start="{}">').format(int(first))
    if kind == "ordered_list":
        return Markup("</ol>\n")
    return Markup(_BLOCKS[kind][0] if edge == "open" else _BLOCKS[kind][1] + "\n")


def _pieces(text: str, found: Sequence[Formula]) -> Iterator[str]:
    at = 0
    for number, formula in enumerate(found):
        yield text[at : formula.start]
        yield chr(_FORMULA + number)
        at = formula.end
    yield text[at:]


def _moved(highlights: Sequence[Highlight], found: Sequence[Formula]) -> list[Highlight]:
    """Highlights of a text as places of the source without its formulas; a formula is taken in whole."""
    starts = [formula.start for formula in found]
    shifts = [0]
    for formula in found:
        shifts.append(shifts[-1] + formula.end - formula.start - 1)

    def place(offset: int, *, end: bool) -> int:
        before = bisect_right(starts, offset - end)
        if before and offset - end < found[before - 1].end:
            return starts[before - 1] - shifts[before - 1] + end
        return offset - shifts[before]

    moved: list[Highlight] = []
    for one in highlights:
        start, end = place(one.start, end=False), place(one.end, end=True)
        start = max(start, moved[-1].end) if moved else start
        if start < end:
            moved.append(Highlight(start, end, one.label))
    return moved


def _beside(shown: str, place: int) -> int:
    """The nearest place at or behind ``place`` that isn't within a delimiter or behind a backslash."""
    place = min(max(place, 0), len(shown))
    if 0 < place < len(shown) and shown[place - 1] == "\\":
        return place + 1
    while 0 < place < len(shown) and shown[place - 1] == shown[place] and shown[place] in "*_`~":
        place += 1
    return place
