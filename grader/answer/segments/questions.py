"""The words of the questions: where a response repeats them, and which answer speaks of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from grader.answer.segments.stretches import Layout

_WORD = re.compile(r"[^\W_]+")
_MARKUP = re.compile(r"<[^<>\n]{0,40}>|\\[a-zA-Z]{1,20}|[*_`$#{}]")
_OPENING = 6
"""Words by which a repeated question is known."""
_SHORTEST = 3
"""A question of fewer words is not known again."""
_LEADING = {
    "solution",
    "solutions",
    "answer",
    "answers",
    "question",
    "questions",
    "the",
    "my",
    "here",
    "are",
    "is",
}
"""Words that lead from a question to its answer."""
_REACH = 160


def words(text: str) -> list[str]:
    """The words of a text in lower case, without markup."""
    return _WORD.findall(_MARKUP.sub(" ", text).casefold())


@dataclass(frozen=True)
class Questions:
    """The texts of the subquestions, in order; empty where nobody gave them."""

    texts: tuple[str, ...]
    _opening: dict[tuple[str, ...], int] = field(init=False, default_factory=dict)
    _distinct: list[frozenset[str]] = field(init=False, default_factory=list)
    _words: list[list[str]] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self._words.extend(words(text) for text in self.texts)
        openings = [tuple(said[:_OPENING]) for said in self._words]
        for index, opening in enumerate(openings):
            if len(opening) >= _SHORTEST and openings.count(opening) == 1:
                self._opening[opening] = index
        counts = Counter(word for said in self._words for word in set(said))
        self._distinct.extend(
            frozenset(word for word in said if counts[word] == 1 and len(word) > 3) for said in self._words
        )

    def asked(self, index: int) -> Sequence[str]:
        """The words of a question; none where nobody gave it."""
        return self._words[index] if self._words else ()

    def repeated(self, text: str, at: int) -> int | None:
        """The subquestion whose question is repeated from a place on."""
        if not self._opening:
            return None
        said = words(text[at : at + _REACH])
        opening = tuple(said[said[:1] == ["question"] :][:_OPENING])
        return next((self._opening[key] for key in _heads(opening) if key in self._opening), None)

    def only(self, index: int, said: str) -> bool:
        """Whether a passage holds a question and nothing else."""
        if not self.texts or len(said) > 2 * len(self.texts[index]) + 80:
            return False
        asked = Counter(self._words[index])
        more = {word for word in words(said) if word not in asked}
        return asked.total() > 0 and more <= _LEADING and _shared(asked, said) > 0.9

    def spoken_of(self, passages: Sequence[str]) -> tuple[int, int]:
        """How many passages speak most of their own question, and how many more of another's."""
        if not self.texts:
            return 0, 0
        sets = [set(words(passage)) for passage in passages]
        own = others = 0
        for index, distinct in enumerate(self._distinct):
            hits = [len(distinct & said) for said in sets]
            rest = max((hit for place, hit in enumerate(hits) if place != index), default=0)
            own += hits[index] > rest
            others += hits[index] < rest
        return own, others

    def repeats(self, passage: str) -> int:
        """How many characters of a passage repeat the questions, where it repeats nearly all of them."""
        asked = Counter(word for said in self._words for word in said)
        if not asked or _shared(asked, passage) < 0.8:
            return 0
        return sum(map(len, self.texts))


def without_echo(text: str, layout: Layout, questions: Questions) -> Layout:
    """A layout without stretches that only repeat a question which is answered elsewhere."""
    counts = Counter(sub for item in layout.stretches for sub in item.subs)
    kept = tuple(
        item
        for item in layout.stretches
        if not (
            len(item.subs) == 1
            and counts[item.subs[0]] > 1
            and questions.only(item.subs[0], text[item.body : item.end])
        )
    )
    return (
        replace(layout, stretches=kept)
        if layout.present == {sub for item in kept for sub in item.subs}
        else layout
    )


def _heads(said: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The openings of a passage, the longest first."""
    return [said[:length] for length in range(len(said), _SHORTEST - 1, -1)]


def _shared(asked: Counter[str], said: str) -> float:
    return (asked & Counter(words(said))).total() / asked.total()
