"""Values that a change leaves: "after removing two electrons we have B", "once they are lost, B remains"."""

from __future__ import annotations

import re

_CHANGE = (
    r"\b(?:remov(?:al|es?|ed|ing)|los(?:s|es?|t|ing)|tak(?:e|es|en|ing) (?:away|off|out)|strip\w*|gone|"
    r"gain(?:s|ed|ing)?|(?:de)?protonat\w+|ioni[sz]\w+|oxidi[sz]\w+|oxidation|reduc(?:tion|ed|es|ing)|"
    r"eliminat\w+|accept(?:s|ed|ing|ance)|donat\w+|giv(?:es?|en|ing) (?:up|away|off))\b"
)
_WITHIN = r"(?:(?!\b(?:before|without|not|if|would|from|instead)\b)[^.;:\n]){0,70}?"
_WHO = r"(?:we|you|one|i|it|the (?:ion|cation|anion|species|metal|atom|centre|center))"
_LEFT = (
    rf"(?:{_WHO}\s(?:now\s|then\s|thus\s)?(?:ha(?:ve|s)|(?:are|is)\s(?:then\s)?left with|gets?|obtains?|"
    rf"finds?|"
    r"ends? up (?:with|as|at)|arrives? at|keeps?|becomes?|is)"
    r"|(?:what|that|which|this) (?:remains|is left|leaves)(?: is)?|(?:there\s)?remains?|leav(?:es|"
    r"ing)(?: us with)?)"
)
_BEFORE = re.compile(
    rf"{_CHANGE}{_WITHIN}(?:,\s|\sand\s|\s)(?:so\s|then\s|and\s)?{_LEFT}\s(?:only\s|just\s|the\s)?\W{{0,3}}$",
    re.I,
)
_OPENED = re.compile(rf"{_CHANGE}{_WITHIN},\s(?:only\s|just\s|the\s)?\W{{0,3}}$", re.I)
_AFTER = re.compile(r"\W{0,4}\s(?:remains?|is (?:what is )?left|is obtained|results?|stays?)\b", re.I)
_REACH = 140


def is_left(plain: str, start: int, end: int) -> bool:
    """Whether a sentence says of the value at a span that it is what a change leaves."""
    before = plain[max(0, start - _REACH) : start]
    opened = _AFTER.match(plain, end) is not None and _OPENED.search(before) is not None
    return opened or _BEFORE.search(before) is not None
