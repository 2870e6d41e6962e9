"""The words and speech acts of speaking to a grader, compiled from ``addressed.toml``.

Every word that plays a part has a letter, one for each set of parts, so that a
text becomes a line of letters and a speech act a small pattern over them.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
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


@dataclass(frozen=True, slots=True, eq=False)
class Speech:
    """The table, compiled."""

    tokens: re.Pattern[str]
    """Cuts a text into words and the punctuation that counts."""
    strict: Sequence[Act]
    loose: Sequence[Act]
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
        {part: "".join(letters[names] for names in sets if part in names) for part in words},
        {name: [way.split() for way in ways] for name, ways in table["phrases"].items()},
    )
    rules = table["rules"]
    paired = [f"{a} ..{_PAIRED} {b}" for pair in rules["pairs"] for a, b in (pair, reversed(pair))]
    return Speech(
        tokens=_tokens({word for listed in words.values() for word in listed}),
        strict=[grammar.act(rule) for rule in (*rules["strict"], *paired)],
        loose=[grammar.act(rule) for rule in rules["loose"]],
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
    unspaced = _either(word for word in words if re.match(f"[{_UNSPACED}]", word))
    return re.compile(
        rf"[^\W_{_UNSPACED}]{{2,}}|(?![ $\\{{}}()=+])(?:"  # most characters that begin no token, at once
        rf"{re.escape(WITHHELD).replace(re.escape('{}'), '[0-9]+')}"
        r"|(?:[^\W\d_]\b[ .\-_*|/]{1,3}\b){4,200}[^\W\d_]\b"  # letters spaced out
        rf"|\d[.)\]](?=\s)|[^\W_{_UNSPACED}]"
        r"|[.!?]+(?=[\"')\]*_]{0,9}(?:\s|$))|[。！？]|\n\s*|[,;:，：、—–\"“「]"
        f"|(?=[{_UNSPACED}])(?:{unspaced}|.))"
    )


@dataclass(frozen=True, slots=True)
class _Grammar:
    """Rules are parts, ``{phrases}``, ``..n`` for up to n words between and ``^`` where a clause begins."""

    classes: Mapping[str, str]
    phrases: Mapping[str, Sequence[Sequence[str]]]

    def act(self, rule: str) -> Act:
        """A rule as a pattern over letters."""
        items = rule.split()
        begins = items[0] == "^"
        patterns = [self._pattern(item) for item in items[begins:]]
        if begins:
            patterns = self._begun(patterns)
        needs = [self._letters(item) for item in items[begins:]]
        return Act(re.compile("".join(patterns)), [need for need in needs if need])

    def _begun(self, patterns: list[str]) -> list[str]:
        """Patterns whose first begins a clause: looked back at after a single letter, which is faster."""
        before = f"[^{SENTENCE}{CLAUSE}{self.classes['then']}]"
        first, *rest = patterns
        single = first.startswith("[")
        return [first, f"(?<!{before}.)", *rest] if single else [f"(?<!{before})", first, *rest]

    def _pattern(self, item: str) -> str:
        if item.startswith(".."):
            return f"[^{SENTENCE}]{{0,{item[2:]}}}?"
        if item.startswith(CLAUSE):
            return item
        if "{" not in item:
            return f"[{self._class(item)}]"
        return f"(?:{'|'.join(''.join(map(self._pattern, way)) for way in self._ways(item))})"

    def _letters(self, item: str) -> frozenset[str]:
        """The letters one of which has to occur; none for gaps and punctuation."""
        if item.startswith(("..", CLAUSE)):
            return frozenset()
        return frozenset("".join(self._class(way[0]) for way in self._ways(item)))

    def _ways(self, item: str) -> list[Sequence[str]]:
        named = item.split("|")
        return [way for name in named for way in self.phrases.get(name.strip("{}"), [[name]])]

    def _class(self, item: str) -> str:
        return "".join(self.classes[part] for part in item.split("|"))
