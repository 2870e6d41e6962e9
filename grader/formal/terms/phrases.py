"""Short phrases that an answer presents as its term, whatever vocabulary they are from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from grader.answer.marks import Marked
from grader.answer.notation import Text
from grader.formal.terms.spelling import spelled

Span = tuple[int, int]

_LEADS = re.compile(
    r"[\s*\"'(\[:]*(?:(?:(?:it|this|that|the (?:answer|reaction|process|mechanism|compound|molecule|product|"
    r"term|type|name))\s(?:is|are|was)|it's|an?|the|called|known as|named|therefore|thus|so|hence|clearly|"
    r"simply|probably)\s)*",
    re.I,
)
_PHRASE = re.compile(r"[A-Za-z0-9\[(][\w'’/+,^°\[\]()·-]*(?:[ ][\w'’/+^°\[\]()·-]+){0,4}")
_CUT = re.compile(
    r"[.;:\n|]|,\s|\s\((?=[a-z]{2,}\s)|\s(?:because|since|as|which|where|with|due|in|of|for|via|by|at|from|"
    r"that|when|and then|so|but)\s|\s[-—]\s"
)
_VAGUE = re.compile(
    r"\b(?:not|no|none|unknown|unclear|depends?|cannot|can't|maybe|perhaps|possibly|either|or|both|follows|"
    r"below|above|following|n/?a|unsure|yes|true|false|correct|"
    r"wrong|several|various|some|many|something|highly|very|more|less|is|are|was|has|have|will|would|see|"
    r"shown|given|i|we|you|don't|one|these|those|sorry|here|there|left|blank|different|same|similar|"
    r"important|typical|common|classic|possible|clear|likely|question|point)\b",
    re.I,
)
_NAMED = re.compile(
    r"(?:^|(?<=[.;\n]))\W{0,6}(?:this|it|the (?:overall |net |observed |whole )?(?:reaction|process|"
    r"transformation|mechanism|step|phenomenon|effect|technique|method|rule|principle|isomerism|"
    r"relationship))"
    r"\s(?:(?:is|are|was)\s(?:therefore |thus |simply |clearly |called |known as |named |referred to as |an "
    r"example of |the )?|exemplifies |illustrates )(?:an?\s|the\s)?",
    re.I,
)


def presented(text: Text, marked: Marked, labels: Sequence[str], *, told: bool) -> Iterator[Span]:
    """The plain spans of phrases that fill a mark, a labelled line or the whole answer.

    ``told``: or that a sentence says the reaction, the effect ... to be.
    """
    spans = [(0, len(text.plain))]
    spans += [text.plain_span(mark.start, mark.end) for mark in marked.explicit()]
    spans += list(_labelled(text.plain, labels))
    if told:
        spans += [(match.end(), len(text.plain)) for match in _NAMED.finditer(text.plain)]
    for low, high in spans:
        first = _LEADS.match(text.plain, low, high)
        start = first.end() if first else low
        whole = low == 0 and high == len(text.plain)
        found = _phrase(text.plain, start, high, whole)
        if found:
            yield found


def _labelled(plain: str, labels: Sequence[str]) -> Iterator[Span]:
    """What stands after a label and a colon, up to the end of the line."""
    for label in labels:
        for match in spelled(label.replace("_", " ")).finditer(plain):
            colon = re.compile(r"[*_\s]{0,4}(?::|=|\sis\s|\|)[*_\s]{0,4}").match(plain, match.end())
            if colon:
                end = plain.find("\n", colon.end())
                yield colon.end(), end if end >= 0 else len(plain)


def _phrase(plain: str, start: int, high: int, whole: bool) -> Span | None:
    """The phrase that a stretch is or begins with, none where it is a sentence or vague."""
    stretch = plain[start : min(high, start + 120)]
    cut = _CUT.search(stretch)
    said = stretch[: cut.start()] if cut else stretch
    rest = stretch[cut.start() :] if cut else ""
    if whole and rest.strip(" .\n!"):
        return None
    match = _PHRASE.fullmatch(said.strip(" \n*_\"'!."))
    if match is None or _VAGUE.search(match[0]) or not re.search(r"[A-Za-z]{2}", match[0]):
        return None
    at = start + stretch.index(match[0])
    return at, at + len(match[0])
