"""Characters nobody sees, and letters in costume: a text as a reader takes it."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

UNSEEN = (
    "\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff"
)
"""Control, format and filler characters, as a regular expression's character class."""

_UNSEEN = re.compile(f"[{UNSEEN}]+")
_ODD = re.compile(
    f"[{UNSEEN}\u0300-\u036f\u0483-\u0489\u249c-\u24e9\U0001f130-\U0001f189\U0001f1e6-\U0001f1ff]"
)
_SMUGGLED = re.compile(
    "\U0001f3f4[\U000e0020-\U000e007f]{3,8}"  # a flag of a region: an emoji
    "|([\U000e0020-\U000e007f]{3,}|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{3,}|[\u200b-\u200f\u2060-\u2064\ufeff]{8,})"
)
_COSTUMES = (0x249C, 0x24B6, 0x24D0, 0x1F130, 0x1F150, 0x1F170, 0x1F1E6)
"""Where alphabets of enclosed letters begin."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A text as it is read, with the way back to its raw offsets."""

    text: str
    _removed: list[int]
    """Where characters were left out, as offsets of ``text``, one for each."""

    def raw_span(self, start: int, end: int) -> tuple[int, int]:
        """The raw span of ``text[start:end]``, with what was left out within it."""
        if start >= end:
            return (start + bisect_right(self._removed, start),) * 2
        return start + bisect_right(self._removed, start), end + bisect_right(self._removed, end - 1)


def seen(text: str) -> Seen:
    """The text without unseen characters and combining marks, and with enclosed letters as letters."""
    if _plain(text):
        return Seen(text, [])
    pieces: list[str] = []
    removed: list[int] = []
    at = length = 0
    for odd in _ODD.finditer(text):
        letter = _letter(odd.group())
        pieces += text[at : odd.start()], letter
        length += odd.start() - at + len(letter)
        at = odd.end()
        if not letter:
            removed.append(length)
    return Seen("".join((*pieces, text[at:])) if pieces else text, removed)


def without(text: str) -> str:
    """The text without unseen characters."""
    return text if _plain(text) else _UNSEEN.sub("", text)


def _plain(text: str) -> bool:
    """Whether there can't be anything odd about the text: most answers are, and this is seen fast."""
    return text.isascii() and text.replace("\n", "").isprintable()


def smuggled(text: str) -> Iterator[tuple[int, int]]:
    """Runs of unseen characters that are long enough to carry a message."""
    return (run.span(1) for run in _SMUGGLED.finditer(text) if run[1])


def _letter(character: str) -> str:
    """The letter in a costume; nothing for what isn't seen."""
    for first in _COSTUMES:
        if 0 <= ord(character) - first < 26:
            return chr(ord("a") + ord(character) - first)
    unseen = unicodedata.combining(character) or _UNSEEN.match(character)
    return "" if unseen else character
