"""A sheet of questions for a person: a Markdown file with a marked place for each answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.errors import DataError, UsageError, shown

_HEAD = """\
# Questions for {name}

Write each answer between the two lines that mark its place, and leave those lines as they are.
A place that stays empty is not handed in.
"""
_QUESTION = """
---

## Problem {number}

{text}

=== answer {place} begins ===

=== answer {place} ends ===
"""
_MARK = re.compile(r"=+ *answer +(?P<place>[0-9a-f]{12}) +(?P<which>begins|ends) *=+")
_LIKE_A_MARK = re.compile(r"=+.*\b(?:answer|begins|ends)\b")
_EXPECTED = "=== answer <12 digits> begins ===, or the same with ends"


def place_of(key: str) -> str:
    """The name of a request's place in a sheet, which says nothing of the question."""
    return key[:12]


def write_sheet(path: Path, name: str, questions: Mapping[str, str]) -> None:
    """Write the questions, by the names of their places. Raises UsageError; nothing is overwritten."""
    written = [
        _QUESTION.format(number=number, text=text, place=place)
        for number, (place, text) in enumerate(questions.items(), start=1)
    ]
    try:
        with path.open("x", encoding="utf-8", errors="surrogatepass") as stream:
            stream.write(_HEAD.format(name=name) + "".join(written))
    except OSError as error:
        raise UsageError(
            f"can't write the questions: {error.strerror}", file=str(path), do="Check the path."
        ) from None


def read_sheet(path: Path) -> dict[str, str]:
    """What stands in each place, by its name; empty where nothing does.

    Whatever else was changed doesn't matter. Raises DataError for a broken mark, or none at all.
    """
    reading = _Reading(str(path), {})
    for number, line in enumerate(_lines(path), start=1):
        reading.take(number, line)
    if reading.open is not None:
        raise reading.fault(reading.open.line, f"the place {reading.open.name} has no end")
    if not reading.answers:
        do = "Name a file that isn't there yet: the questions are written into it."
        raise DataError("a file without a place for an answer", file=str(path), expected=_EXPECTED, do=do)
    return reading.answers


def _lines(path: Path) -> Iterable[str]:
    try:
        return path.read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        raise DataError(f"can't read the answers: {error.strerror}", file=str(path)) from None
    except UnicodeDecodeError:
        raise DataError("the answers are not UTF-8", file=str(path), do="Save them as UTF-8.") from None


@dataclass(frozen=True, slots=True)
class _Place:
    name: str
    line: int
    lines: list[str]


@dataclass
class _Reading:
    file: str
    answers: dict[str, str]
    open: _Place | None = None

    def take(self, number: int, line: str) -> None:
        """Take the next line."""
        mark = _MARK.fullmatch(line.strip())
        if mark is None:
            if _LIKE_A_MARK.match(line.strip()):
                raise self.fault(number, "a broken mark", line)
            if self.open is not None:
                self.open.lines.append(line)
        elif mark["which"] == "begins":
            self._begin(number, mark["place"])
        else:
            self._end(number, mark["place"])

    def _begin(self, number: int, name: str) -> None:
        if self.open is not None:
            raise self.fault(self.open.line, f"the place {self.open.name} has no end")
        if name in self.answers:
            raise self.fault(number, f"the place {name} is there twice")
        self.open = _Place(name, number, [])

    def _end(self, number: int, name: str) -> None:
        if self.open is None or self.open.name != name:
            raise self.fault(number, f"the place {name} ends, but doesn't begin before that")
        self.answers[name] = "\n".join(self.open.lines).strip()
        self.open = None

    def fault(self, number: int, what: str, got: str | None = None) -> DataError:
        """What is wrong with a mark."""
        quoted = shown(got.strip()) if got is not None else None
        return DataError(what, file=self.file, line=number, got=quoted, expected=_EXPECTED)
