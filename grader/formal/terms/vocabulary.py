"""Closed vocabularies: which terms a text states, and how one relates to the expected one."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from grader.answer.notation import normalise
from grader.formal.structures.comparison import Relation
from grader.formal.terms.families import FAMILIES, hermann
from grader.formal.terms.spelling import PREFIXES, spelled

_TABLE = Path(__file__).with_name("vocabularies.toml")
_WORDS = re.compile(r"[a-z]+")
GENERIC = re.compile(
    r"(?<=\w)[\s-](?:mechanism|reaction|process|geometry|shape|configuration|isomer|type|rule)$", re.I
)
"""A noun that only says what sort of thing a term is."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a spelling means: a term, perhaps turned by a prefix or a denial."""

    name: str
    turned: str = ""
    """``not`` (its negation), ``other`` (another term), ``unsure``, or ``unread`` (no known term)."""


@dataclass(frozen=True, slots=True)
class Found:
    """A term in a plain text."""

    meaning: Meaning
    start: int
    end: int
    place: str = ""
    listed: bool = False


@dataclass(frozen=True)
class Vocabulary:
    """One table of ``vocabularies.toml``, or several read together."""

    name: str
    kinds: tuple[frozenset[str], ...]
    source: str
    families: tuple[str, ...] = ()
    spellings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The ways to write each term."""
    broader: Mapping[str, frozenset[str]] = field(default_factory=dict)
    akin: frozenset[frozenset[str]] = frozenset()
    facets: tuple[tuple[str, ...], ...] = ()
    turned: str = ""

    def holds(self, term: str) -> bool:
        """Whether a text is one of its terms and nothing else."""
        return self.read(term) is not None

    def read(self, term: str) -> Meaning | None:
        """The meaning of a text that is a term and nothing else, but for a noun that says of what sort."""
        plain = normalise(term).plain.strip()
        return self._whole(plain) or self._whole(GENERIC.sub("", plain))

    def _whole(self, plain: str) -> Meaning | None:
        if "point_group" in self.families and (group := hermann(plain)):
            return Meaning(group)
        for one in self.find(plain) if plain else ():
            bare = plain[: one.start] + plain[one.end :]
            if not bare.strip(" ()[]") and not one.meaning.turned:
                return one.meaning
        return None

    @property
    def opposites(self) -> bool:
        """Whether its terms are two that exclude each other, so that a denial of one is the other."""
        return len(self.spellings) == 2 and not self.broader and not self.families

    def opposite(self, name: str) -> str:
        """The other one of two terms."""
        return next(term for term in self.spellings if term != name)

    def find(self, plain: str) -> list[Found]:
        """Every term of a plain text; of overlapping ones the longest."""
        found = [*self._worded(plain), *self._symbols(plain)]
        found.sort(key=lambda one: (one.start - one.end, bool(one.meaning.turned), one.start))
        taken = bytearray(len(plain))
        kept = []
        for one in found:
            if not any(taken[one.start : one.end]):
                taken[one.start : one.end] = b"\x01" * (one.end - one.start)
                kept.append(one)
        return sorted(kept, key=lambda one: one.start)

    def _worded(self, plain: str) -> Iterator[Found]:
        for name, spellings in (*self.spellings.items(), *((word, (word,)) for word in self.broader)):
            for spelling in spellings:
                for match in spelled(spelling).finditer(plain):
                    yield Found(self._turned(name, match["prefix"]), *match.span())

    def _turned(self, name: str, prefix: str | None) -> Meaning:
        turned = PREFIXES[prefix.lower()] if prefix else ""
        if turned == "not" and self.opposites:
            return Meaning(self.opposite(name))
        return Meaning(name, turned)

    def _symbols(self, plain: str) -> Iterator[Found]:
        for family in self.families:
            for one in FAMILIES[family](plain):
                yield Found(Meaning(one.name), one.start, one.end, one.place, one.listed)

    def relation(self, meaning: Meaning, right: frozenset[str]) -> Relation:
        """How a meaning relates to the terms that are right."""
        name = meaning.name
        if meaning.turned == "unread":
            return Relation.UNSURE
        if meaning.turned == "other":
            return Relation.DIFFERENT
        if meaning.turned == "not":
            return Relation.DIFFERENT if name in right else Relation.UNSURE
        if name in right:
            return Relation.UNSURE if meaning.turned else Relation.SAME
        if self.broader.get(name, frozenset()) & right:
            return Relation.UNSURE
        if any(name in self.broader.get(term, ()) or frozenset((name, term)) in self.akin for term in right):
            return Relation.UNSURE
        return Relation.DIFFERENT

    def with_terms(self, terms: Mapping[str, tuple[str, ...]]) -> Vocabulary:
        """The vocabulary with further terms or spellings."""
        spellings = {
            name: tuple(dict.fromkeys((*self.spellings.get(name, ()), *terms.get(name, ()))))
            for name in (*self.spellings, *terms)
        }
        return Vocabulary(
            self.name,
            self.kinds,
            self.source,
            self.families,
            spellings,
            self.broader,
            self.akin,
            self.facets,
            self.turned,
        )


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORDS.findall(text.lower()))


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(","))


def _vocabulary(name: str, table: Mapping[str, Any]) -> Vocabulary:
    spellings = {}
    for line in table["terms"]:
        first, *others = (part.strip() for part in line.split(" | "))
        symbol = first.startswith("=")
        spellings[first.removeprefix("=")] = (*([] if symbol else [first]), *others)
    broader = {word: frozenset(_split(terms)) for word, terms in table.get("broader", {}).items()}
    akin = frozenset(frozenset(part.strip() for part in pair.split("~")) for pair in table.get("akin", ()))
    kinds = tuple(_words(kind) for kind in table["kinds"].split(","))
    families = (table["symbols"],) if "symbols" in table else ()
    facets = tuple(_split(phrases) for phrases in table.get("facets", {}).values())
    return Vocabulary(
        name, kinds, table["source"], families, spellings, broader, akin, facets, table.get("turned", "")
    )


@cache
def vocabularies() -> tuple[Vocabulary, ...]:
    """Every vocabulary."""
    table = tomllib.loads(_TABLE.read_text(encoding="utf-8"))
    return tuple(_vocabulary(name, entry) for name, entry in table.items())


@lru_cache(maxsize=1024)
def vocabulary_of(label_kind: str | None, expected: str) -> Vocabulary | None:
    """The vocabulary that a check means: by its label kind among those that hold the expected term.

    None where no vocabulary holds it and none has that kind.
    """
    holding = [one for one in vocabularies() if one.holds(expected)]
    words = _words((label_kind or "").replace("_", " "))
    fitting = [one for one in holding if any(kind <= words for kind in one.kinds)]
    if fitting or holding:
        return _joined(fitting or holding[:1])
    named = [one for one in vocabularies() if any(kind == words for kind in one.kinds)] if words else []
    return _joined(named) if named else None


def _joined(parts: Iterable[Vocabulary]) -> Vocabulary:
    """Several vocabularies as one; the first names its facets."""
    first, *others = parts
    if not others:
        return first
    each = (first, *others)
    spellings: dict[str, tuple[str, ...]] = {}
    broader: dict[str, frozenset[str]] = {}
    for one in each:
        spellings.update({name: (*spellings.get(name, ()), *said) for name, said in one.spellings.items()})
        broader.update(one.broader)
    families = tuple(dict.fromkeys(family for one in each for family in one.families))
    akin = frozenset(pair for one in each for pair in one.akin)
    turned = "|".join(one.turned for one in each if one.turned)
    return Vocabulary(
        first.name, first.kinds, first.source, families, spellings, broader, akin, first.facets, turned
    )
