"""Stereodescriptors: R, S, E and Z, told from elements, groups and symbols of quantities."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from grader.formal.terms.symbol import Symbol

_LIST = re.compile(
    r"\(\s?\*?[0-9]{0,2}'?[a-z]?\*?[RSEZ]\*?(?:\s?,\s?\*?[0-9]{0,2}'?[a-z]?\*?[RSEZ]\*?){0,9}\s?\)|"
    r"\b[0-9]{1,2}[RSEZ](?:\s?,\s?[0-9]{1,2}[RSEZ]){0,9}\b"
)
_ONE = re.compile(r"(?P<place>[0-9]{0,2}'?[a-z]?)\*?(?P<letter>[RSEZ])(?![A-Za-z])")
_BARE = (
    r"(?<![A-Za-z0-9_=<^+/\-\[(])(?<![^-]>)(?<![<+] )(?<![^-]> )[\"'(]?"
    r"(?P<letter>{letters})(?![A-Za-z0-9_^+])(?!\s?[><=])(?!\)?/\(?[RSEZ]\b)"
)
_CUE = re.compile(
    r"(?:\b(?:is|are|was|as|assigned?|configuration|configurations|descriptor|stereocent(?:re|er)|cent(?:re|"
    r"er)|chirality|be|becomes?|gives?|giving|"
    r"therefore|thus|hence|so|to|answer|an?|get|means|actually|called|labell?ed|designated|not|either|or|"
    r"and|than|assign|initially|the|absolute|first|from|obtain|really|instead|into|"
    r"it's|both)|[:=|,]|->|\n|^)[:]?\s{0,3}[\"'(*]{0,2}$",
    re.I,
)
_CALLED = re.compile(
    r"[\"')*]{0,3}[\s-]{1,2}(?:configur\w+|isomer|enantiomer|stereo\w+|absolute|descriptor|form|alkene|"
    r"double bond|geometry|epimer|cent(?:re|er))\b",
    re.I,
)
_NO_DESCRIPTOR = re.compile(
    r"[\"')*]{0,2}\s(?:group|atom|substituent|has|have|lone|ranks?|outranks|beats|comes|gets|takes|before|"
    r"bears|orbital|and (?=[A-Z]{1,2}\b))",
    re.I,
)
_RANKED = re.compile(
    r"\b(?:priorit\w+|atoms?|elements?|substituents?|ranks?|ranked|ranking|higher than|over|above|below|"
    r"group|residue|chain|gas constant)\b[^.;\n]{0,40}$",
    re.I,
)
_VARIABLE = re.compile(r"\b[A-Z]\s?=\s$")
_ANSWERED = re.compile(r"\b(?:so|hence|thus|therefore|configuration|assigned?|gives?|descriptor)\b|->", re.I)


def descriptors(letters: str) -> Callable[[str], Iterator[Symbol]]:
    """The finder of stereodescriptors with the given letters."""
    bare = re.compile(_BARE.format(letters=f"[{letters}]"))

    def find(plain: str) -> Iterator[Symbol]:
        taken: list[tuple[int, int]] = []
        for run in _LIST.finditer(plain):
            ones = [one for one in _ONE.finditer(plain, *run.span()) if one["letter"] in letters]
            listed = len(list(_ONE.finditer(plain, *run.span()))) > 1
            taken.append(run.span())
            for one in ones:
                yield Symbol(one["letter"], *one.span("letter"), one["place"], listed)
        for match in bare.finditer(plain):
            start, end = match.span("letter")
            if not any(low <= start < high for low, high in taken) and _is_descriptor(plain, start, end):
                yield Symbol(match["letter"], start, end)

    return find


def _is_descriptor(plain: str, start: int, end: int) -> bool:
    """Whether a lone capital is meant as a descriptor, not as an element, a group or a symbol."""
    if _NO_DESCRIPTOR.match(plain, end) or _VARIABLE.search(plain, max(0, start - 5), start):
        return False
    if _CALLED.match(plain, end):
        return True
    low = max(plain.rfind("\n", 0, start), plain.rfind(". ", 0, start)) + 1
    before = plain[max(low, start - 60) : start]
    ranked = _RANKED.search(before)
    if ranked and not _ANSWERED.search(before, ranked.start()):
        return False
    return _CUE.search(plain[max(0, start - 24) : start]) is not None
