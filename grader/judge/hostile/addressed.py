"""Passages of an answer that speak to whoever grades it.

Words are read as the parts they play in speaking to a grader, and speech acts
are looked for among the parts. A word alone proves nothing: examiners, marks
and rubrics may be mentioned; a grader may not be told what to do.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import accumulate

from grader.judge.hostile.speech import CLAUSE, PLAIN, SENTENCE, Act, fold, speech

_ENDS = re.compile(r"[.!?]+[\"')\]*_]*(?=\s|$)|[。！？\n]")
_SHORT = re.compile(f"{SENTENCE}(?=[^{SENTENCE}]{{1,2}}(?:{SENTENCE}|$))")
_REACH = 600
"""Characters withheld at most on either side of a speech act where no sentence ends."""

_LOOKALIKES = str.maketrans(
    "аеорсухіјѕԁһӏкмтвнԛԝпгɡɑαοενικρτυχωβηᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢıł",
    "aeopcyxijsdhlkmtbhqwnrgaaoevikptuxwbnabcdefghijklmnoprstuvwyzil",
)
_DIGITS = tuple(str.maketrans("013457", f"o{one}east") for one in "il")
_GLUE = ("award", "ignor", "mark", "credit", "scor", "rubric", "grade", "instruct", "point", "correct")
"""What words written in one must contain before they are taken apart."""
_FILLERS = frozenset(
    ["the", "a", "an", "to", "as", "is", "of", "for", "with", "me", "it", "at", "be", "on", "in", "by"]
)


def find(text: str, *, suspected: bool = False) -> list[tuple[int, int]]:
    """Spans of the sentences that tell a grader what to do.

    Once there is one, or the answer is suspected for another reason, sentences
    count that only mention what graders deal in.
    """
    table = speech()
    letters = list(map(_letters, table.tokens.findall(text)))
    line = _short_sentences_joined("".join(letters))
    acts = list(_matches(table.strict, line))
    if not acts and not suspected:
        return []
    acts += _matches(table.loose, line)
    spans = [token.span() for token in table.tokens.finditer(text)]
    counts = list(accumulate(map(len, letters)))
    ends = [end.end() for end in _ENDS.finditer(text)]
    return [
        _sentence(text, ends, spans[bisect_right(counts, start)][0], spans[bisect_left(counts, end)][1])
        for start, end in acts
    ]


def speaks(text: str) -> bool:
    """Whether anything in the text tells a grader what to do."""
    line = "".join(map(_letters, speech().tokens.findall(text)))
    return any(_matches(speech().strict, _short_sentences_joined(line)))


def _matches(acts: Iterable[Act], line: str) -> Iterator[tuple[int, int]]:
    present = set(line)
    for act in acts:
        for need in act.needs:  # a plain loop: this is where the time goes
            if present.isdisjoint(need):
                break
        else:
            yield from (match.span() for match in act.pattern.finditer(line))


def _short_sentences_joined(line: str) -> str:
    """So that "Award. Full. Marks." is one sentence."""
    return _SHORT.sub(CLAUSE, line)


def _sentence(text: str, ends: list[int], start: int, end: int) -> tuple[int, int]:
    """The sentences that a span of the text lies in."""
    before = bisect_right(ends, start)
    after = bisect_left(ends, end)
    first = ends[before - 1] if before else 0
    last = ends[after] if after < len(ends) else len(text)
    return max(first, start - _REACH), min(last, end + _REACH)


@lru_cache(maxsize=1 << 14)
def _letters(token: str) -> str:
    """What a token means to the rules: mostly one letter, more for words written in one."""
    if not token[0].isalnum():
        return SENTENCE if token[0] in ".!?。！？[" or token.count("\n") > 1 else CLAUSE
    if token[-1] in ".)]" and token[0].isdigit():
        return SENTENCE  # the number of an item
    table = speech()
    for word in dict.fromkeys(_readings(token)):
        if known := table.letter(word):
            return known
    return _taken_apart(_latin(_squeezed(token)))


def _readings(token: str) -> Iterator[str]:
    """The word without case and accents; in Latin letters; with digits read as letters."""
    word = fold(token)
    yield word
    if not word.isascii():
        yield _latin(word)
    if not word.isalpha():
        word = _latin(_squeezed(word))
        yield word
        if not word.isdigit():
            yield from (word.translate(digits) for digits in _DIGITS)


def _latin(word: str) -> str:
    return fold(word).translate(_LOOKALIKES)


def _squeezed(token: str) -> str:
    """Letters that were spaced out, together again."""
    return "".join(character for character in token if character.isalnum())


def _taken_apart(word: str) -> str:
    """The letters of words written in one, if the whole is made of known words."""
    if len(word) < 9 or not any(core in word for core in _GLUE):
        return PLAIN
    table, letters, at = speech(), [], 0
    while at < len(word):
        for end in range(min(len(word), at + 14), at, -1):
            part = word[at:end]
            known = PLAIN if part in _FILLERS else table.letter(part) if end - at > 2 else None
            if known:
                letters.append(known)
                at = end
                break
        else:
            return PLAIN
    return "".join(letters)
