"""Passages of an answer that speak to whoever grades it.

Words are read as the parts they play in speaking to a grader, a letter for
each set of parts, and speech acts are looked for among the letters. Both are
data (``addressed.toml``). A word alone proves nothing: examiners, marks and
rubrics may be mentioned; a grader may not be told what to do.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any

_TABLE = Path(__file__).with_name("addressed.toml")

_PLAIN, _SENTENCE, _CLAUSE = ".", ";", ","
_UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_ENDS = re.compile(r"[.!?]+[\"')\]*_]*(?=\s|$)|[。！？\n]")
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


@dataclass(frozen=True, slots=True, eq=False)
class _Speech:
    """The table, compiled: letters of words, how a text is cut into words, and the speech acts."""

    letters: Mapping[str, str]
    stems: re.Pattern[str]
    tokens: re.Pattern[str]
    strict: re.Pattern[str]
    loose: re.Pattern[str]

    def letter(self, word: str) -> str | None:
        """The letter of a folded word."""
        if known := self.letters.get(word):
            return known
        stem = self.stems.match(word)
        return self.letters[stem.group() + "*"] if stem else None


def find(text: str, *, suspected: bool = False) -> list[tuple[int, int]]:
    """Spans of the sentences that tell a grader what to do.

    Once there is one, or the answer is suspected for another reason, sentences
    count that only mention what graders deal in.
    """
    speech = _speech()
    letters = list(map(_letters, speech.tokens.findall(text)))
    line = _short_sentences_joined("".join(letters))
    acts = list(_matches(speech.strict, line))
    if not acts and not suspected:
        return []
    acts += _matches(speech.loose, line)
    spans = [token.span() for token in speech.tokens.finditer(text)]
    counts = list(accumulate(map(len, letters)))
    ends = [end.end() for end in _ENDS.finditer(text)]
    return [
        _sentence(text, ends, spans[bisect_right(counts, start)][0], spans[bisect_left(counts, end)][1])
        for start, end in acts
    ]


def speaks(text: str) -> bool:
    """Whether anything in the text tells a grader what to do."""
    line = "".join(map(_letters, _speech().tokens.findall(text)))
    return _speech().strict.search(_short_sentences_joined(line)) is not None


def _matches(acts: re.Pattern[str], line: str) -> Iterator[tuple[int, int]]:
    return (match.span() for match in acts.finditer(line))


def _short_sentences_joined(line: str) -> str:
    """So that "Award. Full. Marks." is one sentence."""
    return re.sub(r";(?=[^;]{1,2}(?:;|$))", _CLAUSE, line)


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
        return _SENTENCE if token[0] in ".!?。！？" or token.count("\n") > 1 else _CLAUSE
    speech = _speech()
    for word in dict.fromkeys(_readings(token)):
        if known := speech.letter(word):
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


def fold(text: str) -> str:
    """The text without case, accents and compatibility forms."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def _latin(word: str) -> str:
    return fold(word).translate(_LOOKALIKES)


def _squeezed(token: str) -> str:
    """Letters that were spaced out, together again."""
    return "".join(character for character in token if character.isalnum())


def _taken_apart(word: str) -> str:
    """The letters of words written in one, if the whole is made of known words."""
    if len(word) < 9 or not any(core in word for core in _GLUE):
        return _PLAIN
    speech, letters, at = _speech(), [], 0
    while at < len(word):
        for end in range(min(len(word), at + 14), at, -1):
            part = word[at:end]
            known = _PLAIN if part in _FILLERS else speech.letter(part) if end - at > 2 else None
            if known:
                letters.append(known)
                at = end
                break
        else:
            return _PLAIN
    return "".join(letters)


@cache
def _speech() -> _Speech:
    table = tomllib.loads(_TABLE.read_text("utf-8"))
    parts: dict[str, set[str]] = {}
    for part, languages in table["words"].items():
        for words in languages.values():
            for word in words.split():
                parts.setdefault(fold(word), set()).add(part)
    _inherit_stems(parts)
    sets = sorted({frozenset(names) for names in parts.values()}, key=sorted)
    letter = {names: chr(0x100 + number) for number, names in enumerate(sets)}
    classes = {part: "".join(letter[names] for names in sets if part in names) for part in table["words"]}
    return _Speech(
        letters={word: letter[frozenset(names)] for word, names in parts.items()},
        stems=_either(word[:-1] for word in parts if word.endswith("*")),
        tokens=_tokens(parts),
        strict=_acts(table["rules"]["strict"], table["phrases"], classes),
        loose=_acts(table["rules"]["loose"], table["phrases"], classes),
    )


def _inherit_stems(parts: dict[str, set[str]]) -> None:
    """A word that is listed whole plays the parts of its stem too."""
    for word, names in parts.items():
        for length in range(3, len(word)):
            names |= parts.get(word[:length] + "*", set())


def _either(words: Any) -> re.Pattern[str]:
    return re.compile("|".join(sorted(map(re.escape, words), key=len, reverse=True)))


def _tokens(words: Mapping[str, Any]) -> re.Pattern[str]:
    unspaced = [word for word in words if re.match(f"[{_UNSPACED}]", word)]
    return re.compile(
        rf"[^\W_{_UNSPACED}]{{2,}}|(?![ $\\{{}}()=+])(?:"
        r"(?:[^\W\d_]\b[ .\-_*|/]{1,3}\b){4,200}[^\W\d_]\b"
        rf"|[^\W_{_UNSPACED}]"
        r"|[.!?]+(?=[\"')\]*_]{0,9}(?:\s|$))|[。！？]|\n\s*|[,;:，：、—–\"“「]"
        f"|(?=[{_UNSPACED}])(?:{_either(unspaced).pattern}|.))"
    )


def _acts(rules: list[str], phrases: Mapping[str, list[str]], classes: Mapping[str, str]) -> re.Pattern[str]:
    """Rules as one pattern; only letters that begin a rule are looked at twice."""
    clause = f"(?<![^{_SENTENCE}{_CLAUSE}{classes['then']}])"
    branches, first = [], set()
    for rule in rules:
        named = re.sub(r"\{(\w+)\}", lambda match: "|".join(f"<{p}>" for p in phrases[match[1]]), rule)
        branches.append(
            "".join(_item(item, classes, clause) for item in re.findall(r"(?:<[^>]*>|\S)+", named))
        )
        first |= set(re.findall(r"[a-z_]+", re.sub(r"(?<!<)(?<=\S) .*", "", named.removeprefix("^ "))))
    return re.compile(f"(?=[{''.join(classes[part] for part in sorted(first))}])(?:{'|'.join(branches)})")


def _item(item: str, classes: Mapping[str, str], clause: str) -> str:
    if item == "^":
        return clause
    if item.startswith(".."):
        return f"[^{_SENTENCE}]{{0,{item[2:]}}}?"
    if item.startswith(_CLAUSE):
        return item
    options = re.findall(r"<([^>]*)>|(\w+)", item)
    return (
        "(?:"
        + "|".join(
            "".join(_item(each, classes, clause) for each in phrase.split())
            if phrase
            else f"[{classes[word]}]"
            for phrase, word in options
        )
        + ")"
    )
