"""JSON as models write it: read where only one reading is possible, refused otherwise.

Accepted beyond JSON: trailing commas, comments, single, curly and full-width
quotes, full-width structure, keys without quotes, Python's and JavaScript's
constants, backslashes that escape nothing (LaTeX, SMILES), raw line breaks in
strings. Not accepted, because a guess would be needed: missing commas, quotes
that end a string too early, values without quotes, anything unclosed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

DEEPEST = 50
"""No reply nests deeper; a bound keeps hostile ones cheap."""

STARTS = "{[｛［"
_SKIP = re.compile(r"(?:[\s\ufeff\u200b-\u200d\u2060]+|//[^\n]*|#[^\n]*|/\*[^*]{0,2000}\*/)*")
_STRINGS = {
    '"': re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"', re.S),
    "'": re.compile(r"'([^'\\]*(?:\\.[^'\\]*)*)'", re.S),
    "“": re.compile(r"[“”]([^“”\\]*(?:\\.[^“”\\]*)*)[“”]", re.S),
    "＂": re.compile(r"＂([^＂\\]*(?:\\.[^＂\\]*)*)＂", re.S),
}
_STRINGS["”"] = _STRINGS["“"]
_NUMBER = re.compile(
    r"[-+]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?(?![\w.%]|/(?![/*]))"
)
_WORD = re.compile(r"[-+]?[A-Za-z_$][\w$]*")
_CONSTANTS: dict[str, Any] = {
    **{"true": True, "false": False, "null": None, "True": True, "False": False, "None": None},
    **{"NaN": float("nan"), "nan": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")},
}
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.S)
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "/": "/", "\\": "\\"}


class Clash(ValueError):
    """A key stands twice in one object, with different values."""


class TooDeep(ValueError):
    """It nests deeper than any reply."""


class Unclosed(ValueError):
    """The text ends inside the document."""


class Broken(ValueError):
    """What stands at ``at`` can't stand there."""

    def __init__(self, at: int, begun: bool) -> None:
        super().__init__(f"at character {at}")
        self.at = at
        self.begun = begun
        """A key had been read: it is a document gone wrong, no brace in prose."""


def unique(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these pairs; raises Clash where a key has two values."""
    pairs = list(pairs)
    members = dict(pairs)
    if len(members) < len(pairs):
        for key, value in pairs:
            if members[key] != value:
                raise Clash(key)
    return members


STRICT = json.JSONDecoder(object_pairs_hook=unique, strict=False)
"""The reader of what is JSON; only raw control characters are let pass."""


def read(text: str, at: int = 0) -> tuple[Any, int]:
    """The document that starts at ``at``, and where it ends.

    Raises Broken, Unclosed, Clash or TooDeep.
    """
    try:
        if text[at] in "{[":
            return STRICT.raw_decode(text, at)
    except Clash:
        raise
    except (ValueError, RecursionError):
        pass
    reader = _Reader(text, at)
    return reader.value(0), reader.at


class _Reader:
    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.begun = False

    def value(self, depth: int) -> Any:
        char = self.next()
        if char in STARTS:
            if depth == DEEPEST:
                raise TooDeep(f"deeper than {DEEPEST} levels")
            self.at += 1
            return self.members(depth) if char in "{｛" else self.items(depth)
        return self.string(char) if char in _STRINGS else self.scalar()

    def members(self, depth: int) -> dict[str, Any]:
        pairs = []
        while self.next() not in "}｝":
            key = self.key()
            self.expect(":：")
            self.begun = True
            pairs.append((key, self.value(depth + 1)))
            self.comma("}｝")
        self.at += 1
        return unique(pairs)

    def items(self, depth: int) -> list[Any]:
        items = []
        while self.next() not in "]］":
            items.append(self.value(depth + 1))
            self.comma("]］")
        self.at += 1
        return items

    def key(self) -> str:
        char = self.next()
        if char in _STRINGS:
            return self.string(char)
        return self.take(_WORD)

    def string(self, quote: str) -> str:
        found = _STRINGS[quote].match(self.text, self.at)
        if not found:
            raise Unclosed
        self.at = found.end()
        return _ESCAPE.sub(_unescaped, found[1])

    def scalar(self) -> Any:
        """A number or a constant; Broken for another word, Unclosed where the text ends in one."""
        start = self.at
        number = _NUMBER.match(self.text, start)
        if number:
            self.at = number.end()
            # A very long integer is out of any range, and Python refuses to read it.
            whole = number[0].lstrip("+-").isdecimal() and len(number[0]) < 300
            return int(number[0]) if whole else float(number[0])
        word = self.take(_WORD)
        if word not in _CONSTANTS:
            if self.at == len(self.text):
                raise Unclosed
            raise Broken(start, self.begun)
        return _CONSTANTS[word]

    def next(self) -> str:
        skipped = _SKIP.match(self.text, self.at)
        self.at = skipped.end() if skipped else self.at
        if self.at == len(self.text):
            raise Unclosed
        return self.text[self.at]

    def take(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        if not found:
            raise Broken(self.at, self.begun)
        self.at = found.end()
        return found[0]

    def expect(self, chars: str) -> None:
        if self.next() not in chars:
            raise Broken(self.at, self.begun)
        self.at += 1

    def comma(self, closing: str) -> None:
        """Between two values stands a comma; before the end it may."""
        if self.next() not in closing:
            self.expect(",，")


def _unescaped(escape: re.Match[str]) -> str:
    if escape[1]:
        return chr(int(escape[1], 16))
    return _ESCAPED.get(escape[2]) or (escape[2] if escape[2] in "\"'“”＂" else escape[0])
