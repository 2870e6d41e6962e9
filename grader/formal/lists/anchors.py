"""What a list holds: the items that an answer writes, and when two are the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from grader.answer.labels import pattern
from grader.answer.notation import Text, normalise
from grader.answer.number_words import SMALL
from grader.formal.structures.comparison import Relation


@dataclass(frozen=True, slots=True)
class Anchor:
    """An item at a plain span."""

    value: Any
    start: int
    end: int
    weak: bool = False
    """It counts only beside another item: it may be a word or a number of the prose."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A member of a list that is no item of the kind."""

    text: str


class Items(Protocol):
    """How the items of one check are read and compared."""

    expected: tuple[Any, ...]
    closed: bool
    """Whether a member that is no known item is another item, not an unread one."""

    def anchors(self, text: Text) -> list[Anchor]:
        """Every item that a text writes, in order. Raises TooMany."""
        ...

    def compare(self, one: Any, two: Any) -> Relation:
        """Whether two items are the same."""
        ...


class TooMany(ValueError):
    """An answer lists more items than anyone would read."""


class Unreadable(ValueError):
    """An expected item that can't be read."""


def longest(found: Sequence[Anchor]) -> list[Anchor]:
    """Anchors without those inside others, in order."""
    kept: list[Anchor] = []
    for one in sorted(found, key=lambda one: (one.start, one.end > one.start, -one.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
        elif one.end - one.start > kept[-1].end - kept[-1].start:
            kept[-1] = one
    return kept


# -- numbers: integers and locants --------------------------------------------------------------------------

_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.^])(?P<head>[A-Z]-?_?(?=\d))?(?P<digits>\d{1,3})(?P<tail>[a-z]?'{0,2})(?!\w|\.\d|"
    r"-[A-Za-z](?!os)|\s?[%°]|[+](?!\s))"
)
_COUNTING = re.compile(
    r"\s(?:different|distinct|equivalents?|carbons?|atoms?|positions?|signals?|groups?|isomers?|electrons?|"
    r"protons?|products?|bonds?|h|hours?|min|mol|steps?|K|g|mL|of|stereo\w+)\b"
)


class Numbers:
    """Locants (``C1``, ``4a``, ``N3``) or whole numbers."""

    closed = False

    def __init__(self, expected: Sequence[str | int | float], locants: bool) -> None:
        self.locants = locants
        self.expected = tuple(_locant(str(item)) if locants else str(item) for item in expected)

    def anchors(self, text: Text) -> list[Anchor]:
        """Numbers, ranges of them written out, and number words."""
        found = []
        for match in _NUMBER.finditer(text.plain):
            if match["head"] and not self.locants:
                continue
            counting = _COUNTING.match(text.plain, match.end()) is not None
            value = _locant(match[0]) if self.locants else match["digits"] + match["tail"]
            found.append(Anchor(value, *match.span(), weak=counting and not match["head"]))
        if self.locants:
            found += [one for match in _RANGE.finditer(text.plain) for one in _range(match)]
        if not self.locants:
            for match in _WORD.finditer(text.plain):
                value = str(SMALL.index(match[0].lower()))
                found.append(Anchor(value, *match.span(), weak=value not in self.expected))
        return longest(found)

    def compare(self, one: str, two: str) -> Relation:
        """Locants are the same by their number, and by their element where both name one."""
        return Relation.SAME if one == two else Relation.DIFFERENT


_WORD = re.compile(rf"\b(?:{'|'.join(SMALL)})\b", re.I)


_RANGE = re.compile(
    r"(?<![A-Za-z0-9_.,^-])(?:C-?)?(?P<first>\d{1,2})(?P<to>[ ]?(?:-|to|"
    r"through)[ ]?(?:C-?)?(?P<last>\d{1,2}))"
    r"(?![\w,.]\w|-|\w)"
)


def _range(match: re.Match[str]) -> Iterator[Anchor]:
    """The locants from one to another: ``C1-C4``; their spans touch, so that nothing parts them."""
    first, last, middle = int(match["first"]), int(match["last"]), match.start("to")
    if first < last:
        yield Anchor(str(first), match.start(), middle)
        yield from (Anchor(str(number), middle, middle) for number in range(first + 1, last))
        yield Anchor(str(last), middle, match.end())


def _locant(written: str) -> str:
    """A locant without the C of carbon: ``C-2'`` is ``2'``; other elements keep their symbol."""
    bare = re.sub(r"[\s_-]", "", normalise(str(written)).plain)
    return re.sub(r"^C(?=\d)", "", bare)


# -- labels -----------------------------------------------------------------------------------------------

_CAPITAL = re.compile(r"[A-Z][0-9]?'?")
_LETTER = re.compile(r"(?<![A-Za-z0-9_'+-])[A-Z](?:_?[0-9])?'?(?![A-Za-z0-9_']|-[A-Za-z])")
_ARTICLE = re.compile(
    r"[ ](?!is\b|was\b|are\b|and\b|or\b|has\b|reacts\b|then\b|because\b|but\b|being\b|would\b|will\b|"
    r"undergoes\b|last\b|first\b|second\b|third\b|comes\b|elutes\b|finally\b|gives\b|"
    r"lies\b|falls\b|sits\b|ranks\b|stands\b|follows\b)[a-z]"
)


class Labels:
    """Words and letters: the expected ones, and others of the same vocabulary or of the same manner."""

    def __init__(self, expected: Sequence[str | int | float]) -> None:
        from grader.formal.terms.vocabulary import vocabularies

        self.labels = tuple(str(item).strip() for item in expected)
        known = [
            one
            for one in vocabularies()
            if sum(one.holds(label) for label in self.labels) * 2 > len(self.labels)
        ]
        self.vocabulary = max(known, key=lambda one: sum(map(one.holds, self.labels)), default=None)
        self.expected = tuple(self._value(label) for label in self.labels)
        self.letters = all(_CAPITAL.fullmatch(label) for label in self.labels) and self.vocabulary is None
        self.elements = all(label in _elements() for label in self.labels) and not all(
            len(label) == 1 for label in self.labels
        )
        self.closed = not (self.letters or self.elements)

    def _value(self, label: str) -> str:
        meaning = self.vocabulary.read(label) if self.vocabulary else None
        return meaning.name if meaning and not meaning.turned else label

    def anchors(self, text: Text) -> list[Anchor]:
        """The expected labels, the other terms of their vocabulary, other letters or elements."""
        return longest([*self._own(text.plain), *self._others(text.plain)])

    def _own(self, plain: str) -> Iterator[Anchor]:
        from grader.formal.terms.spelling import spelled

        for label, value in zip(self.labels, self.expected, strict=True):
            if self.letters:
                continue
            for match in pattern(normalise(label).plain).finditer(plain):
                yield Anchor(value, *match.span())
            if len(label) > 3:
                for match in spelled(label).finditer(plain):
                    yield Anchor(
                        value if not match["prefix"] else f"{match['prefix']} {value}", *match.span()
                    )

    def _others(self, plain: str) -> Iterator[Anchor]:
        if self.vocabulary is not None:
            for one in self.vocabulary.find(plain):
                turned = (
                    f"{one.meaning.turned} {one.meaning.name}" if one.meaning.turned else one.meaning.name
                )
                yield Anchor(turned, one.start, one.end)
        if self.letters:
            for match in _LETTER.finditer(plain):
                article = match[0] in ("A", "I") and _ARTICLE.match(plain, match.end())
                if not article:
                    yield Anchor(match[0].replace("_", ""), *match.span(), weak=match[0] == "I")
        if self.elements:
            for match in _ELEMENT.finditer(plain):
                symbol = _elements().get(match[0].lower() if len(match[0]) > 2 else match[0])
                if symbol is not None:
                    yield Anchor(symbol, *match.span(), weak=symbol not in self.labels)

    def compare(self, one: str, two: str) -> Relation:
        """Labels are the same by their term, whatever their case where they are words."""
        if one == two or (len(one) > 2 and one.casefold() == two.casefold()):
            return Relation.SAME
        if self.vocabulary is not None:
            from grader.formal.terms.vocabulary import Meaning

            return self.vocabulary.relation(Meaning(two), frozenset((one,)))
        return Relation.DIFFERENT


_ELEMENT = re.compile(r"(?<![A-Za-z0-9])(?:[A-Z][a-z]?|[A-Za-z][a-z]{2,12})(?![A-Za-z0-9])")


@lru_cache(maxsize=1)
def _elements() -> dict[str, str]:
    """Symbols by symbol and by name."""
    from grader.formal.formulas.tree import ATOMIC_NUMBER
    from grader.formal.species.mentions import ELEMENT_NAMES

    names = dict(zip(ELEMENT_NAMES, ATOMIC_NUMBER, strict=False))
    return {**{symbol: symbol for symbol in ATOMIC_NUMBER}, **names, **_AMERICAN}


_AMERICAN = {"aluminum": "Al", "sulphur": "S", "cesium": "Cs"}
