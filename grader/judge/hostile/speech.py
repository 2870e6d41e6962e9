"""The words and speech acts of speaking to a grader, compiled from ``addressed.toml``.

Every word that plays a part has a letter, one for each set of parts, so that a
text becomes a line of letters and a speech act a small pattern over them.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, product
from pathlib import Path

PLAIN, SENTENCE, CLAUSE = ".", ";", ","
"""Letters of what plays no part, of a sentence's end and of a clause's."""

_TABLE = Path(__file__).with_name("addressed.toml")
_UNSPACED = "\u0900-\u097f\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
"""Scripts whose words are found inside running text."""
WITHHELD = "[withheld: {} characters addressed to the grader]"
"""What stands where a passage was: it ends a sentence, as the passage did."""
_PAIRED = 12
"""Words that may stand between a pair."""


@dataclass(frozen=True, slots=True)
class Act:
    """A speech act: how it reads in letters, and sets of letters that each have to occur."""

    pattern: re.Pattern[str]
    needs: Sequence[frozenset[str]]


class Acts:
    """Speech acts that are looked for together."""

    def __init__(self, acts: Iterable[Act]) -> None:
        self.listed = tuple(acts)
        self._by_letter: dict[str, list[int]] = {}
        for number, act in enumerate(self.listed):
            for letter in min(act.needs, key=len):  # the set of letters that is least often met
                self._by_letter.setdefault(letter, []).append(number)

    def among(self, letters: set[str]) -> list[Act]:
        """The acts for which these letters suffice."""
        near = {number for letter in letters for number in self._by_letter.get(letter, ())}
        return [
            act
            for act in map(self.listed.__getitem__, sorted(near))
            if not any(map(letters.isdisjoint, act.needs))
        ]

    def spans(self, line: str) -> Iterator[tuple[int, int]]:
        """Where the acts stand in a line of letters."""
        for act in self.among(set(line)):
            yield from (match.span() for match in act.pattern.finditer(line))


@dataclass(frozen=True, slots=True, eq=False)
class Speech:
    """The table, compiled."""

    tokens: re.Pattern[str]
    """Cuts a text into words and the punctuation that counts."""
    strict: Acts
    address: Acts
    business: Acts
    innocent: Acts
    loose: Acts
    telling: Acts
    """Strict ones and addresses: where there is neither, there is nothing to find."""
    _letters: Mapping[str, str]
    _stems: re.Pattern[str]

    def letter(self, word: str) -> str | None:
        """The letter of a folded word; None if it plays no part."""
        if known := self._letters.get(word):
            return known
        stem = self._stems.match(word)
        return self._letters[stem.group() + "*"] if stem else None


def fold(text: str) -> str:
    """The text without case, accents and compatibility forms."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    kept = (each for each in decomposed if each in "\u3099\u309a" or not unicodedata.combining(each))
    return unicodedata.normalize("NFC", "".join(kept))


@cache
def speech() -> Speech:
    """What ``addressed.toml`` says."""
    table = tomllib.loads(_TABLE.read_text("utf-8"))
    words = {part: " ".join(languages.values()).split() for part, languages in table["words"].items()}
    parts = _parts(words)
    sets = sorted({frozenset(names) for names in parts.values()}, key=sorted)
    letters = {names: chr(0x100 + number) for number, names in enumerate(sets)}
    grammar = _Grammar(
        {part: "".join(letters[names] for names in sets if part in names) for part in words}
        | {"plain": PLAIN},
        {name: [way.split() for way in ways] for name, ways in table["phrases"].items()},
    )
    rules = table["rules"]
    paired = [f"{a} ..{_PAIRED} {b}" for pair in rules["pairs"] for a, b in (pair, reversed(pair))]
    strict = grammar.acts([*rules["strict"], *paired])
    address = grammar.acts(rules["address"])
    return Speech(
        tokens=_tokens({word for listed in words.values() for word in listed}),
        strict=Acts(strict),
        address=Acts(address),
        business=Acts(grammar.acts(rules["business"])),
        innocent=Acts(grammar.acts(rules["innocent"])),
        loose=Acts(grammar.acts(rules["loose"])),
        telling=Acts(strict + address),
        _letters={word: letters[frozenset(names)] for word, names in parts.items()},
        _stems=re.compile(_either(word[:-1] for word in parts if word.endswith("*"))),
    )


def _parts(words: Mapping[str, Iterable[str]]) -> dict[str, set[str]]:
    """The parts each word plays; one that is listed whole plays those of its stem too."""
    parts: dict[str, set[str]] = {}
    for part, listed in words.items():
        for word in listed:
            parts.setdefault(fold(word), set()).add(part)
    for word, names in parts.items():
        for length in range(3, len(word)):
            names |= parts.get(word[:length] + "*", set())
    return parts


def _either(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


def _tokens(words: Iterable[str]) -> re.Pattern[str]:
    word = rf"[^\W_{_UNSPACED}]"
    marker = re.escape(WITHHELD[1:]).replace(re.escape("{}"), "[0-9]+")
    gap = r"\b[ .\-_*|/]{1,3}\b"
    return re.compile(
        r"[^ $\\{}()=+<>^_*/#%&@~`|'\t-](?:"  # beginning with a class of characters makes the search fast
        r"(?<=[0-9A-Za-z])[0-9A-Za-z]++(?![^\W_])"
        rf"|(?<={word}){word}+"
        rf"|(?<=[^\W\d_]){gap}(?:[^\W\d_]{gap}){{3,199}}[^\W\d_]\b"  # letters spaced out
        rf"|(?<=\d)[.)\]](?=\s)|(?<={word})"
        r"|(?<=[.!?])[.!?]*(?=[\"')\]*_]{0,9}(?:\s|$))|(?<=[。！？])|(?<=\n)\s*|(?<=[,;:，：、—–\"“「])"
        rf"|(?<=\[){marker}"
        f"|(?<=[{_UNSPACED}])(?:{_unspaced(words)}))"
    )


def _unspaced(words: Iterable[str]) -> str:
    """What may follow the first character of a word in running text: the rest of the longest, or nothing."""
    rests: dict[str, list[str]] = {}
    for word in words:
        if re.match(f"[{_UNSPACED}]", word):
            rests.setdefault(word[0], []).append(word[1:])
    return "|".join([*(f"(?<={first})(?:{_either(rest)})" for first, rest in rests.items()), ""])


@dataclass(frozen=True, slots=True)
class _Grammar:
    """Rules are parts, ``{phrases}``, ``..n`` for up to n words between and ``^`` where a clause begins."""

    classes: Mapping[str, str]
    phrases: Mapping[str, Sequence[Sequence[str]]]

    def acts(self, rules: Iterable[str]) -> list[Act]:
        """Rules as patterns over letters, one for each way of saying their phrases."""
        return [self._act(way) for rule in rules for way in self._said(rule.split())]

    def _said(self, items: Sequence[str]) -> Iterator[list[str]]:
        """A rule without phrases, in all ways."""
        for way in product(*map(self._ways, items)):
            yield list(chain.from_iterable(way))

    def _ways(self, item: str) -> list[Sequence[str]]:
        """The ways to say an item: its parts are one, each way of each of its phrases is another."""
        names = item.split("|")
        parts = "|".join(name for name in names if not name.startswith("{"))
        phrases = [self.phrases[name.strip("{}")] for name in names if name.startswith("{")]
        return [*([[parts]] if parts else []), *chain.from_iterable(phrases)]

    def _act(self, items: list[str]) -> Act:
        begins = items[0] == "^"
        patterns = list(map(self._pattern, items[begins:]))
        if begins:  # looked back at after the first letter, which is faster
            patterns.insert(1, f"(?<![^{SENTENCE}{CLAUSE}{self.classes['then']}].)")
        needs = (self._class(item) for item in items[begins:] if not item.startswith(("..", CLAUSE)))
        return Act(re.compile("".join(patterns)), tuple(map(frozenset, needs)))

    def _pattern(self, item: str) -> str:
        if item.startswith(".."):
            return f"[^{SENTENCE}]{{0,{item[2:]}}}?"
        return item if item.startswith(CLAUSE) else f"[{self._class(item)}]"

    def _class(self, item: str) -> str:
        return "".join(self.classes[part] for part in item.split("|"))
