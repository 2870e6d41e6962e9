"""Passages of an answer that speak to whoever grades it.

Words are read as the parts they play in speaking to a grader, and speech acts
are looked for among the parts. A word alone proves nothing: examiners, marks
and rubrics may be mentioned; a grader may not be told what to do.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate

from grader.judge.hostile.speech import CLAUSE, PLAIN, SENTENCE, fold, speech

_ENDS = re.compile(r"[.!?]+[\"')\]*_]*(?=\s|$)|[。！？\n]")
_SHORT = re.compile(f"{SENTENCE}(?=[^{SENTENCE}]{{1,2}}(?:{SENTENCE}|$))")
_SEPARATED = re.compile(f"{CLAUSE}*{SENTENCE}[{SENTENCE}{CLAUSE}]*")
_REMEMBERED, _LONG = 1 << 14, 40
"""How many tokens are remembered, and from which length on none is."""
_PARAGRAPH = re.compile(r"\n[ \t]*\n|\n(?=#{1,6} )")
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


def find(text: str, beside: Iterable[tuple[int, int]] = ()) -> list[tuple[int, int]]:
    """Spans of the sentences that tell a grader what to do.

    In a paragraph that holds one, or something else aimed at the grader
    (``beside``), sentences count that only mention what graders deal in.
    """
    table = speech()
    letters = _read(text)
    suspected = list(beside)
    if not suspected and not table.telling.among(set("".join(set(letters)))):
        return []
    line = _short_sentences_joined("".join(letters))
    acts = _orders(line)
    if not acts and not suspected:
        return []
    sentence = _sentences(text, letters)
    told = list(map(sentence, acts))
    mentions = map(sentence, table.loose.spans(_in_one_sense(line)))
    return [*told, *_in_paragraphs_of(text, [*suspected, *told], mentions)]


def speaks(text: str, *, loosely: bool = False) -> bool:
    """Whether anything in the text tells a grader what to do, or loosely: mentions what graders deal in."""
    line = _short_sentences_joined("".join(_read(text)))
    return bool(_orders(line)) or (loosely and any(speech().loose.spans(line)))


def _orders(line: str) -> list[tuple[int, int]]:
    """Where the grader is told what to do."""
    table = speech()
    if not any(table.telling.spans(line)):
        return []
    line = _in_one_sense(line)
    return [*table.strict.spans(line), *_matters(line)]


def _matters(line: str) -> Iterator[tuple[int, int]]:
    """Where the award is dealt with in the sentence of an address, and the address."""
    table = speech()
    addresses = sorted(table.address.spans(line))
    if not addresses:
        return
    sentences = [_sentence_of(line, *address) for address in addresses]
    said = _blanked(line, ((start, start + 1) for start, _ in addresses))
    for start, end in table.business.spans(said):
        last = bisect_right(sentences, (start, len(line))) - 1
        if last >= 0 and start < sentences[last][1]:
            yield from (addresses[last], (start, end))


def _sentence_of(line: str, start: int, end: int) -> tuple[int, int]:
    """The sentence of an address, with the one that follows where nothing but the address stands in it."""
    first = line.rfind(SENTENCE, 0, start) + 1
    if not line[first:start].strip(CLAUSE) and (separated := _SEPARATED.match(line, end)):
        end = separated.end()
    last = line.find(SENTENCE, end)
    return first, last if last >= 0 else len(line)


def _in_one_sense(line: str) -> str:
    """The line without words that are meant otherwise."""
    return _blanked(line, speech().innocent.spans(line))


def _blanked(line: str, spans: Iterable[tuple[int, int]]) -> str:
    letters = list(line)
    for start, end in list(spans):
        letters[start:end] = PLAIN * (end - start)
    return "".join(letters)


def _in_paragraphs_of(
    text: str, spans: Iterable[tuple[int, int]], others: Iterable[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Those of the others that share a paragraph with one of the spans."""
    breaks = [found.end() for found in _PARAGRAPH.finditer(text)]
    theirs = {
        number
        for start, end in spans
        for number in range(bisect_right(breaks, start), bisect_left(breaks, end) + 1)
    }
    return (other for other in others if bisect_right(breaks, other[0]) in theirs)


def _short_sentences_joined(line: str) -> str:
    """So that "Award. Full. Marks." is one sentence."""
    return _SHORT.sub(CLAUSE, line)


def _sentences(text: str, letters: Iterable[str]) -> Callable[[tuple[int, int]], tuple[int, int]]:
    """From where something stands in a text's letters to the sentences of the text that it lies in."""
    spans = [token.span() for token in speech().tokens.finditer(text)]
    counts = list(accumulate(map(len, letters)))
    ends = [0, *(end.end() for end in _ENDS.finditer(text)), len(text)]

    def sentences(place: tuple[int, int]) -> tuple[int, int]:
        start = spans[bisect_right(counts, place[0])][0]
        end = spans[bisect_left(counts, place[1])][1]
        first, last = ends[bisect_right(ends, start, hi=len(ends) - 1) - 1], ends[bisect_left(ends, end)]
        return max(first, start - _REACH), min(last, end + _REACH)

    return sentences


def _spelled(token: str) -> str:
    """What a token means to the rules: mostly one letter, more for words written in one."""
    if not token[0].isalnum():
        return SENTENCE if token[0] in ".!?。！？[" or token.count("\n") > 1 else CLAUSE
    table = speech()
    if token[-1] in ".)]" and token[0].isdigit():  # the number of an item, or a sentence's end
        return (table.letter(token[0]) or PLAIN) + SENTENCE
    for word in dict.fromkeys(_readings(token)):
        if known := table.letter(word):
            return known
    return _taken_apart(_latin(_squeezed(token)))


class _Letters(dict[str, str]):
    """Tokens seen lately and what they mean: a dictionary, since every word of every answer is looked up."""

    def __missing__(self, token: str) -> str:
        letters = _spelled(token)
        if len(token) <= _LONG:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[token] = letters
        return letters


_LETTERS = _Letters()


def _read(text: str) -> list[str]:
    """The letters of a text's tokens."""
    return list(map(_LETTERS.__getitem__, speech().tokens.findall(text)))


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
