"""Whose model a name means, so that a judge of the answering model's own family can be told.

By whole words of the name and a table of content, never by parts of words.
A name the table doesn't know belongs to no family: that is no proof of
independence, and a card can say its family itself.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from grader.problem.content import content_root

if TYPE_CHECKING:
    from grader.judge.cards import LoadedCard

FAMILIES = "families.toml"
"""The table, beside the judge cards."""

_WORD = re.compile(r"[a-z0-9]+")
_NUMBERED = re.compile(r"([a-z]{2,})\d+[a-z]?")
_PROVIDERS_OWN = {"openai": "openai"}
"""Routes that lead to the provider's own models where the card names no other server."""

_Entry = tuple[str, ...]


class _Table(NamedTuple):
    entries: dict[_Entry, frozenset[str]]
    """The families of each entry; none for words that only look like a family's."""
    routes: frozenset[str]
    longest: int


@lru_cache(maxsize=4096)
def family(model: str) -> frozenset[str]:
    """The families a model's name belongs to: ``{"deepseek", "qwen"}``; empty where the table knows none."""
    return frozenset(name for found in _matches(_words(model)) for name in found)


def families(card: LoadedCard) -> frozenset[str]:
    """The families of a judge, of a panel those of all its members. What a card says itself goes first."""
    return frozenset(name for voter in card.voters for name in _own(voter))


def kin(judge: LoadedCard, model: str) -> str | None:
    """What a judge and an answering model share: a family, or the very name; None where nothing is known."""
    shared = sorted(families(judge) & family(model))
    if shared:
        return " and ".join(shared)
    names = {_bare(voter.card.model or "") for voter in judge.voters}
    return _bare(model) if _bare(model) in names else None


def _own(card: LoadedCard) -> frozenset[str]:
    said, model = card.card.family, card.card.model or ""
    if said is not None:
        return family(said) or frozenset({said.strip().lower()})
    found = family(model)
    route = model.lower().partition("/")[0]
    if not found and card.card.api_base is None and route in _PROVIDERS_OWN and "/" in model:
        return frozenset({_PROVIDERS_OWN[route]})
    return found


def _bare(model: str) -> str:
    """The name without the way to it."""
    return model.lower().rpartition("/")[2]


def _words(model: str) -> list[str]:
    parts = model.lower().split("/")
    while len(parts) > 1 and parts[0] in _table().routes:
        parts = parts[1:]
    return _WORD.findall(" ".join(parts))


def _matches(words: list[str]) -> Iterator[frozenset[str]]:
    """What the words mean, the longest entries first; each word is used once."""
    table = _table()
    free = [True] * len(words)
    for length in range(table.longest, 0, -1):
        for start in range(len(words) - length + 1):
            span = slice(start, start + length)
            found = _entry(words[span]) if all(free[span]) else None
            if found is not None:
                free[span] = [False] * length
                yield found


def _entry(words: list[str]) -> frozenset[str] | None:
    entries = _table().entries
    found = entries.get(tuple(words))
    numbered = _NUMBERED.fullmatch(words[-1])
    if found is None and numbered is not None:
        return entries.get((*words[:-1], numbered[1]))
    return found


@cache
def _table() -> _Table:
    raw = tomllib.loads((content_root() / "judges" / FAMILIES).read_text("utf-8"))
    entries: dict[_Entry, set[str]] = {}
    for name, texts in raw["families"].items():
        for text in texts:
            entries.setdefault(tuple(text.split()), set()).add(name)
    entries.update({tuple(text.split()): set() for text in raw["routes"]["words"]})
    frozen = {entry: frozenset(names) for entry, names in entries.items()}
    return _Table(frozen, frozenset(raw["routes"]["names"]), max(map(len, frozen)))
