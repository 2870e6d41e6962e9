"""Equations listed as options, and the letter or number that the answer chooses among them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grader.formal.reading.roles import MASK

_LABEL = r"[ivx]{1,4}|[A-Za-z]|[1-9][0-9]?"
_HEAD = re.compile(
    rf"(?:^|\n)[ \t*_>#|$-]{{0,8}}(?:(?:option|choice|equation|reaction)\s)?[(\[*_]{{0,3}}(?P<label>{_LABEL})"
    r"(?:[)\].:|*_]{1,4}|\s-\s)[\s$*_|`\\(\[]{0,8}$"
    rf"|(?:^|[\s;,])\((?P<inline>{_LABEL})\)[\s$*_`]{{0,4}}$",
    re.I,
)
_NOUN = r"(?:option|choice|equation|number|reaction|answer|statement|no\.)"
_CHOSEN = re.compile(
    r"\b(?:(?:is|are|be|choose|pick|select|choice)\b\s?[:=]?|answer\b[*_]{0,2}\s?[:=]?)[*_\s]{1,4}"
    rf"(?:(?:therefore|thus|hence|clearly|only)\s)?(?:the\s)?"
    rf"(?:(?P<noun>{_NOUN})\s{{1,2}})?(?P<open>[*_(\[]{{0,4}})(?P<label>{_LABEL})(?P<close>[)\]*_]{{0,4}})"
    r"(?P<end>[.,;!\n]|\s|$)"
    rf"|\b(?:so|thus|hence|therefore|leaves)[,:]?\s(?:it(?:'s| is| must be)\s)?"
    rf"[*_(\[]{{0,4}}(?P<left>{_LABEL})[)\]*_]{{0,4}}(?=[.,;!\n]|$)"
    rf"|\b(?:equation|reaction|statement)\s[*_(\[]{{0,4}}(?P<praised>{_LABEL})[)\]*_]{{0,4}}"
    r"(?=\s(?:is|must be)\s(?:therefore |thus )?(?:the )?(?:only )?(?:correct|right|balanced|answer))"
    rf"|\b(?:option|choice)\s[*_(\[]{{0,4}}(?P<named>{_LABEL})[)\]*_]{{0,4}}(?=[\s.,;!]|$)",
    re.I,
)
_GROUPS = ("label", "left", "praised", "named")
_REFUSED = re.compile(
    r"\s{0,2}(?:is|are|was|can(?:not|'t)|does(?:n't| not)|would|fails|has|violates)\b"
    r"(?!\s(?:the )?(?:correct|right|balanced|answer|only))",
    re.I,
)
_DENIES = re.compile(r"\b(?:not|n't|never|neither|nor|rather than|instead of)\s[^.;\n]{0,20}$", re.I)


def chosen(masked: str, spans: Sequence[tuple[int, int]]) -> int | None:
    """Which of several listed equations the text chooses by its label; None if it chooses none, or two.

    ``masked`` is the plain text with its equations masked, ``spans`` where they stand.
    """
    heads = [_HEAD.search(masked, max(0, start - 30), start) for start, _ in spans]
    labels = [(head["label"] or head["inline"]) if head else "" for head in heads]
    listed = [index for index, label in enumerate(labels) if label]
    if len(listed) < 2 or len({labels[index] for index in listed}) < len(listed):
        return None
    first, last = spans[listed[0]][0], spans[listed[-1]][1]
    head = heads[listed[0]]
    outside = masked[: head.start() if head else first] + "\n" + masked[last:]
    named = _named(outside)
    if len(named) != 1:
        return None
    label = named.pop()
    fitting = [index for index in listed if labels[index].casefold() == label.casefold()]
    return fitting[0] if fitting else None


def _named(text: str) -> set[str]:
    """The labels that a text chooses."""
    return {
        next(match[group] for group in _GROUPS if match[group]).casefold()
        for match in _CHOSEN.finditer(text)
        if _chooses(text, match)
    }


def _chooses(text: str, match: re.Match[str]) -> bool:
    end = max(match.end(group) for group in _GROUPS)
    tail = text[end:].lstrip(")]*_")
    if _DENIES.search(text[max(0, match.start() - 40) : match.start() + 1]) or _REFUSED.match(tail):
        return False
    if not match["label"] or match["noun"] or match["open"]:
        return True
    # A bare letter before a word is an article, a bare number counts something.
    return match["label"] != "a" and (match["end"] != " " or not re.match(rf"\s?(?:[a-z]|{MASK})", tail))
