"""Where something stands: a file, a line of it, a JSON pointer."""

from __future__ import annotations

from dataclasses import dataclass, replace

from grader.errors import Fault


def pointer(*parts: str | int) -> str:
    """The JSON pointer (RFC 6901) that leads through these keys and indices."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


@dataclass(frozen=True, slots=True)
class Place:
    """A value within a file, or within one line of a JSONL file."""

    file: str
    line: int | None = None
    pointer: str = ""

    def at(self, *parts: str | int) -> Place:
        """The place further down, through these keys and indices."""
        return replace(self, pointer=self.pointer + pointer(*parts))

    def fault(
        self, what: str, *, got: str | None = None, expected: str | None = None, do: str | None = None
    ) -> Fault:
        """What is wrong here."""
        return Fault(what, self.file, self.line, self.pointer, got, expected, do)
