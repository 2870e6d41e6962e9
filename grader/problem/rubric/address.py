"""Words that tell a marker who has to state a result: "The student correctly explains that"."""

from __future__ import annotations

import re

_STEMS = (
    "state", "explain", "note", "mention", "recognise", "recognize", "identify", "calculate", "compute",
    "determine", "indicate", "describe", "derive", "conclude", "deduce", "name", "list", "provide", "specify",
    "report", "predict", "assign", "obtain", "demonstrate", "realise", "realize", "observe", "infer", "argue",
    "point out", "classify", "subtract",
)  # fmt: skip
_IRREGULAR = {
    "give": "gives|gave|given|giving",
    "write": "writes|wrote|written|writing",
    "draw": "draws|drew|drawn|drawing",
    "find": "finds|found|finding",
    "show": "shows|showed|shown|showing",
    "say": "says|said|saying",
    "include": "includes|included|including",
}


def _forms(stem: str) -> str:
    first, _, rest = stem.partition(" ")
    if first.endswith("e"):
        forms = rf"{first[:-1]}(?:e|es|ed|ing)"
    elif first.endswith("y"):
        forms = rf"{first[:-1]}(?:y|ies|ied|ying)"
    else:
        forms = rf"{first}(?:s|ed|ing)?"
    return rf"{forms}\s+{rest}" if rest else forms


_VERB = "(?:" + "|".join([*map(_forms, _STEMS), *(f"{one}|{_IRREGULAR[one]}" for one in _IRREGULAR)]) + ")"
_THIRD = (
    r"(?:states|explains|notes|mentions|recogni[sz]es|identifies|calculates|computes|determines|gives|says"
    r"|provides|describes|derives|finds)"
)
_WHO = (
    r"(?:(?:the|a|an|each)\s+)?(?:students?|candidates?|examinees?|answers?|responses?)(?:['’]s?\s+answer)?"
)
_MODAL = r"(?:must|should|has\s+to|have\s+to|needs?\s+to|is\s+expected\s+to|ought\s+to)"
_HOW = r"(?:clearly|correctly|explicitly|specifically|accurately|properly|rightly|precisely)"
_NOUN = (
    r"(?:identification|statement|explanation|calculation|determination|recognition|mention|assignment|derivation"
    r"|naming|description)"
)
_AND = r"(?:\s+and\s+(?:states|explains|uses|applies|justifies|gives|names))?"
_NO_QUESTION = r"(?!\s+(?:how|why|whether|what|which|when)\b)"
_THAT = r"(?:\s+(?:the\s+fact\s+)?that\b)?"
_STATES = rf"{_VERB}{_AND}{_NO_QUESTION}{_THAT}"

_ADDRESS = re.compile(
    rf"(?:(?:for|if|when)\s+)?(?:"
    rf"{_WHO}(?:\s+also)?\s+{_MODAL}(?!\s+be\b)(?:\s+also)?(?:\s+{_HOW})*(?:\s+{_STATES})?"
    rf"|{_WHO}(?:\s+also)?(?:\s+{_HOW})*\s+{_STATES}"
    rf"|(?:(?:the\s+)?(?:solution|explanation|it)\s+)?{_MODAL}(?:\s+{_HOW})*\s+{_STATES}"
    rf"|{_HOW}(?:\s+{_HOW})*(?:\s+{_STATES})?"
    rf"|(?!given\b|note\b){_VERB}\s+(?:the\s+fact\s+)?that\b"
    rf"|{_THIRD}(?!\s+(?:of|on|in|and|are|is|for|to|from)\b)(?=\s+\S){_NO_QUESTION}"
    rf"|(?:(?:a\s+)?correct\s+)?{_NOUN}\s+(?:of(?:\s+the\s+fact\s+that)?|that)\b"
    rf"|(?:a\s+|the\s+)?correct(?!\s+to\b)(?=\s+\w)"
    rf")(?=\s|$)",
    re.IGNORECASE,
)


def address(masked: str, start: int, end: int) -> int | None:
    """Where the statement begins in a clause that opens by telling who states it; None where it doesn't.

    ``masked`` is the text with quotations and LaTeX masked.
    """
    said = _ADDRESS.match(masked[:end], start)
    if said is None or not masked[said.end() : end].strip(" \t,;:"):
        return None
    return said.end()
