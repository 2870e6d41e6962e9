"""HTML as a browser would take it apart: its elements, its attributes, its text."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset({"br", "hr", "meta"})


@dataclass
class Html(HTMLParser):
    """What a page holds; ``unbalanced`` names end tags that close nothing and elements left open."""

    tags: list[str] = field(default_factory=list)
    attributes: list[tuple[str, str, str]] = field(default_factory=list)
    text: str = ""
    shown: str = ""
    cells: list[str] = field(default_factory=list)
    other: list[str] = field(default_factory=list)
    stack: list[str] = field(default_factory=list)
    unbalanced: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag in ("td", "th"):
            self.cells.append("")
        if tag not in VOID:
            self.stack.append("span.unseen" if ("class", "unseen") in attrs else tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.stack or self.stack.pop().split(".")[0] != tag:
            self.unbalanced.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data
        if "span.unseen" not in self.stack:
            self.shown += data
            if {"td", "th"} & set(self.stack):
                self.cells[-1] += data

    def handle_comment(self, data: str) -> None:
        self.other.append(data)

    def handle_decl(self, decl: str) -> None:
        self.other.append(decl)

    def handle_pi(self, data: str) -> None:
        self.other.append(data)

    def unknown_decl(self, data: str) -> None:
        self.other.append(data)


def read(html: str) -> Html:
    """A piece of HTML taken apart."""
    found = Html()
    found.feed(str(html))
    found.close()
    found.unbalanced += found.stack
    return found
