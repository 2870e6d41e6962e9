"""Structure that an answer has no business to carry: chat tokens, unseen characters, ready-made verdicts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

SUBSTITUTES: Mapping[str, str] = MappingProxyType({"˂": "<", "⁅": "[", "⦃": "{", "♯": "#", "꞉": ":"})
"""Look-alike -> original. No compatibility normalisation of a tokenizer turns one back."""

_LOOKALIKE = {original: substitute for substitute, original in SUBSTITUTES.items()}

_UNSEEN = re.compile(
    "[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]"
)
_TOKEN = re.compile(
    r"<(?=[|｜]|/?(?:s|bos|eos|unk|pad|sop|system|user|assistant|human|developer|tool|think|thinking"
    r"|start_of_turn|end_of_turn|function_calls?|invoke|tool_calls?|instructions?|im_start|im_end|grader|judge)\b[^<>]{0,80}>"
    r"|<\s?/?SYS)"
    r"|\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|gMASK|MASK|CLS|SEP)\])"
    r"|(?<![\w^_{}\\])\{(?=\{[-~]?\s{0,9}[A-Za-z_][\w.]{0,60}\s{0,9}(?:\}\}|\||\()|%[-+]?\s{0,9}[a-z]{2,12}\s)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Forgery:
    """What pretends to be structure."""

    passages: tuple[tuple[int, int], ...]
    suspected: bool


def find(text: str) -> Forgery:
    """What in the answer pretends to be a turn of the conversation or the judge's own reply."""
    return Forgery((), False)


def neutral(text: str) -> str:
    """The text without unseen characters and with look-alikes where structure would begin."""
    return _TOKEN.sub(lambda match: _LOOKALIKE[match.group()], _UNSEEN.sub("", text))
