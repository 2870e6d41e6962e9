"""Refusals in words: a short text that says nothing but that its author won't help."""

from __future__ import annotations

import re

LONGEST = 400
"""Characters; who says more says something besides."""


def _any(*forms: str) -> str:
    return f"(?:{'|'.join(forms)})"


_SORRY = _any(
    "(?:i am|i'm|we are|we're) (?:(?:very|really|so|truly) )?(?:sorry|afraid)",
    "(?:very |so )?sorry",
    "(?:my |our )?apologies",
    "(?:i|we) apologi[sz]e",
    "unfortunately",
)
_WONT = "(?:i|we)(?: am|'m| are|'re)? (?:just |simply |really )?" + _any(
    "can't|cannot|can not|could not|couldn't|won't|will not",
    "not (?:able|allowed|permitted|willing) to|unable to|not comfortable(?: with)?",
    "(?:must|have to|need to) (?:decline|refuse)(?: to)?|decline to|refuse to",
)
_REQUEST = "(?:this|that|your|the|such|such an?) (?:request|question|prompt|query|task)s?"
_HELP = "(?:be able to )?" + _any(
    "help|helping|assist|assisting|comply|complying|engage|continue|proceed|(?:discuss|do) (?:this|that)",
    f"(?:answer|respond to|process|complete|fulfil|fulfill|carry out|accommodate) {_REQUEST}",
    "(?:provide|offer|give|share) (?:you with )?(?:any )?"
    "(?:help|assistance|guidance|instructions|information|details|advice)",
    _REQUEST,
)
_ABOUT = r"(?: (?:with|you|in|on|for|about|regarding|to|here|as)\b[^,;:=]{0,90})?"
_CORE = re.compile(
    rf"(?:{_SORRY}[,:;]? ?(?:but |that )?)?"
    rf"(?:{_WONT} {_HELP}{_ABOUT}|(?:this|that)(?:'s| is) beyond my current scope)"
)
_BESIDE = re.compile(
    _any(
        rf"{_SORRY}.{{0,40}}",
        r"(?:i|we) (?:understand|appreciate|realize)\b.*",
        r"(?:please|if you|is there|let me know|let's|feel free|i'm happy|i'd be happy|thank)\b.*",
        r"(?:this|that|it|your|the)(?: \w+){0,3} (?:violates?|goes against|is against|falls outside)\b.*",
        r"as an? (?:ai|large|language)\b.*",
    )
)
_REASON = re.compile(
    r"\b(?:without|because|since|unless|until|missing|insufficient|images?|figures?|picture|see|view|open|read|data)\b"
)
"""Whoever lacks something would answer if it could."""
_CHINESE = re.compile(
    r"(?:你好[,，])?(?:非常|很|十分)?(?:抱歉|对不起)[,，。！!]? ?(?:但)?我?们?(?:暂时)?(?:无法|不能)"
    r"(?:为[您你]|给[您你]|向[您你])?(?:提供|协助|帮助|满足|继续|讨论|回答|处理|回应).{0,60}"
)
_CHINESE_REASON = re.compile("因为|由于|图|缺少|不足|数据")
_SENTENCE = re.compile(r"(?<=[.!?]) ")


def is_refusal(text: str) -> bool:
    """Whether a text is nothing but a refusal.

    An answer that lacks something ("I can't help without the figure") is none.
    """
    if len(text) > LONGEST:
        return False
    plain = " ".join(text.replace("’", "'").lower().split())
    if _CHINESE.fullmatch(plain):
        return _CHINESE_REASON.search(plain) is None
    sentences = [one.rstrip(".!?") for one in _SENTENCE.split(plain)]
    core = [one for one in sentences if _CORE.fullmatch(one)]
    beside = [one for one in sentences if one not in core]
    return bool(core) and not any(map(_REASON.search, core)) and all(map(_BESIDE.fullmatch, beside))
