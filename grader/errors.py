"""What can go wrong, and what the user can do about it.

    ArgusError                  one line for the user, exit 2
    ├── UsageError              a command or an option is wrong
    │   └── AuditError          what was asked of an audit can't be answered honestly
    ├── DataError               a file the user gave is wrong
    │   ├── ProblemError        a problem set
    │   ├── RunError            a run.jsonl
    │   ├── MarkError           a file of human marks
    │   ├── CardError           a judge card or its template
    │   └── CaseError           a file of cases
    ├── SetupError              the machine lacks something (disk, Java, a right)
    └── ArchiveError            the archive can't be used
        ├── ArchiveBusy         another grader holds this run
        └── ArchiveTooNew       written by a later version of Argus

Anything else that escapes is a bug: it keeps its traceback and exits 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong, and where.

    ``file`` and ``line`` (1-based) name the place, ``pointer`` is a JSON
    pointer (RFC 6901) within that file or line, or among options. ``got`` and ``expected`` are
    short renderings, ``do`` tells the user what to change.
    """

    what: str
    file: str | None = None
    line: int | None = None
    pointer: str | None = None
    got: str | None = None
    expected: str | None = None
    do: str | None = None

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        where = " ".join(part for part in (place, self._key()) if part)
        parts = [f"{where}: {self.what}" if where else self.what]
        if self.got is not None:
            parts.append(f"got {self.got}")
        if self.expected is not None:
            parts.append(f"expected {self.expected}")
        text = "; ".join(parts)
        return f"{text}. {self.do}" if self.do else text

    def _key(self) -> str | None:
        """The pointer as a message says it: in TOML's own way where what is wrong is a setting."""
        is_setting = self.file is None or self.file.endswith(".toml")
        return dotted(self.pointer) if self.pointer and is_setting else self.pointer

    def as_json(self) -> dict[str, object]:
        """The fault as a JSON object; absent fields are null."""
        return {name: getattr(self, name) for name in self.__slots__}


def dotted(pointer: str) -> str:
    """A JSON pointer as the dotted key of a setting: ``limits.concurrency``, ``models[0].name``."""
    if not pointer.startswith("/"):
        return pointer
    parts = [part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/")]
    said = "".join(f"[{part}]" if part.isdecimal() else f".{_quoted(part)}" for part in parts)
    return said.removeprefix(".")


def _quoted(key: str) -> str:
    """A key, in quotes where TOML wants them."""
    bare = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return key if bare else f'"{key}"'


class ArgusError(Exception):
    """A mistake the user can mend: printed as one line a fault, never as a traceback."""

    exit_code = 2

    def __init__(
        self,
        what: str | Sequence[Fault],
        *,
        file: str | None = None,
        line: int | None = None,
        pointer: str | None = None,
        got: str | None = None,
        expected: str | None = None,
        do: str | None = None,
    ) -> None:
        if isinstance(what, str):
            what = (Fault(what, file, line, pointer, got, expected, do),)
        self.faults: tuple[Fault, ...] = tuple(what)
        super().__init__("\n".join(str(fault) for fault in self.faults))


class UsageError(ArgusError):
    """A command or an option is wrong."""


class AuditError(UsageError):
    """What was asked of an audit can't be answered honestly: no sample, no stored probabilities."""


class DataError(ArgusError):
    """A file the user gave is wrong."""


class ProblemError(DataError):
    """A problem set is wrong."""


class RunError(DataError):
    """A run.jsonl is wrong."""


class MarkError(DataError):
    """A file of human marks is wrong."""


class CardError(DataError):
    """A judge card or its template is wrong."""


class CaseError(DataError):
    """A file of cases is wrong."""


class SetupError(ArgusError):
    """The machine lacks something that the command needs."""


class ArchiveError(ArgusError):
    """The archive can't be used."""


class ArchiveBusy(ArchiveError):
    """Another grader holds this run."""


class ArchiveTooNew(ArchiveError):
    """The archive was written by a later version of Argus."""


def shown(value: object, limit: int = 60) -> str:
    """A value as a message may quote it: its repr on one line, cut at ``limit`` characters."""
    text = repr(value)
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
