"""Text without its typography, and the way back to where each character came from."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from grader.judge.hostile.unseen import UNSEEN
from grader.judge.shield import SUBSTITUTES

_WHITE = "\t\n\r\x85 \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_DASHES = "‐‑‒–—―−﹘﹣－➖˗"
_SINGLE = "‘’‚‛′‵`´ʹʼ＇‹›"
_DOUBLE = "“”„‟″‶＂«»"

_UNEVEN = re.compile(f"[{_WHITE}{UNSEEN}]{{2,}}|[{UNSEEN}]")
_SPACE = re.compile(f"[{_WHITE}]")
_EVEN = str.maketrans(
    {
        **dict.fromkeys("\t\n\r\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000", " "),
        **{chr(code): " " for code in range(0x2000, 0x200B)},
        **dict.fromkeys(_DASHES, "-"),
        **dict.fromkeys(_SINGLE, "'"),
        **dict.fromkeys(_DOUBLE, '"'),
        "\xb5": "μ",
        **SUBSTITUTES,
    }
)


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text."""

    text: str
    at: list[int]
    """Places in it, in order, from which on it runs evenly with the raw text."""
    raw: list[int]
    """The same places in the raw text."""

    def start(self, at: int) -> int:
        """Where the character at a place begins in the raw text."""
        nearest = bisect_right(self.at, at) - 1
        return self.raw[nearest] + at - self.at[nearest]

    def end(self, at: int) -> int:
        """Where the character before a place ends in the raw text."""
        nearest = bisect_left(self.at, at)
        if nearest == len(self.at) or self.at[nearest] != at:
            nearest -= 1
        return self.raw[nearest] + at - self.at[nearest]


def fold(text: str) -> Folded:
    """A text in NFC with plain dashes, quotation marks and single spaces, and nothing unseen."""
    parts: list[str] = []
    at, raw = [0], [0]
    length = last = 0
    for start, end, instead in _uneven(text):
        parts += text[last:start], instead
        length += start - last
        at += length, length + len(instead)
        raw += start, end
        length += len(instead)
        last = end
    parts.append(text[last:])
    return Folded("".join(parts).translate(_EVEN), at, raw)


def _uneven(text: str) -> list[tuple[int, int, str]]:
    """What changes its length or has to be composed: start, end, what stands instead."""
    spaces = [
        (found.start(), found.end(), " " if _SPACE.search(found[0]) else "")
        for found in _UNEVEN.finditer(text)
    ]
    if text.isascii() or unicodedata.is_normalized("NFC", text):
        return spaces
    return sorted([*spaces, *_composed(text)])


def _composed(text: str) -> Iterator[tuple[int, int, str]]:
    """The characters that NFC changes, each with the marks that belong to it."""
    start = 0
    for at in range(1, len(text) + 1):
        if at < len(text) and text[at] > "\x7f" and _joins(text[start:at], text[at]):
            continue
        cluster = text[start:at]
        if not cluster.isascii() and not _UNEVEN.match(cluster) and not _SPACE.match(cluster):
            composed = unicodedata.normalize("NFC", cluster)
            if composed != cluster:
                yield start, at, composed
        start = at


def _joins(cluster: str, char: str) -> bool:
    """Whether composing it may change what stands before it."""
    if unicodedata.combining(char):
        return True
    alone = unicodedata.normalize("NFC", char)
    return unicodedata.normalize("NFC", cluster + char) != unicodedata.normalize("NFC", cluster) + alone
