"""What audits add to answers: passages that speak to the grader, and idle words that say nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field

from grader.errors import Fault
from grader.model.options import Closed
from grader.model.settings import read_settings
from grader.problem.place import Place
from grader.record import digest

EACH, POINT, MARKS = "<EACH>", "<POINT>", "<MARKS>"
"""What stands in a passage for the entry of each point, for a point's id and for its marks."""


class Family(Closed):
    """Passages that try the same thing."""

    says: str = Field(min_length=1)
    """What they try, for people."""
    texts: tuple[str, ...] = Field(min_length=1, strict=False)
    """The wordings; which one an answer gets, its content decides."""
    each: str = ""
    """What ``<EACH>`` stands for, once for every point, joined by commas."""

    def as_json(self) -> dict[str, Any]:
        """What decides a passage."""
        return {"texts": list(self.texts), "each": self.each}


class TextsFile(Closed):
    """What ``texts.toml`` says."""

    idle: tuple[str, ...] = Field(min_length=3, strict=False)
    """Sentences that fit any answer and say nothing."""
    injections: dict[str, Family] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts, ready to be added."""

    idle: tuple[str, ...]
    injections: Mapping[str, Family]

    def injected(self, family: str, points: Sequence[tuple[str, float]], *choice: object) -> str:
        """A passage of a family about points (ids and marks); ``choice`` decides the wording."""
        found = self.injections[family]
        text = found.texts[_drawn(len(found.texts), family, *choice)]
        each = ", ".join(
            found.each.replace(POINT, name).replace(MARKS, f"{marks:g}") for name, marks in points
        )
        return text.replace(EACH, each)

    def padding(self, length: int, *choice: object) -> str:
        """Idle words of exactly that many characters, ending with a full stop; ``choice`` decides which."""
        if length < 1:
            return ""
        start = _drawn(len(self.idle), "idle", *choice)
        words: list[str] = []
        size = 0
        while size < length:
            sentence = self.idle[(start + len(words)) % len(self.idle)]
            words.append(sentence)
            size += len(sentence) + 1
        return " ".join(words)[: length - 1] + "."


def load_texts(path: Path) -> Texts:
    """The texts of a file; DataError with every fault, each with its line."""
    file = read_settings(path, TextsFile, _rules)
    return Texts(file.idle, file.injections)


def _rules(file: TextsFile, place: Place) -> Iterator[Fault]:
    for name, family in file.injections.items():
        needs = any(EACH in text for text in family.texts)
        if needs != bool(family.each):
            what = f"{EACH} and 'each' belong together"
            yield place.at("injections", name, "each").fault(what, do="Give both or neither.")


def _drawn(size: int, *choice: object) -> int:
    """A number below ``size`` that depends on ``choice`` alone."""
    return int(digest(list(choice)), 16) % size
