"""Which of a reply's documents speak of the asked points, and which were made together."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from grader.judge.replies import relaxed
from grader.judge.replies.documents import Contents, Document, contents
from grader.judge.replies.entries import Asked, Entry, entries
from grader.judge.replies.quotation import literally
from grader.judge.replies.replied import ReplyError


@dataclass
class Source:
    """A document and what it says of the asked points."""

    document: Document
    asked: Asked

    @cached_property
    def entries(self) -> list[Entry]:
        """What it says, by JSON's rules."""
        return list(entries(self.document.value, self.asked))

    @cached_property
    def literal(self) -> list[Entry]:
        """The same with the backslashes of its strings kept; empty where that can't be read."""
        try:
            value, _ = relaxed.read(literally(self.document.source.strip()))
            kept = list(entries(value, self.asked))
        except (ValueError, IndexError, ReplyError):
            return []
        return kept if [entry.point for entry in kept] == [entry.point for entry in self.entries] else []

    @property
    def bare(self) -> bool:
        """It is one verdict without anything around it."""
        return len(self.entries) == 1 and self.entries[0].said is self.document.value

    @property
    def shaped(self) -> bool:
        """It could have held verdicts: an object, or a list of them."""
        value = self.document.value
        return isinstance(value, dict) or value == [] or _holds_object(value)


@dataclass(frozen=True, slots=True)
class Spoken:
    """One entry, and where it comes from."""

    entry: Entry
    source: Source
    at: int

    @property
    def escaped(self) -> bool:
        """There are backslashes that may mean themselves."""
        return "\\" in self.source.document.source

    def literal(self) -> Mapping[str, Any] | None:
        """The entry with its backslashes kept."""
        kept = self.source.literal
        return kept[self.at].said if kept else None


Statement = list[Spoken]
"""What was said in one go: an object, lines of objects, or the tool calls of a reply."""


def of_text(text: str, asked: Asked) -> tuple[list[Source], Contents]:
    """The documents of a text, and what else it holds; raises ReplyError (truncated, unparseable)."""
    found = contents(text, asked.folded)
    return [Source(document, asked) for document in found.documents], found


def of_call(call: str | Mapping[str, Any], asked: Asked) -> list[Source]:
    """The documents of a tool call's arguments."""
    if isinstance(call, str):
        sources, found = of_text(call, asked)
        if found.unclosed:
            raise found.unclosed
        return sources
    return [Source(Document(call, _source(call)), asked)]


def statements(sources: list[Source]) -> Iterator[Statement]:
    """The statements of one text; documents that say nothing of the asked points are passed over.

    Raises ReplyError (unparseable) for single verdicts that are left of a broken list.
    """
    lines: Statement = []
    for source in sources:
        if source.bare and source.document.loose:
            raise ReplyError("unparseable", "the JSON closes more than it opens")
        if lines and not (source.bare and lines[-1].source.bare and source.document.adjoins):
            yield lines
            lines = []
        lines = lines + spoken([source])
    if lines:
        yield lines


def spoken(sources: list[Source]) -> Statement:
    """All that several documents say, taken as one statement."""
    return [Spoken(entry, source, at) for source in sources for at, entry in enumerate(source.entries)]


def _holds_object(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(item, dict) for item in value)


def _source(call: Mapping[str, Any]) -> str:
    """Arguments that came read already, as they may have been written."""
    try:
        return json.dumps(call, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return ""
