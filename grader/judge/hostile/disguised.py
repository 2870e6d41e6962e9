"""Passages that speak to a grader once they are decoded: encodings, ciphers, and markup within words."""

from __future__ import annotations

import codecs
import html
import re
from base64 import b64decode
from collections.abc import Callable, Iterator
from urllib.parse import unquote_plus

from grader.judge.hostile import addressed

_LINE = re.compile(r"[^\n]+")
_TELLTALES = ("award", "ignore", "rubric", "marks", "credit", "grader", "instructions", "correct")
"""A message to a grader holds one of them."""
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{20,}={0,2}")
_HEX = re.compile(r"[67][0-9A-Fa-f](?:(?:[ ,:]|[ ,]?(?:0x|\\x))?[0-9A-Fa-f]{2}){9,}")
_BINARY = re.compile(r"0[01]{7}(?:\s?[01]{8}){7,}")
_ESCAPE = re.compile(r"\\(?:u\{?([0-9A-Fa-f]{4})\}?|x([0-9A-Fa-f]{2}))")
_MARKUP = re.compile(
    r"[*~`{<](?:(?<=[A-Za-z]\*)\*{0,2}|(?<=[A-Za-z]~)~|(?<=[A-Za-z]`)|(?<=[A-Za-z]\{)\}"
    r"|(?<=[A-Za-z]<)/?(?:b|i|u|em|strong|span|font)>)(?=[A-Za-z])"
)
_PERCENT = re.compile("%[0-9A-Fa-f]{2}")
_ENTITY = re.compile("&(?:#|[A-Za-z]{2,8};)")


def _base64(blob: re.Match[str]) -> str:
    digits = blob.group().rstrip("=").replace("-", "+").replace("_", "/")
    whole = digits[: len(digits) - (len(digits) % 4 == 1)]
    try:
        return b64decode(whole + "=" * (-len(whole) % 4)).decode()
    except UnicodeDecodeError:
        return blob.group()


def _hex(blob: re.Match[str]) -> str:
    return bytes.fromhex(re.sub(r"0x|\\x|[ ,:]", "", blob.group())).decode("utf-8", "ignore")


def _binary(blob: re.Match[str]) -> str:
    return bytes(int(octet, 2) for octet in re.findall("[01]{8}", blob.group())).decode("utf-8", "ignore")


def _escaped(escape: re.Match[str]) -> str:
    return chr(int(escape[1] or escape[2], 16))


def _tells(disguise: Callable[[str], str]) -> Callable[[str], bool]:
    words = tuple(map(disguise, _TELLTALES))

    def tells(text: str) -> bool:
        lower = text.lower()
        return any(word in lower for word in words)

    return tells


def _rot13(text: str) -> str:
    return codecs.encode(text, "rot13")


def _reversed(text: str) -> str:
    return text[::-1]


_DISGUISES: tuple[tuple[Callable[[str], object], Callable[[str], str]], ...] = (
    (_BASE64.search, lambda line: _BASE64.sub(_base64, line)),
    (_HEX.search, lambda line: _HEX.sub(_hex, line)),
    (_BINARY.search, lambda line: _BINARY.sub(_binary, line)),
    (_ESCAPE.search, lambda line: _ESCAPE.sub(_escaped, line)),
    (_MARKUP.search, lambda line: _MARKUP.sub("", line)),
    (_PERCENT.search, unquote_plus),
    (_ENTITY.search, html.unescape),
    (_tells(_rot13), _rot13),
    (_tells(_reversed), _reversed),
)
"""What may betray a disguise, and how a line looks without it."""


def find(text: str) -> Iterator[tuple[int, int]]:
    """Spans of lines that speak to a grader in disguise."""
    for betrayed, undone in _DISGUISES:
        if betrayed(text):
            for line in _LINE.finditer(text):
                plain = undone(line.group()) if betrayed(line.group()) else line.group()
                if plain != line.group() and addressed.speaks(plain):
                    yield line.span()
