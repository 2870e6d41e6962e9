"""Answers of models and texts of problems as safe HTML, with the evidence of verdicts marked.

``answer_html`` shows a text as a reader would see it: Markdown, formulas,
code. ``raw_html`` shows every character as it was written. Nothing in either
comes from the text unescaped: no link, no image, no style, no script.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from grader.render.visible import visible

MAX_RENDERED = 100_000
"""Characters that are read as Markdown; longer texts are shown as written. Both take linear time."""


@dataclass(frozen=True, slots=True)
class Highlight:
    """Code points ``start`` to ``end`` of the raw text, and what a screen reader calls them."""

    start: int
    end: int
    label: str = "evidence"


def answer_html(text: str, highlights: Iterable[Highlight] = ()) -> Markup:
    """A text as its reader sees it; evidence is marked where its place in the rendered text is known.

    Evidence within a formula marks the whole formula. Headings become bold
    paragraphs, so that the headings of the page stay in order; links and
    images are shown as they were written.
    """
    from grader.render.answers_markdown import rendered

    if len(text) > MAX_RENDERED:
        note = Markup("<p>Shown as written: it is longer than {:,} characters.</p>\n").format(MAX_RENDERED)
        return note + raw_html(text, highlights)
    return Markup('<div class="answer">\n{}</div>').format(rendered(text, disjoint(highlights, len(text))))


def raw_html(text: str, highlights: Iterable[Highlight] = ()) -> Markup:
    """A text character by character, all evidence marked."""
    parts, at = [], 0
    for one in disjoint(highlights, len(text)):
        inside = _written(text, one.start, one.end)
        parts += [_written(text, at, one.start), opened(one.label), marked(inside), CLOSED]
        at = one.end
    rest = _written(text, at, len(text))
    # a line feed behind the tag is dropped by browsers, so one is given away
    return Markup('<pre class="answer">\n{}</pre>').format(Markup("").join([*parts, rest]))


def _written(text: str, start: int, end: int) -> Markup:
    """A piece of a text, in which a carriage return before a line feed is no control character."""
    piece = text[start:end]
    if text[end : end + 1] == "\n":
        piece = piece.removesuffix("\r")
    return visible(piece.replace("\r\n", "\n"))


def marked(inside: Markup) -> Markup:
    """A marked piece of a text."""
    return Markup("<mark>{}</mark>").format(inside)


def opened(label: str) -> Markup:
    """What a screen reader says before marked text."""
    return Markup('<span class="unseen">[{}: </span>').format(visible(label, markup=False))


CLOSED = Markup('<span class="unseen">]</span>')
"""What a screen reader says behind marked text."""


def disjoint(highlights: Iterable[Highlight], length: int) -> tuple[Highlight, ...]:
    """Highlights cut to the text, sorted, and where they overlap joined, with all their labels."""
    cut = (Highlight(max(0, one.start), min(length, one.end), one.label) for one in highlights)
    joined: list[list[Highlight]] = []
    reach = 0
    for one in sorted((one for one in cut if one.start < one.end), key=lambda one: (one.start, one.end)):
        if joined and one.start < reach:
            joined[-1].append(one)
        else:
            joined.append([one])
            reach = 0
        reach = max(reach, one.end)
    return tuple(map(_joined, joined))


def _joined(together: Sequence[Highlight]) -> Highlight:
    labels = ", ".join(dict.fromkeys(one.label for one in together))
    return Highlight(together[0].start, max(one.end for one in together), labels)
