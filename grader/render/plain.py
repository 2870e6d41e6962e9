"""Text from outside, made safe for a terminal."""

from __future__ import annotations

import re

HIDDEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters, but for the tab and the line feed
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"  # what turns text round or breaks lines
    "\ud800-\udfff"  # halves of surrogate pairs, which no encoding holds
)
"""The characters that are never printed as they are, as the inside of a character class."""

_HIDDEN = re.compile(f"[{HIDDEN}]")


def plain(text: str) -> str:
    """Text without the control characters that could rewrite a terminal or reverse a line."""
    return _HIDDEN.sub("\ufffd", text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """The same, with every run of white space a single space."""
    return " ".join(plain(text).split())
