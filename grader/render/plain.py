"""Text from outside, made safe for a terminal."""

from __future__ import annotations

import re

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    """Text without the control characters that could rewrite a terminal or reverse a line."""
    return _CONTROL.sub("\ufffd", text.replace("\r\n", "\n"))
