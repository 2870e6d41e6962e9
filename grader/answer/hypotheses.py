"""Values that hold elsewhere: in a case that is only supposed, or in one of several cases.

"If it were strong, the pH would be 2" says nothing of what the pH is, and "250 if
high spin, otherwise 125" doesn't say which. A polite "the pH would therefore be 2"
and a step of the method ("if we substitute, we get 2") are assertions.
"""

from __future__ import annotations

import re

CUES = re.compile(
    r"\b(?:if|in case|unless|otherwise|would|could have|suppos|imagine|pretend|say|depend|which|and th)"
    r"|'d\b",
    re.I,
)
"""A text without any of these supposes nothing."""

_METHOD = re.compile(
    r"\bif\s(?:we|you|one|i)\s(?:(?:now|then|also|simply|first)\s)?"
    r"(?!had\b|were\b|was\b|did|could\b|would\b|\w{2,14}ed\b|forgot\b|left\b|took\b|made\b|used\b|put\b)\w",
    re.I,
)
"""A step of the method: "if we substitute"."""
_PARTICIPLE = (
    r"(?<!\bis )(?<!\bare )(?<!\bbe )(?<!\bbeen )(?<!\bbeing )(?<!\bhas )(?<!\bhave )(?<!\bif )"
    r"\b(?!need)[a-z]{2,14}ed\b"
)
_UNREAL_IF = re.compile(
    r"\bif\b(?!\s(?:asked|needed|required|desired)\b)[^.;\n]{0,60}?"
    rf"(?:\b(?:were|was|had|did|didn't|weren't|wasn't|could|forgot|took|made|left|only)\b|{_PARTICIPLE})",
    re.I,
)
_CONTRARY = re.compile(
    r"\W{0,3}if\b[^.;\n]{0,60}?\bwere(?:n't|\snot)?\b(?!\s[a-z]{2,14}(?:ed|en)\b)"
    r"(?:(?!\b(?:so|thus|but|since|as)\b)[^.;\n]|\.(?=\d)){0,60}$",
    re.I,
)
_CONDITION = re.compile(
    rf"(?!{_METHOD.pattern})\bif\s(?:(?!\b(?:is|are|was|were|equals|then)\b|=)[^,;.\n]){{1,50}}?"
    r"(?:\b(?:is|was|were|are|equals)\b|=)\s?(?:about\s|only\s)?$",
    re.I,
)
"""What a value only is the condition of: "if c = 0.1"."""
_REFUTED = re.compile(
    r"[^.,;\n]{0,14},?\s(?:which|and (?:this|that))\s"
    r"(?:contradicts|violates|disagrees|does not|doesn't|cannot|can't|isn't|is (?:impossible|absurd|not))\b",
    re.I,
)
_INVERTED = re.compile(
    r"(?:^|[.;:(,]\s?|\b(?:but|and|so)\s)\W{0,3}(?:had|were|should)\s[a-z]",
    re.I,
)
_INVERTED_AFTER = re.compile(r"\s(?:had|were)\s(?:we|it|the|this|there|one|all)\b", re.I)
_ELSEWHERE = re.compile(r"\b(?:without|in the absence of|hypothetical\w*|in that case|otherwise)\b", re.I)
_WOULD = re.compile(r"\b(?:would|'d)\b", re.I)
_WOULD_HAVE = re.compile(
    r"\b(?:would|could)(?:n't|\snot)?\shave\s"
    r"(?:been|had|got|given|gone|taken|come|made|found|become|risen|fallen|led|\w{2,14}ed)\b"
    r"|\bwould only be\b",
    re.I,
)
_CONTRAST = re.compile(
    r"[^.\n]{0,60}?[,;—(-]\s?(?:but|however|yet|though|although|whereas|except|which (?:is|it is) not)\b",
    re.I,
)
_SUPPOSED = re.compile(
    r"\b(?:imagine|pretend|what if)\b"
    r"|(?:\bsuppos(?:e|ing)|(?:^|[.;]\s)\W{0,3}(?:let's\s)?say)\b[^.;\n]{0,60}?\b(?:were|was|had)\b",
    re.I,
)
_RESUMED = re.compile(r"\W{0,3}(?:then|in that case|in this (?:hypothetical )?case|its?|this|that)\b", re.I)
_BACK = re.compile(r"\b(?:but|in fact|in reality|actually|however)\b", re.I)
_MEANS = re.compile(
    r"[^\w\n]?(?:\s?[A-Za-z%/°^0-9-]{1,12})?\swould\s"
    r"(?:mean|imply|require|need|demand|violate|contradict|suggest|indicate)\b",
    re.I,
)
_TO_GET = re.compile(
    r"\bto\s(?:get|obtain|reach|have|give|arrive at|achieve)\s(?:an?\s)?(?:\w{1,14}\s(?:of\s|=\s?)?)?$", re.I
)
_DEPENDING = re.compile(
    r"(?:[^.;\n]|\.(?=\d)){0,30}\bdepend(?:s|ing)?\s(?:on|upon)\b"
    r"|[^.\n]{0,12};\s(?:it|this|that)\sdepends\b",
    re.I,
)
_DEPENDING_AHEAD = re.compile(r"\bdepending\s(?:on|upon)\b", re.I)
_OR = re.compile(r"¤[^.,;\n]{0,14}\sor\s|\sor\s[^.,;\n]{0,14}¤", re.I)
_IF = re.compile(
    r"(?<!\beven )(?<!\bas )(?<!\bwhat )(?<!\band )(?<!\bor )\b(?:if|in case)\b(?!\s(?:any|so|not|at all)\b)",
    re.I,
)
_ELSE = re.compile(r"\b(?:otherwise|or else|if not|unless|in which case)\b", re.I)
_CASE_AHEAD = re.compile(r"\b(?:if|in case|otherwise|or else|unless|in which case)\b", re.I)
_CASE_NEXT = re.compile(r"(?:\W?\s?\([^()\n]{0,30}\))?,?[^.;,\n]{0,25}\b(?:if|unless)\b", re.I)
_CASE_FIRST = re.compile(rf"\W{{0,3}}(?!{_METHOD.pattern})(?:if|otherwise|unless)\b", re.I)


def supposed(clause: str, before: str, after: str, earlier: str) -> bool:
    """Whether a value holds in a supposed case only.

    ``clause`` and ``before``: what stands before it in its clause and sentence;
    ``after``: what follows in its sentence; ``earlier``: the sentence before.
    """
    if _MEANS.match(after) or (_TO_GET.search(before) and _WOULD.search(after)):
        return True
    aside = max((match.end() for match in _SUPPOSED.finditer(before)), default=-1)
    if aside >= 0 and not _BACK.search(before, aside):
        return True
    if _SUPPOSED.search(earlier) and _RESUMED.match(before):
        return True
    if _CONDITION.search(before) or _REFUTED.match(after):
        return True
    if _WOULD_HAVE.search(clause) or _CONTRARY.match(before):
        return True
    return _WOULD.search(clause) is not None and _unreal(before, after)


def _unreal(before: str, after: str) -> bool:
    """Whether a sentence with "would" is about what is not the case."""
    ahead = _UNREAL_IF.search(before) or _INVERTED.search(before) or _ELSEWHERE.search(before)
    return bool(ahead or _UNREAL_IF.search(after) or _INVERTED_AFTER.search(after) or _CONTRAST.match(after))


def one_of_several(clause: str, before: str, after: str, earlier: str, later: str) -> bool:
    """Whether a value is one of several, each for its own case: "A if ..., B otherwise".

    As for ``supposed``; ``later`` is the sentence after.
    """
    if _DEPENDING.match(after) or (_DEPENDING_AHEAD.search(clause) and _OR.search(clause + "¤" + after)):
        return True
    if not (_CASE_AHEAD.search(clause) or _CASE_NEXT.match(after)):
        return False
    whole = f"{before} ¤ {after}"
    others = len(_ELSE.findall(whole))
    plain = others or _CASE_NEXT.match(after)
    ifs = len(_IF.findall(whole)) - (0 if plain else len(_METHOD.findall(whole)))
    if ifs + others > 1:
        return True
    return bool(_CASE_FIRST.match(before) and (_CASE_FIRST.match(earlier) or _CASE_FIRST.match(later)))
