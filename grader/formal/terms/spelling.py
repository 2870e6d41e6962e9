"""How a term is spelled: hyphens, British and American spelling, inflections, prefixes that turn it."""

from __future__ import annotations

import re
from functools import lru_cache

from grader.answer.notation import normalise

_SPLIT = re.compile(r"[\s-]+")
_JOINER = r"[\s-]{0,3}"
_BRITISH = (
    (r"is(e|ed|er|ers|ing|ation|ations|able)$", r"i[sz]\1"),
    (r"ys(e|ed|er|ing)$", r"y[sz]\1"),
    (r"our(s|ed|less|able)?$", r"ou?r\1"),
    (r"^cent(?:re|er)(d|ed|s)?$", r"cent(?:re|er)(?:e?d|s)?"),
    (r"sul(?:f|ph)", r"sul(?:f|ph)"),
    (r"^l(?:a)?evo", r"la?evo"),
    (r"^gr[ae]y$", r"gr[ae]y"),
    (r"^cae?sium$", r"ca?esium"),
)
_INFLECTED = (
    (r"hedral$", r"hedr(?:al(?:ly)?|ons?|a)"),
    (r"midal$", r"mid(?:al(?:ly)?|s)?"),
    (r"prismatic$", r"prism(?:atic(?:ally)?|s)?"),
    (r"magnetic$", r"magnet(?:ic(?:ally)?|ism|s)?"),
    (r"(?<=.)ic$", r"ic(?:ally)?"),
    (r"(?<=..)al$", r"al(?:ly)?"),
    (r"shaped$", r"shaped?"),
    (r"(?<=[^aeiou])y$", r"(?:y|ies)"),
    (r"(?<=..)(?:ss|ch|sh|x)$", r"\g<0>(?:es)?"),
    (r"(?<=...)s$", r"s?"),
    (r"(?<=..)$", r"(?:e?s|ly)?"),
)
PREFIXES: dict[str, str] = {
    "non": "not",
    **dict.fromkeys(("pseudo", "quasi", "semi", "half", "anti", "hemi", "homo", "super", "sub"), "other"),
    **dict.fromkeys(("distorted", "irregular", "partially", "partly", "near"), "unsure"),
}
"""What a prefix makes of a term: its negation, another term, or something that may still be meant by it."""
_PREFIX = rf"(?:(?P<prefix>{'|'.join(PREFIXES)})[ -]?)?"
BEFORE = r"(?<![A-Za-z0-9_])(?<![A-Za-z]-)"
AFTER = r"(?![A-Za-z0-9_]|-(?:like|ish|type\b(?! ?re)))"


def _word(word: str, last: bool) -> str:
    """A pattern for one lower-case word."""
    pattern = re.escape(word)
    if not word.isalpha():
        return pattern
    for british, both in _BRITISH:
        pattern = re.sub(british, both, pattern)
    if not last or len(word) < 3 or not pattern.isalpha():
        return pattern
    for ending, forms in _INFLECTED:
        inflected, times = re.subn(ending, forms, pattern)
        if times:
            return inflected
    return pattern


@lru_cache(maxsize=4096)
def spelled(term: str) -> re.Pattern[str]:
    """What matches a term in plain text, ``prefix`` being what turns it."""
    plain = normalise(term).plain.strip()
    words = [word for word in _SPLIT.split(plain.lower()) if word]
    core = _JOINER.join(_word(word, index + 1 == len(words)) for index, word in enumerate(words))
    left = BEFORE if plain[:1].isalnum() else ""
    right = AFTER if plain[-1:].isalnum() else ""
    exact = len(plain) == 1 and plain.isascii()
    return re.compile(
        f"{left}{_PREFIX}(?:{re.escape(plain) if exact else core}){right}", 0 if exact else re.I
    )
